"""What the steps hand on: records as JSON, and what fell out with the reason.

A record has an `id` and a `kind`: a `text` (one judgment), a `pair` (two of them), a `case` (a case file).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from ..files import packed
from ..model.immutable import immutable
from ..model.json_text import read_json

Row = dict[str, Any]
TEXT, PAIR, CASE = "text", "pair", "case"
SEED: Final = 20251217  # LegalWorld, appendix B.3
WARNED: Final = "warned"  # among the notes of the first step: see `WarningCounts.row`
SHOWN: Final = 160  # characters of an example


@immutable
class Dropped:
    """A record that goes no further: `reason` is a word of the table, `detail` what was seen, `other` the record that
    it was held against."""

    id: str
    reason: str
    detail: str = ""
    other: str = ""

    def row(self) -> Row:
        told = {"id": self.id, "reason": self.reason, "detail": self.detail[:SHOWN], "other": self.other}
        return {key: value for key, value in told.items() if value}


Outcome = Row | Dropped


@immutable
class Records:
    """The records of a step's file, one after another; or one by where its line begins."""

    file: Path

    def __call__(self) -> Iterator[Row]:
        return (row for _, row in self.places())

    def places(self) -> Iterator[tuple[int, Row]]:
        at = 0
        with packed.stream(self.file) as lines:
            for line in lines:
                yield at, read_json(line)
                at += len(line)

    def at(self, places: Iterable[int]) -> Iterator[Row]:
        with packed.stream(self.file) as lines:
            for place in places:
                lines.seek(place)
                yield read_json(lines.readline())


@immutable
class CorpusRequest:
    """What a command asks for. `near`: the likeness from which two texts are one, 0 for exact duplicates alone.

    `medium`, `light`: causes, and cases of each. `steps`: those that are done, () for all; `until`: the last one.
    `model`: "" where rules alone extract.
    """

    sources: tuple[str, ...]
    out: Path
    cwd: Path
    binding: str = ""
    model: str = ""
    licence: str = ""
    near: float = 0.85
    seed: int = SEED
    medium: tuple[int, int] = (100, 10)
    light: tuple[int, int] = (20, 5)
    allow_failed: float = 0.0
    steps: tuple[str, ...] = ()
    until: str = ""
    deadline: float = 600.0


@dataclass(slots=True)
class StepNotes:
    """What a step tells of all its records together, for the report and the card."""

    values: Row = field(default_factory=dict)


def line_of(row: Row) -> str:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n"
