"""What somebody meant who did not quite say it: taken where one thing alone fits and nothing is turned round.

What is said must begin and end as the name does: a choice or a call with letters between them left out, a marker also
with a word between them changed, or with its two halves in the other order. In a choice a word that says nothing may
stand besides (`FILLERS`). Nothing is taken where a word that denies was added, left out or changed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
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
    """The one of the names that a word is, with letters left out, or an empty word put in: 部分予以支持.

    "" where none fits or several do: what any other word put in may mean, nobody knows (granted, denied).
    """

    def fits(said: str, name: str) -> bool:
        return _left_out(said, name) or any(said.replace(filler, "", 1) == name for filler in FILLERS)

    return _one_of(names, plain(word), fits)


def nearly_said(word: str, markers: Iterable[str]) -> str:
    """The one of the markers that a word is, with letters left out, a word in it changed, or its halves in the other
    order; "" where not just one."""

    def fits(said: str, marker: str) -> bool:
        return _left_out(said, marker) or _changed(said, marker) or _turned(said, marker)

    return _one_of(markers, plain(word), fits)


def _one_of(names: Iterable[str], said: str, fits: Callable[[str, str], bool]) -> str:
    fitting = [name for name in dict.fromkeys(names) if said == plain(name)]
    fitting = fitting or [name for name in dict.fromkeys(names) if fits(said, plain(name)) and _same_sense(said, name)]
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
    return all(said.count(word) == plain(name).count(word) for word in NEGATIONS)
