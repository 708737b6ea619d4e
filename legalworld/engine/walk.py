"""The walk: stage by stage, phase by phase, step by step, each step played by its verb."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from typing import Any, Literal

from ..model import events, plan
from ..model import procedure as p
from ..model.source import Span
from . import memory
from .conditions import holds
from .scene import Scene
from .settings import Intervention
from .state import everyone
from .turn import TurnSpec
from .turn_runner import TurnRunner
from .view import View

Signal = Literal["", "stage", "case", "pause"]
"""What a step leaves behind: go on, or the stage or the case is over, or the run stops here."""

Play = Generator[events.Turn, tuple[events.Reply, ...], Signal]
Verbs = Mapping[type[plan.Step], Callable[["Walk", Any], Play]]
"""A class of steps -> how one of it is played."""


class Walk:
    """One walk through a procedure. `ending` is set by the step that ends the case."""

    def __init__(self, scene: Scene, turns: TurnRunner, verbs: Verbs) -> None:
        self.scene = scene
        self.turns = turns
        self.verbs = verbs
        self.ending: events.Ended | None = None
        self._base = ""  # the place that steps are named under
        self._occurrences: dict[str, int] = {}
        self._reopened: dict[str, int] = {}
        self._waiting: events.Entered | None = None

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
        for stage in scene.procedure.stages:
            signal = yield from self._stage(stage)
            if signal == "pause":
                return signal
            if signal == "case":
                break
        scene.recorder.tell(self.ending or events.Ended(outcome="", document=""))
        return ""

    def _stage(self, stage: p.Stage) -> Play:
        scene = self.scene
        if self._left_out(stage.id, stage.when):
            return ""
        scene.stage, scene.loop_turns = stage, 0
        self._occurrences.clear()
        self._reopened.clear()
        if self._enter("stage", stage.id, stage.title):
            return "pause"
        signal: Signal = ""
        for phase in stage.phases:
            signal = yield from self._phase(stage, phase)
            if signal:
                break
        if signal != "pause":
            self._base = stage.id
            if (yield from self.steps(stage.closing)) == "pause":
                return "pause"
            scene.recorder.tell(events.Left(level="stage", place=stage.id, reason="ended" if signal else "done"))
        return "" if signal == "stage" else signal

    def _phase(self, stage: p.Stage, phase: p.Phase, again: int = 0) -> Play:
        """Play one phase; `again`: how often it was reopened, 0 for the first time."""
        scene, tell = self.scene, self.scene.recorder.tell
        place = f"{stage.id}/{phase.id}" if phase.id else stage.id
        if self._left_out(place if phase.id else "", phase.when):
            return ""
        self.refresh_present()
        self._base = place
        if again:
            tell(events.Reopened(place=place, title=phase.title, number=again))
        elif phase.id and self._enter("phase", place, phase.title):
            return "pause"
        off = phase.off_record
        hidden = everyone(scene.state, off.actors) if off is not None and holds(off.condition, scene.now) else ()
        scene.shielded = frozenset(hidden)
        signal = yield from self.steps(phase.steps)
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
        outer = scene.shielded, scene.loop_items, scene.round
        scene.loop_items, scene.round = (), 1
        phase = next(phase for phase in stage.phases if phase.id == phase_id)
        signal = yield from self._phase(stage, phase, again=number)
        self._base = base
        scene.shielded, scene.loop_items, scene.round = outer
        return signal

    def _left_out(self, place: str, when: plan.Condition | None) -> bool:
        """Whether a stage or phase is passed over: the run was asked to, or its condition does not hold."""
        scene = self.scene
        asked = place in scene.settings.skip
        if not asked and holds(when, scene.now):
            return False
        scene.recorder.tell(events.Skipped(place=place, reason="asked" if asked else "condition"))
        return True

    def refresh_present(self) -> None:
        """Find anew who hears what is said aloud: those the stage names, or else all who act in it."""
        scene = self.scene
        assert scene.stage is not None
        steps = (step for phase in scene.stage.phases for step in p.steps_in(phase))
        actors = scene.stage.present or tuple(actor for step in steps for actor in plan.actors_of(step))
        present = set(everyone(scene.state, actors))
        scene.present = tuple(person for person in scene.state.persons if person in present)

    # ---- places ------------------------------------------------------------------------------------------------------
    def _enter(self, level: Literal["stage", "phase", "step"], place: str, title: str) -> bool:
        """Come to a place: interventions waiting there happen first. True when the run is to stop here."""
        entered = events.Entered(level=level, place=place, title=title)
        if self.scene.settings.until == place:
            self._waiting = entered
            return True
        self.scene.recorder.tell(entered)
        for intervention in self.scene.settings.interventions:
            if intervention.place == place:
                self._replace(intervention)
        return False

    def _replace(self, change: Intervention) -> None:
        scene, state = self.scene, self.scene.state
        document = scene.procedure.documents[change.document]
        held = [version for version in state.documents if version.document == change.document]
        authors = [version.person for version in held if not change.side or version.side == change.side]
        authors += [person.id for person in state.persons.values() if person.side == change.side]
        scene.drafted(next(iter((*authors, *state.persons))), document, change.text, "replaced")
        self._forget(f"{document.name}/{change.side or held[0].side}" if document.sided and held else document.name)

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
        nothing = plan.StepInfo("", "", "", (), None, Span("", 0, 0))
        return self.turns.requests.view(self.scene.state.persons[person], TurnSpec("", nothing))

    # ---- steps -------------------------------------------------------------------------------------------------------
    def steps(self, steps: tuple[plan.Step, ...]) -> Play:
        """Play steps in order until one of them ends something."""
        for step in steps:
            signal = yield from self._step(step)
            if signal:
                return signal
        return ""

    def _step(self, step: plan.Step) -> Play:
        scene, place = self.scene, self._place(step.info.id)
        if not holds(step.info.when, scene.now):
            scene.recorder.tell(events.Skipped(place=place, reason="condition"))
            return ""
        if self._enter("step", place, step.info.cue):
            return "pause"
        return (yield from self.verbs[type(step)](self, step))

    def _place(self, step: str) -> str:
        """Where a step is played: STAGE/PHASE/STEP, with its number from the second time on."""
        base = f"{self._base}/{step}"
        self._occurrences[base] = number = self._occurrences.get(base, 0) + 1
        return base if number == 1 else f"{base}#{number}"
