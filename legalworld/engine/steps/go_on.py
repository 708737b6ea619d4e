"""What stands between is passed over."""

from __future__ import annotations

from ...model.steps.go_on import Continue
from ..walk import Play, Walk


def play(walk: Walk, step: Continue) -> Play:
    yield from ()
    walk.destination = step.destination
    return "onward"
