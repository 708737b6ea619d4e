"""Runs: played, kept, resumed, replayed, looked at."""
