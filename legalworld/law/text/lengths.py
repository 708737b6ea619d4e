"""Every length of time in a text by its value, in any spelling.

For comparing, where a miss costs more than a wrong find; what a contract or a judgment means by one, `times` reads.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache
from typing import Final

from ...model.immutable import immutable
from .english import in_figures
from .lexicon import TextSpan, endings, pattern, words
from .numerals import ordinal, read

_DAYS: Final = 30  # of a month, to compare months and days that are written together
_FEWEST, _MOST = 28, 31  # days of a month, where a text counts days alone
_MONTH_OF_YEAR: Final = 12
_FIRST_YEAR: Final = 1800  # so many or more is the name of a year
_HALF: Final = Decimal("0.5")


@immutable
class MeasuredLength(TextSpan):
    """A length of time, in months with thirtieths for days; `high` its other end where it is a range.

    `in_days`: the text counts days or weeks alone. `bound`: it is only a limit (at most, within). `loose`: it may as
    well be the name of a month.
    """

    low: Decimal
    high: Decimal
    in_days: bool = False
    bound: bool = False
    loose: bool = False

    def covers(self, other: MeasuredLength) -> bool:
        """Whether `other` is as long, or within the range that this names."""
        if self.in_days == other.in_days:
            return self.low <= other.low and other.high <= self.high
        days, months = (self, other) if self.in_days else (other, self)
        return days.high * _DAYS >= months.low * _FEWEST and days.low * _DAYS <= months.high * _MOST


def same_script(text: str) -> str:
    """The text in one script: full width, traditional and compatibility characters made simple; nothing invisible."""
    plain = unicodedata.normalize("NFKC", text.translate(_characters())).translate(_characters())
    shown = "".join(one for one in plain if unicodedata.category(one) != "Cf")
    return re.sub(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))", "", re.sub(r"\s+", " ", shown)).lower()


@cache
def _characters() -> dict[int, str]:
    return str.maketrans(dict(words("lengths", "same")))


def lengths(text: str) -> list[MeasuredLength]:
    """Every length of time in a text of `same_script`, in order; parts that may belong together stand alone too."""
    plain = pattern("lengths", "date").sub(lambda date: "\0" * len(date.group()), text)
    parts = [part for match in pattern("lengths", "part").finditer(plain) if (part := _part(match)) is not None]
    found = [*_with_ranges(plain, list(_together(plain, parts))), *_turned(plain)]
    return [_bounded(plain, one) for one in found]


def value(number: str) -> Decimal | None:
    """The number that figures, Chinese numerals or English words say; None where nobody can tell."""
    if "/" in number:
        above, below = (Decimal(one.strip()) for one in number.split("/"))
        return above / below if below else None
    if number[:1].isascii() and number[:1].isalpha():
        return in_figures(number)
    if number.startswith("."):
        return Decimal(number)
    found = read(number)
    whole = ordinal(number) if found is None else None
    return Decimal(whole) if whole is not None else found


def _part(match: re.Match[str]) -> MeasuredLength | None:
    """One number with its unit."""
    unit = match["half_unit"] or match["english_half"] or match["unit"]
    number = _HALF if match["number"] is None else value(match["number"])
    if number is None or (unit in endings("lengths", "calendar_year") and number >= _FIRST_YEAR):
        return None
    if match["inner"] or match["behind"]:
        number += _HALF
    size, kind = words("lengths", "unit")[unit][:-1], words("lengths", "unit")[unit][-1]
    months = number * Decimal(size) / (_DAYS if kind == "d" else 1)
    loose = (
        unit in endings("lengths", "calendar_month")
        and not (match["counted"] or match["half"])
        and number <= _MONTH_OF_YEAR
    )
    return MeasuredLength(*match.span(), months, months, kind == "d", loose=loose)


def _together(text: str, parts: Sequence[MeasuredLength]) -> Iterator[MeasuredLength]:
    """Years, months and days that stand side by side as one length."""
    run: list[MeasuredLength] = []
    for part in parts:
        gap = text[run[-1].end : part.start] if run else ""
        descends = bool(run) and part.low < run[-1].low and not run[-1].in_days
        if descends and pattern("lengths", "joint").fullmatch(gap):
            run.append(part)
            continue
        loosely = descends and pattern("lengths", "loose_joint").fullmatch(gap) is not None
        if run:
            yield _sum(run)
        if loosely:
            yield _sum([*run, part])
        run = [part]
    if run:
        yield _sum(run)


def _sum(run: Sequence[MeasuredLength]) -> MeasuredLength:
    total = sum((one.low for one in run), Decimal(0))
    alone = len(run) == 1
    return MeasuredLength(
        run[0].start, run[-1].end, total, total, all(one.in_days for one in run), loose=alone and run[0].loose
    )


def _with_ranges(text: str, found: list[MeasuredLength]) -> Iterator[MeasuredLength]:
    """The lengths, two that are the ends of a range as one."""
    at = 0
    while at < len(found):
        one, other = found[at], found[at + 1] if at + 1 < len(found) else None
        if (
            other is not None
            and one.low <= other.low
            and pattern("lengths", "to").fullmatch(text, one.end, max(one.end, other.start))
        ):
            yield MeasuredLength(one.start, other.end, one.low, other.high, other.in_days)
            at += 2
            continue
        before = pattern("lengths", "from_number").search(text, max(0, one.start - 12), one.start)
        low = value(before["number"]) if before is not None else None
        per = one.low / highest if (highest := _number_of(text, one)) else None
        if low is not None and per is not None and low <= (highest or 0):
            yield MeasuredLength(before.start() if before else one.start, one.end, low * per, one.high, one.in_days)
        else:
            yield one
        at += 1


def _number_of(text: str, one: MeasuredLength) -> Decimal | None:
    """The number that a length begins with."""
    match = pattern("lengths", "part").match(text, one.start)
    return value(match["number"]) if match is not None and match["number"] else None


def _turned(text: str) -> Iterator[MeasuredLength]:
    """Lengths whose unit stands before the number, as in columns."""
    for match in pattern("lengths", "turned").finditer(text):
        number = value(match["number"])
        size = words("lengths", "unit")[match["unit"]]
        if number is not None:
            months = number * Decimal(size[:-1]) / (_DAYS if size[-1] == "d" else 1)
            yield MeasuredLength(*match.span(), months, months, size[-1] == "d")


def _bounded(text: str, one: MeasuredLength) -> MeasuredLength:
    behind = pattern("lengths", "bound_behind").match(text, one.end)
    before = pattern("lengths", "bound_before").search(text, max(0, one.start - 16), one.start)
    if behind is None and before is None:
        return one
    return MeasuredLength(one.start, one.end, one.low, one.high, one.in_days, bound=True, loose=one.loose)
