"""The interpreter and the state it folds. Pure."""
