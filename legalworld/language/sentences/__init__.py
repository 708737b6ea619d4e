"""One line of the mini-language to its syntax tree. Pure."""
