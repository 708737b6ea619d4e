"""The metrics of the papers, as functions of values. Pure."""
