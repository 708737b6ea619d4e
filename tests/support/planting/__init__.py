"""Contradictions planted in the text of judgments, and whether `lw audit` finds them.

Shares nothing with what audits: its own expressions find the place, an edit changes the words, the command is asked as
a user asks it. `python -m planting` (make plants) prints the share found of each kind.
"""
