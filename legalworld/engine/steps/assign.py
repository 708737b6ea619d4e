"""Persons are given a role for a while."""

from __future__ import annotations

from ...model import events
from ...model.case import Value
from ...model.steps.assign import Assign, NamedIn, Opposing, Remaining
from .. import presence
from ..casting import called
from ..conditions import values
from ..scene import Scene
from ..state import holders
from ..walk import Play, Walk


def play(walk: Walk, step: Assign) -> Play:
    """Who is given the role hears, and is called, by it from now on."""
    yield from ()
    walk.scene.recorder.tell(events.Assigned(role=step.role, persons=_chosen(walk.scene, step)))
    presence.refresh(walk.scene)
    return ""


def _chosen(scene: Scene, step: Assign) -> tuple[str, ...]:
    state = scene.state
    parties = tuple(person.id for person in state.persons.values() if not person.represents and person.side)
    match step.who:
        case NamedIn(where):
            named = {str(word) for value in values(where, scene.now) for word in _texts(value)}
            return tuple(p for p in parties if named & called(scene.procedure, state.persons[p]))
        case Opposing(of):
            those = holders(state, of)
            sides = {state.persons[person].side for person in those}
            others = (person for person in parties if person not in those)
            return tuple(person for person in others if any(side != state.persons[person].side for side in sides))
        case Remaining():
            return tuple(person for person in parties if person not in state.assigned)
        case actor:
            return holders(state, actor)


def _texts(value: Value) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)
