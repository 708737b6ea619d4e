"""What is decided: every declared part once, before the document that states it, by one person, seen by who drafts."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ...language import diagnose
from ...model import plan
from ...model import procedure as p
from ...model.decision_parts import PARTS, DecisionParts
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from ...model.steps.decide import Decide
from ...model.steps.draft import Draft
from ...model.steps.if_else import If
from ..actor_words import worded
from ..template_readers import CheckContext

Way = tuple[tuple[int, int], ...]
"""The way to a step: in each block around, which step it is, and which block of it leads on."""


def _decided(context: CheckContext) -> dict[str, list[Decide]]:
    """Decision -> the steps that decide a part of it, wherever they stand."""
    found: dict[str, list[Decide]] = {}
    for step in p.all_steps(context.procedure):
        if isinstance(step, Decide):
            found.setdefault(step.decision, []).append(step)
    return found


def undecided_parts(context: CheckContext) -> Iterator[Diagnostic]:
    """LW873: of a decision that steps decide, one of the parts is left. A child may decide what it inherits."""
    for name, steps in _decided(context).items():
        declared = context.procedure.decisions[name]
        asked = {answer for step in p.all_steps(context.procedure) for answer in step.answer_names}
        for key in PARTS:
            answer = getattr(declared, key)
            if answer and answer not in asked and answer not in {step.answer.name for step in steps}:
                place = declared.places.get(answer, declared.span)
                yield diagnose.undecided_part(place, name=answer, decision=name, also=(declared.span,))


def decided_twice(context: CheckContext) -> Iterator[Diagnostic]:
    """LW874: of one part and the same record, by two steps that are both played."""
    procedure = context.procedure
    for stage in procedure.stages:
        for phase in stage.phases:
            ways = [(way, step) for way, step in _ways((*phase.steps, *phase.closing), ()) if isinstance(step, Decide)]
            told: set[Span] = set()
            for (way, first), (other, second) in combinations(ways, 2):
                same = (first.decision, first.part, first.answer.name) == (
                    second.decision,
                    second.part,
                    second.answer.name,
                )
                if same and _both(phase.steps, way, other) and second.info.span not in told | {first.info.span}:
                    told.add(second.info.span)
                    name = second.answer.called
                    yield diagnose.decided_twice(second.info.span, name=name, also=(first.info.span,))


def _ways(steps: tuple[plan.Step, ...], around: Way) -> Iterator[tuple[Way, plan.Step]]:
    for number, step in enumerate(steps):
        yield (*around, (number, 0)), step
        for block, inside in enumerate(step.blocks):
            yield from _ways(inside, (*around, (number, block)))


def _both(steps: tuple[plan.Step, ...], one: Way, other: Way) -> bool:
    """Whether two steps can be played in one go: not where an `if` leads to one of them, its `else` to the other, nor
    where either has a condition of its own."""
    for (number, block), (other_number, other_block) in zip(one, other, strict=False):
        if number != other_number:
            return not _conditional(steps, one, other)
        if block != other_block:
            return not isinstance(steps[number], If)
        steps = steps[number].blocks[block] if steps[number].blocks else ()
    return False


def _conditional(steps: tuple[plan.Step, ...], one: Way, other: Way) -> bool:
    """Whether either of two steps of a block is played under a condition, which may exclude the other."""
    heads = [steps[way[-1][0]] for way in (one, other) if len(way) and way[-1][0] < len(steps)]
    return any(isinstance(step, If) or step.info.when is not None for step in heads)


def drafted_before(context: CheckContext) -> Iterator[Diagnostic]:
    """LW875: in one phase, the draft of a document stands in front of what it is to state."""
    for stage in context.procedure.stages:
        steps = [step for phase in stage.phases for part in (phase.steps, phase.closing) for step in plan.walk(part)]
        for number, step in enumerate(steps):
            if isinstance(step, Draft) and (declared := _stated(context, step.document)) is not None:
                behind = _deciding(steps[number + 1 :], declared)
                before = {one.answer.name for one in _deciding(steps[:number], declared)}
                late = next((one for one in behind if one.answer.name not in before), None)
                if late is not None and not _drafted_again(steps[number + 1 :], declared):
                    yield diagnose.drafted_before_decided(
                        step.info.span,
                        document=step.document,
                        decision=declared.name,
                        name=late.answer.called,
                        also=(late.info.span,),
                    )


def _deciding(steps: list[plan.Step], declared: DecisionParts) -> list[Decide]:
    """Those of some steps that decide a part of a decision."""
    return [step for step in steps if isinstance(step, Decide) and step.decision == declared.name]


def _drafted_again(steps: list[plan.Step], declared: DecisionParts) -> bool:
    """Whether another document that states the decision is drafted behind: then the parts are that one's."""
    return any(isinstance(step, Draft) and step.document in declared.documents for step in steps)


def _stated(context: CheckContext, document: str) -> DecisionParts | None:
    return next((one for one in context.procedure.decisions.values() if document in one.documents), None)


def unread_parts(context: CheckContext) -> Iterator[Diagnostic]:
    """LW876: who drafts the document that states a decision does not see a part of it that is decided by then."""
    told, since = set[tuple[str, str]](), _since(context)
    number = {stage.id: at for at, stage in enumerate(context.procedure.stages)}
    for at in context.occasions:
        declared = _stated(context, at.document) if at.document and at.act == "draft" else None
        for decision, name in since if declared is not None else ():
            key = (at.document, name)
            there = declared is not None and decision == declared.name and since[decision, name] <= number[at.stage]
            if there and key not in told and not any(grant.what == name for grant in context.opened(at)):
                told.add(key)
                called = context.procedure.answers[name].called
                yield diagnose.unread_part(at.span, name=called, decision=decision, document=at.document)


def _since(context: CheckContext) -> dict[tuple[str, str], int]:
    """Decision and part -> the number of the first stage in which it is decided."""
    found: dict[tuple[str, str], int] = {}
    for visit, step in context.step_visits:
        if isinstance(step, Decide) and visit.stopped is None:
            key = (step.decision, step.answer.name)
            found[key] = min(visit.stage, found.get(key, visit.stage))
    return found


def decided_by_several(context: CheckContext) -> Iterator[Diagnostic]:
    """LW877: a role that several persons may wear decides as if it were one."""
    told: set[Span] = set()
    for visit, step in context.step_visits:
        if not isinstance(step, Decide) or step.ballots or visit.span in told or step.answer.form in ("text", "list"):
            continue
        roles = [context.procedure.roles[role] for role in visit.cast.all(step.actors)]
        several = [role for role in roles if role.each or role.persons > 1]
        if several and visit.stopped is None:
            told.add(visit.span)
            name, declared = step.answer.called, (step.answer.span,)
            yield diagnose.decided_by_several(visit.span, actor=worded(step.actors[0]), name=name, also=declared)


RULES = (undecided_parts, decided_twice, drafted_before, unread_parts, decided_by_several)
