"""The calendar of a case: its dates, the day that a walk has come to, and documents that bear it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from datetime import date

from ..language.dates import bears, read_day, written
from ..model import calendar
from ..model.calendar import DateIs
from ..model.case import Case, texts
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.schedule import Dated, Scheduled


@immutable
class Calendar:
    """`days`: date -> day, None where the case has none. `locale`: how days are written. `today`: YYYY-MM-DD or ""."""

    days: Mapping[str, date | None] = field(default_factory=dict)
    holidays: str = ""
    locale: str = ""

    def written(self, name: str) -> str:
        """A date as people read it; "" where it is missing."""
        return written(self.days.get(name), self.locale)

    def holds(self, test: DateIs) -> bool:
        """How two dates stand to each other; in no way where one of them is missing."""
        left, right = self.days.get(test.left), self.days.get(test.right)
        if left is None or right is None:
            return False
        if test.test == "within":
            last = calendar.moved(right, test.count, test.unit, 1, self.holidays)
            return (right <= left and (last is None or left <= last)) != test.negated
        held = {"after": left > right, "before": left < right, "on": left == right}
        return held[test.test] != test.negated

    def scheduled(self) -> Scheduled:
        """The calendar as it is recorded."""
        return Scheduled(dates={name: day.isoformat() if day else "" for name, day in self.days.items()})

    def dated(self, place: str, name: str, today: str) -> Dated | None:
        """What comes of a place that is on a date: its day, unless there is none or it has gone by; None for today."""
        day = self.days.get(name)
        said = day.isoformat() if day is not None else ""
        if said and said == today:
            return None
        past = said < today  # YYYY-MM-DD: as texts they are in the order of days
        return Dated(place=place, name=name, day=said, reason="missing" if not said else "past" if past else "")

    def as_read(self, today: str) -> str:
        """The day that has come, as people read it; "" for none."""
        return written(date.fromisoformat(today), self.locale) if today else ""

    def borne(self, text: str, today: str) -> str:
        """A document with the day of its draft at its end, unless it bears it there already."""
        if not today or not text.strip() or bears(text, date.fromisoformat(today), self.locale):
            return text
        return f"{text.rstrip()}\n\n{self.as_read(today)}"


def calendar_of(procedure: Procedure, case: Case) -> Calendar:
    """The calendar, from what the case says and the rules of the procedure."""
    said = _said(procedure, case)
    days = calendar.calendar_of(procedure.dates, said, procedure.holidays) if procedure.dates else {}
    return Calendar(days, procedure.holidays, procedure.locale)


def unknown_years(procedure: Procedure, case: Case) -> tuple[tuple[str, int], ...]:
    """The dates of a case that rest on the working days of a year of which these are not known, each with that year."""
    days = calendar_of(procedure, case).days
    return calendar.unknown_years(procedure.dates, _said(procedure, case), days, procedure.holidays)


def _said(procedure: Procedure, case: Case) -> Mapping[str, date]:
    """The days that the case itself names."""
    said: dict[str, date] = {}
    for rule in procedure.dates.values():
        text = next(texts(case.fields.get(rule.field), rule.key), "") if rule.field else ""
        day = read_day(text)
        if day is not None:
            said[rule.name] = day
    return said
