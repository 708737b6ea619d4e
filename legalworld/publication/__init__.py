"""What readers elsewhere are given: tables, charts and one page that needs nothing else."""
