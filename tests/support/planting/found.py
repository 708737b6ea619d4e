"""What `lw audit` says of planted texts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typed import lw

from planting.kinds import KINDS
from planting.paper import Paper, Plant

Row = dict[str, Any]


@dataclass(frozen=True)
class Answer:
    """Whether a right check raised an alarm, and named both places; the other alarms that the planted text raised."""

    plant: Plant
    check: bool
    both: bool
    besides: tuple[str, ...]


def audited(papers: Sequence[tuple[Paper, str]], folder: Path) -> list[list[Row]]:
    """The rows of the audit for each text, in their order; each text is read against the case of its paper."""
    return [_audited(paper, text, folder / "judgment.md") for paper, text in papers]


def _audited(paper: Paper, text: str, file: Path) -> list[Row]:
    file.write_text(text, encoding="utf-8")
    case = ("--case", paper.case, "--spec", paper.spec) if paper.case and paper.spec else ()
    said = lw("audit", file, *case, "--json")
    rows = [json.loads(line) for line in said.out.splitlines()]
    assert said.code in (0, 4), (str(paper), said.out, said.err)
    return [row for row in rows if "check" in row]


def alarms(rows: Iterable[Row]) -> list[Row]:
    return [row for row in rows if row["result"] == "alarm"]


def answers(plants: Sequence[Plant], folder: Path) -> list[Answer]:
    """Each plant against what its paper raised before anything was planted."""
    papers = list({planted.paper: None for planted in plants})
    before = {
        paper: {(row["check"], row["part"]) for row in alarms(rows)}
        for paper, rows in zip(papers, audited([(paper, paper.text) for paper in papers], folder), strict=True)
    }
    after = audited([(planted.paper, planted.text) for planted in plants], folder)
    return [
        _answer(planted, [row for row in alarms(rows) if (row["check"], row["part"]) not in before[planted.paper]])
        for planted, rows in zip(plants, after, strict=True)
    ]


def _answer(planted: Plant, new: list[Row]) -> Answer:
    right = [row for row in new if row["check"] in KINDS[planted.kind][1]]
    besides = tuple(sorted({row["check"] for row in new} - KINDS[planted.kind][1]))
    return Answer(planted, bool(right), any(_both(planted, row) for row in right), besides)


def _both(planted: Plant, row: Row) -> bool:
    """One place is on the lines edited, another on those that they contradict, or elsewhere; one if both are one line.

    Of what was left out only the other place is there to be named.
    """
    places = list({(place["start"], place["end"]): place for place in row["places"]}.values())
    edited, others = planted.lines(planted.edited), planted.lines(planted.others)
    at_edit = [place for place in places if _lines(planted, place) & edited]
    if not edited:
        return any(_lines(planted, place) & others for place in places) or (not others and bool(places))
    if edited & others and at_edit:
        return True
    at_others = [place for place in places if not others or _lines(planted, place) & others]
    return any(one is not other for one in at_edit for other in at_others)


def _lines(planted: Plant, place: dict[str, Any]) -> set[int]:
    return planted.lines([(place["start"], place["end"])]) if place["start"] is not None else set()
