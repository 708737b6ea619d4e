"""Somebody writes a document; of what each side has of its own, one of each side."""

from __future__ import annotations

from ...model.actors import Actor, VotersOf
from ...model.steps.draft import Draft
from ..speech import authors, give, nobody
from ..turn import TurnSpec
from ..walk import Play, Walk


def play(walk: Walk, step: Draft) -> Play:
    document = walk.scene.procedure.documents[step.document]
    writers = walk.scene.there(step.actor)
    if not writers:
        return nobody(walk, step.actor)
    spec = TurnSpec("draft", step.info, document=document, aloud=False, faction=_faction(step.actor))
    for writer in authors(walk.scene, document, writers):
        parsed = yield from give(walk, writer, spec)
        walk.scene.drafted(writer, document, parsed.document, "reply", cut=parsed.broken_off)
    return ""


def _faction(actor: Actor) -> str:
    """The answer for whose minority somebody writes; "" for nobody's."""
    return actor.name if isinstance(actor, VotersOf) and actor.faction == "minority" else ""
