"""A pair taken apart into a case: by rules, and what they do not find by a model, if there is one.

What no part of the texts says stays out. A pair without claims, or without what was decided, is no case.
"""

from __future__ import annotations

from ..law.text.judgment_head import case_number, is_civil
from ..law.text.judgments import judgment
from .case_file import CaseMaker, case_of, shorts_of, title_of
from .own_words import layout, value_at
from .records import CASE, Dropped, Outcome, Row


def lacking(made: CaseMaker) -> tuple[str, ...]:
    """The values that a case should have, and this one has not; those it cannot be without first."""
    asked = [layout().second.requests.format(side=side) for side in layout().sides if _appeals(made.case, side)]
    wanted = (*layout().lacks.needed, *asked, *layout().lacks.wanted)
    return tuple(path for path in wanted if not made.has(path))


def _appeals(case: Row, side: str) -> bool:
    """Whether anybody of a side is among those who appeal."""
    names = {party["name"] for party in value_at(case, layout().parties.format(side=side)) or ()}
    return bool(names & set(value_at(case, layout().second.by) or ()))


def extracted(row: Row) -> Outcome:
    """The case of a pair, or why there is none; a case that was bound stays as it is."""
    if row["kind"] == CASE:
        return _bound(row)
    first, second = (judgment(row[name]["text"]) for name in ("first", "second"))
    return finished(row, case_of(row, first, second), shorts_of(first, second), first.counterclaim)


def _bound(row: Row) -> Outcome:
    """A case that was bound, unless its number is that of another matter."""
    for path in (layout().first.number, layout().second.number):
        number = case_number(str(value_at(row["case"], path) or ""))
        if number and not is_civil(number):
            return Dropped(row["id"], "no_civil_judgment", number)
    without = [path for path in layout().lacks.needed if not value_at(row["case"], path)]
    return row | ({"lacks": without} if without else {})


def finished(row: Row, made: CaseMaker, shorts: dict[str, list[str]], counterclaim: bool) -> Outcome:
    """The record of a case, unless it lacks what no case can be without."""
    missing = lacking(made)
    without = [path for path in missing if path in layout().lacks.needed]
    if without:
        return Dropped(row["id"], "not_read", without[0])
    if counterclaim:
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
        "shorts": shorts,
        **({"notes": notes} if notes else {}),
        **({"series": series} if series else {}),
    }
