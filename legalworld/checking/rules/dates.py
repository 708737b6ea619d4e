"""Rules about the calendar: dates that nobody reads, days that go back, what a date tells of a field."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from ...language import diagnose
from ...model import plan
from ...model import procedure as p
from ...model.calendar import DateIs, DateRule
from ...model.conditions import AllOf, Condition, leaves
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from ...model.source import Span, place_of
from ...model.steps.if_else import If
from ..template_readers import CheckContext


def unused_dates(context: CheckContext) -> Iterator[Diagnostic]:
    """LW095: a date that nobody sees and nothing goes by."""
    procedure = context.procedure
    used = {grant.what for grant in procedure.grants} | {name for name, *_ in _days(procedure)}
    used |= {name for test in _tests(context) for name in (test.left, test.right)}
    for name in tuple(used):
        used.update(rule.name for rule in _bases(procedure, name))
    for rule in procedure.dates.values():
        if rule.name not in used:
            yield diagnose.unused_declaration(rule.span, name=rule.name)


def weekends_alone(context: CheckContext) -> Iterator[Diagnostic]:
    """LW486: working days are counted, and nothing says whose holidays there are."""
    procedure = context.procedure
    if procedure.holidays:
        return
    for rule in procedure.dates.values():
        if rule.rolls or (rule.reckoned is not None and rule.reckoned.unit == "working days"):
            yield diagnose.weekends_alone(rule.span, name=rule.name)
    for test in {test.span: test for test in _tests(context)}.values():
        if test.unit == "working days":
            yield diagnose.weekends_alone(test.span, name=test.left)


def _tests(context: CheckContext) -> Iterator[DateIs]:
    """Every comparison of dates in the procedure, its matrix and its tools."""
    procedure = context.procedure
    asked = [leaf for leaf, _ in context.conditions]
    asked += [leaf for grant in procedure.grants for leaf in leaves(grant.condition)]
    asked += [leaf for tool in procedure.tools.values() for leaf in leaves(tool.when)]
    asked += [leaf for event in procedure.interruptions for leaf in (*leaves(event.whenever), *leaves(event.when))]
    asked += [leaf for memory in procedure.memory.values() for leaf in leaves(memory.when)]
    yield from (leaf for leaf in asked if isinstance(leaf, DateIs))


def _bases(procedure: p.Procedure, name: str) -> Iterator[DateRule]:
    """A date and those that it is reckoned from, each from the next."""
    seen: set[str] = set()
    while name in procedure.dates and name not in seen:
        seen.add(name)
        rule = procedure.dates[name]
        yield rule
        name = rule.reckoned.base if rule.reckoned is not None else ""


# ---- the days of stages, phases, steps -------------------------------------------------------------------------------
def days_that_may_be_missing(context: CheckContext) -> Iterator[Diagnostic]:
    """LW488: a stage, phase or step is on a date that a case may leave out."""
    told: set[Span] = set()
    for name, span, way in _days(context.procedure):
        bases = tuple(_bases(context.procedure, name))
        last, field = bases[-1], context.procedure.fields.get(bases[-1].field)
        sure = any(rule.name in way.known for rule in bases) or field is None or field.required
        if span not in told and field is not None and not (sure or field.evaluation_only):
            told.add(span)
            yield diagnose.day_may_be_missing(span, name=name, field=last.field, also=(last.span, field.span))


def days_gone_by(context: CheckContext) -> Iterator[Diagnostic]:
    """LW487: a place is on a date that always lies before the one that was reached."""
    reached: dict[str, Span] = {}
    told: set[Span] = set()
    for name, span, way in _days(context.procedure):
        later = next((other for other in reached if _always_after(context.procedure, other, name)), None)
        if later is not None and span not in told:
            told.add(span)
            yield diagnose.day_already_past(span, name=name, later=later, also=(reached[later],))
        elif way.surely:
            reached.setdefault(name, span)


def _always_after(procedure: p.Procedure, later: str, earlier: str) -> bool:
    """Whether a date is reckoned so that it lies behind another in every case."""
    one, other = procedure.dates[later], procedure.dates[earlier]
    return _leads(procedure, one, earlier, 1) or _leads(procedure, other, later, -1) or _behind(one, other)


def _leads(procedure: p.Procedure, rule: DateRule, to: str, sign: int) -> bool:
    """Whether a date is reckoned from another in one direction alone, and never taken from the case."""
    for each in _bases(procedure, rule.name):
        if each.name == to:
            return each is not rule
        if each.field or each.reckoned is None or each.reckoned.sign != sign:
            return False
    return False


def _behind(one: DateRule, other: DateRule) -> bool:
    """Whether both are reckoned from one date in one unit, and this one reaches further."""
    a, b = one.reckoned, other.reckoned
    if a is None or b is None or one.field or other.field or one.rolls != other.rolls:
        return False
    return (a.base, a.unit) == (b.base, b.unit) and a.sign * a.count > b.sign * b.count and not one.rolls


@immutable
class _Way:
    """How a place is come to: whether by every case, and which dates a case that comes there has."""

    surely: bool = True
    known: frozenset[str] = frozenset()

    def under(self, condition: Condition | None) -> _Way:
        return self if condition is None else _Way(False, self.known | _known(condition))


_Days = Iterator[tuple[str, Span, _Way]]


def _days(procedure: p.Procedure) -> _Days:
    """The dates that places are on, in the order of the procedure, and how it comes there."""
    yield from (day for day in _written(procedure) if day[0] in procedure.dates)


def _written(procedure: p.Procedure) -> _Days:
    for event in procedure.interruptions:  # which may come on any day
        yield from _days_of(event.steps, _Way(surely=False))
    for stage in procedure.stages:
        here = _Way().under(stage.when)
        yield from _day(stage.on, place_of(stage, "on"), here)
        for phase in stage.phases:
            inner = here.under(phase.when)
            yield from _day(phase.on, place_of(phase, "on"), inner)
            yield from _days_of((*phase.steps, *phase.closing), inner)


def _days_of(steps: Iterable[plan.Step], way: _Way) -> _Days:
    for step in steps:
        here = way.under(step.info.when)
        yield from _day(step.info.on, place_of(step.info, "on"), here)
        for block in step.blocks:
            asked = step.condition if isinstance(step, If) and block is step.body else None
            yield from _days_of(block, replace(here.under(asked), surely=False))


def _day(name: str, span: Span, way: _Way) -> _Days:
    if name:
        yield name, span, way


def _known(condition: Condition) -> frozenset[str]:
    """The dates that there are wherever a condition holds."""
    match condition:
        case DateIs(left=left, right=right):
            return frozenset({left, right})
        case AllOf(parts):
            return frozenset().union(*map(_known, parts))
        case _:
            return frozenset()


# ---- who sees a date -------------------------------------------------------------------------------------------------
def dates_beyond_fields(context: CheckContext) -> Iterator[Diagnostic]:
    """LW489: the matrix shows a date to somebody who may not see the field that it comes from.

    A date that is one key of a record (`from: calendar.reply_by`) says nothing of the record's other keys: a row of its
    own shows it alone.
    """
    procedure = context.procedure
    told: set[tuple[Span, str, str]] = set()
    for grant in procedure.grants:
        for rule in _bases(procedure, grant.what):
            key = (grant.span, rule.field, grant.kind)
            field = procedure.fields.get(rule.field)
            if field is None or rule.key or field.evaluation_only:
                continue
            if not _granted_too(context, field.name, grant) and key not in told:
                told.add(key)
                kind, stage, also = grant.kind, grant.stage, (field.span,)
                yield diagnose.date_shown_beyond_field(
                    grant.span, name=grant.what, field=rule.field, kind=kind, stage=stage, also=also
                )


def _granted_too(context: CheckContext, field: str, grant: p.Grant) -> bool:
    """Whether a field is open wherever a cell opens a date to somebody."""
    cells = (cell for cell in context.grants.get((grant.stage, grant.kind), ()) if cell.what == field)
    return any(cell.after in ("", grant.after) and cell.condition in (None, grant.condition) for cell in cells)


RULES = (unused_dates, weekends_alone, days_that_may_be_missing, days_gone_by, dates_beyond_fields)
