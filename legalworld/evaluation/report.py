"""Many evaluations as one report: figures by model with intervals, differences tested, what was left out and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Final

from .metrics.agreement import Agreement, between
from .metrics.statistics import Difference, Mean, adjusted, difference, mean
from .metrics.values import MissingScore, Reason, Value, average
from .results import Evaluation, Score
from .rubric.definition import Formula, Rubric

SIGNIFICANT: Final = 0.05


@dataclass(frozen=True, slots=True)
class ReportCell:
    """A formula for a model. `rank` 1 is the best, 2 the second best; 0 where there is nothing to rank."""

    mean: Mean
    rank: int


@dataclass(frozen=True, slots=True)
class Contrast:
    """Two models in one formula. `p` as it is, `adjusted` as one of all pairs of models in this formula."""

    difference: Difference
    adjusted: float | None

    @property
    def significant(self) -> bool:
        return self.adjusted is not None and self.adjusted < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class Report:
    """`cells`: (model, formula); `contrasts`: (model, model, formula), of models over the same cases.

    `excluded`: (evaluation, score) to be looked at by a person. `agreement`: of every two graders of the same runs.
    `groups`: the same over some of the runs each, by kind of dispute, by how rare a case is.
    """

    rubric: Rubric
    models: tuple[str, ...]
    evaluations: tuple[Evaluation, ...]
    cells: Mapping[tuple[str, str], ReportCell]
    contrasts: Mapping[tuple[str, str, str], Contrast]
    excluded: tuple[tuple[Evaluation, Score], ...]
    agreement: Mapping[tuple[str, str], Agreement]
    groups: Mapping[str, Report] = field(default_factory=dict)

    @property
    def graders(self) -> tuple[str, ...]:
        """Who graded; the offline grader is named in every table."""
        return tuple(dict.fromkeys(str(one.grader.get("model", "")) for one in self.evaluations if one.grader))

    def by_model(self, model: str) -> tuple[Evaluation, ...]:
        return tuple(one for one in self.evaluations if one.model == model)


def report(rubric: Rubric, evaluations: Sequence[Evaluation], labels: Mapping[str, str] | None = None) -> Report:
    """All evaluations of one rubric, put together. Several of one model and case (seeds, graders) are averaged first,
    so that an interval is over cases. `labels`: run -> its group."""
    models = tuple(dict.fromkeys(one.model for one in evaluations))
    cells: dict[tuple[str, str], ReportCell] = {}
    contrasts: dict[tuple[str, str, str], Contrast] = {}
    for name, formula in rubric.formulas.items():
        cases = {model: _by_case([one for one in evaluations if one.model == model], name) for model in models}
        means = {model: mean(cases[model].values()) for model in models}
        ranks = _ranks(means, formula)
        for model in models:
            cells[model, name] = ReportCell(means[model], ranks.get(model, 0))
        contrasts |= _contrasts(cases, name)
    excluded = tuple((one, score) for one in evaluations for score in one.excluded)
    groups: dict[str, list[Evaluation]] = {}
    for one in evaluations if labels is not None else ():
        groups.setdefault((labels or {}).get(one.run, ""), []).append(one)
    parts = {label: report(rubric, those) for label, those in sorted(groups.items())}
    return Report(rubric, models, tuple(evaluations), cells, contrasts, excluded, _agreement(evaluations), parts)


def _by_case(evaluations: Sequence[Evaluation], name: str) -> dict[str, Value]:
    """Case -> the figure, the mean of several evaluations of it. What does not apply to a case is left out."""
    found: dict[str, list[Value]] = {}
    for one in evaluations:
        figure = one.figure(name)
        if figure is not None and figure.gap is not Reason.NOT_APPLICABLE:
            value: Value = figure.value if figure.value is not None else MissingScore(figure.gap or Reason.EMPTY)
            found.setdefault(one.case, []).append(value)
    return {case: _together(values) for case, values in found.items()}


def _together(values: Sequence[Value]) -> Value:
    value = average(values).value
    return values[0] if isinstance(value, MissingScore) else value  # the gap itself says why


def _contrasts(cases: Mapping[str, Mapping[str, Value]], name: str) -> dict[tuple[str, str, str], Contrast]:
    """Of every two models, the p values read together."""
    found = {(*pair, name): difference(cases[pair[0]], cases[pair[1]]) for pair in combinations(cases, 2)}
    tested = [key for key, one in found.items() if one.p is not None]
    together = dict(zip(tested, adjusted([p for key in tested if (p := found[key].p) is not None]), strict=True))
    return {key: Contrast(one, together.get(key)) for key, one in found.items()}


def _agreement(evaluations: Sequence[Evaluation]) -> Mapping[tuple[str, str], Agreement]:
    """Of the graders, over the scores that they and not rules gave, as raw points."""
    ratings: dict[str, dict[str, Value]] = {}
    for one in evaluations:
        name = str(one.grader.get("model", "")) if one.grader else ""
        for score in one.scores if name else ():
            if score.by == name and score.value is not None:
                ratings.setdefault(name, {})[f"{one.run}/{score.item}/{score.key}"] = score.value
    return between(ratings)


def _ranks(means: Mapping[str, Mean], formula: Formula) -> dict[str, int]:
    """One more than how many are better; equal values share a rank. A single model has none."""
    values = {model: one.value for model, one in means.items() if not isinstance(one.value, MissingScore)}
    if len(values) < 2:
        return {}
    sign = 1 if formula.better == "higher" else -1
    rounded = {model: round(sign * value, 9) for model, value in values.items()}
    return {model: 1 + sum(other > mine for other in rounded.values()) for model, mine in rounded.items()}


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
        "figures": _figures(found),
        "groups": {label: _figures(part) for label, part in found.groups.items()},
        "differences": [_contrast_row(found, key) for key in found.contrasts],
        "agreement": [
            {"first": first, "second": second, "n": one.n, "difference": number(one.difference)}
            | {"sigma": number(one.sigma), "mae": number(one.error)}
            | {"within_one": number(one.within_one), "kappa": number(one.kappa)}
            for (first, second), one in found.agreement.items()
        ],
        "excluded": [
            {"run": e.run, "item": s.item, "key": s.key, "why": s.gap, "detail": s.detail} for e, s in found.excluded
        ],
    }


def _figures(found: Report) -> list[dict[str, Any]]:
    return [
        {"model": model, **figure_row(found, model, name)} for model in found.models for name in found.rubric.formulas
    ]


def _contrast_row(found: Report, key: tuple[str, str, str]) -> dict[str, Any]:
    first, second, name = key
    one, formula = found.contrasts[key].difference, found.rubric.formulas[name]
    return {
        "first": first,
        "second": second,
        "formula": name,
        "value": scaled(one.value, formula),
        "n": one.n,
        "unpaired": one.unpaired,
        "low": scaled(one.interval.low, formula),
        "high": scaled(one.interval.high, formula),
        "p": one.p,
        "adjusted": found.contrasts[key].adjusted,
        "significant": found.contrasts[key].significant,
    }


def figure_row(found: Report, model: str, name: str) -> dict[str, Any]:
    """One figure of one model, as a row of JSON or CSV, in the unit in which it is shown."""
    formula, cell = found.rubric.formulas[name], found.cells[model, name]
    one = cell.mean
    return {
        "formula": name,
        "title": formula.title,
        "value": scaled(one.value, formula),
        "low": scaled(one.interval.low, formula),
        "high": scaled(one.interval.high, formula),
        "n": one.n,
        "excluded": one.left_out,
        "rank": cell.rank,
    }


def scaled(value: Value | None, formula: Formula) -> float | None:
    """A value in the unit in which it is shown."""
    plain = number(value)
    return None if plain is None else plain * formula.scale


def number(value: Value | None) -> float | None:
    """For files that have no gaps but null."""
    return None if isinstance(value, MissingScore) else value
