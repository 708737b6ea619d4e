"""A chair calls one speaker at a time."""

from __future__ import annotations

from ...model.steps.moderate import Moderate
from ..speech import Turns, calls, close, following, give, nobody
from ..state import everyone, holders
from ..turn import TurnSpec
from ..walk import Play, Walk


def play(walk: Walk, step: Moderate) -> Play:
    """The chair calls one speaker at a time; when it names nobody twice, the next in order is called."""
    scene = walk.scene
    chairs, speakers = holders(scene.state, step.chair), everyone(scene.state, step.speakers)
    if not chairs or not speakers:
        return nobody(walk)
    called_by = calls(scene, step.call, speakers)
    spoken = dict.fromkeys(speakers, 0)
    turns, called = Turns(scene, step.limit), speakers[-1]
    while not turns.spent():
        spec = TurnSpec(
            "moderate",
            step.info,
            speakers,
            leading=(*called_by, step.close),
            calls=called_by,
            close=step.close,
            turn=turns.taken // 2 + 1,
            left=turns.left,
            must_lead=True,
        )
        parsed = yield from give(walk, chairs[0], spec)
        turns.take()
        if parsed.leading == step.close:
            return close(walk, "token", chairs[0], turns.taken)
        if turns.spent():
            break
        called = called_by.get(parsed.leading) or following(speakers, called)
        spoken[called] += 1
        reply = TurnSpec("reply", step.info, chairs[:1], turn=spoken[called], left=turns.left)
        yield from give(walk, called, reply)
        turns.take()
    return close(walk, "budget", "", turns.taken)
