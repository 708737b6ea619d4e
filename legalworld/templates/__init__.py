"""Prompt templates: the checked subset of Jinja, lookups, rendering. Pure."""
