"""The interpreter: walks a linked procedure and yields a request whenever it needs the world.

    outcome = yield from run(procedure, case, settings, templates)

Pure: no clock, no random source, no I/O. The same replies give the same events.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Literal, assert_never

from ..model import events
from ..model import procedure as p
from ..model.case import Case
from ..templates.template_set import TemplateSet
from . import memory
from .casting import called, cast, first_worn
from .conditions import Hand, holds, in_hand, records, values
from .floor import Cue, Floor, Intervention, Settings
from .prompting import Prompter
from .replies import Parsed
from .state import CaseState, everyone, wearers
from .view import Looking

Signal = Literal["", "stage", "case", "pause"]
Play = Generator[events.Turn, tuple[events.Reply, ...], Signal]


def run(
    procedure: p.Procedure, case: Case, settings: Settings, templates: TemplateSet
) -> Generator[events.Turn, tuple[events.Reply, ...], events.Outcome]:
    """Play a case from the first stage; returns how it stands, with the last events."""
    persons = cast(procedure, case)
    state = CaseState({person.id: person for person in persons}, first_worn(procedure, persons), settings.target)
    floor = Floor(procedure, case, settings, Prompter(templates), state, Looking(procedure, case))
    signal = yield from _Interpreter(floor, templates).play()
    paused = signal == "pause"
    return events.Outcome(
        floor.flush(), "paused" if paused else "ended", settings.until if paused else floor.state.place, floor.sight
    )


class _Interpreter:
    def __init__(self, floor: Floor, templates: TemplateSet) -> None:
        self.floor = floor
        self.templates = templates
        self.budget = 0
        self.base = ""
        self.occurrences: dict[str, int] = {}
        self.ending: events.Ended | None = None

    # ---- stages and phases -------------------------------------------------------------------------------------------
    def play(self) -> Play:
        floor = self.floor
        floor.tell(
            events.Started(
                procedure=floor.procedure.name,
                case=floor.case.id,
                target=floor.settings.target,
                seed=floor.settings.seed,
                options=dict(floor.settings.options),
            )
        )
        for stage in floor.procedure.stages:
            signal = yield from self._stage(stage)
            if signal == "pause":
                return signal
            if signal == "case":
                break
        floor.tell(self.ending or events.Ended(outcome="", document=""))
        return ""

    def _stage(self, stage: p.Stage) -> Play:
        floor = self.floor
        if not holds(stage.when, floor.now):
            floor.tell(events.Skipped(place=stage.id, reason="condition"))
            return ""
        floor.stage = stage
        self.budget = stage.budget
        self.occurrences.clear()
        if self._enter("stage", stage.id, stage.title):
            return "pause"
        signal: Signal = ""
        for phase in stage.phases:
            signal = yield from self._phase(stage, phase)
            if signal:
                break
        if signal != "pause":
            self.base = stage.id
            if (yield from self._steps(stage.closing)) == "pause":
                return "pause"
            floor.tell(events.Left(level="stage", place=stage.id, reason="ended" if signal else "done"))
        return "" if signal == "stage" else signal

    def _phase(self, stage: p.Stage, phase: p.Phase) -> Play:
        floor = self.floor
        if not holds(phase.when, floor.now):
            floor.tell(events.Skipped(place=f"{stage.id}/{phase.id}", reason="condition"))
            return ""
        floor.present = self._present(stage)
        self.base = f"{stage.id}/{phase.id}" if phase.id else stage.id
        if phase.id and self._enter("phase", f"{stage.id}/{phase.id}", phase.title):
            return "pause"
        off = phase.off_record
        hidden = everyone(floor.state, off.actors) if off is not None and holds(off.condition, floor.now) else ()
        floor.shielded = frozenset(hidden)
        signal = yield from self._steps(phase.steps)
        floor.shielded = frozenset()
        if signal == "pause":
            return signal
        if hidden:
            floor.tell(events.Withheld(phase=floor.state.phase, persons=hidden))
        if phase.id:
            floor.tell(events.Left(level="phase", place=floor.state.phase, reason="ended" if signal else "done"))
        return signal or (yield from self._steps(phase.closing))

    def _present(self, stage: p.Stage) -> tuple[str, ...]:
        """Who hears what is said aloud: those the spec names, or else all who act in the stage."""
        steps = (step for phase in stage.phases for step in p.steps_in(phase))
        actors = stage.present or tuple(actor for step in steps for actor in p.actors_of(step))
        found = set(everyone(self.floor.state, actors))
        return tuple(person for person in self.floor.state.persons if person in found)

    def _enter(self, level: Literal["stage", "phase", "step"], place: str, title: str) -> bool:
        """Come to a place: interventions waiting there happen first. True when the run is to stop here."""
        floor = self.floor
        if floor.settings.until == place:
            floor.entering = events.Entered(level=level, place=place, title=title)
            return True
        floor.tell(events.Entered(level=level, place=place, title=title))
        for intervention in floor.settings.interventions:
            if intervention.place == place:
                self._replace(intervention)
        return False

    def _replace(self, change: Intervention) -> None:
        floor = self.floor
        document = floor.procedure.documents[change.document]
        held = [paper for paper in floor.state.papers if paper.document == change.document]
        authors = [paper.person for paper in held if not change.side or paper.side == change.side]
        authors += [person.id for person in floor.state.persons.values() if person.side == change.side]
        floor.draft(next(iter((*authors, *floor.state.persons))), document, change.text, "replaced")
        self._forget(f"{document.name}/{change.side or held[0].side}" if document.sided and held else document.name)

    def _forget(self, paper: str) -> None:
        """What persons wrote down in sight of a document that is replaced now is dropped."""
        floor = self.floor
        for person, name, left in tuple(memory.resting_on(floor.state.memory, paper)):
            floor.tell(
                events.Remembered(
                    request="",
                    place=floor.state.place,
                    person=person,
                    field=name,
                    how="drop",
                    value=left.value,
                    knows=tuple(sorted(left.knows)),
                )
            )

    # ---- steps -------------------------------------------------------------------------------------------------------
    def _steps(self, steps: tuple[p.Step, ...]) -> Play:
        for step in steps:
            signal = yield from self._step(step)
            if signal:
                return signal
        return ""

    def _step(self, step: p.Step) -> Play:
        floor = self.floor
        place = self._place(step.info.id)
        if not holds(step.info.when, floor.now):
            floor.tell(events.Skipped(place=place, reason="condition"))
            return ""
        if self._enter("step", place, step.info.cue):
            return "pause"
        match step:
            case p.Speak():
                return (yield from self._speak(step))
            case p.Moderate():
                return (yield from self._moderate(step))
            case p.Converse():
                return (yield from self._converse(step))
            case p.Draft():
                return (yield from self._draft(step))
            case p.Take():
                return self._take(step)
            case p.Assign():
                return self._assign(step)
            case p.ForEach():
                return (yield from self._for_each(step))
            case p.Repeat():
                return (yield from self._repeat(step))
            case p.If(condition=condition, body=body, otherwise=otherwise):
                return (yield from self._steps(body if holds(condition, floor.now) else otherwise))
            case p.End():
                return self._end(step)
            case p.Remember():
                return (yield from self._remember(step))
            case _:
                assert_never(step)

    def _place(self, step: str) -> str:
        base = f"{self.base}/{step}"
        self.occurrences[base] = number = self.occurrences.get(base, 0) + 1
        return base if number == 1 else f"{base}#{number}"

    def _nobody(self) -> Signal:
        self.floor.tell(events.Skipped(place=self.floor.state.place, reason="nobody"))
        return ""

    def _hand(self, variable: str) -> Hand | None:
        """The record in hand: that of the loop which is named, or else of the innermost one."""
        return in_hand(variable, self.floor.hands)

    def _repeat(self, step: p.Repeat) -> Play:
        outer = self.floor.round
        signal: Signal = ""
        for number in range(1, step.rounds + 1):
            self.floor.round = number
            signal = yield from self._steps(step.body)
            if signal:
                break
        self.floor.round = outer
        return signal

    def _speak(self, step: p.Speak) -> Play:
        floor = self.floor
        speakers = everyone(floor.state, step.actors)
        to = tuple(person for person in everyone(floor.state, step.to) if person not in speakers)
        if not speakers or (step.to and not to):
            return self._nobody()
        verb = p.ACTS[step.verb]
        hand = self._hand(step.item)
        cue = Cue(verb, step.info, to, hand=hand, aloud=step.verb != "notes")
        if step.pass_token:
            cue = replace(cue, leading=(step.pass_token,), passing=step.pass_token)
        if not step.to:
            cue = replace(cue, answer=step.answer)
        spoke = False
        for person in speakers:
            parsed = yield from floor.give(person, cue)
            if step.pass_token and parsed.leading == step.pass_token:
                floor.tell(events.Skipped(place=floor.state.place, reason="passed"))
            else:
                spoke = True
        if step.verb == "presents" and hand is not None:
            floor.presented |= {hand.about}
        reply = Cue("answer", step.info, speakers, answer=step.answer, hand=hand)
        for person in to if spoke else ():
            yield from floor.give(person, reply)
        return ""

    def _spent(self, turns: int, limit: int) -> bool:
        """Whether a loop must close: its own limit, or the turns of its stage, ran out."""
        return turns >= limit or bool(self.budget and self.floor.state.turns >= self.budget)

    def _close(self, reason: Literal["token", "budget", "done"], by: str, turns: int) -> Signal:
        self.floor.tell(events.Closed(place=self.floor.state.place, reason=reason, by=by, turns=turns))
        return ""

    def _moderate(self, step: p.Moderate) -> Play:
        """The chair calls one speaker at a time; when it names nobody twice, the next in order is called.

        The limit is strict; the stage's budget lets who was called answer.
        """
        floor = self.floor
        chairs, speakers = wearers(floor.state, step.chair), everyone(floor.state, step.speakers)
        if not chairs or not speakers:
            return self._nobody()
        calls = {step.call.replace("{role}", floor.label(person)): person for person in speakers}
        spoken = dict.fromkeys(speakers, 0)
        turns, called = 0, speakers[-1]
        while not self._spent(turns, step.limit):
            cue = Cue(
                "moderate",
                step.info,
                speakers,
                leading=(*calls, step.close),
                calls=calls,
                close=step.close,
                turn=turns // 2 + 1,
                left=step.limit - turns,
                needs=frozenset({"leading"}),
            )
            parsed = yield from floor.give(chairs[0], cue)
            turns += 1
            if parsed.leading == step.close:
                return self._close("token", chairs[0], turns)
            if turns >= step.limit:
                break
            called = calls.get(parsed.leading) or _following(speakers, called)
            spoken[called] += 1
            reply = Cue("reply", step.info, chairs[:1], turn=spoken[called], left=step.limit - turns)
            yield from floor.give(called, reply)
            turns += 1
        return self._close("budget", "", turns)

    def _converse(self, step: p.Converse) -> Play:
        floor = self.floor
        openers, partners = wearers(floor.state, step.opener), wearers(floor.state, step.partner)
        if not openers or not partners:
            return self._nobody()
        document = floor.procedure.documents.get(step.produces)
        spoken = dict.fromkeys((*openers, *partners), 0)
        turns = 0
        for person in _cycle((*openers, *partners)):
            if self._spent(turns, step.limit):
                break
            spoken[person] += 1
            turns += 1
            ending = tuple(s.token for s in step.until if person in wearers(floor.state, s.actor))
            others = partners if person in openers else openers
            cue = Cue(
                "converse",
                step.info,
                others,
                ending=ending,
                document=document if ending else None,
                turn=spoken[person],
                left=step.limit - turns,
            )
            parsed = yield from floor.give(person, cue)
            if parsed.ending:
                self._close("token", person, turns)
                if document is not None:
                    yield from self._produced(step, person, document, parsed)
                return ""
        self._close("budget", "", turns)
        if document is not None:
            writer = next((w for said in step.until for w in wearers(floor.state, said.actor)), openers[0])
            yield from self._produced(step, writer, document, None)
        return ""

    def _produced(self, step: p.Converse, writer: str, document: p.Document, parsed: Parsed | None) -> Play:
        """The document that a conversation was for: the words before its end token, or else asked for outright."""
        if parsed is None or not parsed.text:
            tokens = tuple(said.token for said in step.until)
            cue = Cue("draft", step.info, document=document, ending=tokens, aloud=False)
            parsed = yield from self.floor.give(writer, cue)
        self.floor.draft(writer, document, parsed.text, "reply")
        return ""

    def _draft(self, step: p.Draft) -> Play:
        floor = self.floor
        document = floor.procedure.documents[step.document]
        writers = wearers(floor.state, step.actor)
        if not writers:
            return self._nobody()
        parsed = yield from floor.give(writers[0], Cue("draft", step.info, document=document, aloud=False))
        floor.draft(writers[0], document, parsed.text, "reply")
        return ""

    def _take(self, step: p.Take) -> Signal:
        """A document that the case supplies: the form in `documents/`, filled from what its author's side may see."""
        floor = self.floor
        document = floor.procedure.documents[step.document]
        writers = wearers(floor.state, step.actor)
        home = self.templates.find((f"documents/{document.name}",))
        if not writers or home is None:
            return self._nobody()
        person = floor.state.persons[writers[0]]
        view = floor.look(person, Cue("draft", step.info, document=document))
        floor.draft(person.id, document, self.templates.render(home, view.variables).strip(), "case")
        return ""

    def _assign(self, step: p.Assign) -> Signal:
        floor = self.floor
        state = floor.state
        parties = tuple(person.id for person in state.persons.values() if not person.represents and person.side)
        match step.who:
            case p.NamedIn(where):
                named = {str(word) for value in values(where, floor.now) for word in _texts(value)}
                chosen = tuple(p for p in parties if named & called(floor.procedure, state.persons[p]))
            case p.Opposing(of):
                those = wearers(state, of)
                sides = {state.persons[person].side for person in those}
                chosen = tuple(
                    person
                    for person in parties
                    if person not in those and any(side != state.persons[person].side for side in sides)
                )
            case p.Remaining():
                chosen = tuple(person for person in parties if person not in state.assigned)
            case actor:
                chosen = wearers(state, actor)
        floor.tell(events.Assigned(role=step.role, persons=chosen))
        if floor.stage is not None:
            floor.present = self._present(floor.stage)
        return ""

    def _for_each(self, step: p.ForEach) -> Play:
        floor = self.floor
        if step.persons is not None:
            found = [self._person_in_hand(step.variable, person) for person in wearers(floor.state, step.persons)]
        else:
            assert step.within is not None
            found = [Hand(step.variable, about, record) for about, record in records(step.within, floor.now)]
        outer = floor.hands
        for hand in found:
            floor.hands = (*outer, hand)
            signal = yield from self._steps(step.body)
            floor.hands = outer
            if signal:
                return signal
        return ""

    def _person_in_hand(self, variable: str, person_id: str) -> Hand:
        person = self.floor.state.persons[person_id]
        role = self.floor.procedure.roles[person.role]
        index = [one.id for one in self.floor.state.persons.values() if one.role == role.id].index(person_id)
        about = f"{role.each}/{person.side}/{index}" if role.each else ""
        return Hand(variable, about, person.record)

    def _end(self, step: p.End) -> Signal:
        if step.what == "stage":
            return "stage"
        self.ending = events.Ended(outcome=step.outcome, document=step.document)
        return "case"

    def _remember(self, step: p.Remember) -> Play:
        """Who took part in the stage writes down what he keeps of it, by tools alone."""
        floor = self.floor
        persons = everyone(floor.state, step.actors)
        took_part = [person for person in persons if f"{person}@{floor.state.stage}" in floor.state.threads]
        for person in took_part:
            yield from floor.give(person, Cue("remember", step.info, aloud=False, wordless=True))
        return "" if took_part else self._nobody()


def _cycle(persons: tuple[str, ...]) -> Iterator[str]:
    while True:
        yield from persons


def _following(persons: tuple[str, ...], person: str) -> str:
    """Who comes after a person, the first after the last."""
    return persons[(persons.index(person) + 1) % len(persons)]


def _texts(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else (value,)
