"""Sums as people of several countries write them: one value wherever it is read, or two readings, and never another."""

from __future__ import annotations

import random
from decimal import Decimal

import pytest

from legalworld.language.amounts import amounts
from legalworld.language.values import number_in

CHANCE = random.Random("sums of countries")


def grouped(number: int, mark: str, indian: bool = False) -> str:
    digits = str(number)
    if indian and len(digits) > 3:
        head, tail = digits[:-3], digits[-3:]
        parts = [head[max(0, end - 2) : end] for end in range(len(head), 0, -2)][::-1]
        return mark.join((*parts, tail))
    return f"{number:,}".replace(",", mark)


def written(number: int) -> list[tuple[str, str, str]]:
    """(how it is written, where, its currency) of a whole sum above a thousand."""
    swiss, german, indian = grouped(number, "'"), grouped(number, "."), grouped(number, ",", indian=True)
    dashes, euro = (",-", ",--", ",00"), ((" EUR", "EUR"), (" €", "EUR"), ("", ""))
    rupees = ("Rs. ", "Rs ", "₹", "INR ")
    return [
        *(
            (f"{sign}{swiss}{end}", "de-CH", "CHF")
            for sign in ("CHF ", "Fr. ", "SFr. ")
            for end in (".-", ".--", ".00")
        ),
        *((f"{german}{end}{sign}", "de", code) for end in dashes for sign, code in euro),
        *((f"{sign}{indian}{end}", "en-IN", "INR") for sign in rupees for end in ("", ".00")),
        (f"R$ {german},00", "pt", "BRL"),
        (f"£{grouped(number, ',')}.-", "en", "GBP"),
    ]


@pytest.mark.parametrize("number", [CHANCE.randrange(1000, 10 ** CHANCE.randint(4, 8)) for _ in range(8)])
def test_a_sum_is_read_as_its_country_writes_it(number: int) -> None:
    for text, locale, code in written(number):
        found = amounts(text, locale)
        assert [(one.value, one.currency) for one in found] == [(Decimal(number), code)], text
        in_condition = number_in(text, locale)
        assert in_condition is not None and Decimal(in_condition.value) == number, text


SCALES = {
    "k": 10**3, "Tsd.": 10**3, "Mio": 10**6, "Mio.": 10**6, "mln": 10**6, "million": 10**6, "Mrd.": 10**9, "Mrd": 10**9,
    "bn": 10**9, "lakh": 10**5, "lakhs": 10**5, "crore": 10**7, "crores": 10**7,
}  # fmt: skip


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("frame", ["{} {}", "EUR {} {}", "{} {} EUR", "₹{} {}"])
@pytest.mark.parametrize("number", ["2", "1.2", "35"])
def test_what_counts_in_thousands_and_more_is_never_taken_for_a_unit(scale: str, frame: str, number: str) -> None:
    """A condition that compares `2 Mio` with 100 must not see a 2."""
    text = frame.format(number, scale)
    for locale in ("en", "de", "zh"):
        right = Decimal(number) * SCALES[scale]
        assert [one.value for one in amounts(text, locale)] == [right], text
        found = number_in(text, locale)
        assert found is not None and Decimal(found.value) == right, (text, locale)


@pytest.mark.parametrize("text", ["Fr. 1.200", "Rs. 1.250", "1.200 Fr."])
def test_what_has_two_readings_keeps_both_where_the_language_does_not_tell(text: str) -> None:
    assert len(amounts(text, "en")) == 2 and number_in(text, "en") is None
    assert len(amounts(text, "de")) == 1
