"""Sums of money, rates and numbers as people write them: every reading, so that what has two can be told.

100万元, 1,000,000元, 壹佰万元, 1e6, EUR 1.000.000,00, 3万5千, £1.2m; 15.4%, 月息1.5%, 日万分之五, 8% a year.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import cache
from typing import Final
from unicodedata import normalize

from ..model.case import TitledChoice, Typed
from ..model.immutable import immutable
from ..model.numbers import CODES, PER_CENT, SIGNS, WrittenNumber, own_currency, plain_numbers, with_cents
from ..model.punctuation import joined
from ..model.text import folded
from .sentences.quantities import (
    CURRENCY_WORDS,
    FORMAL_NUMERALS,
    MONEY_UNITS,
    MYRIADS,
    NUMERALS_BELOW_MYRIAD,
    OF_OTHERS,
    PARTS_OF_MONEY,
    RATE_COPULAS,
    RATE_PARTS,
    RATE_PERIODS,
    ROUND_SUM,
    SCALES,
    TENS,
    numeral,
)

LONGEST: Final = 60  # characters of a sum, a rate or a number
LEAST_SPOKEN_UNIT: Final = 10  # behind ten a digit is what it is
_DIGITS: Final = r"\d(?:[\d.,'\u2019 ]*\d)?"
_EXPONENT: Final = re.compile(r"\d+(?:\.\d+)?[eE]\+?\d{1,2}")
_MINUS: Final = re.compile(r"\s*[-\u2212]\s*")


@immutable
class MoneyAmount:
    """A sum of money; `currency`: its code, or a sign that several currencies share; "" where none was written."""

    value: Decimal
    currency: str = ""


def amounts(text: str, locale: str) -> tuple[MoneyAmount, ...]:
    """The sums that a text may be: none, the one that it is, or two where it can be read in two ways."""
    word = with_cents(_plain(text)).rstrip(ROUND_SUM).strip()
    minus, word = _signed(word)
    before, word = _currency(word, front=True)
    minus, word = (minus, word) if minus else _signed(word)
    found, behind = _with_parts(word, locale), own_currency("zh")
    if not found:
        behind, word = _currency(word, front=False)
        found = quantities(word, locale, money=True)
    if before and behind and not SIGNS.get(before, {before}) & SIGNS.get(behind, {behind}):
        return ()
    currency = before if behind in SIGNS or not behind else behind
    return tuple(MoneyAmount(-value if minus else value, currency or behind) for value in found)


def numbers(text: str, locale: str, unit: str = "") -> tuple[Decimal, ...]:
    """The numbers that a text may be, with the unit behind it or without."""
    minus, word = _signed(_plain(text))
    if unit and word.endswith(unit):
        word = word.removesuffix(unit).strip()
    return tuple(-value if minus else value for value in quantities(word, locale))


def rates(text: str, locale: str) -> tuple[Decimal, ...]:
    """The per cent a year that a text may be: 15.4, 15.4%, 月息1.5% (18), 日万分之五 (18.25 or 18).

    A bare number below one may be a per cent, or a part of one.
    """
    minus, word = _signed(_plain(text))
    periods, word = _period(word)
    part = next((name for name in RATE_PARTS if word.startswith(name)), "")
    sign = word[-1:] if word[-1:] in ("%", "‰") else ""
    found = quantities(word.removeprefix(part).removesuffix(sign).strip(), locale)
    scales = [Decimal(100) / RATE_PARTS[part] if part else Decimal("0.1") if sign == "‰" else Decimal(1)]
    if not part and not sign and not periods and any(0 < value < 1 for value in found):
        scales.append(Decimal(100))
    values = (value * scale * times for value in found for scale in scales for times in periods or (1,))
    return tuple(dict.fromkeys(-value if minus else value for value in values))


def quantities(text: str, locale: str, *, money: bool = False) -> tuple[Decimal, ...]:
    """What a number without a unit may come to: in digits, in Chinese numerals, in thousands, or mixed."""
    word = text.strip()
    if not word or len(word) > LONGEST:
        return ()
    if _EXPONENT.fullmatch(word):
        return (Decimal(word),)
    plain = word.translate(FORMAL_NUMERALS)
    found = _in_numerals(plain) or _in_digits(word, locale, money)
    return (found[0], found[0] + _more(plain)) if len(found) == 1 and _more(plain) else found


def _more(word: str) -> Decimal:
    """By how much a number is more where its last digit is said for the next lower unit: one myriad and five."""
    unit = {**TENS, **MYRIADS}.get(word[-2:-1], 0)
    digit = Decimal(word[-1]) if word[-1:].isdecimal() else Decimal(numeral(word[-1:]) or 0)
    return (
        digit * (Decimal(unit) / 10 - 1) if unit > LEAST_SPOKEN_UNIT and 0 < digit < LEAST_SPOKEN_UNIT else Decimal(0)
    )


# ---- parts of a text -------------------------------------------------------------------------------------------------


def _plain(text: str) -> str:
    return " ".join(normalize("NFKC", text[: LONGEST + 1]).split())


def _signed(word: str) -> tuple[bool, str]:
    """Whether a minus stands in front, and the text without it."""
    minus = _MINUS.match(word)
    return (minus is not None, word[minus.end() :] if minus is not None else word)


@cache
def _currencies() -> tuple[tuple[str, str], ...]:
    """Every way to write a currency, the longest first, and its code or shared sign."""
    words = {
        **{code.lower(): code for code in CODES},
        **CURRENCY_WORDS,
        **{sign.lower(): _alone(sign) for sign in SIGNS},
    }
    words |= {"rmb": "CNY", "euro": "EUR", "euros": "EUR", "yuan": "CNY", "renminbi": "CNY", "pounds": "GBP"}
    words |= {"pound": "GBP", "dollars": "$", "dollar": "$", "francs": "CHF", "franc": "CHF", "rupees": "INR"}
    words |= {"fr.": "CHF", "fr": "CHF", "sfr.": "CHF", "sfr": "CHF", "rs.": "INR", "rs": "INR", "rupee": "INR"}
    return tuple(sorted(words.items(), key=lambda pair: -len(pair[0])))


def writes_currency(word: str, code: str) -> bool:
    """Return whether a sign, a code or a word can be read as a currency: £, GBP and pounds as GBP, $ as any dollar."""
    named = dict(_currencies()).get(normalize("NFKC", word).strip().lower(), "")
    return code in SIGNS.get(named, {named})


def in_full(text: str, locale: str) -> str:
    """Return a text with its declared unit or currency, or a choice by its title: GBP 1200, 1200 yuan, 3 km, 8%.

    A currency that goes without saying in a language is written with its word, any other with its code.
    """
    if isinstance(text, TitledChoice):
        return text.written
    unit = text.unit if isinstance(text, Typed) else ""
    if not unit or unit == PER_CENT:
        return f"{text}{unit}"
    if unit not in CODES:
        return joined(text, unit)
    own = (word for word, code in CURRENCY_WORDS.items() if code == unit == own_currency(locale))
    return joined(text, word) if (word := min(own, key=len, default="")) else WrittenNumber(text, unit).kept


def beside_currency(before: str, behind: str, code: str) -> bool:
    """Return whether words before or behind a sum already write its currency: a sum of {}, £{}, {} yuan."""
    before, behind = before.rstrip(), behind.lstrip()
    lengths = range(1, 1 + max(len(written) for written, _ in _currencies()))
    return any(writes_currency(before[-n:], code) or writes_currency(behind[:n], code) for n in lengths)


def _alone(sign: str) -> str:
    """The code of a sign that one currency has; the sign itself where several share it."""
    codes = SIGNS[sign]
    return next(iter(codes)) if len(codes) == 1 else sign


def _currency(word: str, *, front: bool) -> tuple[str, str]:
    """The currency at one end of a text, and the rest; letters end where no other letter follows."""
    lower = word.lower()
    for written, code in _currencies():
        if not (lower.startswith(written) if front else lower.endswith(written)) or len(lower) == len(written):
            continue
        rest = word[len(written) :] if front else word[: -len(written)]
        next_to = rest[:1] if front else rest[-1:]
        cut_off = written.isascii() and written.isalpha() and next_to.isascii() and next_to.isalpha()
        if cut_off and not (not front and rest[:-1] and rest[-1:].lower() in SCALES):
            continue
        return code, rest.strip()
    return "", word


def _period(word: str) -> tuple[tuple[int, ...], str]:
    """How many of the periods that a rate is for a year has, and the text without them."""
    lower = folded(word)
    for written in sorted(RATE_PERIODS, key=len, reverse=True):
        if lower.startswith(written):
            return RATE_PERIODS[written], word[len(written) :].lstrip(RATE_COPULAS)
        if lower.endswith(written):
            return RATE_PERIODS[written], word[: -len(written)].rstrip(" /")
    return (), word


def _with_parts(word: str, locale: str) -> tuple[Decimal, ...]:
    """A sum with tenths and hundredths of its unit; none where it has no such parts."""
    at = max(map(word.find, MONEY_UNITS))
    parts = (
        PARTS_OF_MONEY.fullmatch(word[at + 1 :].translate(FORMAL_NUMERALS))
        if at > 0 and word[at - 1] not in OF_OTHERS
        else None
    )
    if parts is None or not (parts["tenths"] or parts["cents"]):
        return ()
    smaller = [quantities(parts[name] or "0", locale) for name in ("tenths", "cents")]
    if not all(len(found) == 1 for found in smaller):
        return ()
    rest = smaller[0][0] / 10 + smaller[1][0] / 100
    return tuple(whole + rest for whole in quantities(word[:at], locale, money=True))


# ---- numbers ---------------------------------------------------------------------------------------------------------


def _in_numerals(word: str) -> tuple[Decimal, ...]:
    """A number in Chinese numerals, each in its place: 三百五十万, 一亿〇五万."""
    rest = word
    for sign in MYRIADS:
        above, found, rest = rest.rpartition(sign) if rest.count(sign) == 1 else ("", "", rest)
        if found and not (above and NUMERALS_BELOW_MYRIAD.fullmatch(above.strip("〇"))):
            return ()
    if not NUMERALS_BELOW_MYRIAD.fullmatch(rest.lstrip("〇")):
        return ()
    value = numeral(word)
    if value is None and _more(word):
        whole, digit = numeral(word[:-1]), numeral(word[-1:])
        value = whole + digit if whole is not None and digit is not None else None
    return (Decimal(value),) if value is not None else ()


def _in_digits(word: str, locale: str, money: bool) -> tuple[Decimal, ...]:
    """A number in digits, or several that each count in less: 100万, 3万5千, 1.2m."""
    pieces = re.findall(rf"({_DIGITS})\s*([^\d\s]*)\s*", word)
    if not pieces or re.sub(r"\s", "", "".join(map("".join, pieces))) != re.sub(r"\s", "", word):
        return ()
    words = (folded(scale.translate(FORMAL_NUMERALS)).rstrip(".") for _, scale in pieces)
    scales = [SCALES.get(word, 0) if word else 1 for word in words]
    if not all(scales) or sorted(set(scales), reverse=True) != scales:
        return ()
    language = locale.partition("-")[0].lower()
    found: Iterable[Decimal] = (Decimal(0),)
    for (digits, _), scale in zip(pieces, scales, strict=True):
        whole = money and scale == 1
        values = plain_numbers(digits, language, whole)
        found = [before + Decimal(value) * scale for before in found for value in values]
    return tuple(dict.fromkeys(found))
