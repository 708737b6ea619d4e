"""The state of a case: a fold of events and nothing else. `apply` is the one place that changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from ..model import events as e
from ..model.case import Person
from ..model.plan import Actor, InHand, OnePerson, Opponents, Related, RoleHolders, Target
from .memory import Memo, Memories


@dataclass(frozen=True, slots=True)
class Heard:
    """An utterance as it was heard; `phase` is the place of its phase."""

    thread: str
    person: str
    speaker: str
    text: str
    act: str
    phase: str
    to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DocumentVersion:
    """A document as it stands; `side` is its author's ("" for the court's)."""

    document: str
    side: str
    person: str
    text: str


@dataclass(frozen=True, slots=True)
class CapturedAnswer:
    """A captured answer; `place` groups those that one step asked for.

    For a sample `person` is "", and `drawn` its records, as FIELD/SIDE/INDEX.
    """

    person: str
    speaker: str
    value: str | tuple[str, ...]
    about: str
    place: str
    drawn: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Thread:
    """What one person was sent in one scenario.

    `heard`: how many utterances of his hearing it holds so far; `shown`: key of a known field -> version shown.
    """

    messages: tuple[e.Message, ...] = ()
    heard: int = 0
    phase: str = ""
    shown: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class CaseState:
    """`role_holders`: role -> persons; `left`: phases of this stage that are over.

    `assigned`: persons to whom the running stage has given a role; `versions`: how often an answer, or a document of a
    side, changed; `memory`: person -> field -> its writings, for the whole case.
    """

    persons: Mapping[str, Person]
    role_holders: Mapping[str, tuple[str, ...]]
    target: str
    stage: str = ""
    phase: str = ""
    place: str = ""
    left: tuple[str, ...] = ()
    assigned: frozenset[str] = frozenset()
    documents: tuple[DocumentVersion, ...] = ()
    answers: Mapping[str, tuple[CapturedAnswer, ...]] = field(default_factory=dict)
    heard: Mapping[str, tuple[Heard, ...]] = field(default_factory=dict)
    threads: Mapping[str, Thread] = field(default_factory=dict)
    versions: Mapping[str, int] = field(default_factory=dict)
    memory: Memories = field(default_factory=dict)
    outcome: str = ""


def apply(state: CaseState, event: e.Event | e.Replied) -> CaseState:
    """The state after one event."""
    match event:
        case e.Entered():
            return _enter(state, event)
        case e.Reopened(place=place):
            return replace(state, phase=place, place=place)
        case e.Left(level=level, place=place):
            left = (*state.left, place.rpartition("/")[2]) if level == "phase" else state.left
            return replace(state, left=left)
        case e.Assigned(role=role, persons=persons):
            role_holders = {**state.role_holders, role: persons}
            return replace(state, role_holders=role_holders, assigned=state.assigned | set(persons))
        case e.Asked():
            return _ask(state, event)
        case e.Replied(thread=name, text=text, calls=calls):
            thread = state.threads[name]
            messages = (*thread.messages, e.Message(role="assistant", content=text, calls=calls))
            return replace(state, threads={**state.threads, name: replace(thread, messages=messages)})
        case e.Spoke():
            return _speak(state, event)
        case e.Captured(name=name):
            given = CapturedAnswer(event.person, event.speaker, event.value, event.about, event.place, event.drawn)
            others = tuple(g for g in state.answers.get(name, ()) if (g.person, g.about) != (given.person, given.about))
            return replace(state, answers={**state.answers, name: (*others, given)}, versions=_next(state, name))
        case e.Drafted():
            version = DocumentVersion(event.document, event.side, event.person, event.text)
            others_ = tuple(d for d in state.documents if (d.document, d.side) != (version.document, version.side))
            return replace(state, documents=(*others_, version), versions=_next(state, version_of(version)))
        case e.Remembered():
            return replace(state, memory=_remember(state.memory, event))
        case e.Withheld():
            return _withhold(state, event)
        case e.Ended(outcome=outcome):
            return replace(state, outcome=outcome)
        case (
            e.Started()
            | e.Skipped()
            | e.Called()
            | e.Violated()
            | e.Reviewed()
            | e.Raised()
            | e.Performed()
            | e.Closed()
        ):
            return state
        case _:
            assert_never(event)


def version_of(version: DocumentVersion) -> str:
    """By which name its versions are counted: each side's by themselves."""
    return f"{version.document}/{version.side}" if version.side else version.document


def _next(state: CaseState, name: str) -> Mapping[str, int]:
    return {**state.versions, name: state.versions.get(name, 0) + 1}


def _remember(memories: Memories, event: e.Remembered) -> Memories:
    """A writing more; or, when something was dropped, what was left as the only one."""
    memo = Memo(event.value, frozenset(event.knows))
    fields = memories.get(event.person, {})
    before = fields.get(event.field, ()) if event.how != "drop" else ()
    return {**memories, event.person: {**fields, event.field: (*before, memo)}}


def _withhold(state: CaseState, event: e.Withheld) -> CaseState:
    """Talk of a phase is gone from a hearing; threads count what is left of it."""
    heard, threads = dict(state.heard), dict(state.threads)
    for person in event.persons:
        heard[person] = tuple(h for h in heard.get(person, ()) if h.phase != event.phase)
        for name, thread in state.threads.items():
            if name.startswith(f"{person}@"):
                threads[name] = replace(thread, heard=min(thread.heard, len(heard[person])))
    return replace(state, heard=heard, threads=threads)


def _enter(state: CaseState, event: e.Entered) -> CaseState:
    """A new stage begins with nobody having heard anything; a new phase with nothing else changed."""
    match event.level:
        case "stage":
            return replace(
                state,
                stage=event.place,
                phase="",
                place=event.place,
                left=(),
                assigned=frozenset(),
                heard={},
                threads={},
            )
        case "phase":
            return replace(state, phase=event.place, place=event.place)
        case "step":  # STAGE/STEP: a stage's own steps, perhaps after its phases
            phase = event.place.rpartition("/")[0] if event.place.count("/") > 1 else ""
            return replace(state, phase=phase, place=event.place)
        case _:
            assert_never(event.level)


def _ask(state: CaseState, event: e.Asked) -> CaseState:
    thread = state.threads.get(event.thread, Thread())
    heard = len(state.heard.get(event.person, ()))
    messages = (*thread.messages, *event.added)
    thread = Thread(messages, heard, state.phase, {**thread.shown, **event.shown} if event.shown else thread.shown)
    return replace(state, threads={**state.threads, event.thread: thread})


def _speak(state: CaseState, event: e.Spoke) -> CaseState:
    entry = Heard(event.thread, event.person, event.speaker, event.text, event.act, state.phase, event.to)
    heard = dict(state.heard)
    for person in event.heard_by:
        heard[person] = (*heard.get(person, ()), entry)
    return replace(state, heard=heard)


# ---- who -------------------------------------------------------------------------------------------------------------


def holders(state: CaseState, actor: Actor) -> tuple[str, ...]:
    """Ids of the persons that an actor means now, in the order the case names them."""
    match actor:
        case RoleHolders(role):
            return state.role_holders.get(role, ())
        case Target():
            return state.role_holders.get(state.target, ())
        case Related(kind, of):
            return _related(state, kind, holders(state, of))
        case Opponents(of):
            return _opponents(state, holders(state, of))
        case InHand(_, among):
            return everyone(state, among)
        case OnePerson(person):
            return (person,)
        case _:
            assert_never(actor)


def _related(state: CaseState, kind: str, of: tuple[str, ...]) -> tuple[str, ...]:
    """Persons of a kind who represent one of `of`, or whom one of `of` represents."""
    represented = {client for person in of for client in state.persons[person].represents}
    return tuple(
        person.id
        for person in state.persons.values()
        if person.kind == kind and (person.id in represented or not set(of).isdisjoint(person.represents))
    )


def _opponents(state: CaseState, of: tuple[str, ...]) -> tuple[str, ...]:
    kinds = {state.persons[person].kind for person in of}
    sides = {state.persons[person].side for person in of}
    return tuple(
        person.id
        for person in state.persons.values()
        if person.kind in kinds and person.side and person.side not in sides
    )


def everyone(state: CaseState, actors: tuple[Actor, ...]) -> tuple[str, ...]:
    """All persons that the actors mean, each once, in order."""
    return tuple(dict.fromkeys(person for actor in actors for person in holders(state, actor)))


def roles_of(state: CaseState, person: str) -> tuple[str, ...]:
    """Roles that a person holds, or that somebody he represents holds."""
    stands_for = {person, *state.persons[person].represents}
    return tuple(role for role, persons in state.role_holders.items() if not stands_for.isdisjoint(persons))


def latest(given: tuple[CapturedAnswer, ...]) -> tuple[CapturedAnswer, ...]:
    """Those answers that the same, last step asked for."""
    return tuple(one for one in given if one.place == given[-1].place) if given else ()
