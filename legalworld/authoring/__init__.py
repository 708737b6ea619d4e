"""What somebody who edits a project asks about its files."""
