"""Rules about roles that several hold where one person is to act for all of them."""

from __future__ import annotations

from collections.abc import Iterator

from ...language import diagnose
from ...model import plan
from ...model.actors import Actor, ChosenIn, Fellows, RoleHolders, VotersOf
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from ...model.steps.assign import Assign, GaveAnswer
from ...model.steps.vote import Vote
from ..abstract_walk import Visit
from ..actor_words import worded, written_at
from ..template_readers import CheckContext


def several_rulers(context: CheckContext) -> Iterator[Diagnostic]:
    """LW984: several persons may be meant by who is to rule on an objection: nobody could say whose ruling counts."""
    found: dict[Span, str] = {}
    for visit, step in context.step_visits:
        objection = step.info.objection
        if objection is not None and visit.stopped is None and _several(context, visit, objection.ruler):
            found[written_at(objection.ruler, objection.span)] = worded(objection.ruler)
    for span, actor in found.items():
        yield diagnose.several_rulers(span, actor=actor)


def several_leaders(context: CheckContext) -> Iterator[Diagnostic]:
    """LW986: several persons may be meant by who leads a talk: the first of them alone does."""
    found: dict[Span, str] = {}
    for visit, step in context.step_visits:
        leader = step.leader if visit.stopped is None else None
        if leader is not None and _several(context, visit, leader):
            found[written_at(leader, visit.span)] = worded(leader)
    for span, actor in found.items():
        yield diagnose.several_leaders(span, actor=actor)


def _several(context: CheckContext, visit: Visit, actor: Actor) -> bool:
    """Whether several persons may be meant: a role of several, one that is given to all of several, the others."""
    match actor:
        case RoleHolders(name):
            return _held_by_several(context, visit, name)
        case VotersOf() | Fellows():
            return True
        case ChosenIn():
            return _several_chosen(context, visit, actor)
        case _:
            return False


def _held_by_several(context: CheckContext, visit: Visit, name: str) -> bool:
    role = context.procedure.roles.get(name)
    if role is None or not role.assigned:
        return role is not None and bool(role.each or role.persons > 1)
    given = (step for _, step in context.step_visits if isinstance(step, Assign) and name in step.roles)
    return any(_gives_to_several(context, visit, step) for step in given)


def _gives_to_several(context: CheckContext, visit: Visit, step: Assign) -> bool:
    """Whether a role is given to all of several persons, as far as can be told without a case."""
    if len(step.who) > 1:
        return step.most != 1
    who = step.who[0]
    if step.most == 1:
        return False
    if isinstance(who, ChosenIn):
        return _several_chosen(context, visit, who)
    if not isinstance(who, GaveAnswer):
        return (
            isinstance(who, RoleHolders) and who.role not in step.roles and _held_by_several(context, visit, who.role)
        )
    asked = [other for _, other in context.step_visits if who.name in other.answer_names]
    return any(_of_several(context, visit, other) for other in asked)


def _several_chosen(context: CheckContext, visit: Visit, actor: ChosenIn) -> bool:
    """Whether a choice may be of several: of a list, of each who was asked about, of those whom several name."""
    asked = [step for _, step in context.step_visits if actor.name in step.answer_names]
    if not actor.among or actor.which == "rest" or context.procedure.answers[actor.name].form == "list":
        return True
    return any(not isinstance(step, Vote) and _of_several(context, visit, step) for step in asked)


def _of_several(context: CheckContext, visit: Visit, step: plan.Step) -> bool:
    return len(step.answerers) > 1 or any(_several(context, visit, actor) for actor in step.answerers)


RULES = (several_rulers, several_leaders)
