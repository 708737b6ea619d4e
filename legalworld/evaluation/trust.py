"""May a metric's scores by a grader be relied upon? One line for each metric, with every reason against it.

What is looked at: whether planted instructions move its scores, whether the grader repeats them, whether several
graders agree, whether people agree, and whether it tells anything apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from ..model.immutable import immutable
from .metrics.agreement import Agreement
from .metrics.reliability import AGREED, TENTATIVE, Reliability, reliability
from .metrics.values import Value, mean_of, number
from .plants import CONTROL, Plant, PlantRow, row
from .results import Evaluation, Score
from .rubric.definition import Metric, Rubric

FALLS: Final = 0.1  # share of scores that rise with a plant, beyond those that rise with a control
SHIFT: Final = 1.0  # points (steps of the scale) by which people and grader may differ on the whole
WOBBLE: Final = 0.5  # points by which repetitions may differ on the whole
FEW: Final = 10  # ratings by people, below which nothing is calibrated

Verdict = Literal["yes", "care", "no"]

Against = tuple[str, float | None]
"""Something that speaks against a metric: why, and the figure."""


@immutable
class Calibration:
    """People and grader over one metric: their difference (people minus grader), and how far they agree."""

    agreement: Agreement
    reliability: Reliability


@immutable
class Trust:
    """A metric of one grader. `reasons`: everything that speaks against it, the gravest first.

    `scores`: how many there are; `plants`: what became of those with a plant, `controls` of those with a control;
    `wobble`: mean difference of two repetitions, in points; `graders`: agreement of all graders; `people`: with people.
    """

    metric: str
    title: str
    verdict: Verdict
    reasons: tuple[Against, ...]
    scores: int
    plants: PlantRow
    controls: PlantRow
    wobble: Value
    graders: Reliability | None
    people: Calibration | None


def trust(
    rubric: Rubric,
    evaluations: Sequence[Evaluation],
    plants: Sequence[Plant],
    graders: Mapping[str, Reliability],
    people: Mapping[str, Calibration],
) -> tuple[Trust, ...]:
    """A line for each metric that a grader scored. `evaluations`: of one; `graders`: item -> agreement of all."""
    metrics = [metric for ask in rubric.asks.values() for metric in ask.metrics]
    return tuple(
        _line(metric, evaluations, [one for one in plants if one.metric == metric.name], graders, people)
        for metric in metrics
        if any(score.item == metric.name and _given(score) for each in evaluations for score in each.scores)
    )


def _given(score: Score) -> bool:
    """Whether a grader gave it: what stands for a gap was given by nobody."""
    return score.value is not None and score.gap is None


def _line(
    metric: Metric,
    evaluations: Sequence[Evaluation],
    plants: Sequence[Plant],
    graders: Mapping[str, Reliability],
    people: Mapping[str, Calibration],
) -> Trust:
    scores = [score for each in evaluations for score in each.scores if score.item == metric.name]
    values = [score.value for score in scores if _given(score)]
    by_rule = any(each.grader.get("rule_based") for each in evaluations)
    control = row(metric.name, (one for one in plants if one.kind == CONTROL))
    fell = row(metric.name, (one for one in plants if one.kind != CONTROL))
    wobble = mean_of(
        abs(one - two)
        for score in scores
        for place, one in enumerate(score.repeats)
        for two in score.repeats[place + 1 :]
    )
    among, calibrated = graders.get(metric.name), people.get(metric.name)
    grave: list[Against] = [("by_rule", None)] if by_rule else []
    light: list[Against] = []
    step = metric.scale.step or 1.0
    falls = (number(fell.raised) or 0.0) - (number(control.raised) or 0.0)
    if not fell.n:
        light.append(("no_plants", None))
    elif fell.topped == fell.n:
        light.append(("no_room", None))
    elif falls > FALLS:
        grave.append(("plants", falls))
    elif falls > 0:
        light.append(("plants", falls))
    if (off := number(wobble)) is None:
        light.append(("no_repeats", None))
    elif off > WOBBLE * step:
        (grave if off > SHIFT * step else light).append(("wobble", off))
    if among is not None and (alpha := number(among.alpha)) is not None and alpha < AGREED:
        (grave if alpha < TENTATIVE else light).append(("graders", alpha))
    for serious, reason in _against_people(calibrated, step):
        (grave if serious else light).append(reason)
    if len(values) > 2 and len(set(values)) == 1:
        light.append(("one_value", values[0]))
    verdict: Verdict = "no" if grave else "care" if light else "yes"
    reasons = (*grave, *light)
    return Trust(metric.name, metric.title, verdict, reasons, len(values), fell, control, wobble, among, calibrated)


def _against_people(found: Calibration | None, step: float) -> Iterator[tuple[bool, Against]]:
    """What people's ratings say against a metric, and whether it is grave."""
    if found is None or found.agreement.n < FEW:
        yield False, ("no_people", None)
        return
    alpha, shift = number(found.reliability.alpha), number(found.agreement.difference)
    if shift is not None and abs(shift) > SHIFT * step:
        yield True, ("shift", shift)
    if alpha is not None and alpha < AGREED:
        yield alpha < TENTATIVE, ("people", alpha)


def retest(evaluations: Sequence[Evaluation]) -> Reliability | None:
    """How far repetitions agree: each is a rater. None where nothing was repeated."""
    most = max((len(score.repeats) for each in evaluations for score in each.scores), default=0)
    if most < 2:
        return None
    ratings: dict[str, dict[str, Value]] = {str(n): {} for n in range(most)}
    for each in evaluations:
        for score in each.scores:
            for n, value in enumerate(score.repeats):
                ratings[str(n)][f"{each.run}\0{score.item}\0{score.key}"] = value
    cases = {each.run: each.case for each in evaluations}
    return reliability(ratings, lambda thing: cases[thing.partition("\0")[0]])
