"""What answers and votes are about, as it is told to a reader: the records in hand, or what they are called without."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ..model.case import MISSING, Case, Value, called
from ..model.procedure import Procedure
from ..model.votes import Voted
from . import titles
from .conditions import record_at
from .polls import CapturedAnswer, lists_for
from .state import CaseState


def subjects(case: Case, procedure: Procedure, state: CaseState, given: CapturedAnswer | Voted) -> Mapping[str, Any]:
    """Return the record that an answer is about (`item`), and those of the other loops around (`within`), each with
    its place in the case."""

    def record(about: str) -> Value:
        """A record of the case, or an item of a list that was itself an answer."""
        name, _, index = about.partition("//")
        if name not in procedure.answers or not index.isdecimal():
            return record_at(case, about)
        items = (each for listed in lists_for(state.answers.get(name, ()), given) for each in listed)
        return dict(enumerate(items)).get(int(index), MISSING)

    within = tuple((about, record(about)) for about in given.within)
    return {"about": given.about, "item": record(given.about), "within": within}


def as_seen(
    entry: Mapping[str, Any], sees: Callable[[str], bool], procedure: Procedure, state: CaseState
) -> Mapping[str, Any]:
    """Return an entry without the record that its reader may not see: he is told its number, or whose it is. `outer`:
    what the records of the other loops around are called for him."""

    def unseen(about: str) -> str:
        return titles.unseen(procedure, state, about)

    outer = (called(record) if record and sees(about) else unseen(about) for about, record in entry["within"])
    hidden = {} if sees(entry["about"]) else {"item": MISSING, "numbered": unseen(entry["about"])}
    return {**entry, **hidden, "outer": tuple(filter(None, outer))}
