"""Help while typing: what `authoring` says of a project, spoken over the Language Server Protocol."""
