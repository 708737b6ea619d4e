"""Everybody named speaks once; those spoken to answer."""

from __future__ import annotations

from ...model.immutable import replace
from ...model.steps.speak import Speak
from ..candidates import asked, nobody_to_choose
from ..conditions import current_item
from ..speech import give, nobody
from ..turn import TurnSpec
from ..walk import Play, Walk


def play(walk: Walk, step: Speak) -> Play:
    """Each of the actors speaks once; those spoken to answer, unless all passed or were struck."""
    scene = walk.scene
    speakers = scene.there(*step.actors)
    to = tuple(person for person in scene.there(*step.to) if person not in speakers)
    if not speakers or (step.to and not to):
        return nobody(walk, *step.actors, *step.to)
    item, asked_for = current_item(step.item, scene.loop_items), asked(scene, step.answer)
    if nobody_to_choose(asked_for):
        return nobody(walk, *step.actors, *step.to)
    spec = TurnSpec(step.act, step.info, to, loop_item=item, aloud=step.verb != "notes")
    if step.pass_token:
        spec = replace(spec, leading=(step.pass_token,), passing=step.pass_token)
    if not step.to:
        spec = replace(spec, answer=asked_for)
    spoke = False
    for person in speakers:
        parsed = yield from give(walk, person, spec)
        if step.pass_token and parsed.leading == step.pass_token:
            scene.recorder.skipped("passed")
        elif not parsed.struck:  # to what is struck nobody need respond
            spoke = True
    if step.presents_record and item is not None:
        scene.present_record(item.about, speakers, to)
    answer = TurnSpec("answer", step.info, speakers, answer=asked_for, loop_item=item)
    for person in to if spoke else ():
        yield from give(walk, person, answer)
    return ""
