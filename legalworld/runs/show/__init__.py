"""What a run looks like from outside."""
