"""The account of one debt: what was lent, what came back and when, what is still owed.

Payments go to the interest that is due, then to the principal. A period of whole months bears a twelfth of the yearly
rate for each month; any other bears a 365th for each day. What came back on the day of the loan was never lent.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Final

from ..model.calendar import moved
from ..model.immutable import immutable
from .sums import cents

DAYS_OF_A_YEAR: Final = 365
MONTHS_OF_A_YEAR: Final = 12
LONGEST: Final = 2000  # payments of one account, and months of one period


@immutable
class Payment:
    """`lent`: to the debtor; otherwise to the creditor."""

    day: date
    amount: Decimal
    lent: bool


@immutable
class Account:
    """Where a debt stands behind its last payment.

    `deducted`: came back on the day of a loan; `base`: what was really lent; `paid`: what came back later, and of it
    `interest` and `offset` (on the principal). `principal` is still owed, and bears interest from `due_from` on;
    `arrears` is interest of earlier days that no payment covered, `due` that from `due_from` to the day asked for,
    both of them included, as courts reckon: from 13 September 2022 to 8 January 2024 are 483 days.
    """

    since: date
    lent: Decimal
    deducted: Decimal
    base: Decimal
    count: int
    paid: Decimal
    interest: Decimal
    offset: Decimal
    last: date
    principal: Decimal
    arrears: Decimal
    due_from: date
    due: Decimal


def repeated(first: date, last: date) -> tuple[date, ...]:
    """The same day of every month from the first to the last."""
    days = (moved(first, months, "months", 1, "") for months in range(LONGEST))
    found = []
    for day in days:
        if day is None or day > last:
            break
        found.append(day)
    return tuple(found)


def interest(principal: Decimal, rate: Decimal, start: date, end: date) -> Decimal:
    """What a principal bears from one day to another at so many per cent a year."""
    if end <= start:
        return Decimal(0)
    months = (end.year - start.year) * MONTHS_OF_A_YEAR + end.month - start.month
    yearly = principal * rate / 100
    if 0 < months < LONGEST and moved(start, months, "months", 1, "") == end:
        return cents(yearly * months / MONTHS_OF_A_YEAR)
    return cents(yearly * (end - start).days / DAYS_OF_A_YEAR)


def settled(payments: Sequence[Payment], rate: Decimal, until: date | None = None) -> Account | None:
    """The account of these payments at a yearly rate in per cent; None where nothing was lent before they end."""
    ordered = sorted(payments, key=lambda payment: (payment.day, not payment.lent))
    ordered = [payment for payment in ordered if any(one.lent and one.day <= payment.day for one in ordered)]
    if not ordered or not ordered[0].lent:
        return None
    lending = {payment.day for payment in ordered if payment.lent}
    since = last = ordered[0].day
    principal = arrears = borne = Decimal(0)
    for payment in ordered:
        arrears += interest(principal, rate, last, payment.day)
        last = payment.day
        if payment.lent:
            principal += payment.amount
            continue
        covered = Decimal(0) if payment.day in lending else min(arrears, payment.amount)
        arrears -= covered
        borne += covered
        principal -= payment.amount - covered
    lent = sum((payment.amount for payment in ordered if payment.lent), Decimal(0))
    back = [payment for payment in ordered if not payment.lent]
    deducted = sum((payment.amount for payment in back if payment.day in lending), Decimal(0))
    paid = sum((payment.amount for payment in back), Decimal(0)) - deducted
    return Account(
        since=since,
        lent=lent,
        deducted=deducted,
        base=lent - deducted,
        count=sum(payment.day not in lending for payment in back),
        paid=paid,
        interest=borne,
        offset=paid - borne,
        last=last,
        principal=max(principal, Decimal(0)),
        arrears=arrears,
        due_from=last + timedelta(1),
        due=interest(max(principal, Decimal(0)), rate, last, until) if until else Decimal(0),
    )
