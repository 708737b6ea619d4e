"""Somebody writes a document."""

from __future__ import annotations

from ...model.steps.draft import Draft
from ..speech import give, nobody
from ..state import holders
from ..turn import TurnSpec
from ..walk import Play, Walk


def play(walk: Walk, step: Draft) -> Play:
    document = walk.scene.procedure.documents[step.document]
    writers = holders(walk.scene.state, step.actor)
    if not writers:
        return nobody(walk)
    parsed = yield from give(walk, writers[0], TurnSpec("draft", step.info, document=document, aloud=False))
    walk.scene.drafted(writers[0], document, parsed.text, "reply")
    return ""
