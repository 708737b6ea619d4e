"""Which words of a run were struck, of all that were said in it."""

from __future__ import annotations

from collections.abc import Iterable

from .events import Event, Spoke
from .interruptions import Objected


def struck(events: Iterable[Event]) -> frozenset[int]:
    """The numbers, from 0, of those events by which words were said that were struck later."""
    found: set[int] = set()
    said: dict[tuple[str, str], int] = {}
    for number, event in enumerate(events):
        match event:
            case Spoke(person=person, text=text):
                said[person, text] = number
            case Objected(person=person, heard=heard, sustained=True) if (person, heard) in said:
                found.add(said[person, heard])
            case _:
                continue
    return frozenset(found)
