"""How many claims a court that goes by norms left undecided in a run, as its journal tells."""

from __future__ import annotations

from pathlib import Path

from ..model.decision_parts import PartDecided
from .journal import events_in, load

_RESULTS = "results"


def undecided_claims(journal: Path) -> tuple[int, int]:
    """The claims of a run on which nothing was decided, and all that were decided upon, as they were last."""
    told = (one for one in events_in(load(journal, brief=True).lines) if isinstance(one, PartDecided))
    results = {(one.decision, one.about): _result(one) for one in told if one.part == _RESULTS}
    return sum(result == "undecided" for result in results.values()), len(results)


def _result(event: PartDecided) -> str:
    reliefs = event.filled.get("reliefs", ())
    return str(reliefs[0].get("result", "")) if reliefs else ""
