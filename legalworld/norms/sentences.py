"""What sentences of norms say once their names have values; values as a record keeps them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from typing import Final

from ..model.decision import SaidValue
from .definition import Because, Event, Sentence, Value
from .formula_values import Scope, holds

_BETWEEN: Final = "\t"
"""Between the parts of a payment in a record."""


def said(sentence: Sentence, scope: Scope) -> tuple[str | SaidValue, ...]:
    """A sentence with its values; () where one of them is not known, so that nothing is said that was not found."""
    parts: list[str | SaidValue] = []
    for one in sentence:
        if isinstance(one, str):
            parts.append(one)
            continue
        found = scope.named(one)
        if found.value in (None, ()):
            return ()
        parts.append(said_value(found.value, money=found.money))
    return tuple(parts)


def said_because(rows: Sequence[Because], scope: Scope) -> tuple[str | SaidValue, ...]:
    """What the first row says whose condition holds and whose values are known; () where none does."""
    return next((text for row in rows if holds(row.when, scope).value is True and (text := said(row.text, scope))), ())


def said_value(value: Value | None, *, money: bool = False) -> SaidValue:
    """A value as a record keeps it."""
    match value:
        case bool():
            return SaidValue(kind="yes", values=("yes" if value else "no",))
        case Decimal():
            return SaidValue(kind="money" if money else "number", values=(str(value),))
        case date():
            return SaidValue(kind="day", values=(value.isoformat(),))
        case tuple():
            events = tuple(_event(one) for one in value if isinstance(one, Event))
            people = tuple(one for one in value if isinstance(one, str))
            return SaidValue(kind="events", values=events) if events else SaidValue(kind="persons", values=people)
    return SaidValue(kind="text", values=(str(value),))


def _event(event: Event) -> str:
    until = event.until.isoformat() if event.until is not None else ""
    return _BETWEEN.join((event.day.isoformat(), str(event.amount), event.payer, event.payee, until))


def read_event(text: str) -> tuple[str, str, str, str, str]:
    """The parts of a payment: day, amount, payer, payee, last day."""
    day, amount, payer, payee, until = text.split(_BETWEEN)
    return day, amount, payer, payee, until
