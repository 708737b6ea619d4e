"""The tables of a study, filled: every cell a figure, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ..evaluation.metrics.intervals import Bounds
from ..evaluation.metrics.statistics import Mean, adjusted
from ..evaluation.metrics.values import MissingScore, Value, number
from ..evaluation.rubric.definition import Expression, Rubric
from ..evaluation.rubric.formulas import names_in
from ..model.immutable import replace
from .case_tables import CaseFiller
from .cells import FilledTable, StudyCell
from .definition import CHANGE, DIFFERENCE, Study, StudyColumn, StudyPoint, StudyTable
from .derived import NOTHING, derived_cells, shares
from .figures import (
    CellPairing,
    CellScores,
    RunPart,
    StudyRun,
    better_of,
    bounds_of,
    figure_of,
    mean_of_cell,
    mixed_facts,
    passing,
    scores_of,
)
from .layout import OF_RUNS, TableLine, conditions_of, lines_of, points_of, taken, values_of
from .pairs import PairedCells, contrasted, paired, reach, shared
from .plan import StudyPlan
from .reasons import reasons_of
from .words import FIELD, StudyFilter

BASE: Final = "base"
RANKED: Final = ("mean", "mean ± sd", "median")


def fill_table(
    table: StudyTable,
    plan: StudyPlan,
    runs: Sequence[StudyRun],
    rubrics: Mapping[str, Rubric],
    other: Callable[[str], FilledTable] | None = None,
) -> FilledTable:
    """Return a table of a study, filled from its runs. `other`: gives the tables of which columns are taken."""
    filler = CaseFiller(table, plan) if table.of_cases else _RunFiller(table, plan, runs, rubrics)
    lines = filler.lines()
    cells = {
        (place, column.name): filler.cell(place, line, column)
        for place, line in enumerate(lines)
        for column in table.columns
        if not line.heading and not column.derived
    }
    cells |= derived_cells(table, lines, cells, other)
    cells |= filler.tested(lines, cells)
    cells |= shares(table, cells)
    for (place, name), cell in cells.items():
        printed = table.printed.value(lines[place].label, name) if table.printed is not None else ""
        cells[place, name] = replace(cell, printed=printed)
    return FilledTable(table, lines, filler.marked(cells))


class _RunFiller:
    """Fills the cells of a table from runs."""

    def __init__(
        self, table: StudyTable, plan: StudyPlan, runs: Sequence[StudyRun], rubrics: Mapping[str, Rubric]
    ) -> None:
        self.table = table
        self.study = plan.opened.study
        self.runs = runs
        self.rubrics = rubrics
        self.pairing = _pairing(table, self.study)
        self.known = {_key(one.point): one for one in plan.points}
        self.scores: dict[tuple[int, str], CellScores] = {}

    def lines(self) -> tuple[TableLine, ...]:
        """Return the lines of the table, by what its runs are."""
        return tuple(lines_of(self.table, self.study, self._values))

    def _values(self, fact: str) -> Sequence[str]:
        """What a fact of runs or cases is, among the runs that are there."""
        if fact.startswith("unit "):
            name, _, part = fact.removeprefix("unit ").partition(".")
            scores = [score for run in self.runs if name in run.evaluations for score in run.evaluations[name].scores]
            return tuple(dict.fromkeys(one.key for one in scores if one.item == part))
        return tuple(dict.fromkeys(value for run in self.runs for value in run.facts(fact)))

    # ---- one cell ----------------------------------------------------------------------------------------------------
    def cell(self, number_of: int, line: TableLine, column: StudyColumn) -> StudyCell:
        """Return the cell of a line and a column."""
        needs = column.needs or line.row.needs or self.table.needs
        if needs:
            return StudyCell(gap="needs", what=needs)
        expression = values_of(line, column, self.table.columns)
        beside = column.statistic in (BASE, DIFFERENCE, CHANGE)
        if expression is None or (beside and self.table.base is None and line.row.base is None):
            return StudyCell(gap=NOTHING)
        points = points_of(line, column, self.study)
        filters = (*line.filters, *filter(None, (column.only,)))
        runs = self._taken(points, filters)
        if gap := self._gap(points, runs, expression):
            return gap
        if mixed := mixed_facts(runs, expression):
            return StudyCell(gap="mixed", what=", ".join(mixed), runs=len(runs))
        scores = self._scores(runs, (line, column, expression))
        self.scores[number_of, column.name] = scores
        whole = mean_of_cell(scores, self._bounds(column, expression))
        if column.statistic == BASE:
            return self._based(scores, (line, column, expression))
        if column.statistic in (DIFFERENCE, CHANGE):
            return self._difference(scores, (line, column, expression), whole)
        if column.passes_in:
            chances = passing(scores, column.passes_in)
            if chances is None:
                return StudyCell(gap="not_passes", runs=scores.runs)
            scores, whole = chances, mean_of_cell(chances, (0.0, 1.0))
        value = figure_of(column.statistic, scores, whole)
        mean = column.statistic.startswith("mean") or column.passes_in
        ends = (whole.interval.low, whole.interval.high) if mean else (None, None)
        told = StudyCell(number(value), "", "", whole, *ends, whole.n, scores.runs, scores.uneven)
        if column.contrast is not None:
            told = replace(told, spread=whole.deviation)
            if not scores.cases:
                return replace(told, gap="no_pairs")
        return self._lacking(told, runs, expression) if isinstance(value, MissingScore) else told

    def _bounds(self, column: StudyColumn, expression: Expression) -> Bounds | None:
        """Between what the figures of a column lie, of which means are made."""
        bounds = bounds_of(expression, self.rubrics)
        return reach(bounds) if column.contrast is not None else bounds

    def _scores(self, runs: Sequence[StudyRun], where: tuple[TableLine, StudyColumn, Expression]) -> CellScores:
        """The scores of runs; of a column that contrasts them, the differences of one part of them to another."""
        line, column, expression = where
        table, told = self.table, column.contrast
        over = tuple(one for one in table.average_over if told is None or one != told.fact)
        how = CellPairing(over, tuple(one for one in self.pairing if told is None or one != told.fact))
        part = RunPart(line.unit, column.stages)
        if told is None:
            return scores_of(runs, expression, part, how)
        sides = [StudyFilter(told.fact, (value,)) for value in (told.first, told.second)]
        first, second = (scores_of([run for run in runs if run.passes(side)], expression, part, how) for side in sides)
        return contrasted(first, second)

    def _lacking(self, told: StudyCell, runs: Sequence[StudyRun], expression: Expression) -> StudyCell:
        """A cell whose runs have no score for it, with the reasons."""
        return replace(told, gap="score", what=reasons_of(runs, expression, self.rubrics))

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
            if scoring.sheets is not None and not scoring.needs:
                return StudyCell(gap="sheets", what=scoring.sheets.text)
            return StudyCell(gap="needs" if scoring.needs else "unscored", what=scoring.needs or name.name)
        return None

    def _based(self, scores: CellScores, where: tuple[TableLine, StudyColumn, Expression]) -> StudyCell:
        """What the base comes to over the pairs that the line has too."""
        base, runs = self._base_scores(*where)
        if base is None:
            return StudyCell(gap="no_base")
        both = shared(base, scores)
        whole = mean_of_cell(both, self._bounds(where[1], where[2]))
        ends = whole.interval.low, whole.interval.high
        told = StudyCell(number(whole.value), "", "", whole, *ends, whole.n, base.runs)
        if not set(base.pairs) & set(scores.pairs):
            return StudyCell(gap="no_pairs")
        return told if told.value is not None else self._lacking(told, runs, where[2])

    def _difference(
        self, scores: CellScores, where: tuple[TableLine, StudyColumn, Expression], whole: Mean
    ) -> StudyCell:
        """What a line differs by from its base, or by how much in a hundred."""
        line, column, expression = where
        base, runs = self._base_scores(line, column, expression)
        if base is None:
            return StudyCell(gap="no_base", mean=whole, n=whole.n)
        both = self._between(scores, base, column, expression)
        found = both.whole
        told = StudyCell(number(found.value), "", "", whole, found.interval.low, found.interval.high, found.n)
        told = replace(told, runs=scores.runs, p=found.p, spread=both.spread, alone=both.alone)
        if found.n and column.statistic == CHANGE:
            return _in_percent(told, mean_of_cell(shared(base, scores), None).value)
        if found.n:
            return told
        if not set(base.pairs) & set(scores.pairs):
            return replace(told, gap="no_pairs")
        filters = (*line.filters, *filter(None, (column.only,)))
        mine = self._taken(points_of(line, column, self.study), filters)
        return self._lacking(told, (*runs, *mine), expression)

    def _between(
        self, first: CellScores, second: CellScores, column: StudyColumn, expression: Expression
    ) -> PairedCells:
        return paired(first, second, self._bounds(column, expression))

    def _base_scores(
        self, line: TableLine, column: StudyColumn, expression: Expression
    ) -> tuple[CellScores | None, Sequence[StudyRun]]:
        """The scores of what a line is set beside, and the runs they are of: of the base condition, or of the line with
        other facts."""
        base = line.row.base or self.table.base
        if base is None:
            return None, ()
        filters = (*line.filters, *filter(None, (column.only,)))
        if base.condition:
            points = self.study.conditions[base.condition].points
            known = {"seed", "case", "case set", *(fact for point in points for fact in point.facts)} - {"condition"}
            kept = tuple(one for one in filters if one.fact in known or one.fact.startswith("field "))
            points = tuple(one for one in points if taken(one, kept))
        else:
            kept = tuple(one for one in filters if one.fact not in base.facts)
            kept += tuple(StudyFilter(fact, (value,)) for fact, value in base.facts.items())
            every = (point for name in line.of for point in self.study.conditions[name].points)
            points = tuple(point for point in every if taken(point, kept))
        runs = self._taken(points, kept)
        forked = {run.base for run in self._taken(points_of(line, column, self.study), filters)} - {None}
        runs = (
            [run for run in runs if run.folder in forked] if forked else runs
        )  # of a fork, the very run that it is of
        if not runs or mixed_facts(runs, expression):
            return None, ()
        return self._scores(runs, (line, column, expression)), runs

    # ---- tests and marks ---------------------------------------------------------------------------------------------
    def tested(
        self, lines: Sequence[TableLine], cells: Mapping[tuple[int, str], StudyCell]
    ) -> dict[tuple[int, str], StudyCell]:
        """Return the cells that were tested, with their p values as those of their families."""
        found: dict[tuple[int, str], PairedCells] = {}
        for (place, name), scores in self.scores.items():
            column = next(one for one in self.table.columns if one.name == name)
            second = self._compared(place, column, lines)
            if second is not None and second.pairs != scores.pairs:
                expression = values_of(lines[place], column, self.table.columns)
                assert expression is not None
                found[place, name] = self._between(scores, second, column, expression)
        families = {name for _, name in found} if self.table.family == "column" else {""}
        told: dict[tuple[int, str], StudyCell] = {}
        for family in families:
            mine = {key: one for key, one in found.items() if family in ("", key[1])}
            together = adjusted({key: one.whole.p for key, one in mine.items()})
            for key, one in mine.items():
                told[key] = replace(cells[key], p=one.whole.p, adjusted=together.get(key), alone=one.alone)
        return told

    def _compared(self, place: int, column: StudyColumn, lines: Sequence[TableLine]) -> CellScores | None:
        """With what a cell is tested; None where it is not. A contrast without a base is held against no difference."""
        compare, statistic = self.table.compare, column.statistic
        if statistic == BASE or column.passes_in:
            return None
        if column.contrast is not None and statistic == "mean":
            mine = self.scores[place, column.name]
            return replace(mine, pairs=dict.fromkeys(mine.pairs, 0.0), cases=dict.fromkeys(mine.cases, 0.0))
        if not compare:
            return None
        expression = values_of(lines[place], column, self.table.columns)
        if compare == BASE and expression is not None:
            return self._base_scores(lines[place], column, expression)[0]
        other = next((number_of for number_of, line in enumerate(lines) if line.label == compare), -1)
        return self.scores.get((other, column.name)) if place != other else None

    def marked(self, cells: Mapping[tuple[int, str], StudyCell]) -> dict[tuple[int, str], StudyCell]:
        """Mark the best of each column, as many as the table marks; nothing where figures do not say what is better."""
        found = dict(cells)
        for column in self.table.columns if self.table.best else ():
            parts = [one for one in self.table.columns if one.name in (column.name, *column.mean_of)]
            senses = {better_of(one.value, self.rubrics) for one in parts if one.value is not None}
            better = senses.pop() if len(senses) == 1 else ""
            values = {key: one.value for key, one in cells.items() if key[1] == column.name and one.value is not None}
            if better not in ("higher", "lower") or column.statistic not in RANKED or len(values) < 2:
                continue
            order = sorted(set(values.values()), reverse=better == "higher")
            if len(order) < 2:  # where all are alike, none is the best
                continue
            for key, value in values.items():
                rank = order.index(value) + 1
                found[key] = replace(found[key], mark=rank if rank <= self.table.best else 0)
        return found


def _key(point: StudyPoint) -> tuple[str, tuple[tuple[str, str], ...]]:
    return point.condition, tuple(sorted(point.facts.items()))


def _pairing(table: StudyTable, study: Study) -> tuple[str, ...]:
    """What the two runs of a pair have in common: where a table does not say it, the case and that of what it averages
    over which all of its runs have, and the base too."""
    bases = [one for one in (table.base, *(row.base for row in table.rows)) if one is not None]
    names = [*conditions_of(table, study), *(one.condition for one in bases if one.condition)]
    points = [point for name in names for point in study.conditions[name].points]
    known = [fact for fact in table.average_over if fact in OF_RUNS or fact.startswith(FIELD)]
    shared = [fact for fact in table.average_over if fact in known or all(one.fact(fact) is not None for one in points)]
    return table.paired_by or ("case", *shared)


def _in_percent(told: StudyCell, base: Value) -> StudyCell:
    """A difference in percent of its base, which has no interval: what it is divided by is a figure of chance too."""
    whole = number(base)
    if told.value is None or not whole:
        return replace(told, value=None, gap="zero_base", low=None, high=None)
    return replace(told, value=100 * told.value / abs(whole), low=None, high=None, spread=None)
