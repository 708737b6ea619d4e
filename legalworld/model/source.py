"""Places in source text, and where text comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from .immutable import immutable


@immutable
class Span:
    """A stretch of one source line: 1-based line and column, length in code points (0 = a point)."""

    file: str
    line: int
    column: int
    length: int = 0

    def shifted(self, offset: int, length: int) -> Span:
        """The span of `length` code points that begins `offset` code points into this one."""
        return Span(self.file, self.line, self.column + offset, length)


Places = Mapping[str, tuple[Span, ...]]
"""Key of something that is written over several lines -> where what stands below it is written."""


class Written(Protocol):
    """Something of which it is known where it is written, and where each of its keys is."""

    @property
    def span(self) -> Span: ...

    @property
    def places(self) -> Places: ...


def place_of(what: Written, key: str, number: int = 0) -> Span:
    """Where what its author wrote below a key stands, the first word of it or another; else where all of it does."""
    found = what.places.get(key, ())
    return found[number] if number < len(found) else what.span


class Sources(Protocol):
    """Path -> text. Paths are POSIX and relative to the project root (`specs/civil.yaml`).

    The file system is one implementation, an editor's unsaved buffers another, a run folder's copies a third.
    """

    def read(self, path: str) -> str | None:
        """The text of one file, or None where there is none."""
        ...

    def names(self, folder: str) -> tuple[str, ...]:
        """Paths of all files below a folder, sorted."""
        ...


@immutable
class MemorySources:
    """Sources held in a mapping; for tests, editors, and the copies that a run folder keeps."""

    texts: Mapping[str, str]

    def read(self, path: str) -> str | None:
        return self.texts.get(path)

    def names(self, folder: str) -> tuple[str, ...]:
        prefix = folder.rstrip("/") + "/"
        return tuple(sorted(path for path in self.texts if path.startswith(prefix)))
