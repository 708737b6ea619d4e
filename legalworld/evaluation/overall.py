"""A benchmark of several rubrics as one figure: the mean of its columns, as J1-Eval ranks models over its environments.

The columns are the formulas that bear the name of the benchmark as their `group`, each in hundredths of its range.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ..files.project_files import Disk, find_root
from ..model.immutable import immutable
from ..wording import sentences
from ..wording.columns import table
from .metrics.values import MissingScore, Reason, Value, mean_of, number, shown
from .report import Report
from .report_text import model_name
from .rubric.definition import Rubric
from .rubric.load import read_rubric


@immutable
class OverallRow:
    """A model. `columns`: rubric and formula -> hundredths and cases; `value`: their mean, none where a column has no
    figure: an environment that was not played is no 0, and what is left is easier or harder than the whole."""

    model: str
    columns: Mapping[tuple[str, str], tuple[Value, int]]
    value: Value


def members(group: str, cwd: Path) -> tuple[Rubric, ...]:
    """The rubrics of the project that have formulas of a group, by name."""
    return tuple(one for one in _rubrics(cwd) if any(formula.group == group for formula in one.formulas.values()))


def _rubrics(cwd: Path) -> Iterator[Rubric]:
    disk = Disk(find_root(cwd))
    for file in sorted(disk.names("rubrics")):
        rubric = read_rubric(disk, file)[0] if file.endswith(".yaml") else None
        if rubric is not None:
            yield rubric


def overall(reports: Sequence[Report], group: str) -> tuple[OverallRow, ...]:
    """A row for each model, the best first. Every report is on one rubric and of one condition, or empty."""
    models = dict.fromkeys(model for one in reports for model in one.models)
    rows = [_row(model, reports, group) for model in models]
    return tuple(sorted(rows, key=lambda row: -(number(row.value) or 0.0)))


def _row(model: str, reports: Sequence[Report], group: str) -> OverallRow:
    columns: dict[tuple[str, str], tuple[Value, int]] = {}
    for one in reports:
        for name, formula in one.rubric.formulas.items():
            if formula.group == group:
                cell = one.cells.get((model, name))
                mean = None if cell is None else number(cell.mean.value)
                value: Value = MissingScore(Reason.MISSING, one.rubric.name)
                if mean is not None:
                    share = (mean - formula.lowest) / (formula.highest - formula.lowest)
                    value = 100 * (1 - share if formula.better == "lower" else share)
                columns[one.rubric.name, name] = (value, 0 if cell is None else cell.mean.n)
    lacking = next((value for value, _ in columns.values() if isinstance(value, MissingScore)), None)
    return OverallRow(model, columns, lacking or mean_of(value for value, _ in columns.values()))


def terminal(rows: Sequence[OverallRow], group: str, locale: str) -> str:
    """A column a model: figures of each rubric with their cases, then the whole."""
    word = sentences("score", locale)
    lines = [[word("overall", group=group), *(model_name(row.model, word) for row in rows)]]
    for rubric, name in rows[0].columns if rows else ():
        cells = [row.columns[rubric, name] for row in rows]
        lines.append([f"{rubric} {name}", *(f"{shown(value)} (n={n})" for value, n in cells)])
    lines.append([word("overall_mean"), *(shown(row.value) for row in rows)])
    return "\n".join([*table(lines, frozenset(range(1, len(lines[0])))), "", word("overall_note", group=group)])


def as_json(rows: Sequence[OverallRow], group: str) -> dict[str, Any]:
    return {
        "overall": group,
        "models": [
            {
                "model": row.model,
                "value": number(row.value),
                "lacking": row.value.detail if isinstance(row.value, MissingScore) else "",
                "columns": [
                    {"rubric": rubric, "formula": name, "value": number(value), "n": n}
                    for (rubric, name), (value, n) in row.columns.items()
                ],
            }
            for row in rows
        ],
    }
