"""Who can answer a request: a language model, or a script."""
