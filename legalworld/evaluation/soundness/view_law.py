"""What the law says of a decision by tables: fees by the sum in dispute, the highest rate, laws in force on a day."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from decimal import ROUND_HALF_UP, Decimal

from ...law.text.lexicon import pattern
from ...law.text.numerals import fold
from ...law.text.times import Date, Period, times
from ...model.decision import Amount, Claim, CostItem, InterestOrder
from .audited import Audited
from .schema import Held, Node, NotRead

FIRST = 1


def day_of(iso: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(iso)
    except ValueError:
        return None


def by_table(item: CostItem, audited: Audited) -> Held | NotRead:
    """Whether the fee for hearing a case is that of the table, or half of it; open unless all that is claimed is money.

    Of disputes that have fees of their own, and of sums that grow, no table tells.
    """
    table, decision = audited.tables.get("fee"), audited.decision
    asked = [one for one in audited.claims if not one.costs]
    sums = [amount for one in asked if (amount := _so_far(one)) is not None]
    said = "\n".join((audited.cause, *(fold(one.text) for one in asked))) if audited.cause else audited.before
    odd = pattern("decision", "other_fee").search(said) is not None
    grows = any(pattern("decision", "accrues").search(one.text) and not _reckoned_to(one) for one in asked)
    if (
        table is None
        or decision.instance != FIRST
        or item.below
        or odd
        or grows
        or not asked
        or len(sums) != len(asked)
        or pattern("decision", "counterclaim").search(audited.folded) is not None
    ):
        return NotRead("table")
    if item.amount is None or pattern("decision", "hearing_fee").search(item.item) is None:
        return NotRead("amount")
    if {one.currency for one in (*sums, item.amount)} != {item.amount.currency}:
        return NotRead("currency")
    whole = table.table.scaled(sum((one.value for one in sums), Decimal(0)))
    if whole is None:
        return NotRead("table")
    right = {whole, whole / 2} | {one.quantize(Decimal(1), ROUND_HALF_UP) for one in (whole, whole / 2)}
    return Held(item.amount.value in right or item.amount.value.quantize(Decimal("0.1")) in right, asked[0].origin)


def _reckoned_to(claim: Claim) -> re.Match[str] | None:
    """The sum that a claim which grows says it has come to by a day."""
    return pattern("decision", "so_far").search(fold(claim.text))


def _so_far(claim: Claim) -> Amount | None:
    """What a claim counts for: the sum that it is for, or has come to by the day that it says."""
    found = _reckoned_to(claim)
    if found is None or claim.amount is None:
        return claim.amount
    return claim.amount.model_copy(update={"value": Decimal(found["sum"].replace(",", ""))})


def within_cap(interest: InterestOrder, audited: Audited) -> Held | NotRead:
    """Whether the rate of a loan among people is at most four times the published one; open where the day is not told.

    The day is the one on which, as the text says, the loan was made; of several days nothing is told.
    """
    table = audited.tables.get("loan rate")
    lent = list(pattern("decision", "lent").finditer(audited.before))
    days = {
        one.iso
        for found in lent
        for one in times(found["day"] or found["made"])
        if isinstance(one, Date) and not one.wrong
    }
    day = day_of(days.pop()) if len(days) == 1 else None
    if table is None or interest.rate is None or day is None or not pattern("decision", "loan").search(audited.before):
        return NotRead("rate")
    rate = table.table.on(day)
    if rate is None or (table.since is not None and day < table.since):
        return NotRead("table")
    yearly = interest.rate * {"year": 1, "month": 12, "day": 365, "": 1}[interest.per]
    return Held(yearly <= rate * 4, audited.at(*lent[0].span()))


def cites_view(audited: Audited) -> Iterator[Node]:
    """The articles that a decision rests on, each with whether its law was in force."""
    days = _days(audited)
    for cite in audited.decision.cites:
        if cite.where == "basis":
            values = {"law": Held(cite.law, cite.origin), "in_force": _in_force(cite.law, days, audited)}
            yield Node("cite", f"{cite.law} {cite.article}", values, {}, cite.origin)


def _in_force(law: str, days: list[datetime.date], audited: Audited) -> Held | NotRead:
    """Whether a law was in force: not yet on the day of the judgment it was not; no more on any day that is told.

    An old law holds for what happened under it, so that one day before its end leaves the question open.
    """
    span = next((one for one in audited.laws if one.law == law), None)
    judged = day_of(audited.judged)
    if span is None or judged is None:
        return NotRead("law")
    if days and judged < max(days):
        return NotRead("day")  # what was taken for the day of the judgment may be another
    place = audited.at(max(0, len(audited.text) - 40), len(audited.text))
    if span.since is not None and judged < span.since:
        return Held(False, place)
    if span.until is not None and judged >= span.until:
        return NotRead("day") if any(day < span.until for day in days) or not days else Held(False, place)
    return Held(True, place)


def _days(audited: Audited) -> list[datetime.date]:
    """Every day that is told before the operative part."""
    found: list[datetime.date] = []
    for one in times(audited.before):
        for point in (one.since, one.until) if isinstance(one, Period) else (one,):
            day = day_of(point.iso) if isinstance(point, Date) and not point.wrong else None
            found += [day] if day is not None else []
    return found
