"""The interpreter: walks a linked procedure and yields a request whenever it needs the world.

    outcome = yield from run(procedure, case, settings, templates)

Pure: no clock, no random source, no I/O. The same replies give the same events.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Literal, assert_never

from ..model import events, plan
from ..model import procedure as p
from ..model.case import Case
from ..templates.template_set import TemplateSet
from . import memory, sampling
from .casting import cast, first_worn
from .conditions import holds
from .prompt import Prompter
from .state import CaseState, everyone
from .steps import assign, converse, drive, speak
from .turn import TurnSpec
from .turn_runner import Floor, Intervention, Play, Settings, Signal
from .view import ViewBuilder


def interpret(
    procedure: p.Procedure, case: Case, settings: Settings, templates: TemplateSet
) -> Generator[events.Turn, tuple[events.Reply, ...], events.Outcome]:
    """Play a case from the first stage; returns how it stands, with the last events."""
    persons = cast(procedure, case)
    state = CaseState({person.id: person for person in persons}, first_worn(procedure, persons), settings.target)
    floor = Floor(procedure, case, settings, Prompter(templates), state, ViewBuilder(procedure, case))
    signal = yield from _Interpreter(floor).play()
    paused = signal == "pause"
    return events.Outcome(
        floor.flush(), "paused" if paused else "ended", settings.until if paused else floor.state.place, floor.sight
    )


class _Interpreter:
    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        self.base = ""
        self.occurrences: dict[str, int] = {}
        self.reopened: dict[str, int] = {}
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
                skip=floor.settings.skip,
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
        if self._left_out(stage.id, stage.when):
            return ""
        floor.stage = stage
        self.occurrences.clear()
        self.reopened.clear()
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

    def _phase(self, stage: p.Stage, phase: p.Phase, again: int = 0) -> Play:
        """One phase; `again`: for the so manieth time once more."""
        floor = self.floor
        place = f"{stage.id}/{phase.id}" if phase.id else stage.id
        if self._left_out(place if phase.id else "", phase.when):
            return ""
        floor.present = self._present(stage)
        self.base = place
        if again:
            floor.tell(events.Reopened(place=place, title=phase.title, number=again))
        elif phase.id and self._enter("phase", place, phase.title):
            return "pause"
        off = phase.off_record
        hidden = everyone(floor.state, off.actors) if off is not None and holds(off.condition, floor.now) else ()
        floor.shielded = frozenset(hidden)
        signal = yield from self._steps(phase.steps)
        floor.shielded = frozenset()
        if signal == "pause":
            return signal
        if hidden:
            floor.tell(events.Withheld(phase=place, persons=hidden))
        if phase.id:
            floor.tell(events.Left(level="phase", place=place, reason="ended" if signal else "done"))
        return signal or (yield from self._steps(phase.closing))

    def _left_out(self, place: str, when: plan.Condition | None) -> bool:
        """Whether a stage or phase is passed over: the run was asked to, or its condition does not hold."""
        floor = self.floor
        asked = place in floor.settings.skip
        if not asked and holds(when, floor.now):
            return False
        floor.tell(events.Skipped(place=place, reason="asked" if asked else "condition"))
        return True

    def _present(self, stage: p.Stage) -> tuple[str, ...]:
        """Who hears what is said aloud: those the spec names, or else all who act in the stage."""
        steps = (step for phase in stage.phases for step in p.steps_in(phase))
        actors = stage.present or tuple(actor for step in steps for actor in plan.actors_of(step))
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
    def _steps(self, steps: tuple[plan.Step, ...]) -> Play:
        for step in steps:
            signal = yield from self._step(step)
            if signal:
                return signal
        return ""

    def _step(self, step: plan.Step) -> Play:
        floor = self.floor
        place = self._place(step.info.id)
        if not holds(step.info.when, floor.now):
            floor.tell(events.Skipped(place=place, reason="condition"))
            return ""
        if self._enter("step", place, step.info.cue):
            return "pause"
        return (yield from self._play(step))

    def _play(self, step: plan.Step) -> Play:
        floor = self.floor
        match step:
            case plan.Speak():
                return (yield from speak.speak(floor, step))
            case plan.Moderate():
                return (yield from speak.moderate(floor, step))
            case plan.Drive():
                return (yield from drive.drive(floor, step))
            case plan.Converse():
                return (yield from converse.converse(floor, step))
            case plan.Draft():
                return (yield from speak.draft(floor, step))
            case plan.Take():
                return speak.take(floor, step)
            case plan.Assign():
                assign.assign(floor, step)
                if floor.stage is not None:
                    floor.present = self._present(floor.stage)
                return ""
            case plan.ForEach():
                return (yield from self._for_each(step))
            case plan.Repeat():
                return (yield from self._repeat(step))
            case plan.Sample():
                sampling.sample(floor, step)
                return ""
            case plan.Reopen():
                return (yield from self._reopen(step))
            case plan.If(condition=condition, body=body, otherwise=otherwise):
                return (yield from self._steps(body if holds(condition, floor.now) else otherwise))
            case plan.End():
                return self._end(step)
            case plan.Remember():
                return (yield from self._remember(step))
            case _:
                assert_never(step)

    def _place(self, step: str) -> str:
        base = f"{self.base}/{step}"
        self.occurrences[base] = number = self.occurrences.get(base, 0) + 1
        return base if number == 1 else f"{base}#{number}"

    def _repeat(self, step: plan.Repeat) -> Play:
        floor, outer, place = self.floor, self.floor.round, self.floor.state.place
        for number in range(1, step.rounds + 1):
            floor.round = number
            signal = yield from self._steps(step.body)
            floor.round = outer
            if signal:
                return signal
            held = step.until is not None and holds(step.until, floor.now)
            if held or (step.until is not None and number == step.rounds):
                reason: events.Reason = "condition" if held else "budget"
                floor.tell(events.Closed(place=place, reason=reason, by="", turns=number))
            if held:
                break
        return ""

    def _reopen(self, step: plan.Reopen) -> Play:
        """An earlier phase once more; then the walk goes on where it was."""
        floor, base = self.floor, self.base
        stage = floor.stage
        assert stage is not None
        self.reopened[step.info.id] = number = self.reopened.get(step.info.id, 0) + 1
        if number > step.limit:
            floor.tell(events.Skipped(place=floor.state.place, reason="limit"))
            return ""
        outer = floor.shielded, floor.hands, floor.round
        floor.hands, floor.round = (), 1
        phase = next(phase for phase in stage.phases if phase.id == step.phase)
        signal = yield from self._phase(stage, phase, again=number)
        self.base = base
        floor.shielded, floor.hands, floor.round = outer
        return signal

    def _for_each(self, step: plan.ForEach) -> Play:
        floor = self.floor
        outer = floor.hands
        for hand in assign.hands(floor, step):
            floor.hands = (*outer, hand)
            signal = yield from self._steps(step.body)
            floor.hands = outer
            if signal:
                return signal
        return ""

    def _end(self, step: plan.End) -> Signal:
        if step.what == "stage":
            return "stage"
        self.ending = events.Ended(outcome=step.outcome, document=step.document)
        return "case"

    def _remember(self, step: plan.Remember) -> Play:
        """Who took part in the stage writes down what he keeps of it, by tools alone."""
        floor = self.floor
        persons = everyone(floor.state, step.actors)
        took_part = [person for person in persons if f"{person}@{floor.state.stage}" in floor.state.threads]
        for person in took_part:
            yield from floor.give(person, TurnSpec("remember", step.info, aloud=False, wordless=True))
        return "" if took_part else speak.nobody(floor)
