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
from ..model.case import Case, Record, Sided, Value, texts
from ..model.diagnostics import Diagnostic
from ..model.plan import Step
from ..model.procedure import Field, Phase, Procedure, Stage, parts_of, places
from ..model.source import Span


def told_of_amendments(procedure: Procedure, case: Case, data: Data, binding: Binding | None) -> Iterator[Diagnostic]:
    """Yield a problem for each amended value that does not say from when it holds, a warning where the data is foreign;
    and a warning for each day that never comes, each number that names another record after the amendment, and each
    field that the same amendment could have changed and leaves as it was."""
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
        if is_given(case, field):
            yield from _told_beside(procedure, case, field, _place(field, data, binding))


def _told_beside(procedure: Procedure, case: Case, field: Field, place: Span) -> Iterator[Diagnostic]:
    for name, ids in _renumbered(procedure, case, field).items():
        yield diagnose.amended_record_is_another(
            place, title=field.title, ids=tuple(ids), field=procedure.fields[name].title
        )
    for other in amending(procedure):
        if other.in_force_from == field.in_force_from and not is_given(case, other):
            left = procedure.fields[other.amends]
            if other.amends != field.amends and is_given(case, left):
                yield diagnose.amended_alone(place, title=field.title, left=left.title, name=other.name)


def _renumbered(procedure: Procedure, case: Case, field: Field) -> dict[str, list[str]]:
    """Return, by the field that refers to them, the ids that name another record once a value is amended: one that had
    another id before, or is of another kind."""
    found: dict[str, list[str]] = {}
    chosen = [key for key, kind in field.types.items() if kind.kind == "choice"]
    for name, other in procedure.case_fields.items():
        for key, kind in other.types.items():
            for identity in (own for target, own in kind.targets if target == field.amends):
                before, after = (
                    {str(one[identity]): one for one in _records(case.fields.get(each)) if one.get(identity)}
                    for each in (field.amends, field.name)
                )
                said = {_without(one, identity): own for own, one in before.items()}
                for own in dict.fromkeys(texts(case.fields.get(name), key)):
                    old, new = before.get(own), after.get(own)
                    if old is None or new is None:
                        continue
                    moved = said.get(_without(new, identity), own) != own
                    if moved or any(old.get(one) and new.get(one) and old[one] != new[one] for one in chosen):
                        found.setdefault(name, []).append(own)
    return found


def _records(value: Value | Sided | None) -> Iterator[Record]:
    match value:
        case Sided():
            for one in value.values.values():
                yield from _records(one)
        case tuple():
            for one in value:
                yield from _records(one)
        case Record():
            yield value


def _without(record: Record, key: str) -> str:
    """Return what a record says beside a key, as one text."""
    return repr([(name, str(record[name])) for name in record if name != key and record[name]])


def _comes(procedure: Procedure, calendar: Calendar, day: date) -> bool:
    """Whether the calendar of a case has a place on that day or after it."""
    dated = [part.on for _, part in places(procedure) if isinstance(part, Stage | Phase)]
    dated += [part.info.on for _, part in places(procedure) if isinstance(part, Step)]
    return any((reached := calendar.days.get(name)) is not None and reached >= day for name in dated)


def _place(field: Field, data: Data, binding: Binding | None) -> Span:
    """Where a case says from when an amendment holds; with a binding, the file."""
    path = read(field.path)
    return data.place(keys_of(path if isinstance(path, Path) else None) if binding is None else ())
