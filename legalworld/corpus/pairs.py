"""First and second instance of one dispute: by the number that the appeal cites, and checked by all that both say.

What does not agree is not taken: it is listed with the reason, and with the judgment that it was held against.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

from .own_words import layout, own_words
from .records import CASE, PAIR, Dropped, Outcome, Records, Row, StepNotes

FIRST, SECOND = 1, 2
_MARKS: Final = re.compile(r"[\W_]+")


def paired(records: Records, notes: StepNotes) -> Iterator[Outcome]:
    """Each second instance with its first; and cases that were bound, which hold both."""
    firsts: dict[str, list[tuple[str, int]]] = {}
    cited: dict[str, list[str]] = {}
    count = 0
    for place, row in records.places():
        count += 1
        if row["kind"] != CASE and row["instance"] == FIRST:
            firsts.setdefault(row["number"], []).append((row["id"], place))
        elif row["kind"] != CASE and row["instance"] == SECOND and row["appealed"][1]:
            cited.setdefault(row["appealed"][1], []).append(row["id"])
    taken: set[str] = set()
    for row in records():
        if row["kind"] == CASE:
            yield row
        elif row["instance"] == SECOND:
            found = _pair(row, firsts, cited, records)
            taken |= {found["first"]["id"]} if not isinstance(found, Dropped) else set()
            yield found
        elif row["instance"] != FIRST:
            yield Dropped(row["id"], "no_instance", row["number"])
    for number, held in firsts.items():
        for one, _ in held:
            if one not in taken:
                yield Dropped(one, "other_pair" if number in cited else "no_appeal", number)
    notes.values = {"taken": count, "pairs": len(taken)}


def _pair(row: Row, firsts: dict[str, list[tuple[str, int]]], cited: dict[str, list[str]], records: Records) -> Outcome:
    number = row["appealed"][1]
    if not number:
        return Dropped(row["id"], "cites_none", row["number"])
    if number not in firsts:
        return Dropped(row["id"], "first_missing", number)
    if len(firsts[number]) > 1:
        return Dropped(row["id"], "several_firsts", number, firsts[number][0][0])
    if len(cited[number]) > 1:
        return Dropped(row["id"], "several_seconds", number, next(one for one in cited[number] if one != row["id"]))
    (first,) = records.at([firsts[number][0][1]])
    reason, detail = _differs(first, row)
    if reason:
        return Dropped(row["id"], reason, detail, first["id"])
    return {"id": pair_id(first, row), "kind": PAIR, "first": first, "second": row}


def pair_id(first: Row, second: Row) -> str:
    """The name of a pair, the same wherever its judgments lie."""
    said = f"{first['court']}{first['number']}{second['number']}"
    return "p" + blake2b(said.encode("utf-8", "replace"), digest_size=6).hexdigest()


def _differs(first: Row, second: Row) -> tuple[str, str]:
    """What two judgments do not agree in, and how; "" where they agree in all."""
    if second["appealed"][0] and first["court"] and not _same_court(first["court"], second["appealed"][0]):
        return "court_differs", f"{first['court']} / {second['appealed'][0]}"
    mine, theirs = (_sides(row) for row in (first, second))
    if mine != theirs:
        moved = {name for _, name in mine - theirs} & {name for _, name in theirs - mine}
        return "parties_differ", f"{_told(mine - theirs, moved)} / {_told(theirs - mine, moved)}"
    if not first["cause"] or first["cause"] != second["cause"]:
        return "cause_differs", f"{first['cause']} / {second['cause']}"
    if not first["date"] or not second["date"]:
        return "no_date", first["date"] or second["date"]
    if first["date"] > second["date"]:
        return "date_order", f"{first['date']} / {second['date']}"
    return "", ""


def _sides(row: Row) -> set[tuple[str, str]]:
    """The parties as they are compared: without marks, each on its side of the first instance."""
    return {(side, _MARKS.sub("", name)) for side, name in row["named"] if side in layout().sides}


def _told(parties: set[tuple[str, str]], moved: set[str]) -> str:
    """The names of parties; with their sides those that stand on another one."""
    names = sorted(f"{name} ({side})" if name in moved else name for side, name in parties)
    return str(own_words("mask")["listed"]).join(names)


def _same_court(one: str, other: str) -> bool:
    """The same court, with or without its province."""
    return one.endswith(other) or other.endswith(one)
