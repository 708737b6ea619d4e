"""Scores that rest on a decision which leaves claims undecided: such a decision is neither right nor wrong.

What it says is a walk-through for these claims. Whoever compared it with a decision, or graded it as one, would give a
figure to something that nobody decided; so there is no score, and the reason is kept with it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..model.procedure import Procedure
from .metrics.values import MissingScore, Reason
from .rubric.definition import RubricItem
from .stored_run import EvidencePiece, Stored, Unit


def left_undecided(stored: Stored, item: RubricItem, unit: Unit) -> MissingScore | None:
    """Return why an item has no score for a unit: its evidence or its reference is a decision that leaves claims
    undecided. None where all is decided that it rests on. The detail is how many claims of how many."""
    told, against = stored.undecided
    decisions = [
        *((name, told) for name in _decisions(stored.procedure, stored.evidence(item, unit), told)),
        *((name, against) for name in _decisions(stored.procedure, stored.yardstick_pieces(item, unit), against)),
    ]
    counts = {name: known[name] for name, known in decisions if name in known and known[name][0]}
    if not counts:
        return None
    open_ones, every = (sum(count) for count in zip(*counts.values(), strict=True))
    return MissingScore(Reason.UNDECIDED, f"{open_ones} / {every}")


def _decisions(procedure: Procedure, pieces: Iterable[EvidencePiece], known: Collection[str]) -> dict[str, None]:
    """Return the decisions that pieces state, in a document or in an answer that holds a part of one. One that says
    nothing of any claim by itself stands as the one does that it reviews."""
    found: dict[str, None] = {}
    for piece in pieces:
        for name, parts in procedure.decisions.items():
            if piece.document in parts.documents or (piece.answer and piece.answer in parts.names):
                found[name] = None
                if name not in known and parts.below:
                    found[parts.below] = None
    return found
