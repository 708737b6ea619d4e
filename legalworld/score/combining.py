"""Scores made of scores: stages, documents, windows, drafts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from .outcome import Average, Excluded, Outcome, Reason, average, mean_of, scored

T = TypeVar("T")

ARGUMENT_POINTS = 5  # the most of each of the three
MILE_SCALE = 100


# ---- LongJud-Bench ---------------------------------------------------------------------------------------------------


def questions(ratings: Iterable[Iterable[Outcome]]) -> Outcome:
    """Mean over questions of the mean over dimensions, in [0, 1]. LegalWorld app. C.2, eq. 5; inputs from `rating`.

    A dimension without a score leaves its question's mean, a question without any leaves the score. Excluded: none
    left.
    """
    return mean_of([mean_of(dimensions) for dimensions in ratings])


def slots(exact: Iterable[Outcome], rated: Iterable[Outcome]) -> Outcome:
    """(sum of exact matches + sum of ratings) / (their number), in [0, 1]. LegalWorld app. C.2, eq. 6. Every slot
    weighs the same, so a document of many exact slots is mostly about them. Excluded slots leave the number too."""
    return mean_of([*exact, *rated])


def phases(ratings: Iterable[Mapping[str, Outcome] | None], dimensions: Sequence[str]) -> Outcome:
    """Mean over phases of the mean over dimensions, in [0, 1]. LegalWorld app. C.2, eq. 7.

    None: a required statement was never made, and the phase is 0 on all dimensions; a dimension that a phase does not
    name is 0 on that dimension. A dimension that is excluded (a judge could not be read) leaves its phase's mean.
    """
    return mean_of([mean_of([(phase or {}).get(one, 0.0) for one in dimensions]) for phase in ratings])


def alignment(dimensions: Mapping[str, Outcome]) -> Average:
    """10 times the mean over available dimensions, in [0, 10]. LegalWorld app. C.4: what is unavailable is skipped, not
    0. Inputs are F1 or `phi`, in [0, 1]."""
    found = average(dimensions.values())
    return found if isinstance(found.value, Excluded) else Average(10 * found.value, found.n, found.excluded)


def change(base: Outcome, changed: Outcome) -> Outcome:
    """`changed` minus `base`, in their unit. LegalWorld tables 4 and 18. Excluded: whatever excludes either."""
    for one in (base, changed):
        if isinstance(one, Excluded):
            return one
    assert not isinstance(base, Excluded) and not isinstance(changed, Excluded)
    return changed - base


# ---- windows of a conversation (MASER) -------------------------------------------------------------------------------


def windows(turns: Sequence[T], size: int = 2, step: int = 1) -> tuple[tuple[T, ...], ...]:
    """Every `size` turns that follow each other, each window beginning `step` turns after the last. MASER app. B.1: two
    turns, so that each reply is read with the turn before it (step 1, our reading; with step 2 windows do not overlap).

    The last window is cut short if the turns run out before it is full; a conversation shorter than a window is one
    window; none is none. Errors: ValueError if `size` or `step` is below 1, or turns would be left between windows.
    """
    if not 1 <= step <= size:
        raise ValueError(f"size {size}, step {step}")
    starts = range(0, max(1, len(turns) - size + step), step)
    return tuple(tuple(turns[start : start + size]) for start in starts if start < len(turns))


@dataclass(frozen=True, slots=True)
class Course:
    """One dimension through a conversation: the rating of each window in its order, and their mean times ten."""

    windows: tuple[Outcome, ...]
    score: Average


def course(ratings: Iterable[Outcome]) -> Course:
    """Mean of a dimension's window ratings of 1 to 10, times 10. MASER app. B.1 and table 2 (INT, PROF, LOGI). Inputs
    are `rating`s in [0, 1]; windows without a score are counted and left out."""
    kept = tuple(ratings)
    return Course(kept, _hundred(average(kept)))


def goal(local: Iterable[Outcome], whole: Iterable[Outcome]) -> Average:
    """Mean of all parts, local and global alike, times 100: AVE of MASER tables 1 and 8 in the rows where the print
    follows from the parts. CLI and DEF from `exact_match`, F&R, CLA, EVID, STA, PROF from `rating`."""
    return _hundred(average([*local, *whole]))


def _hundred(found: Average) -> Average:
    if isinstance(found.value, Excluded):
        return found
    return Average(MILE_SCALE * found.value, found.n, found.excluded)


# ---- arguments and rarity (ASP2LJ) -----------------------------------------------------------------------------------


def argument(points: Sequence[float | None]) -> Outcome:
    """Sum of citation, rebuttal and comprehension, 0 to 5 each: 0 to 15. ASP2LJ sec. 2.1.3, table 10.

    Excluded: a part is missing, or beyond its scale.
    """
    if any(one is None for one in points) or not points:
        return Excluded(Reason.UNREADABLE)
    given = [one for one in points if one is not None]
    if not all(0 <= one <= ARGUMENT_POINTS for one in given):
        return Excluded(Reason.OUT_OF_RANGE)
    return math.fsum(given)


def best_and_worst(drafts: Sequence[Outcome]) -> tuple[int, int] | Excluded:
    """Places of the best and the worst draft, from 0; of equals the first. ASP2LJ sec. 3.2: the pair for preference
    training; the best is the one heard.

    Excluded: fewer than two drafts have a score, or all scores are the same (no preference).
    """
    values, _ = scored(drafts)
    if len(values) < 2:
        return Excluded(Reason.NOTHING_LEFT)
    if max(values) == min(values):
        return Excluded(Reason.NO_DIFFERENCE)
    known = [(place, one) for place, one in enumerate(drafts) if not isinstance(one, Excluded) and math.isfinite(one)]
    return max(known, key=lambda one: (one[1], -one[0]))[0], min(known, key=lambda one: (one[1], one[0]))[0]


class Rarity(StrEnum):
    """How often a kind of case is seen. The rarest are `LOW`."""

    HIGH = "high"
    MID = "mid"
    LOW = "low"


def rarity(count: int | None, low_up_to: int, mid_up_to: int) -> Rarity | Excluded:
    """The band of a kind of case that occurs `count` times. ASP2LJ sec. 3.1; the paper prints no bounds, so the rubric
    gives them. Both bounds are inclusive. Excluded: nobody counted this kind. Errors: ValueError if the bounds
    cross."""
    if low_up_to > mid_up_to:
        raise ValueError(f"low up to {low_up_to}, mid up to {mid_up_to}")
    if count is None:
        return Excluded(Reason.NO_REFERENCE)
    return Rarity.LOW if count <= low_up_to else Rarity.MID if count <= mid_up_to else Rarity.HIGH
