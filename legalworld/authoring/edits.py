"""Cursors and regions in a project's files, and edits of them as values: proved before they are given out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span

LINE_END: Final = re.compile(r"\r\n|\r|\n")


@immutable
class Cursor:
    """A point in a file: 1-based line and column, in code points, between the characters before and at the column."""

    path: str
    line: int
    column: int

    def within(self, span: Span) -> bool:
        """Whether the point lies in a span, its end included."""
        return (
            span.file == self.path
            and span.line == self.line
            and span.column <= self.column <= span.column + span.length
        )


@immutable
class Region:
    """A stretch of a file, over several lines where need be; `last` is behind its last character."""

    path: str
    first: tuple[int, int]
    last: tuple[int, int]

    @classmethod
    def of(cls, span: Span) -> Region:
        """The region of a span."""
        return cls(span.file, (span.line, span.column), (span.line, span.column + span.length))


@immutable
class Edit:
    """A region that is to say something else."""

    region: Region
    text: str


@immutable
class Edits:
    """Changes that belong together: all of them are made, or none.

    `why`: they are refused, and nothing is to be changed. `renames`: files that move, old path -> new path.
    """

    texts: tuple[Edit, ...] = ()
    renames: tuple[tuple[str, str], ...] = ()
    why: Diagnostic | None = None

    @property
    def files(self) -> tuple[str, ...]:
        """The files whose texts change."""
        return tuple(dict.fromkeys(edit.region.path for edit in self.texts))

    def applied(self, texts: Mapping[str, str]) -> dict[str, str]:
        """The texts of the files that change, changed."""
        return {path: rewritten(texts[path], [e for e in self.texts if e.region.path == path]) for path in self.files}


def rewritten(text: str, edits: Sequence[Edit]) -> str:
    """A text with some of its regions changed; they must not overlap."""
    starts = line_starts(text)
    places = sorted(
        (offset_of(starts, *edit.region.first), offset_of(starts, *edit.region.last), edit.text) for edit in edits
    )
    parts, at = [], 0
    for start, end, new in places:
        assert start >= at, "edits overlap"
        parts += [text[at:start], new]
        at = end
    return "".join((*parts, text[at:]))


def line_starts(text: str) -> list[int]:
    """The offset at which each line begins; a byte order mark counts for no column, so the first begins behind it."""
    return [int(text.startswith("\ufeff")), *(end.end() for end in LINE_END.finditer(text))]


def offset_of(starts: Sequence[int], line: int, column: int) -> int:
    """The offset of a 1-based line and column."""
    return starts[line - 1] + column - 1
