"""Exact arithmetic on sums as they are written: texts in, texts out, cents kept."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from ..model.case import Typed
from ..model.immutable import immutable
from ..model.numbers import CODES, SIGNS, WrittenNumber, kept_number, readings

CENT: Final = Decimal("0.01")
LONGEST: Final = 30  # characters of a number


@immutable
class Sum:
    """A number, and of which currency it is a sum: a code, a sign, or "" where none is known.

    `declared`: the currency is not written beside it, but declared for the value it comes of.
    """

    value: Decimal
    currency: str = ""
    declared: bool = False

    def of(self, value: Decimal, *others: Sum) -> Sum:
        """Return a number that comes of this sum and others, in the currency that is known of them."""
        known = [one for one in (self, *others) if one.currency]
        best = next((one for one in known if one.currency not in SHARED), known[0] if known else self)
        return Sum(value, best.currency, bool(known) and all(one.declared for one in known))

    @property
    def words(self) -> str:
        """The sum as money is written, with its currency; one that is only declared is known to the text itself."""
        plain = WrittenNumber(write_money(self.value), "" if self.declared else self.currency).kept
        return Typed(plain, plain, self.currency if self.declared else "")


SHARED: Final = frozenset(sign for sign, codes in SIGNS.items() if len(codes) > 1)
"""Signs that several currencies have."""


def alike(one: Sum, other: Sum) -> bool:
    """Return whether two sums may be of one currency: they say so, one says none, or a sign is of several."""
    ones, others = (SIGNS.get(each.currency, {each.currency}) for each in (one, other))
    return not one.currency or not other.currency or bool({*ones} & {*others})


def read_money(words: str, locale: str = "en") -> Sum | None:
    """Read 937569.91, 1,000,000, 5%, €14,200, CHF 500; a value of a declared type is a sum of its currency.

    None for anything else, and where it can be read in two ways.
    """
    plain = words.strip().removesuffix("%")
    if len(plain) > LONGEST:
        return None
    typed = isinstance(words, Typed)
    kept = kept_number(plain) if typed else None
    found = (kept,) if kept is not None else readings(plain, locale)
    if len(found) != 1 or abs(number := Decimal(found[0].value)) >= Decimal(10) ** 15:
        return None
    unit = words.unit if isinstance(words, Typed) and words.unit in CODES else found[0].implied
    return Sum(number, found[0].currency or unit, bool(unit) and not found[0].currency)


def read_sum(words: str) -> Decimal | None:
    """Read a number alone: what is told of its currency is left out."""
    found = read_money(words)
    return found.value if found is not None else None


def cents(number: Decimal) -> Decimal:
    """To the cent, a half upwards."""
    return number.quantize(CENT, ROUND_HALF_UP)


def write_sum(number: Decimal) -> str:
    """Without cents where there are none: 15634, 937569.91, 15.4 (rates keep what they have, up to two places)."""
    number = cents(number)
    if number == number.to_integral_value():
        return str(number.to_integral_value())
    return str(number.normalize()) if number.as_tuple().exponent else str(number)


def write_money(number: Decimal) -> str:
    """As money is written: 15634, 222569.90 - either no cents, or two places."""
    number = cents(number)
    return str(number.to_integral_value()) if number == number.to_integral_value() else str(number)
