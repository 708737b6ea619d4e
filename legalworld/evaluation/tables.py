"""Figures in tables: a value as it is printed, and rows of data as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any

from ..files.spreadsheet import harmless
from .metrics.values import Value, number


def shown(value: Value | None, form: str = ".2f") -> str:
    """A value for people; `-` where there is none."""
    plain = number(value)
    return "-" if plain is None else f"{plain:{form}}"


def csv_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """A line for each row under the keys of the first, with no cell that a spreadsheet takes for a formula; "" where
    there is no row."""
    every = list(rows)
    out = io.StringIO()
    if every:
        writer = csv.DictWriter(out, list(every[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({name: harmless(value) for name, value in row.items()} for row in every)
    return out.getvalue()
