"""Somebody writes a document."""

from __future__ import annotations

from ...model.actors import Actor, VotersOf
from ...model.steps.draft import Draft
from ..speech import give, nobody
from ..turn import TurnSpec
from ..walk import Play, Walk


def play(walk: Walk, step: Draft) -> Play:
    document = walk.scene.procedure.documents[step.document]
    writers = walk.scene.there(step.actor)
    if not writers:
        return nobody(walk, step.actor)
    spec = TurnSpec("draft", step.info, document=document, aloud=False, faction=_faction(step.actor))
    parsed = yield from give(walk, writers[0], spec)
    walk.scene.drafted(writers[0], document, parsed.document, "reply", cut=parsed.broken_off)
    return ""


def _faction(actor: Actor) -> str:
    """The answer for whose minority somebody writes; "" for nobody's."""
    return actor.name if isinstance(actor, VotersOf) and actor.faction == "minority" else ""
