"""Numbers as people write them: a sum without its currency, as English prints it, and small numbers in words."""

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


_SUM = re.compile(
    r"(?P<sign>[-\u2212+]?)(?P<before>[^\W\d_]{0,3}[$£€¥]?\s?)"
    r"(?P<whole>\d{1,3}(?:,\d{3})+|\d{1,15})(?P<rest>\.\d+)?(?P<after>(?:\s?[$£€¥]|\s[A-Z]{3})?)"
)


def money(text: str, currency: str = "") -> str:
    """1480.00 -> £1,480.00 where `currency` is £; a sum that has one keeps it: $1,480, EUR 1,480, 1,480 USD.

    What is no sum in figures stays as it is.
    """
    found = _SUM.fullmatch(text.strip())
    if found is None:
        return text
    own = found["before"].strip() or found["after"]
    whole = f"{int(found['whole'].replace(',', '')):,}"
    return f"{found['sign']}{'' if own else currency}{found['before']}{whole}{found['rest'] or ''}{found['after']}"


def spelled(word: str) -> str:
    """2 -> two, as English prints numbers up to ten; anything else stays as it is."""
    return dict(zip(map(str, range(len(_SMALL))), _SMALL, strict=True)).get(word, word)
