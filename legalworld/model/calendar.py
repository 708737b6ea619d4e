"""Days of a procedure: how one is reckoned from another, which are working days. No clock, no time zone."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from typing import Any, Final, Literal

from .ast import CalendarUnit
from .immutable import immutable
from .source import Span

DAYS_OF: Final[Mapping[str, int]] = {"days": 1, "weeks": 7}
MONTHS_OF: Final[Mapping[str, int]] = {"months": 1, "years": 12}
LONGEST: Final = 5000
"""The longest period that is reckoned, in its unit; working days are gone through one by one."""
LONGEST_BREAK: Final = 60  # days in a row without a working day; no country has so many
_PUBLISHED: Final = ("special_public_holidays", "special_public_holidays_observed")
_MOVED: Final = 4  # numbers of an entry that moves a day: month and day of the one, month and day of the other
FIRST_YEAR, LAST_YEAR = 1000, 2999
_WEEKEND: Final = 5  # number of Saturday


@immutable
class Reckoned:
    """So many days and the like after (`sign` 1) or before (-1) another date."""

    count: int
    unit: CalendarUnit
    sign: Literal[1, -1]
    base: str


@immutable
class DateRule:
    """A declared date: a field of the case and its key ("" = none) say it; else it is reckoned.

    `rolls`: a reckoned day that is no working day gives way to the next one, or to the one before when it is counted
    back.
    """

    name: str
    title: str
    field: str
    key: str
    reckoned: Reckoned | None
    rolls: bool
    span: Span


@immutable
class DateIs:
    """How one date of the calendar stands to another; in no way where one of them is missing.

    `on`: the same day; `within`: from the other date on and not later than `count` `unit`s after it. `negated`: not so,
    both being known.
    """

    left: str
    test: Literal["after", "before", "on", "within"]
    negated: bool
    right: str
    span: Span
    count: int = 0
    unit: CalendarUnit = "days"


# ---- reckoning -------------------------------------------------------------------------------------------------------


def moved(day: date, count: int, unit: CalendarUnit, sign: int, holidays: str) -> date | None:
    """So much after or before a day, which itself does not count; None beyond the years that are reckoned with.

    Months and years end on the day of the same number, or on the last of a month that has none.
    """
    if count > LONGEST:
        return None
    if unit == "working days":
        return _working_days(day, count, sign, holidays)
    if unit in MONTHS_OF:
        months = day.year * 12 + day.month - 1 + sign * count * MONTHS_OF[unit]
        year, month = divmod(months, 12)
        if not FIRST_YEAR <= year <= LAST_YEAR:
            return None
        return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
    return _within_years(day, sign * count * DAYS_OF[unit])


def rolled(day: date, sign: int, holidays: str) -> date | None:
    """The day itself if it is a working day, else the next one in the direction of the reckoning."""
    return day if is_working_day(day, holidays) else _working_days(day, 1, sign, holidays)


def is_working_day(day: date, holidays: str) -> bool:
    """Whether people work on a day in a country; in none ("") on all but Saturdays and Sundays."""
    if not holidays:
        return day.weekday() < _WEEKEND
    return bool(_country(holidays).is_working_day(day))


def _working_days(day: date, count: int, sign: int, holidays: str) -> date | None:
    idle = 0
    found: date | None = day
    while count and found is not None and idle < LONGEST_BREAK:
        found = _within_years(found, sign)
        works = found is not None and is_working_day(found, holidays)
        count, idle = (count - 1, 0) if works else (count, idle + 1)
    return None if count else found


def _within_years(day: date, days: int) -> date | None:
    """A day so many days later, in the years that are reckoned with."""
    ordinal = day.toordinal() + days
    if not date(FIRST_YEAR, 1, 1).toordinal() <= ordinal <= date(LAST_YEAR, 12, 31).toordinal():
        return None
    return day + timedelta(days)


@cache
def _country(code: str) -> Any:
    """The holidays of CN, of GB-ENG; a library that is slow to import, and of no use to a procedure without dates."""
    from holidays import country_holidays

    country, _, part = code.partition("-")
    return country_holidays(country, subdiv=part or None)


def arrangement_known(year: int, code: str) -> bool:
    """Whether it is known which days of a year are worked in place of others; so it is where a country moves none."""
    years = _arranged_years(code) if code else frozenset[int]()
    return not years or min(years) <= year <= max(years)


@cache
def _arranged_years(code: str) -> frozenset[int]:
    """The years of which a list of moved days was published: each entry names a day and the one it stands for."""
    lists = (getattr(_country(code), name, None) or {} for name in _PUBLISHED)
    return frozenset(
        year for one in lists for year, days in one.items() if any(len(day) >= _MOVED for day in _entries(days))
    )


def _entries(days: Any) -> tuple[Any, ...]:
    """The entries of a year, which the library gives as one or as several."""
    return days if days and isinstance(days[0], tuple) else (days,)


def knows_country(code: str) -> bool:
    """Whether there is a list of holidays for a country, and for its part where one is named (GB-ENG)."""
    from holidays import list_supported_countries

    country, _, part = code.partition("-")
    supported = list_supported_countries(include_aliases=False)
    return country in supported and (not part or part in supported[country])


# ---- the calendar of a case ------------------------------------------------------------------------------------------


def calendar_of(rules: Mapping[str, DateRule], said: Mapping[str, date], holidays: str) -> dict[str, date | None]:
    """Every declared date. `said`: those that the case gives. What rests on a missing date is missing itself."""
    days: dict[str, date | None] = {}
    for name in rules:
        waiting = []
        while name not in days:  # from a date to what it is reckoned from, until one is known
            rule = rules[name]
            base = rule.reckoned.base if rule.reckoned is not None and name not in said else ""
            if base in rules and base not in days and base not in waiting:
                waiting.append(name)
                name = base
                continue
            days[name] = said.get(name) or _reckoned(rule, days.get(base), holidays)
            name = waiting.pop() if waiting else name
    return days


def unknown_years(
    rules: Mapping[str, DateRule], said: Mapping[str, date], days: Mapping[str, date | None], holidays: str
) -> tuple[tuple[str, int], ...]:
    """Return pairs (date, year) for each date that was reckoned by working days of a year that has no known list."""
    found: list[tuple[str, int]] = []
    for name, rule in rules.items():
        way, day = rule.reckoned, days.get(name)
        if way is None or day is None or name in said or not (rule.rolls or way.unit == "working days"):
            continue
        base = days.get(way.base) if way.unit == "working days" else day
        between = sorted(one.year for one in (base, day) if one is not None)
        years = range(between[0], between[-1] + 1)
        found += [(name, year) for year in years if not arrangement_known(year, holidays)]
    return tuple(found)


def _reckoned(rule: DateRule, base: date | None, holidays: str) -> date | None:
    if rule.reckoned is None or base is None:
        return None
    way = rule.reckoned
    day = moved(base, way.count, way.unit, way.sign, holidays)
    return rolled(day, way.sign, holidays) if day is not None and rule.rolls else day
