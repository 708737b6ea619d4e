"""Whether sums that an English judgment orders are told before: each for itself, without the interest on them."""

from __future__ import annotations

from decimal import Decimal

from ...law.text.english import english_sums
from ...model.decision import Relief
from .audited import Audited
from .schema import Held, NotRead


def told_in_english(relief: Relief, audited: Audited) -> Held | NotRead:
    """Return whether every sum of an order is told, or is reckoned from two or three that are, before the order.

    Open where the text tells no sum before: an order that stands alone has its reasons in another document.
    """
    assert relief.amount is not None
    said = frozenset(one.amount for one in english_sums(audited.before) if one.currency)
    if not said:
        return NotRead("found")
    running = sum((one.so_far.value for one in relief.interest if one.so_far is not None), Decimal(0))
    ordered = [part.amount.value for part in relief.parts] or [relief.amount.value - running]
    return Held(all(audited.reckoned(value, said) for value in ordered), audited.reasons_at)
