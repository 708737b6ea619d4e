"""Words of quantities and days: numerals, sums, periods, how a day stands to another, how it is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import prod
from typing import Final, Literal
from unicodedata import normalize, numeric

from ...model.numbers import SCALES as SCALES_IN_LETTERS
from ...model.numbers import figure, readings

# ---- numerals --------------------------------------------------------------------------------------------------------
NUMERALS: Final = "〇一二三四五六七八九"
TENS: Final[Mapping[str, int]] = {"十": 10, "百": 100, "千": 1000}
MYRIADS: Final[Mapping[str, int]] = {"亿": 100_000_000, "万": 10_000}
MONEY_UNITS: Final = ("元", "圆")
ALSO_NUMERALS: Final[Mapping[str, str]] = {"零": "〇", "两": "二"}


def numeral(text: str) -> int | None:
    """三 -> 3, 十五 -> 15, 一百〇五 -> 105, 五万 -> 50000; None for anything else.

    A numeral is what its number is written as: 百百 is none, and neither is 一百五, which may be 105 or 150. What may
    be left out is the 一 of 一十, and a zero behind 万 and 亿 where hundreds or thousands follow (三万五百).
    """
    plain = "".join(ALSO_NUMERALS.get(character, character) for character in text)
    value = _added(plain)
    if value is None:
        return None
    written = _shortened(in_numerals(value))
    return value if _shortened(plain) in (written, _NEEDLESS_ZERO.sub("", written)) else None


def _added(plain: str) -> int | None:
    """What the signs come to, whether or not anybody writes them like this."""
    for sign, size in MYRIADS.items():
        above, found, below = plain.partition(sign)
        if found:
            head, rest = _added(above), _added(below) if below else 0
            return None if head is None or rest is None else head * size + rest
    total, digit = 0, -1
    for character in plain:
        if character in TENS:
            total += TENS[character] * (1 if digit < 0 else digit)
            digit = -1
        elif character in NUMERALS and digit <= 0:  # a digit after 〇, as in 一百〇五
            digit = NUMERALS.index(character)
        else:
            return None
    return total + max(digit, 0) if plain else None


def in_numerals(number: int) -> str:
    """3 -> 三, 15 -> 一十五, 105 -> 一百〇五, 30500 -> 三万〇五百."""
    if number == 0:
        return NUMERALS[0]
    for sign, size in MYRIADS.items():
        if number >= size:
            head, rest = divmod(number, size)
            zero = NUMERALS[0] if 0 < rest < size // 10 else ""
            return in_numerals(head) + sign + (zero + in_numerals(rest) if rest else "")
    written, gap = "", ""
    for sign, size in (*sorted(TENS.items(), key=lambda one: -one[1]), ("", 1)):
        digit = number // size % 10
        written += f"{gap if written else ''}{NUMERALS[digit]}{sign}" if digit else ""
        gap = "" if digit else NUMERALS[0]
    return written


def _shortened(plain: str) -> str:
    return plain.replace("一十", "十")


_NEEDLESS_ZERO: Final = re.compile("(?<=[万亿])〇(?=.[百千])")


# ---- sums and rates --------------------------------------------------------------------------------------------------
FORMAL_NUMERALS: Final = str.maketrans(
    "壹贰叁肆伍陆柒捌玖拾佰仟萬億零○两貳參陸", "一二三四五六七八九十百千万亿〇〇二二三六"
)
"""Numerals as bills write them, and other forms -> the plain ones."""
SCALES: Final[Mapping[str, int]] = {
    **SCALES_IN_LETTERS,
    "m": 10**6,
    **{"千": 10**3, "万": 10**4, "十万": 10**5, "百万": 10**6, "千万": 10**7, "亿": 10**8, "万亿": 10**12},
}
"""What stands behind a number that counts in thousands and more."""
CURRENCY_WORDS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("人民币元", "元人民币", "人民币", "元", "圆", "块钱", "块"), "CNY"),
    **{"美元": "USD", "美金": "USD", "欧元": "EUR", "英镑": "GBP", "日元": "JPY", "港元": "HKD", "港币": "HKD"},
    **{"瑞士法郎": "CHF", "澳元": "AUD", "加元": "CAD", "新加坡元": "SGD", "韩元": "KRW", "卢布": "RUB"},
}
OF_OTHERS: Final = "美欧日港澳加韩新台"
"""Signs before 元 that make it the money of another country."""
ROUND_SUM: Final = "整正"
"""What stands behind a sum without parts."""
PARTS_OF_MONEY: Final = re.compile("(?:(?P<tenths>[^元角分])角)?(?:〇?(?P<cents>[^元角分])分)?")
"""What stands behind the unit of a sum with parts."""
NUMERALS_BELOW_MYRIAD: Final = re.compile(
    f"(?:[{NUMERALS}]千〇?)?(?:[{NUMERALS}]百〇?)?(?:[{NUMERALS}]?十)?[{NUMERALS}]?"
)
RATE_PARTS: Final[Mapping[str, int]] = {"百分之": 100, "千分之": 1000, "万分之": 10_000}
RATE_COPULAS: Final = " :为是"
RATE_PERIODS: Final[Mapping[str, tuple[int, ...]]] = {
    **dict.fromkeys(("年利率", "年利息", "年化利率", "年化", "年息", "年"), (1,)),
    **dict.fromkeys(("a year", "per year", "per annum", "p.a.", "pa", "yearly", "annually", "annual"), (1,)),
    **dict.fromkeys(("月利率", "月利息", "月息", "每月", "月", "a month", "per month", "monthly"), (12,)),
    **dict.fromkeys(("日利率", "日息", "每日", "每天", "日", "a day", "per day", "daily"), (365, 360)),
}
"""What is said of a rate -> how many such periods a year has; of days, 365 or, as banks count, 360."""

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
DAY_IN_WORDS: Final = re.compile(
    r"(?P<y>[〇一二三四五六七八九]{4})年(?P<m>[一二三四五六七八九十]{1,2})月(?P<d>[一二三四五六七八九十]{1,3})[日号]"
)
TIME_OF_DAY: Final = re.compile(
    r"[\s,T]{0,3}(?:上午|下午|晚上|早上|中午)?\s?(?:at )?"
    r"(?:[01]?\d|2[0-3])(?:[:.]\d{2}(?::\d{2})?(?:\.\d+)?|[时点](?:半|整|\d{1,2}分?)?)?\s?(?:Z|[ap]\.?m\.?|[+-]\d{2}:?\d{2})?"
)
"""What may stand behind a day: at what time."""
PART_OF_DATE: Final = re.compile(
    r"(?P<y>\d{4})(?:\s?年(?:\s?(?P<m>\d{1,2})\s?月)?|[-/.](?P<n>\d{1,2}))?"
    r"|(?P<name>January|February|March|April|May|June|July|August|September|October|November|December),? (?P<z>\d{4})"
)
"""A date without its day, or without day and month."""
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


AVERAGES: Final[Mapping[str, Literal["median", "mean"]]] = {
    **{"median": "median", "mean": "mean"},
    **{"中位数": "median", "平均数": "mean", "平均值": "mean"},
}
"""What the numbers that are voted for come to, where no one of them is chosen: as it is written -> which it is."""


# ---- none at all -----------------------------------------------------------------------------------------------------
_NOTHING: Final = frozenset(
    (
        *("n", "x", "no", "not", "none", "nil", "nothing", "null", "na", "0", ""),
        *"无没不",
        "沒有",
        "没有",
        "暂无",
        "未有",
    )
)
_SIGNS_ALONE: Final = re.compile(r"[\W_]+")


def says_nothing(text: str) -> bool:
    """Whether a text is one of the words that people write where there is nothing: none, N/A, 无, a dash, a cross."""
    return _SIGNS_ALONE.sub("", normalize("NFKC", text)).casefold() in _NOTHING
