"""The walk: stage by stage, phase by phase, step by step, each step played by its verb."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, Literal

from ..model import events, plan, step_facts
from ..model import procedure as p
from ..model.amendments import Amended, in_force
from ..model.captured import kept
from ..model.conditions import Condition
from ..model.decision_parts import Superseded
from ..model.source import Span
from . import memory, presence
from .amendments import Amendments
from .answers import typed
from .conditions import LoopItem, about_of, current_item, holds, within_of
from .interruptions import Interruptions
from .reach import Frame, reach_of
from .scene import Scene
from .settings import Intervention, ReadAnswer
from .state import everyone
from .turn import TurnSpec
from .turn_runner import TurnRunner
from .view import View

Signal = Literal["", "stage", "case", "pause", "onward"]
"""What a step leaves behind: go on, the stage or the case is over, the run stops, or on with `Walk.destination`."""

Play = Generator[events.Turn, tuple[events.Reply, ...], Signal]
Verbs = Mapping[type[plan.Step], Callable[["Walk", Any], Play]]
"""A class of steps -> how one of it is played."""


class Leaving(Exception):
    """What came in between ends more than itself: the step that it interrupted is left."""

    def __init__(self, signal: Signal) -> None:
        self.signal = signal


class Walk:
    """One walk through a procedure. `ending` is set by the step that ends the case; `missed`: it stopped because it can
    no longer come to the place where it was to stop.

    `destination`: the phase or stage that the walk goes on with, what stands before it being passed over; "" for none.
    """

    def __init__(self, scene: Scene, turns: TurnRunner, verbs: Verbs) -> None:
        self.scene = scene
        self.turns = turns
        self.verbs = verbs
        self.ending: events.Ended | None = None
        self.destination = ""
        self.missed = False
        self.interruptions = Interruptions(scene, turns.requests.views)
        self._base = ""  # the place that steps are named under
        self._occurrences: dict[str, int] = {}
        self._reopened: dict[str, int] = {}
        self._waiting: events.Entered | None = None
        self._reach = reach_of(scene.procedure, scene.settings.until)
        self._amendments = Amendments(scene.procedure, scene.case)

    # ---- stages and phases -------------------------------------------------------------------------------------------
    def play(self) -> Play:
        scene, settings = self.scene, self.scene.settings
        scene.recorder.tell(
            events.Started(
                procedure=scene.procedure.name,
                case=scene.case.id,
                target=settings.target,
                seed=settings.seed,
                options=dict(settings.options),
                skip=settings.skip,
            )
        )
        if scene.calendar.days:
            scene.recorder.tell(scene.calendar.scheduled())
        for stage in scene.procedure.stages:
            if self._reach is not None:
                self._reach.begin(stage)
            signal = yield from self._stage(stage)
            if self._reach is not None:
                self._reach.over()
            if signal == "pause" or self._misses(signal):
                return "pause"
            if signal == "case":
                break
        scene.recorder.tell(self.ending or events.Ended(outcome="", document=""))
        return ""

    def _stage(self, stage: p.Stage) -> Play:
        scene = self.scene
        if self._left_out(stage.id, stage.id, stage.when):
            return ""
        scene.stage, scene.loop_turns = stage, 0
        self._occurrences.clear()
        self._reopened.clear()
        if self._enter("stage", stage.id, stage.title, stage.on):
            return "pause"
        presence.begin(scene)
        signal: Signal = ""
        for number, phase in enumerate(stage.phases):
            if self._reach is not None:
                self._reach.phase = number
            signal = yield from self._phase(stage, phase)
            if self._misses(signal):
                return "pause"
            if signal and not (signal == "onward" and self._comes_after(stage, phase.id)):
                break
        if signal != "pause":
            self._base = stage.id
            if (yield from self.steps(stage.closing)) == "pause":
                return "pause"
            scene.recorder.tell(events.Left(level="stage", place=stage.id, reason="ended" if signal else "done"))
        return signal if signal in ("case", "pause") else ""

    def _comes_after(self, stage: p.Stage, phase: str) -> bool:
        """Whether the walk is to go on with a phase of the stage after this one."""
        ids = [each.id for each in stage.phases]
        return bool(self.destination) and self.destination in ids[ids.index(phase) + 1 :]

    def _phase(self, stage: p.Stage, phase: p.Phase, again: int = 0) -> Play:
        """Play one phase; `again`: how often it was reopened, 0 for the first time."""
        scene, tell = self.scene, self.scene.recorder.tell
        place = f"{stage.id}/{phase.id}" if phase.id else stage.id
        if self._left_out(place if phase.id else "", phase.id, phase.when):
            return ""
        presence.refresh(scene)
        self._base = place
        if again and scene.settings.until == place:  # it was passed over the first time
            self._waiting = events.Entered(level="phase", place=place, title=phase.title)
            return "pause"
        if again:
            tell(events.Reopened(place=place, title=phase.title, number=again))
        elif phase.id and self._enter("phase", place, phase.title, phase.on):
            return "pause"
        off = phase.off_record
        hidden = everyone(scene.state, off.actors) if off is not None and holds(off.condition, scene.now) else ()
        scene.shielded = frozenset(hidden)
        outer = presence.enter(scene, phase.room)
        playing = self._reach.playing if self._reach is not None else []
        playing.append(phase)
        signal = yield from self.steps(phase.steps)
        playing.pop()
        presence.leave(scene, outer)
        scene.shielded = frozenset()
        if signal == "pause":
            return signal
        if hidden:
            tell(events.Withheld(phase=place, persons=hidden))
        if phase.id:
            tell(events.Left(level="phase", place=place, reason="ended" if signal else "done"))
        return signal or (yield from self.steps(phase.closing))

    def reopen(self, step: plan.Step, phase_id: str, limit: int) -> Play:
        """An earlier phase of the stage once more, at most `limit` times for this step; then on from here."""
        scene, base, stage = self.scene, self._base, self.scene.stage
        assert stage is not None
        self._reopened[step.info.id] = number = self._reopened.get(step.info.id, 0) + 1
        if number > limit:
            scene.recorder.skipped("limit")
            return ""
        outer = scene.shielded, scene.loop_items, scene.round, scene.rounds, scene.rooms
        scene.loop_items, scene.round, scene.rounds, scene.rooms = (), 1, scene.next_round(scene.rounds), ()
        phase = next(phase for phase in stage.phases if phase.id == phase_id)
        signal = yield from self._phase(stage, phase, again=number)
        inside = signal == "onward" and self.destination in [each.id for each in stage.phases]
        if inside and not self._comes_after(
            stage, base.partition("/")[2]
        ):  # it goes on with what is being gone through
            self.destination, signal = "", ""
        self._base = base
        scene.shielded, scene.loop_items, scene.round, scene.rounds, scene.rooms = outer
        presence.refresh(scene)
        return signal

    def _left_out(self, place: str, name: str, when: Condition | None) -> bool:
        """Whether a stage or phase is passed over: the walk goes on behind it, the run was asked to, or its condition
        does not hold."""
        scene = self.scene
        self.destination = "" if name == self.destination else self.destination
        asked = place in scene.settings.skip
        if not self.destination and not asked and holds(when, scene.now):
            return False
        reason: events.SkipReason = "onward" if self.destination else "asked" if asked else "condition"
        scene.recorder.tell(events.Skipped(place=place, reason=reason))
        return True

    # ---- what comes in between ---------------------------------------------------------------------------------------
    def interrupt(self, event: p.Interruption, person: str = "") -> Play:
        """An event comes, raised by a person or by a condition: its steps, then on where the walk was."""
        scene, interruptions, resting = self.scene, self.interruptions, self.scene.state.place
        place, speaker = self._place(f"{p.EVENT_MARK}{event.id}"), scene.label(person) if person else ""
        told: dict[str, Any] = {"place": place, "title": event.title}
        number = interruptions.begin(event, person)
        here = events.Interrupted(event=event.id, person=person, speaker=speaker, number=number, **told)
        if self._come_to(here, events.Entered(level="step", **told)):
            return "pause"
        outer = scene.loop_items, scene.round, scene.rounds, scene.rooms
        scene.loop_items, scene.round, scene.rounds = (), 1, scene.next_round(scene.rounds)
        scene.rooms = presence.unconfined(scene)
        joining = tuple(actor for step in plan.walk(event.steps) for actor in step_facts.actors_of(step))
        before = presence.expected(scene)
        outer_joining, scene.joining = scene.joining, (*scene.joining, *joining)
        presence.joined(scene, before)
        signal = yield from self.steps(event.steps)
        scene.loop_items, scene.round, scene.rounds, scene.rooms = outer
        interruptions.over()
        scene.joining = outer_joining
        presence.refresh(scene)
        if not signal:
            scene.recorder.tell(events.Resumed(place=resting, event=event.id))
        return signal

    def look_around(self) -> Play:
        """The events whose conditions have come to hold, each in its turn."""
        signal: Signal = ""
        while not signal and (event := self.interruptions.due()) is not None:
            signal = yield from self.interrupt(event)
        return signal

    # ---- places ------------------------------------------------------------------------------------------------------
    def _enter(self, level: Literal["stage", "phase", "step"], place: str, title: str, on: str) -> bool:
        """Come to a place on its day; interventions waiting there happen first. True when the run is to stop here."""
        entered = events.Entered(level=level, place=place, title=title)
        return self._come_to(entered, entered, on)

    def _come_to(self, here: events.Entered | events.Interrupted, entered: events.Entered, on: str = "") -> bool:
        """Come to what `here` tells of; `entered`: by what it is looked at where the run stops before it."""
        place = here.place
        if self.scene.settings.until == place:
            self._waiting = entered
            return True
        self.scene.recorder.tell(here)
        if on and (dated := self.scene.calendar.dated(place, on, self.scene.state.today)):
            self.scene.recorder.tell(dated)
        self._amend(self.scene.recorder.tell)
        self.interruptions.entered.add(place.partition("#")[0])
        for intervention in self.scene.settings.interventions:
            if intervention.place == place:
                self._replace(intervention)
        return False

    def _amend(self, tell: Callable[[Amended], None]) -> None:
        """Amended values of the case whose place or day has come hold from here on."""
        scene = self.scene
        for field in self._amendments.due(scene.state):
            tell(Amended(place=scene.state.place, field=field.name, amends=field.amends, title=field.title))
            scene.case = in_force(scene.procedure, scene.case, (field.name,))

    def _replace(self, change: Intervention) -> None:
        scene, state = self.scene, self.scene.state
        document = scene.procedure.documents[change.document]
        held = [version for version in state.documents if version.document == change.document]
        authors = [version.person for version in held if not change.side or version.side == change.side]
        authors += [person.id for person in state.persons.values() if person.side == change.side]
        author = next(iter((*authors, *state.persons)))
        scene.drafted(author, document, change.text, "replaced")
        self._supersede(change, author)
        self._forget(f"{document.name}/{change.side or held[0].side}" if document.sided and held else document.name)

    def _supersede(self, change: Intervention, author: str) -> None:
        """A decision that the replaced document states is what is read in the new one, and nothing else of it holds."""
        scene = self.scene
        for decision in scene.procedure.decisions.values():
            said = {*scene.state.answers, *scene.state.votes}
            held = tuple(name for name in decision.answers if name in said)
            if change.document in decision.documents and held:
                told = Superseded(
                    place=scene.state.place, decision=decision.name, document=change.document, answers=held
                )
                scene.recorder.tell(told)
                for part in (part for part in change.read if part.name in decision.answers):
                    scene.captured(self._read(part, author))

    def _value(self, part: ReadAnswer) -> str | tuple[str, ...]:
        """What is read in a document as an answer, as a value where the answer is one."""
        answer = self.scene.procedure.answers[part.name]
        read = typed(part.value, answer) if isinstance(part.value, str) else None
        return part.value if read is None else read

    def _read(self, part: ReadAnswer, author: str) -> events.Captured:
        return events.Captured(
            request="",
            place=self.scene.state.place,
            person=author,
            speaker=self.scene.label(author),
            name=part.name,
            **kept(self._value(part)),
            about=part.about,
            source="read",
        )

    def _forget(self, document: str) -> None:
        """What persons wrote down in sight of a document that is replaced now is dropped."""
        scene = self.scene
        for person, name, left in tuple(memory.resting_on(scene.state.memory, document)):
            scene.recorder.tell(
                events.Remembered(
                    request="",
                    place=scene.state.place,
                    person=person,
                    field=name,
                    how="drop",
                    value=left.value,
                    knows=tuple(sorted(left.knows)),
                )
            )

    def view_of(self, person: str) -> View:
        """The view of a person where the run stopped: in the place that it was about to enter."""
        if self._waiting is not None:
            self.scene.recorder.enter_silently(self._waiting)
            self._waiting = None
            self._amend(self.scene.recorder.enter_silently)
        nothing = plan.StepInfo("", "", "", (), None, Span("", 0, 0))
        return self.turns.requests.view(self.scene.state.persons[person], TurnSpec("", nothing))

    # ---- steps -------------------------------------------------------------------------------------------------------
    def steps(self, steps: tuple[plan.Step, ...]) -> Play:
        """Play steps in order until one of them ends something."""
        frames, frame = (self._reach.frames if self._reach is not None else []), Frame(steps)
        frames.append(frame)
        try:
            for frame.at, step in enumerate(steps):
                signal = yield from self._step(step)
                if self._misses(signal):
                    return "pause"
                if signal:
                    return signal
        finally:
            frames.pop()
        return ""

    def _misses(self, signal: Signal) -> bool:
        """Whether the place where the run is to stop cannot come any more, after what left this signal behind."""
        if self._reach is None or signal == "pause":
            return False
        self.missed = not self._reach.possible(signal, self.destination, self._reopened)
        return self.missed

    def _step(self, step: plan.Step) -> Play:
        scene, place = self.scene, self._place(step.info.id)
        if not holds(step.info.when, scene.now):
            scene.recorder.tell(events.Skipped(place=place, reason="condition"))
            return ""
        if self._enter("step", place, step.info.cue, step.info.on):
            return "pause"
        outer, acting = presence.enter(scene, step.info.room), scene.acting
        scene.acting = scene.there(*step.all_speakers) if scene.rooms else ()
        self._question(step)
        signal: Signal = ""
        if presence.nobody_left(scene, step):
            scene.recorder.skipped("absent")
        else:
            if step.needs_presence and step.turn_slots and scene.kept_out != scene.told_out:
                presence.tell_kept_out(scene)
            try:
                signal = yield from self.verbs[type(step)](self, step)
            except Leaving as leaving:
                signal = leaving.signal
        scene.acting = acting
        presence.leave(scene, outer)
        return signal or (yield from self.look_around())

    def _question(self, step: plan.Step) -> None:
        """A step asks for an answer: who is named and not in the room is noted; a ruling of before no longer stands."""
        scene, objection = self.scene, step.info.objection
        item = current_item(step.loop_variable, scene.loop_items)
        told: dict[str, Any] = {"place": scene.state.place, "rounds": scene.rounds}
        if objection is not None and objection.ruling.name in scene.state.answers:
            again = self._subject(item)
            scene.recorder.tell(events.Questioned(name=objection.ruling.name, afresh=True, **again, **told))
        named = everyone(scene.state, step.answerers) if step.turn_slots else ()
        absent = tuple(person for person in named if person in scene.state.out)
        for name in step.answer_names if absent else ():
            subject = self._subject(item, absent[0])
            scene.recorder.tell(events.Questioned(name=name, absent=absent, **subject, **told))

    def _subject(self, item: LoopItem | None, person: str = "") -> dict[str, Any]:
        """What a question to a person is about, the loops having come to an item."""
        loop_items = self.scene.loop_items
        about = about_of(item, person, loop_items)
        return {"about": about, "within": within_of(about, person, loop_items)}

    def _place(self, step: str) -> str:
        """Where a step is played: STAGE/PHASE/STEP, with its number from the second time on."""
        base = f"{self._base}/{step}"
        self._occurrences[base] = number = self._occurrences.get(base, 0) + 1
        return base if number == 1 else f"{base}#{number}"
