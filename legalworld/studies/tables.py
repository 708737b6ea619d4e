"""The tables of a study, filled: every cell a figure, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Final

from ..evaluation.metrics.statistics import SIGNIFICANT, Difference, Mean, adjusted, difference
from ..evaluation.metrics.values import MissingScore, Value, average, number
from ..evaluation.rubric.definition import Expression, Rubric
from ..evaluation.rubric.formulas import names_in
from ..model.immutable import immutable, replace
from .definition import StudyColumn, StudyPoint, StudyTable
from .figures import (
    CellScores,
    StudyRun,
    better_of,
    bounds_of,
    figure_of,
    mean_of_cell,
    mixed_facts,
    scores_of,
)
from .layout import TableLine, lines_of, points_of, taken, values_of
from .plan import StudyPlan
from .words import StudyFilter

BASE: Final = "base"
DIFFERENCE: Final = "difference to base"
RANKED: Final = ("mean", "mean ± sd", "median")


@immutable
class StudyCell:
    """`value`: as shown; `gap`: in a word why there is none, `what`: what is lacking. `mean`: of the scores behind it;
    `n`: clusters of cases; `p` of the test, `adjusted` as one of its family; `printed`: what the paper prints there."""

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


def fill_table(
    table: StudyTable, plan: StudyPlan, runs: Sequence[StudyRun], rubrics: Mapping[str, Rubric]
) -> FilledTable:
    """Return a table of a study, filled from its runs."""
    return _TableFiller(table, plan, runs, rubrics).filled()


class _TableFiller:
    def __init__(
        self, table: StudyTable, plan: StudyPlan, runs: Sequence[StudyRun], rubrics: Mapping[str, Rubric]
    ) -> None:
        self.table = table
        self.study = plan.opened.study
        self.runs = runs
        self.rubrics = rubrics
        self.planned = {id(one.point): one for one in plan.points}
        self.known = {_key(one.point): one for one in plan.points}
        self.scores: dict[tuple[int, str], CellScores] = {}

    def filled(self) -> FilledTable:
        table = self.table
        lines = tuple(lines_of(table, self.study, self._values))
        cells: dict[tuple[int, str], StudyCell] = {}
        for number_of, line in enumerate(lines):
            for column in table.columns if not line.heading else ():
                if not column.mean_of:
                    cells[number_of, column.name] = self._cell(number_of, line, column)
            for column in table.columns if not line.heading else ():
                if column.mean_of:
                    cells[number_of, column.name] = self._mean_of(number_of, column, cells)
        cells |= self._tested(lines, cells)
        for (number_of, name), cell in cells.items():
            printed = table.printed.value(lines[number_of].label, name) if table.printed is not None else ""
            cells[number_of, name] = replace(cell, printed=printed)
        return FilledTable(table, lines, self._marked(cells))

    def _values(self, fact: str) -> Sequence[str]:
        """What a fact of runs or cases is, among the runs that are there."""
        if fact.startswith("unit "):
            name, _, part = fact.removeprefix("unit ").partition(".")
            scores = [score for run in self.runs if name in run.evaluations for score in run.evaluations[name].scores]
            return tuple(dict.fromkeys(one.key for one in scores if one.item == part))
        return tuple(dict.fromkeys(value for run in self.runs for value in run.facts(fact)))

    # ---- one cell ----------------------------------------------------------------------------------------------------
    def _cell(self, number_of: int, line: TableLine, column: StudyColumn) -> StudyCell:
        needs = column.needs or line.row.needs or self.table.needs
        if needs:
            return StudyCell(gap="needs", what=needs)
        expression = values_of(line, column, self.table.columns)
        if expression is None:
            return StudyCell(gap="nothing")
        points = points_of(line, column, self.study)
        filters = (*line.filters, *filter(None, (column.only,)))
        runs = self._taken(points, filters)
        if gap := self._gap(points, runs, expression):
            return gap
        if mixed := mixed_facts(runs, expression):
            return StudyCell(gap="mixed", what=", ".join(mixed), runs=len(runs))
        scores = scores_of(runs, expression, line.unit, self.table.average_over)
        self.scores[number_of, column.name] = scores
        whole = mean_of_cell(scores, bounds_of(expression, self.rubrics))
        if column.statistic == DIFFERENCE:
            return self._difference(scores, (line, column, expression), whole)
        value = figure_of(column.statistic, scores, whole)
        ends = (whole.interval.low, whole.interval.high) if column.statistic.startswith("mean") else (None, None)
        told = StudyCell(number(value), "", "", whole, *ends, whole.n, scores.runs, scores.uneven)
        return replace(told, gap="score", what=str(value.why)) if isinstance(value, MissingScore) else told

    def _taken(self, points: Sequence[StudyPoint], filters: Sequence[StudyFilter]) -> list[StudyRun]:
        keys = {_key(point) for point in points}
        mine = [run for run in self.runs if _key(run.point) in keys]
        outer = [one for one in filters if one.fact in ("case", "case set", "seed") or one.fact.startswith("field ")]
        return [run for run in mine if all(run.passes(one) for one in outer)]

    def _gap(self, points: Sequence[StudyPoint], runs: Sequence[StudyRun], expression: Expression) -> StudyCell | None:
        """Why a cell has no figure before any is reckoned."""
        if not points:
            return StudyCell(gap="nothing")
        planned = [self.known[_key(point)] for point in points]
        lacking = [one for one in planned if one.why]
        if len(lacking) == len(planned):
            return StudyCell(gap=lacking[0].why, what=lacking[0].what)
        if not runs:
            return StudyCell(gap="unplayed")
        for name in names_in(expression):
            scoring = self.study.scoring.get(name.name)
            if scoring is None or any(name.name in run.evaluations for run in runs):
                continue
            return StudyCell(gap="needs" if scoring.needs else "unscored", what=scoring.needs or name.name)
        return None

    def _difference(
        self, scores: CellScores, where: tuple[TableLine, StudyColumn, Expression], whole: Mean
    ) -> StudyCell:
        line, column, expression = where
        base = self._base_scores(line, column, expression)
        if base is None:
            return StudyCell(gap="no_base", mean=whole, n=whole.n)
        found = self._between(scores, base, expression)
        told = StudyCell(number(found.value), "", "", whole, found.interval.low, found.interval.high, found.n)
        gap = "" if found.n else "no_pairs"
        return replace(told, gap=gap, runs=scores.runs, p=found.p)

    def _between(self, first: CellScores, second: CellScores, expression: Expression) -> Difference:
        bounds = bounds_of(expression, self.rubrics)
        return difference(first.cases, second.cases, bounds, first.cluster)

    def _base_scores(self, line: TableLine, column: StudyColumn, expression: Expression) -> CellScores | None:
        """The scores of what a line is set beside: of the base condition, or of the line with other facts."""
        base = self.table.base
        if base is None:
            return None
        filters = (*line.filters, *filter(None, (column.only,)))
        if base.condition:
            kept = tuple(one for one in filters if one.fact != "condition")
            points = tuple(one for one in self.study.conditions[base.condition].points if taken(one, kept))
        else:
            kept = tuple(one for one in filters if one.fact not in base.facts)
            kept += tuple(StudyFilter(fact, (value,)) for fact, value in base.facts.items())
            every = (point for name in line.of for point in self.study.conditions[name].points)
            points = tuple(point for point in every if taken(point, kept))
        runs = self._taken(points, kept)
        if not runs or mixed_facts(runs, expression):
            return None
        return scores_of(runs, expression, line.unit, self.table.average_over)

    def _mean_of(self, number_of: int, column: StudyColumn, cells: Mapping[tuple[int, str], StudyCell]) -> StudyCell:
        """The mean of finished cells; where one lacks, there is none, as that of the others says another thing."""
        parts = [cells[number_of, name] for name in column.mean_of if (number_of, name) in cells]
        lacking = [name for name in column.mean_of if cells.get((number_of, name), StudyCell()).value is None]
        if lacking or not parts:
            return StudyCell(gap="parts", what=", ".join(lacking))
        values: list[Value] = [one.value for one in parts if one.value is not None]
        return StudyCell(number(average(values).value), n=min(one.n for one in parts), runs=sum(p.runs for p in parts))

    # ---- tests and marks ---------------------------------------------------------------------------------------------
    def _tested(
        self, lines: Sequence[TableLine], cells: Mapping[tuple[int, str], StudyCell]
    ) -> dict[tuple[int, str], StudyCell]:
        """The cells that were tested, with their p values as those of their families."""
        compare = self.table.compare
        if not compare:
            return {}
        other = next((place for place, line in enumerate(lines) if line.label == compare), -1)
        found: dict[tuple[int, str], float | None] = {}
        for (place, name), scores in self.scores.items():
            column = next(one for one in self.table.columns if one.name == name)
            expression = values_of(lines[place], column, self.table.columns)
            assert expression is not None
            if compare == BASE:
                second = self._base_scores(lines[place], column, expression)
            else:
                second = self.scores.get((other, name)) if place != other else None
            if second is not None and second.cases != scores.cases:
                found[place, name] = self._between(scores, second, expression).p
        families = {name for _, name in found} if self.table.family == "column" else {""}
        told: dict[tuple[int, str], StudyCell] = {}
        for family in families:
            mine = {key: p for key, p in found.items() if family in ("", key[1])}
            together = adjusted(mine)
            told |= {key: replace(cells[key], p=p, adjusted=together.get(key)) for key, p in mine.items()}
        return told

    def _marked(self, cells: Mapping[tuple[int, str], StudyCell]) -> dict[tuple[int, str], StudyCell]:
        """The best of each column, as many as the table marks; nothing where figures do not say what is better."""
        found = dict(cells)
        for column in self.table.columns if self.table.best else ():
            parts = [one for one in self.table.columns if one.name in (column.name, *column.mean_of)]
            senses = {better_of(one.value, self.rubrics) for one in parts if one.value is not None}
            better = senses.pop() if len(senses) == 1 else ""
            values = {key: one.value for key, one in cells.items() if key[1] == column.name and one.value is not None}
            if better not in ("higher", "lower") or column.statistic not in RANKED or len(values) < 2:
                continue
            order = sorted(set(values.values()), reverse=better == "higher")
            for key, value in values.items():
                rank = order.index(value) + 1
                found[key] = replace(found[key], mark=rank if rank <= self.table.best else 0)
        return found


def _key(point: StudyPoint) -> tuple[str, tuple[tuple[str, str], ...]]:
    return point.condition, tuple(sorted(point.facts.items()))
