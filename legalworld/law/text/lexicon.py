"""The tables of words in `tables/`, and the patterns made of them.

A pattern is written in `re`'s verbose syntax; `{{name}}` in it is a fragment, a list of words or a section of words of
its own table, `{{table:name}}` one of another table. Words become an alternation, the longest first.
"""

from __future__ import annotations

import pkgutil
import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, Final, TypeVar

from ...model.immutable import immutable


@immutable
class TextSpan:
    """A value with its place in a text, in code points."""

    start: int
    end: int


start_of: Final = attrgetter("start")
SpanT = TypeVar("SpanT", bound=TextSpan)
_HOLE: Final = re.compile(r"\{\{(?:(\w+):)?(\w+)\}\}")


@cache
def table(name: str) -> Mapping[str, Any]:
    """One file of `tables/` as TOML says it."""
    data = pkgutil.get_data(__package__, f"tables/{name}.toml")
    assert data is not None
    return tomllib.loads(data.decode())


def words(name: str, section: str) -> Mapping[str, str]:
    """A section of a table that maps text to text."""
    section_words: Mapping[str, str] = table(name)[section]
    return section_words


@cache
def endings(name: str, *keys: str) -> tuple[str, ...]:
    """Lists of words together, for `str.endswith` and `str.startswith`."""
    return tuple(word for key in keys for word in table(name)["words"][key])


@cache
def pattern(name: str, key: str) -> re.Pattern[str]:
    """The pattern `key` of a table, its holes filled."""
    return re.compile(_filled(name, table(name)["patterns"][key]), re.VERBOSE)


class Endings:
    """Finds which of many words ends at a place, in time that does not depend on how many there are."""

    def __init__(self, words: Iterable[str]) -> None:
        self._words = frozenset(words)
        lengths: dict[str, set[int]] = {}
        for word in self._words:
            lengths.setdefault(word[-1], set()).add(len(word))
        self._lengths = {last: sorted(found, reverse=True) for last, found in lengths.items()}

    def find(self, text: str, end: int, low: int = 0) -> str | None:
        """The longest word that ends at `end` and begins at `low` or later."""
        for length in self._lengths.get(text[end - 1 : end], ()) if end > 0 else ():
            if end - length >= low and (word := text[end - length : end]) in self._words:
                return word
        return None


@cache
def finder(name: str, *keys: str) -> Endings:
    """Finds the words of some lists and sections of a table."""
    return Endings(word for key in keys for word in _listed(name, key))


def apart(values: Iterable[SpanT]) -> list[SpanT]:
    """The values in order of where they begin, the longer first; one that overlaps the value before it is left out."""
    kept: list[SpanT] = []
    for value in sorted(values, key=lambda value: (value.start, -value.end)):
        if not kept or value.start >= kept[-1].end:
            kept.append(value)
    return kept


def alternation(these: Iterable[str]) -> str:
    """A pattern that matches the longest of some words."""
    return "(?:" + "|".join(map(re.escape, sorted(set(these), key=lambda word: (-len(word), word)))) + ")"


def _filled(name: str, text: str) -> str:
    def fill(hole: re.Match[str]) -> str:
        other = hole[1] or name
        fragment = table(other).get("fragments", {}).get(hole[2])
        return _filled(other, fragment) if fragment is not None else alternation(_listed(other, hole[2]))

    return _HOLE.sub(fill, text)


def _listed(name: str, key: str) -> Iterator[str]:
    """The words of a list; the keys of a section, or the words of its lists. KeyError where there is neither."""
    words_of_table = table(name).get("words", {})
    entries = words_of_table[key] if key in words_of_table else table(name)[key]
    if isinstance(entries, Mapping):
        for word, value in entries.items():
            yield from value if isinstance(value, list) else (word,)
    else:
        yield from entries
