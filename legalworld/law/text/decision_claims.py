"""Which claim an item answers: by the words for what is paid or done, and by sums that are the same."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Final

from ...model.decision import Amount, Claim
from .amounts import stated_total
from .lexicon import pattern
from .money import Money, sums
from .numerals import fold

ENOUGH: Final = Decimal("0.5")  # of the pairs of characters of a label stand in the claim
AHEAD: Final = Decimal("0.2")  # by so much the nearest claim is nearer than the next
SAME_SUM: Final = Decimal("0.6")


def claim_amount(text: str, currency: str) -> Amount | None:
    """The one sum that a claim is for; None where it states none, or several that nobody added up."""
    value = stated_total(text, currency)
    return Amount(value=value, currency=currency) if value is not None else None


def claim_sum(text: str) -> Amount | None:
    """The one sum that a claim is for, in whatever currency; None where its words tell of several."""
    told = {one.currency for one in sums(fold(text)) if isinstance(one, Money) and one.currency}
    return claim_amount(text, told.pop()) if len(told) == 1 else None


def costs_alone(text: str) -> bool:
    """Whether a claim is for costs; where it states a sum besides, it is for that, too."""
    return pattern("decision", "costs_claim").search(fold(text)) is not None


def nearest(label: str, sums: Iterable[Amount | None], claims: Sequence[Claim]) -> tuple[str, ...]:
    """The id of the claim that some words and sums answer; none where several are as near, or nothing is."""
    if len(claims) == 1:
        return (claims[0].id,)
    known = [one for one in sums if one is not None]
    ranked = sorted(((_nearness(label, known, claim), claim.id) for claim in claims), key=lambda one: -one[0])
    if not ranked or ranked[0][0] < ENOUGH:
        return ()
    if len(ranked) > 1 and ranked[0][0] - ranked[1][0] < AHEAD:
        return ()
    return (ranked[0][1],)


def _nearness(label: str, sums: Sequence[Amount], claim: Claim) -> Decimal:
    pairs = _pairs(label)
    shared = Decimal(len(pairs & _pairs(claim.text))) / len(pairs) if pairs else Decimal(0)
    return shared + (SAME_SUM if claim.amount is not None and claim.amount in sums else 0)


def _pairs(text: str) -> set[str]:
    kept = "".join(sign for sign in fold(text) if sign.isalpha())
    return {kept[at : at + 2] for at in range(len(kept) - 1)}
