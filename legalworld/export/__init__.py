"""The documents of a run as files for people: Markdown, Word, PDF."""
