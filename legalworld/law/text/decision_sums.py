"""The sums, interest and deadline of one item of an operative part."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ...model.decision import Amount, Deadline, InterestOrder, Part
from ...model.immutable import immutable
from .amounts import Interest, Value, amounts
from .decision_people import Mention
from .lexicon import endings, pattern, words
from .money import Money, MoneyRange
from .numerals import read
from .rates import Rate, RateFormula
from .times import Date

SPACERS: Final = " :\uff1a"


@immutable
class OrderClause:
    """The words of an order: the text with its long brackets blotted out, its verb, and who is named in it."""

    text: str
    outer: str
    verb: re.Match[str]
    start: int
    named: tuple[Mention, ...]


def ordered_sums(
    clause: OrderClause, values: Sequence[Value]
) -> tuple[Amount | None, tuple[Part, ...], tuple[str, ...]]:
    """The one sum or the stated total, the sums beside it, and what could not be read."""
    outer: list[Money] = []
    gaps: list[str] = []
    for value in values:
        if value.start < clause.verb.end() or not clause.outer[value.start : value.end].strip():
            continue
        if isinstance(value, MoneyRange):
            gaps.append("amount")
        elif isinstance(value, Money):
            periodic = value.per or pattern("decision", "periodic").search(
                clause.outer, max(0, value.start - 30), value.end
            )
            if value.bound or value.approx or value.differs is not None or not value.currency:
                gaps.append("amount")
            elif periodic:
                gaps.append("periodic")
            else:
                outer.append(value)
    return (*_totalled(clause, outer), tuple(dict.fromkeys(gaps)))


def _totalled(clause: OrderClause, sums: Sequence[Money]) -> tuple[Amount | None, tuple[Part, ...]]:
    totals = [one for one in sums if _is_total(clause.outer, one.start)]
    if pattern("decision", "deducted").search(clause.outer, clause.start) is not None:
        due = [one for one in sums if pattern("decision", "due").search(clause.outer, clause.start, one.start)]
        return (_amount(due[-1]), ()) if due else (None, ())
    if len(sums) == 1:
        return _amount(sums[0]), ()
    if len(totals) == 1:
        within = [one for one in sums if one is not totals[0]]
        return _amount(totals[0]), tuple(_part(clause, one, sums) for one in within)
    return None, tuple(_part(clause, one, sums) for one in sums)


def _is_total(text: str, place: int) -> bool:
    before = text[max(0, place - 8) : place].rstrip(SPACERS)
    before = before.removesuffix(words("decision", "currency")["yuan"])
    return before.rstrip(SPACERS).endswith(endings("decision", "total"))


def _amount(money: Money) -> Amount:
    return Amount(value=money.amount, currency=money.currency)


def _part(clause: OrderClause, money: Money, sums: Sequence[Money]) -> Part:
    low = max([clause.verb.end(), *(one.end for one in sums if one.end <= money.start)])
    return Part(label=_noun(clause, low, money.start), amount=_amount(money))


def _noun(clause: OrderClause, low: int, high: int) -> str:
    """What a sum is for: the words before it, without persons and the name of the currency."""
    for one in clause.named:
        if low <= one.start < high:
            low = one.end
    said = clause.outer[low:high].strip(words("decision", "marks")["around"])
    return said.removesuffix(words("decision", "currency")["yuan"]).strip()


def what_for(clause: OrderClause, parts: Sequence[Part]) -> str:
    if parts:
        return words("decision", "marks")["list"].join(part.label for part in parts)
    figures = [one for one in amounts(clause.outer) if isinstance(one, Money) and one.start >= clause.verb.end()]
    return _noun(clause, clause.verb.end(), figures[0].start if figures else len(clause.outer))


def interest_order(said: Interest) -> InterestOrder:
    rate = said.rate
    return InterestOrder(
        base=_amount(said.base) if said.base is not None and said.base.currency else None,
        named=said.base_text or "",
        rate=rate.rate_pct if isinstance(rate, Rate) else None,
        per=rate.per if isinstance(rate, Rate) and rate.per in ("year", "month", "day") else "",
        formula=rate.formula if isinstance(rate, RateFormula) else "",
        as_of=(rate.as_of or "") if isinstance(rate, RateFormula) else "",
        since=_point(said.since),
        until=_point(said.until),
    )


def _point(point: object) -> str:
    return "" if point is None or (isinstance(point, Date) and point.wrong) else str(getattr(point, "iso", ""))


def deadline(text: str) -> Deadline | None:
    found = pattern("decision", "within").search(text)
    if found is not None:
        event = pattern("decision", "since").search(found.group())
        number = read(found["n"])
        since = words("decision", "event").get(event["event"], "") if event is not None else ""
        months = found["unit"] in words("decision", "months")
        if number is None:
            return None
        return Deadline(
            days=None if months else int(number),
            months=int(number) if months else None,
            business=found["business"] is not None,
            since=since,
        )
    day = pattern("decision", "by_day").search(text)
    if day is not None:
        days = [one for one in amounts(day["day"]) if isinstance(one, Date) and not one.wrong]
        return Deadline(by=days[0].iso) if days else None
    return Deadline(days=0) if pattern("decision", "at_once").search(text) else None
