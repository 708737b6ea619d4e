"""Skills that grow: the role under test looks back on its runs, and what it writes down is tried on other cases."""
