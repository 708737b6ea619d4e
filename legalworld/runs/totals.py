"""What is read out of the texts of foreign records: the sum that one comes to, the punishments that one names."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

from ..binding.outcome import OutcomeReader
from ..figures.sums import write_money


def written_total(text: str, currency: str) -> str:
    """As a case would have it: 31286.40; "" where the text comes to no sum of this currency."""
    amounts = import_module("legalworld.law.text.amounts")  # its tables are many, and few records need them
    total = amounts.stated_total(text, currency)
    return write_money(total) if total is not None else ""


def _reader() -> Any:
    return import_module("legalworld.law.text.told_outcomes")  # as above


OUTCOME: Final = OutcomeReader(
    lambda text: _reader().sealed_punishments(text),
    lambda sentence, sealed: _reader().tells(sentence, sealed),
)
