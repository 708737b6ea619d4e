"""The steps inside, once per record or person."""

from __future__ import annotations

from ...model.steps.for_each import ForEach
from ..conditions import LoopItem, record_of, records
from ..scene import Scene
from ..state import holders
from ..walk import Play, Walk


def play(walk: Walk, step: ForEach) -> Play:
    scene, outer = walk.scene, walk.scene.loop_items
    for item in _items(scene, step):
        scene.loop_items = (*outer, item)
        signal = yield from walk.steps(step.body)
        scene.loop_items = outer
        if signal:
            return signal
    return ""


def _items(scene: Scene, step: ForEach) -> list[LoopItem]:
    """What the loop is about, one by one: persons, or the records of a field, as they are when it begins."""
    if step.persons is not None:
        return [_of_person(scene, step.variable, person) for person in holders(scene.state, step.persons)]
    assert step.within is not None
    return [LoopItem(step.variable, about, record) for about, record in records(step.within, scene.now)]


def _of_person(scene: Scene, variable: str, person: str) -> LoopItem:
    return LoopItem(variable, record_of(scene.procedure, scene.state, person), scene.state.persons[person].record)
