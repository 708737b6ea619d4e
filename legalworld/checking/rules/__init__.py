"""The rules of the checker, by what they look at. Pure."""
