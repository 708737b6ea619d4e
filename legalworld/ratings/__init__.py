"""People rate runs and compare them; do they agree?"""
