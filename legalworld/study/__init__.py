"""Documents replaced, and what that does to later stages."""
