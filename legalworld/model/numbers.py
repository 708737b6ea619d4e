"""Numbers as people write them: what a sum in figures is without its currency, and small numbers in English words."""

from __future__ import annotations

import re
from unicodedata import normalize, numeric

_CURRENCY = re.compile(
    r"(?P<minus>-?)(?:(?:US|HK|NZ|[ACS])?\$|[£€¥]|(?:USD|GBP|EUR|CNY|RMB|HKD|JPY|AUD|CAD|NZD|SGD|CHF|INR)(?![A-Za-z]))\s*"
)
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_LONGEST_UNIT = 3
_SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_SCALES = frozenset({"k", "mn", "bn", "tn"})  # behind any number
_SCALES_OF_SUMS = _SCALES | {"m", "b", "t"}  # behind a currency: 80 m is a length, $80m is none


def figure(word: str) -> str | None:
    """The number that some words are: 80, 80元, 80 km, $80,000, £1,650.50, EUR 20.

    None where they are none, or more than one, or where a word counts in thousands: 1万元, 20k, 80至90元, 第3次报价80.
    """
    word = normalize("NFKC", word).replace(",", "").strip()
    currency = _CURRENCY.match(word)
    if currency is not None:
        word = currency["minus"] + word[currency.end() :]
    match = _NUMBER.match(word)
    if match is None:
        return None
    unit = word[match.end() :].strip()
    if len(unit) > _LONGEST_UNIT or any(numeric(sign, None) is not None for sign in unit):
        return None
    return None if unit.rstrip(".").lower() in (_SCALES_OF_SUMS if currency else _SCALES) else match[0]


def spelled(word: str) -> str:
    """2 -> two, as English prints numbers up to ten; anything else stays as it is."""
    return dict(zip(map(str, range(len(_SMALL))), _SMALL, strict=True)).get(word, word)
