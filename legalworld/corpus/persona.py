"""How the parties of a case are: four dimensions, high, medium or low, as LegalWorld draws them (appendix A.4).

Rules cannot tell a person from a judgment, so all are medium at first. Where more than 60 % of a dimension are medium,
the paper's rule is applied: cases are given high or low at random, as many of each cause, until fewer are.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Final

from .own_words import layout, value_at
from .records import Outcome, Records, Row, StepNotes

DIMENSIONS: Final = ("legal_literacy", "information_disclosure", "emotional_stability", "narrative_proficiency")
MEDIUM, OTHERS = "medium", ("high", "low")
MOST: Final = 0.6  # of a dimension, that may be medium


def with_personas(records: Records, seed: int, notes: StepNotes) -> Iterator[Outcome]:
    """The cases, each party with a persona."""
    held: dict[str, list[tuple[str, str, str]]] = {name: [] for name in DIMENSIONS}
    before: dict[str, Counter[str]] = {name: Counter() for name in DIMENSIONS}
    for row in records():
        cause = cause_of(row["case"])
        for place, party in parties_of(row["case"]):
            for name in DIMENSIONS:
                level = party.get("persona", {}).get(name, MEDIUM)
                before[name][level] += 1
                held[name].append((cause, f"{row['id']}/{place}", level))
    given = {name: _redrawn(entries, random.Random(f"{seed}/{name}")) for name, entries in held.items()}
    after: dict[str, Counter[str]] = {name: Counter() for name in DIMENSIONS}
    for row in records():
        for place, party in parties_of(row["case"]):
            persona = party.setdefault("persona", {})
            for name in DIMENSIONS:
                level = given[name].get(f"{row['id']}/{place}", persona.get(name, MEDIUM))
                persona[name] = level
                after[name][level] += 1
        yield row
    notes.values = {
        "seed": seed,
        "before": {name: dict(sorted(count.items())) for name, count in before.items()},
        "after": {name: dict(sorted(count.items())) for name, count in after.items()},
    }


def cause_of(case: Row) -> str:
    return str(value_at(case, layout().first.cause) or "")


def parties_of(case: Row) -> Iterator[tuple[str, Row]]:
    """The parties of a case, each with where it stands."""
    for side in layout().sides:
        parties = value_at(case, layout().parties.format(side=side)) or []
        for number, party in enumerate(parties if isinstance(parties, list) else [parties]):
            yield f"{side}.{number}", party


def _redrawn(entries: list[tuple[str, str, str]], draw: random.Random) -> dict[str, str]:
    """New levels for as many medium ones as are too many, spread over the causes by their shares."""
    by_cause: dict[str, list[str]] = {}
    for cause, place, level in sorted(entries):
        if level == MEDIUM:
            by_cause.setdefault(cause, []).append(place)
    medium = sum(map(len, by_cause.values()))
    if not entries or medium <= MOST * len(entries):
        return {}
    moves = medium - max(0, -(-int(MOST * len(entries) * 1000) // 1000) - 1)
    for places in by_cause.values():
        draw.shuffle(places)
    share = {cause: moves * len(places) / medium for cause, places in by_cause.items()}
    taken = {cause: int(number) for cause, number in share.items()}
    rest = sorted(share, key=lambda cause: (taken[cause] - share[cause], cause))
    for cause in rest[: moves - sum(taken.values())]:
        taken[cause] += 1
    return {place: draw.choice(OTHERS) for cause, places in by_cause.items() for place in places[: taken[cause]]}
