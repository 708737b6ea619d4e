"""LegalWorld: a Chinese legal life cycle, from consultation to final judgment, run from a spec a lawyer can read."""

__version__ = "0.1.0"
