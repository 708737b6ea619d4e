"""Files to a procedure: every name resolved. Pure."""
