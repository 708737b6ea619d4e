"""The calendar of a procedure: where each date comes from, and the places that name one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...model import ast as s
from ...model.calendar import LONGEST, DateIs, DateRule, Reckoned, knows_country
from ...model.conditions import Condition, Negation
from ...model.procedure import Field
from ...model.source import Span
from .. import diagnose
from ..schema import DateSurface, SpecSurface
from ..surface_reader import SurfaceReader, text_of
from ..yaml.nodes import Scalar
from .context import Context
from .declarations import EMPTY, referred


# ---- what is declared ------------------------------------------------------------------------------------------------
def rules(context: Context) -> dict[str, DateRule]:
    """Every date as it is declared; those that rest on each other in a circle are told of once."""
    surfaces, reader = context.names.dates, context.reader
    found = {name: _rule(context, name, surface) for name, surface in surfaces.items()}
    for name, rule in found.items():
        if rule.reckoned is not None and rule.reckoned.base not in found:
            word = surfaces[name].is_
            assert word is not None
            reader.report(diagnose.unknown_date(word.span, name=rule.reckoned.base, among=found))
    for circle in _circles(found):
        first, *others = (found[name].span for name in circle)
        reader.report(diagnose.circular_dates(first, names=circle, also=tuple(others)))
    return found


def _rule(context: Context, name: str, surface: DateSurface) -> DateRule:
    fields, reader = context.names.fields, context.reader
    if surface.from_ is None and surface.is_ is None:
        reader.report(diagnose.date_from_nowhere(surface.span, name=name))
    if surface.rolls is not None and surface.is_ is None:
        reader.report(diagnose.rolling_without_reckoning(surface.rolls.span, name=name))
    field, key = _field(surface.from_, fields, reader) if surface.from_ is not None else ("", "")
    word = surface.is_
    node = reader.kept(context.parser.reckoning(word.text, word.span)) if word is not None else None
    return DateRule(
        name,
        text_of(surface.title) or name,
        field,
        key,
        Reckoned(_count(node.period, reader), node.period.unit, node.sign, node.base.text) if node else None,
        reader.truth(surface.rolls),
        surface.span,
    )


def _count(period: s.CalendarPeriod, reader: SurfaceReader) -> int:
    """A period that is reckoned through; no procedure has longer ones."""
    if period.count > LONGEST:
        reader.report(diagnose.number_out_of_range(period.span, found=str(period.count), most=LONGEST))
    return period.count


def _field(word: Scalar, fields: Mapping[str, Field], reader: SurfaceReader) -> tuple[str, str]:
    """The field and the key of it that a date is taken from: one text of the case, which may be known in a run."""
    name, key = field_and_key(word, fields, reader)
    field = fields.get(name)
    if field is not None and (field.sided or field.each):
        reader.report(diagnose.unsuitable_date_field(word.span, name=name, also=(field.span,)))
    return name, key


def field_and_key(word: Scalar, fields: Mapping[str, Field], reader: SurfaceReader) -> tuple[str, str]:
    """The field and the key of it that hold a day of the case."""
    name, key = referred(word, fields, reader)
    if name in fields and fields[name].evaluation_only:
        reader.report(diagnose.sealed_field_used(word.span, name=name))
    return name, key


def _circles(found: Mapping[str, DateRule]) -> Iterator[tuple[str, ...]]:
    """Dates each of which is reckoned from the next, and the last from the first."""
    told: set[str] = set()
    for name in found:
        way: list[str] = []
        while name in found and name not in told and name not in way:
            way.append(name)
            rule = found[name].reckoned
            name = rule.base if rule is not None else ""
        if name in way:
            yield tuple(way[way.index(name) :])
        told.update(way)


def holidays(specs: list[SpecSurface], reader: SurfaceReader) -> str:
    """The country whose holidays count, perhaps with a part of it: CN, GB-ENG."""
    word = next((spec.holidays for spec in reversed(specs) if spec.holidays is not None), None)
    code = text_of(word)
    if word is not None and not knows_country(code):
        reader.report(diagnose.unknown_holidays(word.span, found=code))
        return ""
    return code


# ---- where dates are named -------------------------------------------------------------------------------------------
def day_of(context: Context, word: Scalar | None) -> str:
    """The date that `on` names; "" where it does not stand."""
    if word is None:
        return ""
    return context.reader.known(word, context.names.dates, diagnose.unknown_date)


def condition(context: Context, node: s.DateTest) -> DateIs:
    """`appealed is within 15 days of judged`."""
    left, dates, reader = node.left, context.names.dates, context.reader
    bare = left.field.text if not left.path and left.of is None else ""
    if bare not in dates:
        reader.report(diagnose.unknown_date(left.span, name=bare or left.field.text, among=dates))
    if node.right.text not in dates:
        reader.report(diagnose.unknown_date(node.right.span, name=node.right.text, among=dates))
    if node.period is None:
        return DateIs(bare, node.test, node.negated, node.right.text, node.span)
    count, unit = _count(node.period, reader), node.period.unit
    return DateIs(bare, node.test, node.negated, node.right.text, node.span, count, unit)


def known(name: str, span: Span) -> DateIs:
    """That the calendar has a date: then it is the day that it is."""
    return DateIs(name, "on", False, name, span)


def same_day(context: Context, left: s.Name, right: s.Name) -> Condition:
    """`appealed is judged`, `appealed is empty`."""
    if right.text == EMPTY:
        return Negation(known(left.text, left.span))
    context.reader.known(Scalar(right.text, right.span), context.names.dates, diagnose.unknown_date)
    return DateIs(left.text, "on", False, right.text, left.span)
