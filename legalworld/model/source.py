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
