"""Values that formulas come to: what a value is made of, line by line, or what is missing for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Final, Literal

from ..model import formulas as f
from ..model.calendar import moved
from ..model.decision import Amount, PartOrigin, ReckonedLine
from ..model.immutable import immutable
from .definition import Value

Step = Literal["plus", "minus", "times", "over", "at_most"]

MONTHS_OF_A_YEAR: Final = 12


@immutable
class ReckoningLine:
    """One step of a reckoning; `money`: the value is a sum."""

    label: str
    step: Step
    value: Decimal
    money: bool
    origin: PartOrigin | None = None

    def written(self, currency: str) -> ReckonedLine:
        value = Amount(value=self.value, currency=currency) if self.money and currency else self.value
        return ReckonedLine(label=self.label, operation=self.step, value=value, origin=self.origin)


@immutable
class FormulaValue:
    """A value, or None with what is `missing`; `void`: it is known that there is nothing.

    `told`: bounds within which a court may differ; `passed`: what is missing of rows that were passed over, and of
    bounds; `declined`: why no norm can say.
    """

    value: Value | None
    lines: tuple[ReckoningLine, ...] = ()
    missing: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    money: bool = False
    label: str = ""
    declined: str = ""
    void: bool = False
    passed: tuple[str, ...] = ()

    @property
    def number(self) -> Decimal | None:
        return self.value if isinstance(self.value, Decimal) else None


def nothing(*parts: FormulaValue, told: tuple[str, ...] = ()) -> FormulaValue:
    """Nothing, for want of what some parts want."""
    missing = tuple(dict.fromkeys(name for part in parts for name in part.missing))
    declined = next((part.declined for part in parts if part.declined), "")
    void = any(part.void for part in parts)
    return FormulaValue(None, missing=missing or (() if declined else ("?",)), told=told, declined=declined, void=void)


def combined(left: FormulaValue, right: FormulaValue, operation: f.Operation) -> FormulaValue:
    first, second = left.number, right.number
    if first is None or second is None or (operation == "over" and not second):
        return nothing(left, right)
    act: Mapping[str, Callable[[Decimal, Decimal], Decimal]] = {
        "plus": lambda one, other: one + other,
        "minus": lambda one, other: one - other,
        "times": lambda one, other: one * other,
        "over": lambda one, other: one / other,
    }
    sums = operation in ("plus", "minus") and (left.money or right.money)
    lines = left.lines
    if sums and not left.money:
        lines = tuple(replace(line, money=True) for line in lines)
    if not left.money and right.money and operation == "times":
        return combined(right, left, operation)
    lines = (*lines, *_added(right, operation, money=sums or right.money))
    money = left.money or (right.money and operation != "over")
    if operation == "over" and right.money:
        money = False
    label = left.label if operation in ("times", "over") or left.label == right.label else ""
    told, passed = (*left.told, *right.told), (*left.passed, *right.passed)
    return FormulaValue(act[operation](first, second), lines, told=told, money=money, label=label, passed=passed)


def _added(right: FormulaValue, operation: f.Operation, *, money: bool) -> tuple[ReckoningLine, ...]:
    """The lines of a right side: its own where they can be added one by one, else the one of its value."""
    simple = operation == "plus" and all(line.step in ("plus", "minus") for line in right.lines) and right.lines
    if simple and right.lines:
        return tuple(replace(line, money=money) for line in right.lines)
    origin = next((line.origin for line in right.lines if line.origin is not None), None)
    assert right.number is not None
    return (ReckoningLine(right.label, operation, right.number, money, origin),)


def bounded(left: FormulaValue, most: FormulaValue) -> FormulaValue:
    """A value that another one caps."""
    assert most.number is not None
    origin = next((line.origin for line in most.lines if line.origin is not None), None)
    line = ReckoningLine(most.label, "at_most", most.number, left.money or most.money, origin)
    told, passed = (*left.told, *most.told), (*left.passed, *most.passed)
    return replace(left, value=most.number, lines=(*left.lines, line), told=told, passed=passed)


def capped(found: FormulaValue, most: Decimal, label: str, origin: PartOrigin) -> FormulaValue:
    """A sum that may not go beyond another."""
    line = ReckoningLine(label, "plus", most, True, origin)
    return bounded(found, FormulaValue(most, (line,), money=True, label=label))


def length(since: date, until: date, unit: f.LengthUnit) -> Decimal:
    """How long it is from one day to another, which does not count; a month begun counts by its days of thirty."""
    if until <= since:
        return Decimal(0)
    if unit == "days":
        return Decimal((until - since).days)
    months = (until.year - since.year) * MONTHS_OF_A_YEAR + until.month - since.month
    edge = moved(since, months, "months", 1, "") if months else since
    if edge is not None and edge > until:
        months -= 1
        edge = moved(since, months, "months", 1, "") if months else since
    rest = Decimal((until - edge).days) / 30 if edge is not None else Decimal(0)
    whole = months + min(rest, Decimal(1))
    return whole if unit == "months" else whole / MONTHS_OF_A_YEAR
