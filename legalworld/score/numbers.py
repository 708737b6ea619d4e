"""Scores of numbers: terms, amounts, ratings. A number is a float or None; infinity stands for what is beyond all
numbers of its kind (imprisonment for life, death)."""

from __future__ import annotations

import math
from collections.abc import Iterable

from .outcome import Excluded, Outcome, Reason

WORST_DEVIATION = 100.0


def rating(value: float | None, most: float = 10, least: float = 0) -> Outcome:
    """A rating as a share of the top of its scale, in [0, 1]. LegalWorld app. C.2 (`norm(r) = r / 10`); MASER tables 1
    and 2 print ratings of 1 to 10 times ten, which is 100 times this.

    Excluded: no rating, or one beyond the scale (never pulled back into it).
    """
    if value is None:
        return Excluded(Reason.UNREADABLE)
    if not math.isfinite(value) or not least <= value <= most:
        return Excluded(Reason.OUT_OF_RANGE)
    return value / most


def phi(share: float) -> Outcome:
    """Square root of a partial match, in [0, 1], the share clamped to [0, 1] first. LegalWorld app. C.4.

    Excluded: NaN.
    """
    return Excluded(Reason.NOT_A_NUMBER) if math.isnan(share) else math.sqrt(min(1.0, max(0.0, share)))


def relative_error(given: float | None, expected: float | None) -> Outcome:
    """abs(P - T) / T, in [0, inf), lower is better. SimCourt sec. 4.1, eq. 2 (months, months, yuan).

    Excluded, as there: T = 0; T no number (life, death). Also P missing or no number, where the paper is silent: an
    error of a fixed size would be invented; the hit rate counts such a case as missed.
    """
    if expected is None:
        return Excluded(Reason.NO_REFERENCE)
    if not math.isfinite(expected):
        return Excluded(Reason.NOT_A_NUMBER)
    if expected == 0:
        return Excluded(Reason.ZERO_REFERENCE)
    if given is None:
        return Excluded(Reason.NO_PREDICTION)
    return abs(given - expected) / abs(expected) if math.isfinite(given) else Excluded(Reason.NOT_A_NUMBER)


def within(given: float | None, low: float | None, high: float | None) -> Outcome:
    """1 if low <= P <= high, else 0, both ends included. SimCourt sec. 4.1, eq. 1 (the hit rate is the mean).

    A range that ends with life or death has an infinite end. Excluded: an end of the range is not known. No prediction:
    0.
    """
    if low is None or high is None:
        return Excluded(Reason.NO_REFERENCE)
    return float(given is not None and low <= given <= high)


def log_deviation(given: float | None, expected: float | None) -> Outcome:
    """abs(ln(p + 1) - ln(a + 1)), in [0, inf), lower is better. J1 app. D.3, eq. 2 (months; yuan).

    The natural logarithm is our choice, the paper names no base. Excluded: no reference; a number below 0 or beyond all
    numbers on either side; no prediction, which `verdict_deviation` makes the worst value.
    """
    if expected is None:
        return Excluded(Reason.NO_REFERENCE)
    if given is None:
        return Excluded(Reason.NO_PREDICTION)
    if not all(math.isfinite(one) and one >= 0 for one in (given, expected)):
        return Excluded(Reason.NOT_A_NUMBER)
    return abs(math.log1p(given) - math.log1p(expected))


def verdict_deviation(given: float | None, expected: float | None, cap: float = 1.0) -> Outcome:
    """`log_deviation` in [0, 100], lower is better: 100 at `cap` and beyond, 100 where there is no verdict. J1 tables 2
    and 9 (SEN, FINE), as far as they can be read: values times 100, and 100.00 for a model that never gave a verdict.

    That 100 is also the most is our choice: no verdict must not be better than a wrong one. A verdict that is no number
    (life, where a term was right) is as wrong as can be. Excluded: the reference is missing or no number.
    """
    found = log_deviation(given, expected)
    if not isinstance(found, Excluded):
        return WORST_DEVIATION * min(1.0, found / cap)
    no_reference = expected is None or not math.isfinite(expected) or expected < 0
    return found if no_reference else WORST_DEVIATION


def capped(score: float, limits: Iterable[float], step: float = 1) -> float:
    """A rating held below each limit: "below 4" on a scale of whole points is at most 3. MASER app. B.1, figures 19, 20
    (a vague detail not followed up, everything asked at once: below 4; a lapse: below 5)."""
    return min([score, *(limit - step for limit in limits)])
