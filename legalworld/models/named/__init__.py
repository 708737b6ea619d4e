"""Models under names of the user's: the files that say what a name stands for, and what is found when one is tried."""
