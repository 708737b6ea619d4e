"""The steps inside, once per record or person."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from ...model.plan import InHand, OnePerson, Step
from ...model.steps.for_each import ForEach
from ..conditions import LoopItem, record_of, records
from ..scene import Scene
from ..state import everyone
from ..walk import Play, Walk


def play(walk: Walk, step: ForEach) -> Play:
    scene, outer = walk.scene, walk.scene.loop_items
    for item, body in _rounds(scene, step):
        scene.loop_items = (*outer, item)
        signal = yield from walk.steps(body)
        scene.loop_items = outer
        if signal:
            return signal
    return ""


def _rounds(scene: Scene, step: ForEach) -> list[tuple[LoopItem, tuple[Step, ...]]]:
    """What the loop is about, one by one, as it is when it begins: the records of a field, or persons."""
    if step.within is not None:
        return [
            (LoopItem(step.variable, about, record), step.body) for about, record in records(step.within, scene.now)
        ]
    hand = InHand(step.variable, step.persons)
    return [
        (_of_person(scene, step.variable, person), _handed(step.body, hand, OnePerson(person)))
        for person in everyone(scene.state, step.persons)
    ]


def _of_person(scene: Scene, variable: str, person: str) -> LoopItem:
    return LoopItem(
        variable, record_of(scene.procedure, scene.state, person), scene.state.persons[person].record, person
    )


def _handed(value: Any, hand: InHand, person: OnePerson) -> Any:
    """Steps, or anything in them, with the person in the place of the loop variable."""
    if value == hand:
        return person
    if isinstance(value, tuple):
        return tuple(_handed(one, hand, person) for one in value)
    if not is_dataclass(value) or isinstance(value, type):
        return value
    mine = {each.name: getattr(value, each.name) for each in fields(value)}
    changed = {name: new for name, old in mine.items() if (new := _handed(old, hand, person)) != old}
    return replace(value, **changed) if changed else value
