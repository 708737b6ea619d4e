"""Numbers as people write them: a sum without its currency, as English prints it, and small numbers in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from unicodedata import normalize, numeric

from .immutable import immutable

_SIGN = r"(?:(?:US|HK|NZ|[ACSR])?\$|[£€¥₹₩₽฿₺₪₫₴₦])"
CODES: Final = (
    *("USD", "GBP", "EUR", "CNY", "RMB", "HKD", "JPY", "AUD", "CAD", "NZD", "SGD", "CHF", "INR", "SEK", "NOK", "DKK"),
    *("PLN", "CZK", "HUF", "RUB", "TRY", "BRL", "MXN", "ZAR", "KRW", "TWD", "THB", "PHP", "ILS", "VND", "NGN", "UAH"),
)
SIGNS: Final[Mapping[str, frozenset[str]]] = {
    "$": frozenset({"USD", "HKD", "NZD", "AUD", "CAD", "SGD", "MXN", "TWD"}),
    "\u00a5": frozenset({"CNY", "JPY"}),
    **{sign: frozenset({code}) for sign, code in (("US$", "USD"), ("HK$", "HKD"), ("NZ$", "NZD"), ("R$", "BRL"))},
    **{sign: frozenset({code}) for sign, code in (("A$", "AUD"), ("C$", "CAD"), ("S$", "SGD"))},
    **{sign: frozenset({code}) for sign, code in (("£", "GBP"), ("€", "EUR"), ("₹", "INR"), ("₩", "KRW"))},
    **{sign: frozenset({code}) for sign, code in (("₽", "RUB"), ("฿", "THB"), ("₺", "TRY"), ("₪", "ILS"))},
    **{sign: frozenset({code}) for sign, code in (("₫", "VND"), ("₴", "UAH"), ("₦", "NGN"))},
}
"""Sign of a currency -> the codes of those that have it."""
_CODE = f"(?:{'|'.join(CODES)})"
_WORDS = {  # words behind a number that say of what it is a sum, and how that is kept
    **dict.fromkeys(("euro", "euros"), "EUR"),
    **dict.fromkeys(("dollar", "dollars"), "$"),
    **dict.fromkeys(("pound", "pounds"), "£"),
    **dict.fromkeys(("yuan", "renminbi"), "CNY"),
    **dict.fromkeys(("francs", "franc", "fr", "sfr"), "CHF"),
    **dict.fromkeys(("rupees", "rupee", "rs"), "INR"),
}
_ALSO = {"RMB": "CNY"}  # another code for the same currency
_OWN = {"zh": frozenset({"¥", "CNY", "RMB"})}  # the currency that goes without saying where a language is written
PER_CENT: Final = "%"
_BEFORE = re.compile(rf"(?P<minus>-?)\s*(?P<currency>{_SIGN}|{_CODE}(?![A-Za-z]))\s*")
_DIGITS = re.compile(r"[-+]?\d(?:[\d.,'\u2019 ]*\d)?")
_NO_CENTS = re.compile(r"(?<=\d)([.,])[-\u2013\u2014]{1,2}(?![^\W_])")  # a dash for the cents: 14.200,- and 500.--
_LONGEST_UNIT = 3
_SMALL = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SCALES: Final[Mapping[str, int]] = {
    **{"k": 10**3, "thousand": 10**3, "tsd": 10**3, "tausend": 10**3},
    **dict.fromkeys(("mn", "mln", "mio", "mill", "million", "millions", "millionen"), 10**6),
    **dict.fromkeys(("bn", "mrd", "mlrd", "billion", "billions", "milliarden", "milliards"), 10**9),
    **{"tn": 10**12, "trillion": 10**12, "lakh": 10**5, "lakhs": 10**5, "lac": 10**5, "crore": 10**7, "crores": 10**7},
}
"""What stands behind a number that counts in thousands and more, a point behind it or not."""
_SCALES_OF_SUMS = frozenset(SCALES) | {"m", "b", "t"}  # behind a currency: 80 m is a length, $80m is none
_POINT = re.compile(
    r"[-+]?(?:\d+|\d{1,3}(?:(?P<mark>[,' \u2019])\d{3})(?:(?P=mark)\d{3})*|\d{1,2}(?:,\d{2})+,\d{3})(?:\.\d+)?"
)
_COMMA = re.compile(r"[-+]?(?:\d+|\d{1,3}(?:(?P<mark>[.' \u2019])\d{3})(?:(?P=mark)\d{3})*)(?:,\d+)?")
_WITH_POINT = frozenset({"en", "zh", "ja", "ko", "th", "he"})
_WITH_COMMA = frozenset(
    {*("de", "fr", "es", "it", "nl", "pt", "pl", "ru", "tr", "sv", "da", "nb", "no", "fi", "cs", "sk")}
    | {*("el", "id", "vi", "uk", "ro", "hu", "bg", "hr", "sl", "sr", "lt", "lv", "et", "ca")}
)
_CENTS = 2  # places behind the point that a sum of money has


@immutable
class WrittenNumber:
    """A number as it was written, in plain digits with a point; `currency`: of what it is a sum, "" where not said.

    `implied`: the currency that goes without saying in its language, where it was said all the same.
    """

    value: str
    currency: str = ""
    implied: str = ""

    @property
    def kept(self) -> str:
        """The number with its currency: £1650, EUR 4200.00, 80."""
        apart = " " if self.currency.isalpha() else ""
        minus = "-" if self.currency and self.value.startswith("-") else ""
        return f"{minus}{self.currency}{apart}{self.value.removeprefix(minus)}"


def readings(word: str, locale: str = "en") -> tuple[WrittenNumber, ...]:
    """The numbers that some words may be: none, the one that they are, or two where the marks can be read both ways.

    80, 80元, 80 km, $80,000, £1,650.50, 4.200,00 EUR, 14,200 euros, 12,5. The language (`locale`) says which mark is
    the point where both are possible; in a language that nobody has told of, and of a sum of money that would have
    three places behind its point, both stand. None where words hold more than one number, or count in thousands:
    1万元, 20k, 80至90元, 第3次报价80.
    """
    word = with_cents(normalize("NFKC", word).strip())
    before = _BEFORE.match(word)
    if before is not None:
        word = before["minus"] + word[before.end() :]
    match = _DIGITS.match(word)
    if match is None:
        return ()
    currency = before["currency"] if before is not None else ""
    unit = word[match.end() :].strip()
    behind = _currency(unit)
    if not behind and (len(unit) > _LONGEST_UNIT or any(numeric(sign, None) is not None for sign in unit)):
        return ()
    if unit.rstrip(".").lower() in (_SCALES_OF_SUMS if currency else SCALES):
        return ()
    language = locale.partition("-")[0].lower()
    currency = _ALSO.get(currency or behind, currency or behind)
    implied = own_currency(language) if currency in _OWN.get(language, frozenset()) else ""
    kept = "" if implied else currency
    return tuple(WrittenNumber(value, kept, implied) for value in plain_numbers(match[0], language, bool(currency)))


def with_cents(word: str) -> str:
    """Return a sum with noughts for the dash that stands for its cents: 14.200,- and 500.-- as 14.200,00 and 500.00."""
    return _NO_CENTS.sub(r"\g<1>00", word)


def _currency(unit: str) -> str:
    """The currency that stands behind a number; "" where it is none."""
    word = unit.rstrip(".").lower()
    return _WORDS.get(word, "") or (unit if re.fullmatch(f"{_SIGN}|{_CODE}", unit) else "")


_KEPT = re.compile(rf"(?P<minus>-?)(?:(?P<sign>{_SIGN})|(?P<code>{_CODE}) )?(?P<value>-?\d+(?:\.\d+)?)")


def kept_number(text: str) -> WrittenNumber | None:
    """Read what `WrittenNumber.kept` writes: a point is a point, in whatever language. None for anything else."""
    found = _KEPT.fullmatch(text)
    if found is None:
        return None
    return WrittenNumber(found["minus"] + found["value"], found["sign"] or found["code"] or "")


def writes_comma(locale: str) -> bool:
    """Whether a language is known to write a comma for the point of a number."""
    return locale.partition("-")[0].lower() in _WITH_COMMA


def own_currency(locale: str) -> str:
    """The currency that goes without saying in a language, as a code; "" where none does."""
    return "CNY" if locale.partition("-")[0].lower() in _OWN else ""


def plain_numbers(digits: str, language: str, money: bool) -> tuple[str, ...]:
    """What digits and marks come to, with the point of one language or the comma of another."""
    point = re.sub("[,' \u2019]", "", digits) if _POINT.fullmatch(digits) else None
    comma = re.sub("[.' \u2019]", "", digits).replace(",", ".") if _COMMA.fullmatch(digits) else None
    found = tuple(dict.fromkeys(value for value in (point, comma) if value is not None))
    if len(found) < 2:
        return found
    likely = {True: point, False: comma}.get(language in _WITH_POINT) if language in _WITH_POINT | _WITH_COMMA else None
    if likely is None or (money and len(likely.partition(".")[2]) > _CENTS):
        return found
    return (likely,)


def figure(word: str, locale: str = "en") -> str | None:
    """The number that some words are, in plain digits; None where they are none, or might be two."""
    found = readings(word, locale)
    return found[0].value if len(found) == 1 else None


_SUM = re.compile(
    r"(?P<sign>[-\u2212+]?)(?P<before>[^\W\d_]{0,3}[$£€¥]?\s?)"
    r"(?P<digits>\d(?:[\d.,'\u2019\u00a0\u202f ]{0,24}\d)?)(?P<after>(?:\s?[$£€¥]|\s[A-Z]{3})?)"
)
_LONGEST_WHOLE = 15
_IN_GROUPS = {  # between groups of three digits in languages with a comma for the point; a point in the others
    **dict.fromkeys(
        ("fr", "pl", "ru", "uk", "cs", "sk", "sv", "nb", "no", "fi", "hu", "bg", "lt", "lv", "et"), "\u00a0"
    ),
}


def money(text: str, currency: str = "", locale: str = "en", own: str = "") -> str:
    """1480.00 -> £1,480.00 where `currency` is £; in German 1.480,00 £. A sum that has one keeps it: $1,480, EUR 1,480.

    The language says what stands between thousands and for the point. What is no sum in figures, or could be read in
    two ways, stays as it is. `own`: the currency in which the sum is, as a code, where that is another.
    """
    text = WrittenNumber(text.strip(), own).kept if own and kept_number(text.strip()) is not None else text
    found = _SUM.fullmatch(text.strip())
    language = locale.partition("-")[0].lower()
    digits = found["digits"].replace("\u00a0", " ").replace("\u202f", " ") if found else ""
    plain = plain_numbers(digits, language, True) if found else ()
    if found is None or len(plain) != 1:
        return text
    whole, point, cents = plain[0].partition(".")
    if len(whole) > _LONGEST_WHOLE:
        return text
    comma = language in _WITH_COMMA
    grouped = f"{int(whole):,}".replace(",", _IN_GROUPS.get(language, ".") if comma else ",")
    number = f"{grouped}{(',' if comma else '.') + cents if point else ''}"
    written = found["before"].strip() or found["after"]
    if comma and currency and not written:
        return f"{found['sign']}{number}\u00a0{currency}"
    return f"{found['sign']}{'' if written else currency}{found['before']}{number}{found['after']}"


def spelled(word: str) -> str:
    """2 -> two, as English prints numbers up to ten; anything else stays as it is."""
    return dict(zip(map(str, range(len(_SMALL))), _SMALL, strict=True)).get(word, word)
