"""Lines under repair: edits that remember where every column came from, and a colon that YAML would not see."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, NamedTuple, Protocol

from ...model.diagnostics import Diagnostic
from ...model.source import Span
from .. import diagnose

Edit = tuple[int, int]  # 0-based column in the text at that moment, characters inserted there (negative: removed)

_WIDE_COLON: Final = "\uff1a"
_LOST_COLON = re.compile(f"{_WIDE_COLON}|:[\u00a0\u2002\u2003\u3000]+|(?<!\\d):(?=[^\\s/])|(?<=\\d):(?=[^\\s/\\d])")
_LONGEST_KEY = 80  # a colon further on belongs to a sentence


class OfColon(Protocol):
    def __call__(self, span: Span, *, key: str, repair: str) -> Diagnostic: ...


class Lost(NamedTuple):
    """A colon that YAML does not take for one: its problem, its place in the text, and what should stand there."""

    kind: OfColon
    start: int
    end: int
    instead: str


def lost_colon(text: str) -> Lost | None:
    """The first full-width colon, or colon without a half-width space behind it, that could end a key; else None."""
    match = _LOST_COLON.search(text, 1, _LONGEST_KEY)
    if match is None:
        return None
    tight = match.end() < len(text) and text[match.end()] != " "
    kind = diagnose.fullwidth_colon if match[0] == _WIDE_COLON else diagnose.missing_space_after_colon
    return Lost(kind, match.start(), match.end(), ": " if tight else ":")


def original(edits: Iterable[Edit], column: int) -> int:
    """The 0-based column in the source of a column of the mended line."""
    for at, growth in reversed(tuple(edits)):
        if growth < 0:
            column += -growth if column >= at else 0
        elif column >= at:
            column = max(at, column - growth)
    return column


def shortened(text: str, limit: int = 40) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "\u2026"


def leave_out(lines: list[str], at: int) -> range:
    """Blank a line and what is indented below it. Returns the lines that were; none where nothing stood there."""
    if at >= len(lines) or not lines[at].strip():
        return range(0)
    indent = len(lines[at]) - len(lines[at].lstrip())
    others = (n for n in range(at + 1, len(lines)) if lines[n].strip() and lines[n][: indent + 1].strip())
    gone = range(at, next(others, len(lines)))
    lines[at : gone.stop] = [""] * len(gone)
    return gone


class Repairs:
    """`lines` as YAML may read them; `edits`, by 0-based line, lead back to the columns of the source.

    Lines and columns are 0-based; what is reported carries the author's 1-based places.
    """

    def __init__(self, path: str, lines: Iterable[str]) -> None:
        self.path = path
        self.lines = list(lines)
        self.edits: dict[int, list[Edit]] = {}
        self.problems: list[Diagnostic] = []

    def replace(self, at: int, start: int, end: int, new: str) -> None:
        line = self.lines[at]
        self.lines[at] = line[:start] + new + line[end:]
        growth = len(new) - (end - start)
        if growth:
            self.edits.setdefault(at, []).append((min(end, start + len(new)), growth))

    def quote(self, at: int, start: int, end: int) -> None:
        line = self.lines[at]
        inner = line[start:end].replace("'", "''")
        self.lines[at] = f"{line[:start]}'{inner}'{line[end:]}"
        edits = self.edits.setdefault(at, [])
        edits.append((end, 1))
        edits.extend((place, 1) for place in range(end - 1, start - 1, -1) if line[place] == "'")
        edits.append((start, 1))

    def span(self, at: int, start: int, end: int) -> Span:
        edits = self.edits.get(at, ())
        first = original(edits, start)
        return Span(self.path, at + 1, first + 1, max(original(edits, end) - first, 0))

    def report(
        self,
        kind: diagnose.Kind[diagnose.P],
        at: int,
        place: tuple[int, int],
        *told: diagnose.P.args,
        **more: diagnose.P.kwargs,
    ) -> None:
        self.problems.append(kind(self.span(at, *place), *told, **more))
