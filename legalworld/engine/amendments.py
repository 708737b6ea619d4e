"""When amended values of a case come into force in a walk: at a stage or phase, or on a day of the calendar."""

from __future__ import annotations

from collections.abc import Iterator

from ..language.dates import read_day
from ..model.amendments import amending, is_given, start_of
from ..model.case import Case
from ..model.immutable import immutable
from ..model.procedure import Field, Procedure, parts_of
from .state import CaseState


@immutable
class GivenAmendment:
    """An amended value that a case gives. `position`: number of the stage or phase from which on it holds, among all of
    them, or None; `day`: the day as YYYY-MM-DD, or ""."""

    field: Field
    position: int | None
    day: str


class Amendments:
    """The amended values of a case, and which of them have come into force."""

    def __init__(self, procedure: Procedure, case: Case) -> None:
        self._order = {place: number for number, place in enumerate(parts_of(procedure))}
        self._waiting = [
            _read(field, start_of(procedure, case, field).text, self._order)
            for field in amending(procedure)
            if is_given(case, field)
        ]

    def due(self, state: CaseState) -> Iterator[Field]:
        """Yield the fields that hold now and did not before; each comes once."""
        here = self._order.get(state.phase or state.stage, -1) if self._waiting else -1
        for one in tuple(self._waiting):
            reached = one.position is not None and here >= one.position
            if reached or (one.day and state.today and state.today >= one.day):
                self._waiting.remove(one)
                yield one.field


def _read(field: Field, text: str, order: dict[str, int]) -> GivenAmendment:
    day = read_day(text)
    return GivenAmendment(field, order.get(text), day.isoformat() if day is not None else "")


def unknown_starts(procedure: Procedure, case: Case) -> Iterator[tuple[Field, str, str]]:
    """Yield each amended value of which the case does not say from when it holds, or names no stage, phase or day: the
    amending field, the field that should say it, and what it says."""
    known = parts_of(procedure)
    for field in amending(procedure):
        start = start_of(procedure, case, field)
        if start.field and is_given(case, field) and start.text not in known and read_day(start.text) is None:
            yield field, start.field, start.text
