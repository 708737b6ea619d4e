"""Text to nodes that know their place. Pure."""
