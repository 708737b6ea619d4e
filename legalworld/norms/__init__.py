"""Norms that experts write: read, checked, and reckoned with to a court's decision. Pure; the law is in the files."""
