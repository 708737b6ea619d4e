"""What becomes of a claim, by all that a decision orders and dismisses."""

from __future__ import annotations

from ...model.decision import Claim, Decision, Outcome, Relief
from .money import Money, sums
from .numerals import fold


def outcome_of(claim: Claim, decision: Decision) -> Outcome | None:
    """What becomes of a claim; None where that cannot be told, as where an item was not read."""
    if claim.costs:
        return _of_costs(claim, decision)
    if not decision.whole:
        return None
    named = [relief for relief in decision.reliefs if claim.id in relief.claims]
    rest = any(relief.rest and relief.result == "dismissed" for relief in decision.reliefs)
    granted = [relief for relief in named if relief.result in ("granted", "in_part")]
    if not granted:
        refused = rest or any(relief.result == "dismissed" for relief in named)
        return "dismissed" if refused else None
    if any(relief.result == "in_part" for relief in granted):
        return "in_part"
    whole = _as_asked(claim, granted[0]) if len(granted) == 1 else None
    if whole is None:  # where nothing is dismissed, all that is ordered is all that was asked for
        return None if rest else "granted"
    return "granted" if whole else "in_part"


def _as_asked(claim: Claim, relief: Relief) -> bool | None:
    """Whether an item gives all that a claim asks for: its sum, or the base and the rate of its interest; None where
    the two cannot be compared."""
    if claim.amount is not None and relief.amount is not None:
        same = claim.amount.currency == relief.amount.currency
        return relief.amount.value >= claim.amount.value if same else None
    bases = {one.base.value for one in relief.interest if one.base is not None}
    if relief.amount is None and bases:
        asked = {one.amount for one in sums(fold(claim.text)) if isinstance(one, Money)}
        return False if asked and not bases <= asked else None  # of the same base, the rate and the days may differ
    return None


def _of_costs(claim: Claim, decision: Decision) -> Outcome | None:
    """Costs are granted to whoever bears none of them. Who asks: the side whose claim it is, else the first."""
    side = {party.id: party.side for party in decision.parties}
    asks = claim.by or next((party.side for party in decision.parties if party.side), "")
    bear = {side.get(person, "") for item in decision.costs for share in item.shares for person in share.persons}
    if not bear or "" in bear:
        return None
    return "granted" if asks not in bear else "dismissed" if bear == {asks} else "in_part"
