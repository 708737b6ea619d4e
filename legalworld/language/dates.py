"""Days as they are written: in a case, and in what a procedure's people read."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from typing import Final

from ..model.calendar import FIRST_YEAR, LAST_YEAR
from .sentences.quantities import DATE_FORMS, DATE_MARKS, MONTH_NAMES, NUMERALS, TENS

LAST_LINES: Final = 12  # of a document, in which its date stands, with signatures and annexes around
LONGEST: Final = 40  # characters of a text in which a day is looked for


def read_day(text: str) -> date | None:
    """The full date that a text begins with (a time may follow); None for none, or for one that the calendar has not.

    2024-05-06, 2024/5/6, 2024.5.6, 6 May 2024, May 6, 2024, and the Chinese form.
    """
    found = next((match for form in _forms() if (match := form.match(text[:LONGEST].strip()))), None)
    if found is None:
        return None
    month = found["m"]
    number = MONTH_NAMES.index(month) + 1 if month in MONTH_NAMES else int(month)
    try:
        day = date(int(found["y"]), number, int(found["d"]))
    except ValueError:
        return None
    return day if FIRST_YEAR <= day.year <= LAST_YEAR else None


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
        re.compile(rf"(?P<y>\d{{4}}) ?{year} ?(?P<m>\d{{1,2}}) ?{month} ?{number} ?{day}"),
        re.compile(rf"(?P<y>\d{{4}})(?P<sign>[-/.])(?P<m>\d{{1,2}})(?P=sign){number}(?!\d)"),
        re.compile(rf"{number}{nth} (?P<m>{name}),? (?P<y>\d{{4}})(?!\d)"),
        re.compile(rf"(?P<m>{name}) {number}{nth},? (?P<y>\d{{4}})(?!\d)"),
    )
