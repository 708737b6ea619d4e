"""A chair calls one speaker at a time."""

from __future__ import annotations

from ...model.steps.moderate import Moderate
from ..speech import calls, close, following, give, nobody, spent
from ..state import everyone, holders
from ..turn import TurnSpec
from ..walk import Play, Walk


def play(walk: Walk, step: Moderate) -> Play:
    """The chair calls one speaker at a time; when it names nobody twice, the next in order is called.

    The limit is strict; the stage's budget lets who was called answer.
    """
    scene = walk.scene
    chairs, speakers = holders(scene.state, step.chair), everyone(scene.state, step.speakers)
    if not chairs or not speakers:
        return nobody(walk)
    called_by = calls(scene, step.call, speakers)
    spoken = dict.fromkeys(speakers, 0)
    turns, called = 0, speakers[-1]
    while not spent(scene, turns, step.limit):
        spec = TurnSpec(
            "moderate",
            step.info,
            speakers,
            leading=(*called_by, step.close),
            calls=called_by,
            close=step.close,
            turn=turns // 2 + 1,
            left=step.limit - turns,
            must_lead=True,
        )
        parsed = yield from give(walk, chairs[0], spec)
        turns += 1
        if parsed.leading == step.close:
            return close(walk, "token", chairs[0], turns)
        if turns >= step.limit:
            break
        called = called_by.get(parsed.leading) or following(speakers, called)
        spoken[called] += 1
        reply = TurnSpec("reply", step.info, chairs[:1], turn=spoken[called], left=step.limit - turns)
        yield from give(walk, called, reply)
        turns += 1
    return close(walk, "budget", "", turns)
