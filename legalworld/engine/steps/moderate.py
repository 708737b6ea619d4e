"""A chair calls one speaker at a time."""

from __future__ import annotations

from ...model.steps.moderate import Moderate
from ..speech import Turns, calls, close, following, give, nobody, presiding
from ..turn import TurnSpec
from ..walk import Play, Walk


def play(walk: Walk, step: Moderate) -> Play:
    """The chair calls one speaker at a time; when it names nobody twice, the next in order is called."""
    scene = walk.scene
    chair, speakers = presiding(scene, step.chair, step.speakers)
    if not chair or not speakers:
        return nobody(walk, step.chair, *step.speakers)
    spoken = dict.fromkeys(speakers, 0)
    turns, called = Turns(scene, step.limit), speakers[-1]
    while not turns.spent():
        chair, speakers = presiding(scene, step.chair, step.speakers)  # somebody may have left, or roles have changed
        if not chair or not speakers:
            return close(walk, "left", "", turns.taken)
        spoken = {**dict.fromkeys(speakers, 0), **spoken}
        called_by = calls(scene, step.call, speakers)
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
        parsed = yield from give(walk, chair, spec)
        turns.take()
        if parsed.leading == step.close:
            return close(walk, "token", chair, turns.taken)
        if turns.spent():
            break
        if parsed.struck:  # nobody need respond
            continue
        called = called_by.get(parsed.leading) or following(speakers, called)
        spoken[called] += 1
        reply = TurnSpec("reply", step.info, (chair,), turn=spoken[called], left=turns.left)
        yield from give(walk, called, reply)
        turns.take()
    return close(walk, "budget", "", turns.taken)
