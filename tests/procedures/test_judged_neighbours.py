"""Neighbours of shipped cases, played to the judgment of the offline court: whatever was changed, nothing in it
contradicts itself or the law, and most claims are decided.

`make test` plays 100, drawn by their numbers; `make judged` 2,000 (`LW_JUDGED`).
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from judged_neighbours import drawn, judged

COUNT = int(os.environ.get("LW_JUDGED", "100"))
BATCH = 20
# Of the claims of the neighbours of a batch; of all 2,000 together nine in ten are decided.
LEAST_DECIDED = 0.8


@pytest.mark.parametrize("first", range(0, COUNT, BATCH))
def test_the_audit_finds_nothing_and_most_claims_are_decided(first: int, tmp_path: Path) -> None:
    found, decided, claims = [], 0, 0
    for seed in range(first, first + BATCH):
        neighbour = drawn(seed)
        outcome = judged(neighbour, tmp_path)
        assert outcome.texts, neighbour
        found += [(neighbour.seed, neighbour.base, neighbour.changes, alarm) for alarm in outcome.alarms]
        decided, claims = decided + outcome.decided, claims + outcome.claims
    assert found == []
    assert decided / claims >= LEAST_DECIDED
