"""Krippendorff's alpha and the intraclass correlation: how far several raters, graders or repetitions agree.

Not all need have rated everything. Intervals are resampled over cases (clusters), not over single ratings: those of one
run are not independent of each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...model.immutable import immutable
from .intervals import Interval, draws, percentiles
from .values import MissingScore, Reason, Value, number

AGREED: Final = 0.8  # Krippendorff: what conclusions may rest upon
TENTATIVE: Final = 0.667  # and what allows tentative ones
RESAMPLED: Final = 1000
FEWEST: Final = 5  # cases, below which resampling them says nothing

Ratings = Mapping[str, Mapping[str, Value]]
"""Rater -> thing -> rating."""


@immutable
class Reliability:
    """Of the `n` things that at least two of `raters` rated, in so many `cases`.

    `alpha`: Krippendorff's for measurements (interval level): 1 is full agreement, 0 that of chance. `icc`: ICC(A,1) of
    McGraw and Wong, absolute agreement of single ratings, over the things that all have rated.
    """

    raters: int
    n: int
    cases: int
    alpha: Value
    alpha_interval: Interval
    icc: Value
    icc_interval: Interval

    def figures(self) -> dict[str, float | None]:
        """As a row of data."""
        counted = {"raters": self.raters, "n": self.n, "cases": self.cases}
        ends = {"alpha": self.alpha_interval, "icc": self.icc_interval}
        low_and_high = {f"{name}_{end}": getattr(one, end) for name, one in ends.items() for end in ("low", "high")}
        return {**counted, "alpha": number(self.alpha), "icc": number(self.icc), **low_and_high}


def reliability(ratings: Ratings, case: Callable[[str], str] = str) -> Reliability:
    """Of all raters. `case`: that of a thing; by default each thing is a case of its own."""
    rows: dict[str, list[list[float]]] = {}
    for thing in dict.fromkeys(thing for mine in ratings.values() for thing in mine):
        row = [_number(mine.get(thing)) for mine in ratings.values()]
        if sum(one == one for one in row) > 1:
            rows.setdefault(case(thing), []).append(row)
    if not rows:
        none, nowhere = MissingScore(Reason.EMPTY), Interval(None, None, "too_few")
        return Reliability(len(ratings), 0, 0, none, nowhere, none, nowhere)
    import numpy

    clusters = [numpy.array(members) for members in rows.values()]
    n = sum(len(members) for members in clusters)
    return Reliability(
        len(ratings), n, len(clusters), *_with_interval(clusters, _alpha), *_with_interval(clusters, _icc)
    )


def _number(value: Value | None) -> float:
    return value if isinstance(value, float | int) else float("nan")


def _with_interval(clusters: list[Any], figure: Callable[[Any], float | None]) -> tuple[Value, Interval]:
    """A figure of all rows, and the middle of what it is when cases are drawn again."""
    import numpy

    whole = figure(numpy.concatenate(clusters))
    if whole is None:
        return MissingScore(Reason.NO_VARIATION), Interval(None, None, "no_variation")
    if len(clusters) < FEWEST:
        return whole, Interval(None, None, "too_few")
    again = (figure(numpy.concatenate([clusters[n] for n in drawn])) for drawn in draws(len(clusters))[:RESAMPLED])
    found = [one for one in again if one is not None]
    if len(found) < RESAMPLED / 2:
        return whole, Interval(None, None, "no_variation")
    return whole, Interval(*percentiles(found, len(clusters)))


def _alpha(rows: Any) -> float | None:
    """1 - observed / expected disagreement (squared differences); None where all ratings are one and the same.
    Krippendorff, Content Analysis, ch. 12."""
    import numpy

    counts = (~numpy.isnan(rows)).sum(axis=1)
    within = 2 * (counts * numpy.nansum(rows**2, axis=1) - numpy.nansum(rows, axis=1) ** 2)
    total = counts.sum()
    expected = 2 * (total * numpy.nansum(rows**2) - numpy.nansum(rows) ** 2) / (total * (total - 1))
    observed = (within / (counts - 1)).sum() / total
    return float(1 - observed / expected) if expected > 1e-9 else None


def _icc(rows: Any) -> float | None:
    """(MSR - MSE) / (MSR + (k - 1) MSE + k (MSC - MSE) / n) of the rows without a gap; None below two of them, and
    where nothing varies."""
    import numpy

    whole = rows[~numpy.isnan(rows).any(axis=1)]
    n, k = whole.shape
    if n < 2 or k < 2:
        return None
    mean = whole.mean()
    things, raters = whole.mean(axis=1), whole.mean(axis=0)
    by_thing = k * ((things - mean) ** 2).sum() / (n - 1)
    by_rater = n * ((raters - mean) ** 2).sum() / (k - 1)
    rest = ((whole - things[:, None] - raters[None, :] + mean) ** 2).sum() / ((n - 1) * (k - 1))
    below = by_thing + (k - 1) * rest + k * (by_rater - rest) / n
    return float((by_thing - rest) / below) if below > 1e-9 else None
