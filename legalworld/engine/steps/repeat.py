"""The steps inside, several times."""

from __future__ import annotations

from ...model.events import Reason
from ...model.steps.repeat import Repeat
from ..conditions import holds
from ..walk import Play, Walk


def play(walk: Walk, step: Repeat) -> Play:
    scene, outer, place = walk.scene, walk.scene.round, walk.scene.state.place
    for number in range(1, step.rounds + 1):
        scene.round = number
        signal = yield from walk.steps(step.body)
        scene.round = outer
        if signal:
            return signal
        held = step.until is not None and holds(step.until, scene.now)
        if held or (step.until is not None and number == step.rounds):
            reason: Reason = "condition" if held else "budget"
            scene.recorder.closed(reason, "", number, place)
        if held:
            break
    return ""
