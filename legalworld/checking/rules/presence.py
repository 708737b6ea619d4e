"""Rules about who is in the room: acting, hearing, coming in, and what is read out or shown later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ...language import diagnose
from ...model import plan, step_facts
from ...model import procedure as p
from ...model.actors import Actor, ChosenIn, Fellows, LoopPerson, Opponents, Related, RoleHolders, Room
from ...model.conditions import AllOf, AnyOf, Attends, Condition, Negation
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.source import Span
from ...model.steps.converse import Converse
from ...model.steps.if_else import If
from ...model.steps.move import Move
from ...model.steps.read_out import ReadMinutes
from ..actor_words import arguments, worded, written_at
from ..cast import Cast
from ..template_readers import CheckContext

Rooms = tuple[Room, ...]


@immutable
class Placed:
    """A step, what is said of the room around it and on it, and the stage that it stands in.

    `absent`: those who left before it in every case, or of whom a condition around it says that they are not there, if
    they have not come in since; `here`: those who came in before it in every case, and have not left since;
    `conditions`: those of the steps around it and its own.
    """

    step: plan.Step
    rooms: Rooms
    stage: p.Stage
    absent: tuple[Actor, ...]
    here: tuple[Actor, ...] = ()
    conditions: tuple[Condition, ...] = ()


def placed_steps(context: CheckContext) -> Iterator[Placed]:
    """Every step with the rooms of its phase and of the steps around it, outer before inner, in order."""
    events = (step for event in context.procedure.interruptions for step in plan.walk(event.steps))
    moving = {actor for step in events for actor in step.moved_actors}  # an event may bring them back
    for stage in context.procedure.stages:
        for phase in stage.phases:
            rooms = (phase.room,) if phase.room is not None else ()
            for steps, around in ((phase.steps, rooms), (phase.closing, ())):
                for placed in _below(steps, Placed(steps[0], around, stage, ())) if steps else ():
                    absent = tuple(actor for actor in placed.absent if actor not in moving)
                    yield replace(placed, absent=absent, here=tuple(a for a in placed.here if a not in moving))


def _below(steps: Iterable[plan.Step], around: Placed) -> Iterator[Placed]:
    absent, here = around.absent, around.here
    for step in steps:
        rooms = (*around.rooms, step.info.room) if step.info.room is not None else around.rooms
        own = (step.info.when, *((step.condition,) if isinstance(step, If) else ()))
        conditions = (*around.conditions, *(condition for condition in own if condition is not None))
        placed = Placed(step, rooms, around.stage, absent, here, conditions)
        yield placed
        for number, block in enumerate(step.blocks):
            missing = tuple(_missing(step.condition, number == 0)) if isinstance(step, If) else ()
            yield from _below(block, replace(placed, absent=(*absent, *missing)))
        moved = {actor for one in plan.walk((step,)) for actor in one.moved_actors}
        moves = step.actors if isinstance(step, Move) and step.info.when is None else ()
        inwards = isinstance(step, Move) and step.inwards
        absent = (*(actor for actor in absent if actor not in moved), *(() if inwards else moves))
        here = (*(actor for actor in here if actor not in moved), *(moves if inwards else ()))


def _missing(condition: Condition, holds: bool) -> Iterator[Actor]:
    """Those who are not there wherever a condition holds, or wherever it does not."""
    match condition:
        case Attends(actor, how) if (how == "present") != holds:
            yield actor
        case Negation(part):
            yield from _missing(part, not holds)
        case AllOf(parts) if holds:
            for part in parts:
                yield from _missing(part, holds)
        case AnyOf(parts) if not holds:
            for part in parts:
                yield from _missing(part, holds)
        case _:
            return


@dataclass(slots=True)
class Casts:
    """Who may be who when a step is come to; empty where no case comes to it."""

    context: CheckContext
    by_step: dict[int, list[Cast]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for visit, step in self.context.step_visits:
            if visit.stopped is None:
                self.by_step.setdefault(id(step), []).append(visit.cast)

    def of(self, step: plan.Step) -> list[Cast]:
        return self.by_step.get(id(step), [])


def _whole(actor: Actor) -> bool:
    """Whether an actor means all persons of his roles, so that none of them is left; whom a loop has come to decides
    that where he rests on one (`opponent of one`)."""
    match actor:
        case Fellows() | LoopPerson() | ChosenIn():
            return False
        case Related(of=of) | Opponents(of=of):
            return _whole(of)
        case _:
            return True


def _shut_out(actor: Actor, rooms: Rooms, cast: Cast) -> bool:
    """Whether all whom an actor may mean are kept out by what is said of the room."""
    shut = False
    for room in rooms:
        if room.present:
            shut = shut and not cast.of(actor) & cast.all(room.present)
        closed = cast.all(one for one in room.closed_to if _whole(one))
        shut = shut or actor in room.closed_to or (bool(cast.of(actor)) and cast.of(actor) <= closed)
    return shut


def kept_out_actors(context: CheckContext) -> Iterator[Diagnostic]:
    """LW470: who is to act in a step, or oversees it, is not in the room in any case.

    The step is closed to him, he waits outside, or a condition around it says that he is absent.
    """
    casts = Casts(context)
    entered: set[str] = set()
    one_by_one: set[Actor] = set()
    stage: p.Stage | None = None
    told: set[tuple[Span, str]] = set()
    for placed in placed_steps(context):
        if placed.stage is not stage:
            stage, entered, one_by_one = placed.stage, set(), _one_by_one(placed.stage)
        step = placed.step
        found = casts.of(step)
        for actor in step_facts.actors_of(step) if step.needs_presence and found else ():
            outside = actor not in one_by_one
            waits = all(cast.of(actor) and cast.of(actor) <= cast.all(stage.closed_to) - entered for cast in found)
            shut = all(_shut_out(actor, placed.rooms, cast) for cast in found)
            at = written_at(actor, step.info.span)
            if ((waits and outside) or shut or actor in placed.absent) and (at, worded(actor)) not in told:
                told.add((at, worded(actor)))
                where = placed.rooms[-1].span if shut and placed.rooms else stage.span
                yield diagnose.kept_out_actor(at, actor=worded(actor), also=(where, *arguments(actor)))
        stays = [actor for actor in step.moved_actors if actor not in one_by_one]
        entered |= {role for cast in found for role in cast.all(stays)}


def _one_by_one(stage: p.Stage) -> set[Actor]:
    """Those whom a loop calls in one after the other, each leaving again: no two of them are in the room together."""
    moves = [(step.inwards, actor) for step in p.steps_of(stage) if isinstance(step, Move) for actor in step.actors]
    persons = {actor for _, actor in moves if isinstance(actor, LoopPerson)}
    return {actor for actor in persons if moves.count((True, actor)) == moves.count((False, actor))}


def empty_rooms(context: CheckContext) -> Iterator[Diagnostic]:
    """LW471: nobody is left in the room, or nobody hears."""
    casts = Casts(context)
    told: set[Span] = set()
    for placed in placed_steps(context):
        room = placed.rooms[-1] if placed.rooms else None
        found = casts.of(placed.step)
        if room is None or room.span in told or not found:
            continue
        for key, actors in (("present", room.present), ("heard by", room.heard_by)):
            if actors and all(_nobody(actors, placed, cast) for cast in found):
                told.add(room.span)
                yield diagnose.empty_room(written_at(actors[0], room.span), key=key)


def _nobody(actors: tuple[Actor, ...], placed: Placed, cast: Cast) -> bool:
    """Whether nobody of some actors is in the room; a role that the linker has reported counts as somebody."""
    out = (RoleHolders(""), *placed.absent)
    return all(actor in out or _shut_out(actor, placed.rooms, cast) for actor in actors)


def needless_entrances(context: CheckContext) -> Iterator[Diagnostic]:
    """LW473: somebody enters who is there: he has not left, does not wait outside, and is never absent."""
    casts = Casts(context)
    out: set[str] = set()
    stage: p.Stage | None = None
    told: set[Span] = set()
    roles = context.procedure.roles.values()
    for placed in placed_steps(context):
        if placed.stage is not stage:
            stage, out = placed.stage, {role.id for role in roles if role.absence is not None}
        step, found = placed.step, casts.of(placed.step)
        inwards = getattr(step, "inwards", False)
        for actor in step.moved_actors if found and inwards else ():
            there = all(_is_there(actor, stage, cast, out) for cast in found)
            if there and step.info.span not in told:
                told.add(step.info.span)
                at = written_at(actor, step.info.span)
                yield diagnose.needless_entrance(at, actor=worded(actor), also=arguments(actor))
        if not inwards:
            out |= {role for cast in found for role in cast.all(step.moved_actors)}


def _is_there(actor: Actor, stage: p.Stage, cast: Cast, out: set[str]) -> bool:
    """Whether all whom an actor means are in the room, as far as the stage says and nobody has left."""
    meant = cast.of(actor)
    listed = not stage.present or meant <= cast.all(stage.present)
    return bool(meant) and listed and meant.isdisjoint(cast.all(stage.closed_to)) and meant.isdisjoint(out)


def acting(stage: p.Stage) -> Iterator[Actor]:
    """Find who is in the room of a stage that does not say who is."""
    steps = (step for phase in stage.phases for step in p.steps_in(phase))
    return (actor for step in steps for actor in step_facts.actors_of(step))


def overheard_talks(context: CheckContext) -> Iterator[Diagnostic]:
    """LW476: the other side hears the talk of people who belong together, and nothing says that it is to hear it."""
    casts = Casts(context)
    sides = {role.id: role.side for role in context.procedure.roles.values()}
    for placed in placed_steps(context):
        step, stage = placed.step, placed.stage
        if not isinstance(step, Converse) or placed.rooms:
            continue
        overhearing: set[str] = set()
        for cast in casts.of(step):
            talking = {sides[role] for role in cast.all(step.all_speakers)}
            named = stage.present or tuple(acting(stage))
            room = cast.all(named) - cast.all(stage.closed_to)
            if len(talking) == 1 and "" not in talking:
                overhearing |= {role for role in room if sides[role] not in {*talking, ""}}
        if overhearing:
            others = tuple(sorted(overhearing))
            names = ", ".join(map(worded, step.all_speakers))
            yield diagnose.overheard_talk(step.info.span, others=others, names=names, also=(stage.span,))


# ---- read out, shown later -------------------------------------------------------------------------------------------
def unread_phases(context: CheckContext) -> Iterator[Diagnostic]:
    """LW472, LW474: a phase is read out that is not over, or that is off the record for all who are to hear it."""
    told: set[Span] = set()
    for visit, step in context.step_visits:
        if not isinstance(step, ReadMinutes) or step.phase_span in told:
            continue
        told.add(step.phase_span)
        stage = context.procedure.stages[visit.stage]
        earlier = _earlier(stage, step)
        phase = earlier.get(step.phase)
        if phase is None:
            yield diagnose.unread_phase(step.phase_span, name=step.phase, known=tuple(earlier))
            continue
        off = phase.off_record
        shut = visit.cast.all(off.actors) if off is not None and off.condition is None else frozenset[str]()
        listeners = visit.cast.all(step.to)
        if listeners and listeners <= shut and visit.stopped is None:
            actors = ", ".join(map(worded, step.to))
            yield diagnose.nothing_to_read(step.phase_span, name=step.phase, actor=actors, also=(phase.span,))


def _earlier(stage: p.Stage, step: plan.Step) -> dict[str, p.Phase]:
    """The phases before the one that holds a step."""
    earlier: dict[str, p.Phase] = {}
    for phase in stage.phases:
        if any(one is step for one in p.steps_in(phase)):
            return earlier
        if phase.id:
            earlier[phase.id] = phase
    return earlier


def later_minutes(context: CheckContext) -> Iterator[Diagnostic]:
    """LW475: a cell grants the minutes of a stage in stages that do not come after it."""
    numbers = {stage.id: number for number, stage in enumerate(context.procedure.stages)}
    cells: dict[Span, list[p.Grant]] = {}
    for grant in context.procedure.grants:
        if grant.whose == "minutes" and grant.what in numbers:
            cells.setdefault(grant.span, []).append(grant)
    for span, grants in cells.items():
        name = grants[0].what
        early = tuple(dict.fromkeys(g.stage for g in grants if numbers.get(g.stage, 0) <= numbers[name]))
        if early:
            yield diagnose.later_minutes(span, name=name, stages=early, also=(context.stages[name].span,))


RULES = (kept_out_actors, empty_rooms, needless_entrances, overheard_talks, unread_phases, later_minutes)
