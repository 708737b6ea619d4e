"""Files on disk: those of a project, and spreadsheets."""
