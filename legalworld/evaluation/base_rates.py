"""What a text would score that always says the same: how often the reference is the most frequent of a few things."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from ..model.immutable import immutable
from .results import Evaluation

FEWEST = 2  # cases, below which nothing is frequent


@immutable
class BaseRate:
    """An item: its reference is `truth` in `count` of the `n` cases that have one."""

    item: str
    truth: str
    count: int
    n: int

    @property
    def share(self) -> float:
        return self.count / self.n

    def row(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"item": self.item, "truth": self.truth, "count": self.count, "n": self.n, "share": self.share}


def base_rates(evaluations: Sequence[Evaluation]) -> Iterator[BaseRate]:
    """Yield the base rate of each item whose reference is one of a few things, each case counted once."""
    truths: dict[str, dict[tuple[str, str], str]] = {}
    for one in evaluations:
        for score in one.scores:
            if score.truth:
                truths.setdefault(score.item, {})[one.case, score.key] = score.truth
    for item, by_case in truths.items():
        truth, count = Counter(by_case.values()).most_common(1)[0]
        if len(by_case) >= FEWEST:
            yield BaseRate(item, truth, count, len(by_case))
