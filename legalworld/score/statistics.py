"""Honest figures over runs: means with n and intervals, differences tested in pairs, agreement between raters.

numpy, scipy and scikit-learn do the arithmetic; they are imported when something is reckoned.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

RESAMPLES: Final = 2000
CONFIDENCE: Final = 0.95
SEED: Final = 20251217


@dataclass(frozen=True, slots=True)
class Mean:
    """Of `n` values; `excluded` more could have been made and were not. The interval is None below two values.

    `low`, `high`: bootstrap 95 % (BCa; percentile where BCa is not defined, as where all values are the same).
    """

    value: float | None
    n: int
    excluded: int
    low: float | None = None
    high: float | None = None


def mean(values: Sequence[float], excluded: int = 0) -> Mean:
    """The mean of some values, in their unit."""
    if not values:
        return Mean(None, 0, excluded)
    middle = sum(values) / len(values)
    if len(values) < 2:
        return Mean(middle, len(values), excluded)
    low, high = _interval(values)
    return Mean(middle, len(values), excluded, low, high)


def _interval(values: Sequence[float]) -> tuple[float, float]:
    import numpy
    from scipy.stats import bootstrap

    if max(values) == min(values):
        return values[0], values[0]
    data = (numpy.asarray(values, dtype=float),)
    for method in ("BCa", "percentile"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # BCa is not defined for some samples, and says so
            found = bootstrap(
                data, numpy.mean, confidence_level=CONFIDENCE, n_resamples=RESAMPLES, method=method, rng=SEED
            ).confidence_interval
        low, high = float(found.low), float(found.high)
        if low == low and high == high:
            return low, high
    return min(values), max(values)


@dataclass(frozen=True, slots=True)
class Difference:
    """Of two models over the same `n` cases: mean of first - second, its interval, two-sided p of no difference.

    `significant`: the interval leaves zero out.
    """

    value: float | None
    n: int
    low: float | None = None
    high: float | None = None
    p: float | None = None

    @property
    def significant(self) -> bool:
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


def difference(first: Mapping[str, float], second: Mapping[str, float]) -> Difference:
    """Paired bootstrap over the cases that both have (case -> score)."""
    import numpy

    both = sorted(first.keys() & second.keys())
    if not both:
        return Difference(None, 0)
    deltas = numpy.asarray([first[case] - second[case] for case in both], dtype=float)
    middle = float(deltas.mean())
    if len(both) < 2:
        return Difference(middle, len(both))
    if float(deltas.max()) == float(deltas.min()):
        return Difference(middle, len(both), middle, middle, 1.0 if middle == 0 else 0.0)
    low, high = _interval([float(one) for one in deltas])
    generator = numpy.random.default_rng(SEED)
    centred = deltas - middle
    means = generator.choice(centred, size=(RESAMPLES, len(both))).mean(axis=1)
    p = float((numpy.abs(means) >= abs(middle) - 1e-12).mean())
    return Difference(middle, len(both), low, high, max(p, 1 / RESAMPLES))


# ---- agreement -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of two raters over the same `n` things: mean of second - first, its standard deviation (sample), mean absolute
    error, share within one point, Cohen's kappa over the values as classes (None where it is not defined)."""

    n: int
    difference: float | None = None
    sigma: float | None = None
    mae: float | None = None
    within_one: float | None = None
    kappa: float | None = None


def agreement(first: Sequence[float], second: Sequence[float]) -> Agreement:
    """LegalWorld, human evaluation: human against model, human against human. Both in the same order."""
    import numpy

    if len(first) != len(second):
        raise ValueError("two raters of different length")
    if not first:
        return Agreement(0)
    deltas = numpy.asarray(second, dtype=float) - numpy.asarray(first, dtype=float)
    sigma = float(deltas.std(ddof=1)) if len(deltas) > 1 else None
    classes = [f"{value:g}" for value in first], [f"{value:g}" for value in second]
    return Agreement(
        len(deltas),
        float(deltas.mean()),
        sigma,
        float(numpy.abs(deltas).mean()),
        float((numpy.abs(deltas) <= 1).mean()),
        kappa(*classes),
    )


def kappa(first: Sequence[str], second: Sequence[str]) -> float | None:
    """Cohen's kappa; None for nothing rated, or when both raters used one and the same class only."""
    from sklearn.metrics import cohen_kappa_score

    if not first or len(set(first) | set(second)) < 2:
        return None
    return float(cohen_kappa_score(list(first), list(second)))


def majority(votes: Sequence[str], tie: str = "tie") -> str:
    """SimCourt, pairwise aspects: ties are dropped, the majority of the rest wins; without one it is a tie."""
    counted = Counter(vote for vote in votes if vote != tie).most_common()
    if not counted or (len(counted) > 1 and counted[0][1] == counted[1][1]):
        return tie
    return counted[0][0]


def shares(verdicts: Sequence[str], wins: str, ties: str = "tie") -> tuple[float, float, float]:
    """Win, tie and lose shares of all verdicts; (0, 0, 0) of none."""
    if not verdicts:
        return (0.0, 0.0, 0.0)
    won, tied = verdicts.count(wins) / len(verdicts), verdicts.count(ties) / len(verdicts)
    return won, tied, 1 - won - tied
