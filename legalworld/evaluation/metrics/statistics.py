"""Whether two models differ, how sure a mean is, and how many cases it takes to tell.

numpy and scipy compute; they are imported when first needed. What is drawn is drawn from a seed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY
from functools import lru_cache
from typing import Any, Final, TypeVar

from ...model.immutable import immutable
from .intervals import SEED, Bounds, Interval, deviation, interval, unbounded_interval
from .values import Average, Value, average, scored

Key = TypeVar("Key")

Cluster = Callable[[str], str]
"""Case -> what its scores depend on in common."""

SIGNIFICANT: Final = 0.05
POWER: Final = 0.8
ALL_FLIPS: Final = 20  # cases up to which every way to flip signs is tried: 2 ** 20
FLIPS: Final = 20_000  # ways that are drawn where there are more cases
ROUNDING: Final = 1e-9  # of a sum: 0.3 - 0.2 and 0.2 - 0.1 are the same difference
SURELY: Final = 30.0  # standard errors; so far from 0 scipy's distribution has no figures, and nothing is missed
MOST_CASES: Final = 100_000  # beyond which nobody plans a study


@immutable
class Mean(Average):
    """An average with its interval; `deviation` is the standard deviation of the scores (n - 1), None below two."""

    _: KW_ONLY
    interval: Interval
    deviation: float | None = None


@immutable
class Difference:
    """First model minus second over the `n` cases both have a score for; `unpaired` cases have one or none.

    `p`: two-sided, that each difference is as likely to have the other sign; None below two cases. `needed`: cases that
    a difference of this size and spread takes to be found (p < SIGNIFICANT) with a chance of POWER; `detectable`: the
    difference that these `n` cases find so. None where the differences have no spread.
    """

    value: Value
    n: int
    unpaired: int
    interval: Interval
    p: float | None
    needed: int | None = None
    detectable: float | None = None


def mean(outcomes: Iterable[Value], bounds: Bounds | None = None, floor: float | None = None) -> Mean:
    """Mean, n, exclusions and interval. `bounds`: the least and greatest that a score can be; `floor`: the least of
    errors without an end, whose interval is told where it can be believed (`unbounded_interval`)."""
    every = list(outcomes)
    plain = average(every)
    values = scored(every)[0]
    found = interval(values, bounds) if bounds is not None or floor is None else unbounded_interval(values, floor)
    return Mean(plain.value, plain.n, plain.excluded, interval=found, deviation=deviation(values))


def origin(case: str) -> str:
    """Return the case without the profile by which its persons were played."""
    return case.partition("@")[0]


def by_cluster(scores: Mapping[str, Value], cluster: Cluster) -> dict[str, Value]:
    """Cluster -> the mean of its cases. A case played under several profiles is one case, and so are cases of one
    origin: what holds of one of them holds of the others too."""
    members: dict[str, list[Value]] = {}
    for case, value in scores.items():
        members.setdefault(cluster(case), []).append(value)
    return {name: mean_or_gap(values) for name, values in members.items()}


def mean_or_gap(values: Sequence[Value]) -> Value:
    """The mean of those that are there; why the first is missing, where none is."""
    value = average(values).value
    return value if isinstance(value, float) else values[0]


def difference(
    first: Mapping[str, Value],
    second: Mapping[str, Value],
    bounds: Bounds | None = None,
    cluster: Cluster = str,
) -> Difference:
    """Two models over the same cases (case -> score), `n` of the result: clusters of them. `bounds`: of a score."""
    cases = list(dict.fromkeys([*first, *second]))
    paired: dict[str, list[float]] = {}
    for case in cases:  # in the order of the first model, so that the draw does not depend on a set's order
        values, _ = scored(mapping[case] for mapping in (first, second) if case in mapping)
        if len(values) == 2:
            paired.setdefault(cluster(case), []).append(values[0] - values[1])
    gaps = [math.fsum(those) / len(those) for those in paired.values()]
    alone = len(cases) - sum(map(len, paired.values()))
    reach = None if bounds is None else bounds[1] - bounds[0]
    ends = interval(gaps, None if reach is None else (-reach, reach))
    spread = deviation(gaps) or 0.0
    middle = average(gaps).value
    found = middle if isinstance(middle, float) else 0.0
    return Difference(
        middle,
        len(gaps),
        alone,
        ends,
        sign_flips(gaps) if len(gaps) > 1 else None,
        cases_needed(found, spread),
        detectable(spread, len(gaps)),
    )


# ---- the test --------------------------------------------------------------------------------------------------------


def sign_flips(gaps: Sequence[float]) -> float:
    """Two-sided p of paired differences: of all ways to flip their signs, the share of those with a sum that is as far
    from 0. Exact up to ALL_FLIPS differences, then from FLIPS draws, the observed one among them.

    scipy.stats.permutation_test does the same by drawing up every way in full, which takes seconds for 20 cases and a
    table has hundreds of differences; the tests hold the two to one figure. Differences of 0 change nothing and are
    not flipped.
    """
    apart = [gap for gap in gaps if gap]
    if not apart:
        return 1.0
    import numpy

    observed = abs(math.fsum(apart))
    enough = observed - ROUNDING * math.fsum(map(abs, apart))
    if len(apart) <= ALL_FLIPS:
        sums = numpy.array([apart[0]])  # the other half is these with all signs turned
        for gap in apart[1:]:
            sums = numpy.concatenate((sums + gap, sums - gap))
        return float((numpy.abs(sums) >= enough).mean())
    signs = _signs(len(apart))
    return float((1 + (numpy.abs(signs @ numpy.array(apart)) >= enough).sum()) / (1 + FLIPS))


@lru_cache(maxsize=8)
def _signs(n: int) -> Any:
    import numpy

    return 1.0 - 2.0 * numpy.random.default_rng(SEED).integers(0, 2, (FLIPS, n), dtype=numpy.int8)


def adjusted(p_values: Mapping[Key, float | None]) -> dict[Key, float]:
    """p values of many comparisons read together (Benjamini and Hochberg, scipy.stats.false_discovery_control): of what
    stays below SIGNIFICANT, at most one in twenty is expected to be chance. What was not tested (None) is left out."""
    tested = {key: p for key, p in p_values.items() if p is not None}
    if not tested:
        return {}
    from scipy import stats

    return dict(zip(tested, map(float, stats.false_discovery_control(list(tested.values()))), strict=True))


# ---- how many cases --------------------------------------------------------------------------------------------------


def least_p(n: int) -> float:
    """The least p that n cases can give: all differences of one sign."""
    return min(1.0, 2 * 0.5**n)


def cases_needed(gap: float, spread: float, chance: float = POWER) -> int | None:
    """The fewest cases on which a mean difference of `gap`, single ones being spread by `spread` (standard deviation),
    is found with a chance. Paired t test (noncentral t), but never fewer than can be significant at all."""
    if not gap or spread <= 0:
        return None
    effect = abs(gap) / spread
    fewest = next(n for n in range(2, 100) if least_p(n) < SIGNIFICANT)
    if _power(effect, MOST_CASES) < chance:
        return None
    low, high = fewest, MOST_CASES
    while low < high:  # power grows with n
        half = (low + high) // 2
        low, high = (low, half) if _power(effect, half) >= chance else (half + 1, high)
    return low


def detectable(spread: float, n: int, chance: float = POWER) -> float | None:
    """The mean difference that n cases find with a chance."""
    if n < 2 or least_p(n) >= SIGNIFICANT or spread <= 0:
        return None
    low, high = 0.0, 100.0
    for _ in range(40):
        half = (low + high) / 2
        low, high = (low, half) if _power(half, n) >= chance else (half, high)
    return high * spread


@lru_cache(maxsize=4096)
def _power(effect: float, n: int) -> float:
    """Of a paired t test of n differences with a mean of `effect` standard deviations: that it is found, and with the
    right sign. scipy.stats.nct has the same digits for forty times as long, and a table asks ten thousand times."""
    from scipy import special

    limit, shift = special.stdtrit(n - 1, 1 - SIGNIFICANT / 2), effect * math.sqrt(n)
    if shift > SURELY:
        return 1.0
    return float(1 - special.nctdtr(n - 1, shift, limit))
