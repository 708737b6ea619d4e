"""A score, or the reason why there is none; and means that say how many they leave out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum


class Reason(StrEnum):
    """Why something has no score. The values are written to files and looked up in tables of words."""

    NO_REFERENCE = "no-reference"  # nothing to compare with
    NO_PREDICTION = "no-prediction"  # nothing to compare, where the definition needs a number
    ZERO_REFERENCE = "zero-reference"  # a relative error would divide by it
    NOT_A_NUMBER = "not-a-number"  # life, death; or a number that is none
    OUT_OF_RANGE = "out-of-range"  # a rating beyond its scale
    UNREADABLE = "unreadable"  # a judge's reply that no retry made readable
    NOT_APPLICABLE = "not-applicable"  # the source defines no such metric here
    NO_DIFFERENCE = "no-difference"  # a best and a worst are asked for, and all are equal
    NO_VARIATION = "no-variation"  # everybody gave the same label: agreement by chance is certain
    NOTHING_LEFT = "nothing-left"  # a mean of nothing, or of nothing that has a score


@dataclass(frozen=True, slots=True)
class Excluded:
    """No score. Never 0: what counts as 0 is a float."""

    reason: Reason


Outcome = float | Excluded


@dataclass(frozen=True, slots=True)
class Average:
    """A mean over what has a score: `n` of them; `excluded` counts the others by reason, in the order of `Reason`."""

    value: Outcome
    n: int
    excluded: tuple[tuple[Reason, int], ...] = ()

    @property
    def left_out(self) -> int:
        return sum(count for _, count in self.excluded)


def scored(outcomes: Iterable[Outcome]) -> tuple[list[float], tuple[tuple[Reason, int], ...]]:
    """The scores, in order, and how many outcomes are excluded by each reason. A NaN or infinity counts as excluded."""
    values: list[float] = []
    reasons: Counter[Reason] = Counter()
    for outcome in outcomes:
        if isinstance(outcome, Excluded):
            reasons[outcome.reason] += 1
        elif math.isfinite(outcome):
            values.append(float(outcome))
        else:
            reasons[Reason.NOT_A_NUMBER] += 1
    return values, tuple((reason, reasons[reason]) for reason in Reason if reasons[reason])


def average(outcomes: Iterable[Outcome]) -> Average:
    """Mean of what has a score, in its own unit; `NOTHING_LEFT` if nothing has."""
    values, excluded = scored(outcomes)
    value = math.fsum(values) / len(values) if values else Excluded(Reason.NOTHING_LEFT)
    return Average(value, len(values), excluded)


def mean_of(outcomes: Iterable[Outcome]) -> Outcome:
    """`average`, the value alone."""
    return average(outcomes).value


def or_else(outcome: Outcome, value: float) -> float:
    """What a rubric says a missing score is worth: 0 for a task that was not done, the worst value for a deviation."""
    return value if isinstance(outcome, Excluded) else outcome


def averages(groups: Mapping[str, Iterable[Outcome]]) -> dict[str, Average]:
    """A mean for each group: by kind of dispute, by stage, by how rare a case is."""
    return {name: average(outcomes) for name, outcomes in groups.items()}
