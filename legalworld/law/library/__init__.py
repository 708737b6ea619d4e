"""The law library: statutes in several versions, and cases, kept on disk and searched."""
