"""Which line is out of place where one fits nothing above it: found by moving each that may be, and reading again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from .parser import first_fault
from .values import BLANK, COMMENT, indent_of, is_dash

_FARTHEST: Final = 4
"""Columns by which a line is moved to see if it fits; one level of a list of steps."""

_AHEAD: Final = 60
"""Lines below that are read again: what a line upsets begins soon behind it."""


_BESIDE: Final = 12
"""Lines below that are looked at to see if they begin as others of their kind do."""


class Misplaced(NamedTuple):
    """A line that is out of place, and the columns where it may belong (all 0-based)."""

    line: int
    columns: tuple[int, ...]


class _Mark(NamedTuple):
    """How good a move is: the more the better, one after the other."""

    reached: int  # the first line that fits nothing after it
    even: int  # lines that begin unlike others of their kind, as a negative number
    alike: int  # of the lines beside it
    itself: bool
    near: int


def out_of_place(lines: Sequence[str], at: int, columns: Iterable[int]) -> Misplaced | None:
    """Find the line whose move lets most of what follows fit: the one at `at`, moved to one of `columns`, the line
    above, the one that it belongs to, or the first of the block.

    Where several do, it is the one after whose move the fewest lines around begin unlike others of their kind in the
    file, then the one that begins like its neighbours. None where moving none of them helps.
    """
    lines = lines[: at + _AHEAD]
    tried, others = [(at, column) for column in columns], _others(lines, at)
    for number in others:
        begins = indent_of(lines[number])
        tried += [(number, begins + by) for by in range(-_FARTHEST, _FARTHEST + 1) if by and begins + by >= 0]
    usual, before = _usual(lines), first_fault("\n".join(lines))
    around = range(min((at, *others)), min(at + _BESIDE, len(lines)))
    marks: dict[tuple[int, int], _Mark] = {}
    for number, column in tried:
        moved = [*lines[:number], " " * column + lines[number].lstrip(BLANK), *lines[number + 1 :]]
        odd = sum(_says_something(moved[n]) and _step(moved, n) not in usual for n in around)
        near = -abs(column - indent_of(lines[number]))
        marks[number, column] = _Mark(first_fault("\n".join(moved)), -odd, _alike(moved, number), number == at, near)
    (number, column), best = max(marks.items(), key=lambda found: found[1])
    if best.reached <= before:
        return None
    fitting = [moved[1] for moved, mark in marks.items() if number == moved[0] == at and mark[:3] == best[:3]]
    return Misplaced(number, tuple(fitting) or (column,))


def _alike(lines: Sequence[str], at: int) -> int:
    """How many of the two lines beside one begin in its column."""
    beside = (range(at - 1, -1, -1), range(at + 1, len(lines)))
    nearest = (next((lines[n] for n in numbers if _says_something(lines[n])), "") for numbers in beside)
    return sum(bool(line) and indent_of(line) == indent_of(lines[at]) for line in nearest)


def _others(lines: Sequence[str], at: int) -> list[int]:
    """The line above, and the first line of the block that ends or goes on here."""
    above = next((n for n in range(at - 1, -1, -1) if _says_something(lines[n])), None)
    if above is None:
        return []
    opener = _opener(lines, at, min(indent_of(lines[at]), indent_of(lines[above])))
    first = next((n for n in range(opener + 1, at) if _says_something(lines[n])), above)
    inner = _opener(lines, at, indent_of(lines[at]))
    return [n for n in sorted({above, first, inner}) if n >= 0 and indent_of(lines[n])]  # what is not indented is right


def _opener(lines: Sequence[str], at: int, begins: int) -> int:
    """The nearest line above that begins further left, -1 for none."""
    return next((n for n in range(at - 1, -1, -1) if _says_something(lines[n]) and indent_of(lines[n]) < begins), -1)


def _says_something(line: str) -> bool:
    return bool(line.strip(BLANK)) and not COMMENT.match(f" {line.lstrip(BLANK)}")


def _step(lines: Sequence[str], at: int) -> tuple[bool, int]:
    """Whether a line is an item, and how far it begins behind the text of the line that it belongs to."""
    begins = indent_of(lines[at])
    opener = _opener(lines, at, begins)
    if opener < 0:
        return is_dash(lines[at], begins), begins
    around = indent_of(lines[opener])
    return is_dash(lines[at], begins), begins - around - (2 if is_dash(lines[opener], around) else 0)


def _usual(lines: Sequence[str]) -> set[tuple[bool, int]]:
    """The steps that lines take in a file: items the commonest one, keys the two (below a key, and in an item)."""
    found = Counter(_step(lines, n) for n, line in enumerate(lines) if _says_something(line))
    items = Counter({step: n for step, n in found.items() if step[0]}).most_common(1)
    keys = Counter({step: n for step, n in found.items() if not step[0]}).most_common(2)
    return {step for step, _ in (*items, *keys)}
