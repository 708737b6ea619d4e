"""Rubrics: read from files, checked. Pure."""
