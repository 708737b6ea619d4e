"""How hard a case is and how rare its cause; and the splits of the corpus, as LegalWorld draws them (appendix B.3).

A case is the harder the more points it has: what gives one stands in `layout.toml`, and a judgment that the second
instance changed gives one. Rare: by the rank of the cause among the causes of the corpus.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ..law.text.judgment_head import upholds
from .own_words import layout, value_at
from .persona import cause_of
from .records import Outcome, Records, Row, StepNotes

EASY_TO, HARD_FROM = 1, 4
COMMON, FREQUENT = 20, 100  # ranks of causes


def points(case: Row) -> int:
    """How many reasons there are to call a case hard."""
    return sum(_holds(case, rule) for rule in layout().points) + is_changed(case)


def _holds(case: Row, rule: Mapping[str, Any]) -> bool:
    sizes = [len(value_at(case, path) or ()) for path in rule["of"]]
    return bool((min(sizes) if rule.get("each", False) else sum(sizes)) > rule["more"])


def is_changed(case: Row) -> bool:
    """Whether the second instance decided otherwise than the first."""
    decided: Any = value_at(case, layout().disposition) or ()
    decided = (decided,) if isinstance(decided, str) else decided
    return bool(decided) and not upholds(decided[0])


def with_bands(records: Records, notes: StepNotes) -> Iterator[Outcome]:
    """The cases with `difficulty` and `rarity`."""
    causes = Counter(cause_of(row["case"]) for row in records())
    ranks = {cause: rank for rank, cause in enumerate(ranked(causes), 1)}
    told: dict[str, Counter[str]] = {"difficulty": Counter(), "rarity": Counter()}
    for row in records():
        score, rank = points(row["case"]), ranks[cause_of(row["case"])]
        bands = {
            "difficulty": "easy" if score <= EASY_TO else "hard" if score >= HARD_FROM else "medium",
            "rarity": "common" if rank <= COMMON else "frequent" if rank <= FREQUENT else "rare",
        }
        for name, band in bands.items():
            told[name][band] += 1
        yield row | bands | {"score": score}
    notes.values = {name: dict(sorted(count.items())) for name, count in told.items()} | {"kinds": len(causes)}


def ranked(causes: Counter[str]) -> list[str]:
    """The causes, the most frequent first; those of one number by name."""
    named = sorted((cause for cause in causes if cause), key=lambda cause: (-causes[cause], cause))
    return [*named, *([""] if "" in causes else [])]


def with_splits(records: Records, sizes: dict[str, tuple[int, int]], seed: int, notes: StepNotes) -> Iterator[Outcome]:
    """The cases with the `splits` they are in: `full`, and each smaller one drawn out of the one before.

    A cause that has too few cases gives all it has. Of a series of cases written alike a split takes one.
    """
    pool = [(cause_of(row["case"]), str(row["id"]), str(row.get("series", ""))) for row in records()]
    chosen: dict[str, set[str]] = {}
    for name, (causes, each) in sizes.items():
        pool = list(_drawn(pool, causes, each, random.Random(f"{seed}/{name}")))
        chosen[name] = {case for _, case, _ in pool}
    for row in records():
        yield row | {"splits": ["full", *(name for name, cases in chosen.items() if row["id"] in cases)]}
    wanted = {name: {"cases": causes * each, "drawn": len(chosen[name])} for name, (causes, each) in sizes.items()}
    notes.values = {"seed": seed, "splits": wanted}


def _drawn(
    pool: list[tuple[str, str, str]], most: int, each: int, draw: random.Random
) -> Iterator[tuple[str, str, str]]:
    causes = Counter(cause for cause, _, _ in pool)
    by_cause: dict[str, list[tuple[str, str, str]]] = {}
    for entry in sorted(pool):
        by_cause.setdefault(entry[0], []).append(entry)
    for cause in ranked(causes)[:most]:
        entries = by_cause[cause]
        draw.shuffle(entries)
        series: set[str] = set()
        single = []
        for one in entries:
            if not one[2] or one[2] not in series:
                single.append(one)
                series.add(one[2])
        yield from single[:each]
