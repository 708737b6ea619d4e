"""Scores of numbers: terms, amounts, ratings.

A number is a float or None; infinity stands for what is beyond all numbers of its kind (imprisonment for life, death).
"""

from __future__ import annotations

import math

from .values import MissingScore, Reason, Value

WORST_DEVIATION = 100.0


def relative_error(given: float | None, expected: float | None) -> Value:
    """abs(P - T) / T, in [0, inf), lower is better. SimCourt sec. 4.1, eq. 2 (months, months, yuan).

    Gap, as there: T = 0; T no number (life, death). Also P missing or no number, where the paper is silent: an
    error of a fixed size would be invented; the hit rate counts such a case as missed.
    """
    if expected is None:
        return MissingScore(Reason.NO_REFERENCE)
    if not math.isfinite(expected):
        return MissingScore(Reason.NOT_A_NUMBER)
    if expected == 0:
        return MissingScore(Reason.ZERO_REFERENCE)
    if given is None:
        return MissingScore(Reason.MISSING)
    return abs(given - expected) / abs(expected) if math.isfinite(given) else MissingScore(Reason.NOT_A_NUMBER)


def within(given: float | None, low: float | None, high: float | None) -> Value:
    """1 if low <= P <= high, else 0, both ends included. SimCourt sec. 4.1, eq. 1 (the hit rate is the mean).

    A range that ends with life or death has an infinite end. Gap: an end of the range is not known. No prediction:
    0.
    """
    if low is None or high is None:
        return MissingScore(Reason.NO_REFERENCE)
    return float(given is not None and low <= given <= high)


def log_deviation(given: float | None, expected: float | None) -> Value:
    """abs(ln(p + 1) - ln(a + 1)), in [0, inf), lower is better. J1 app. D.3, eq. 2 (months; yuan).

    The natural logarithm is our choice, the paper names no base. Gap: no reference; a number below 0 or beyond all
    numbers on either side; no prediction, which `verdict_deviation` makes the worst value.
    """
    if expected is None:
        return MissingScore(Reason.NO_REFERENCE)
    if given is None:
        return MissingScore(Reason.MISSING)
    if not all(math.isfinite(one) and one >= 0 for one in (given, expected)):
        return MissingScore(Reason.NOT_A_NUMBER)
    return abs(math.log1p(given) - math.log1p(expected))


def verdict_deviation(given: float | None, expected: float | None, cap: float = 1.0) -> Value:
    """`log_deviation` in [0, 100], lower is better: 100 at `cap` and beyond, 100 where there is no verdict. J1 tables 2
    and 9 (SEN, FINE), as far as they can be read: values times 100, and 100.00 for a model that never gave a verdict.

    That 100 is also the most is our choice: no verdict must not be better than a wrong one. A verdict that is no number
    (life, where a term was right) is as wrong as can be. Gap: the reference is missing or no number.
    """
    found = log_deviation(given, expected)
    if not isinstance(found, MissingScore):
        return WORST_DEVIATION * min(1.0, found / cap)
    no_reference = expected is None or not math.isfinite(expected) or expected < 0
    return found if no_reference else WORST_DEVIATION
