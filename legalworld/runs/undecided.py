"""The claims that a court which goes by norms left undecided in a run, as its journal tells."""

from __future__ import annotations

from pathlib import Path

from ..model.undecided_claims import undecided_by_decision
from .journal import events_in, load


def undecided_claims(journal: Path) -> tuple[int, int]:
    """Return how many claims of a run nothing was decided on, and how many there are in all, as they were last."""
    counts = undecided_by_decision(events_in(load(journal, brief=True).lines)).values()
    return sum(open_ones for open_ones, _ in counts), sum(every for _, every in counts)
