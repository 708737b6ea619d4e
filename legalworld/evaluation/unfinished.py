"""Runs that stopped before their end: what is made of them in a report."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from .figures import figures
from .metrics.values import Reason
from .results import Evaluation, Score
from .rubric.definition import Rubric, RubricItem

_BY_TALK = ("windows", "topics")  # how many of these there are is up to the run


def counted_runs(
    rubric: Rubric, evaluations: Sequence[Evaluation], unfinished: Literal["out", "zero", "kept"]
) -> list[Evaluation]:
    """The evaluations that figures are made of. A run that stopped is left out; or has, in all that it still owed, what
    the rubric gives for what is missing; or is taken as far as it went.

    What it owed is what finished runs of the case came to. Where there is no such run nobody knows, and it is left out.
    """
    if unfinished == "kept":
        return list(evaluations)
    done = [one for one in evaluations if one.finished]
    if unfinished == "out":
        return done
    items = {name: measure.item for name, measure in rubric.measures.items()}
    items |= {metric.name: ask.item for ask in rubric.asks.values() for metric in ask.metrics}
    owed = {one.case: _owed([each for each in done if each.case == one.case], items) for one in evaluations}
    return [
        one if one.finished else _paid(rubric, one, owed[one.case])
        for one in evaluations
        if one.finished or owed[one.case]
    ]


def _owed(done: Sequence[Evaluation], items: dict[str, RubricItem]) -> dict[tuple[str, str], Score]:
    """(item, unit) -> a score of what finished runs of a case were scored for, worth what is missing."""
    owed: dict[tuple[str, str], Score] = {}
    for score in (score for one in done for score in one.scores):
        item = items.get(score.item)
        if (
            item is None
            or item.missing is None
            or score.gap in (Reason.NOT_APPLICABLE, Reason.NO_REFERENCE, Reason.GIVEN, Reason.UNDECIDED)
        ):
            continue
        if item.each is None or item.each.kind not in _BY_TALK:
            zero = {"value": item.missing, "gap": Reason.MISSING, "detail": "stopped", "by": "rule missing"}
            plain = Score(item=score.item, key=score.key, title=score.title, value=None)
            owed[score.item, score.key] = plain.model_copy(update=zero)
    return owed


def _paid(rubric: Rubric, one: Evaluation, owed: dict[tuple[str, str], Score]) -> Evaluation:
    """An evaluation with 0 for what it owed and was not scored for."""
    here = {(score.item, score.key) for score in one.scores if score.gap is not Reason.NOT_APPLICABLE}
    kept = tuple(score for score in one.scores if (score.item, score.key) in here)
    added = tuple(score for place, score in owed.items() if place not in here)
    named = {score.item for score in (*kept, *added)}
    rest = tuple(score for score in one.scores if score.item not in named)
    scores = (*kept, *added, *rest)
    made, passes = figures(rubric, scores)
    return one.model_copy(update={"scores": scores, "figures": made, "passes": dict(passes)})
