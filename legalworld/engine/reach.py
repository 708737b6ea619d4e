"""Tell whether a run can still come to the place where it is to stop, or can ever come there.

Both are reckoned generously: what some answer could bring about is possible. So what is said to be impossible is so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal

from ..model import plan
from ..model.actors import (
    Actor,
    ChosenIn,
    Fellows,
    FieldRef,
    LoopPerson,
    Opponents,
    Related,
    RoleHolders,
    Target,
    VotersOf,
)
from ..model.amendments import amending, is_given
from ..model.case import Case
from ..model.conditions import (
    AllOf,
    AlsoHolds,
    AnyOf,
    Condition,
    Given,
    HasValue,
    Measures,
    Negation,
    OptionIs,
    RoleAssigned,
    ValueIs,
)
from ..model.immutable import immutable
from ..model.procedure import EVENT_MARK, Interruption, Phase, Procedure, Stage, all_steps
from ..model.source import Span
from ..model.steps.for_each import ForEach
from ..model.steps.if_else import If
from ..model.steps.perform import Perform
from ..model.steps.reopen import Reopen
from .calendar import calendar_of
from .casting import cast, completed, first_holders
from .conditions import EvalContext, holds
from .settings import Settings
from .state import CaseState

Steps = tuple[plan.Step, ...]


@immutable
class Place:
    """A place of a procedure, taken apart: what is None is not part of it. `number`: which time of a step (1: first).

    `around`: the steps that enclose `step`, the outermost first; those of an event are enclosed by none of its phase.
    """

    stage: Stage
    phase: Phase | None = None
    event: Interruption | None = None
    step: plan.Step | None = None
    around: Steps = ()
    number: int = 1


def place_of(procedure: Procedure, word: str) -> Place | None:
    """The place that a word names; None where it names none, or what closes a phase or stage."""
    base, _, number = word.partition("#")
    times = int(number) if number.isdecimal() else 1
    for stage in procedure.stages:
        if base == stage.id:
            return Place(stage, number=times)
        for phase in stage.phases:
            home = f"{stage.id}/{phase.id}" if phase.id else stage.id
            if base == home:
                return Place(stage, phase, number=times)
            if not base.startswith(f"{home}/"):
                continue
            name = base.removeprefix(f"{home}/")
            for step, around in _nested(phase.steps):
                if step.info.id == name:
                    return Place(stage, phase, None, step, around, times)
            for event in procedure.interruptions:
                if name == f"{EVENT_MARK}{event.id}":
                    return Place(stage, phase, event, number=times)
                for step, around in _nested(event.steps):
                    if step.info.id == name and event.comes_in(stage.id, phase.id):
                        return Place(stage, phase, event, step, around, times)
    return None


def _nested(steps: Steps, around: Steps = ()) -> Iterator[tuple[plan.Step, Steps]]:
    for step in steps:
        yield step, around
        for block in step.blocks:
            yield from _nested(block, (*around, step))


def _comes_again(step: plan.Step) -> bool:
    """Whether what stands in a step may be gone through more than once."""
    return bool(step.blocks) and not isinstance(step, If | Perform)


# ---- while a run is played -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Frame:
    """Steps that are being played, and the number of the one where the walk is."""

    steps: Steps
    at: int = 0


@dataclass(slots=True)
class Reach:
    """Where a walk is on its way to a place. `stage`, `phase`: numbers of those that are being played, or are over;
    `playing`: the phases around, the innermost last; `frames`: the steps around, the outermost first."""

    procedure: Procedure
    goal: Place
    stage: int = -1
    phase: int = -1
    playing: list[Phase] = field(default_factory=list)
    frames: list[Frame] = field(default_factory=list)

    def begin(self, stage: Stage) -> None:
        """A stage begins, or is passed over."""
        self.stage, self.phase = self.procedure.stages.index(stage), -1

    def over(self) -> None:
        """The stage is over: no phase of it comes any more."""
        self.phase = len(self.procedure.stages[self.stage].phases)

    def possible(self, signal: str, destination: str, reopened: Mapping[str, int]) -> bool:
        """Whether the place may still come after what is over now. `signal`: what that left behind, with the
        `destination` of one that goes on; `reopened`: how often each step has reopened a phase."""
        aim = self.procedure.stages.index(self.goal.stage)
        landing = next((n for n, one in enumerate(self.procedure.stages) if one.id == destination), self.stage)
        if signal == "case" or self.stage > aim:
            return False
        if signal == "stage" or self.stage < aim:
            return self.stage < aim and landing <= aim
        phases = self.goal.stage.phases
        if self.goal.phase is None or landing != self.stage or self.phase >= len(phases):
            return False  # the stage is being played and was not stopped at, or is being left, or is over
        first = next((n for n, one in enumerate(phases) if destination and one.id == destination), self.phase + 1)
        if phases.index(self.goal.phase) >= first:
            return True
        if not signal and self.goal.event is not None and self.goal.phase in self.playing:
            return True  # an event may come as long as its phase lasts
        rest = () if signal else tuple(self._here())
        if self.goal.step is not None and any(step is self.goal.step for step in rest):
            return True
        later = (step for phase in phases[first:] for step in plan.walk(phase.steps))
        return self.goal.phase.id in self._reopening((*rest, *later), reopened)

    def _here(self) -> Iterator[plan.Step]:
        """The steps that may come in what is being played."""
        for frame in self.frames:
            yield from plan.walk(frame.steps[frame.at + 1 :])
            here = frame.steps[frame.at : frame.at + 1]
            if here and frame is not self.frames[-1] and _comes_again(here[0]):
                yield from plan.walk(here)

    def _reopening(self, rest: Iterable[plan.Step], reopened: Mapping[str, int]) -> set[str]:
        """The phases that may be reopened by these steps, and by those of the phases that they reopen."""
        found: set[str] = set()
        waiting = [*rest, *(step for event in self.procedure.interruptions for step in plan.walk(event.steps))]
        while waiting:
            step = waiting.pop()
            if isinstance(step, Reopen) and step.phase not in found and reopened.get(step.info.id, 0) < step.limit:
                found.add(step.phase)
                again = next((one for one in self.goal.stage.phases if one.id == step.phase), None)
                waiting += plan.walk(again.steps) if again is not None else ()
        return found


def reach_of(procedure: Procedure, word: str) -> Reach | None:
    """What tells of the way to a place; None where the word names none."""
    goal = place_of(procedure, word) if word else None
    return Reach(procedure, goal) if goal is not None else None


# ---- before a run is played ------------------------------------------------------------------------------------------


@immutable
class Never:
    """Why a run never comes to a place: `asked` (left out by the run), `condition` (of what is at `span`), or `once`
    (it comes once, and another time was named)."""

    why: Literal["asked", "condition", "once"]
    part: str
    span: Span


def never(procedure: Procedure, case: Case, settings: Settings, word: str) -> Never | None:
    """Why a run with these settings can never come to a place; None where it may, or where nobody can tell yet."""
    goal = place_of(procedure, word)
    if goal is None:
        return None
    decided = _Settled(procedure, case, settings)
    parts: list[tuple[str, Condition | None, Span]] = [(goal.stage.id, goal.stage.when, goal.stage.span)]
    if goal.phase is not None and goal.phase.id:
        parts.append((f"{goal.stage.id}/{goal.phase.id}", goal.phase.when, goal.phase.span))
    if goal.event is not None:
        parts.append((goal.event.id, goal.event.when, goal.event.span))
    for part, _, span in parts:
        if part in settings.skip:
            return Never("asked", part, span)
    for outer, inner in zip(goal.around, (*goal.around[1:], goal.step), strict=False):
        parts.append((outer.info.id, outer.info.when, outer.info.span))
        if isinstance(outer, If) and inner is not None:
            taken = any(step is inner for step in outer.body)
            parts.append((outer.info.id, outer.condition if taken else Negation(outer.condition), outer.info.span))
    if goal.step is not None:
        parts.append((goal.step.info.id, goal.step.info.when, goal.step.info.span))
    for part, when, span in parts:
        if when is not None and decided.value(when) is False:
            return Never("condition", part, span)
    return Never("once", word.partition("#")[0], parts[-1][2]) if goal.number > 1 and _once(procedure, goal) else None


def _once(procedure: Procedure, goal: Place) -> bool:
    """Whether a place comes at most once in a run."""
    if goal.event is not None:
        return False
    if goal.step is None:
        return True
    reopened = {step.phase for step in all_steps(procedure) if isinstance(step, Reopen)}
    return not any(map(_comes_again, goal.around)) and (goal.phase is None or goal.phase.id not in reopened)


class _Settled:
    """Conditions of which a run cannot change whether they hold."""

    def __init__(self, procedure: Procedure, case: Case, settings: Settings) -> None:
        self._procedure = procedure
        case = completed(procedure, case)
        persons = cast(procedure, case, settings.options)
        state = CaseState({one.id: one for one in persons}, first_holders(procedure, persons), settings.target)
        self._now = EvalContext(state, case, settings.options, calendar=calendar_of(procedure, case))
        self._target = settings.target
        self._assigned = {name for step in all_steps(procedure) for name in step.assigned_roles}
        self._variables = {step.variable for step in all_steps(procedure) if isinstance(step, ForEach)}
        self._assigned |= {role.id for role in procedure.roles.values() if role.assigned}

    def value(self, condition: Condition) -> bool | None:
        """Whether a condition holds all the time, or never; None where that is not settled."""
        match condition:
            case AllOf(parts):
                return self._together(parts, every=True)
            case AnyOf(parts):
                return self._together(parts, every=False)
            case Negation(part):
                inner = self.value(part)
                return None if inner is None else not inner
            case OptionIs() | Given():
                return holds(condition, self._now)
            case AlsoHolds(actor, other) if self._keeps(actor) and self._keeps(other):
                return holds(condition, self._now)
            case RoleAssigned(actor) if self._keeps(actor):
                return holds(condition, self._now)
            case ValueIs(where=where) | HasValue(where=where) if self._stands(where):
                return holds(condition, self._now)
            case Measures(left=left, right=right) if self._stands(left):
                fixed = not isinstance(right, FieldRef) or self._stands(right)
                return holds(condition, self._now) if fixed else None
            case _:
                return None

    def _together(self, parts: Iterable[Condition], *, every: bool) -> bool | None:
        """What holds of all (of any) of some conditions."""
        values = [self.value(part) for part in parts]
        if (not every) in values:
            return not every
        return None if None in values else every

    def _keeps(self, actor: Actor) -> bool:
        """Whether the same persons are meant all the time."""
        match actor:
            case RoleHolders(role):
                return role not in self._assigned
            case Target():
                return self._target not in self._assigned
            case Related(of=of) | Opponents(of=of) | Fellows(of=of):
                return self._keeps(of)
            case LoopPerson() | VotersOf() | ChosenIn():
                return False

    def _stands(self, where: FieldRef) -> bool:
        """Whether a reference is to a field of the case, of nobody or of persons who stay the same."""
        other = {*self._procedure.answers, *self._procedure.documents, *self._variables}
        other |= {field.amends for field in amending(self._procedure) if is_given(self._now.case, field)}
        is_field = where.name in self._procedure.fields and where.name not in other and not where.about
        return is_field and (where.of is None or self._keeps(where.of))
