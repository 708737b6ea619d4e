"""The sum that a text of a foreign record comes to: what the operator `sum` of a binding reads."""

from __future__ import annotations

from importlib import import_module

from ..figures.sums import write_money


def written_total(text: str, currency: str) -> str:
    """As a case would have it: 31286.40; "" where the text comes to no sum of this currency."""
    amounts = import_module("legalworld.law.text.amounts")  # its tables are many, and few records need them
    total = amounts.stated_total(text, currency)
    return write_money(total) if total is not None else ""
