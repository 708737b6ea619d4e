"""Sums as courts reckon them: exact arithmetic, tables of rates and fees, an account of a debt. Pure; knows no law."""
