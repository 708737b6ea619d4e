"""The rule about people who walk out: a condition that asks if they are absent does not see that they have left."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from ...language import diagnose
from ...model import plan
from ...model import procedure as p
from ...model.actors import Actor
from ...model.conditions import Attends, leaves
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.steps.if_else import If
from ...model.steps.move import Move
from ...model.steps.repeat import Repeat
from ..actor_words import arguments, worded, written_at
from ..template_readers import CheckContext
from .attendance import may_be_absent
from .presence import Casts, Placed, placed_steps


@immutable
class _Question:
    """A condition of a step that asks if somebody is absent. `at`: the place of the step in its stage."""

    asked: Attends
    step: plan.Step
    at: int


def absent_after_leaving(context: CheckContext) -> Iterator[Diagnostic]:
    """LW292: it is asked whether somebody is absent who may have walked out by then, and nothing asks if he has left.

    Whom a condition calls in where he is not absent, or who was called in before he left, is a witness let go: of him
    it is asked again, where his phase is reopened, if he came at all.
    """
    casts = Casts(context)
    told: set[Attends] = set()
    for stage, placed in groupby(placed_steps(context), key=lambda one: one.stage):
        steps = tuple(placed)
        exits = _exits(context, stage, steps)
        for question in _questions(steps):
            asked, roles = question.asked, _meant(casts, question.asked.actor, question.step)
            gone = [
                step
                for at, step in exits
                if (at < question.at or _again(steps, question, step))
                and any(_meant(casts, actor, step) & roles for actor in step.actors)
            ]
            away = any(may_be_absent(context.procedure.roles[role], stage) for role in roles)  # else LW422 tells it
            if gone and away and asked not in told and not _knows(steps, casts, roles):
                told.add(asked)
                place = written_at(asked.actor, question.step.info.span)
                also = (gone[0].info.span, *arguments(asked.actor))
                yield diagnose.absent_after_leaving(place, actor=worded(asked.actor), also=also)


def _meant(casts: Casts, actor: Actor, step: plan.Step) -> frozenset[str]:
    return frozenset(role for cast in casts.of(step) for role in cast.of(actor))


def _questions(steps: tuple[Placed, ...]) -> Iterator[_Question]:
    for at, step in enumerate(placed.step for placed in steps):
        for own in (step.info.when, *((step.condition,) if isinstance(step, If) else ())):
            for leaf in leaves(own):
                if isinstance(leaf, Attends) and leaf.how == "absent" and not _calls_in(step, leaf.actor):
                    yield _Question(leaf, step, at)


def _calls_in(step: plan.Step, actor: Actor) -> bool:
    """Whether a step lets in the one of whom it asks."""
    return any(isinstance(one, Move) and one.inwards and actor in one.actors for one in plan.walk((step,)))


def _exits(context: CheckContext, stage: p.Stage, steps: tuple[Placed, ...]) -> list[tuple[int, Move]]:
    """The steps in which somebody goes out who was not called in before, with their places; those of events come first,
    since an event may come at any time."""
    found: list[tuple[int, Move]] = []
    called: set[Actor] = set()
    for event in context.procedure.interruptions:
        if event.comes_into(stage.id):
            found += [(-1, step) for step in plan.walk(event.steps) if isinstance(step, Move) and not step.inwards]
    for at, step in enumerate(placed.step for placed in steps):
        if isinstance(step, Move) and step.inwards:
            called |= set(step.actors)
        elif isinstance(step, Move) and not called.issuperset(step.actors):
            found.append((at, step))
    return found


def _again(steps: tuple[Placed, ...], question: _Question, step: Move) -> bool:
    """Whether a round of a loop comes back to the question after the step."""
    rounds = (placed.step for placed in steps if isinstance(placed.step, Repeat))
    inside = (tuple(plan.walk((one,))) for one in rounds)
    return any(any(one is question.step for one in those) and any(one is step for one in those) for those in inside)


def _knows(steps: tuple[Placed, ...], casts: Casts, roles: frozenset[str]) -> bool:
    """Whether the stage asks, of any of these people, if they have left or are there: then the three are told apart."""
    return any(
        isinstance(leaf, Attends) and leaf.how != "absent" and bool(_meant(casts, leaf.actor, placed.step) & roles)
        for placed in steps
        for condition in placed.conditions
        for leaf in leaves(condition)
    )


RULES = (absent_after_leaving,)
