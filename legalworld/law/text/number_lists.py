"""Lists of numbers in a citation: 第一、三款, 第六条至第十条."""

from __future__ import annotations

from dataclasses import replace

from ...model.immutable import immutable
from .lexicon import TextSpan, pattern
from .numerals import ordinal


@immutable
class ListedNumber(TextSpan):
    """One number of a list (第一、三款); `ranged`: it ends a range that begins with the number before it."""

    value: int
    ranged: bool


def numbers_in(text: str, start: int, end: int) -> list[ListedNumber]:
    """The numbers of a list; none where one of them cannot be read."""
    found: list[ListedNumber] = []
    behind = start
    for match in pattern("citation", "number").finditer(text, start, end):
        value = ordinal(match.group().replace("\n", "").strip("\uff08\uff09 "))
        if not value:
            return []
        in_range = bool(found) and reaches(text, behind, match.start())
        found.append(ListedNumber(*match.span(), value, in_range))
        behind = match.end()
    return found


def placed(numbers: list[ListedNumber], begin: int, end: int, ranged: bool) -> list[ListedNumber]:
    """The numbers, the first from where its reference begins to the last where it ends; `ranged`: it ends a range."""
    numbers = [replace(numbers[0], start=begin, ranged=ranged), *numbers[1:]]
    return [*numbers[:-1], replace(numbers[-1], end=end)]


def reaches(text: str, start: int, end: int) -> bool:
    """Whether what stands between two numbers joins them to a range."""
    return start < end and pattern("citation", "range").search(text, start, end) is not None
