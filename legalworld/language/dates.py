"""Days as they are written: in a case, and in what a procedure's people read."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import Final

from ..model.calendar import FIRST_YEAR, LAST_YEAR
from ..model.numbers import writes_comma
from .sentences.quantities import (
    DATE_FORMS,
    DATE_MARKS,
    DAY_IN_WORDS,
    FORMAL_NUMERALS,
    MONTH_NAMES,
    NUMERALS,
    PART_OF_DATE,
    TENS,
    TIME_OF_DAY,
    numeral,
)

_FIGURES: Final = re.compile(r"(?P<a>\d{1,2})(?P<sign>[-/.])(?P<b>\d{1,2})(?P=sign)(?P<y>\d{4})")
_MONTH_FIRST: Final = frozenset({"en-US"})
_DAY_FIRST: Final = frozenset(f"en-{region}" for region in ("GB", "IE", "AU", "NZ", "IN", "ZA", "SG", "HK"))
_NUMBERED: Final = re.compile(rf"\d{{4}}|[{DATE_MARKS[0]}]")
_LONGEST_MONTH: Final = 31
LAST_LINES: Final = 12  # of a document, in which its date stands, with signatures and annexes around
MONTHS: Final = 12  # of a year
LONGEST: Final = 40  # characters of a text in which a day is looked for


def read_day(text: str) -> date | None:
    """The full date that a text begins with (a time may follow); None for none, or for one that the calendar has not.

    2024-05-06, 2024/5/6, 2024.5.6, 6 May 2024, May 6, 2024, and the Chinese forms, in figures and in words.
    """
    found = _written_day(text)
    return _day(found) if found is not None else None


def read_moment(text: str) -> tuple[date, str] | None:
    """The day that a text is, and the time of day behind it as it stands ("" for none); None for anything else."""
    found = _written_day(text)
    day = _day(found) if found is not None else None
    if found is None or day is None:
        return None
    rest = text.strip()[found.end() :]
    return (day, rest) if not rest or TIME_OF_DAY.fullmatch(rest) else None


def names_no_day(text: str) -> bool:
    """Whether a text is written like a day that the calendar has not: 31 April, 2023-02-29."""
    found = _written_day(text)
    return found is not None and _day(found) is None


def impossible_days(text: str) -> tuple[str, ...]:
    """Return the days that a text names and the calendar has not, as they are written: 2024年4月31日, 30 February 2023.

    Of figures alone (2024-13-45) only those that a month of the year could have: others may be any number.
    """
    found: dict[str, None] = {}
    for form in _forms() if _NUMBERED.search(text) else ():
        for match in form.finditer(text):
            figures = "sign" in form.groupindex
            likely = not figures or (1 <= int(match["m"]) <= MONTHS and 1 <= int(match["d"]) <= _LONGEST_MONTH)
            if likely and not text[: match.start()][-1:].isdecimal() and _day(match) is None:
                found[match[0]] = None
    return tuple(found)


def days_of_figures(text: str, locale: str) -> tuple[date, ...]:
    """The days that 5/6/2024 and 05.06.2024 may be: the region, or a language with a comma for its point, tells which
    figure is the month; else both readings that the calendar has."""
    found = _FIGURES.fullmatch(text.strip())
    if found is None:
        return ()
    first, second, year = int(found["a"]), int(found["b"]), int(found["y"])
    orders = [(second, first), (first, second)]
    if locale in _MONTH_FIRST:
        orders = orders[1:]
    elif locale in _DAY_FIRST or writes_comma(locale):
        orders = orders[:1]
    days = (made for month, day in orders if (made := _made(year, month, day)) is not None)
    return tuple(dict.fromkeys(days))


def is_part_of_date(text: str) -> bool:
    """Whether a text is a year, or a month of one: 1985, 1985-03, March 1985, and the Chinese forms."""
    found = PART_OF_DATE.fullmatch(text.strip())
    if found is None:
        return False
    month = found["m"] or found["n"]
    year = int(found["y"] or found["z"])
    return FIRST_YEAR <= year <= LAST_YEAR and (month is None or 1 <= int(month) <= MONTHS)


def _written_day(text: str) -> re.Match[str] | None:
    start = text.strip()[:LONGEST].translate(FORMAL_NUMERALS)
    return next((match for form in _forms() if (match := form.match(start))), None)


def _day(found: re.Match[str]) -> date | None:
    """The day that a form found; None where the calendar has none of it."""
    month, year, day = found["m"], found["y"], found["d"]
    if not year.isdecimal():
        year = "".join(str(NUMERALS.index(sign)) for sign in year)
        month, day = (str(numeral(sign) or 0) for sign in (month, day))
    number = MONTH_NAMES.index(month) + 1 if month in MONTH_NAMES else int(month)
    return _made(int(year), number, int(day))


def _made(year: int, month: int, day: int) -> date | None:
    try:
        made = date(year, month, day)
    except ValueError:
        return None
    return made if FIRST_YEAR <= made.year <= LAST_YEAR else None


def written(day: date | None, locale: str) -> str:
    """A day in the form of a locale, 2024-05-06 in one that has none; "" for no day."""
    if day is None:
        return ""
    form = DATE_FORMS.get(locale.partition("-")[0])
    if form is None:
        return day.isoformat()
    return form.format(year=day.year, month=day.month, day=day.day, name=MONTH_NAMES[day.month - 1])


def bears(text: str, day: date, locale: str) -> bool:
    """Whether a document says at its end that it is of a day, in figures or, in Chinese, in words."""
    end = "\n".join(text.split("\n")[-LAST_LINES:])
    found = "".join(end.split())
    return any("".join(form.split()) in found for form in (written(day, locale), day.isoformat(), in_words(day)))


def in_words(day: date) -> str:
    """The day in Chinese numerals, as it stands under judgments."""
    year = "".join(NUMERALS[int(digit)] for digit in str(day.year))
    return "".join((year, DATE_MARKS[0], _numeral(day.month), DATE_MARKS[1], _numeral(day.day), DATE_MARKS[2][0]))


def counted(number: int, locale: str) -> str:
    """A number below a hundred as people of one title are counted: in Chinese numerals, else in figures."""
    return _numeral(number) if locale == "zh" else str(number)


def _numeral(number: int) -> str:
    """A number below a hundred in Chinese."""
    tens, units = divmod(number, 10)
    ten = next(iter(TENS)) if tens else ""
    return (NUMERALS[tens] if tens > 1 else "") + ten + (NUMERALS[units] if units else "")


@cache
def _forms() -> tuple[re.Pattern[str], ...]:
    year, month, day = (f"[{mark}]" for mark in DATE_MARKS)
    name = "|".join(MONTH_NAMES)
    number, nth = r"(?P<d>\d{1,2})", "(?:st|nd|rd|th)?"
    return (
        DAY_IN_WORDS,
        re.compile(rf"(?P<y>\d{{4}}) ?{year} ?(?P<m>\d{{1,2}}) ?{month} ?{number} ?{day}"),
        re.compile(rf"(?P<y>\d{{4}})(?P<sign>[-/.])(?P<m>\d{{1,2}})(?P=sign){number}(?!\d)"),
        re.compile(rf"{number}{nth} (?P<m>{name}),? (?P<y>\d{{4}})(?!\d)"),
        re.compile(rf"(?P<m>{name}) {number}{nth},? (?P<y>\d{{4}})(?!\d)"),
    )
