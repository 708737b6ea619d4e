"""The steps inside, once per record or person."""

from __future__ import annotations

from ...model.steps.for_each import ForEach
from ..conditions import LoopItem, record_of, records
from ..scene import Scene
from ..state import everyone
from ..walk import Play, Walk


def play(walk: Walk, step: ForEach) -> Play:
    scene, outer, held = walk.scene, walk.scene.loop_items, walk.scene.state.in_hand
    rounds = scene.rounds
    for item in _items(scene, step):
        scene.loop_items, scene.rounds = (*outer, item), scene.next_round(rounds)
        if item.person:
            scene.recorder.take_in_hand({**held, step.variable: item.person})
        signal = yield from walk.steps(step.body)
        scene.loop_items, scene.rounds = outer, rounds
        scene.recorder.take_in_hand(held)
        if signal:
            return signal
    return ""


def _items(scene: Scene, step: ForEach) -> list[LoopItem]:
    """What the loop is about, one by one: persons, or the records of a field, as they are when it begins."""
    if step.within is not None:
        return [LoopItem(step.variable, about, record) for about, record in records(step.within, scene.now)]
    return [_of_person(scene, step.variable, person) for person in everyone(scene.state, step.persons)]


def _of_person(scene: Scene, variable: str, person: str) -> LoopItem:
    record = scene.state.persons[person].record
    return LoopItem(variable, record_of(scene.procedure, scene.state, person), record, person)
