"""Differences of two cells: of what, which pairs they are, and what they come to over cases and their clusters."""

from __future__ import annotations

from collections.abc import Mapping

from ..evaluation.metrics.intervals import Bounds, deviation
from ..evaluation.metrics.statistics import Difference, by_cluster, difference
from ..evaluation.metrics.values import MissingScore, Value
from ..model.immutable import immutable, replace
from .figures import CellScores, PairKey


@immutable
class PairedCells:
    """`gaps`: first less second by pair; `whole`: what they come to; `spread`: standard deviation (n - 1) between
    clusters, None below two; `alone`: pairs of which only one side has a figure."""

    gaps: Mapping[PairKey, float]
    whole: Difference
    spread: float | None
    alone: int


def paired(first: CellScores, second: CellScores, bounds: Bounds | None) -> PairedCells:
    """Return first less second over the pairs that both have. Of a case, the pairs of a combination are averaged first,
    then combinations, then cases of a cluster. `bounds`: of the figures."""
    gaps = _gaps(first, second)
    cases = _by_case(gaps)
    clusters = {**second.clusters, **first.clusters}

    def cluster(case: str) -> str:
        return clusters.get(case) or case

    nothing: dict[str, Value] = dict.fromkeys(cases, 0.0)
    whole = difference(cases, nothing, bounds, cluster)
    values = [value for value in by_cluster(cases, cluster).values() if not isinstance(value, MissingScore)]
    alone = len({*first.pairs, *second.pairs}) - len(gaps)
    return PairedCells(gaps, whole, deviation(values), alone)


def contrasted(first: CellScores, second: CellScores) -> CellScores:
    """Return the differences of two cells as a cell of their own."""
    gaps = _gaps(first, second)
    clusters = {**second.clusters, **first.clusters}
    pairs: dict[PairKey, Value] = dict(gaps)
    return CellScores(_by_case(gaps), clusters, first.runs + second.runs, pairs=pairs)


def shared(mine: CellScores, other: CellScores) -> CellScores:
    """Return a cell over the pairs that another has too."""
    both = {key: value for key, value in mine.pairs.items() if key in other.pairs}
    there = {key: value for key, value in both.items() if not isinstance(value, MissingScore)}
    lacking: dict[str, Value] = {key[0]: value for key, value in both.items() if isinstance(value, MissingScore)}
    return replace(mine, cases={**lacking, **_by_case(there)}, pairs=both)


def reach(bounds: Bounds | None) -> Bounds | None:
    """Return between what a difference of two figures lies."""
    return None if bounds is None else (bounds[0] - bounds[1], bounds[1] - bounds[0])


def _gaps(first: CellScores, second: CellScores) -> dict[PairKey, float]:
    found: dict[PairKey, float] = {}
    for key, value in first.pairs.items():
        other = second.pairs.get(key)
        if other is not None and not isinstance(value, MissingScore) and not isinstance(other, MissingScore):
            found[key] = value - other
    return found


def _by_case(gaps: Mapping[PairKey, float]) -> dict[str, Value]:
    """Case -> the mean over its combinations, each the mean of its pairs."""
    told: dict[str, dict[tuple[str, ...], list[float]]] = {}
    for (case, combination, _), value in gaps.items():
        told.setdefault(case, {}).setdefault(combination, []).append(value)
    return {case: sum(sum(one) / len(one) for one in those.values()) / len(those) for case, those in told.items()}
