"""Persons are given a role for a while."""

from __future__ import annotations

from collections.abc import Iterator

from ...model import events
from ...model.actors import FieldRef
from ...model.case import Record, texts
from ...model.case import called as called_record
from ...model.steps.assign import Assign, Assignee, GaveAnswer, NamedIn, Opposing, Remaining
from .. import presence
from ..casting import called, party_words
from ..conditions import named, record_of
from ..scene import Scene
from ..state import holders
from ..walk import Play, Walk


def play(walk: Walk, step: Assign) -> Play:
    """Who is given the role hears, and is called, by it from now on."""
    yield from ()
    chosen = tuple(dict.fromkeys(person for one in step.who for person in _chosen(walk.scene, one)))
    if step.most:
        chosen = tuple(person for person in chosen if person not in walk.scene.state.out)[: step.most]
    lost = tuple(dict.fromkeys(word for one in step.who for word in _unmatched(walk.scene, one)))
    before = presence.expected(walk.scene)
    called_before = {person: walk.scene.label(person) for person in walk.scene.state.persons}
    for role in step.roles:
        walk.scene.recorder.tell(events.Assigned(role=role, persons=chosen, unmatched=lost))
    presence.joined(walk.scene, before)
    presence.retitled(walk.scene, called_before)
    return ""


def _chosen(scene: Scene, who: Assignee) -> tuple[str, ...]:
    state = scene.state
    roles = scene.procedure.roles
    parties = tuple(person.id for person in state.persons.values() if roles[person.role].party)
    match who:
        case NamedIn(where):
            return _named_in(scene, where, parties)
        case Opposing(of):
            those = holders(state, of)
            sides = {state.persons[person].side for person in those}
            others = (person for person in parties if person not in those)
            return tuple(person for person in others if any(side != state.persons[person].side for side in sides))
        case Remaining():
            return tuple(person for person in parties if person not in state.assigned)
        case GaveAnswer(name, value):
            last = {given.person: given.value for given in state.answers.get(name, ())}
            return tuple(person for person in state.persons if last.get(person) == value)
        case actor:
            return holders(state, actor)


def _named_in(scene: Scene, where: FieldRef, parties: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the parties whom the words at a reference mean; a party's own record means him alone."""
    persons, procedure = scene.state.persons, scene.procedure
    records = {record_of(procedure, scene.state, person): person for person in parties}
    words: set[str] = set()
    meant: set[str] = set()
    for about, value in named(where, scene.now):
        if about and about in records:
            meant.add(records[about])
        else:
            words.update(texts(value))
    return tuple(p for p in parties if p in meant or words & called(procedure, persons[p]))


def _unmatched(scene: Scene, who: Assignee) -> Iterator[str]:
    """The words of an answer, or the records in hand, that were to name a party and name none.

    What a case names was looked at before the run.
    """
    if not isinstance(who, NamedIn) or who.where.name in scene.case.fields:
        return
    procedure, persons = scene.procedure, tuple(scene.state.persons.values())
    known = party_words(procedure, persons)
    records = {record_of(procedure, scene.state, person.id) for person in persons if procedure.roles[person.role].party}
    for about, value in named(who.where, scene.now):
        if about in records:
            continue
        words = tuple(texts(value))
        if isinstance(value, Record):
            yield from () if known.intersection(words) else (called_record(value),)
        else:
            yield from (word for word in words if word not in known)
