"""What the numbers that a panel votes for come to: their median or their mean, of one currency."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import ROUND_HALF_UP, Decimal
from typing import Final

from ..language.values import number_in, one_currency
from ..model.numbers import WrittenNumber

_CENTS: Final = Decimal("0.01")


def average_of(values: Sequence[str], kind: str, locale: str) -> str:
    """Return the `median` or the `mean` of some numbers, to two places at most, with their currency.

    Of an even number of them the median lies half-way between the two in the middle. "" where there is none, where one
    is no number, or where two are of different currencies.
    """
    numbers = [number_in(value, locale) for value in values]
    found = [number for number in numbers if number is not None]
    currency = next((number.currency for number in found if number.currency), "")
    if not found or len(found) < len(numbers) or not all(one_currency(currency, one.currency) for one in found):
        return ""
    sums = sorted(Decimal(number.value) for number in found)
    counted = sums[(len(sums) - 1) // 2 : len(sums) // 2 + 1] if kind == "median" else sums
    average = sum(counted, Decimal()) / len(counted)
    rounded = average.quantize(_CENTS, ROUND_HALF_UP)
    plain = format(rounded.normalize() if rounded != rounded.to_integral() else rounded.to_integral(), "f")
    return WrittenNumber(plain, currency).kept
