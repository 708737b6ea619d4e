"""Numbers as Chinese legal texts write them: cn2an reads the numerals, `tables/numerals.toml` what it does not know."""

from __future__ import annotations

from decimal import Decimal
from functools import cache, lru_cache
from importlib import import_module
from typing import Any
from unicodedata import numeric

from .lexicon import pattern, table, words


@cache
def _replacing(section: str) -> dict[int, str]:
    """What `str.translate` puts for the characters of a section of the table."""
    return str.maketrans(dict(words("numerals", section)))


def fold(text: str) -> str:
    """The text with full-width digits, signs and brackets in one form; every character keeps its place."""
    return text.translate(_replacing("fold"))


@cache
def _cn2an_module() -> Any:
    return import_module("cn2an")  # only here: importing it takes longer than everything else in this package


@lru_cache(maxsize=4096)
def spelled(number: int) -> str:
    """The number in Chinese: 110 -> 一百一十."""
    return str(_cn2an_module().an2cn(number, "low"))


@lru_cache(maxsize=8192)
def read(text: str) -> Decimal | None:
    """The value of a number such as 3.5万, 1,200, 十二万零五百, 贰拾; None where it is none that can be read.

    十二万五 is 125000. Two or more digits without a unit (二三) are None: they may be "two or three".
    """
    text = text.replace(",", "").replace("，", "").replace(" ", "")
    if scaled := pattern("numerals", "arabic_scaled").fullmatch(text):
        digits = Decimal(scaled["digits"])
        if not scaled["unit"]:
            return digits
        unit = _cn2an(table("numerals")["words"]["one"] + scaled["unit"])
        return None if unit is None else digits * unit
    if pattern("numerals", "digits_only").fullmatch(text):
        return None
    return _cn2an(text)


@lru_cache(maxsize=4096)
def read_mixed(text: str) -> Decimal | None:
    """Return the value of a number whose digits are written in figures or in words, as they come (三万5千, 2百零五).

    None where it can be read in two ways: the 5 of 三千5 may be five, or five hundreds left short.
    """
    plain = text.translate(_replacing("variants")).replace(",", "")
    parts = pattern("numerals", "parts").fullmatch(plain)
    if parts is None:
        return None
    total, follows = Decimal(0), False
    for name, scale in (("above", 10**8), ("middle", 10**4), ("below", 1)):
        if not parts[name]:
            continue
        value = _part(parts[name], follows)
        if value is None or (follows and value >= 10_000):
            return None
        total, follows = total + value * scale, True
    return total


def _part(text: str, follows: bool) -> Decimal | None:
    """The value of what stands before 万 or 亿, or behind them; `follows`: whether something stands before it."""
    places = pattern("numerals", "part").fullmatch(text)
    if places is None:
        return None
    total, least = Decimal(0), Decimal(10_000 if follows else 0)
    for name, scale in (("thousands", 1000), ("hundreds", 100), ("tens", 10)):
        if places[name] is not None:
            digit = _digit(places[name] or table("numerals")["words"]["one"])
            if digit is None or digit >= 10:
                return None
            total, least = total + digit * scale, Decimal(scale)
    if places["ones"] is None:
        return total
    ones = _digit(places["ones"])
    if ones is None or (least and (ones >= least or (ones < 10 < least and not places["zero"]))):
        return None
    return total + ones


def _digit(text: str) -> Decimal | None:
    return Decimal(text) if text[0].isdecimal() and text.isascii() else _cn2an(text)


@lru_cache(maxsize=4096)
def ordinal(text: str) -> int | None:
    """The number of an article, paragraph, item, month or day; None where it is none, or where it says two things.

    Digits alone count (六七五, 1〇5), elliptic forms do not: 一百二 may be 102.
    """
    if pattern("numerals", "symbol").fullmatch(text):
        return int(numeric(text))
    plain = text.translate(_replacing("variants"))
    if plain.isascii() and plain.isdigit():
        return int(plain)
    if pattern("numerals", "colloquial").fullmatch(plain):
        return None
    value = _cn2an(plain)
    return int(value) if value is not None and value == int(value) else None


def neighbours(text: str) -> tuple[Decimal, Decimal] | None:
    """Return the ends of a number that names two digits in a row for a range (七八千); None for any other."""
    found = pattern("numerals", "neighbours").fullmatch(text.translate(_replacing("variants")))
    ends = [_cn2an(found[name] + found["unit"]) for name in ("low", "high")] if found is not None else [None]
    digits = [_cn2an(found[name]) for name in ("low", "high")] if found is not None else [None, None]
    low, high = ends[0], ends[-1]
    if low is None or high is None or digits[0] is None or digits[1] != digits[0] + 1:
        return None
    return low, high


def approximate(text: str) -> tuple[Decimal | None, bool]:
    """The value, and whether the number itself says that it is not exact (六千余)."""
    plain = text
    for word in table("numerals")["words"]["about"]:
        plain = plain.replace(word, "")
    return read(plain), plain != text


def plain(value: Decimal) -> str:
    """The value in figures, without an exponent and without zeros at its end."""
    return format(value.normalize(), "f")


def _cn2an(text: str) -> Decimal | None:
    text = text.translate(_replacing("variants"))
    mode = "normal" if not any(character in "0123456789." for character in text) else "smart"
    try:
        return Decimal(str(_cn2an_module().cn2an(text, mode)))
    except (ValueError, KeyError, IndexError, ArithmeticError, TypeError):
        return None
