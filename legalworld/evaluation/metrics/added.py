"""Metrics that other packages add (`legalworld.metrics`): a rubric's formula calls one by its name."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

from ...language.plugins import Plugged, plugged
from ...model.immutable import immutable
from .values import MissingScore, Reason, Value

GROUP: Final = "legalworld.metrics"
FUNCTIONS: Final = ("mean", "sum", "count", "min", "max", "first", "sqrt", "abs", "per", "f1", "complete", "weighted")
"""What a formula calls without them (`rubric.formulas`)."""


@immutable
class FormulaMetric:
    """One figure of the scores that are there, one at least: `function([0.5, 1.0])`. `range`: between which values it
    must lie; None: between the least and the greatest of its scores."""

    function: Callable[[Sequence[float]], float]
    range: tuple[float, float] | None = None


@cache
def added_metrics() -> Plugged[FormulaMetric]:
    """The metrics of other packages by their names."""
    return plugged(GROUP, {}, _fits, taken=FUNCTIONS)


def measured(metric: FormulaMetric, values: Sequence[float]) -> Value:
    """What a metric gives; a gap where it raises, or gives no number or one outside its range."""
    low, high = metric.range or (min(values), max(values))
    try:
        figure = float(metric.function(tuple(values)))
    except Exception as error:
        return MissingScore(Reason.UNREADABLE, f"{type(error).__name__}: {error}")
    slack = 1e-9 * max(1.0, abs(low), abs(high)) if math.isfinite(low) and math.isfinite(high) else 0.0
    if not (math.isfinite(figure) and low - slack <= figure <= high + slack):
        return MissingScore(Reason.UNREADABLE, f"{figure:g}")
    return figure


def _fits(part: Any) -> bool:
    """Whether this is a metric whose range, if it has one, is one."""
    if not isinstance(part, FormulaMetric):
        return False
    function: Any = part.function
    return callable(function) and (part.range is None or part.range[0] < part.range[1])
