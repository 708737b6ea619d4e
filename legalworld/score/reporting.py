"""Many evaluations as one report: figures by model with intervals, differences tested, what was left out and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from .results import Evaluation, Score
from .rubric import Formula, Rubric
from .statistics import Difference, Mean, difference, mean


@dataclass(frozen=True, slots=True)
class Cell:
    """A formula for a model. `rank` 1 is the best, 2 the second best; 0 where there is nothing to rank."""

    mean: Mean
    rank: int


@dataclass(frozen=True, slots=True)
class Report:
    """`cells`: (model, formula); `differences`: (model, model, formula), of models over the same cases.

    `excluded`: (evaluation, score) to be looked at by a person.
    """

    rubric: Rubric
    models: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]
    cells: Mapping[tuple[str, str], Cell]
    differences: Mapping[tuple[str, str, str], Difference]
    excluded: tuple[tuple[Evaluation, Score], ...]

    @property
    def graders(self) -> tuple[str, ...]:
        """Who graded; the offline grader is named in every table."""
        return tuple(dict.fromkeys(str(one.grader.get("model", "")) for one in self.evaluations if one.grader))


def report(rubric: Rubric, evaluations: Sequence[Evaluation]) -> Report:
    """All evaluations of one rubric, put together. Several of one model and case (seeds) are averaged first."""
    models = tuple(dict.fromkeys(one.model for one in evaluations))
    cells: dict[tuple[str, str], Cell] = {}
    by_case = {
        (model, name): _by_case([one for one in evaluations if one.model == model], name)
        for model in models
        for name in rubric.formulas
    }
    for name, formula in rubric.formulas.items():
        means = {}
        for model in models:
            gaps = sum(_excluded(one, name) for one in evaluations if one.model == model)
            means[model] = mean(list(by_case[model, name].values()), gaps)
        ranks = _ranks(means, formula)
        for model in models:
            cells[model, name] = Cell(means[model], ranks.get(model, 0))
    differences = {
        (first, second, name): difference(by_case[first, name], by_case[second, name])
        for first, second in combinations(models, 2)
        for name in rubric.formulas
    }
    excluded = tuple((one, score) for one in evaluations for score in one.excluded)
    return Report(rubric, models, tuple(evaluations), cells, differences, excluded)


def _by_case(evaluations: Sequence[Evaluation], name: str) -> dict[str, float]:
    """Case -> the figure, the mean of several runs of it."""
    found: dict[str, list[float]] = {}
    for one in evaluations:
        figure = one.figure(name)
        if figure is not None and figure.value is not None:
            found.setdefault(one.case, []).append(figure.value)
    return {case: sum(values) / len(values) for case, values in found.items()}


def _excluded(one: Evaluation, name: str) -> bool:
    figure = one.figure(name)
    return figure is not None and figure.value is None and figure.gap != "na"


def _ranks(means: Mapping[str, Mean], formula: Formula) -> dict[str, int]:
    """1 and 2 for the best and the second best; equal values share a rank. A single model has none."""
    values = {model: one.value for model, one in means.items() if one.value is not None}
    if len(values) < 2:
        return {}
    ordered = sorted({round(value, 9) for value in values.values()}, reverse=formula.better == "higher")
    return {model: ordered.index(round(value, 9)) + 1 for model, value in values.items()}


# ---- as data ---------------------------------------------------------------------------------------------------------


def as_json(found: Report) -> dict[str, Any]:
    """The whole report; scores with their reasons and turns stay in the evaluations."""
    return {
        "rubric": found.rubric.name,
        "digest": found.rubric.digest,
        "graders": list(found.graders),
        "models": list(found.models),
        "runs": [
            {"run": e.run, "model": e.model, "case": e.case, "finished": e.finished, "passes": e.passes}
            for e in found.evaluations
        ],
        "figures": [
            {"model": model, **figure_row(found, model, name)}
            for model in found.models
            for name in found.rubric.formulas
        ],
        "differences": [
            {
                "first": first,
                "second": second,
                "formula": name,
                "value": one.value,
                "n": one.n,
                "low": one.low,
                "high": one.high,
                "p": one.p,
                "significant": one.significant,
            }
            for (first, second, name), one in found.differences.items()
        ],
        "excluded": [
            {"run": e.run, "item": s.item, "key": s.key, "why": s.gap, "detail": s.detail} for e, s in found.excluded
        ],
    }


def figure_row(found: Report, model: str, name: str) -> dict[str, Any]:
    """One figure of one model, as a row of JSON or CSV, in the unit in which it is shown."""
    formula, cell = found.rubric.formulas[name], found.cells[model, name]
    one = cell.mean
    return {
        "formula": name,
        "title": formula.title,
        "value": scaled(one.value, formula),
        "low": scaled(one.low, formula),
        "high": scaled(one.high, formula),
        "n": one.n,
        "excluded": one.excluded,
        "rank": cell.rank,
    }


def scaled(value: float | None, formula: Formula) -> float | None:
    """A value in the unit in which it is shown."""
    return None if value is None else value * formula.scale
