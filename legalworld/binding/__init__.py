"""From a case file in any format to a case. Pure."""
