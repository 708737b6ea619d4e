"""Intervals that cover: of means and of shares, from three cases on. numpy and scipy compute, imported when needed.

Every draw comes from a seed: the same scores in the same order give the same digits. How often these intervals hold the
true mean is simulated in `tests/evaluation/test_interval_coverage.py`; the table stands in docs/metrics.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, Literal

from ...model.immutable import immutable

LEVEL: Final = 0.95
RESAMPLES: Final = 2000
SEED: Final = 20_000
FEWEST: Final = 3  # scores, below which there is no interval
FEWEST_ERRORS: Final = 10  # errors without an end, below which there is no interval
MOST_ON_FLOOR: Final = 0.5
MANY: Final = 200  # scores, from which Student's t needs no help
ALIKE: Final = 1e-12  # a standard deviation that is only rounding

Bounds = tuple[float, float]
"""The least and the greatest value that a score can have."""

How = Literal["exact", "resampled", "t", "too_few", "no_variation", "on_the_floor"]


@immutable
class Interval:
    """Both ends, at LEVEL, in the unit of the scores; None where there is none.

    `how`: `exact` (Clopper and Pearson), `resampled` (bootstrap-t), `t`; or why there is none: `too_few` scores,
    `no_variation` among them, errors of which most are none (`on_the_floor`).
    """

    low: float | None
    high: float | None
    how: How = "resampled"


def interval(values: Sequence[float], bounds: Bounds | None = None) -> Interval:
    """Of the mean of finite values, each from one case. None for fewer than three, nor where all are the same within
    the bounds: such scores do not say how far another case would lie from them.

    Scores that all lie on a bound are shares (right or wrong): Clopper and Pearson's, which holds for any scores
    between the bounds. Else, at each end, the wider of bootstrap-t and Student's t, but no further than the bounds,
    or than the bound of Learned-Miller and Thomas (2019), let scores between the bounds go.
    """
    if bounds is not None and not all(bounds[0] <= value <= bounds[1] for value in values):
        bounds = None
    n = len(values)
    if n < FEWEST:
        return Interval(None, None, "too_few")
    if bounds is not None and bounds[0] < bounds[1] and all(value in bounds for value in values):
        share = proportion(sum(value == bounds[1] for value in values), n)
        assert share.low is not None and share.high is not None
        width = bounds[1] - bounds[0]
        return Interval(bounds[0] + share.low * width, bounds[0] + share.high * width, "exact")
    middle, error = math.fsum(values) / n, (deviation(values) or 0.0) / math.sqrt(n)
    if error <= ALIKE:
        return Interval(None, None, "no_variation")
    reach = _student(n) * error
    if n > MANY:
        return Interval(*_within(middle - reach, middle + reach, bounds), "t")
    low, high = _studentized(values, middle, error)
    if bounds is None:  # an infinite end, which nothing else holds back, is Student's
        low, high = (end if math.isfinite(end) else middle for end in (low, high))
    low, high = min(low, middle - reach), max(high, middle + reach)
    if bounds is not None:
        low = max(low, -_furthest([-value for value in values], -bounds[0]))
        high = min(high, _furthest(values, bounds[1]))
    return Interval(*_within(low, high, bounds))


def unbounded_interval(values: Sequence[float], floor: float) -> Interval:
    """Of errors that have no end above and are no less than `floor`. None for fewer than ten, nor where more than half
    lie on the floor: there no interval that was tried holds the mean as often as it says (.80 of .95)."""
    if len(values) < FEWEST_ERRORS:
        return Interval(None, None, "too_few")
    if sum(value <= floor for value in values) > len(values) * MOST_ON_FLOOR:
        return Interval(None, None, "on_the_floor")
    found = interval(values)
    return found if found.low is None else Interval(max(found.low, floor), found.high, found.how)


def proportion(count: int, n: int) -> Interval:
    """Of a share, `count` of `n` (Clopper and Pearson, scipy.stats.binomtest): it holds the true share at least as
    often as it says. None below three."""
    return Interval(None, None, "too_few") if n < FEWEST else _exact(count, n)


@lru_cache(maxsize=4096)
def _exact(count: int, n: int) -> Interval:
    from scipy import stats

    ends = stats.binomtest(count, n).proportion_ci(LEVEL, method="exact")
    return Interval(float(ends.low), float(ends.high), "exact")


def deviation(values: Sequence[float]) -> float | None:
    """Standard deviation (n - 1) of finite values; None below two."""
    if len(values) < 2:
        return None
    middle = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1))


def percentiles(drawn: Sequence[float], n: int) -> tuple[float, float]:
    """Both ends of what a figure of n cases came to when they were drawn again: at LEVEL, moved out by what Student's t
    exceeds the normal distribution (expanded percentiles, Hesterberg 2015), without which ten cases give .90."""
    import numpy
    from scipy import stats

    outside = float(stats.norm.sf(_student(n) * math.sqrt(n / (n - 1))))
    low, high = numpy.quantile(numpy.asarray(drawn, dtype=float), [outside, 1 - outside])
    return float(low), float(high)


def _within(low: float, high: float, bounds: Bounds | None) -> tuple[float, float]:
    return (low, high) if bounds is None else (max(low, bounds[0]), min(high, bounds[1]))


@lru_cache(maxsize=256)
def _student(n: int) -> float:
    """How many standard errors Student's t reaches for n scores."""
    from scipy import stats

    return float(stats.t.ppf((1 + LEVEL) / 2, n - 1))


@lru_cache(maxsize=64)
def draws(n: int) -> Any:
    """The places of n scores, drawn with replacement RESAMPLES times."""
    import numpy

    return numpy.random.default_rng(SEED).integers(0, n, (RESAMPLES, n))


@lru_cache(maxsize=64)
def _steps(n: int) -> Any:
    """n sorted numbers between 0 and 1, drawn RESAMPLES times."""
    import numpy

    return numpy.sort(numpy.random.default_rng(SEED).random((RESAMPLES, n)), axis=1)


def _studentized(values: Sequence[float], middle: float, error: float) -> tuple[float, float]:
    """Bootstrap-t: how many of its own standard errors the mean of a resample is off, turned round. A resample of equal
    scores is infinitely far off: an end of which there are too many is infinite."""
    import numpy

    drawn = numpy.asarray(values, dtype=float)[draws(len(values))]
    off, spread = drawn.mean(axis=1) - middle, drawn.std(axis=1, ddof=1) / math.sqrt(len(values))
    far = spread <= ALIKE
    ratio = numpy.where(far, numpy.copysign(numpy.inf, off), off / numpy.where(far, 1.0, spread))
    lower, upper = numpy.quantile(ratio, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], method="inverted_cdf")
    return middle - float(upper) * error, middle - float(lower) * error


def _furthest(values: Sequence[float], bound: float) -> float:
    """The greatest mean that scores of at most `bound` may have (Learned-Miller and Thomas 2019): the space between one
    score and the next is counted to the score below as often as a uniform draw puts it there."""
    import numpy

    gaps = numpy.diff(numpy.append(numpy.sort(numpy.asarray(values, dtype=float)), bound))
    return float(numpy.quantile(bound - _steps(len(values)) @ gaps, (1 + LEVEL) / 2))
