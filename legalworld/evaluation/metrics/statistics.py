"""How sure a mean is, and whether two models differ. numpy and scipy compute; they are imported when first needed.

Every interval and p comes from a seed: the same scores in the same order give the same digits.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from .values import Average, Value, average, scored

Key = TypeVar("Key")

LEVEL: Final = 0.95
RESAMPLES: Final = 2000
SEED: Final = 20_000
BATCH: Final = 2_000_000  # numbers drawn at once: 16 MB


@dataclass(frozen=True, slots=True)
class Interval:
    """Both ends, at LEVEL, in the unit of the scores; None where there is none."""

    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean(Average):
    """An average with its interval; `deviation` is the standard deviation of the scores (n - 1), None below two."""

    interval: Interval
    deviation: float | None = None


@dataclass(frozen=True, slots=True)
class Difference:
    """First model minus second over the `n` cases both have a score for; `unpaired` cases have one or none.

    `p`: two-sided, that the mean difference is 0; None below two cases.
    """

    value: Value
    n: int
    unpaired: int
    interval: Interval
    p: float | None


def mean(outcomes: Iterable[Value], *, resamples: int = RESAMPLES) -> Mean:
    """Mean, n, exclusions and bootstrap interval (scipy.stats.bootstrap: BCa, else percentile)."""
    every = list(outcomes)
    plain = average(every)
    values = scored(every)[0]
    return Mean(plain.value, plain.n, plain.excluded, interval=interval(values, resamples), deviation=deviation(values))


def deviation(values: Sequence[float]) -> float | None:
    """Standard deviation (n - 1) of finite values; None below two."""
    if len(values) < 2:
        return None
    middle = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((value - middle) ** 2 for value in values) / (len(values) - 1))


def interval(values: Sequence[float], resamples: int = RESAMPLES) -> Interval:
    """Bootstrap interval of the mean of finite values. None for fewer than two; the value itself if all are equal."""
    if len(values) < 2:
        return Interval(None, None)
    if min(values) == max(values):
        return Interval(values[0], values[0])
    import numpy
    from scipy import stats

    for method in ("BCa", "percentile"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scipy warns of degenerate data; the fallback is the answer
            ends = stats.bootstrap(
                (numpy.asarray(values, dtype=float),),
                numpy.mean,
                method=method,
                n_resamples=resamples,
                batch=max(1, BATCH // len(values)),
                confidence_level=LEVEL,
                rng=numpy.random.default_rng(SEED),
            ).confidence_interval
        if not (numpy.isnan(ends.low) or numpy.isnan(ends.high)):  # the bias or its acceleration has no figure
            return Interval(float(ends.low), float(ends.high))
    return Interval(None, None)


def difference(first: Mapping[str, Value], second: Mapping[str, Value], *, resamples: int = RESAMPLES) -> Difference:
    """Paired bootstrap of two models over the same cases (case -> score).

    p: the differences are shifted to a mean of 0 and drawn again (scipy.stats.monte_carlo_test); but never below the
    least that n cases can show, 2 * 0.5 ** n, that of the exact sign test: two cases that agree are no proof.
    """
    cases = list(dict.fromkeys([*first, *second]))
    gaps: list[float] = []
    for case in cases:  # in the order of the first model, so that the draw does not depend on a set's order
        values, _ = scored(mapping[case] for mapping in (first, second) if case in mapping)
        if len(values) == 2:
            gaps.append(values[0] - values[1])
    p = _p_value(gaps, resamples) if len(gaps) > 1 else None
    return Difference(average(gaps).value, len(gaps), len(cases) - len(gaps), interval(gaps, resamples), p)


def _p_value(gaps: Sequence[float], resamples: int) -> float:
    """Of a mean of 0; 1 if nothing differs anywhere."""
    if not any(gaps):
        return 1.0
    import numpy
    from scipy import stats

    observed = numpy.asarray(gaps, dtype=float)
    centred = observed - observed.mean()
    draw = numpy.random.default_rng(SEED)

    def again(size: Any) -> Any:
        return draw.choice(centred, size=size)

    test = stats.monte_carlo_test(
        observed, again, numpy.mean, vectorized=True, n_resamples=resamples, batch=max(1, BATCH // len(gaps))
    )
    return min(1.0, max(float(test.pvalue), 2 * 0.5 ** len(gaps)))


def adjusted(p_values: Mapping[Key, float | None]) -> dict[Key, float]:
    """p values of many comparisons read together (Benjamini and Hochberg, scipy.stats.false_discovery_control): a table
    of six models has fifteen pairs, of which one is below 0.05 by chance more often than not. What was not tested
    (None) is left out."""
    tested = {key: p for key, p in p_values.items() if p is not None}
    if not tested:
        return {}
    from scipy import stats

    return dict(zip(tested, map(float, stats.false_discovery_control(list(tested.values()))), strict=True))
