"""Studies: which runs are made, how they are scored and which tables come of them, declared in one file."""
