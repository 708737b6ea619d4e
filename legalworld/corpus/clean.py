"""A judgment's text without what a page or a scanner added: widths, blanks, mark-up, page numbers."""

from __future__ import annotations

import html
import re
from functools import cache
from typing import Final

from ..binding.casefile import clean as printable
from .own_words import own_words
from .records import TEXT, Dropped, Outcome, Row

SHORTEST: Final = 120  # characters of a judgment
LONGEST: Final = 1 << 20
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060\ufeff]")
_BLANKS: Final = re.compile("[ \t\u00a0\u3000]+")
_STOPS: Final = frozenset("\u3002\uff1b\uff1a\uff01\uff1f\uff09\u300b\u201d:;")


@cache
def _narrow() -> dict[int, str]:
    """Digits and letters of full width, each as its common form."""
    signs = [*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B), 0xFF0E, 0xFF05]
    return {sign: chr(sign - 0xFEE0) for sign in signs}


@cache
def _furniture() -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(one) for one in own_words("furniture")["lines"])


@cache
def _tags(name: str) -> re.Pattern[str]:
    return re.compile(own_words("furniture")[name])


def cleaned(text: str) -> str:
    """The text as judgments are compared and taken apart; every value later on is a stretch of it."""
    if "<" in text:
        text = _tags("tags").sub("", _tags("breaks").sub("\n", text))
    if "&" in text:
        text = html.unescape(text)
    text = printable(_INVISIBLE.sub("", text)).translate(_narrow())
    kept: list[str] = []
    joined = False  # the line before was cut by a page
    for line in text.split("\n"):
        line = _BLANKS.sub(" ", line).strip()
        if any(one.match(line) for one in _furniture()):
            joined = bool(kept) and kept[-1][-1] not in _STOPS
        elif line and joined:
            kept[-1] += line
            joined = False
        elif line:
            kept.append(line)
    return _tags("between").sub("", "\n".join(kept))


def clean(row: Row) -> Outcome:
    """A judgment with its text cleaned; a case that was bound stays as it is."""
    if row["kind"] != TEXT:
        return row
    text = cleaned(row["text"])
    if len(text) < SHORTEST:
        return Dropped(row["id"], "short", text)
    if len(text) > LONGEST:
        return Dropped(row["id"], "long", str(len(text)))
    return row | {"text": text}
