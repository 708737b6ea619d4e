"""A pair taken apart into a case: by rules, and what they do not find by a model, if there is one.

What no part of the texts says stays out. A pair without claims, or without what was decided, is no case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..law.text.judgment_head import case_number, is_civil
from ..law.text.judgments import judgment
from .case_file import CaseMaker, case_of, shorts_of, title_of
from .model_reader import AT_ONCE, ModelReader, UnfinishedCase
from .own_words import layout, value_at
from .records import CASE, Dropped, Outcome, Row, StepNotes


def lacking(made: CaseMaker) -> tuple[str, ...]:
    """The values that a case should have, and this one has not; those it cannot be without first."""
    asked = [layout().second.requests.format(side=side) for side in layout().sides if _appeals(made.case, side)]
    wanted = (*layout().lacks.needed, *asked, *layout().lacks.wanted)
    return tuple(path for path in wanted if not made.has(path))


def _appeals(case: Row, side: str) -> bool:
    """Whether anybody of a side is among those who appeal."""
    names = {party["name"] for party in value_at(case, layout().parties.format(side=side)) or ()}
    return bool(names & set(value_at(case, layout().second.by) or ()))


def extracted(rows: Iterable[Row], reader: ModelReader | None, notes: StepNotes) -> Iterator[Outcome]:
    """The cases of pairs, or why there is none; a case that was bound stays as it is. Raises ModelFailed."""
    refused = asked = 0
    for some in _bound_apart(rows):
        if isinstance(some, dict):
            yield _bound(some)
            continue
        begun = (_begun(row) for row in some)
        for one in reader.complete(begun) if reader is not None else begun:
            asked += bool(one.lacking) and reader is not None
            refused += one.refused
            yield _finished(one)
    notes.values = {"asked": asked, "refused": refused} if reader is not None else {}


def _bound_apart(rows: Iterable[Row]) -> Iterator[Row | list[Row]]:
    """Cases that were bound one by one, pairs as long as they follow one another, `AT_ONCE` at most."""
    some: list[Row] = []
    for row in rows:
        if row["kind"] != CASE:
            some.append(row)
        if some and (row["kind"] == CASE or len(some) == AT_ONCE):
            yield some
            some = []
        if row["kind"] == CASE:
            yield row
    if some:
        yield some


def _begun(row: Row) -> UnfinishedCase:
    """The case of a pair as far as rules read it."""
    first, second = (judgment(row[name]["text"]) for name in ("first", "second"))
    made = case_of(row, first, second)
    told = {**row, "shorts": shorts_of(first, second), "counterclaim": first.counterclaim}
    return UnfinishedCase(told, made, lacking(made))


def _bound(row: Row) -> Outcome:
    """A case that was bound, unless its number is that of another matter."""
    for path in (layout().first.number, layout().second.number):
        number = case_number(str(value_at(row["case"], path) or ""))
        if number and not is_civil(number):
            return Dropped(row["id"], "no_civil_judgment", number)
    without = [path for path in layout().lacks.needed if not value_at(row["case"], path)]
    return row | ({"lacks": without} if without else {})


def _finished(one: UnfinishedCase) -> Outcome:
    """The record of a case, unless it lacks what no case can be without."""
    row, made, missing = one.row, one.made, lacking(one.made)
    without = [path for path in missing if path in layout().lacks.needed]
    if without:
        return Dropped(row["id"], "not_read", without[0])
    if row["counterclaim"]:
        return Dropped(row["id"], "counterclaim", row["first"]["number"])
    made.case["title"] = title_of(made.case)
    notes = sorted({*row["first"]["notes"], *row["second"]["notes"]})
    series = row["first"].get("series") or row["second"].get("series")
    return {
        "id": row["id"],
        "kind": CASE,
        "where": [row["first"]["where"], row["second"]["where"]],
        "case": made.case,
        "places": made.places,
        "lacks": list(missing),
        "shorts": row["shorts"],
        **({"refused": one.refused} if one.refused else {}),
        **({"notes": notes} if notes else {}),
        **({"series": series} if series else {}),
    }
