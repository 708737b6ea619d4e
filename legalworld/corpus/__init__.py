"""Raw judgments to cases: read, cleaned, paired, taken apart, masked; each step a file that can be looked at."""
