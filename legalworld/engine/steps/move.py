"""Persons leave the room, or enter it."""

from __future__ import annotations

from ...model.steps.move import Move
from .. import presence
from ..speech import nobody
from ..state import everyone
from ..walk import Play, Walk


def play(walk: Walk, step: Move) -> Play:
    """Who is gone already does not go again; who does not come to this stage at all may still come in later."""
    yield from ()
    persons = everyone(walk.scene.state, step.actors)
    if not persons:
        return nobody(walk)
    presence.move(walk.scene, "enters" if step.inwards else "leaves", persons)
    return ""
