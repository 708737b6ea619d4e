"""Evaluation: rubrics read from files, what they look at in a stored run, how each item is scored, and what it gives.

Pure: `scoring.score` is a generator that yields what the grader is to be asked and is sent its replies.
"""
