"""A procedure with all that it extends and includes, written as one spec: each line with the place it came from."""

from __future__ import annotations

import json
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, NamedTuple
from unicodedata import east_asian_width

from ...model.procedure import Procedure
from ...model.source import Sources, Span
from ..schema import SpecSurface
from ..surface_reader import SurfaceReader
from ..surfaces import canonical
from ..yaml.nodes import ListNode, MapEntry, MapNode, Node, Scalar
from . import steps, visibility
from .files import SpecFiles
from .inherit import inherit
from .linker import Spec, context_of, link, whole
from .places import items

_ORDER: Final = tuple(SpecSurface.__annotations__)
_MATRIX: Final = "visibility"


class ExpandedLine(NamedTuple):
    """A line of the spec; `origins`: where it was written, nowhere for what goes on from the line before."""

    text: str
    origins: tuple[Span, ...] = ()


def expanded(sources: Sources, path: str) -> tuple[ExpandedLine, ...]:
    """The procedure at a path, which is known to link, as one file without `extends`, `changes` and `include`."""
    procedure = link(sources, path).procedure
    reader = SurfaceReader()
    files = SpecFiles(sources, reader)
    files.add(path, Span(path, 1, 1))
    spec = whole(files, reader)
    assert spec is not None and procedure is not None
    root = spec.heritage.root if len(files.generations) > 1 else inherit(files.generations, reader).root
    sections = {canonical(entry.key.text): entry for entry in root.entries}
    if "skills" in sections:  # without those that were for stages that were removed
        sections["skills"] = _listed(sections["skills"], procedure.skills)
    if "answers" in sections:  # without inherited titles of what only removed steps asked
        sections["answers"] = _asked(sections["answers"], procedure)
    lines: list[ExpandedLine] = []
    for key in _ORDER:
        section = (
            tuple(_entry(sections[key], "")) if key in sections else _matrix(spec, reader) if key == _MATRIX else ()
        )
        lines += (ExpandedLine(""), *section) if len(section) > 1 else section
    return tuple(lines)


def _listed(entry: MapEntry, kept: Container[str]) -> MapEntry:
    """A list less what is not kept."""
    left = tuple(each for each in items(entry.value) if not isinstance(each, Scalar) or each.text in kept)
    return MapEntry(entry.key, ListNode(left, entry.value.span)) if left != items(entry.value) else entry


def _asked(entry: MapEntry, procedure: Procedure) -> MapEntry:
    """The titles of answers less those taken over that are of no use any more; titles of one's own are left."""
    assert isinstance(entry.value, MapNode)
    used = {*procedure.answers, *(name for decision in procedure.decisions.values() for name in decision.names)}
    left = tuple(
        each for each in entry.value.entries if each.key.text in used or each.key.span.file not in procedure.inherited
    )
    return MapEntry(entry.key, replace(entry.value, entries=left))


# ---- nodes -----------------------------------------------------------------------------------------------------------
def _entry(entry: MapEntry, indent: str) -> Iterator[ExpandedLine]:
    """A key with what stands behind or below it."""
    key, value = _written(entry.key), entry.value
    inline = _inline(value)
    if inline is not None:
        yield ExpandedLine(
            f"{indent}{key}:{' ' if inline else ''}{inline}", (value.span if inline else entry.key.span,)
        )
    elif isinstance(value, Scalar):
        yield ExpandedLine(f"{indent}{key}: |{'' if value.text.endswith(chr(10)) else '-'}", (entry.key.span,))
        yield from (ExpandedLine(f"{indent}  {line}".rstrip()) for line in value.text.removesuffix("\n").split("\n"))
    else:
        yield ExpandedLine(f"{indent}{key}:", (entry.key.span,))
        yield from _block(value, indent + "  ")


def _block(node: Node, indent: str) -> Iterator[ExpandedLine]:
    """The entries of a mapping, or the items of a list, a line or more for each."""
    if isinstance(node, MapNode):
        for entry in node.entries:
            yield from _entry(entry, indent)
        return
    assert isinstance(node, ListNode)
    for item in node.items:
        inline = _inline(item)
        if inline is not None:
            yield ExpandedLine(f"{indent}- {inline}", (item.span,))
            continue
        first, *rest = _block(item, indent + "  ")
        yield ExpandedLine(f"{indent}- {first.text.lstrip()}", first.origins)
        yield from rest


def _inline(node: Node) -> str | None:
    """What stands on one line: a text, or brackets that held theirs on one line of their file; else None."""
    if isinstance(node, Scalar):
        return None if node.style == "block" and not node.text.startswith(" ") else _written(node)
    if isinstance(node, MapNode):
        if not node.entries:
            return "{}"
        parts = [(entry.key, _inline(entry.value)) for entry in node.entries]
        if node.span.column >= node.entries[0].key.span.column or not _on_one_line(node):
            return None
        return "{" + ", ".join(f"{_written(key)}: {value}".rstrip() for key, value in parts) + "}"
    if not node.items:
        return "[]"
    if node.span.length < 2 or not _on_one_line(node):
        return None
    return "[" + ", ".join(_inline(item) or '""' for item in node.items) + "]"


def _on_one_line(node: Node) -> bool:
    """Whether brackets and all in them stand on one line of one file."""
    inside = {(span.file, span.line) for span in _spans(node)}
    return len(inside) == 1


def _spans(node: Node) -> Iterator[Span]:
    yield node.span
    for item in node.items if isinstance(node, ListNode) else ():
        yield from _spans(item)
    for entry in node.entries if isinstance(node, MapNode) else ():
        yield entry.key.span
        yield from _spans(entry.value)


def _written(scalar: Scalar) -> str:
    return scalar.text if scalar.style == "plain" else json.dumps(scalar.text, ensure_ascii=False)


# ---- the matrix ------------------------------------------------------------------------------------------------------
class _Row(NamedTuple):
    """A row of the one matrix: its label, and by stage what is granted."""

    label: str
    cells: Mapping[str, str]
    origins: tuple[Span, ...]


def _matrix(spec: Spec, reader: SurfaceReader) -> tuple[ExpandedLine, ...]:
    """All matrices as one table; columns that say the same throughout are one."""
    context = context_of(spec, reader)
    steps.stages(context, tuple(stage for surface in spec.surfaces for stage in surface.stages))  # for their answers
    merged: list[_Row] = []
    for row in visibility.rows(context, spec.heritage):
        cells = {stage.text: cell.text for column, cell in row.cells for stage in column if cell.text not in ("", "-")}
        label = " ".join(row.written.text.split())
        same = (at for at, other in enumerate(merged) if other.label == label and not other.cells.keys() & cells.keys())
        at = next(same, None)
        if at is None:
            merged.append(_Row(label, cells, (row.written.span,)))
        else:
            both, origins = {**merged[at].cells, **cells}, (*merged[at].origins, row.written.span)
            merged[at] = _Row(label, both, origins if cells else merged[at].origins)
    tables = tuple(table.span for generation in spec.heritage.matrices for table in generation.tables)
    if not tables:
        return ()
    columns = _columns(context.names.stages, merged)
    header = ["", *(",".join(column) for column in columns)]
    rows = [[row.label, *(row.cells.get(column[0], "-") for column in columns)] for row in merged]
    widths = [max(map(_width, words)) for words in zip(header, *rows, strict=True)]
    return (
        ExpandedLine(f"{_MATRIX}: |", tables),
        ExpandedLine(_ruled(header, widths)),
        ExpandedLine("  |" + "|".join("-" * (width + 2) for width in widths) + "|"),
        *(ExpandedLine(_ruled(words, widths), row.origins) for words, row in zip(rows, merged, strict=True)),
    )


def _columns(stages: Iterable[str], rows: list[_Row]) -> list[list[str]]:
    """The stages in which anybody sees anything, those alike that follow one another in one column."""
    columns: list[list[str]] = []
    for stage in (stage for stage in stages if any(stage in row.cells for row in rows)):
        if columns and all(row.cells.get(stage) == row.cells.get(columns[-1][-1]) for row in rows):
            columns[-1].append(stage)
        else:
            columns.append([stage])
    return columns


def _ruled(words: list[str], widths: list[int]) -> str:
    cells = (f" {word}{' ' * (width - _width(word))} " for word, width in zip(words, widths, strict=True))
    return "  |" + "|".join(cells) + "|"


def _width(text: str) -> int:
    """Columns of a terminal."""
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in text)
