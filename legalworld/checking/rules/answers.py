"""Rules about answers: whose they can be, and what they can be about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...language import diagnose
from ...model import plan, step_facts
from ...model.diagnostics import Diagnostic
from ...model.source import Span
from ..abstract_walk import LoopRecord, Visit, leaves
from ..template_readers import CheckContext, asked, read_by
from .steps import worded


def unasked_answers(context: CheckContext) -> Iterator[Diagnostic]:
    """LW440: the answer of a person who is never asked for it, or about a record about which nobody is."""
    found: dict[Span, tuple[plan.FieldRef, bool]] = {}
    answerers = _answerers(context)
    for where, visit in _meant(context):
        may = _may_be(context, where, visit, answerers.get(where.name, frozenset()))
        found[where.span] = where, may or found.get(where.span, (where, False))[1]
    for span, (where, may) in found.items():
        if not may:
            whose = worded(where.of) if where.of is not None else where.about
            yield diagnose.unasked_answer(span, name=where.name, whose=whose)


def _answerers(context: CheckContext) -> dict[str, frozenset[str]]:
    """Answer -> the first roles of those who may give it."""
    roles: dict[str, frozenset[str]] = {}
    for visit, step in context.step_visits:
        for name in step_facts.answers_of(step) if visit.stopped is None else ():
            roles[name] = roles.get(name, frozenset()) | visit.cast.all(step_facts.answerers_of(step, name))
    return roles


def _meant(context: CheckContext) -> Iterator[tuple[plan.FieldRef, Visit]]:
    """Every reference to the answer of somebody, or about something, with the visits at which it is made."""
    granted: dict[str, list[plan.FieldRef]] = {}
    for grant in context.procedure.grants:
        granted.setdefault(grant.stage, []).extend(_read(leaves(grant.condition)))
    for visit in context.visits:
        if visit.stopped is not None and visit.stopped != visit.span:
            continue
        references = [*_read(asked(visit)), *granted.get(context.procedure.stages[visit.stage].id, ())]
        if isinstance(visit.what, plan.Step):
            references += visit.what.references
        for where in references:
            if where.name in context.procedure.answers and (where.of is not None or where.about):
                yield where, visit


def _read(conditions: Iterable[plan.Condition]) -> Iterator[plan.FieldRef]:
    for leaf in conditions:
        yield from read_by(leaf)


def _may_be(context: CheckContext, where: plan.FieldRef, visit: Visit, answerers: frozenset[str]) -> bool:
    """Whether such an answer can have been given in some case."""
    if where.of is not None:
        return visit.cast.unknown(where.of) or not answerers.isdisjoint(visit.cast.of(where.of))
    record = visit.loop_records.get(where.about)
    if record is None or not answerers.isdisjoint(record.persons):
        return True
    return any(_alike(context, record, other) for other in context.held.get(where.name, ()))


def _alike(context: CheckContext, one: LoopRecord, other: LoopRecord) -> bool:
    """Whether two loops may have one record in hand."""
    fields = [frozenset(context.sampled.get(record.field, (record.field,))) for record in (one, other)]
    if "" in fields[0] | fields[1]:
        return True
    sides = not (one.sides and other.sides) or not one.sides.isdisjoint(other.sides)
    drawn = one.field in context.sampled or other.field in context.sampled
    return one.deep == other.deep and not fields[0].isdisjoint(fields[1]) and (sides or drawn)


RULES = (unasked_answers,)
