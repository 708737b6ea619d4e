"""The numbers that Word prints before the paragraphs of a list, which stand in no text of the file."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.resources import files
from typing import Any, Final

from .parts import Element, UnreadWord, by_id, child, switch, value_of, whole_number

MOST: Final = 99_999
"""The last number of a list that is written."""

_HOLE: Final = re.compile(r"%([1-9])")
_ROMAN: Final = ((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"))
_ROMAN_ONES: Final = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))
_FULL_WIDTH: Final = str.maketrans("0123456789", "０１２３４５６７８９")


class Numbering:
    """Counts the lists of a document. Raises UnreadWord for numbers of a kind that is not known."""

    def __init__(self, part: Element | None) -> None:
        self._lists = by_id(part, "w:num", "w:numId")
        self._shapes = by_id(part, "w:abstractNum", "w:abstractNumId")
        self._counts: dict[str, dict[int, int]] = {}  # shape -> level -> its last number
        self._begun: set[tuple[str, int]] = set()  # lists that have begun a level anew

    def label(self, number: str, level: int | str) -> str:
        """What stands before the next paragraph of a list, with a blank where the words would run into it."""
        found, shape_id, shape = self._lists.get(number), "", None
        for _ in range(4):  # a list may point to the style of another
            shape_id = value_of(found, "w:abstractNumId")
            shape = self._shapes.get(shape_id)
            style = value_of(shape, "w:numStyleLink")
            if not style:
                break
            linked = [name for name, one in self._shapes.items() if value_of(one, "w:styleLink") == style]
            found = next((one for one in self._lists.values() if value_of(one, "w:abstractNumId") in linked), None)
        if found is None or shape is None:
            return ""
        levels = self._levels(found, shape)
        if isinstance(level, str):
            level = next((at for at, one in levels.items() if value_of(one, "w:pStyle") == level), 0)
        if level not in levels:
            return ""
        self._count(number, found, shape_id, levels, level)
        return _label(levels, level, self._counts[shape_id])

    def _levels(self, found: Element, shape: Element) -> Mapping[int, Element]:
        own = {int(at): one for at, one in by_id(shape, "w:lvl", "w:ilvl").items() if at.isdecimal()}
        for at, override in by_id(found, "w:lvlOverride", "w:ilvl").items():
            if at.isdecimal() and (other := child(override, "w:lvl")) is not None:
                own[int(at)] = other
        return own

    def _count(self, number: str, found: Element, shape: str, levels: Mapping[int, Element], level: int) -> None:
        counts = self._counts.setdefault(shape, {})
        override = by_id(found, "w:lvlOverride", "w:ilvl").get(str(level))
        anew = value_of(override, "w:startOverride")
        if anew and (number, level) not in self._begun:
            counts.pop(level, None)
        self._begun.add((number, level))
        start = anew or value_of(levels[level], "w:start") or "0"
        counts[level] = counts[level] + 1 if level in counts else whole_number(start, 0)
        for above in range(level):
            counts.setdefault(above, whole_number(value_of(levels.get(above), "w:start"), 1))
        for below in [at for at in counts if at > level]:
            restart = value_of(levels.get(below), "w:lvlRestart")
            if not restart or level < whole_number(restart, 0):
                del counts[below]


def _label(levels: Mapping[int, Element], level: int, counts: Mapping[int, int]) -> str:
    shape = levels[level]
    if switch(child(shape, "w:rPr"), "w:vanish"):
        return ""
    text = value_of(shape, "w:lvlText")
    if value_of(shape, "w:numFmt") == "bullet":
        label = "".join("•" if unicodedata.category(sign) == "Co" else sign for sign in text)
    else:
        plain = switch(shape, "w:isLgl")

        def number(hole: re.Match[str]) -> str:
            at = int(hole[1]) - 1
            form = "decimal" if plain else value_of(levels.get(at), "w:numFmt")
            return written(counts.get(at, 0), form)

        label = _HOLE.sub(number, text)
    if not label or value_of(shape, "w:suff") == "nothing" or unicodedata.east_asian_width(label[-1]) in "WF":
        return label
    return f"{label} "


def written(number: int, form: str) -> str:
    """A number as Word writes it in one of its forms. Raises UnreadWord for one that is not known."""
    how = _forms().get(form)
    if how is None or number > MOST:
        raise UnreadWord("numbering", form)
    return how(number)


@cache
def _forms() -> Mapping[str, Callable[[int], str]]:
    return {
        "": str,
        "decimal": str,
        "none": lambda _: "",
        "decimalZero": lambda number: f"{number:02d}",
        "decimalFullWidth": lambda number: str(number).translate(_FULL_WIDTH),
        "decimalFullWidth2": lambda number: str(number).translate(_FULL_WIDTH),
        "decimalHalfWidth": str,
        "numberInDash": lambda number: f"- {number} -",
        "decimalEnclosedCircle": lambda number: _enclosed(number, (0x2460, 20), (0x3251, 15), (0x32B1, 15)),
        "decimalEnclosedCircleChinese": lambda number: _enclosed(number, (0x2460, 20), (0x3251, 15), (0x32B1, 15)),
        "decimalEnclosedParen": lambda number: _enclosed(number, (0x2474, 20)),
        "decimalEnclosedFullstop": lambda number: _enclosed(number, (0x2488, 20)),
        "lowerLetter": _letters,
        "upperLetter": lambda number: _letters(number).upper(),
        "lowerRoman": _roman,
        "upperRoman": lambda number: _roman(number).upper(),
        "chineseCounting": lambda number: _low(number) if number < 100 else _by_digits(number),
        "chineseCountingThousand": _low,
        "japaneseCounting": _low,
        "taiwaneseCounting": lambda number: _low(number) if number < 100 else _by_digits(number),
        "taiwaneseCountingThousand": _low,
        "ideographDigital": _by_digits,
        "chineseLegalSimplified": lambda number: _spoken(number, "up"),
        "ideographTraditional": lambda number: _cycled(number, _signs()["stems"]),
        "ideographZodiac": lambda number: _cycled(number, _signs()["branches"]),
        "ideographEnclosedCircle": lambda number: _enclosed(number, (0x3280, 10)),
    }


@cache
def _signs() -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / "list_numbers.toml").read_text("utf-8"))


@cache
def _numerals() -> Any:
    return import_module("cn2an")  # only here: importing it takes long


def _low(number: int) -> str:
    return _spoken(number, "low")


def _spoken(number: int, mode: str) -> str:
    words = str(_numerals().an2cn(number, mode))
    return words.replace(_signs()["ten"][0], _signs()["ten"][1], 1) if 10 <= number < 20 else words


def _by_digits(number: int) -> str:
    return "".join("○" if digit == "0" else _spoken(int(digit), "low") for digit in str(number))


def _cycled(number: int, signs: str) -> str:
    return signs[(number - 1) % len(signs)]


def _enclosed(number: int, *blocks: tuple[int, int]) -> str:
    """The sign of a number in a circle or brackets; in figures behind the last that there is, as in Word."""
    first = 1
    for start, count in blocks:
        if first <= number < first + count:
            return chr(start + number - first)
        first += count
    return str(number)


def _letters(number: int) -> str:
    """a … z, aa … zz, aaa: as Word counts."""
    times, at = divmod(max(number, 1) - 1, 26)
    return chr(ord("a") + at) * (times + 1) if times < 100 else str(number)


def _roman(number: int) -> str:
    if not 0 < number < 4000:
        return str(number)
    words = ""
    for value, sign in (*_ROMAN, *_ROMAN_ONES):
        count, number = divmod(number, value)
        words += sign * count
    return words
