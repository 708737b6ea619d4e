"""Sums of money, rates, dates, periods and lengths of time in Chinese legal text, and the interest clauses they form.

    以937569.91元为基数，自2022年9月13日起至实际清偿之日止，按年利率15.4%计算

is one value: the base, from when to when, at which rate.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

from ...model.immutable import immutable
from .lexicon import TextSpan, apart, endings, pattern, start_of
from .money import Money, MoneyRange, UnclearSum, all_sums, without_bases, without_parts, without_worths
from .numerals import fold
from .rates import Rate, RateFormula, rates
from .times import Date, Duration, Period, Point, times

LONGEST_PUBLISHER: Final = 60  # code points between a day and the rate that was published on it


@immutable
class Interest(TextSpan):
    """Interest on a base, over a period, at a rate; what the clause leaves out is None.

    `base` None with a `base_text`: the base is named, not counted (未付货款).
    """

    base: Money | None
    base_text: str | None = None
    since: Point | None = None
    until: Point | None = None
    rate: Rate | RateFormula | None = None


Value = Money | MoneyRange | UnclearSum | Rate | RateFormula | Date | Period | Duration | Interest


def amounts(text: str) -> tuple[Value, ...]:
    """Every value of a text, in order of where it begins; places are code points of the text.

    None overlap, but an interest clause may enclose values that it has no place for.
    """
    folded = fold(text)
    values: list[Value] = apart([*all_sums(folded), *rates(folded), *times(folded)])
    return tuple(_with_interest(folded, _published(folded, values)))


def stated_total(text: str, currency: str) -> Decimal | None:
    """The sum that a text comes to: the one behind its last "in all", or the only one that it states.

    The base of interest, so much a day, a range, at most so much, a sum of which a share is due, what a thing is worth,
    what another sum is made of are no such sums. None where there is none, one that is not clear, or several that
    nobody added up.
    """
    folded = fold(text)
    stated = [value for value in amounts(text) if isinstance(value, Money | MoneyRange | UnclearSum)]
    if any(not isinstance(value, Money) for value in stated):
        return None
    due = without_worths(folded, without_bases(folded, [value for value in stated if isinstance(value, Money)]))
    sure = without_parts(folded, [value for value in due if not (value.bound or value.per)])
    totals = [value for value in sure if _adds_up(folded, value.start)]
    last = totals[-1:] or sure
    return last[0].amount if len(last) == 1 and last[0].currency == currency else None


def _adds_up(text: str, place: int) -> bool:
    """Whether the word before a sum says that others are in it."""
    while not text.endswith(endings("verdict", "total"), 0, place):
        fill = next((word for word in endings("money", "fill") if text.endswith(word, 0, place)), "")
        if not fill:
            return False
        place -= len(fill)
    return True


def _published(text: str, values: list[Value]) -> list[Value]:
    """A day before "published" and a rate says which day's rate it is."""
    kept: list[Value] = []
    for value in values:
        last = kept[-1] if kept else None
        if isinstance(value, RateFormula) and value.as_of is None and isinstance(last, Date):
            near = value.start - last.end <= LONGEST_PUBLISHER
            if near and pattern("rates", "published").fullmatch(text, last.end, value.start):
                kept[-1] = replace(value, start=last.start, as_of=last.iso)
                continue
        kept.append(value)
    return kept


# ---- interest --------------------------------------------------------------------------------------------------------


def _with_interest(text: str, values: list[Value]) -> list[Value]:
    """The values, those of an interest clause put together."""
    bases = [base for base in pattern("rates", "base").finditer(text) if not _straddled(base, values)]
    kept: list[Value] = []
    place = 0
    for index, base in enumerate(bases):
        limit = bases[index + 1].start() if index + 1 < len(bases) else len(text)
        first = bisect_left(values, base.start(), place, key=start_of)
        kept += values[place:first]
        place = bisect_left(values, limit, first, key=start_of)
        kept += _clause(text, base, values[first:place], limit)
    return _shared_rate(text, sorted([*kept, *values[place:]], key=start_of))


def _straddled(base: re.Match[str], values: Sequence[Value]) -> bool:
    """Whether a value lies across one of the ends: then the words are no base."""
    before = ((place, bisect_left(values, place, key=start_of)) for place in base.span())
    return any(index and values[index - 1].end > place for place, index in before)


def _shared_rate(text: str, values: list[Value]) -> list[Value]:
    """A rate that is said to be that of all: it holds for the interest before it too."""
    for index, value in enumerate(values):
        if not isinstance(value, Interest) or value.rate is None:
            continue
        if pattern("rates", "all").search(text, max(0, value.rate.start - 4), value.rate.start) is None:
            continue
        for place in range(index - 1, -1, -1):
            before = values[place]
            if not isinstance(before, Interest) or before.rate is not None:
                break
            values[place] = replace(before, rate=value.rate)
    return values


def _clause(text: str, base: re.Match[str], values: Sequence[Value], limit: int) -> list[Value]:
    """One base and what follows it, up to the end of the sentence or the bracket that closes before the next base."""
    inside = [value for value in values if value.end <= base.end()]
    money = inside[0] if len(inside) == 1 and isinstance(inside[0], Money) else None
    named = None if money is not None else base["what"].strip()
    kept: list[Value] = [] if money is not None else inside
    begin = inside[-1].end if inside and money is None else base.start()
    current: Interest | None = Interest(begin, base.end(), money, named)
    end = _end(text, base.end(), limit)
    for value in values[len(inside) :]:
        if current is not None and value.start >= end:
            if _continues(text, current, value, end):
                end = _end(text, value.end, limit)
            else:
                kept.append(current)
                current = None
        joined = _join(current, value) if current is not None else None
        if current is not None and joined is None and isinstance(value, Period):
            kept.append(current)
            joined = _join(Interest(value.start, value.end, money, named), value)
        if joined is None:
            kept.append(value)
        else:
            current = joined
    return [*kept, current] if current is not None else kept


def _join(current: Interest, value: Value) -> Interest | None:
    """The clause with one more value in it; None where it has such a one already."""
    match value:
        case Rate() | RateFormula():
            if current.rate is None and (isinstance(value, RateFormula) or value.per is not None):
                return replace(current, rate=value, end=max(current.end, value.end))
        case Period(since=since, until=until):
            free = (since is None or current.since is None) and (until is None or current.until is None)
            if free and not (since is not None and current.until is not None):
                both = replace(current, since=since or current.since, until=until or current.until)
                return replace(both, end=max(current.end, value.end))
    return None


def _end(text: str, place: int, limit: int) -> int:
    """Where the clause ends that goes on at a place: a full stop, a semicolon, a bracket that was opened before."""
    depth = 0
    for mark in pattern("rates", "clause_mark").finditer(text, place, limit):
        sign = mark.group()
        if sign == "\uff08":
            depth += 1
        elif sign == "\uff09" and depth:
            depth -= 1
        elif sign == "\uff09" or not depth:
            return mark.start()
    return limit


def _continues(text: str, current: Interest, value: Value, end: int) -> bool:
    """Whether another period follows the semicolon at once: the same base, at another rate."""
    return (
        isinstance(value, Period)
        and current.rate is not None
        and pattern("rates", "next_period").fullmatch(text, end, value.start) is not None
    )
