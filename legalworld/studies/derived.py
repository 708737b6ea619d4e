"""Cells that are reckoned from finished cells: means of columns, means of lines of other tables, shares."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

from ..evaluation.metrics.values import Value, average, number
from ..model.immutable import replace
from .cells import FilledTable, Place, StudyCell
from .definition import StudyColumn, StudyTable
from .layout import TableLine

NOTHING = "nothing"
"""The gap of a cell that its line does not ask for, such as the first instance of what only an appeal has."""

Cells = Mapping[Place, StudyCell]


def derived_cells(
    table: StudyTable, lines: Sequence[TableLine], cells: Cells, other: Callable[[str], FilledTable] | None
) -> dict[Place, StudyCell]:
    """Return the cells of columns that are made of others. `other`: gives the tables of which some are taken."""
    found: dict[Place, StudyCell] = {}
    for place, line in enumerate(lines):
        for column in table.columns if not line.heading else ():
            if column.mean_of:
                found[place, column.name] = _mean_of(place, column, cells)
            elif column.from_table and other is not None:
                found[place, column.name] = _from_line(other(column.from_table), column, line)
    return found


def _mean_of(place: int, column: StudyColumn, cells: Cells) -> StudyCell:
    """The mean of finished cells. What the line does not ask for is left out; where another lacks, there is none, as
    that of the others says another thing."""
    parts = {name: cells[place, name] for name in column.mean_of if (place, name) in cells}
    asked = {name: cell for name, cell in parts.items() if cell.gap != NOTHING}
    return _mean(asked) if asked else StudyCell(gap=NOTHING)


def _from_line(other: FilledTable, column: StudyColumn, line: TableLine) -> StudyCell:
    label = column.from_line.replace("{row}", line.label)
    place = next((number_of for number_of, one in enumerate(other.lines) if one.label == label), -1)
    if place < 0:
        return StudyCell(gap="parts", what=f"{other.table.name}: {label}")
    one = column.from_column
    if one:
        return replace(other.cells[place, one], printed="", mark=0, p=None, adjusted=None)
    return _mean({name: cell for (where, name), cell in other.cells.items() if where == place})


def _mean(parts: Mapping[str, StudyCell]) -> StudyCell:
    lacking = [name for name, cell in parts.items() if cell.value is None]
    if lacking or not parts:
        return StudyCell(gap="parts", what=", ".join(lacking))
    values: list[Value] = [cell.value for cell in parts.values() if cell.value is not None]
    least = min(cell.n for cell in parts.values())
    return StudyCell(number(average(values).value), n=least, runs=sum(cell.runs for cell in parts.values()))


def shares(table: StudyTable, cells: Cells) -> dict[Place, StudyCell]:
    """Return the cells that are told in percent of their row or column; none where a part of it lacks."""
    found: dict[Place, StudyCell] = {}
    for column in table.columns:
        for key, cell in cells.items() if column.share_of else ():
            if key[1] == column.name:
                found[key] = _share(cell, tuple(_together(table, column, key, cells)))
    return found


def _together(table: StudyTable, column: StudyColumn, key: Place, cells: Cells) -> Iterator[StudyCell]:
    """The cells of which one is a part."""
    if column.share_of == "column":
        yield from (cell for (_, name), cell in cells.items() if name == column.name)
    else:
        names = {one.name for one in table.columns if one.share_of == "row"}
        yield from (cell for (place, name), cell in cells.items() if place == key[0] and name in names)


def _share(cell: StudyCell, whole: Sequence[StudyCell]) -> StudyCell:
    asked = [one for one in whole if one.gap != NOTHING]
    if cell.value is None:
        return cell
    total = math.fsum(one.value for one in asked if one.value is not None)
    if any(one.value is None for one in asked) or not total:
        return replace(cell, value=None, gap="parts", what="", mean=None, low=None, high=None)
    return replace(cell, value=100 * cell.value / total, mean=None, low=None, high=None)
