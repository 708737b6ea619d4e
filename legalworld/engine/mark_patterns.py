"""The marks of a dialect made ready to be looked for: one expression for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, Literal, NamedTuple

from ..model.dialect import Dialect, ThoughtMark

Kind = Literal["thought", "unopened", "words", "words_end", "dropped", "frame", "call"]

LONGEST_TAG: Final = 320  # characters of a tag with its attributes
_TAG: Final = re.compile(r"<(/?)([^\s<>/|｜]+)>")


class DialectMark(NamedTuple):
    kind: Kind
    row: ThoughtMark | None = None


class CompiledDialect(NamedTuple):
    """A dialect made ready: one expression for all marks, which group of it is which, and what may become a mark."""

    pattern: re.Pattern[str]
    kinds: tuple[DialectMark, ...]
    starts: tuple[ThoughtMark, ...]
    ends: re.Pattern[str]
    beginnings: frozenset[str]
    longest: int


@lru_cache(maxsize=64)
def compiled(dialect: Dialect, calls: bool) -> CompiledDialect:
    rows = sorted(_rows(dialect, calls), key=lambda row: -len(row[0]))  # one mark may begin as another one does
    literals = {word.casefold() for word, _, _ in rows} | {end.casefold() for end in dialect.ends}
    literals |= {row.opening.casefold() for row in dialect.thoughts}
    pattern, kinds = _together(rows)
    ends, _ = _together([(word, False, DialectMark("dropped")) for word in dialect.ends])
    return CompiledDialect(
        re.compile(pattern),
        kinds,
        tuple(row for row in dialect.thoughts if row.start),
        re.compile(rf"(?:{ends})\Z"),
        frozenset(word[:length] for word in literals for length in range(1, len(word))),
        max(map(len, literals), default=0),
    )


def _rows(dialect: Dialect, calls: bool) -> Iterator[tuple[str, bool, DialectMark]]:
    """The marks that count anywhere: the text, whether in this case alone, what it is."""
    for row in dialect.thoughts:
        if not row.start:
            yield row.opening, row.exact, DialectMark("thought", row)
        if row.in_prompt:
            yield from ((word, row.exact, DialectMark("unopened", row)) for word in row.closings)
    for row in dialect.words:
        yield row.opening, row.exact, DialectMark("words", row)
        yield from ((word, row.exact, DialectMark("words_end", row)) for word in row.closings)
    yield from ((word, False, DialectMark("dropped")) for word in dialect.dropped)
    if calls:
        yield from (
            (word, False, DialectMark("call")) for word in {form.opening: 0 for form in dialect.calls if not form.alone}
        )
        yield from ((word, False, DialectMark("frame")) for word in dialect.frames)


def _together(rows: Sequence[tuple[str, bool, DialectMark]]) -> tuple[str, tuple[DialectMark, ...]]:
    """One expression with a group for each mark, and what the groups are.

    All marks that begin with one character stand behind it: so the others are passed over without being tried.
    """
    by_first: dict[str, list[tuple[str, bool, DialectMark]]] = {}
    for word, exact, mark in rows:
        for first in dict.fromkeys((word[0],) if exact else (word[0].lower(), word[0].upper())):
            by_first.setdefault(first, []).append((word, exact, mark))
    branches = [
        re.escape(first)
        + _second([word for word, _, _ in marks])
        + "(?:"
        + "|".join(f"({_expression(word, exact, 1)})" for word, exact, _ in marks)
        + ")"
        for first, marks in by_first.items()
    ]
    return "|".join(branches) or "(?!)", tuple(mark for marks in by_first.values() for _, _, mark in marks)


def _second(words: Sequence[str]) -> str:
    """What must follow their first character, so that not every one of the marks is tried."""
    signs = {sign for word in words for sign in (word[1:2].lower(), word[1:2].upper())}
    blank = r"\s/\\／" if any(map(_TAG.fullmatch, words)) else ""
    return f"(?=[{blank}{''.join(map(re.escape, sorted(signs)))}])" if "" not in signs else ""


def _expression(word: str, exact: bool, begin: int = 0) -> str:
    """A mark from its character `begin` on as an expression: a tag with blanks and attributes, else as it is."""
    tag = _TAG.fullmatch(word)
    if tag is None:
        text = re.escape(word[begin:])
    elif tag[1]:
        text = rf"<\s*[/\\／]\s*{re.escape(tag[2])}\s*>"[begin:]
    else:
        text = rf"<\s*{re.escape(tag[2])}(?:\s[^<>]{{0,{LONGEST_TAG}}})?>"[begin:]
    return text if exact else f"(?i:{text})"


@lru_cache(maxsize=256)
def closing_of(row: ThoughtMark) -> re.Pattern[str]:
    return re.compile("|".join(_expression(word, row.exact) for word in row.closings))


@lru_cache(maxsize=256)
def opening_of(row: ThoughtMark) -> re.Pattern[str]:
    return re.compile(_expression(row.opening, row.exact))
