"""A score, or the reason why there is none; and means that say how many they leave out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from ...model.immutable import immutable


class Reason(StrEnum):
    """Why something has no score. The values are written to files and looked up in tables of words."""

    NO_REFERENCE = "no_reference"  # the case holds nothing to compare with
    MISSING = "missing"  # what is to be scored is not there, where the definition needs it
    GIVEN = "given"  # what is to be scored came with the case, or was put in the place of what was written
    UNDECIDED = "undecided"  # it rests on a decision that leaves something undecided, and says so
    ZERO_REFERENCE = "zero_reference"  # a relative error would divide by it
    NOT_A_NUMBER = "not_a_number"  # life, death; or a number that is none
    OUT_OF_RANGE = "out_of_range"  # a rating beyond its scale
    UNREADABLE = "unreadable"  # a grader's reply that no retry made readable
    NOT_APPLICABLE = "not_applicable"  # this run has no such stage, or the source defines no such metric here
    NO_DIFFERENCE = "no_difference"  # a best and a worst are asked for, and all are equal
    NO_VARIATION = "no_variation"  # everybody gave the same label: agreement by chance is certain
    INCOMPLETE = "incomplete"  # too much of what a figure is made of could not be told
    EMPTY = "empty"  # a mean of nothing, or of nothing that has a score


@immutable
class MissingScore:
    """There is no score, and why. What counts as 0 is a float and no missing score. `detail`: which field or words."""

    why: Reason
    detail: str = ""


Value = float | MissingScore


@immutable
class Average:
    """A mean over what has a score: `n` of them; `excluded` counts the others by reason, in the order of `Reason`."""

    value: Value
    n: int
    excluded: tuple[tuple[Reason, int], ...] = ()

    @property
    def left_out(self) -> int:
        return sum(count for _, count in self.excluded)


def scored(outcomes: Iterable[Value]) -> tuple[list[float], tuple[tuple[Reason, int], ...]]:
    """The scores, in order, and how many others there are by reason. A NaN or infinity has no score."""
    values: list[float] = []
    reasons: Counter[Reason] = Counter()
    for outcome in outcomes:
        if isinstance(outcome, MissingScore):
            reasons[outcome.why] += 1
        elif math.isfinite(outcome):
            values.append(float(outcome))
        else:
            reasons[Reason.NOT_A_NUMBER] += 1
    return values, tuple((reason, reasons[reason]) for reason in Reason if reasons[reason])


def average(outcomes: Iterable[Value]) -> Average:
    """Mean of what has a score, in its own unit; missing (`EMPTY`) if nothing has."""
    values, excluded = scored(outcomes)
    value = math.fsum(values) / len(values) if values else MissingScore(Reason.EMPTY)
    return Average(value, len(values), excluded)


def number(value: Value | None) -> float | None:
    """A value for files, which know no missing score but null."""
    return None if isinstance(value, MissingScore) else value


def shown(value: Value | None, form: str = ".2f") -> str:
    """A value for people; `-` where there is none."""
    plain = number(value)
    return "-" if plain is None else f"{plain:{form}}"


def mean_of(outcomes: Iterable[Value]) -> Value:
    """`average`, the value alone."""
    return average(outcomes).value
