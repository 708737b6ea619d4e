"""Words of quantities and days: numerals, periods, how a day stands to another, how it is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

# ---- numerals --------------------------------------------------------------------------------------------------------
NUMERALS: Final = "〇一二三四五六七八九"
TENS: Final[Mapping[str, int]] = {"十": 10, "百": 100}
ALSO_NUMERALS: Final[Mapping[str, str]] = {"零": "〇", "两": "二"}


def numeral(text: str) -> int | None:
    """三 -> 3, 三十 -> 30, 一百二十 -> 120; None for anything else."""
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
BEHIND_A_DATE: Final = ("LATER", "EARLIER", "NOTLATER", "NOTEARLIER", "NOTSINCE", "STARTING", "BEFOREHAND")
DAY_KEYS: Final[Mapping[str, str]] = {
    "日期": "on",
    "各日期": "dates",
    "取自": "from",
    "算法": "is",
    "顺延": "rolls",
    "节假日": "holidays",
}
"""Chinese alias of a YAML key -> the key."""

MONTH_NAMES: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
DATE_FORMS: Final[Mapping[str, str]] = {"zh": "{year}年{month}月{day}日", "en": "{day} {name} {year}"}
"""Locale -> how a day is written; in any other locale it is 2024-05-06."""
DATE_MARKS: Final[tuple[str, str, str]] = ("年", "月", "日号")
"""What stands behind the year, the month and the day of a date in Chinese."""


def number_in(text: str) -> float | None:
    """The number that a text says in digits or in Chinese numerals; None for anything else."""
    word = text.strip()
    written = numeral(word) if word else None
    if written is not None:
        return float(written)
    return float(word) if word.isascii() and word.replace(".", "", 1).isdecimal() else None
