"""Somebody writes a document."""

from __future__ import annotations

from ...model.steps.draft import Draft
from ..speech import give, nobody
from ..turn import TurnSpec
from ..walk import Play, Walk


def play(walk: Walk, step: Draft) -> Play:
    document = walk.scene.procedure.documents[step.document]
    writers = walk.scene.there(step.actor)
    if not writers:
        return nobody(walk, step.actor)
    parsed = yield from give(walk, writers[0], TurnSpec("draft", step.info, document=document, aloud=False))
    walk.scene.drafted(writers[0], document, parsed.document, "reply", cut=parsed.broken_off)
    return ""
