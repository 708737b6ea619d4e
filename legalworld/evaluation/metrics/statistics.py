"""How sure a mean is, and whether two models differ. numpy and scipy compute; they are imported when first needed.

Every interval and p comes from a seed: the same scores in the same order give the same digits.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeVar

from .values import Average, Value, average, scored

Key = TypeVar("Key")

LEVEL: Final = 0.95
RESAMPLES: Final = 2000
SEED: Final = 20_000
BATCH: Final = 2_000_000  # numbers drawn at once: 16 MB


class Method(StrEnum):
    """Where an interval comes from."""

    BCA = "bca"
    PERCENTILE = "percentile"  # the bias-corrected one does not exist for these scores
    CONSTANT = "constant"  # all scores are equal: no resample can differ
    NONE = "none"  # fewer than two scores


@dataclass(frozen=True, slots=True)
class Interval:
    """Both ends in the unit of the scores; None where there is none."""

    low: float | None
    high: float | None
    method: Method
    level: float = LEVEL


@dataclass(frozen=True, slots=True, kw_only=True)
class Mean(Average):
    """An average with its interval."""

    interval: Interval


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


def mean(outcomes: Iterable[Value], *, seed: int = SEED, resamples: int = RESAMPLES, level: float = LEVEL) -> Mean:
    """Mean, n, exclusions and bootstrap interval (scipy.stats.bootstrap: BCa, else percentile)."""
    every = list(outcomes)
    plain = average(every)
    around = interval(scored(every)[0], seed=seed, resamples=resamples, level=level)
    return Mean(plain.value, plain.n, plain.excluded, interval=around)


def interval(
    values: Sequence[float], *, seed: int = SEED, resamples: int = RESAMPLES, level: float = LEVEL
) -> Interval:
    """Bootstrap interval of the mean of finite values. None for fewer than two; the value itself if all are equal."""
    if len(values) < 2:
        return Interval(None, None, Method.NONE, level)
    if min(values) == max(values):
        return Interval(values[0], values[0], Method.CONSTANT, level)
    for method in (Method.BCA, Method.PERCENTILE):
        low, high = _bootstrap(values, method, seed=seed, resamples=resamples, level=level)
        if low == low and high == high:  # NaN: the acceleration or the bias cannot be computed
            return Interval(low, high, method, level)
    return Interval(None, None, Method.NONE, level)


def _bootstrap(
    values: Sequence[float], method: Method, *, seed: int, resamples: int, level: float
) -> tuple[float, float]:
    import numpy
    from scipy import stats

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scipy warns of degenerate data; the fallback is the answer
        bootstrap = stats.bootstrap(
            (numpy.asarray(values, dtype=float),),
            numpy.mean,
            method=method.value,
            n_resamples=resamples,
            batch=max(1, BATCH // len(values)),
            confidence_level=level,
            rng=numpy.random.default_rng(seed),
        )
    return float(bootstrap.confidence_interval.low), float(bootstrap.confidence_interval.high)


def difference(
    first: Mapping[str, Value],
    second: Mapping[str, Value],
    *,
    seed: int = SEED,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Difference:
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
    between = interval(gaps, seed=seed, resamples=resamples, level=level)
    p = _p_value(gaps, seed, resamples) if len(gaps) > 1 else None
    return Difference(average(gaps).value, len(gaps), len(cases) - len(gaps), between, p)


def _p_value(gaps: Sequence[float], seed: int, resamples: int) -> float:
    """Of a mean of 0; 1 if nothing differs anywhere."""
    if not any(gaps):
        return 1.0
    import numpy
    from scipy import stats

    observed = numpy.asarray(gaps, dtype=float)
    centred = observed - observed.mean()
    draw = numpy.random.default_rng(seed)

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
