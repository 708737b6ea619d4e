"""Many evaluations as one report: figures by model with intervals, differences tested; its columns as JSON and CSV.

`ReportCell.row` has the columns of JSON and CSV; `report_text` prints a report, `report_page` makes a page of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations, product
from typing import Any, Final, Literal

from ..model.immutable import immutable, replace
from .base_rates import base_rates
from .between_runs import between_runs, passes_of
from .conditions import CASE_TEXT, ConditionGroup, facts_of, groups_of
from .metrics.agreement import Agreement, between
from .metrics.intervals import Bounds
from .metrics.reliability import Reliability, reliability
from .metrics.statistics import (
    SIGNIFICANT,
    Difference,
    Mean,
    adjusted,
    by_cluster,
    difference,
    mean,
    mean_or_gap,
    origin,
)
from .metrics.values import Reason, Value, average, number, shown
from .ranks import marks_of, ranks_of
from .results import Evaluation, Score
from .rubric.definition import Formula, Rubric, ScoreTable, TableColumn
from .unfinished import counted_runs

ContrastKey = tuple[str, str, str]
"""First model, second model, formula."""

OFFLINE: Final = "offline"
"""The actors that play by rule, `offline:noisy` among them: they are controls."""


@immutable
class ReportCell:
    """A formula for a model. `rank` 1 is the best, 2 the second best; 0 where nothing is ranked. `mark`: the rank that
    a table marks, 0 for controls, which are no competitors, and for equals."""

    formula: Formula
    mean: Mean
    rank: int
    mark: int = 0

    def row(self) -> dict[str, Any]:
        """The figure as a row of JSON and CSV, in the unit in which the formula is shown. A column of both is a line
        here."""
        formula, mean = self.formula, self.mean
        return {
            "formula": formula.name,
            "title": formula.title,
            "value": scaled(mean.value, formula),
            "low": scaled(mean.interval.low, formula),
            "high": scaled(mean.interval.high, formula),
            "interval": mean.interval.how,
            "sd": scaled(mean.deviation, formula),
            "n": mean.n,
            "excluded": mean.left_out,
            "undecided": dict(mean.excluded).get(Reason.UNDECIDED, 0),
            "rank": self.rank,
        }

    def text(self, value: Value | None) -> str:
        """A value as it is printed; `-` where nothing could be said. An error without an end has three places, as in
        the paper: .375 is not .4."""
        formula = self.formula
        if not formula.bounded:
            return shown(scaled(value, formula), ".3f")
        return shown(scaled(value, formula), ".1f" if formula.highest * formula.scale > 10 else ".2f")

    @property
    def figure(self) -> str:
        """The mean as it is printed, with the deviation where the rubric wants it: `0.350±0.367`."""
        spread = self.mean.deviation if self.formula.spread else None
        return self.text(self.mean.value) + (f"±{self.text(spread)}" if spread is not None else "")

    @property
    def share(self) -> float | None:
        """Where the figure lies between the worst (0) and the best (1) that the formula can give; None where it gives
        none, or there is no worst."""
        value, formula = number(self.mean.value), self.formula
        if value is None or not formula.ordered:
            return None
        share = min(max((value - formula.lowest) / (formula.highest - formula.lowest), 0.0), 1.0)
        return round(1 - share if formula.better == "lower" else share, 3)


@immutable
class Contrast:
    """Two models in one formula. `p` as it is, `adjusted` as one of its family: all contrasts that a reader scans with
    it, those of all figures of its table. `family`: how many that are. `control`: a rule-based actor is one of the two,
    which is a family of its own: that a model differs from it is no finding that makes others likelier."""

    difference: Difference
    adjusted: float | None
    family: int = 1
    control: bool = False

    @property
    def significant(self) -> bool:
        return self.adjusted is not None and self.adjusted < SIGNIFICANT


Unfinished = Literal["out", "zero", "kept"]
"""What is made of runs that stopped: left out, 0 for what they still owed, or scored as far as they went."""


@dataclass(frozen=True)
class Report:
    """`cells`: (model, formula); `contrasts`: (model, model, formula), of models over the same cases.

    `excluded`: (evaluation, score) to be looked at by a person. `agreement`: of every two graders of the same runs.
    `groups`: a report on some of the runs each, by kind of dispute, by how rare a case is. `parts`: where evaluations
    cannot be averaged or compared, because something that made them was another (`conditions`): a report on each, by
    what tells them apart; then there are no cells. `over`, `rows`, `label`: see
    `ConditionGroup`. `stopped`: the runs that did not come
    to their end, treated as `unfinished` says; `left_out`: those of them that are not in the figures; `counted`: what
    the figures are made of, in which stopped runs may have got 0 for what they owed.
    """

    rubric: Rubric
    condition: Mapping[str, str]
    models: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]
    cells: Mapping[tuple[str, str], ReportCell]
    contrasts: Mapping[ContrastKey, Contrast]
    excluded: tuple[tuple[Evaluation, Score], ...]
    agreement: Mapping[tuple[str, str], Agreement]
    groups: Mapping[str, Report] = field(default_factory=dict)
    parts: Mapping[str, Report] = field(default_factory=dict)
    stopped: tuple[Evaluation, ...] = ()
    left_out: tuple[Evaluation, ...] = ()
    counted: tuple[Evaluation, ...] = ()
    over: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    rows: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    label: str = ""

    @cached_property
    def reliability(self) -> Mapping[str, Reliability]:
        """Of all graders together: see `reliabilities`."""
        return reliabilities(self.evaluations)

    @property
    def apart(self) -> Mapping[str, Report]:
        """The reports that have cells: this one, or its parts."""
        return self.parts or {"": self}

    @property
    def graders(self) -> tuple[str, ...]:
        """Who graded; the offline grader is named in every table."""
        return tuple(dict.fromkeys(evaluation.graded_by for evaluation in self.evaluations if evaluation.grader))

    @property
    def tables(self) -> tuple[ScoreTable, ...]:
        """The tables of the rubric; one of all formulas where it lays out none."""
        columns = (TableColumn(formula.title, (formula.name,)) for formula in self.rubric.formulas.values())
        return self.rubric.tables or (ScoreTable("all", "", tuple(columns)),)

    def by_model(self, model: str) -> tuple[Evaluation, ...]:
        return tuple(evaluation for evaluation in self.evaluations if evaluation.model == model)

    def column(self, model: str, column: TableColumn) -> tuple[ReportCell, ...]:
        """The cells of a model in a column of a table."""
        return tuple(self.cells[model, name] for name in column.formulas)


def report(
    rubric: Rubric,
    evaluations: Sequence[Evaluation],
    labels: Mapping[str, str] | None = None,
    unfinished: Unfinished = "out",
    over: Set[str] = frozenset(),
) -> Report:
    """All evaluations of one rubric, put together; apart from each other where anything that made them differs but
    model, case and seed, and what is averaged `over`. Several of one model and case (seeds) are averaged first, so that
    an interval is over cases. `labels`: run -> its group."""
    groups = groups_of(evaluations, over)
    if len(groups) < 2:
        return _of_one(rubric, groups[0] if groups else ConditionGroup("", {}, (), {}, {}), labels, unfinished)
    parts = {group.label: _of_one(rubric, group, labels, unfinished) for group in groups}
    every = tuple(parts.values())
    return Report(
        rubric,
        {},
        tuple(dict.fromkeys(model for part in every for model in part.models)),
        tuple(evaluations),
        {},
        {},
        tuple(one for part in every for one in part.excluded),
        _agreement(evaluations),
        parts=parts,
        stopped=tuple(one for part in every for one in part.stopped),
        left_out=tuple(one for part in every for one in part.left_out),
        counted=tuple(one for part in every for one in part.counted),
    )


def _of_one(rubric: Rubric, group: ConditionGroup, labels: Mapping[str, str] | None, unfinished: Unfinished) -> Report:
    """A report on evaluations of one condition."""
    evaluations = group.members
    models = tuple(dict.fromkeys(evaluation.model for evaluation in evaluations))
    counted = counted_runs(rubric, evaluations, unfinished)
    cells: dict[tuple[str, str], ReportCell] = {}
    gaps: dict[ContrastKey, Difference] = {}
    pairs = list(combinations(models, 2))
    for name, formula in rubric.formulas.items():
        cases = {model: by_case([each for each in counted if each.model == model], name) for model in models}
        means = {model: clustered_mean(cases[model], formula) for model in models}
        ranks = ranks_of(means, formula)
        marks = marks_of({model: each for model, each in means.items() if not _is_control(model)}, formula)
        cells |= {
            (model, name): ReportCell(formula, means[model], ranks.get(model, 0), marks.get(model, 0))
            for model in models
        }
        gaps |= {(*pair, name): difference(cases[pair[0]], cases[pair[1]], bounds(formula), origin) for pair in pairs}
    groups: dict[str, list[Evaluation]] = {}
    if labels is not None:
        for evaluation in evaluations:
            groups.setdefault(labels.get(evaluation.run, ""), []).append(evaluation)
    in_figures = {(each.run, each.graded_by) for each in counted}
    return Report(
        rubric,
        group.facts,
        models,
        evaluations,
        cells,
        _contrasts(rubric, gaps),
        tuple((evaluation, score) for evaluation in evaluations for score in evaluation.excluded),
        _agreement(evaluations),
        {
            label: _of_one(rubric, replace(group, members=tuple(members)), None, unfinished)
            for label, members in sorted(groups.items())
        },
        stopped=tuple(one for one in evaluations if not one.finished),
        left_out=tuple(one for one in evaluations if (one.run, one.graded_by) not in in_figures),
        counted=tuple(counted),
        over=group.over,
        rows=group.rows,
        label=group.label,
    )


def by_case(evaluations: Sequence[Evaluation], name: str) -> dict[str, Value]:
    """Case -> the figure, the mean of several evaluations of it. What does not apply to a case is left out."""
    values: dict[str, list[Value]] = {}
    for evaluation in evaluations:
        figure = evaluation.figure(name)
        if figure is not None and figure.gap is not Reason.NOT_APPLICABLE:
            values.setdefault(evaluation.case, []).append(figure.outcome)
    return {case: mean_or_gap(figures) for case, figures in values.items()}


def clustered_mean(cases: Mapping[str, Value], formula: Formula) -> Mean:
    """The mean over clusters of cases, with what was left out of the cases."""
    found = mean(by_cluster(cases, origin).values(), bounds(formula), formula.lowest)
    return replace(found, excluded=average(cases.values()).excluded)


def bounds(formula: Formula) -> Bounds | None:
    """Between what a figure lies; None where it has no end."""
    return (formula.lowest, formula.highest) if formula.bounded else None


def _contrasts(rubric: Rubric, gaps: Mapping[ContrastKey, Difference]) -> dict[ContrastKey, Contrast]:
    """The p values of each table read together, controls apart; a figure of several tables has the gravest."""
    tables = [{name for column in table.columns for name in column.formulas} for table in rubric.tables]
    untold = {name for name in rubric.formulas if not any(name in table for table in tables)}
    contrasts: dict[ContrastKey, Contrast] = {}
    for table, control in product((*tables, untold), (False, True)):
        family = {key: gap for key, gap in gaps.items() if key[2] in table and _control(key) == control}
        together = adjusted({key: gap.p for key, gap in family.items()})
        for key, gap in family.items():
            before = contrasts.get(key)
            if before is None or (together.get(key) or 0.0) > (before.adjusted or 0.0):
                contrasts[key] = Contrast(gap, together.get(key), len(together), control)
    return {key: contrasts[key] for key in gaps}


def _control(key: ContrastKey) -> bool:
    return any(map(_is_control, key[:2]))


def _is_control(model: str) -> bool:
    return model.partition(":")[0] == OFFLINE


def _graded(evaluations: Sequence[Evaluation], item: str = "") -> dict[str, dict[str, Value]]:
    """Grader -> score, of those that they and not rules gave; of one item, where one is named. In points."""
    ratings: dict[str, dict[str, Value]] = {}
    for evaluation in evaluations:
        grader = evaluation.graded_by
        for score in evaluation.scores if grader else ():
            if score.by == grader and score.value is not None and item in ("", score.item):
                ratings.setdefault(grader, {})[f"{evaluation.run}\0{score.item}\0{score.key}"] = score.value
    return ratings


def _agreement(evaluations: Sequence[Evaluation]) -> Mapping[tuple[str, str], Agreement]:
    """Of every two graders."""
    return between(_graded(evaluations), case=_case_in(evaluations))


def _case_in(evaluations: Sequence[Evaluation]) -> Callable[[str], str]:
    """The case of a score: ratings of one case are not independent."""
    cases = {evaluation.run: evaluation.case for evaluation in evaluations}
    return lambda thing: cases[thing.partition("\0")[0]]


def reliabilities(evaluations: Sequence[Evaluation]) -> Mapping[str, Reliability]:
    """All graders of the same runs together, "" over all scores, then item by item; empty for a single grader."""
    if len(_graded(evaluations)) < 2:
        return {}
    items = dict.fromkeys(score.item for each in evaluations for score in each.scores if score.by == each.graded_by)
    found = {item: reliability(_graded(evaluations, item), _case_in(evaluations)) for item in ("", *items)}
    return {item: one for item, one in found.items() if one.n}


def scaled(value: Value | None, formula: Formula) -> float | None:
    """A value in the unit in which the formula is shown."""
    plain = number(value)
    return None if plain is None else plain * formula.scale


# ---- as data ---------------------------------------------------------------------------------------------------------


def as_json(together: Report) -> dict[str, Any]:
    """The whole report; scores with their reasons and turns stay in the evaluations."""
    return {
        "rubric": together.rubric.name,
        "digest": together.rubric.digest,
        "graders": list(together.graders),
        "models": list(together.models),
        "runs": [
            {"run": e.run, "id": e.run_id, "model": e.model, "case": e.case, "finished": e.finished}
            | {"passes": e.passes, **facts_of(e)}
            for e in together.evaluations
        ],
        "stopped": [e.run for e in together.stopped],
        "left_out": [e.run for e in together.left_out],
        "figures": [row for part in together.apart.values() for row in _figure_rows(part)],
        "groups": {
            label: [row for part in parts for row in _figure_rows(part)] for label, parts in _groups(together).items()
        },
        "differences": [
            _contrast_row(part, key) | _told(part) for part in together.apart.values() for key in part.contrasts
        ],
        "between_runs": [
            found.row(formula.scale)
            for part in together.apart.values()
            for model, (name, formula) in product(part.models, part.rubric.formulas.items())
            if (found := between_runs(part.counted, model, name)) is not None
        ],
        "pass_at": [row for part in together.apart.values() for row in passes_of(part.counted)],
        "base_rates": [one.row() for one in base_rates(together.counted)],
        "agreement": [
            {"first": first, "second": second, **{name: row[name] for name in row if name != "unpaired"}}
            for (first, second), agreement in together.agreement.items()
            for row in (agreement.figures(),)
        ],
        "reliability": [{"item": item, **one.figures()} for item, one in together.reliability.items()],
        "undecided": [
            {"run": e.run, "item": s.item, "key": s.key, "detail": s.detail, "due": len(e.due)}
            for e in together.evaluations
            for s in e.undecided
        ],
        "excluded": [
            {"run": e.run, "item": s.item, "key": s.key, "why": s.gap, "detail": s.detail} for e, s in together.excluded
        ],
    }


def _groups(together: Report) -> dict[str, list[Report]]:
    """The reports on each group, of all that stand apart."""
    groups: dict[str, list[Report]] = {}
    for apart in together.apart.values():
        for label, part in apart.groups.items():
            groups.setdefault(label, []).append(part)
    return groups


def csv_rows(together: Report) -> Iterator[dict[str, Any]]:
    """A row for each model and formula, with interval, n and exclusions; of all runs, then of each group."""
    for apart in together.apart.values():
        for group, part in {"": apart, **apart.groups}.items():
            yield from ({"group": group, **row} for row in _figure_rows(part))


def _figure_rows(together: Report) -> Iterator[dict[str, Any]]:
    for model in together.models:
        for name in together.rubric.formulas:
            yield {**_told(together, model), "model": model, **together.cells[model, name].row()}


def _told(part: Report, model: str = "") -> dict[str, str]:
    """The facts of a condition, a column each: what was averaged over is told by all its texts."""
    names = facts_of(part.evaluations[0]) if part.evaluations else part.condition
    own = {name: texts[model] for name, texts in part.rows.items() if model in texts}
    over = {name: " | ".join(texts) for name, texts in part.over.items()}
    return {**dict.fromkeys((*names, CASE_TEXT), ""), **part.condition, **over, **own}


def _contrast_row(together: Report, key: tuple[str, str, str]) -> dict[str, Any]:
    first, second, name = key
    contrast, formula = together.contrasts[key], together.rubric.formulas[name]
    gap = contrast.difference
    return {
        "first": first,
        "second": second,
        "formula": name,
        "value": scaled(gap.value, formula),
        "n": gap.n,
        "unpaired": gap.unpaired,
        "low": scaled(gap.interval.low, formula),
        "high": scaled(gap.interval.high, formula),
        "interval": gap.interval.how,
        "p": gap.p,
        "adjusted": contrast.adjusted,
        "family": contrast.family,
        "control": contrast.control,
        "needed": gap.needed,
        "detectable": scaled(gap.detectable, formula),
        "significant": contrast.significant,
    }
