"""The stage or the case is over."""

from __future__ import annotations

from ...model import events
from ...model.steps.end import End
from ..walk import Play, Walk


def play(walk: Walk, step: End) -> Play:
    yield from ()
    if step.what == "case":
        walk.ending = events.Ended(outcome=step.outcome, document=step.document, title=step.info.cue)
    return step.what
