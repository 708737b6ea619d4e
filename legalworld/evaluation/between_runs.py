"""Seeds as a level of their own: how far the mean of one run of all cases lies from that of another, and pass at k."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from ..model.immutable import immutable
from .metrics.intervals import deviation
from .metrics.statistics import by_cluster, origin
from .metrics.values import MissingScore, Reason, Value, mean_of, number
from .results import Evaluation


@immutable
class BetweenRuns:
    """A formula of a model over its seeds. `runs`: seeds in which the same cases were scored; `sd`: standard deviation
    (n - 1) of their means, each over the `cases` that all of them have."""

    model: str
    formula: str
    runs: int
    cases: int
    mean: float
    sd: float
    least: float
    greatest: float

    def row(self, scale: float) -> dict[str, Any]:
        """As JSON has it, in the unit in which the formula is shown."""
        named = {"model": self.model, "formula": self.formula, "runs": self.runs, "cases": self.cases}
        values = {"mean": self.mean, "sd": self.sd, "least": self.least, "greatest": self.greatest}
        return named | {name: value * scale for name, value in values.items()}


def between_runs(evaluations: Sequence[Evaluation], model: str, formula: str) -> BetweenRuns | None:
    """Return how a model's mean differs from seed to seed; None where no case has a figure in two seeds."""
    seeds: dict[int, dict[str, list[Value]]] = {}
    for one in evaluations:
        figure = one.figure(formula) if one.model == model else None
        if figure is not None and figure.value is not None:
            seeds.setdefault(one.seed, {}).setdefault(one.case, []).append(figure.value)
    common = set.intersection(*(set(cases) for cases in seeds.values())) if len(seeds) > 1 else set()
    if not common:
        return None
    means: list[float] = []
    for _, cases in sorted(seeds.items()):
        clusters = by_cluster({case: mean_of(cases[case]) for case in sorted(common)}, origin)
        means.append(number(mean_of(clusters.values())) or 0.0)
    middle, spread = math.fsum(means) / len(means), deviation(means) or 0.0
    return BetweenRuns(model, formula, len(means), len(common), middle, spread, min(means), max(means))


def pass_at(k: int, outcomes: Sequence[bool]) -> Value:
    """Return the chance that one of `k` runs of a case passes: 1 - C(n - c, k) / C(n, k), of `n` runs of which `c`
    passed (Chen et al. 2021). None where fewer than `k` were made."""
    n, passed = len(outcomes), sum(outcomes)
    if not 1 <= k <= n:
        return MissingScore(Reason.EMPTY, f"{n} / {k}")
    return 1 - math.comb(n - passed, k) / math.comb(n, k)


def passes_of(evaluations: Sequence[Evaluation]) -> Iterator[dict[str, Any]]:
    """Yield, for each model, pass condition and k up to the fewest runs of a case, the mean of pass at k over cases."""
    told: dict[tuple[str, str], dict[str, list[bool]]] = {}
    for one in evaluations:
        for name, good in one.passes.items():
            if good is not None:
                told.setdefault((one.model, name), {}).setdefault(one.case, []).append(good)
    for (model, name), cases in told.items():
        for k in range(1, min(map(len, cases.values())) + 1):
            value = number(mean_of(pass_at(k, outcomes) for outcomes in cases.values()))
            yield {"model": model, "passes": name, "k": k, "value": value, "cases": len(cases)}
