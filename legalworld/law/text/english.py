"""Sums of money in English legal text, in figures: £1,650; US$ 3,000.50; $2.5 million; EUR 20k; 5,000 pounds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Final, Literal

from ...model.immutable import immutable
from .lexicon import TextSpan, pattern, words

LOOK: Final = 24  # code points looked at before a sum
HUNDREDTH: Final = Decimal("0.01")
HALF: Final = Decimal("0.5")


@immutable
class EnglishSum(TextSpan):
    """A sum, or with `high` a range. `currency` "" where none is named (2.5 million)."""

    amount: Decimal
    currency: str
    high: Decimal | None = None
    approx: bool = False
    bound: Literal["min", "max"] | None = None
    per: str | None = None


def english_sums(text: str) -> Iterator[EnglishSum]:
    """Every sum of a folded text that is written as in English; where two overlap, the longer one is right."""
    for match in pattern("english", "prefixed").finditer(text):
        yield _sized(text, _between(match, words("english", "prefix")[match["currency"]]))
    for match in pattern("english", "worded").finditer(text):
        read = _between(match, _entry("unit", match["currency"]))
        coins = Decimal(match["coins"] or 0) * HUNDREDTH
        yield _sized(text, replace(read, amount=read.amount + coins) if read.high is None else read)
    for match in pattern("english", "coins").finditer(text):
        currency = _entry("coin", match["currency"]) if match["currency"] else "GBP"
        yield _sized(text, EnglishSum(*match.span(), _value(match["number"]) * HUNDREDTH, currency))
    for match in pattern("english", "in_words").finditer(text):
        amount = in_figures(match["number"])
        cents = in_figures(match["coins"]) if match["coins"] else Decimal(0)
        if amount is not None and cents is not None:
            currency = _entry("unit", match["currency"])
            yield _sized(text, EnglishSum(*match.span(), amount + cents * HUNDREDTH, currency))
    for match in pattern("english", "halves").finditer(text):
        whole = in_figures(match["whole"]) if match["whole"] else Decimal(0)
        if whole is not None:
            amount = (whole + HALF) * _scale(match["scale"])
            yield _sized(text, EnglishSum(*match.span(), amount, _entry("unit", match["currency"])))
    for match in pattern("english", "scale_alone").finditer(text):
        yield _sized(text, EnglishSum(*match.span(), _value(match["number"]) * _scale(match["scale"]), ""))


def each_of(match: re.Match[str]) -> str | None:
    """The period of "per annum", "a month", "daily" in a match; None where it names none."""
    return (
        _entry("per", match["per"]) if match["per"] else _entry("adverb", match["adverb"]) if match["adverb"] else None
    )


def in_figures(number: str) -> Decimal | None:
    """The value of a number in words: two thousand five hundred and forty-one; None where the words make none."""
    total = group = Decimal(0)
    last, above = Decimal("Infinity"), Decimal("Infinity")  # what may not be reached: within a group, by a scale
    for word in pattern("english", "number_word").findall(number.lower()):
        small = _lower("ones").get(word) or _lower("tens").get(word)
        if small is not None:
            value = Decimal(small)
            if not (value < last and (group % 100 == 0 or (group % 10 == 0 and value < 10 and group % 100 >= 20))):
                return None
            group, last = group + value, value if value < 20 else Decimal(10)
        elif (scale := Decimal(_lower("scale")[word])) == 100:
            if not 0 < group < 10 and not 10 < group < 100:
                return None
            group, last = group * 100, Decimal(100)
        else:
            if not group or scale >= above:
                return None
            total, group, above, last = total + group * scale, Decimal(0), scale, Decimal("Infinity")
    return total + group


def joins(text: str, start: int, end: int, behind: int) -> bool:
    """Whether two sums, the first from `start` to `end`, the second from `behind`, are the ends of a range.

    £500 to £1,000, between £500 and £1,000.
    """
    if pattern("english", "reach").fullmatch(text, end, behind):
        return True
    return bool(pattern("english", "between").fullmatch(text, end, behind)) and _follows(text, start, "from_before")


def _between(match: re.Match[str], currency: str) -> EnglishSum:
    """The sum or range of a match; the scale of its end holds for both where its beginning has none (£2-3 million)."""
    scale = match["scale"] or match["short"]
    amount = _value(match["number"])
    if not match["high"]:
        return EnglishSum(*match.span(), amount * _scale(scale), currency)
    high_scale = match["high_scale"] or match["high_short"]
    low, high = amount * _scale(scale or high_scale), _value(match["high"]) * _scale(high_scale)
    return EnglishSum(*match.span(), low, currency, high)


def _sized(text: str, read: EnglishSum) -> EnglishSum:
    """With what stands around it: about, at least, a month."""
    start, end = read.start, read.end
    approx = _follows(text, start, "about_before")
    bound: Literal["min", "max"] | None = None
    if before := pattern("english", "bound_before").search(text, max(0, start - LOOK), start):
        bound = "min" if before["least"] else "max"
    elif pattern("english", "or_more").match(text, end):
        bound = "min"
    elif pattern("english", "or_less").match(text, end):
        bound = "max"
    each = pattern("english", "each").match(text, end)
    per = each_of(each) if each is not None else None
    return replace(read, approx=approx, bound=bound, per=per) if approx or bound or per else read


def _follows(text: str, start: int, key: str) -> bool:
    return pattern("english", key).search(text, max(0, start - LOOK), start) is not None


def _value(figures: str) -> Decimal:
    return Decimal(figures.replace(",", ""))


def _scale(word: str | None) -> Decimal:
    if not word:
        return Decimal(1)
    return Decimal(_lower("scale").get(word.lower()) or _lower("short_scale")[word.lower()])


def _entry(section: str, word: str) -> str:
    return _lower(section)[word.lower()]


@cache
def _lower(section: str) -> dict[str, str]:
    return {word.lower(): value for word, value in words("english", section).items()}
