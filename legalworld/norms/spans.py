"""Interest at a published rate that changes while it runs: each stretch at the rate of its days."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from itertools import pairwise

from ..figures import ledger
from ..figures.tables import FigureTable


def stretches(table: FigureTable, since: date, until: date) -> Iterator[tuple[date, date, Decimal]]:
    """From, to and the rate of each stretch between two days; nothing where no rate was published by the first."""
    if table.on(since) is None:
        return
    changes = sorted(day for day, _ in table.published if since < day < until)
    for start, end in pairwise((since, *changes, until)):
        rate = table.on(start)
        assert rate is not None
        yield start, end, rate


def interest_in_spans(base: Decimal, table: FigureTable, factor: Decimal, days: tuple[date, date]) -> Decimal | None:
    """What a sum bears from one day to another at so many times the rate; None where the table begins later."""
    parts = [ledger.interest(base, rate * factor, start, end) for start, end, rate in stretches(table, *days)]
    return sum(parts, Decimal(0)) if parts else None
