"""The verbs of the language, one module each: what their sentences say, and what the program asks of them. Pure."""
