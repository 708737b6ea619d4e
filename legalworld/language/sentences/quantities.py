"""Words of quantities and days: numerals, sums, periods, how a day stands to another, how it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from typing import Final
from unicodedata import normalize, numeric

from ...model.numbers import figure, readings

# ---- numerals --------------------------------------------------------------------------------------------------------
NUMERALS: Final = "〇一二三四五六七八九"
TENS: Final[Mapping[str, int]] = {"十": 10, "百": 100, "千": 1000}
MYRIADS: Final[Mapping[str, int]] = {"亿": 100_000_000, "万": 10_000}
MONEY_UNITS: Final = ("元", "圆")
ALSO_NUMERALS: Final[Mapping[str, str]] = {"零": "〇", "两": "二"}


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


def amount(text: str, locale: str = "en") -> float | None:
    """The one number that a text is: 80, 50,000, £1,650, 5.5万元, 五万元; None where it is none, or more than one."""
    if len(text) > _LONGEST_AMOUNT:
        return None
    if len(readings(text, locale)) > 1:
        return None  # it can be read in two ways
    plain = figure(text, locale)
    if plain is not None:
        return float(plain)
    word = normalize("NFKC", text).replace(",", "").strip()
    found = _IN_MYRIADS.fullmatch(word)
    if found is not None and not any(numeric(sign, None) is not None for sign in found[3]):
        return float(found[1]) * prod(MYRIADS[sign] for sign in found[2])
    spelt = numeral(next((word.removesuffix(unit) for unit in MONEY_UNITS if word.endswith(unit)), word))
    return float(spelt) if spelt is not None else None


# ---- days and periods ------------------------------------------------------------------------------------------------
# Terminal of `grammar.lark` -> its spellings in English and in Chinese, as `keywords.py` writes them.
DAY_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "LATER": ("", "晚于"),
    "EARLIER": ("", "早于"),
    "NOTLATER": ("", "不晚于"),
    "NOTEARLIER": ("", "不早于"),
    "WITHIN": ("within", ""),
    "NOTSINCE": ("", "不在"),
    "STARTING": ("", "之日起 起"),
    "INSIDE": ("", "内 以内 之内"),
    "DAYS": ("days day", "日 天"),
    "WORKDAYS": ("working_days working_day business_days business_day", "个工作日 工作日"),
    "WEEKS": ("weeks week", "周 个星期 星期"),
    "MONTHS": ("months month", "个月 月"),
    "YEARS": ("years year", "年"),
}
PERIODS: Final = ("DAYS", "WORKDAYS", "WEEKS", "MONTHS", "YEARS")
BEHIND_A_DATE: Final = (
    "LATER",
    "EARLIER",
    "NOTLATER",
    "NOTEARLIER",
    "NOTSINCE",
    "STARTING",
    "BEFOREHAND",
    "AFTERWARDS",
)


MONTH_NAMES: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
DATE_FORMS: Final[Mapping[str, str]] = {"zh": "{year}年{month}月{day}日", "en": "{day} {name} {year}"}
"""Locale -> how a day is written; in any other locale it is 2024-05-06."""
DATE_MARKS: Final[tuple[str, str, str]] = ("年", "月", "日号")
"""What stands behind the year, the month and the day of a date in Chinese."""

HALF: Final = "半"
_NUMBER: Final = rf"(?:\d{{1,3}}|[{NUMERALS}{''.join(TENS)}{''.join(ALSO_NUMERALS)}]{{1,5}}|{HALF}|an?)"
_SPELT: Final = {name: "|".join(" ".join(DAY_WORDS[name]).split()) for name in ("YEARS", "MONTHS", "DAYS")}
_LENGTH: Final = re.compile(
    rf"(?:(?P<y>{_NUMBER}) ?(?:{_SPELT['YEARS']})(?P<half>{HALF}?))?[零又]?"
    rf"(?: ?(?P<m>{_NUMBER}) ?(?:{_SPELT['MONTHS']}))?[零又]?(?: ?(?P<d>{_NUMBER}) ?(?:{_SPELT['DAYS']}))?"
)
HALF_A_YEAR: Final = 6  # months
HALF_A_MONTH: Final = 15  # days


def length_in(text: str) -> tuple[int, int, int] | None:
    """The years, months and days that a text begins with: 一年六个月, 3年半, 半个月, 8 months; None for none."""
    found = _LENGTH.match(text.strip())
    if found is None or not found[0]:
        return None
    years, months, days = (_whole(found[name]) for name in "ymd")
    months += HALF_A_YEAR * ((found["y"] == HALF) + bool(found["half"]))
    return years, months, days + HALF_A_MONTH * (found["m"] == HALF)


def _whole(text: str | None) -> int:
    if not text or text == HALF:
        return 0
    return int(number_in(text) or text.startswith("a"))


def number_in(text: str) -> float | None:
    """The number that a text says in digits or in Chinese numerals; None for anything else."""
    word = text.strip()
    written = numeral(word) if word else None
    if written is not None:
        return float(written)
    return float(word) if word.isascii() and word.replace(".", "", 1).isdecimal() else None
