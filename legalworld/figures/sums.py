"""Exact arithmetic on sums as they are written: texts in, texts out, cents kept."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from ..model.numbers import figure

CENT: Final = Decimal("0.01")
LONGEST: Final = 30  # characters of a number


def read_sum(words: str) -> Decimal | None:
    """937569.91, 1,000,000, 5%, €14,200: the number; None for anything else, and where it can be read in two ways."""
    plain = words.strip().removesuffix("%")
    value = figure(plain) if len(plain) <= LONGEST else None
    number = Decimal(value) if value is not None else None
    return number if number is not None and abs(number) < Decimal(10) ** 15 else None


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


def add_up(words: Iterable[str]) -> Decimal:
    """The sum of all that are numbers."""
    return sum((number for one in words if (number := read_sum(one)) is not None), Decimal(0))
