"""Numbers in sentences and in what they are compared with: figures, Chinese numerals, sums in tens of thousands."""

from __future__ import annotations

import re
from math import prod
from typing import Final
from unicodedata import normalize, numeric

from ...model.numbers import figure
from .keywords import ALSO_NUMERALS, MONEY_UNITS, MYRIADS, NUMERALS, TENS


def numeral(text: str) -> int | None:
    """三 -> 3, 三十 -> 30, 一百二十 -> 120, 五万 -> 50000; None for anything else."""
    for sign in MYRIADS:
        above, found, below = text.partition(sign)
        if found:
            head, rest = numeral(above), numeral(below) if below else 0
            return None if head is None or rest is None else head * MYRIADS[sign] + rest
    return _below_myriad(text)


def _below_myriad(text: str) -> int | None:
    total, digit = 0, -1
    for character in text:
        character = ALSO_NUMERALS.get(character, character)
        if character in TENS:
            total += TENS[character] * (1 if digit < 0 else digit)
            digit = -1
        elif character in NUMERALS and digit <= 0:  # a digit after 〇, as in 一百〇五
            digit = NUMERALS.index(character)
        else:
            return None
    return total + max(digit, 0) if text else None


_IN_MYRIADS: Final = re.compile(rf"(-?\d+(?:\.\d+)?)([{''.join(MYRIADS)}]+)(.{{0,3}})")
_LONGEST_AMOUNT: Final = 40


def amount(text: str) -> float | None:
    """The one number that a text is: 80, 50,000, £1,650, 5.5万元, 五万元; None where it is none, or more than one."""
    if len(text) > _LONGEST_AMOUNT:
        return None
    plain = figure(text)
    if plain is not None:
        return float(plain)
    word = normalize("NFKC", text).replace(",", "").strip()
    found = _IN_MYRIADS.fullmatch(word)
    if found is not None and not any(numeric(sign, None) is not None for sign in found[3]):
        return float(found[1]) * prod(MYRIADS[sign] for sign in found[2])
    spelt = numeral(next((word.removesuffix(unit) for unit in MONEY_UNITS if word.endswith(unit)), word))
    return float(spelt) if spelt is not None else None
