"""A procedure walked through without a case: who may act at every step, what exists by then, what is never reached.

Everything is reckoned generously: a role that some case could give somebody is held, a condition that some case could
meet is open. So what is said to be impossible is so in every case.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final, assert_never

from ..model import plan, step_facts
from ..model import procedure as p
from ..model.actors import Actor, FieldRef, RoleHolders
from ..model.calendar import DateIs
from ..model.conditions import (
    AllOf,
    AlsoHolds,
    Answered,
    AnyOf,
    Attends,
    Condition,
    Given,
    HasValue,
    Measures,
    Negation,
    OptionIs,
    RoleAssigned,
    SameAnswers,
    TokenSaid,
    ValueIs,
)
from ..model.immutable import immutable
from ..model.source import Span
from ..model.steps.end import End
from ..model.steps.for_each import ForEach
from ..model.steps.go_on import Continue
from ..model.steps.if_else import If
from ..model.steps.perform import Perform
from ..model.steps.reopen import Reopen
from ..model.steps.repeat import Repeat
from .cast import NOBODY, Cast, reachable_holders

Outcomes = frozenset[str]
_ON: Final[Outcomes] = frozenset({"next"})


@immutable
class LoopRecord:
    """The record that a loop has in hand: of which field or answer, of which sides, and whether it was presented.

    `deep`: it stands below a record of the field, with keys of its own. `persons`: the first roles of the persons whose
    records they are, where the loop goes through persons.
    """

    field: str
    sides: frozenset[str]
    deep: bool
    presented: bool = False
    persons: frozenset[str] = NOBODY


@immutable
class Visit:
    """One coming to a stage, phase, step or event. `when` is its own condition.

    `stage`: its number; `phase`: id of the phase as templates see it; `over`: phases that are over in every case;
    `made`: documents and answers that may exist; `loop_record`: None outside of all loops over records; `loop_records`:
    of all loops around, by their variables.
    `stopped`: what keeps the procedure from coming here, else None.
    """

    what: p.Stage | p.Phase | p.Interruption | plan.Step
    span: Span
    when: Condition | None
    cast: Cast
    made: frozenset[str]
    stage: int
    phase: str
    over: frozenset[str]
    loop_record: LoopRecord | None
    stopped: Span | None
    loop_records: Mapping[str, LoopRecord]


def walk_procedure(procedure: p.Procedure) -> tuple[Visit, ...]:
    """All visits, once for each role that may be under test."""
    targets = [name for name in procedure.targets if name in procedure.roles] or [""]
    return tuple(visit for target in targets for visit in _AbstractWalk(procedure, target).visits())


class _AbstractWalk:
    """One walk through all stages with one role under test."""

    def __init__(self, procedure: p.Procedure, target: str) -> None:
        self.procedure = procedure
        self.target = target
        self.found: list[Visit] = []
        self.holders_by_role = reachable_holders(procedure, target)
        self.casts: dict[tuple[frozenset[str], frozenset[str]], Cast] = {}
        self.held: frozenset[str] = frozenset()
        self.surely_held: frozenset[str] = frozenset()
        self.made: frozenset[str] = frozenset()
        self.stage, self.phase, self.over = 0, "", frozenset[str]()
        self.loop_records: dict[str, LoopRecord] = {}
        self.presented: frozenset[LoopRecord] = frozenset()
        self.ended: Span | None = None
        self.onward: dict[
            str, tuple[frozenset[str], frozenset[str]]
        ] = {}  # destination -> what holds on every way there
        between = tuple(step for event in procedure.interruptions for step in plan.walk(event.steps))
        self.unsure = frozenset(role for step in between for role in step.assigned_roles)

    @property
    def cast(self) -> Cast:
        key = self.held, self.surely_held - self.unsure
        cast = self.casts.get(key)
        if cast is None:
            cast = self.casts[key] = Cast(self.procedure, self.target, self.holders_by_role, *key)
        return cast

    def visits(self) -> list[Visit]:
        outcomes = _ON
        for number, stage in enumerate(self.procedure.stages):
            outcomes = self._arrived(stage.id, outcomes)
            self.stage, self.phase, self.over = number, "", frozenset()  # a phase elsewhere may bear the same name
            stop = None if "next" in outcomes else self.ended
            result = self._stage(stage, stop)
            if stop is None:
                outcomes = result
        return self.found

    def _arrived(self, name: str, outcomes: Outcomes) -> Outcomes:
        """The outcomes where those meet who come here by `continue with` and those who come one by one."""
        if (way := _to(name)) not in outcomes:
            return outcomes
        over, surely_held = self.onward[name]
        alone = "next" not in outcomes
        self.over = over if alone else self.over & over
        self.surely_held = surely_held if alone else self.surely_held & surely_held
        return (outcomes - {way}) | _ON

    def _visit(
        self, what: p.Stage | p.Phase | p.Interruption | plan.Step, stop: Span | None
    ) -> tuple[Span | None, bool | None]:
        """Note a visit. Returns what stops it, and whether its own condition holds."""
        info = what.info if isinstance(what, plan.Step) else what
        when, span = info.when, info.span
        truth = holds(when, self.cast, self.made) if stop is None else None
        if truth is False:
            stop = span
        where = (self.stage, self.phase, self.over)
        loop_record = self._loop_record(what.loop_variable if isinstance(what, plan.Step) else "")
        if loop_record is not None:
            loop_record = replace(loop_record, presented=loop_record in self.presented)
        self.found.append(Visit(what, span, when, self.cast, self.made, *where, loop_record, stop, self.loop_records))
        return stop, truth

    def _stage(self, stage: p.Stage, stop: Span | None) -> Outcomes:
        stop, truth = self._visit(stage, stop)
        outcomes, before = _ON, self.surely_held
        for phase in stage.phases:
            outcomes = self._arrived(phase.id, outcomes) if phase.id else outcomes
            inner = stop if "next" in outcomes else stop or self.ended
            self.phase = phase.id or self.phase
            result = self._phase(phase, inner)
            if inner is None:
                outcomes = (outcomes - _ON) | result
            if phase.when is None:
                self.over |= {phase.id}
        self.phase, self.over = "", frozenset()  # a stage that was ended early has its closing too
        self._block(stage.closing, stop)
        if "stage" in outcomes or truth is not True:
            outcomes |= _ON
            self.surely_held = before
        return outcomes - {"stage"}

    def _phase(self, phase: p.Phase, stop: Span | None) -> Outcomes:
        stop, truth = self._visit(phase, stop)
        surely_held = self.surely_held
        outcomes = self._block_with_events(phase, phase.steps, stop)
        before, self.over = self.over, self.over | {phase.id}
        closing = stop if "next" in outcomes else stop or self.ended
        result = self._block(phase.closing, closing)
        if closing is None:
            outcomes = (outcomes - _ON) | result
        self.over = before
        if truth is not True:
            self.surely_held = surely_held
        return outcomes if truth is True else outcomes | _ON

    def _block_with_events(self, phase: p.Phase, steps: tuple[plan.Step, ...], stop: Span | None) -> Outcomes:
        """Steps between which the events of a phase may come: what these bring about may be there from the first step
        on, and they find whatever the steps may have brought about by the last."""
        stage, first = self.procedure.stages[self.stage], len(self.found)
        events = [event for event in self.procedure.interruptions if event.comes_in(stage.id, phase.id)]
        for event in events:
            self._gain(plan.walk(event.steps), stop)
        outcomes = self._block(steps, stop)
        surely_held, loop_records, self.loop_records = self.surely_held, self.loop_records, {}
        while coming := [event for event in events if self._can_come(event, first)]:
            events.remove(coming[0])
            self._visit(coming[0], stop)
            self.surely_held = NOBODY
            outcomes |= self._block(coming[0].steps, stop) - _ON
        self.surely_held, self.loop_records = surely_held, loop_records
        return outcomes

    def _can_come(self, event: p.Interruption, first: int) -> bool:
        """Whether an event can come in this phase: its conditions may hold, and one who may raise it speaks."""
        if holds(event.when, self.cast, self.made) is False:
            return False
        if event.whenever is not None:
            return holds(event.whenever, self.cast, self.made) is not False
        raisers = self.cast.all(event.raisers)
        return any(
            not raisers.isdisjoint(visit.cast.all(slot.actors))
            for visit in self.found[first:]
            if visit.stopped is None and isinstance(visit.what, plan.Step)
            for slot in visit.what.turn_slots
            if slot.aloud
        )

    def _block(self, steps: tuple[plan.Step, ...], stop: Span | None) -> Outcomes:
        outcomes = _ON
        for step in steps:
            inner = stop if "next" in outcomes else stop or self.ended
            result = self._step(step, inner)
            if inner is None:
                outcomes = (outcomes - _ON) | result
        return outcomes

    def _step(self, step: plan.Step, stop: Span | None) -> Outcomes:
        stop, truth = self._visit(step, stop)
        surely_held = self.surely_held
        outcomes = self._play(step, stop)
        if truth is True and stop is None:
            return outcomes
        self.surely_held = surely_held
        return outcomes | _ON

    def _play(self, step: plan.Step, stop: Span | None) -> Outcomes:
        match step:
            case If():
                return self._if(step, stop)
            case ForEach(body=body):
                self._gain(plan.walk(body), stop)
                before, self.loop_records = self.loop_records, {**self.loop_records, step.variable: self._taken(step)}
                surely_held = self.surely_held
                outcomes = self._block(body, stop) | _ON
                self.loop_records, self.surely_held = before, surely_held
                return outcomes
            case Perform(body=body):
                return self._block(body, stop)
            case Repeat(body=body):
                self._gain(plan.walk(body), stop)
                return self._block(body, stop)
            case Reopen():
                return self._reopen(step, stop)
            case End(info=info, what=what):
                if stop is None:
                    self.ended = info.span
                return frozenset({what})
            case Continue(info=info, destination=destination):
                if stop is not None:
                    return _ON
                self.ended = info.span
                over, held = self.onward.get(destination, (self.over | {self.phase}, self.surely_held))
                self.onward[destination] = (over & (self.over | {self.phase}), held & self.surely_held)
                return frozenset({_to(destination)})
            case _:
                self._gain((step,), stop)
                if step.presents_record and stop is None:
                    record = self._loop_record(step.loop_variable)
                    self.presented |= {record} if record is not None else frozenset()
                return _ON

    def _reopen(self, step: Reopen, stop: Span | None) -> Outcomes:
        """An earlier phase once more; by its limit it may be left out."""
        phases = self.procedure.stages[self.stage].phases
        earlier = next((phase for phase in phases if phase.id == step.phase), None)
        if earlier is None or step.phase == self.phase:
            return _ON
        before, surely_held = (self.phase, self.loop_records), self.surely_held
        self.phase, self.loop_records = earlier.id, {}
        outcomes = self._block_with_events(earlier, (*earlier.steps, *earlier.closing), stop)
        self.phase, self.loop_records = before
        self.surely_held &= surely_held
        return outcomes | _ON

    def _if(self, step: If, stop: Span | None) -> Outcomes:
        truth = holds(step.condition, self.cast, self.made) if stop is None else None
        span = step.info.span
        before, surely_held = (self.held, self.made), self.surely_held
        here, elsewhere = (
            surely_held | _asserted(step.condition),
            surely_held | _asserted(Negation(step.condition)),
        )
        self.surely_held = here
        outcomes = self._block(step.body, stop or (span if truth is False else None))
        after, (self.held, self.made), self.surely_held = (self.held, self.made), before, elsewhere
        otherwise = self._block(step.otherwise, stop or (span if truth is True else None))
        self.held, self.made = self.held | after[0], self.made | after[1]
        self.surely_held = elsewhere if "next" not in outcomes else here if "next" not in otherwise else surely_held
        if truth is None:
            return outcomes | otherwise
        return outcomes if truth else otherwise

    def _gain(self, steps: Iterable[plan.Step], stop: Span | None) -> None:
        """What these steps may bring about: in a loop also for the steps before them, in its next round."""
        if stop is not None:
            return
        for step in steps:
            self.held |= frozenset(step.assigned_roles)
            self.surely_held -= frozenset(step.assigned_roles)
            self.made |= frozenset(step_facts.makes(step))

    def _loop_record(self, variable: str) -> LoopRecord | None:
        """The record that a loop variable stands for; that of the innermost loop when none is named."""
        return self.loop_records.get(variable, next(reversed(self.loop_records.values()), None))

    def _taken(self, step: ForEach) -> LoopRecord:
        """What a loop takes in hand, record by record."""
        roles, within = self.procedure.roles, step.within
        if within is None:
            those = sorted(self.cast.all(step.persons))
            each = {roles[role].each for role in those}
            sides = frozenset(roles[role].side for role in those)
            return LoopRecord(min(each, default=""), sides, len(each) > 1, persons=frozenset(those))
        if within.name in self.loop_records:
            return replace(self.loop_records[within.name], deep=True)
        sides = frozenset(self.procedure.sides)
        if within.of is not None:
            sides = frozenset(roles[role].side for role in self.cast.of(within.of))
        return LoopRecord(within.name, sides, bool(within.path))


def _to(destination: str) -> str:
    """The outcome that the procedure continues with a phase or a stage."""
    return f"to {destination}"


# ---- conditions ------------------------------------------------------------------------------------------------------


def holds(condition: Condition | None, cast: Cast, made: frozenset[str]) -> bool | None:
    """Whether a condition holds in every case (True), in none (False), or as the case may be (None)."""
    match condition:
        case None:
            return True
        case AllOf(parts):
            return _every([holds(part, cast, made) for part in parts])
        case AnyOf(parts):
            found = _every([_not(holds(part, cast, made)) for part in parts])
            return _not(found)
        case Negation(part):
            return _not(holds(part, cast, made))
        case Answered(answer=where) | SameAnswers(answer=where):
            return _read(where, cast, made)
        case AlsoHolds(actor, other):
            return _holds(cast, actor, other)
        case RoleAssigned(RoleHolders(role)) if role in cast.surely_held:
            return True
        case RoleAssigned(actor):
            return None if cast.of(actor) or cast.unknown(actor) else False
        case ValueIs(where=where) | HasValue(where=where):
            return _read(where, cast, made)
        case Measures(left, _, right):
            both = [_read(where, cast, made) for where in (left, right) if isinstance(where, FieldRef)]
            return False if False in both else None
        case TokenSaid() | OptionIs() | Attends() | Given() | DateIs():
            return None  # a part may be given something else elsewhere
        case _:
            assert_never(condition)


def _asserted(condition: Condition) -> frozenset[str]:
    """The roles that somebody holds wherever a condition holds."""
    match condition:
        case RoleAssigned(RoleHolders(role)) | Negation(Negation(RoleAssigned(RoleHolders(role)))):
            return frozenset({role})
        case AllOf(parts):
            return frozenset().union(*map(_asserted, parts))
        case _:
            return NOBODY


def _not(truth: bool | None) -> bool | None:
    return None if truth is None else not truth


def _every(parts: list[bool | None]) -> bool | None:
    if False in parts:
        return False
    return None if None in parts else True


def _holds(cast: Cast, actor: Actor, other: Actor) -> bool | None:
    if cast.unknown(actor) or cast.unknown(other):
        return None
    if cast.of(actor).isdisjoint(cast.of(other)):
        return False
    role = cast.certain(actor)
    return True if role and role == cast.certain(other) else None


def _read(where: FieldRef, cast: Cast, made: frozenset[str]) -> bool | None:
    """None where a value may stand at a reference; False where nothing has brought it about yet."""
    known = where.name in cast.procedure.answers or where.name in cast.procedure.documents
    return False if known and where.name not in made else None
