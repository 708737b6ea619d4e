"""Rules about events: who can raise them, with which token, what they bring about, and where the procedure goes on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ...language import diagnose
from ...model import plan, step_facts
from ...model import procedure as p
from ...model.actors import Actor, FieldRef
from ...model.conditions import Answered, Condition, HasValue, Measures, ValueIs, leaves
from ...model.diagnostics import Diagnostic
from ...model.source import Span, place_of
from ...model.steps.go_on import Continue
from ..abstract_walk import Visit
from ..actor_words import worded, written_at
from ..template_readers import CheckContext
from .steps import meant

_COLON: Final = re.compile("[:\uff1a]")


def unraisable(context: CheckContext) -> Iterator[Diagnostic]:
    """LW382: an event that comes in no case."""
    come = {visit.span for visit in context.visits if isinstance(visit.what, p.Interruption) and visit.stopped is None}
    stages = {stage.id for stage in context.procedure.stages}
    for event in context.procedure.interruptions:
        misplaced = any(stage not in stages for stage, _ in event.during)
        if event.span not in come and not misplaced and (event.raised or event.whenever is not None):
            yield diagnose.unraisable_event(event.span, name=event.id)


def continuations(context: CheckContext) -> Iterator[Diagnostic]:
    """LW383: the procedure is to go on with what does not come later, from wherever a step may be done."""
    told: set[Span] = set()
    for visit, step in context.step_visits:
        if isinstance(step, Continue) and visit.stopped is None and visit.span not in told:
            stage, known = context.procedure.stages[visit.stage], tuple(_later(context.procedure, visit))
            if step.destination not in known:
                told.add(visit.span)
                place = f"{stage.id}/{visit.phase}" if visit.phase else stage.id
                yield diagnose.unknown_continuation(visit.span, place=place, name=step.destination, known=known)


def _later(procedure: p.Procedure, visit: Visit) -> Iterator[str]:
    """The phases of its stage after that of a visit, and the stages after it."""
    stage = procedure.stages[visit.stage]
    ids = [phase.id for phase in stage.phases]
    here = ids.index(visit.phase) if visit.phase in ids else -1
    yield from (phase for phase in ids[here + 1 :] if phase)
    yield from (later.id for later in procedure.stages[visit.stage + 1 :])


def self_raising(context: CheckContext) -> Iterator[Diagnostic]:
    """LW384: the steps of an event change what its condition looks at, and it may come more than once."""
    for event in context.procedure.interruptions:
        made = {name for step in plan.walk(event.steps) for name in step_facts.makes(step)}
        looked_at = (name for leaf in leaves(event.whenever) for name in _names(leaf) if name in made)
        for answer in dict.fromkeys(looked_at) if event.limit > 1 else ():
            also = tuple(event.places.get("whenever", ()))
            yield diagnose.self_raising_event(event.span, name=event.id, answer=answer, limit=event.limit, also=also)


def _names(leaf: Condition) -> Iterator[str]:
    match leaf:
        case Answered(name=name):
            yield name
        case ValueIs(where=where) | HasValue(where=where):
            yield where.name
        case Measures(left, _, right):
            yield from (where.name for where in (left, right) if isinstance(where, FieldRef))
        case _:
            return


def unseen_intentions(context: CheckContext) -> Iterator[Diagnostic]:
    """LW385: who may raise an event, or object, is nowhere shown the field that says whether he means to."""
    seen: dict[tuple[Span, str, str], bool] = {}
    for visit, actors, name, span in _meant(context):
        stage = context.procedure.stages[visit.stage].id
        for role in visit.cast.all(actors):
            grants = context.grants.get((stage, context.procedure.roles[role].kind), ())
            shown = any(grant.what == name and grant.whose != "other" for grant in grants)
            seen[span, role, name] = seen.get((span, role, name), False) or shown
    for (span, role, name), shown in sorted(seen.items(), key=lambda one: one[0][1]):
        if not shown:
            yield diagnose.unseen_intention(span, actor=role, name=name)


def _meant(context: CheckContext) -> Iterator[tuple[Visit, tuple[Actor, ...], str, Span]]:
    """Where something may be raised or objected to, by whom, and the field that says whether he means to."""
    events = {event.span: event for event in context.procedure.interruptions}
    for visit in context.visits:
        event = events.get(visit.span)
        if event is not None and event.intended and visit.stopped is None:
            yield visit, event.raisers, event.intended, place_of(event, "intended_in")
    for visit, step in context.step_visits:
        objection = step.info.objection
        if objection is not None and objection.intended and visit.stopped is None:
            yield visit, objection.by, objection.intended, place_of(step.info, "intended_in")


def shared_tokens(context: CheckContext) -> Iterator[Diagnostic]:
    """LW386: the token of an event means something else as well."""
    procedure = context.procedure
    titles = {role.title for role in procedure.roles.values() if role.title}
    others = [(use.token, use.hole) for step in p.all_steps(procedure) for use in step_facts.uses_of(step)]
    for number, event in enumerate(procedure.interruptions):
        taken = {said.token for other in procedure.interruptions[:number] for said in other.raised}
        for token in dict.fromkeys(said.token for said in event.raised):
            said_otherwise = any(token == other or meant(token, other, hole, titles) for other, hole in others)
            if token in taken or said_otherwise or _COLON.split(token)[0].strip() in procedure.answers:
                yield diagnose.ambiguous_event_token(event.span, name=event.id, token=token)


def idle_objections(context: CheckContext) -> Iterator[Diagnostic]:
    """LW387: who may object is not there, or nobody speaks to whom he could object, or nobody else rules."""
    idle: dict[tuple[Span, str], bool] = {}
    for visit, step in context.step_visits:
        objection = step.info.objection
        if objection is None or visit.stopped is not None:
            continue
        speakers, rulers = visit.cast.all(step.all_speakers), visit.cast.of(objection.ruler)
        present = context.procedure.stages[visit.stage].present
        for actor in objection.by:
            roles = visit.cast.of(actor)
            there = not present or not roles.isdisjoint(visit.cast.all(present))
            apart = any(who not in rulers and any(said not in (who, *rulers) for said in speakers) for who in roles)
            key = (written_at(actor, objection.span), worded(actor))
            idle[key] = idle.get(key, True) and bool(roles and rulers) and not (there and apart)
    for (span, name), wrong in idle.items():
        if wrong:
            yield diagnose.idle_objection(span, actor=name)


RULES = (idle_objections, unraisable, continuations, self_raising, unseen_intentions, shared_tokens)
