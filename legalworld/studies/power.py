"""How many cases it takes to find the differences that a study is after, and what those that are planned find."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from ..evaluation.metrics.statistics import cases_needed, detectable
from ..evaluation.report_text import Word
from ..evaluation.rubric.definition import Rubric
from ..model.immutable import immutable
from .cells import FilledTable
from .definition import StudyColumn, StudyPower, StudyTable
from .figures import StudyRun
from .layout import TableLine, points_of
from .plan import StudyPlan
from .tables import fill_table


@immutable
class PowerLine:
    """Of one line of a table: `needed` clusters of cases, `planned` ones, and the difference that these find. `spread`:
    of differences between clusters, of `n` of them, 0 where it was said and not measured; None where not known."""

    asked: StudyPower
    label: str
    planned: int
    spread: float | None = None
    n: int = 0
    needed: int | None = None
    found: float | None = None

    def row(self) -> dict[str, Any]:
        """The line as CSV and JSON have it."""
        one = self.asked
        named = {"power": one.name, "table": one.table, "column": one.column, "row": self.label}
        asked = {"effect": one.effect, "chance": one.chance, "spread": self.spread, "spread_of": self.n}
        return named | asked | {"needed": self.needed, "planned": self.planned, "detectable": self.found}


def power_lines(plan: StudyPlan, runs: Sequence[StudyRun], rubrics: Mapping[str, Rubric]) -> tuple[PowerLine, ...]:
    """Return a line for each difference of each column that is named; what a line is set beside has none."""
    study = plan.opened.study

    @cache
    def filled(name: str, pilot: str) -> FilledTable:
        mine = [run for run in runs if not pilot or pilot in run.sets or _is_of(run, pilot, plan)]
        return fill_table(study.tables[name], plan, mine, rubrics, lambda other: filled(other, pilot))

    return tuple(line for one in study.power.values() for line in _lines(one, filled(one.table, one.pilot), plan))


def _is_of(run: StudyRun, pilot: str, plan: StudyPlan) -> bool:
    """Whether the case of a run is of a set that its condition does not name."""
    return any(one.case.id == run.case.case.id for one in plan.sets(pilot).cases)


def _lines(one: StudyPower, filled: FilledTable, plan: StudyPlan) -> Iterator[PowerLine]:
    column = next(each for each in filled.table.columns if each.name == one.column)
    for place, line in enumerate(filled.lines):
        if line.heading or _is_base(line, column, filled.table, plan):
            continue
        cell = filled.cells[place, one.column]
        spread = cell.spread if one.spread is None else one.spread
        planned = len(_clusters(line, column, plan))
        told = PowerLine(one, line.label, planned, spread, cell.n if one.spread is None else 0)
        if spread:
            needed = cases_needed(one.effect, spread, one.chance)
            told = PowerLine(*_head(told), needed, detectable(spread, planned, one.chance))
        yield told


def _head(line: PowerLine) -> tuple[StudyPower, str, int, float | None, int]:
    return line.asked, line.label, line.planned, line.spread, line.n


def _is_base(line: TableLine, column: StudyColumn, table: StudyTable, plan: StudyPlan) -> bool:
    """Whether a line is that which others are set beside."""
    base = line.row.base or table.base
    if base is None or (column.contrast is not None and column.statistic == "mean"):
        return False
    points = points_of(line, column, plan.opened.study)
    if base.condition:
        return bool(points) and all(point.condition == base.condition for point in points)
    return bool(points) and all(point.fact(fact) == value for point in points for fact, value in base.facts.items())


def _clusters(line: TableLine, column: StudyColumn, plan: StudyPlan) -> frozenset[str]:
    points = set(map(str, points_of(line, column, plan.opened.study)))
    cases = (case for one in plan.points if str(one.point) in points for case in one.cases)
    return frozenset(case.cluster or case.case.id for case in cases)


def power_texts(lines: Sequence[PowerLine], word: Word) -> Iterator[str]:
    """Yield a sentence for each line, in a reader's words."""
    for one in lines:
        asked = {"name": one.asked.name, "line": one.label, "effect": f"{one.asked.effect:g}"}
        asked |= {"chance": f"{one.asked.chance:g}", "planned": str(one.planned)}
        if one.spread is None:
            yield word("power_unknown", **asked)
            continue
        spread = word("power_said" if one.asked.spread is not None else "power_of", spread=f"{one.spread:.3g}", n=one.n)
        if not one.spread:
            yield word("power_no_spread", **asked, n=one.n)
        elif one.needed is None:
            yield word("power_too_many", **asked, spread=spread)
        else:
            found = word("power_finds_none") if one.found is None else word("power_finds", found=f"{one.found:.3g}")
            yield word("power_needed", **asked, needed=one.needed, spread=spread, found=found)
