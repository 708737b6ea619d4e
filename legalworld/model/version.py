"""The version of the package, which runs and reports tell."""

__version__ = "0.1.0"
