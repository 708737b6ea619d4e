"""The state of a case: a fold of events and nothing else. `apply` is the one place that changes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from itertools import zip_longest
from typing import assert_never

from ..model import attendance
from ..model import events as e
from ..model.actors import Actor, ChosenIn, Fellows, LoopPerson, Opponents, Related, RoleHolders, Target, VotersOf
from ..model.amendments import Amended
from ..model.case import Person
from ..model.decision_parts import PartDecided, Superseded
from ..model.immutable import immutable, replace
from ..model.schedule import Dated, Scheduled
from ..model.votes import Voted
from .memory import Memories, remembered
from .polls import AbsentAnswer, CapturedAnswer, absent_answers, faction, picked, subject, without
from .record import CourtRecord


@immutable
class Heard:
    """An utterance as it was heard; `phase` is the place of its phase, `number` the length of the record before it.

    Of somebody who comes or goes, `act` says which; of somebody who is called otherwise, `title` how; of what is read
    out, `lines` are (speaker, words), `title` what it is, `struck_lines` the numbers of those that are struck (from 0),
    `omitted` how many were left out for length. `struck`: it is to be disregarded. `vote`: how a vote came out.
    """

    thread: str
    person: str
    speaker: str
    text: str
    act: str
    phase: str
    to: tuple[str, ...]
    number: int = 0
    title: str = ""
    lines: tuple[tuple[str, str], ...] = ()
    struck_lines: tuple[int, ...] = ()
    omitted: int = 0
    vote: Voted | None = None
    struck: bool = False


@immutable
class DocumentVersion:
    """A document as it stands; `side` is its author's ("" for the court's), `day` that of its draft (YYYY-MM-DD).

    `unlisted`: what it names as exhibits and the case does not list.
    """

    document: str
    side: str
    person: str
    text: str
    day: str = ""
    unlisted: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """By which name its versions are counted: each side's by themselves."""
        return f"{self.document}/{self.side}" if self.side else self.document


@immutable
class Thread:
    """What one person was sent in one scenario.

    `heard`: how many utterances of his hearing it holds so far; `shown`: key of a known field -> version shown;
    `today`: the day on which it was last added to.
    """

    messages: tuple[e.Message, ...] = ()
    heard: int = 0
    phase: str = ""
    shown: Mapping[str, int] = field(default_factory=dict)
    today: str = ""


@immutable
class CaseState:
    """`role_holders`: role -> persons; `left`: phases of this stage that are over.

    `given`: the roles that were assigned in the case, the last one last;
    `assigned`: persons to whom the running stage has given a role; `versions`: how often an answer, or a document of a
    side, changed; `memory`: person -> field -> its writings, for the whole case. `out`: persons who are not in the
    room, `absent`: those who did not come to this stage, `waiting`: those who have come and wait outside until they
    are called, `entered`: those who came into the room in this stage; `stayed_away`: those who were absent from
    any stage; `record`: what was said in all stages;
    `in_hand`: variable of a loop over persons -> the one it has come to; `today`: YYYY-MM-DD ("" = no day);
    `missing`: answer -> those who were to be asked for it and could not; `asked`: how many answers and questions came;
    `votes`: answer -> the last vote for it about each record; `told`: person -> keys of what he was shown in all
    stages so far, in the order of its first time; `amended`: the amending fields of the case that are in force.
    """

    persons: Mapping[str, Person]
    role_holders: Mapping[str, tuple[str, ...]]
    target: str
    stage: str = ""
    phase: str = ""
    place: str = ""
    left: tuple[str, ...] = ()
    given: tuple[str, ...] = ()
    assigned: frozenset[str] = frozenset()
    documents: tuple[DocumentVersion, ...] = ()
    answers: Mapping[str, tuple[CapturedAnswer, ...]] = field(default_factory=dict)
    missing: Mapping[str, tuple[AbsentAnswer, ...]] = field(default_factory=dict)
    asked: int = 0
    votes: Mapping[str, tuple[Voted, ...]] = field(default_factory=dict)
    heard: Mapping[str, tuple[Heard, ...]] = field(default_factory=dict)
    threads: Mapping[str, Thread] = field(default_factory=dict)
    told: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    versions: Mapping[str, int] = field(default_factory=dict)
    memory: Memories = field(default_factory=dict)
    out: frozenset[str] = frozenset()
    absent: frozenset[str] = frozenset()
    waiting: frozenset[str] = frozenset()
    stayed_away: frozenset[str] = frozenset()
    entered: frozenset[str] = frozenset()
    record: CourtRecord = field(default_factory=CourtRecord)
    in_hand: Mapping[str, str] = field(default_factory=dict)
    today: str = ""
    amended: tuple[str, ...] = ()
    outcome: str = ""


_Told = e.Started | e.Skipped | e.Called | e.Violated | e.Reviewed | e.Raised | e.Performed | e.Closed | PartDecided
"""What happens without changing how the case stands."""


def apply(state: CaseState, event: e.Event | e.Replied) -> CaseState:
    """The state after one event."""
    if isinstance(event, _Told):
        return state
    match event:
        case e.Entered():
            return _enter(state, event)
        case e.Reopened(place=place):
            return replace(state, phase=place, place=place, record=state.record.kept(event, place))
        case e.Interrupted() | e.Resumed():
            return _move(state, event)
        case e.Left():
            return _leave(state, event)
        case e.Assigned():
            return _assign(state, event)
        case e.Asked():
            return _ask(state, event)
        case e.Replied() | e.Cleaned():
            return _reply(state, event)
        case e.Spoke():
            return _speak(state, event)
        case e.Objected():
            return _strike(state, event) if event.sustained else state
        case e.Captured():
            return _capture(state, event)
        case e.Questioned():
            return _question(state, event)
        case Voted():
            return _count(state, event)
        case Scheduled() | Dated() | Amended():
            return _date(state, event)
        case e.Drafted() | Superseded():
            return _draft(state, event)
        case e.Remembered():
            return replace(state, memory=remembered(state.memory, event))
        case e.Withheld():
            return _withhold(state, event)
        case attendance.Attended():
            return _attend(state, event)
        case attendance.ReadOut():
            return _read_out(state, event)
        case e.Ended():
            return replace(state, outcome=event.outcome)
        case _:
            assert_never(event)


def _assign(state: CaseState, event: e.Assigned) -> CaseState:
    role_holders = {**state.role_holders, event.role: event.persons}
    given = (*(role for role in state.given if role != event.role), event.role)
    return replace(state, role_holders=role_holders, given=given, assigned=state.assigned | set(event.persons))


def _date(state: CaseState, event: Scheduled | Dated | Amended) -> CaseState:
    """The day is another one, unless there was a reason against it; a calendar alone changes nothing. Or an amended
    value holds from here on."""
    if isinstance(event, Amended):
        return replace(state, amended=(*state.amended, event.field), versions=_next(state, event.amends))
    return replace(state, today=event.day) if isinstance(event, Dated) and not event.reason else state


def _leave(state: CaseState, event: e.Left) -> CaseState:
    left = (*state.left, event.place.rpartition("/")[2]) if event.level == "phase" else state.left
    return replace(state, left=left)


def _capture(state: CaseState, event: e.Captured) -> CaseState:
    """An answer is kept, the last one of each person about each record; said again word for word it is no new one."""
    number = state.asked + 1
    silent = event.source in ("default", "unanswered")
    said = (event.person, event.speaker, event.said, event.about, event.place, event.drawn)
    given = CapturedAnswer(*said, silent, number, event.rounds, event.within, event.chosen)
    before = state.answers.get(event.name, ())
    earlier = tuple(one for one in before if one.person == given.person and subject(one) == subject(given))
    others = tuple(one for one in before if one not in earlier)
    again = any((one.value, one.silent) == (given.value, given.silent) for one in earlier)
    versions = state.versions if again else _next(state, event.name)
    return replace(state, answers={**state.answers, event.name: (*others, given)}, versions=versions, asked=number)


def _question(state: CaseState, event: e.Questioned) -> CaseState:
    """Who could not be asked is kept beside the answers, the last time of each about each record."""
    new = absent_answers(event, state.asked + 1)
    again = {(one.person, subject(one)) for one in new}
    kept = tuple(one for one in state.missing.get(event.name, ()) if (one.person, subject(one)) not in again)
    return replace(state, missing={**state.missing, event.name: (*kept, *new)}, asked=state.asked + 1)


def _draft(state: CaseState, event: e.Drafted | Superseded) -> CaseState:
    """A document stands as it is now; of answers that one superseded nothing holds, which is a change of each."""
    if isinstance(event, Superseded):
        answers, votes = without(state.answers, event.answers), without(state.votes, event.answers)
        return replace(state, answers=answers, votes=votes, versions=_next(state, *event.answers))
    version = DocumentVersion(event.document, event.side, event.person, event.text, event.day, event.unlisted)
    others = tuple(one for one in state.documents if (one.document, one.side) != (version.document, version.side))
    return replace(state, documents=(*others, version), versions=_next(state, version.key))


def _count(state: CaseState, event: Voted) -> CaseState:
    """A vote is kept, the last one about each record; those present hear as much of it as is revealed."""
    others = tuple(one for one in state.votes.get(event.name, ()) if subject(one) != subject(event))
    state = replace(state, votes={**state.votes, event.name: (*others, event)})
    number = len(state.record.entries)
    entry = Heard("", "", "", event.result, "vote", state.phase, (), number, vote=event)
    heard = _hear(state, event.heard_by, (entry,))
    return replace(state, heard=heard, versions=_next(state, event.name))


def _next(state: CaseState, *names: str) -> Mapping[str, int]:
    return {**state.versions, **{name: state.versions.get(name, 0) + 1 for name in names}}


def _withhold(state: CaseState, event: e.Withheld) -> CaseState:
    """Talk of a phase is gone from a hearing, of its last time alone; threads count what is left of it."""
    heard, threads = dict(state.heard), dict(state.threads)
    since = state.record.began.get(event.phase, 0)
    for person in event.persons:
        before = heard.get(person, ())
        stays = [h.phase != event.phase or h.number < since for h in before]
        heard[person] = tuple(h for h, stay in zip(before, stays, strict=True) if stay)
        for name, thread in state.threads.items():
            if name.startswith(f"{person}@"):
                threads[name] = replace(thread, heard=sum(stays[: thread.heard]))
    return replace(state, heard=heard, threads=threads, record=state.record.kept(event, event.phase))


def _enter(state: CaseState, event: e.Entered) -> CaseState:
    """A new stage begins with nobody having heard anything; a new phase with nothing else changed."""
    match event.level:
        case "stage":
            nobody = frozenset[str]()
            state = replace(state, stage=event.place, phase="", place=event.place, left=(), assigned=nobody)
            return replace(state, heard={}, threads={}, out=nobody, absent=nobody, waiting=nobody, entered=nobody)
        case "phase":
            record = state.record.kept(event, event.place)
            return replace(state, phase=event.place, place=event.place, record=record)
        case "step":
            return replace(state, phase=_phase_of(event.place), place=event.place)
        case _:
            assert_never(event.level)


def _move(state: CaseState, event: e.Interrupted | e.Resumed) -> CaseState:
    """To an event within the phase, or back to a step."""
    phase = _phase_of(event.place) if event.kind == "resumed" else state.phase
    return replace(state, phase=phase, place=event.place)


def _phase_of(step: str) -> str:
    """The place of the phase that a step is in; "" for STAGE/STEP, a stage's own steps, perhaps after its phases."""
    return step.rpartition("/")[0] if step.count("/") > 1 else ""


def _ask(state: CaseState, event: e.Asked) -> CaseState:
    thread = state.threads.get(event.thread, Thread())
    heard, messages = len(state.heard.get(event.person, ())), (*thread.messages, *event.added)
    shown = {**thread.shown, **event.shown} if event.shown else thread.shown
    threads = {**state.threads, event.thread: Thread(messages, heard, state.phase, shown, state.today)}
    before = state.told.get(event.person, ())
    new = tuple(key for key in event.shown if key not in before)
    return replace(state, threads=threads, told={**state.told, event.person: (*before, *new)} if new else state.told)


def _reply(state: CaseState, event: e.Replied | e.Cleaned) -> CaseState:
    """A reply stands in its thread, or as it is kept there, before anything is sent with it."""
    thread = state.threads[event.thread]
    if isinstance(event, e.Cleaned):
        messages = (*thread.messages[:-1], thread.messages[-1].model_copy(update={"content": event.text}))
    else:
        said = e.Message(role="assistant", content=event.text, calls=event.calls, provider_data=event.provider_data)
        messages = (*thread.messages, said)
    return replace(state, threads={**state.threads, event.thread: replace(thread, messages=messages)})


def _strike(state: CaseState, event: e.Objected) -> CaseState:
    """The last words of somebody are marked as struck, in the hearing of all who heard them and in the record."""
    heard = {person: _struck(heard, event) for person, heard in state.heard.items()}
    return replace(state, heard=heard, record=state.record.without(event))


def _struck(heard: tuple[Heard, ...], event: e.Objected) -> tuple[Heard, ...]:
    for at in reversed(range(len(heard))):
        if (heard[at].person, heard[at].text) == (event.person, event.heard):
            return (*heard[:at], replace(heard[at], struck=True), *heard[at + 1 :])
    return heard


def _speak(state: CaseState, event: e.Spoke) -> CaseState:
    number = len(state.record.entries)
    entry = Heard(event.thread, event.person, event.speaker, event.text, event.act, state.phase, event.to, number)
    record = state.record.kept(event, state.phase or state.stage)
    return replace(state, heard=_hear(state, event.heard_by, (entry,)), record=record)


def _hear(state: CaseState, persons: tuple[str, ...], entries: tuple[Heard, ...]) -> Mapping[str, tuple[Heard, ...]]:
    """What each has heard, once these persons have heard something more."""
    return {**state.heard, **{person: (*state.heard.get(person, ()), *entries) for person in persons}}


def _attend(state: CaseState, event: attendance.Attended) -> CaseState:
    """Somebody is in the room, or is not; who is there sees it."""
    persons, number = frozenset(event.persons), len(state.record.entries)
    entries = tuple(
        Heard("", person, speaker, "", event.how, state.phase, (), number, title)
        for person, speaker, title in zip_longest(event.persons, event.speakers, event.titles, fillvalue="")
    )
    state = replace(state, heard=_hear(state, event.heard_by, entries))
    waiting = state.waiting | persons if event.how == "waits" else state.waiting - persons
    match event.how:
        case "enters":
            away, entered = state.absent - persons, state.entered | persons
            return replace(state, out=state.out - persons, absent=away, waiting=waiting, entered=entered)
        case "absent" | "waits" | "leaves" as how:
            away = state.absent | persons if how == "absent" else state.absent
            state = replace(state, stayed_away=state.stayed_away | away, entered=state.entered - persons)
            return replace(state, out=state.out | persons, absent=away, waiting=waiting)
        case "shut_out" | "let_in" | "comes_for" | "goes_again":  # for as long as the phase or step says so
            return state
        case "unreviewed" | "unobjected" | "unruled" | "titled":
            return state
        case _:
            assert_never(event.how)


def _read_out(state: CaseState, event: attendance.ReadOut) -> CaseState:
    entry = Heard(
        *("", event.person, event.speaker, "", "read", state.phase, event.to),
        number=len(state.record.entries),
        title=event.title,
        lines=event.lines,
        struck_lines=event.struck,
        omitted=event.omitted,
    )
    return replace(state, heard=_hear(state, event.heard_by, (entry,)), record=state.record.read_out(event))


def in_hand(state: CaseState, held: Mapping[str, str]) -> CaseState:
    """The state while loops over persons are at these (variable -> person). No event: the walk sets it."""
    return replace(state, in_hand=held)


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
        case VotersOf(which, name):
            return faction(state.votes.get(name, ()), which)
        case ChosenIn():
            return _chosen(state, actor)
        case Fellows(of):
            return _fellows(state, of)
        case LoopPerson(variable, among):
            person = state.in_hand.get(variable)
            return everyone(state, among) if person is None else (person,)
        case _:
            assert_never(actor)


def _chosen(state: CaseState, actor: ChosenIn) -> tuple[str, ...]:
    """Those whom an answer has chosen, or the others of those whom it could choose."""
    name, among = actor.name, actor.among
    chosen, known = picked(state.answers.get(name, ()), state.votes.get(name, ()), each=not among)
    if actor.which == "choice":
        return tuple(person for person in state.persons if person in chosen)
    return tuple(person for person in (everyone(state, among) if among else known) if person not in chosen)


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


def _fellows(state: CaseState, of: Actor) -> tuple[str, ...]:
    """The others that a loop goes over; else the others of the first roles of those meant."""
    those = holders(state, of)
    if isinstance(of, LoopPerson):
        return tuple(person for person in everyone(state, of.among) if person not in those)
    roles = {state.persons[person].role for person in those}
    return tuple(person.id for person in state.persons.values() if person.role in roles and person.id not in those)


def everyone(state: CaseState, actors: tuple[Actor, ...]) -> tuple[str, ...]:
    """All persons that the actors mean, each once, in order."""
    return tuple(dict.fromkeys(person for actor in actors for person in holders(state, actor)))


def roles_of(state: CaseState, person: str) -> tuple[str, ...]:
    """Roles that a person holds, or that somebody he represents holds."""
    stands_for = {person, *state.persons[person].represents}
    return tuple(role for role, persons in state.role_holders.items() if not stands_for.isdisjoint(persons))
