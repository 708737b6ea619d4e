"""What a rubric can score by rule."""
