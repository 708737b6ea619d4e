"""Sums of money: value, currency, whether it is exact; written twice (in figures and in words) it is one sum."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import zip_longest
from typing import Final

from ...model.immutable import immutable
from .english import EnglishSum, english_sums, joins
from .lexicon import TextSpan, apart, endings, finder, pattern, table, words
from .numerals import approximate, neighbours, read, read_mixed

MIN, MAX = "min", "max"
LOOK: Final = 16  # code points looked at before a number
LONGEST_CLAUSE: Final = 200  # code points in which a word before a sum is looked for
SIGNS: Final = "-~\u81f3\u5230"  # what may join two ends of a range


@immutable
class Money(TextSpan):
    """A sum. `bound`: at least ("min") or at most ("max") so much. `per`: so much each day, month, year.

    `currency` is "" where an English sum names none (2.5 million).

    `differs` is the other value where a sum is written twice and the two say different things; `amount` is then the
    first.
    """

    amount: Decimal
    currency: str
    approx: bool = False
    bound: str | None = None
    per: str | None = None
    differs: Decimal | None = None


@immutable
class MoneyRange(TextSpan):
    """From one sum to another (3至5万元)."""

    low: Decimal
    high: Decimal
    currency: str
    approx: bool = False


@immutable
class UnclearSum(TextSpan):
    """A sum of which nobody can say where its number begins (C11,600元) or that is no number (100-000元)."""

    currency: str


def sums(text: str) -> list[Money | MoneyRange]:
    """Every sum of a folded text that is clear, in order; none overlap."""
    return [money for money in all_sums(text) if not isinstance(money, UnclearSum)]


def all_sums(text: str) -> list[Money | MoneyRange | UnclearSum]:
    """Every sum of a folded text, and each that is not clear."""
    readers = (("amount", _amount), ("prefixed", _prefixed), ("bare", _bare), ("tenths", _tenths))
    read_sums = (read_as(text, match) for key, read_as in readers for match in pattern("money", key).finditer(text))
    chinese = [money for money in read_sums if money is not None]
    unclear = [money for money in chinese if isinstance(money, UnclearSum)]
    clear = [money for money in chinese if not isinstance(money, UnclearSum)]
    found = apart([*(_of_english(text, read) for read in english_sums(text)), *clear])
    return apart([*unclear, *(_clear(text, money) for money in _ranges(text, _once(text, found)))])


def without_bases(text: str, stated: Sequence[Money]) -> list[Money]:
    """The sums without those of which the next one is a share: of 10000元的80%，即8000元 the second."""
    share = pattern("money", "share_of")
    followed = zip_longest(stated, stated[1:])
    return [one for one, other in followed if other is None or share.fullmatch(text, one.end, other.start) is None]


def without_worths(text: str, stated: Sequence[Money]) -> list[Money]:
    """The sums without those that say what a thing is worth, unless it is said that they are to be paid."""
    return [one for one in stated if not _tells_worth(text, one)]


def without_parts(text: str, stated: Sequence[Money]) -> list[Money]:
    """The sums without those that only say what another one before them is made of: in the bracket behind it, or behind
    "of which"."""
    kept: list[Money] = []
    for one in stated:
        if not kept or not _explains(text, kept[-1], one):
            kept.append(one)
    return kept


def _explains(text: str, whole: Money, part: Money) -> bool:
    """Whether a sum stands in the bracket that opens behind another, or behind "of which" in its sentence."""
    between = text[whole.end : part.start]
    opened = pattern("money", "parts_open").match(between)
    if opened is not None and between.count("\uff08") > between.count("\uff09"):
        return True
    return pattern("money", "of_which").search(pattern("money", "closed_bracket").sub("", between)) is not None


def _tells_worth(text: str, money: Money) -> bool:
    word = pattern("money", "worth").search(text, max(0, money.start - LOOK), money.start)
    if word is None or pattern("money", "worth_of").match(text, money.end) is not None:
        return False
    return pattern("money", "worth_paid").search(text, max(0, word.start() - LONGEST_CLAUSE), word.start()) is None


def _clear(text: str, money: Money | MoneyRange) -> Money | MoneyRange | UnclearSum:
    """The sum, unless it is written on to something that may be a part of it."""
    if isinstance(money, MoneyRange) or not text[money.start : money.start + 1].isdigit():
        return money
    low = max(0, money.start - LOOK)
    glued = pattern("money", "glued").search(text, low, money.start)
    if glued is None or pattern("money", "times_sign").search(text, low, money.start) is not None:
        return money
    return UnclearSum(glued.start(), money.end, money.currency)


def written_in_capitals(text: str, money: Money) -> bool:
    return pattern("money", "capital").search(text, money.start, money.end) is not None


def _of_english(text: str, read: EnglishSum) -> Money | MoneyRange:
    """An English sum; in a Chinese sentence, with what that says of it."""
    if read.high is not None and read.amount < read.high:
        return MoneyRange(read.start, read.end, read.amount, read.high, read.currency, read.approx)
    money = Money(read.start, read.end, read.amount, read.currency, read.approx, read.bound, read.per)
    return money if read.approx or read.bound or read.per else _sized(text, money)


# ---- one sum ---------------------------------------------------------------------------------------------------------


def _amount(text: str, match: re.Match[str]) -> Money | MoneyRange | UnclearSum | None:
    """A sum with its unit. What goes on with digits of the other kind before it is read with these, or not at all."""
    number, unit = match["number"], words("money", "unit")[match["unit"]]
    start, whole = _begun(text, match)
    value, approx = (read_mixed(whole), False) if start < match.start() else approximate(number)
    start, prefix = _prefix(text, start)
    currency = unit or (words("money", "prefix")[prefix] if prefix else table("money")["words"]["default"])
    if prefix and unit and words("money", "prefix")[prefix] != unit:
        start, prefix = start + len(prefix), None
    if value is None and (ends := neighbours(number)) is not None:
        return MoneyRange(start, match.end(), *ends, currency)
    if value is None and whole != number:
        return UnclearSum(start, match.end(), currency)
    if value is None or (coins := _coins(match)) is None:
        return None
    return _sized(text, Money(start, match.end(), value + coins, currency, approx))


def _begun(text: str, match: re.Match[str]) -> tuple[int, str]:
    """Where the number of a match begins, and the whole of it: 三万 before 5千 belongs to it, 三 of a name does not."""
    front = pattern("money", "front").search(text, max(0, match.start() - LOOK), match.start())
    if front is None or pattern("money", "goes_on").fullmatch(front["front"]) is None:
        return match.start(), match["number"]
    return front.start(), front["front"] + match["number"]


def _prefixed(text: str, match: re.Match[str]) -> Money | None:
    value, approx = approximate(match["number"])
    if value is None:
        return None
    currency = words("money", "prefix")[match["prefix"]]
    return _sized(text, Money(match.start(), match.end(), value, currency, approx))


def _bare(text: str, match: re.Match[str]) -> Money | None:
    """A sum without its unit: beside a word for what is owed, or before others of a list that ends in the unit."""
    group = next(name for name in ("number", "number_2", "number_3") if match[name])
    value, approx = approximate(match[group])
    if value is None:
        return None
    start, prefix = _prefix(text, match.start(group))
    currency = words("money", "prefix")[prefix] if prefix else table("money")["words"]["default"]
    return _sized(text, Money(start, match.end(group), value, currency, approx))


def _tenths(text: str, match: re.Match[str]) -> Money | None:
    coins = _coins(match)
    start, prefix = _prefix(text, match.start())
    if not coins:
        return None
    currency = words("money", "prefix")[prefix] if prefix else table("money")["words"]["default"]
    return _sized(text, Money(start, match.end(), coins, currency))


def _coins(match: re.Match[str]) -> Decimal | None:
    """Tenths and hundredths behind the unit; None where they cannot be read."""
    total = Decimal(0)
    for group, share in (("tenth", Decimal("0.1")), ("hundredth", Decimal("0.01"))):
        if (written := match[group]) is not None:
            value = read(written)
            if value is None:
                return None
            total += value * share
    return total


def _prefix(text: str, start: int) -> tuple[int, str | None]:
    """The currency before a number, and where it begins; what says "in words" may stand between."""
    low, end = max(0, start - LOOK), start
    while end > low and text[end - 1] in " :":
        end -= 1
    if label := pattern("money", "label_before").search(text, max(low, end - 6), end):
        end = label.start() - text.endswith("\uff08", low, label.start())
    prefix = finder("money", "prefix").find(text, end, low)
    return (end - len(prefix), prefix) if prefix else (start, None)


def _sized(text: str, money: Money) -> Money:
    """With what stands around it: about, at least, a month."""
    low, start, end = max(0, money.start - LOOK), money.start, money.end
    while start > low and text.endswith(endings("money", "fill"), low, start):
        start -= max(len(word) for word in endings("money", "fill") if text.endswith(word, low, start))
    approx = money.approx or text.endswith(endings("money", "about"), low, start)
    approx = approx or text.startswith(endings("money", "around"), end)
    word = finder("money", "at_least", "at_most").find(text, start, low)  # the longest: "not below" ends in "below"
    bound = None if word is None else MIN if word in endings("money", "at_least") else MAX
    bound = MIN if text.startswith(endings("money", "and_above"), end) else bound
    bound = MAX if text.startswith(endings("money", "and_below"), end) else bound
    per = pattern("money", "per_behind").match(text, end)
    if per is None:
        per = pattern("money", "per_before").search(text, max(0, start - 18), start)
    unit = words("money", "per")[per["per"]] if per else None
    return replace(money, approx=approx, bound=bound, per=unit) if approx or bound or unit else money


# ---- several ---------------------------------------------------------------------------------------------------------


def _once(text: str, amounts: list[Money | MoneyRange]) -> list[Money | MoneyRange]:
    """A sum that is written twice counts once."""
    kept: list[Money | MoneyRange] = []
    for money in amounts:
        last = kept[-1] if kept else None
        joined = _same(text, last, money) if isinstance(last, Money) and isinstance(money, Money) else None
        if joined is not None:
            kept[-1] = joined
        else:
            kept.append(money)
    return [_bracketed(text, money) if isinstance(money, Money) else money for money in kept]


def _same(text: str, first: Money, second: Money) -> Money | None:
    gap = pattern("money", "gap").fullmatch(text, first.end, second.start)
    if gap is None or second.start == first.end or first.currency != second.currency:
        return None
    shut = pattern("money", "shut").match(text, second.end) if gap["open"] else None
    labelled = gap["label"] is not None or pattern("money", "label_before").search(text, first.end, second.start)
    capitals = written_in_capitals(text, first) != written_in_capitals(text, second)
    alike = first.amount == second.amount
    figures = any(map(str.isdigit, text[first.start : second.end]))
    if not labelled and not (shut and (capitals or alike)) and not (capitals and alike and figures):
        return None
    differs = second.amount if second.amount != first.amount else first.differs
    return replace(first, end=shut.end() if shut else second.end, differs=differs)


def _bracketed(text: str, money: Money) -> Money:
    """Figures in brackets, without a unit, behind a sum in words."""
    again = pattern("money", "bracketed").match(text, money.end)
    if again is None or not written_in_capitals(text, money):
        return money
    value = read(again["number"])
    if value == money.amount:
        return replace(money, end=again.end())
    clear = again["label"] is not None or "." in again["number"] or "," in again["number"]
    return replace(money, end=again.end(), differs=value) if clear else money


def _ranges(text: str, amounts: list[Money | MoneyRange]) -> list[Money | MoneyRange]:
    kept: list[Money | MoneyRange] = []
    for money in amounts:
        last = kept[-1] if kept else None
        if isinstance(money, MoneyRange):
            kept.append(money)
        elif isinstance(last, Money) and (joined := _reaching(text, last, money)) is not None:
            kept[-1] = joined
        else:
            kept.append(_shared_unit(text, money))
    return kept


def _reaching(text: str, low: Money, high: Money) -> MoneyRange | None:
    if low.currency != high.currency or low.amount >= high.amount or low.end >= high.start:
        return None
    if pattern("money", "equation_behind").match(text, high.end) is not None:
        return None
    if pattern("money", "equation_before").search(text, max(0, low.start - 2), low.start) is not None:
        return None
    chinese = pattern("money", "reach").fullmatch(text, low.end, high.start)
    if chinese is None and not joins(text, low.start, low.end, high.start):
        return None
    return MoneyRange(low.start, high.end, low.amount, high.amount, high.currency, low.approx or high.approx)


def _shared_unit(text: str, money: Money) -> Money | MoneyRange:
    """A range whose lower end leaves its unit out (3-5万元)."""
    if text[money.start - 1 : money.start].strip() not in SIGNS or not money.start:
        return money
    window = text[max(0, money.start - 24) : money.start]
    lower = pattern("money", "low").search(window)
    low = read(lower["low"]) if lower else None
    if lower is None or low is None:
        return money
    scale = pattern("money", "scale").match(text, money.start, money.end)
    if scale and not pattern("money", "scale").match(lower["low"]):
        unit = read(table("numerals")["words"]["one"] + scale["scale"])
        low = low * unit if unit else low
    if low >= money.amount:
        return money
    start, prefix = _prefix(text, money.start - len(window) + lower.start())
    currency = words("money", "prefix")[prefix] if prefix else money.currency
    return MoneyRange(start, money.end, low, money.amount, currency, money.approx)
