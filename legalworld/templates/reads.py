"""What a template reads, includes and looks up, and what is known of its values without running it."""

from __future__ import annotations

from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from .shapes import Entries, Parts, Shape

Path = tuple[str, ...]


@immutable
class PathRead:
    """A path that a template reads: ("own", "facts", "[]", "value"), where "[]" is any entry of a list.

    `span` is where it is read first; `printed` says that it must be a text, somewhere in this template; `written_in`:
    the sign of a currency with which it is written as money.
    """

    path: Path
    span: Span
    printed: bool = False
    written_in: str = ""

    def also(self, other: PathRead) -> PathRead:
        """Return what is known of a path that is read in two places, the first of them being this one."""
        if (other.printed, other.written_in) in ((self.printed, self.written_in), (False, "")):
            return self
        return PathRead(self.path, self.span, self.printed or other.printed, self.written_in or other.written_in)


@immutable
class Included:
    name: str
    span: Span


@immutable
class TableRead:
    """A table of figures that a filter goes by; `entry`: the list of words in it, where it has such."""

    name: str
    span: Span
    entry: str = ""


@immutable
class Findings:
    """What is wrong with one template; what it reads and includes, in order."""

    problems: tuple[Diagnostic, ...]
    uses: tuple[PathRead | Included | TableRead, ...]


@immutable
class KnownValue:
    """What is known of an expression's value without running it. Several `paths` when it may be one or the other.

    `of` is what its entries are, for a list that was made by a filter.
    """

    shape: Shape
    paths: tuple[Path, ...] = ()
    of: KnownValue | None = None

    def __or__(self, other: KnownValue) -> KnownValue:
        shape = self.shape if self.shape == other.shape else "any"
        of = self.entry() | other.entry() if self.of or other.of else None
        return KnownValue(shape, tuple(dict.fromkeys(self.paths + other.paths)), of)

    def entry(self) -> KnownValue:
        """An entry of this list."""
        if self.of is not None:
            return self.of
        shape = self.shape.of if isinstance(self.shape, Entries) else "any"
        return KnownValue(shape, tuple((*path, "[]") for path in self.paths))

    def part(self, key: str | int) -> KnownValue | None:
        """What is under a key of this record or at a place in this list; None where there can be no such thing."""
        if isinstance(key, int):
            return self.entry() if self.shape == "any" or isinstance(self.shape, Entries) else None
        shape: Shape | None = None
        if isinstance(self.shape, Parts):
            shape = self.shape.named.get(key, self.shape.rest)
        elif self.shape == "any":
            shape = "any"
        if shape is None or key.startswith("_"):
            return None
        return KnownValue(shape, tuple((*path, key) for path in self.paths))
