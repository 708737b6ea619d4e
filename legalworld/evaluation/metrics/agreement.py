"""Kappa, mean difference and error: do raters agree, people with a judge model and people with each other."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from itertools import combinations
from typing import Final, Literal

from ...model.immutable import immutable
from .intervals import Interval, deviation, interval, proportion
from .values import Average, MissingScore, Reason, Value, average, number

CLOSE: Final = 1.0  # points: "within one"
ROUNDING: Final = 1e-9  # 8.3 - 7.3 is a little more than 1 in binary

Weights = Literal["linear", "quadratic"]


# ---- ratings on a scale ----------------------------------------------------------------------------------------------


@immutable
class Agreement:
    """Of `n` pairs of ratings; `unpaired` have one rating or none. All in points, but `within_one` and kappas.

    `difference`: mean of first minus second; `sigma`: its standard deviation (n - 1); `mae`: mean of absolute
    differences; `within_one`: share of pairs at most one point apart, in [0, 1]; `kappa`: Cohen's, with quadratic
    weights, in [-1, 1]. `intervals`: of the difference and of the share, over cases.
    """

    n: int
    unpaired: int
    difference: Value
    sigma: Value
    mae: Value
    within_one: Value
    kappa: Value
    intervals: Mapping[str, Interval] = field(default_factory=dict, compare=False)

    def figures(self) -> dict[str, float | None]:
        """As a row of data."""
        plain = ("n", "unpaired", "difference", "sigma", "mae", "within_one", "kappa")
        return {name: number(getattr(self, name)) for name in plain} | ends_of(self.intervals)


def ends_of(intervals: Mapping[str, Interval]) -> dict[str, float | None]:
    """As data: `NAME_low`, `NAME_high`."""
    return {f"{name}_{end}": getattr(one, end) for name, one in intervals.items() for end in ("low", "high")}


def agreement(
    pairs: Iterable[tuple[Value | None, Value | None]], step: float = 1.0, cases: Sequence[str] | None = None
) -> Agreement:
    """Agreement of two raters over the same things. LegalWorld sec. 4.2, table 1, figure 4 (human minus model).

    `step`: the scale's smallest step, to which ratings are rounded for kappa alone (means of several people lie between
    steps). `cases`: that of each pair, over which the intervals are; without them each pair is a case. Gap: everything
    without a pair; sigma below two pairs; kappa as in `kappa`.
    """
    every = list(pairs)
    known = [isinstance(one, float | int) and isinstance(two, float | int) for one, two in every]
    both = [(float(one), float(two)) for (one, two), is_pair in zip(every, known, strict=True) if is_pair]  # type: ignore[arg-type]
    of_case = None if cases is None else [case for case, is_pair in zip(cases, known, strict=True) if is_pair]
    gaps = [one - two for one, two in both]
    distances = [abs(gap) for gap in gaps]
    first, second = ([round(pair[side] / step) for pair in both] for side in (0, 1))
    return Agreement(
        n=len(both),
        unpaired=len(every) - len(both),
        difference=average(gaps).value,
        sigma=_sigma(gaps),
        mae=average(distances).value,
        within_one=average(float(one <= CLOSE + ROUNDING) for one in distances).value,
        kappa=_weighted(first, second),
        intervals={
            "difference": _over_cases(gaps, of_case),
            "within_one": _share([one <= CLOSE + ROUNDING for one in distances], of_case),
        },
    )


def _sigma(gaps: Sequence[float]) -> Value:
    spread = deviation(gaps)
    return MissingScore(Reason.EMPTY) if spread is None else spread


def _over_cases(values: Sequence[float], cases: Sequence[str] | None, *, share: bool = False) -> Interval:
    """Of a mean of values of which several are of one case: those are averaged first."""
    by_case: dict[str, list[float]] = {}
    for place, value in enumerate(values):
        by_case.setdefault(str(place) if cases is None else cases[place], []).append(value)
    return interval([sum(mine) / len(mine) for mine in by_case.values()], (0.0, 1.0) if share else None)


def _share(flags: Sequence[bool], cases: Sequence[str] | None) -> Interval:
    """Of a share: exact where each thing is a case of its own."""
    if cases is None or len(set(cases)) == len(cases):
        return proportion(sum(flags), len(flags))
    return _over_cases([float(flag) for flag in flags], cases, share=True)


def _weighted(first: Sequence[int], second: Sequence[int]) -> Value:
    """Every step between the least and the most is a label, used or not, so that weights follow distance."""
    scale = range(min([*first, *second], default=0), max([*first, *second], default=0) + 1)
    return kappa(first, second, labels=list(scale), weights="quadratic")


def between(
    ratings: Mapping[str, Mapping[str, Value]], step: float = 1.0, case: Callable[[str], str] = str
) -> dict[tuple[str, str], Agreement]:
    """`agreement` of every two raters (rater -> thing -> rating) over what both have rated, raters in the order given.
    The sign of a difference is that of first minus second and means nothing by itself. `case`: that of a thing."""
    found = {}
    for one, two in combinations(ratings, 2):
        things = [thing for thing in ratings[one] if thing in ratings[two]]
        both = ((ratings[one][thing], ratings[two][thing]) for thing in things)
        found[one, two] = agreement(both, step, [case(thing) for thing in things])
    return found


# ---- labels ----------------------------------------------------------------------------------------------------------


def kappa(
    first: Sequence[Hashable],
    second: Sequence[Hashable],
    *,
    labels: Sequence[Hashable] | None = None,
    weights: Weights | None = None,
) -> Value:
    """Cohen's kappa of two annotators, in [-1, 1] (sklearn.metrics.cohen_kappa_score). SimCourt sec. 5.2.

    `labels` in the order of the scale, for weights. Gap: nothing labelled; one label used by both throughout,
    where chance alone agrees wholly and kappa is 0 / 0. Errors: ValueError if the two are of different length.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} and {len(second)} labels")
    if not first:
        return MissingScore(Reason.EMPTY)
    if len({*first, *second}) == 1:
        return MissingScore(Reason.NO_VARIATION)
    from sklearn.metrics import cohen_kappa_score

    order = {label: place for place, label in enumerate(dict.fromkeys([*(labels or ()), *first, *second]))}
    ones, twos = ([order[label] for label in given] for given in (first, second))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(cohen_kappa_score(ones, twos, labels=list(order.values()), weights=weights))


class Preference(StrEnum):
    """What an annotator says of two records: which is better, seen from the first. Order undone after shuffling."""

    WIN = "win"
    TIE = "tie"
    LOSE = "lose"

    def turned(self) -> Preference:
        """The same, seen from the second record: for a pair that was shown the other way round."""
        return {Preference.WIN: Preference.LOSE, Preference.LOSE: Preference.WIN}.get(self, self)

    @property
    def comparable(self) -> bool:
        """Win or tie: "at least comparable", the two labels over which SimCourt's kappa is computed."""
        return self is not Preference.LOSE


def majority(given: Sequence[Preference]) -> Preference | MissingScore:
    """Ties are dropped, the label more often given wins; none more often: a tie. SimCourt sec. 5.2 (three annotators).

    Gap: nobody annotated.
    """
    if not given:
        return MissingScore(Reason.EMPTY)
    counts = Counter(given)
    wins, losses = counts[Preference.WIN], counts[Preference.LOSE]
    return Preference.TIE if wins == losses else Preference.WIN if wins > losses else Preference.LOSE


def by_presence(first: bool, second: bool) -> Preference | None:
    """What needs no annotator: content in one record only wins, in neither is a tie; None if both have it. SimCourt
    figure 7."""
    if first and second:
        return None
    return Preference.TIE if first == second else Preference.WIN if first else Preference.LOSE


Label = Preference | MissingScore


def both_ways(one: Label, two: Label) -> Label:
    """What is preferred of a pair that was shown both ways round: a tie where that depends on the order."""
    if isinstance(one, MissingScore) or isinstance(two, MissingScore):
        return one if isinstance(one, MissingScore) else two
    return one if one is two else Preference.TIE


@immutable
class Position:
    """Of `n` pairs that were shown both ways round: the share in which the verdict was another, with its interval; and
    of all, the shares in which what was shown first, or second, won both times."""

    n: int
    changed: Value
    interval: Interval
    first: Value
    second: Value


def position(straight: Mapping[str, Label], turned: Mapping[str, Label]) -> Position:
    """How far verdicts depend on the order. Both are seen from the first run, which `straight` shows first and `turned`
    second."""
    both = [
        (one, two)
        for thing, one in straight.items()
        if isinstance(one, Preference) and isinstance(two := turned.get(thing), Preference)
    ]

    def share(of: tuple[Preference, Preference]) -> Value:
        return average(float(pair == of) for pair in both).value

    changed = [one is not two for one, two in both]
    return Position(
        len(both),
        average(map(float, changed)).value,
        proportion(sum(changed), len(both)),
        share((Preference.WIN, Preference.LOSE)),
        share((Preference.LOSE, Preference.WIN)),
    )


@immutable
class Shares:
    """Shares of `n` preferences, each in [0, 1], together 1; excluded ones counted. `intervals`: of win, tie and lose,
    over cases."""

    win: Value
    tie: Value
    lose: Value
    n: int
    excluded: int
    intervals: Mapping[str, Interval] = field(default_factory=dict, compare=False)


def shares(given: Iterable[Preference | MissingScore], cases: Sequence[str] | None = None) -> Shares:
    """Win, tie and lose shares of an aspect over cases. SimCourt table 3. `cases`: of each, where one has several."""
    every = list(given)
    known = [one for one in every if isinstance(one, Preference)]
    of_case = None
    if cases is not None:
        of_case = [case for one, case in zip(every, cases, strict=True) if isinstance(one, Preference)]

    def share(of: Preference) -> Value:
        return average(float(one is of) for one in known).value

    return Shares(
        share(Preference.WIN),
        share(Preference.TIE),
        share(Preference.LOSE),
        len(known),
        len(every) - len(known),
        {str(each): _share([one is each for one in known], of_case) for each in Preference},
    )


def mean_kappa(annotators: Mapping[str, Mapping[str, Preference]]) -> Average:
    """Mean over every two annotators of kappa on "at least comparable" or not, over what both labelled. SimCourt sec.
    5.2: 0.702."""
    found: list[Value] = []
    for one, two in combinations(annotators.values(), 2):
        both = [thing for thing in one if thing in two]
        found.append(kappa([one[thing].comparable for thing in both], [two[thing].comparable for thing in both]))
    return average(found)
