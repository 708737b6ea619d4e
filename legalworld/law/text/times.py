"""Dates, periods, and lengths of time. What a date leaves out stays out: 2018年2月 has no day."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Final

from ...model.immutable import immutable
from .lexicon import TextSpan, apart, endings, finder, pattern, start_of, table, words
from .numerals import ordinal, plain, read

DAY, MONTH, YEAR = "day", "month", "year"
LATEST_YEAR: Final = 2999
LONGEST_YEARS: Final = 75  # so many or more may as well be the name of a year (98年)


@immutable
class Date(TextSpan):
    """A day, month or year; `year` None where the text leaves it out and nothing before it tells.

    `part`: early, mid or late in it. `wrong`: the calendar has no such day.
    """

    year: int | None
    month: int | None = None
    day: int | None = None
    part: str | None = None
    approx: bool = False
    wrong: bool = False

    @property
    def precision(self) -> str:
        return DAY if self.day is not None else MONTH if self.month is not None else YEAR

    @property
    def iso(self) -> str:
        """2018-02-03, 2018-02, 2018, or --02-03 without a year."""
        year = f"{self.year:04}" if self.year is not None else "-"
        return "-".join((year, *(f"{number:02}" for number in (self.month, self.day) if number is not None)))


@immutable
class EventDate(TextSpan):
    """A day that is known by what happens on it; `event` is its name in the table. `next_day`: the day after."""

    event: str
    next_day: bool = False

    @property
    def iso(self) -> str:
        return self.event + "+1d" * self.next_day


Point = Date | EventDate


@immutable
class Period(TextSpan):
    """From one day to another; one of them may be open."""

    since: Point | None
    until: Point | None


@immutable
class Duration(TextSpan):
    """A length of time as ISO 8601 says it (P1Y6M, P10D); `since` is what it is counted from.

    `within`: the text says "within". `business`: its days are working days.
    """

    iso: str
    since: Point | None = None
    within: bool = False
    business: bool = False


def times(text: str) -> list[Date | Period | Duration]:
    """Every date, period and length of a folded text, in order; none overlap."""
    dates = _dates(text)
    points: list[Point] = [*dates, *_events(text)]
    points.sort(key=start_of)
    periods, used = _periods(text, points)
    taken: list[Date | Period | Duration] = [*periods, *(date for date in dates if date.start not in used)]
    lengths = [length for match in pattern("times", "duration").finditer(text) if (length := _duration(text, match))]
    ends = {point.end: point for point in points}
    return _merged([*taken, *(_anchored(text, length, ends) for length in lengths)], text)


# ---- dates -----------------------------------------------------------------------------------------------------------


def _dates(text: str) -> list[Date]:
    keys = ("full", "months", "digits", "again", "same_month", "yearless")
    matches = [match for key in keys for match in pattern("times", key).finditer(text)]
    dates: list[Date] = []
    end, last = 0, None
    for match in sorted(matches, key=lambda match: (match.start(), -match.end())):
        if match.start() < end:
            continue
        end = match.end()
        if text.endswith(endings("times", "lunar"), 0, match.start()):
            continue
        said = _months(match) if match.groupdict().get("months") else filter(None, (_date(match, last),))
        for date in said:
            dates.append(_parted(text, date))
            last = date if date.year is not None else last
    return dates


def _months(match: re.Match[str]) -> Iterator[Date]:
    """The months of a list that share a year and the word behind them."""
    year = _year(match["year"])
    months = [*pattern("times", "month_of_list").finditer(match.string, *match.span("months"))]
    for one in months if year is not None else ():
        start = match.start() if one is months[0] else one.start()
        end = match.end() if one is months[-1] else one.end()
        yield Date(start, end, year, _number(one.group()))


def _date(match: re.Match[str], last: Date | None) -> Date | None:
    """The date that a match says; "the same year" is that of the date before."""
    groups = match.groupdict()
    year = _year(groups["year"]) if groups.get("year") else None
    month, day = _number(groups.get("month")), _number(groups.get("day"))
    if groups.get("year") and year is None:
        return None
    if again := groups.get("again"):
        if last is None or last.year is None:
            return Date(match.start(), match.end(), None, month, day) if month else None
        later = int(again[0] not in "\u540c\u5f53")
        year, month = (last.year + later, month) if month else _month_after(last, later)
        if month is None:
            return None
    return _checked(Date(match.start(), match.end(), year, month, day))


def _month_after(last: Date, later: int) -> tuple[int | None, int | None]:
    if last.year is None or last.month is None:
        return None, None
    months = last.year * 12 + last.month - 1 + later
    return months // 12, months % 12 + 1


def _year(written: str) -> int | None:
    """Four digits, in figures or one by one in words (二〇二三)."""
    digits = written if written.isascii() and written.isdigit() else None
    if digits is None:
        known = table("numerals")["words"]["digits"]
        places = [known.find(character) - 1 if character not in "Oo0" else 0 for character in written]
        digits = "".join(str(max(0, place)) for place in places)
    return int(digits) if 1000 <= int(digits) <= LATEST_YEAR else None


def _number(written: str | None) -> int | None:
    if not written:
        return None
    return 1 if written in endings("times", "first") else ordinal(written)


def _checked(date: Date) -> Date:
    if date.month is None or date.day is None:
        return date
    try:
        datetime.date(date.year or 2000, date.month, date.day)
    except ValueError:
        return replace(date, wrong=True)
    return date


def _parted(text: str, date: Date) -> Date:
    """With what says that only a part of it is meant, or that it is not exact."""
    part = next((word for word in words("times", "part") if text.startswith(word, date.end)), None)
    if part is not None and date.day is None:
        return replace(date, end=date.end + len(part), part=words("times", "part")[part])
    around = text.startswith(endings("times", "around"), date.end)
    about = text.endswith(endings("times", "about"), 0, date.start)
    return replace(date, approx=True) if around or about else date


# ---- events ----------------------------------------------------------------------------------------------------------


@cache
def _event_names() -> Mapping[str, str]:
    return {word: name for name, spellings in table("times")["event"].items() for word in spellings}


def _events(text: str) -> Iterator[EventDate]:
    last = 0
    for match in pattern("times", "event").finditer(text):
        end = match.start()
        word = finder("times", "event").find(text, end, last)
        if word is None and (what := finder("times", "objects").find(text, end, last)) is not None:
            end -= len(what)
            word = finder("times", "event").find(text, end, last)
        if word is None:
            continue
        last = match.end()
        after = pattern("times", "next_day").match(text, last)
        if after is not None:
            last = after.end()
        yield EventDate(end - len(word), last, _event_names()[word], after is not None)


# ---- periods ---------------------------------------------------------------------------------------------------------


def _periods(text: str, points: list[Point]) -> tuple[list[Period], set[int]]:
    """Periods, and where the points begin that went into them."""
    periods: list[Period] = []
    used: set[int] = set()
    for index, point in enumerate(points):
        if point.start in used:
            continue
        until = _reached(text, point, points[index + 1] if index + 1 < len(points) else None)
        begin = _back(text, point.start, "at")
        if until is not None:
            used |= {point.start, until.start}
            periods.append(Period(begin, _on(text, until.end, "end_behind"), point, until))
        elif (opened := _opened(text, point, begin)) is not None:
            used.add(point.start)
            periods.append(opened)
    return periods, used


def _reached(text: str, point: Point, following: Point | None) -> Point | None:
    """The other end of a period that begins with a point."""
    reach = pattern("times", "reach").match(text, point.end)
    before = _without_owner(text, point.start)
    if reach is None or text.endswith(endings("times", "until"), 0, before):
        return None
    if isinstance(following, EventDate) and pattern("times", "whose").fullmatch(text, reach.end(), following.start):
        return following
    other = following if following is not None and following.start == reach.end() else None
    if isinstance(other, Date) and isinstance(point, Date):
        return _with_year_of(point, other) if other.year is None else other
    return _elliptic(text, point, reach.end()) if other is None and isinstance(point, Date) else other


def _with_year_of(first: Date, second: Date) -> Date:
    """The second date of a period in the year of the first, unless that would turn it round."""
    if first.year is None or first.month is None or second.month is None or second.month < first.month:
        return second
    return _checked(replace(second, year=first.year))


def _elliptic(text: str, first: Date, place: int) -> Date | None:
    """A date that leaves out what the one before it says (3月至5月, 12日至15日)."""
    if first.month is None:
        return None
    if first.day is None or (match := pattern("times", "elliptic_day").match(text, place)) is None:
        match = pattern("times", "elliptic_month").match(text, place)
        month = _number(match["month"]) if match else None
        if match is None or month is None:
            return None
        return _with_year_of(first, Date(match.start(), match.end(), None, month, _number(match["day"])))
    day = _number(match["day"])
    if day is None or day < first.day:
        return None
    return _checked(Date(match.start(), match.end(), first.year, first.month, day))


def _opened(text: str, point: Point, begin: int) -> Period | None:
    """A period of which one end is said."""
    end = _on(text, point.end, "begin_behind")
    since = text.endswith(endings("times", "since"), 0, _without_owner(text, point.start))
    if end > point.end or since:
        return Period(begin, end, point, None)
    end = _on(text, point.end, "end_behind")
    if end > point.end or text.endswith(endings("times", "until"), 0, _without_owner(text, point.start)):
        return Period(_back(text, point.start, "until"), end, None, point)
    return None


def _without_owner(text: str, start: int) -> int:
    """The place before words such as "this" and "the debt" that stand before an event."""
    for _ in range(3):
        start -= len(finder("times", "owner", "objects").find(text, start) or "")
    return start


def _back(text: str, start: int, key: str) -> int:
    """Where the preposition before a point begins; the point where there is none."""
    before = _without_owner(text, start)
    word = max((word for word in endings("times", key) if text.endswith(word, 0, before)), key=len, default="")
    return before - len(word) if word else start


def _on(text: str, end: int, key: str) -> int:
    match = pattern("times", key).match(text, end)
    return match.end() if match else end


# ---- lengths ---------------------------------------------------------------------------------------------------------


def _duration(text: str, match: re.Match[str]) -> Duration | None:
    iso, business = _length(match.groupdict())
    if iso is None:
        return None
    end = match.end()
    within = next((word for word in endings("times", "within") if text.startswith(word, end)), "")
    return Duration(match.start(), end + len(within), iso, None, bool(within), business)


def _length(groups: Mapping[str, str | None]) -> tuple[str | None, bool]:
    """A length as ISO 8601, None where a number cannot be read; and whether its days are working days."""
    if groups["half"] is not None:
        return ("P6M" if len(groups["half"]) == 1 else "P0.5M"), False
    if groups["count"] is not None:
        number, unit = read(groups["count"]), words("times", "unit")[groups["unit"] or ""]
        if number is None:
            return None, False
        return (f"PT{plain(number)}H" if unit == "H" else f"P{plain(number)}{unit[0]}"), unit == "D+"
    years, months = groups["years"], groups["months"] or groups["only_months"]
    days = groups["days"] or groups["more_days"]
    numbers = [read(written) if written else Decimal(0) for written in (years, months, days)]
    if None in numbers or (numbers[0] or 0) >= LONGEST_YEARS:
        return None, False
    amounts = [number or Decimal(0) for number in numbers]
    if groups["half_before"] or groups["half_year"]:
        amounts[1] += 6
    if groups["half_month"]:
        amounts[1] += Decimal("0.5")
    pieces = [f"{plain(amount)}{unit}" for amount, unit in zip(amounts, "YMD", strict=True) if amount]
    return ("P" + "".join(pieces) if pieces else None), False


def _anchored(text: str, duration: Duration, ends: Mapping[int, Point]) -> Duration:
    """With the day it is counted from, if that stands just before it."""
    for place in range(duration.start, max(-1, duration.start - 8), -1):
        point = ends.get(place)
        if point is not None and pattern("times", "anchored").fullmatch(text, place, duration.start):
            if place == duration.start and isinstance(point, Date):
                return duration
            return replace(duration, start=_back(text, point.start, "at"), since=point)
    return duration


def _merged(values: list[Date | Period | Duration], text: str) -> list[Date | Period | Duration]:
    """In order, the longer before the shorter; a bare day behind a date and "and" is a date too (5月12日、13日)."""
    kept: list[Date | Period | Duration] = []
    for value in apart(values):
        kept.append(_day_too(text, kept[-1] if kept else None, value) or value)
    return kept


def _day_too(text: str, last: Date | Period | Duration | None, value: Date | Period | Duration) -> Date | None:
    if not isinstance(last, Date) or last.day is None or not isinstance(value, Duration) or value.within:
        return None
    listed = pattern("times", "list").fullmatch(text, last.end, value.start)
    return _elliptic(text, last, value.start) if listed else None
