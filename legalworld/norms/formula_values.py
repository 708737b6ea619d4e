"""Formulas on what was found: a value with the lines that lead to it, or which facts are missing.

Conditions have three values; None is open. The lines of a sum, taken from the first on, give its value.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from typing import Final, Literal

from ..figures import ledger
from ..model import formulas as f
from ..model.calendar import moved
from ..model.decision import PartOrigin
from ..model.formulas import Expression, FormulaTerm
from .definition import AccountOf, Event, Fact, Norm, NormSet, OffenceNorm, ReckonRow, ReviewNorm, Value
from .formulas import SIDES
from .proof import HeldFact
from .reckoned import FormulaValue, ReckoningLine, Step, bounded, combined, length, nothing

JUDGED: Final = "judged"
"""The day of the judgment among those of a case."""


@dataclass
class Scope:
    """What a formula is reckoned on: facts as they are held, what is known of claim and case, who is on which side."""

    norms: NormSet
    held: Mapping[str, HeldFact]
    reckon: Mapping[str, tuple[ReckonRow, ...] | AccountOf]
    claim: Mapping[str, Value]
    case: Mapping[str, date]
    sides: Mapping[str, tuple[str, ...]]
    pleas: frozenset[str] = frozenset()
    norm: str = ""
    bands: Mapping[str, Decimal] = field(default_factory=dict)
    known: dict[str, FormulaValue] = field(default_factory=dict)

    def named(self, name: FormulaTerm) -> FormulaValue:
        """The value of a name."""
        if name.name in self.sides:
            return FormulaValue(self.sides[name.name], label=name.name)
        if name.name == "claim" or name.name == "case":
            return self._said_of(name)
        if name.name in self.bands:
            value = self.bands[name.name]
            return FormulaValue(value, (ReckoningLine(name.name, "plus", value, True),), money=True, label=name.name)
        if name.name in self.reckon:
            return self._reckoned(name)
        return self._fact(name)

    def _said_of(self, name: FormulaTerm) -> FormulaValue:
        known: Mapping[str, Value] = self.claim if name.name == "claim" else self.case
        value = known.get(name.path[0])
        if value is None:
            return FormulaValue(None, missing=(name.text,), label=name.text)
        facts = self.norms.words.of_claim if name.name == "claim" else self.norms.words.of_case
        return self._leaf(value, facts[name.path[0]], PartOrigin(hand="field", source=name.name, detail=name.path[0]))

    def _leaf(self, value: Value, fact: Fact, origin: PartOrigin | None) -> FormulaValue:
        money = fact.kind == "money"
        lines = (ReckoningLine(fact.title, "plus", value, money, origin),) if isinstance(value, Decimal) else ()
        return FormulaValue(value, lines, money=money, label=fact.title)

    def _fact(self, name: FormulaTerm) -> FormulaValue:
        fact, held = self.norms.words.facts[name.name], self.held.get(name.name)
        value = held.value if held is not None else None
        if held is not None and name.path:
            value = held.keys.get(name.path[0])
            if value is None:  # what is not there has no day and no signature
                return FormulaValue(None, missing=(name.text,), label=name.text, void=held.void)
        if value is None or held is None:
            void = held is not None and held.void
            return FormulaValue(None, missing=(name.name,), label=fact.title, money=fact.kind == "money", void=void)
        return self._leaf(value, fact, held.origin)

    def _reckoned(self, name: FormulaTerm) -> FormulaValue:
        text = name.text
        if text not in self.known:
            rows = self.reckon[name.name]
            found = account(rows, self) if isinstance(rows, AccountOf) else {"": first_row(rows, self, name.name)}
            for key, value in found.items():
                self.known[f"{name.name}.{key}" if key else name.name] = value
        return self.known.get(text, FormulaValue(None, missing=(text,), label=text))


def in_force(norm: Norm | OffenceNorm | ReviewNorm, scope: Scope) -> bool:
    """Whether a norm is in force on the day that it goes by, else on that of the judgment; where neither is known, it
    is taken to be."""
    day = scope.named(norm.on).value if norm.on is not None else None
    known = day if isinstance(day, date) else scope.case.get(JUDGED)
    return known is None or (norm.since <= known and (norm.until is None or known <= norm.until))


def first_row(rows: tuple[ReckonRow, ...], scope: Scope, name: str) -> FormulaValue:
    """What the first row gives whose condition holds; one whose condition is open is passed over and told.

    Where none holds, what is missing are the facts of those that are open, else `name` itself.
    """
    passed: list[str] = []
    for row in rows:
        when = holds(row.when, scope)
        if when.value is None:
            passed += when.missing
        if when.value is not True:
            continue
        if row.declines:
            return FormulaValue(None, declined=row.declines, passed=tuple(passed))
        assert row.formula is not None
        found = reckon(row.formula, scope)
        told = (*found.told, *((row.discretion,) if row.discretion else ()))
        return replace(found, told=told, passed=(*found.passed, *passed))
    return FormulaValue(None, missing=tuple(dict.fromkeys(passed)) or (name,))


def holds(condition: Expression | None, scope: Scope) -> FormulaValue:
    """Whether a condition holds; no condition always does."""
    return FormulaValue(True) if condition is None else reckon(condition, scope)


def account(rows: AccountOf, scope: Scope) -> dict[str, FormulaValue]:
    """The account of a debt to whoever claims, at its rate: principal, arrears, the day from which interest runs on."""
    events, rate = scope.named(rows.events), reckon(rows.rate, scope)
    if rate.number is None or not isinstance(events.value, tuple):
        gone = FormulaValue(None, missing=(*events.missing, *rate.missing), declined=rate.declined)
        return dict.fromkeys(("principal", "arrears", "next"), gone)
    creditors = scope.sides["claimant"]
    payments = [
        ledger.Payment(day, event.amount, event.payer in creditors)
        for event in events.value
        if isinstance(event, Event) and {event.payer, event.payee} & {*creditors}
        for day in (ledger.repeated(event.day, event.until) if event.until is not None else (event.day,))
    ]
    found = ledger.settled(payments, rate.number)
    if found is None:
        return dict.fromkeys(("principal", "arrears", "next"), FormulaValue(None, missing=(rows.events.name,)))
    held = scope.held.get(rows.events.name)
    origin = held.origin if held is not None else None
    steps: tuple[tuple[str, Step, Decimal], ...] = (
        ("lent", "plus", found.lent),
        ("deducted", "minus", found.deducted),
        ("offset", "minus", found.offset),
    )
    lines = tuple(ReckoningLine(label, step, value, True, origin) for label, step, value in steps if value)
    arrears = ReckoningLine("arrears", "plus", found.arrears, True, origin)
    return {
        "principal": FormulaValue(found.principal, lines, told=rate.told, money=True, label="principal"),
        "arrears": FormulaValue(found.arrears, (arrears,), told=rate.told, money=True, label="arrears"),
        "next": FormulaValue(found.due_from, label="next"),
    }


# ---- one formula -----------------------------------------------------------------------------------------------------


def reckon(expression: Expression, scope: Scope) -> FormulaValue:
    """What a formula comes to."""
    match expression:
        case f.BareNumber(value=value):
            return FormulaValue(value, (ReckoningLine(str(value), "plus", value, False),), label=str(value))
        case f.DayFigure(day=day):
            return FormulaValue(date.fromisoformat(day))
        case f.ComparedText(text=text):
            return FormulaValue(text)
        case FormulaTerm():
            return scope.named(expression)
        case f.Joined() | f.Denied() | f.ValueTest() | f.InPeriod() | f.HasQuality():
            return _condition(expression, scope)
        case f.Arithmetic(operation=operation, left=left, right=right):
            return combined(reckon(left, scope), reckon(right, scope), operation)
        case f.PercentOf(percent=percent, of=of):
            share = FormulaValue(percent.value / 100, label=f"{percent.value}%")
            return combined(reckon(of, scope), share, "times")
        case f.Chosen():
            return _chosen(expression, scope)
        case f.Whole(of=of):
            found = reckon(of, scope)
            whole = Decimal(int(found.number)) if found.number is not None else None
            lines = (ReckoningLine(found.label, "plus", whole, False),) if whole is not None else ()
            return replace(found, value=whole, lines=lines)
        case f.TableAt():
            return _published(expression, scope)
        case f.Total() | f.CountOf() | f.EdgeDay():
            return _of_list(expression, scope)
        case f.Moved() | f.LengthBetween():
            return _of_days(expression, scope)


def _untested(*parts: FormulaValue) -> FormulaValue:
    """A test of values that are not all there: nothing holds of what is known not to be, else it is open."""
    found = nothing(*parts)
    return FormulaValue(False) if found.void else found


def _chosen(expression: f.Chosen, scope: Scope) -> FormulaValue:
    left, right = reckon(expression.left, scope), reckon(expression.right, scope)
    if isinstance(left.value, date) and isinstance(right.value, date):
        later = expression.choice == "later"
        return left if (left.value >= right.value) is later else right
    if expression.choice in ("later", "earlier"):
        return nothing(*(one for one in (left, right) if one.value is None))
    if left.number is None or right.number is None:
        known = [one for one in (left, right) if one.value is not None]
        if len(known) == 1 and not (left.declined or right.declined):  # what is missing bounds nothing
            gone = left.missing + right.missing
            return replace(known[0], passed=(*known[0].passed, *gone))
        return nothing(left, right)
    if expression.choice == "higher":
        return left if left.number >= right.number else right
    if left.number <= right.number:
        return replace(left, told=(*left.told, *right.told), passed=(*left.passed, *right.passed))
    return bounded(left, right)


def _published(expression: f.TableAt, scope: Scope) -> FormulaValue:
    day, table = reckon(expression.day, scope), scope.norms.tables[expression.table.name]
    if not isinstance(day.value, date):
        return nothing(day)
    value = table.on(day.value)
    if value is None:
        return FormulaValue(None, missing=(f"{table.title} {day.value}",))
    origin = PartOrigin(hand="table", source=table.name, detail=str(day.value))
    return FormulaValue(value, (ReckoningLine(table.title, "plus", value, False, origin),), label=table.title)


def _of_list(expression: f.Total | f.CountOf | f.EdgeDay, scope: Scope) -> FormulaValue:
    found = scope.named(expression.what)
    if isinstance(expression, f.Total) and found.number is not None:
        return found
    if not isinstance(found.value, tuple):
        return nothing(found)
    events = [one for one in found.value if isinstance(one, Event)]
    held = scope.held.get(expression.what.name)
    origin = held.origin if held is not None else None
    match expression:
        case f.CountOf():
            count = Decimal(len(found.value))
            return FormulaValue(count, (ReckoningLine(found.label, "plus", count, False, origin),), label=found.label)
        case f.EdgeDay(edge=edge):
            days = [one.day for one in events]
            if not days:
                return FormulaValue(None, missing=(expression.what.name,))
            return FormulaValue((min if edge == "first" else max)(days))
        case f.Total(after=after):
            since = reckon(after, scope) if after is not None else None
            if since is not None and not isinstance(since.value, date):
                return nothing(since)
            total = sum((_paid(one, since.value if since else None, scope) for one in events), Decimal(0))
            label = scope.norms.words.facts[expression.what.name].title
            return FormulaValue(total, (ReckoningLine(label, "plus", total, True, origin),), money=True, label=label)


def _paid(event: Event, since: Value | None, scope: Scope) -> Decimal:
    """What an event brought to whoever claims, behind a day; nothing where it is known to have gone another way."""
    claimants, respondents = scope.sides["claimant"], scope.sides["respondent"]
    away = event.payer in claimants or event.payee in respondents
    days = ledger.repeated(event.day, event.until) if event.until is not None else (event.day,)
    counted = [day for day in days if not isinstance(since, date) or day > since]
    return Decimal(0) if away else event.amount * len(counted)


def _of_days(expression: f.Moved | f.LengthBetween, scope: Scope) -> FormulaValue:
    if isinstance(expression, f.Moved):
        base, period = reckon(expression.base, scope), expression.period
        if not isinstance(base.value, date):
            return nothing(base)
        day = moved(base.value, period.count, period.unit, expression.sign, "")
        return FormulaValue(day) if day is not None else nothing(base)
    since, until = reckon(expression.since, scope), reckon(expression.until, scope)
    if not isinstance(since.value, date) or not isinstance(until.value, date):
        return nothing(since, until)
    value = length(since.value, until.value, expression.unit)
    return FormulaValue(value, (ReckoningLine(expression.unit, "plus", value, False),), label=expression.unit)


# ---- conditions ------------------------------------------------------------------------------------------------------


def _condition(expression: f.Joined | f.Denied | f.ValueTest | f.InPeriod | f.HasQuality, scope: Scope) -> FormulaValue:
    match expression:
        case f.Joined(kind=kind, parts=parts):
            return _all_or_any(kind, [reckon(part, scope) for part in parts])
        case f.Denied(part=part):
            found = reckon(part, scope)
            return replace(found, value=None if found.value is None else not found.value)
        case f.HasQuality():
            return _quality(expression, scope)
        case f.ValueTest(left=left, right=right):
            values = reckon(left, scope), reckon(right, scope)
            if values[0].value is None or values[1].value is None:
                return _untested(*(one for one in values if one.value is None))
            return FormulaValue(_test(expression, values[0].value, values[1].value) is not expression.negated)
        case f.InPeriod(left=left, right=right, period=period):
            day, base = reckon(left, scope), reckon(right, scope)
            if not isinstance(day.value, date) or not isinstance(base.value, date):
                return _untested(*(one for one in (day, base) if one.value is None))
            end = moved(base.value, period.count, period.unit, 1, "") or date.max
            return FormulaValue((base.value <= day.value <= end) is not expression.negated)


def _all_or_any(kind: Literal["all", "any"], found: list[FormulaValue]) -> FormulaValue:
    deciding = kind == "any"
    if any(one.value is deciding for one in found):
        return FormulaValue(deciding)
    open_ones = [one for one in found if one.value is None]
    return nothing(*open_ones) if open_ones else FormulaValue(not deciding)


def _test(expression: f.ValueTest, left: Value, right: Value) -> bool:
    match expression.test:
        case "at least":
            return left >= right  # type: ignore[operator]
        case "at most":
            return left <= right  # type: ignore[operator]
        case "after":
            return left > right  # type: ignore[operator]
        case "before":
            return left < right  # type: ignore[operator]
        case "includes":
            return isinstance(left, tuple) and isinstance(right, tuple) and _included(expression.right, left, right)
        case "is":
            return left == right


def _included(asked: f.Expression, left: tuple[object, ...], right: tuple[object, ...]) -> bool:
    """Whether persons are among others: of a side one is enough, of persons that a fact names all are meant."""
    if isinstance(asked, FormulaTerm) and not asked.path and asked.name in SIDES:
        return not set(right).isdisjoint(left)
    return bool(right) and set(right) <= set(left)


def _quality(expression: f.HasQuality, scope: Scope) -> FormulaValue:
    """How a fact stands: open where papers leave it unclear, and for `yes` and `no` of what nobody says."""
    name = expression.what
    assert isinstance(name, FormulaTerm)
    held = scope.held.get(name.name) if not name.path else None
    value: bool | None
    match expression.quality:
        case "pleaded":
            value = name.name in scope.pleas
        case "yes" | "no":
            said = scope.named(name).value
            value = None if said is None else said is (expression.quality == "yes")
        case "proved":
            unclear = held is not None and held.unclear
            value = (
                None
                if unclear
                else held.proved
                if held is not None
                else scope.named(name).value not in (None, False, ())
            )
        case "admitted":
            value = held is not None and held.state in ("admitted", "uncontested")
        case "open":
            value = held.state == "open" if held is not None else scope.named(name).value is None
        case "empty":
            found = scope.named(name).value in (None, ())
            value = None if found and held is not None and held.unclear else found
    if value is None:
        return FormulaValue(None, missing=(name.name,))
    return FormulaValue(value is not expression.negated)
