"""Markdown in a reply: taken off where it is markup, kept where its signs are words.

Courts mask names, numbers and dockets with asterisks (张**, 138****1234). CommonMark alone would read some of them as
bold type, and would leave bold type that ends with a Chinese stop. So a row of asterisks is read by what stands on
either side of it, and never as markup where what the speaker was sent has the same one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import NamedTuple

_ROW = re.compile(r"(?<!\\)\*+")
_ESCAPED = re.compile(r"\\(?=\*)")
_PARAGRAPH = re.compile(r"\n[^\S\n]*\n")
_LONGEST = 300  # characters of one stretch of bold type
_PAIRED = (2, 3)  # asterisks; more are a mask, one is a mask, a product or a note
_LINES = re.compile(
    r"^ {0,3}(?:"
    r"#{1,6}[ \t]+"
    r"|(?:(?:-[ \t]{0,3}){3,40}|(?:\*[ \t]{0,3}){3,40}|(?:_[ \t]{0,3}){3}|={3,40}|(?:```|~~~)[^\n`]{0,20})(?:\n|\Z))",
    re.MULTILINE,
)
_UNDERSCORES = re.compile(r"(?<![\w_])__(?=[^\s_])([^_\n]{1,300})(?<=[^\s_])__(?![\w_])")


class Edge(NamedTuple):
    """A row of asterisks and the sign on one side of it."""

    row: int
    sign: str
    before: bool


Literals = frozenset[Edge]


def literals(texts: Iterable[str]) -> Literals:
    """The rows of asterisks that stand beside letters, figures or brackets in texts: there they are words."""
    found: set[Edge] = set()
    for text in texts:
        if "*" in text:
            for row in _ROW.finditer(text):
                found.update(_edges(text, row.start(), row.end()))
    return frozenset(found)


def is_literal(text: str, start: int, end: int, known: Literals) -> bool:
    """Whether a row of asterisks stands in a text as it does in one of those that `known` was made of."""
    return not known.isdisjoint(_edges(text, start, end))


def without_markup(text: str, known: Literals = frozenset()) -> str:
    """The text without headings, rules, fences and bold type; all else stays as it is written."""
    starred = any(edge.sign == "\n" for edge in known)  # somebody's name is a line of asterisks
    lines = _LINES.sub(_unless_starred, text) if starred else _LINES.sub("", text)
    lines = _UNDERSCORES.sub(r"\1", lines)
    cuts = sorted(cut for pair in _bold(lines, known) for cut in pair)
    for start, end in reversed(cuts):
        lines = lines[:start] + lines[end:]
    return _ESCAPED.sub("", lines).strip()


def first_markup(text: str, known: Literals = frozenset()) -> str:
    """A few words from where the first markup of a text stands ("" = there is none)."""
    places = [found.start() for pattern in (_LINES, _UNDERSCORES) for found in [pattern.search(text)] if found]
    places += [start for (start, _), _ in _bold(text, known)]
    return text[min(places) :].strip()[:24] if places else ""


def _edges(text: str, start: int, end: int) -> Iterator[Edge]:
    before, after = text[start - 1 : start], text[end : end + 1]
    if before and (_wordlike(before) or unicodedata.category(before) in ("Pe", "Pf")):
        yield Edge(end - start, before, True)
    if after and _wordlike(after):
        yield Edge(end - start, after, False)
    if not before.strip() and not after.strip():  # a line of asterisks alone
        yield Edge(end - start, "\n", True)


def _unless_starred(found: re.Match[str]) -> str:
    return found[0] if "*" in found[0] else ""


def _bold(text: str, known: Literals) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The pairs of rows of asterisks that set off what stands between them, within a paragraph."""
    start = 0
    for gap in [*(found.start() for found in _PARAGRAPH.finditer(text)), len(text)]:
        opening: tuple[int, int] | None = None
        for row in _ROW.finditer(text, start, gap):
            place = row.span()
            if len(row[0]) not in _PAIRED or is_literal(text, *place, known):
                continue
            if opening is not None and _closes(text, opening, place):
                yield opening, place
                opening = None
            else:
                opening = place if _opens(text, place) else opening
        start = gap


def _opens(text: str, place: tuple[int, int]) -> bool:
    """Whether bold type can begin here: not behind a word or a closing bracket, where a mask would stand."""
    before, after = text[: place[0]][-1:], text[place[1] : place[1] + 1]
    if not after.strip():
        return False
    return not before or not (_wordlike(before) or unicodedata.category(before) in ("Pe", "Pf"))


def _closes(text: str, opening: tuple[int, int], place: tuple[int, int]) -> bool:
    inside = text[opening[1] : place[0]]
    same = opening[1] - opening[0] == place[1] - place[0]
    return same and 0 < len(inside) <= _LONGEST and bool(inside[-1:].strip()) and "*" not in inside[-1:]


def _wordlike(sign: str) -> bool:
    """Whether a sign is read as a part of a word: letters, figures, and symbols such as ×."""
    return unicodedata.category(sign)[0] in "LNMS"
