"""A decision reviewed: what was decided below held against what norms give on the old and the new facts, part by part.

Nothing else makes an appeal good. Only those who appeal gain by it; what cannot be decided anew is left as it was, and
told. The decision below is what its document says, wherever that comes from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from decimal import Decimal
from typing import Literal

from ..figures import ledger
from ..figures.sums import cents
from ..language.dates import read_day
from ..model.decision import Amount, CostItem, Decision, FateKind, PartOrigin, Relief, Share
from ..model.decision_frame import within_claim
from ..model.immutable import immutable
from .claims import heads_of
from .costs import rules_for
from .definition import NormSet
from .formula_values import JUDGED
from .material import CaseMaterial

GRANTED = ("granted", "in_part")
UNDECIDED = "undecided"
Disposition = Literal["kept", "changed", "untried", "open"]


@immutable
class ReviewedItem:
    """An item of the decision below and what becomes of it. `order`: what takes its place, where it is changed;
    `untried`: it says of a claim that nothing is decided, so that there is nothing to keep or to change; `barred`: the
    norms give something else anew, and only those would gain who did not appeal, so that it stays."""

    item: str
    fate: FateKind
    order: Relief | None = None
    rest: bool = False
    untried: bool = False
    barred: bool = False


@immutable
class ReviewedDecision:
    """What a review comes to. `items`: those below, in their order; `added`: what is ordered beside them; `rest`: what
    is left of the claims is dismissed anew; `won`: the sides whose appeal gains something; `fees`: of the appeal.

    `untried`: nothing was decided below, though it could have been; `open`: it cannot be decided here either.
    """

    disposition: Disposition
    items: tuple[ReviewedItem, ...]
    added: tuple[Relief, ...] = ()
    rest: bool = False
    won: frozenset[str] = frozenset()
    fees: tuple[CostItem, ...] = ()


def reviewed(
    norms: NormSet, material: CaseMaterial, sides: Sequence[str], decisions: tuple[Decision, Decision]
) -> ReviewedDecision:
    """What becomes of each item of a decision. `sides`: those who appeal; `decisions`: the one below, and the one that
    norms give anew."""
    below, anew = decisions
    claimant = material.claims[0].by if material.claims else ""
    by_part = {claim: relief for relief in anew.reliefs for claim in relief.claims}
    matched = dict(_matched(norms, material, below, anew))
    items: list[ReviewedItem] = []
    won: set[str] = set()
    for relief in below.reliefs:
        one = by_part.get(matched.get(relief.id, ""))
        fate, gains = _fate(relief, one, material, claimant)
        allowed = not gains or bool({*sides} & gains)
        won |= {*sides} & gains
        kept: FateKind = fate if allowed else "kept"
        order, untried = one if kept == "changed" else None, relief.result == UNDECIDED
        items.append(ReviewedItem(relief.item, kept, order, relief.rest, untried, kept != fate))
    answered = {*matched.values()}
    added = tuple(
        relief
        for relief in anew.reliefs
        if claimant in sides and relief.result in GRANTED and not {*relief.claims} & answered and _tried(below, relief)
    )
    won |= {claimant} if added else set()
    left = any(relief.result in ("dismissed", "in_part") for relief in anew.reliefs)
    if added:
        items = [ReviewedItem(one.item, "annulled", None, True) if one.rest else one for one in items]
    disposition = _disposition(items, anew, changed=bool(added))
    fees = tuple(_fees(norms, material, sides, decisions)) if disposition in ("kept", "changed") else ()
    return ReviewedDecision(disposition, tuple(items), added, bool(added) and left, frozenset(won), fees)


def _disposition(items: Sequence[ReviewedItem], anew: Decision, *, changed: bool) -> Disposition:
    settled = any(one.result != UNDECIDED for one in anew.reliefs) and bool(items)
    if changed or any(one.fate in ("changed", "annulled") for one in items):
        return "changed"
    if not settled:
        return "open"
    return "untried" if all(one.untried for one in items) else "kept"


def _tried(below: Decision, relief: Relief) -> bool:
    """Whether a claim was decided below: one that was not goes back there, nobody decides it first on appeal."""
    left = {claim for one in below.reliefs if one.result == UNDECIDED for claim in one.claims}
    return below.whole and not any(within_claim(claim, item) for claim in relief.claims for item in left)


def _matched(norms: NormSet, material: CaseMaterial, below: Decision, anew: Decision) -> Iterator[tuple[str, str]]:
    """Item below -> the claim that it answers: as it is read there, else the only one of its head, else the only one
    that is left for which the same kind of thing is ordered anew."""
    parts = {claim.id: claim for claim in material.claims}
    ordered = {claim: relief.order for relief in anew.reliefs for claim in relief.claims}
    taken: set[str] = set()
    for relief in below.reliefs:
        if relief.rest:
            continue
        named = [claim for claim in relief.claims if claim in parts]
        if len(named) != 1:
            heads = heads_of(relief.object, norms.words.heads)
            left = [one for one in material.claims if one.id not in taken]
            named = [one.id for one in left if one.head in heads[-1:]]
            if not heads and relief.order not in (None, "pay", "return"):
                named = [one.id for one in left if ordered.get(one.id) == relief.order]
        if len(named) == 1:
            taken.add(named[0])
            yield relief.id, named[0]


def _fate(below: Relief, anew: Relief | None, material: CaseMaterial, claimant: str) -> tuple[FateKind, frozenset[str]]:
    """What becomes of an item, and which sides gain by it."""
    if below.result == UNDECIDED:
        return "open", frozenset()
    if below.rest or below.result not in GRANTED:
        return "kept", frozenset()
    if anew is None or anew.result == "undecided":
        return "open", frozenset()
    others = frozenset(party.side for party in material.parties if party.side not in ("", claimant))
    if anew.result == "dismissed":
        return "annulled", others
    first, second = _weight(below, material), _weight(anew, material)
    if first == second and {*below.payers} == {*anew.payers}:
        return "kept", frozenset()
    less = second < first or (first == second and {*anew.payers} < {*below.payers})
    return "changed", others if less else frozenset({claimant})


def _weight(relief: Relief, material: CaseMaterial) -> Decimal:
    """What a relief is worth: its sum, and what its interest comes to by one day."""
    value = relief.amount.value if relief.amount is not None else Decimal(0)
    return value + _interest(relief, _day(material))


def _day(material: CaseMaterial) -> date | None:
    """The day up to which interest is compared: the one up to which it is claimed, else that of the judgment."""
    asked = (claim.values.get("until") for claim in material.claims)
    return next((day for day in asked if isinstance(day, date)), None) or material.days.get(JUDGED)


def _interest(relief: Relief, until: date | None) -> Decimal:
    total = Decimal(0)
    for clause in relief.interest:
        since = read_day(clause.since)
        if clause.base is not None and clause.rate is not None and since is not None and until is not None:
            total += ledger.interest(clause.base.value, clause.rate, since - timedelta(1), until)
    return total


# ---- the fee of the appeal -------------------------------------------------------------------------------------------


def _fees(
    norms: NormSet, material: CaseMaterial, sides: Sequence[str], decisions: tuple[Decision, Decision]
) -> Iterator[CostItem]:
    """The fee of each appeal, of what it is about, borne in the proportion in which it fails and succeeds.

    Of the side that claims it is about what was not granted below, of the others about what was.
    """
    claimant = material.claims[0].by if material.claims else ""
    first, second = (_total(one.reliefs, material) for one in decisions)
    asked = sum((v for claim in material.claims if isinstance(v := claim.values.get("amount"), Decimal)), Decimal(0))
    for side in sides:
        about = asked - first if side == claimant else first
        gain = max(second - first, Decimal(0)) if side == claimant else max(first - second, Decimal(0))
        for rule in rules_for(norms, material.cause):
            fee = (
                rule.fixed if rule.fixed is not None else norms.tables[rule.table].scaled(about) if about > 0 else None
            )
            if fee is not None:
                yield _fee(rule.item, fee, material, (side, gain / about if about > 0 else Decimal(0)))


def _fee(item: str, fee: Decimal, material: CaseMaterial, appeal: tuple[str, Decimal]) -> CostItem:
    side, success = appeal
    others = cents(fee * min(success, Decimal(1)))
    bears: Iterable[tuple[tuple[str, ...], Decimal]] = (
        (material.persons(side), fee - others),
        (material.others(side), others),
    )
    shares = tuple(
        Share(persons=persons, amount=Amount(value=value, currency=material.currency))
        for persons, value in bears
        if value > 0
    )
    amount = Amount(value=fee, currency=material.currency)
    return CostItem(item=item, amount=amount, shares=shares, origin=PartOrigin(hand="table", source=item))


def _total(reliefs: Sequence[Relief], material: CaseMaterial) -> Decimal:
    """What all reliefs are worth together."""
    until = _day(material)
    known: Mapping[str, Decimal] = {
        relief.id: (relief.amount.value if relief.amount is not None else Decimal(0)) + _interest(relief, until)
        for relief in reliefs
        if relief.result in GRANTED
    }
    return sum(known.values(), Decimal(0))
