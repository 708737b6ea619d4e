"""What somebody meant who did not quite say it: taken where one thing alone fits and nothing is turned round.

What is said must begin and end as the name does. A choice decides something: only words that say nothing (`FILLERS`)
may be left out of it or put in, for of any other nobody knows whether it denies. In a call letters may be left out; in
a marker also a word changed, or its two halves stand in the other order, where no word that denies is concerned.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache
from unicodedata import normalize

from ..language.sentences.keywords import FILLERS, NEGATIONS

_SIGNS = re.compile(r"[\W_]+")
_SHORTEST = 2  # letters of what was said
_LONGEST = 2  # times as long is the name at most
_ENDS = 2  # letters at either end of a marker in which a word was changed
_CHANGED = 3  # one letter of so many may be another


def plain(text: str) -> str:
    """A text without blanks and marks, in one width and case."""
    return _SIGNS.sub("", normalize("NFKC", text)).casefold()


def said_shorter(word: str, names: Iterable[str]) -> str:
    """The one of the names that a word is, with letters left out; "" where none fits or several do."""
    return _one_of(names, plain(word), _left_out)


def said_otherwise(word: str, names: Collection[str]) -> str:
    """The one of the names that a word is, with empty words left out or put in: 不支持, 部分予以支持.

    "" where none fits or several do: what any other word may mean, nobody knows (granted, not granted, denied).
    """

    def fits(said: str, name: str) -> bool:
        put_in = any(said.replace(filler, "", 1) == name for filler in FILLERS)
        return put_in or _with_empty_words(said).fullmatch(name) is not None

    return _one_of(names, plain(word), fits)


@lru_cache(maxsize=1024)
def _with_empty_words(said: str) -> re.Pattern[str]:
    """A word as it is written with empty words between its letters; no word at all matches what has no letters."""
    empty = f"(?:{'|'.join(map(re.escape, FILLERS))}){{0,3}}"
    return re.compile(empty.join(map(re.escape, said)) if len(said) >= _SHORTEST else r"(?!)")


def nearly_said(word: str, markers: Iterable[str]) -> str:
    """The one of the markers that a word is, with letters left out, a word in it changed, or its halves in the other
    order; "" where not just one."""

    def fits(said: str, marker: str) -> bool:
        near = _left_out(said, marker) or _changed(said, marker) or _turned(said, marker)
        return near and _same_sense(said, marker)

    return _one_of(markers, plain(word), fits)


def _one_of(names: Iterable[str], said: str, fits: Callable[[str, str], bool]) -> str:
    fitting = [name for name in dict.fromkeys(names) if said == plain(name)]
    fitting = fitting or [name for name in dict.fromkeys(names) if fits(said, plain(name))]
    return fitting[0] if len(fitting) == 1 else ""


def _left_out(said: str, name: str) -> bool:
    if not _SHORTEST <= len(said) <= len(name) <= _LONGEST * len(said):
        return False
    letters = iter(name)
    return said[0] == name[0] and said[-1] == name[-1] and all(letter in letters for letter in said)


def _changed(said: str, marker: str) -> bool:
    first = _alike(said, marker)
    last = min(_alike(said[::-1], marker[::-1]), len(said) - first, len(marker) - first)
    changed = max(len(said), len(marker)) - first - last
    return min(first, last) >= _ENDS and changed <= len(marker) // _CHANGED


def _turned(said: str, marker: str) -> bool:
    """Whether two words of a marker changed places: 结束咨询 for 咨询结束."""
    halves = range(_ENDS, len(marker) - _ENDS + 1)
    return len(said) == len(marker) and any(said == marker[at:] + marker[:at] for at in halves)


def _alike(one: str, other: str) -> int:
    """How many letters two texts begin with that are the same."""
    differ = (at for at, (this, that) in enumerate(zip(one, other, strict=False)) if this != that)
    return next(differ, min(len(one), len(other)))


def _same_sense(said: str, name: str) -> bool:
    """Whether each word that denies stands in both as often."""
    return all(said.count(word) == name.count(word) for word in NEGATIONS)
