"""The layout of a spec file: indentation, columns of the matrix, long brackets; only blanks and line ends are moved.

Lines are moved by what stands on them: an entry stands two columns inside of what it belongs to; what goes on
(brackets, quotations, blocks of text) moves along with the line where it begins; a comment stands as what follows it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, Literal

from wcwidth import wcswidth

from ..language.surfaces import canonical
from ..language.yaml.parser import events
from ..model.immutable import immutable

WIDEST: Final = 120
STEP: Final = 2
_NOTE: Final = re.compile(r"(?<=\|)[ \t]+#[^|]*$")
_RULE: Final = re.compile(r":?-+:?")
_DASHES: Final = re.compile(r" *(?:- +)*(?:-$)?")


@immutable
class FlowExtent:
    """Brackets that begin and end on one line, outermost: 0-based columns, and where each entry in them begins."""

    first: int
    last: int
    entries: tuple[int, ...]


@dataclass
class Extents:
    """Where things lie, by 0-based lines: `runs_on`: line -> the line where it began; `blocks`: first and last line of
    the text of a block -> its header; `keyed`: header of a block -> its key; `brackets` by line."""

    runs_on: dict[int, int] = field(default_factory=dict)
    blocks: dict[tuple[int, int], int] = field(default_factory=dict)
    keyed: dict[int, tuple[str, int]] = field(default_factory=dict)
    brackets: dict[int, list[FlowExtent]] = field(default_factory=dict)


def laid_out(text: str) -> str:
    """A text that reads well as YAML, laid out anew. Its line ends and byte order mark stay."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    end = "\r\n" if "\r\n" in text else "\n"
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    lines = _broken(_aligned(_indented(lines)))
    while len(lines) > 1 and not lines[-1].strip() and not lines[-2].strip() and not _ends_in_block(lines):
        lines.pop()
    if lines[-1].strip() and not _ends_in_block(lines):
        lines.append("")
    return mark + end.join(lines)


def _ends_in_block(lines: Sequence[str]) -> bool:
    """Whether the last thing in a file is a block of text, to which blank lines may belong."""
    written = max((at for at, line in enumerate(lines) if line.strip()), default=0)
    return any(last >= written or first > written for first, last in extents(lines).blocks)


# ---- where things lie ------------------------------------------------------------------------------------------------


def extents(lines: Sequence[str]) -> Extents:
    """Where blocks, quotations and brackets of a file lie."""
    found, key = Extents(), ("", -1)
    stack: list[tuple[int, int, list[int], bool]] = []
    for event in events("\n".join(lines)):
        name, start, end = type(event).__name__, event.start_mark, event.end_mark
        if name in ("ScalarEvent", "MappingStartEvent", "SequenceStartEvent") and stack and stack[-1][3]:
            stack[-1][2].append(start.column if start.line == stack[-1][0] else -1)
        if name in ("MappingStartEvent", "SequenceStartEvent"):
            stack.append((start.line, start.column, [], bool(event.flow_style)))
        elif name in ("MappingEndEvent", "SequenceEndEvent"):
            line, column, entries, flow = stack.pop()
            if flow and not any(above[3] for above in stack):
                _note(found, line, end.line)
                if end.line == line:
                    found.brackets.setdefault(line, []).append(_bracket(name, column, end.column, entries))
        elif name == "ScalarEvent" and event.style in ("|", ">"):
            last = end.line if end.line < len(lines) and lines[end.line][: end.column].strip() else end.line - 1
            found.blocks[start.line + 1, last] = start.line
            found.keyed[start.line] = key
        elif name == "ScalarEvent":
            _note(found, start.line, end.line if event.style else start.line)
            key = (event.value, start.column)
    return found


def _bracket(name: str, first: int, last: int, entries: list[int]) -> FlowExtent:
    """Keys and values of a mapping come by turns; of it the keys begin an entry."""
    return FlowExtent(first, last, tuple(entries[:: 2 if name[0] == "M" else 1]))


def _note(found: Extents, first: int, last: int) -> None:
    for line in range(first + 1, last + 1):
        found.runs_on.setdefault(line, first)


# ---- indentation -----------------------------------------------------------------------------------------------------


@immutable
class _Level:
    old: int
    kind: Literal["map", "list"]
    new: int


def _indented(lines: list[str]) -> list[str]:
    """The lines with their indentation made even."""
    where = extents(lines)
    block_lines = {
        at: (head, first, last) for (first, last), head in where.blocks.items() for at in range(first, last + 1)
    }
    levels: list[_Level] = []
    moved: dict[int, int] = {}
    made: list[str] = []
    comments: list[int] = []
    for at, line in enumerate(lines):
        bare = line.strip(" ")
        if at in block_lines:
            made.append(line)
        elif at in where.runs_on:
            made.append(_shifted(line, moved.get(where.runs_on[at], 0)).rstrip(" "))
        elif not bare or bare[0] == "#":
            comments.append(at)
            made.append(bare)
            continue
        else:
            before = len(line) - len(line.lstrip(" "))
            text = _structural(line, levels).rstrip(" ")
            made.append(text)
            moved[at] = len(text) - len(line.rstrip(" "))
            shift = len(text) - len(text.lstrip(" ")) - before
            _comments(lines, made, comments, shift)
        if at not in block_lines:
            comments.clear()
    for (first, last), head in where.blocks.items():
        _block(lines, made, (first, last), head)
    for at in comments:
        made[at] = lines[at].rstrip(" ")
    return made


def _comments(lines: list[str], made: list[str], comments: list[int], shift: int) -> None:
    """Comments above a line move as it does."""
    for at in comments:
        made[at] = _shifted(lines[at], shift).rstrip(" ")


def _shifted(line: str, shift: int) -> str:
    """A line moved to the right, or to the left as far as there are blanks."""
    if not line.strip():
        return ""
    blanks = len(line) - len(line.lstrip(" "))
    return " " * max(blanks + shift, 0) + line.lstrip(" ")


def _structural(line: str, levels: list[_Level]) -> str:
    """A line that begins an entry, at its place; `levels` are what is open."""
    match = _DASHES.match(line)
    start = match.end() if match else 0
    prefix, new = "", 0
    for column in (at for at, sign in enumerate(line[:start]) if sign == "-"):
        level = _opened(levels, column, "list")
        prefix += " " * (level.new - len(prefix)) + "-"
        new = level.new
    rest = line[start:]
    if not rest:
        return prefix
    if _is_key(rest):
        new = _opened(levels, start, "map").new
    elif prefix:
        new += STEP
    elif levels:
        new = levels[-1].new + STEP  # the value of a key, on a line of its own
    return prefix + " " * (new - len(prefix)) + rest


def _is_key(rest: str) -> bool:
    """Whether a text begins with a key of a block: brackets and quotations may stand for values."""
    if rest[0] in "\"'":
        quoted = re.match(r'"(?:[^"\\]|\\.)*"|\'(?:[^\']|\'\')*\'', rest)
        return quoted is not None and re.match(r" *:(?= |$)", rest[quoted.end() :]) is not None
    if rest[0] in "{[":
        return False
    return re.search(r":(?= |$)", re.split(r" #", rest)[0]) is not None


def _opened(levels: list[_Level], column: int, kind: Literal["map", "list"]) -> _Level:
    """The collection whose entries stand at a column, opened where it is not open yet."""
    while levels and (
        levels[-1].old > column or (levels[-1].old == column and levels[-1].kind == "list" and kind == "map")
    ):
        levels.pop()
    if levels and levels[-1].old == column and levels[-1].kind == kind:
        return levels[-1]
    levels.append(_Level(column, kind, levels[-1].new + STEP if levels else 0))
    return levels[-1]


def _block(lines: list[str], made: list[str], body: tuple[int, int], head: int) -> None:
    """The text of a block, moved so that its edge stands inside of its key; with an indentation that its author gives,
    as its key moves."""
    first, last = body
    blanks = [len(line) - len(line.lstrip(" ")) for line in lines[first : last + 1] if line.strip(" ")]
    old = len(lines[head]) - len(lines[head].lstrip(" "))
    new = len(made[head]) - len(made[head].lstrip(" "))
    given = re.search(r"[|>][+-]?\d[+-]?(?= *(?: #.*)?$)|[|>]\d", lines[head])
    if not blanks:
        return
    inside = new + STEP * (1 + made[head].lstrip(" ").startswith("- "))
    shift = new - old if given else inside - blanks[0]
    for at in range(first, last + 1):
        line = lines[at]
        beyond = len(line) > blanks[0] and not line.strip(" ")  # blanks that belong to the text
        made[at] = " " * (len(line) + shift) if beyond else _shifted(line, shift)


# ---- the matrix ------------------------------------------------------------------------------------------------------


def _aligned(lines: list[str]) -> list[str]:
    """The lines with the columns of each matrix of visibility as wide as their widest cell."""
    where = extents(lines)
    made = list(lines)
    for (first, last), head in where.blocks.items():
        key, column = where.keyed[head]
        if canonical(key) == "visibility" and column == 0:
            made[first : last + 1] = _table(lines[first : last + 1])
    return made


def _table(rows: Sequence[str]) -> list[str]:
    notes = [_NOTE.search(row) for row in rows]
    bare = [row[: note.start()] if note else row for row, note in zip(rows, notes, strict=True)]
    cells = [row.strip()[1:-1].split("|") if _is_row(row) else [] for row in bare]
    count = max(map(len, cells), default=0)
    if not count or any(row.strip() and len(found) != count for row, found in zip(bare, cells, strict=True)):
        return list(rows)
    words = [[cell.strip() for cell in found] for found in cells]
    widths = [max((_width(row[at]) for row in words if row and not _is_rule(row)), default=1) for at in range(count)]
    edge = next((len(row) - len(row.lstrip(" ")) for row in bare if _is_row(row)), 0)
    return [
        _row(row, widths, edge) + (f"  {note[0].strip()}" if note else "") if row else rows[at].rstrip()
        for at, (row, note) in enumerate(zip(words, notes, strict=True))
    ]


def _row(words: Sequence[str], widths: Sequence[int], edge: int) -> str:
    if _is_rule(words):
        return " " * edge + "|" + "|".join("-" * (width + 2) for width in widths) + "|"
    cells = (f" {word}{' ' * (width - _width(word))} " for word, width in zip(words, widths, strict=True))
    return " " * edge + "|" + "|".join(cells) + "|"


def _is_row(row: str) -> bool:
    bare = row.strip()
    return len(bare) > 1 and bare[0] == "|" and bare[-1] == "|"


def _is_rule(words: Sequence[str]) -> bool:
    """Whether a row is the line below the header; no label of a row is a dash."""
    return all(_RULE.fullmatch(word) for word in words)


def _width(text: str) -> int:
    """Columns of a terminal."""
    width = wcswidth(text)
    return width if width >= 0 else len(text)


# ---- long lines ------------------------------------------------------------------------------------------------------


def _broken(lines: list[str]) -> list[str]:
    """The lines with brackets that make one too long broken behind their commas."""
    where = extents(lines)
    made: list[str] = []
    for at, line in enumerate(lines):
        brackets = where.brackets.get(at, [])
        if len(brackets) == 1 and _width(line) > WIDEST and at not in where.runs_on and -1 not in brackets[0].entries:
            made += _filled(line, brackets[0])
        else:
            made.append(line)
    return made


def _filled(line: str, bracket: FlowExtent) -> Iterator[str]:
    """A line broken before entries of its brackets, each part as long as may be."""
    edge = " " * (bracket.first + 1)
    starts = [*bracket.entries, len(line)]
    current = line[: starts[0]] if bracket.entries else line
    for start, end in pairwise(starts):
        piece = line[start:end]
        if _width(current + piece.rstrip()) > WIDEST and current.strip() and start != starts[0]:
            yield current.rstrip()
            current = edge
        current += piece
    yield current.rstrip()
