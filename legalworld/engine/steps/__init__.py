"""The verbs of the language: how each step is played. Pure."""
