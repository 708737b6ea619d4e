"""Which model is the best in a figure, and which may be marked so."""

from __future__ import annotations

from collections.abc import Mapping

from .metrics.statistics import Mean
from .metrics.values import number
from .rubric.definition import Formula


def ranks_of(means: Mapping[str, Mean], formula: Formula) -> dict[str, int]:
    """One more than how many are better; equal values share a rank. A single model has none, nor has a figure that is
    neither good nor bad."""
    if formula.better == "neither":
        return {}
    sign = 1 if formula.better == "higher" else -1
    figures = {model: number(each.value) for model, each in means.items()}
    values = {model: round(sign * value, 9) for model, value in figures.items() if value is not None}
    if len(values) < 2:
        return {}
    return {model: 1 + sum(other > mine for other in values.values()) for model, mine in values.items()}


def marks_of(means: Mapping[str, Mean], formula: Formula) -> dict[str, int]:
    """The ranks that nobody shares."""
    ranks = ranks_of(means, formula)
    return {model: rank for model, rank in ranks.items() if list(ranks.values()).count(rank) == 1}
