"""Whether a decision is sound: checks that experts write, held against what was decided, whoever decided it."""
