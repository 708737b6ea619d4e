"""Positions as editors count them, and as we do.

An editor counts units of an encoding (of UTF-16, unless it agreed to another) from 0; here lines and columns are
characters from 1. A byte order mark is a unit of the first line there, and no column here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from lsprotocol import types

from ..authoring.edits import LINE_END, Cursor, Edit, Region
from ..model.source import Span

_MARK: Final = "\ufeff"


class EditorPoint(Protocol):
    """A position, of whichever message."""

    @property
    def line(self) -> int: ...

    @property
    def character(self) -> int: ...


def _utf16(text: str) -> int:
    return len(text) + sum(character > "\uffff" for character in text)


def _utf8(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


UNITS: Final[Mapping[str, Callable[[str], int]]] = {"utf-16": _utf16, "utf-8": _utf8, "utf-32": len}
"""Encoding -> how many of its units a text takes."""


class Ruler:
    """The lines of one text, by which positions are converted both ways. A position beyond a line means its end."""

    def __init__(self, text: str, encoding: str = "utf-16") -> None:
        self.text = text
        self._units = UNITS[encoding]
        ends = [*LINE_END.finditer(text)]
        self._starts = [0, *(end.end() for end in ends)]
        self._ends = [*(end.start() for end in ends), len(text)]
        self._mark = int(text.startswith(_MARK))

    def offset(self, position: EditorPoint) -> int:
        """The offset of a position in the text; that before a character where it points into one."""
        if position.line < 0:
            return 0
        if position.line >= len(self._starts):
            return len(self.text)
        start, end = self._starts[position.line], self._ends[position.line]
        line = self.text[start:end]
        if line.isascii():
            return start + max(0, min(position.character, len(line)))
        left = position.character
        for at, character in enumerate(line):
            left -= self._units(character)
            if left < 0:
                return start + at
        return end

    def cursor(self, path: str, position: EditorPoint) -> Cursor:
        """The cursor at a position."""
        line = max(0, min(position.line, len(self._starts) - 1))
        column = self.offset(position) - self._starts[line] - (self._mark if line == 0 else 0)
        return Cursor(path, line + 1, max(0, column) + 1)

    def position(self, line: int, column: int) -> types.Position:
        """The position of a 1-based line and column."""
        if line > len(self._starts):
            line, column = len(self._starts), len(self.text)
        line = max(line, 1)
        start, end = self._starts[line - 1], self._ends[line - 1]
        skipped = self._mark if line == 1 else 0
        at = min(start + skipped + max(0, column - 1), end)
        return types.Position(line - 1, self._units(self.text[start:at]))

    def range(self, region: Region) -> types.Range:
        """The range of a region."""
        return types.Range(self.position(*region.first), self.position(*region.last))

    def marked(self, span: Span) -> types.Range:
        """The range of a span; where it is a point, to the end of its line, for nobody sees a point."""
        if span.length:
            return self.range(Region.of(span))
        line = max(1, min(span.line, len(self._starts)))
        last = self._ends[line - 1] - self._starts[line - 1] + 1
        return types.Range(self.position(line, min(span.column, last - 1)), self.position(line, last))

    def edit(self, edit: Edit) -> types.TextEdit:
        """An edit as editors make it."""
        return types.TextEdit(self.range(edit.region), edit.text)

    def changed(self, place: types.Range, new: str) -> str:
        """The text in which a range says something else."""
        start, end = sorted((self.offset(place.start), self.offset(place.end)))
        return self.text[:start] + new + self.text[end:]
