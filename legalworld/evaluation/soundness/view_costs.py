"""Costs as checks see them: whether the shares are the whole, and whether those who lost bear them."""

from __future__ import annotations

from typing import Final

from ...law.text.decision_costs import SUMS
from ...law.text.decision_people import CaseFrame
from ...model.decision import Claim, CostItem, Decision, total
from .audited import Audited
from .schema import Held, Node, NotRead
from .view_law import by_table

MIXED: Final = "outcome"  # neither side lost on everything, or that cannot be told


def costs_view(audited: Audited) -> tuple[Node, ...]:
    return tuple(_cost(one, at, audited) for at, one in enumerate(audited.decision.costs))


def _cost(item: CostItem, number: int, audited: Audited) -> Node:
    decision, claims, frame = audited.decision, audited.claims, audited.frame
    first = next((share.origin for share in item.shares), None)
    stated = [share.amount for share in item.shares if share.amount is not None]
    gaps = {one.part for one in decision.thin if one.missing == SUMS}
    whole = len(stated) == len(item.shares) and f"costs/{number}/shares" not in gaps
    borne = total(stated) if whole else None
    values: dict[str, Held | NotRead] = {
        "amount": Held(item.amount, item.origin) if item.amount is not None else NotRead("amount"),
        "borne": Held(borne, first) if borne is not None else NotRead("shares"),
        "item": Held(item.item, item.origin),
        "below": Held(item.below),
        "by_table": by_table(item, audited),
        "one_side_lost": _lost(item, decision, claims, frame),
        "fits_outcome": _fits(item, decision, claims, frame),
    }
    return Node("cost", item.item, values, {}, item.origin)


def _lost(item: CostItem, decision: Decision, claims: tuple[Claim, ...], frame: CaseFrame) -> Held | NotRead:
    """Whether one side lost on everything, or appealed in vain."""
    found = _fits(item, decision, claims, frame)
    return (
        Held(False)
        if isinstance(found, NotRead) and found.what == "outcome"
        else found
        if isinstance(found, NotRead)
        else Held(True)
    )


def _fits(item: CostItem, decision: Decision, claims: tuple[Claim, ...], frame: CaseFrame) -> Held | NotRead:
    """Whether whoever lost wholly bears the fee; open where both won something, or where it is not clear who did."""
    bearing = {person for share in item.shares for person in share.persons if share.amount and share.amount.value}
    if not bearing or len(frame.sides) != 2 or not decision.whole:
        return NotRead("shares")
    if decision.instance == 2:
        return _on_appeal(item, decision, bearing)
    loser = _loser(decision, claims, frame)
    if loser is None:
        return NotRead(MIXED)
    origin = decision.reliefs[-1].origin
    return Held({frame.side_of(person) for person in bearing} == {loser}, origin)


def _on_appeal(item: CostItem, decision: Decision, bearing: set[str]) -> Held | NotRead:
    """An appeal that changes nothing is paid for by those who appealed."""
    kept = [fate for fate in decision.fates if not fate.item and fate.result == "kept"]
    appellants = {party.id for party in decision.parties if party.appeals}
    if not kept or item.below or not appellants or decision.remanded:
        return NotRead(MIXED)
    return Held(bearing <= appellants, kept[0].origin)


def _loser(decision: Decision, claims: tuple[Claim, ...], frame: CaseFrame) -> str | None:
    """The side that lost on everything; None where neither did, or where that cannot be told."""
    granted = [one for one in decision.reliefs if one.result == "granted"]
    dismissed = [one for one in decision.reliefs if one.result == "dismissed"]
    if dismissed and not granted:
        return frame.sides[0]
    asked = {one.id: one for one in claims if not one.costs}
    answered = {claim for one in granted for claim in one.claims}
    if dismissed or not granted or not asked or answered != set(asked):
        return None
    for relief in granted:
        claimed = total(asked[one].amount for one in relief.claims if asked[one].amount is not None)  # type: ignore[misc]
        if relief.amount is not None and claimed is not None and relief.amount.value < claimed.value:
            return None
    return frame.sides[1]
