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

    middle = numpy.nanmean([row for members in rows.values() for row in members])
    clusters = [numpy.array(members) - middle for members in rows.values()]  # small sums have more digits
    n = sum(len(members) for members in clusters)
    alpha, icc = _with_interval(clusters, _for_alpha, _alpha), _with_interval(clusters, _for_icc, _icc)
    return Reliability(len(ratings), n, len(clusters), *alpha, *icc)


def _number(value: Value | None) -> float:
    return value if isinstance(value, float | int) else float("nan")


def _with_interval(
    clusters: list[Any], sums: Callable[[Any], Any], figure: Callable[[Any], float | None]
) -> tuple[Value, Interval]:
    """A figure of all rows, and the middle of what it is when cases are drawn again. It is reckoned from sums over the
    rows: those of each case are taken once, and a draw adds them up."""
    import numpy

    each = numpy.array([sums(rows) for rows in clusters])
    whole = figure(each.sum(axis=0))
    if whole is None:
        return MissingScore(Reason.NO_VARIATION), Interval(None, None, "no_variation")
    if len(clusters) < FEWEST:
        return whole, Interval(None, None, "too_few")
    again = (figure(each[drawn].sum(axis=0)) for drawn in draws(len(clusters))[:RESAMPLED])
    found = [one for one in again if one is not None]
    if len(found) < RESAMPLED / 2:
        return whole, Interval(None, None, "no_variation")
    return whole, Interval(*percentiles(found, len(clusters)))


def _for_alpha(rows: Any) -> list[float]:
    """The ratings: how many, their sum, that of their squares, and that of the differences within things."""
    import numpy

    counts = (~numpy.isnan(rows)).sum(axis=1)
    added, squares = numpy.nansum(rows, axis=1), numpy.nansum(rows**2, axis=1)
    within = 2 * (counts * squares - added**2) / (counts - 1)
    return [counts.sum(), added.sum(), squares.sum(), within.sum()]


def _alpha(sums: Any) -> float | None:
    """1 - observed / expected disagreement (squared differences); None where all ratings are one and the same.
    Krippendorff, Content Analysis, ch. 12."""
    total, added, squares, within = sums.tolist()
    expected = 2 * (total * squares - added**2) / (total * (total - 1))
    return float(1 - within / total / expected) if expected > 1e-9 else None


def _for_icc(rows: Any) -> list[float]:
    """Of the rows without a gap: how many, the squares of their sums, the squares of the ratings, each rater's sum."""
    import numpy

    whole = rows[~numpy.isnan(rows).any(axis=1)]
    return [len(whole), (whole.sum(axis=1) ** 2).sum(), (whole**2).sum(), *whole.sum(axis=0)]


def _icc(sums: Any) -> float | None:
    """(MSR - MSE) / (MSR + (k - 1) MSE + k (MSC - MSE) / n); None below two rows, and where nothing varies."""
    n, by_row, squares, *raters = sums.tolist()
    k = len(raters)
    if n < 2 or k < 2:
        return None
    middle = sum(raters) ** 2 / (n * k)
    things, columns = by_row / k - middle, sum(one**2 for one in raters) / n - middle
    by_thing, by_rater = things / (n - 1), columns / (k - 1)
    rest = (squares - middle - things - columns) / ((n - 1) * (k - 1))
    below = by_thing + (k - 1) * rest + k * (by_rater - rest) / n
    return float((by_thing - rest) / below) if below > 1e-9 else None
