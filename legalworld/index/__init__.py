"""A list of many runs, kept in a database beside them: what each is, how far it came, what it scored."""
