"""The cells of a table: a figure each, or the reason why there is none; and a table with its lines, filled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Any

from ..evaluation.metrics.statistics import SIGNIFICANT, Mean
from ..model.immutable import immutable
from .definition import StudyTable
from .layout import TableLine

Place = tuple[int, str]
"""The number of a line, and the name of a column."""


@immutable
class StudyCell:
    """`value`: as shown; `gap`: in a word why there is none, `what`: what is lacking. `mean`: of the scores behind it;
    `n`: clusters of cases; `p` of the test, `adjusted` as one of its family; `printed`: what the paper prints there;
    `spread`: standard deviation of the differences of clusters; `alone`: pairs of which one side lacks."""

    value: float | None = None
    gap: str = ""
    what: str = ""
    mean: Mean | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    runs: int = 0
    uneven: int = 0
    p: float | None = None
    adjusted: float | None = None
    printed: str = ""
    mark: int = 0
    spread: float | None = None
    alone: int = 0

    @property
    def significant(self) -> bool:
        """Whether the test of the cell, as one of its family, tells a difference."""
        return self.adjusted is not None and self.adjusted < SIGNIFICANT


@immutable
class FilledTable:
    """A table with its lines; `cells`: (number of the line, name of the column) -> its cell."""

    table: StudyTable
    lines: tuple[TableLine, ...]
    cells: Mapping[tuple[int, str], StudyCell] = field(default_factory=dict)

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield a row of CSV and JSON for each cell."""
        for number_of, line in enumerate(self.lines):
            for column in self.table.columns if not line.heading else ():
                cell = self.cells[number_of, column.name]
                sd = cell.mean.deviation if cell.mean is not None else None
                told = {"row": line.label, "column": column.name, "value": cell.value, "sd": sd, "low": cell.low}
                told |= {"high": cell.high, "n": cell.n, "runs": cell.runs, "p": cell.p, "adjusted": cell.adjusted}
                yield told | {"printed": cell.printed, "gap": cell.gap, "what": cell.what}
