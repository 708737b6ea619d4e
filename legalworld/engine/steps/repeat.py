"""The steps inside, several times."""

from __future__ import annotations

from ...model.events import Reason
from ...model.steps.repeat import Repeat
from ..conditions import holds
from ..walk import Play, Walk


def play(walk: Walk, step: Repeat) -> Play:
    scene, place = walk.scene, walk.scene.state.place
    outer, rounds = scene.round, scene.rounds
    for number in range(1, step.rounds + 1):
        scene.round, scene.rounds = number, scene.next_round(rounds)
        signal = yield from walk.steps(step.body)
        held = not signal and step.until is not None and holds(step.until, scene.now)
        scene.round, scene.rounds = outer, rounds
        if signal:
            return signal
        if held or (step.until is not None and number == step.rounds):
            reason: Reason = "condition" if held else "budget"
            scene.recorder.closed(reason, "", number, place)
        if held:
            break
    return ""
