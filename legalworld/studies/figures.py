"""What a cell of a table comes to: from runs, through seeds, combinations and clusters of cases, to one figure.

Seeds of a case are averaged first, then what the table averages over, with equal weights, then the cases of a cluster;
intervals and tests are over clusters.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from statistics import median
from typing import Final

from ..evaluation.between_runs import pass_at
from ..evaluation.conditions import facts_of
from ..evaluation.metrics.intervals import Bounds, deviation
from ..evaluation.metrics.statistics import Mean, by_cluster, mean, mean_or_gap
from ..evaluation.metrics.values import MissingScore, Reason, Value, number
from ..evaluation.results import Evaluation
from ..evaluation.rubric.definition import Expression, FormulaName, Rubric
from ..evaluation.rubric.formulas import ANY, Range, Vector, evaluate, names_in, range_of
from ..model.immutable import immutable, replace
from .case_sets import StudyCase
from .definition import StudyPoint
from .words import FIELD, StudyFilter, meant

DECLARED: Final = frozenset(
    {"procedure", "target", "environment", "parameters", "own_parameters", "options", "skip", "binding", "case_text"}
)
"""Facts of a run that conditions of a study govern, so that the check of its file sees to them. All others, those too
that are not thought of yet, may not differ within a cell."""


@immutable
class RunPart:
    """Of what scores and measures are taken: of items that have units, of one `unit`, None for all; of turns and
    tokens, those of `stages`, () for all."""

    unit: str | None = None
    stages: tuple[str, ...] = ()


@immutable
class StudyRun:
    """A run that came to its end, with its evaluations by scoring. `measured`: turns and tokens; `sets`: those that its
    case is of; `base`: of a fork, the run that it is one of."""

    point: StudyPoint
    case: StudyCase
    sets: tuple[str, ...]
    seed: int
    folder: Path
    evaluations: Mapping[str, Evaluation] = field(default_factory=dict)
    measured: Callable[[str, Sequence[str]], float | None] = lambda _kind, _stages: None
    base: Path | None = None

    def facts(self, name: str) -> tuple[str, ...]:
        """Return what a fact is; several for the sets of a case."""
        match name:
            case "case":
                return (self.case.case.id,)
            case "case set":
                return self.sets
            case "seed":
                return (str(self.seed),)
            case _ if name.startswith(f"{FIELD} "):
                return (self.case.says(name.removeprefix(f"{FIELD} ")),)
            case _:
                return (self.point.fact(name) or "",)

    def passes(self, one: StudyFilter) -> bool:
        """Return whether a filter takes the run."""
        return any(map(one.takes, self.facts(one.fact)))

    def value(self, expression: Expression, part: RunPart) -> Value:
        """Return what a formula comes to in a part of the run."""

        def look(name: FormulaName) -> Vector | Value:
            kind = meant("run_values", name.part) if meant("runs", name.name) else None
            if kind is not None:
                measured = self.measured(kind, part.stages)
                return MissingScore(Reason.EMPTY) if measured is None else measured
            evaluation = self.evaluations.get(name.name)
            return MissingScore(Reason.MISSING) if evaluation is None else _figure(evaluation, name.part, part.unit)

        return evaluate(expression, look)


def _figure(evaluation: Evaluation, name: str, unit: str | None) -> Vector | Value:
    figure = evaluation.figure(name)
    if figure is not None:
        return figure.outcome
    if name in evaluation.passes:
        passed = evaluation.passes[name]
        return MissingScore(Reason.EMPTY) if passed is None else float(passed)
    return {one.key: one.outcome for one in evaluation.scores if one.item == name and unit in (None, one.key)}


@immutable
class CellPairing:
    """`over`: what a table averages over; `by`: the facts that the two runs of a pair have in common."""

    over: tuple[str, ...] = ()
    by: tuple[str, ...] = ("case",)


PairKey = tuple[str, tuple[str, ...], tuple[str, ...]]
"""The case of a pair, the combination of what is averaged over that it is of, and its seed where pairs go by that."""


@immutable
class CellScores:
    """The figures of the runs of a cell, by case, and the cluster of each case. `uneven`: cases that lack a combination
    which others have; `pairs`: figures by what pairs go by; `outcomes`: case -> combination -> figures of its seeds."""

    cases: Mapping[str, Value]
    clusters: Mapping[str, str]
    runs: int = 0
    uneven: int = 0
    seeds: Mapping[int, Mapping[str, Value]] = field(default_factory=dict)
    pairs: Mapping[PairKey, Value] = field(default_factory=dict)
    outcomes: Mapping[str, Mapping[tuple[str, ...], Sequence[Value]]] = field(default_factory=dict)

    def cluster(self, case: str) -> str:
        """Return what a case depends on in common with others."""
        return self.clusters.get(case) or case


def scores_of(runs: Sequence[StudyRun], expression: Expression, part: RunPart, how: CellPairing) -> CellScores:
    """Return the scores of runs by case. What does not apply to a case is left out."""
    pairs: dict[PairKey, dict[tuple[str, ...], list[Value]]] = {}
    told: dict[str, dict[tuple[str, ...], list[Value]]] = {}
    seeds: dict[int, dict[str, list[Value]]] = {}
    clusters: dict[str, str] = {}
    counted = 0
    for run in runs:
        value = run.value(expression, part)
        if isinstance(value, MissingScore) and value.why is Reason.NOT_APPLICABLE:
            continue
        case = run.case.case.id
        combination = tuple(run.facts(fact)[0] for fact in how.over)
        pairs.setdefault(_pair_key(run, how), {}).setdefault(combination, []).append(value)
        told.setdefault(case, {}).setdefault(combination, []).append(value)
        seeds.setdefault(run.seed, {}).setdefault(case, []).append(value)
        clusters[case] = run.case.cluster
        counted += 1
    combinations = {one for those in told.values() for one in those}
    cases = {case: _nested_mean(those) for case, those in told.items()}
    paired = {key: _nested_mean(those) for key, those in pairs.items()}
    by_seed = {seed: {case: mean_or_gap(one) for case, one in those.items()} for seed, those in sorted(seeds.items())}
    uneven = sum(len(those) < len(combinations) for those in told.values())
    return CellScores(cases, clusters, counted, uneven, by_seed, paired, told)


def _nested_mean(those: Mapping[tuple[str, ...], Sequence[Value]]) -> Value:
    """The mean over combinations, each of which counts alike however many seeds it has."""
    return mean_or_gap([mean_or_gap(one) for one in those.values()])


def _pair_key(run: StudyRun, how: CellPairing) -> PairKey:
    own = tuple(run.facts(fact)[0] for fact in how.over if fact in how.by)
    rest = tuple(run.facts(fact)[0] for fact in how.by if fact != "case" and fact not in how.over)
    return run.case.case.id, own, rest


def mean_of_cell(scores: CellScores, bounds: Bounds | None) -> Mean:
    """Return the mean over clusters, with its interval and standard deviation."""
    return mean(by_cluster(scores.cases, scores.cluster).values(), bounds)


def figure_of(statistic: str, scores: CellScores, whole: Mean) -> Value:
    """Return a statistic of a cell but for differences, which take another cell too."""
    values = [
        value for value in by_cluster(scores.cases, scores.cluster).values() if not isinstance(value, MissingScore)
    ]
    if statistic == "count":
        return float(len(values))
    if not values:
        return whole.value
    match statistic:
        case "sd":
            return MissingScore(Reason.EMPTY) if whole.deviation is None else whole.deviation
        case "median":
            return float(median(values))
        case "least":
            return min(values)
        case "greatest":
            return max(values)
        case "sd between runs":
            return between_seeds(scores)
        case _:
            return whole.value


def passing(scores: CellScores, runs: int) -> CellScores | None:
    """Return the chance that one of so many runs of a case passes, by case; None where figures are no passes."""
    cases: dict[str, Value] = {}
    for case, those in scores.outcomes.items():
        chances: list[Value] = []
        for values in those.values():
            lacking = [one for one in values if isinstance(one, MissingScore)]
            if any(one not in (0.0, 1.0) for one in values if not isinstance(one, MissingScore)):
                return None
            chances.append(lacking[0] if lacking else pass_at(runs, [bool(one) for one in values]))
        cases[case] = mean_or_gap(chances)
    return replace(scores, cases=cases)


def between_seeds(scores: CellScores) -> Value:
    """Return the standard deviation (n - 1) of the means of seeds, each over the cases that all of them have."""
    plain = {
        seed: {case: value for case, value in cases.items() if not isinstance(value, MissingScore)}
        for seed, cases in scores.seeds.items()
    }
    common = set.intersection(*(set(cases) for cases in plain.values())) if len(plain) > 1 else set()
    if not common:
        return MissingScore(Reason.EMPTY)
    means = []
    for cases in plain.values():
        clusters = by_cluster({case: cases[case] for case in sorted(common)}, scores.cluster)
        numbers = [found for one in clusters.values() if (found := number(one)) is not None]
        means.append(math.fsum(numbers) / len(numbers))
    return deviation(means) or 0.0


def bounds_of(expression: Expression, rubrics: Mapping[str, Rubric]) -> Bounds | None:
    """Return between what a formula lies; None where it has no end, or nobody knows."""

    def known(name: FormulaName) -> Range:
        rubric = rubrics.get(name.name)
        formula = rubric.formulas.get(name.part) if rubric is not None else None
        if formula is not None:
            return (formula.lowest, formula.highest) if formula.bounded else ANY
        return (0.0, 1.0) if rubric is not None and name.part in rubric.passes else ANY

    low, high = range_of(expression, known)
    return (low, high) if math.isfinite(low) and math.isfinite(high) else None


def better_of(expression: Expression, rubrics: Mapping[str, Rubric]) -> str:
    """Return whether more of a formula is better, "higher" or "lower"; "" where its figures do not agree in it."""
    found = set()
    for name in names_in(expression):
        rubric = rubrics.get(name.name)
        formula = rubric.formulas.get(name.part) if rubric is not None else None
        found.add(formula.better if formula is not None else "")
    return found.pop() if len(found) == 1 else ""


def mixed_facts(runs: Sequence[StudyRun], expression: Expression) -> tuple[str, ...]:
    """Return the facts in which the runs of a cell differ though no condition of the study says so: any fact among the
    runs of one point, and what conditions do not govern among all."""
    found: set[str] = set()
    for name in {name.name for name in names_in(expression)}:
        told = [(str(run.point), _facts(run, name)) for run in runs if name in run.evaluations]
        for fact in {fact for _, facts in told for fact in facts}:
            of_points: dict[str, set[str]] = {}
            for point, facts in told:
                of_points.setdefault(point if fact in DECLARED else "", set()).add(facts.get(fact, ""))
            if any(len(texts) > 1 for texts in of_points.values()):
                found.add(fact)
    return tuple(sorted(found))


def _facts(run: StudyRun, scoring: str) -> Mapping[str, str]:
    """The facts of a run as it was scored. Where the place lies at which a fork begins is a matter of its case."""
    facts = facts_of(run.evaluations[scoring])
    return {name: text for name, text in facts.items() if name != "fork"} if run.base is not None else facts
