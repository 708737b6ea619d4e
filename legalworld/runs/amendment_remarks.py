"""What is told of the amended values of a case before it is played: from when they hold, and whether that comes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from ..binding.casefile import Data
from ..binding.paths import Path, keys_of, read
from ..binding.rules import Binding
from ..engine.amendments import unknown_starts
from ..engine.calendar import Calendar, calendar_of
from ..language import diagnose
from ..language.dates import LONGEST, read_day, written
from ..language.spelling import nearest
from ..model.amendments import amending, is_given, start_of
from ..model.case import Case
from ..model.diagnostics import Diagnostic
from ..model.plan import Step
from ..model.procedure import Field, Phase, Procedure, Stage, parts_of, places
from ..model.source import Span


def told_of_amendments(procedure: Procedure, case: Case, data: Data, binding: Binding | None) -> Iterator[Diagnostic]:
    """Yield a problem for each amended value that does not say from when it holds, a warning where the data is foreign;
    and a warning for each day that never comes."""
    known = tuple(parts_of(procedure))
    for field, source, text in unknown_starts(procedure, case):
        problem = diagnose.amendment_without_start(
            _place(procedure.fields[source], data, binding),
            title=field.title,
            field=field.in_force_from,
            found=text[:LONGEST],
            known=known,
            nearest=nearest(text, known) if text else None,
        )
        yield problem if binding is None else replace(problem, severity="warning")
    calendar = calendar_of(procedure, case)
    for field in amending(procedure):
        start = start_of(procedure, case, field)
        day = read_day(start.text) if is_given(case, field) else None
        if day is not None and not _comes(procedure, calendar, day):
            place = _place(procedure.fields[start.field], data, binding)
            yield diagnose.amendment_never_comes(place, title=field.title, day=written(day, procedure.locale))


def _comes(procedure: Procedure, calendar: Calendar, day: date) -> bool:
    """Whether the calendar of a case has a place on that day or after it."""
    dated = [part.on for _, part in places(procedure) if isinstance(part, Stage | Phase)]
    dated += [part.info.on for _, part in places(procedure) if isinstance(part, Step)]
    return any((reached := calendar.days.get(name)) is not None and reached >= day for name in dated)


def _place(field: Field, data: Data, binding: Binding | None) -> Span:
    """Where a case says from when an amendment holds; with a binding, the file."""
    path = read(field.path)
    return data.place(keys_of(path if isinstance(path, Path) else None) if binding is None else ())
