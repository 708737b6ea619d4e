"""A text of a case read as the type that its field declares: the value and how it was written, or what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final

from ..model.case import Typed
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.numbers import PER_CENT, SIGNS, WrittenNumber, own_currency
from ..model.plan import Answer
from ..model.source import Span
from ..model.value_types import ValueType
from . import diagnose
from .amounts import MoneyAmount, amounts, numbers, rates
from .dates import days_of_figures, is_part_of_date, names_no_day, read_moment, written
from .sentences.keywords import YES_NO, YES_NO_WORDS, truth
from .spelling import nearest
from .values import number_in, same

LARGEST: Final = Decimal(10) ** 15
HIGHEST_RATE: Final = Decimal(1000)  # per cent a year
SHOWN: Final = 40  # characters of a value that are shown
_CENTS: Final = 2


@immutable
class Slot:
    """Where a value stands, and what it is called."""

    span: Span
    title: str


Read = Typed | Diagnostic


def read_value(kind: ValueType, text: str, locale: str, slot: Slot) -> Read:
    """The text as a value of a type. What a reference names is looked for by who knows the whole case."""
    reader = _READERS.get(kind.kind)
    return reader(kind, text.strip(), locale, slot) if reader is not None else Typed(text, text)


def read_figure(word: str, answer: Answer, span: Span | None = None) -> Read:
    """Return the number, the sum or the day that an answer is, with how it was written; or what is wrong with it.

    `span`: where it stands, unless it is said in a reply.
    """
    if answer.type is not None:
        return read_value(answer.type, word, answer.locale, Slot(span or answer.span, answer.called))
    number = number_in(word, answer.locale)
    if number is None:
        return diagnose.expected_number(span or answer.span, found=word[:SHOWN])
    return Typed(number.kept, word, number.implied)


def _amount(kind: ValueType, text: str, locale: str, slot: Slot) -> Read:
    found = amounts(text, locale)
    if not found:
        return diagnose.invalid_amount(slot.span, title=slot.title, found=text[:SHOWN])
    values = tuple(dict.fromkeys(one.value for one in found))
    if kind.unit and not all(_is_of(one, kind.unit) for one in found):
        return diagnose.foreign_currency(slot.span, title=slot.title, wanted=kind.unit, found=text[:SHOWN])
    read = _one(values, text, slot, LARGEST)
    if isinstance(read, Diagnostic):
        return read
    plain = _money(read)
    currency = "" if kind.unit or _is_of(found[0], own_currency(locale)) else found[0].currency
    return Typed(WrittenNumber(plain, currency).kept, text, kind.unit)


def _is_of(amount: MoneyAmount, currency: str) -> bool:
    """Whether a sum may be of a currency; one that says none is of any."""
    return not amount.currency or currency in (amount.currency, *SIGNS.get(amount.currency, ()))


def _rate(kind: ValueType, text: str, locale: str, slot: Slot) -> Read:
    found = rates(text, locale)
    if not found:
        return diagnose.invalid_rate(slot.span, title=slot.title, found=text[:SHOWN])
    read = _one(found, text, slot, HIGHEST_RATE, "%")
    return read if isinstance(read, Diagnostic) else Typed(plain_number(read), text, PER_CENT)


def _number(kind: ValueType, text: str, locale: str, slot: Slot) -> Read:
    found = numbers(text, locale, kind.unit)
    if not found:
        unit = f" ({kind.unit})" if kind.unit else ""
        return diagnose.invalid_number(slot.span, title=slot.title, unit=unit, found=text[:SHOWN])
    signless = tuple(map(abs, found))
    read = _one(signless, text, slot, LARGEST)
    if isinstance(read, Diagnostic):
        return read
    return Typed(plain_number(found[0]), text, kind.unit)


def _one(values: tuple[Decimal, ...], text: str, slot: Slot, most: Decimal, unit: str = "") -> Decimal | Diagnostic:
    """The one value of several readings that can be."""
    if len(values) > 1:
        shown = " / ".join(f"{plain_number(value)}{unit}" for value in values)
        return diagnose.ambiguous_value(slot.span, title=slot.title, found=text[:SHOWN], readings=shown)
    if not 0 <= values[0] <= most:
        return diagnose.value_out_of_range(slot.span, title=slot.title, found=text[:SHOWN])
    return values[0]


def _date(kind: ValueType, text: str, locale: str, slot: Slot) -> Read:
    moment = read_moment(text)
    if moment is not None:
        day, time = moment
        return Typed(f"{written(day, locale)}{time}", text)
    days = days_of_figures(text, locale)
    if len(days) > 1:
        shown = " / ".join(map(str, days))
        return diagnose.ambiguous_value(slot.span, title=slot.title, found=text[:SHOWN], readings=shown)
    if days:
        return Typed(written(days[0], locale), text)
    if kind.partial and is_part_of_date(text):
        return Typed(text, text)
    if names_no_day(text):
        return diagnose.impossible_date(slot.span, title=slot.title, found=text[:SHOWN])
    return diagnose.invalid_date(slot.span, title=slot.title, found=text[:SHOWN])


def _yes_or_no(kind: ValueType, text: str, locale: str, slot: Slot) -> Read:
    words = yes_and_no(locale)
    said = truth(text)
    if said is None:
        return _no_choice(text, words, slot)
    return Typed(words[not said], text, no=not said)


def yes_and_no(locale: str) -> tuple[str, str]:
    """How a yes and a no are kept in the cases of a language."""
    return YES_NO_WORDS.get(locale.partition("-")[0].lower(), YES_NO)


def _choice(kind: ValueType, text: str, locale: str, slot: Slot) -> Read:
    chosen = next((choice for choice in kind.choices if same(text, choice, locale)), None)
    if chosen is None:
        near = nearest(text[:SHOWN], kind.choices)
        chosen = near if near is not None and _alike(near, text) else None
        if chosen is None:
            return _no_choice(text, kind.choices, slot)
    return Typed(chosen, text)


def _alike(one: str, other: str) -> bool:
    """Whether two texts differ by blanks and letter case alone."""
    return "".join(one.split()).casefold() == "".join(other.split()).casefold()


def _no_choice(text: str, choices: tuple[str, ...], slot: Slot) -> Diagnostic:
    near = nearest(text[:SHOWN], choices)
    return diagnose.invalid_choice_value(slot.span, title=slot.title, found=text[:SHOWN], known=choices, nearest=near)


_READERS: Final[Mapping[str, Callable[[ValueType, str, str, Slot], Read]]] = {
    "amount": _amount,
    "rate": _rate,
    "number": _number,
    "date": _date,
    "yes or no": _yes_or_no,
    "choice": _choice,
}


def plain_number(number: Decimal) -> str:
    """All digits of a number, no noughts behind the last: 1000000, 15.4."""
    return format(number.normalize(), "f") if number else "0"


def _money(number: Decimal) -> str:
    """The same, with two places behind the point where there are any."""
    plain = plain_number(number)
    whole, point, rest = plain.partition(".")
    return f"{whole}.{rest.ljust(_CENTS, '0')}" if point else whole
