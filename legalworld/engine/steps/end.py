"""The stage or the case is over."""

from __future__ import annotations

from ...model import events
from ...model.steps.end import End
from ..walk import Play, Walk


def play(walk: Walk, step: End) -> Play:
    yield from ()
    if step.what == "case":
        there = any(paper.document == step.document for paper in walk.scene.state.documents)
        walk.ending = events.Ended(
            outcome=step.outcome,
            document=step.document if there else "",
            title=step.info.cue,
            lacking="" if there else step.document,
        )
    return step.what
