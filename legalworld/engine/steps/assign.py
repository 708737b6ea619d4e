"""Who is given a role, and what the loops of a procedure take in hand."""

from __future__ import annotations

from collections.abc import Iterator

from ...model import events, plan
from ..casting import called
from ..conditions import LoopItem, records, values
from ..state import wearers
from ..turn_runner import Floor


def assign(floor: Floor, step: plan.Assign) -> None:
    state = floor.state
    parties = tuple(person.id for person in state.persons.values() if not person.represents and person.side)
    match step.who:
        case plan.NamedIn(where):
            named = {str(word) for value in values(where, floor.now) for word in _texts(value)}
            chosen = tuple(p for p in parties if named & called(floor.procedure, state.persons[p]))
        case plan.Opposing(of):
            those = wearers(state, of)
            sides = {state.persons[person].side for person in those}
            chosen = tuple(
                person
                for person in parties
                if person not in those and any(side != state.persons[person].side for side in sides)
            )
        case plan.Remaining():
            chosen = tuple(person for person in parties if person not in state.assigned)
        case actor:
            chosen = wearers(state, actor)
    floor.tell(events.Assigned(role=step.role, persons=chosen))


def hands(floor: Floor, step: plan.ForEach) -> Iterator[LoopItem]:
    """What a loop takes in hand, one by one: persons, or the records of a field."""
    if step.persons is not None:
        yield from [_of_person(floor, step.variable, person) for person in wearers(floor.state, step.persons)]
    else:
        assert step.within is not None
        yield from [LoopItem(step.variable, about, record) for about, record in records(step.within, floor.now)]


def _of_person(floor: Floor, variable: str, person_id: str) -> LoopItem:
    person = floor.state.persons[person_id]
    role = floor.procedure.roles[person.role]
    index = [one.id for one in floor.state.persons.values() if one.role == role.id].index(person_id)
    about = f"{role.each}/{person.side}/{index}" if role.each else ""
    return LoopItem(variable, about, person.record)


def _texts(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)
