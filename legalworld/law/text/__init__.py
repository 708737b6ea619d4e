"""Reading Chinese legal text: citations of law, amounts and times, criminal verdicts.

Pure functions from a text to frozen values with places in it. What the words are stands in `tables/*.toml`; nothing is
guessed: what the text does not say stays None.
"""
