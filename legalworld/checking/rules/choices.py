"""Rules about choices of persons: among whom, how many, and whom is meant by those who were chosen."""

from __future__ import annotations

from collections.abc import Iterator

from ...language import diagnose
from ...model import step_facts
from ...model.actors import Actor, ChosenIn, RoleHolders
from ...model.conditions import AlsoHolds, Attends, RoleAssigned, leaves
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from ...model.steps.converse import Converse
from ..actor_words import worded, written_at
from ..cast import asked_about, rests_on
from ..template_readers import CheckContext


def choices_of_few(context: CheckContext) -> Iterator[Diagnostic]:
    """LW466, LW467, LW491: a choice among one person, of more than there are, among those whom it chooses itself."""
    told: set[Span] = set()
    for visit, step in context.step_visits:
        answer = next((one for one in step_facts.asked_in(step) if one.among is not None), None)
        if answer is None or answer.among is None or answer.span in told or visit.stopped is not None:
            continue
        count, actor = _number(context, answer.among), worded(answer.among)
        if rests_on(answer.among, answer.name):
            told.add(answer.span)
            yield diagnose.circular_choice(written_at(answer.among, answer.span), name=answer.name)
        elif visit.cast.certain(answer.among):
            told.add(answer.span)
            yield diagnose.choice_of_one(written_at(answer.among, answer.span), name=answer.name, actor=actor)
        elif 0 < count <= answer.most:
            told.add(answer.span)
            yield diagnose.limit_beyond_list(answer.span, name=answer.name, most=answer.most, actor=actor, count=count)


def _number(context: CheckContext, actor: Actor) -> int:
    """How many an actor means in every case; 0 where the case decides."""
    role = context.procedure.roles.get(actor.role) if isinstance(actor, RoleHolders) else None
    return role.persons if role is not None and role.persons > 1 and not role.assigned and not role.each else 0


def chosen_by_nothing(context: CheckContext) -> Iterator[Diagnostic]:
    """LW468: those who are chosen by an answer that chooses nobody."""
    about, told = asked_about(context.procedure), set[Span]()
    for _, step in context.step_visits:
        asked = (leaf for one in (step.info.when, *step.conditions) for leaf in leaves(one))
        tested = (leaf.actor for leaf in asked if isinstance(leaf, AlsoHolds | Attends | RoleAssigned))
        for actor in (*step.named_actors, *tested):
            at = written_at(actor, step.info.span)
            if not isinstance(actor, ChosenIn) or actor.among or at in told:
                continue
            form = context.procedure.answers[actor.name].form
            if form != "yes or no" or actor.name not in about:
                told.add(at)
                yield diagnose.choice_of_no_choice(at, name=actor.name)


def talks_of_one(context: CheckContext) -> Iterator[Diagnostic]:
    """LW492: somebody is to talk to nobody."""
    told: set[Span] = set()
    for visit, step in context.step_visits:
        alone = isinstance(step, Converse) and not step.partners
        if isinstance(step, Converse) and alone and visit.cast.certain(step.opener) and visit.span not in told:
            told.add(visit.span)
            yield diagnose.talk_of_one(written_at(step.opener, visit.span), actor=worded(step.opener))


RULES = (choices_of_few, chosen_by_nothing, talks_of_one)
