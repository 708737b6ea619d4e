"""Rules about coming and going: who is let in unawares, what is asked of it in vain, who is sent out in vain."""

from __future__ import annotations

from collections.abc import Iterator

from ...language import diagnose
from ...model import plan, step_facts
from ...model import procedure as p
from ...model.actors import Actor, LoopPerson
from ...model.conditions import Attends, Condition, Negation, leaves
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from ...model.steps.if_else import If
from ...model.steps.move import Move
from ..actor_words import arguments, worded, written_at
from ..cast import Cast
from ..template_readers import CheckContext, read_by
from .presence import Casts, acting, placed_steps


def let_in_unawares(context: CheckContext) -> Iterator[Diagnostic]:
    """LW770: who is called in from outside may be one who does not come to this stage at all, and he comes in, too."""
    casts = Casts(context)
    told: set[Span] = set()
    roles = context.procedure.roles
    for placed in placed_steps(context):
        step = placed.step
        if not (isinstance(step, Move) and step.inwards) or step.info.span in told:
            continue
        outside = (*placed.stage.closed_to, *_left(placed.stage))
        for actor in step.actors:
            meant = {role for cast in casts.of(step) for role in cast.of(actor) & cast.all(outside)}
            away = [roles[name] for name in sorted(meant) if may_be_absent(roles[name], placed.stage)]
            if away and not any(_asks(condition, actor, away) for condition in placed.conditions):
                told.add(step.info.span)
                at, also = written_at(actor, step.info.span), (away[0].span, *arguments(actor))
                yield diagnose.let_in_unawares(at, actor=worded(actor), also=also)
                break


def _left(stage: p.Stage) -> tuple[Actor, ...]:
    """Those who leave at some place of a stage."""
    moves = (step for step in p.steps_of(stage) if isinstance(step, Move) and not step.inwards)
    return tuple(actor for step in moves for actor in step.actors)


def may_be_absent(role: p.Role, stage: p.Stage) -> bool:
    return role.absence is not None and (not role.absence.stages or stage.id in role.absence.stages)


def _asks(condition: Condition, actor: Actor, away: list[p.Role]) -> bool:
    """Whether a condition asks of one person if he is there, or looks at what his absence goes by."""
    rules = [role.absence.condition for role in away if role.absence is not None]
    by = {read.name for rule in rules for leaf in leaves(rule) for read in read_by(leaf)}
    meant = [actor] if not any(role.each for role in away) else []
    if isinstance(actor, LoopPerson):
        by, meant = by | {actor.variable}, [actor]
    for leaf in leaves(condition):
        asked = isinstance(leaf, Attends) and leaf.how != "left" and leaf.actor in meant
        if asked or any(read.name in by for read in read_by(leaf)):
            return True
    return False


def vain_attendance(context: CheckContext) -> Iterator[Diagnostic]:
    """LW771: it is asked whether somebody is absent, or has left, who has just come in, or there who has just left."""
    casts = Casts(context)
    told: set[Span] = set()
    for placed in placed_steps(context):
        step = placed.step
        if not casts.of(step) or step.info.span in told:
            continue
        for leaf in _own_leaves(step):
            if leaf.actor in (placed.absent if leaf.how == "present" else placed.here):
                told.add(step.info.span)
                at = written_at(leaf.actor, step.info.span)
                yield diagnose.vain_attendance(at, actor=worded(leaf.actor), also=arguments(leaf.actor))
                break


def _own_leaves(step: plan.Step) -> Iterator[Attends]:
    """What a step asks of attendance, by its own conditions; of who is not there, that he is absent."""
    for condition in _own_conditions(step):
        match condition:
            case Attends():
                yield condition
            case Negation(Attends(actor, "present")):
                yield Attends(actor, "absent")
            case _:
                continue


def _own_conditions(step: plan.Step) -> tuple[Condition | None, ...]:
    return step.info.when, step.condition if isinstance(step, If) else None


def never_away(context: CheckContext) -> Iterator[Diagnostic]:
    """LW422: it is asked whether somebody is absent who comes to the stage in every case.

    LW423: it is asked whether somebody has left whom nothing lets leave.
    """
    casts = Casts(context)
    told: dict[Span, tuple[Attends, bool]] = {}
    events = [step for event in context.procedure.interruptions for step in plan.walk(event.steps)]
    for placed in placed_steps(context):
        for leaf in (one for own in _own_conditions(placed.step) for one in leaves(own) if isinstance(one, Attends)):
            steps = (*p.steps_of(placed.stage), *events)
            may = any(_may_be_away(context, leaf, placed.stage, steps, cast) for cast in casts.of(placed.step))
            at = written_at(leaf.actor, placed.step.info.span)
            if casts.of(placed.step) and leaf.how != "present":
                told[at] = (leaf, may or told.get(at, (leaf, False))[1])
    for at, (leaf, may) in told.items():
        if not may:
            problem = diagnose.never_absent if leaf.how == "absent" else diagnose.never_leaves
            yield problem(at, actor=worded(leaf.actor), also=arguments(leaf.actor))


def _may_be_away(
    context: CheckContext, leaf: Attends, stage: p.Stage, steps: tuple[plan.Step, ...], cast: Cast
) -> bool:
    """Whether those meant may be away in the way that is asked: by what their roles say, or by leaving."""
    meant = cast.of(leaf.actor)
    if cast.unknown(leaf.actor) or not meant:
        return True
    if leaf.how == "absent":
        offices = (role for role in context.procedure.roles.values() if role.assigned)
        return any(may_be_absent(role, stage) for role in (*(context.procedure.roles[one] for one in meant), *offices))
    going = [one for step in steps if isinstance(step, Move) and not step.inwards for one in step.actors]
    return any(cast.unknown(one) or not cast.of(one) or cast.of(one) & meant for one in going)


def not_in_the_room(context: CheckContext) -> Iterator[Diagnostic]:
    """LW772: somebody is sent out of a phase or step who is not in the room of this stage anyway.

    LW580: somebody is to hear a part of it who is not.
    """
    casts, joining = Casts(context), _joining(context)
    of_stage: dict[str, tuple[Actor, ...]] = {}
    sent_out: dict[tuple[Span, str], bool] = {}
    hearing: dict[tuple[Span, str], bool] = {}
    for placed in placed_steps(context):
        if not placed.rooms:
            continue
        if placed.stage.id not in of_stage:  # as long as the stage: not to be asked for each of its steps
            of_stage[placed.stage.id] = _in_stage(placed.stage)
        around = (actor for one in placed.rooms for actor in one.present)
        stage, found = (*of_stage[placed.stage.id], *around), casts.of(placed.step)
        for room in placed.rooms:
            for actors, there, who in (
                (room.closed_to, sent_out, (*stage, *joining)),
                (room.heard_by, hearing, stage),
            ):
                for actor in actors:
                    key = (written_at(actor, room.span), worded(actor))
                    there[key] = there.get(key, False) or any(
                        cast.unknown(actor) or not cast.of(actor) or cast.of(actor) & cast.all(who) for cast in found
                    )
    yield from (diagnose.sent_out_in_vain(span, actor=name) for (span, name), known in sent_out.items() if not known)
    yield from (diagnose.hears_this_alone(span, actor=name) for (span, name), known in hearing.items() if not known)


def _in_stage(stage: p.Stage) -> tuple[Actor, ...]:
    """Find whoever may be in the room of a stage: those of the stage, and those who come in."""
    moved = (actor for step in p.steps_of(stage) for actor in step.moved_actors)
    return tuple(dict.fromkeys((*(stage.present or acting(stage)), *moved)))


def _joining(context: CheckContext) -> tuple[Actor, ...]:
    """Those of events, who come in with them."""
    events = (step for event in context.procedure.interruptions for step in plan.walk(event.steps))
    return tuple(actor for step in events for actor in step_facts.actors_of(step))


RULES = (let_in_unawares, vain_attendance, never_away, not_in_the_room)
