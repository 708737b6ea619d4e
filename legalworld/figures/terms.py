"""When a term ends that began on a day: by the calendar, not by so many days."""

from __future__ import annotations

from calendar import monthrange
from datetime import MAXYEAR, date, timedelta


def last_day(since: date, years: int, months: int, days: int, less: int = 0) -> date | None:
    """The last day of a term of which `since` is the first; None for a term without length, or beyond the calendar.

    A year runs to the day before the same day of the next year, a month to the day before the same day of the next
    month; a month that began on the last day of one, to the day before the last of the next. Where there is no such
    day, the last of that month stands for it. `less`: days that were served before.
    """
    if min(years, months, days, less) < 0 or not (years or months or days):
        return None
    last = since.year + years + (since.month - 1 + months) // 12
    if last > MAXYEAR - 1 - days // 365:
        return None
    end = _in_month(since.year + years, since.month, since.day)
    if months:
        year, month = divmod(end.year * 12 + end.month - 1 + months, 12)
        ends = end.day == monthrange(end.year, end.month)[1]
        end = _in_month(year, month + 1, 31 if ends else end.day)
    end += timedelta(days - 1 - less)
    return end if end >= since else None


def _in_month(year: int, month: int, day: int) -> date:
    """A day of a month, or its last one where it has no such day."""
    return date(year, month, min(day, monthrange(year, month)[1]))
