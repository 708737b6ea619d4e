"""A filled table as charts: shares as bars, figures with their intervals as points, and lines over its rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..publication.chart_parts import Chart
from ..publication.lines import LineSeries, lines
from ..publication.plots import Bar, ChartRow, bars, differences, distribution
from .cells import FilledTable, StudyCell
from .definition import StudyColumn

HEAT_MAP = "heat map"


def charts_of(filled: FilledTable, name: str) -> tuple[Chart, ...]:
    """Return what a table is drawn as; nothing where it is drawn as itself. `name`: of their files."""
    match filled.table.draw:
        case "bars":
            return tuple(_bars(filled, name))
        case "dots":
            return tuple(_points(filled, name))
        case "lines":
            return (_lines(filled, name),)
        case _:
            return ()


def shades(filled: FilledTable) -> Mapping[tuple[int, str], float]:
    """Return how dark each cell of a heat map is, from the least figure of the table (0) to its greatest (1)."""
    if filled.table.draw != HEAT_MAP:
        return {}
    values = {key: cell.value for key, cell in filled.cells.items() if cell.value is not None}
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    return {key: (value - low) / (high - low) if high > low else 0.5 for key, value in values.items()}


def _shown(cell: StudyCell, column: StudyColumn) -> str:
    return "–" if cell.value is None else f"{cell.value:.{column.digits}f}"


def _cells(filled: FilledTable, column: StudyColumn) -> Iterator[tuple[str, StudyCell]]:
    """The cells of a column, each with what its line is called."""
    for place, line in enumerate(filled.lines):
        if not line.heading:
            yield line.label, filled.cells[place, column.name]


def _bars(filled: FilledTable, name: str) -> Iterator[Chart]:
    for column in filled.table.columns:
        rows = [
            Bar(label, ((column.name, cell.value / 100),) if cell.value is not None else (), _shown(cell, column))
            for label, cell in _cells(filled, column)
        ]
        yield bars(f"{name}-{column.name}", f"{filled.table.title} · {column.name}", rows)


def _points(filled: FilledTable, name: str) -> Iterator[Chart]:
    for column in filled.table.columns:
        rows = []
        for number, (label, cell) in enumerate(_cells(filled, column)):
            ends = (cell.low, cell.high)
            faint = column.compares and not cell.significant
            rows.append(ChartRow(label, cell.value, *ends, _shown(cell, column), colour=number, faint=faint))
        head = (f"{name}-{column.name}", f"{filled.table.title} · {column.name}", rows)
        yield differences(*head) if column.compares else distribution(*head)


def _lines(filled: FilledTable, name: str) -> Chart:
    """A line for each column, over the rows in their order."""
    labels = [line.label for line in filled.lines if not line.heading]
    series = [
        LineSeries(column.name, tuple(cell.value for _, cell in _cells(filled, column)))
        for column in filled.table.columns
    ]
    return lines(name, filled.table.title, labels, series)
