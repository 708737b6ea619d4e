"""The courtroom in a browser: runs and procedures as values for pages, served or packed."""
