"""Costs of a case: a fee by its table of all that is claimed, borne in the proportion in which claims are granted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from decimal import Decimal

from ..figures.sums import cents
from ..model.decision import Amount, CostItem, PartOrigin, Relief, Share
from .definition import CostRule, NormSet
from .material import AskedClaim, CaseMaterial

AMOUNT = "amount"
ACT = "act"
GRANTED = ("granted", "in_part")
HALF = 2


def court_costs(norms: NormSet, material: CaseMaterial, reliefs: Sequence[Relief]) -> tuple[CostItem, ...]:
    """Each fee with its shares; without shares where a claim is undecided, nothing where no claim is decided by itself.

    Where no claim states a sum, the fee is that of none, and only one that is the same for any sum is known.
    """
    asked = {claim.id: value for claim in material.claims if (value := _sum(norms, claim)) is not None}
    joint = {claim.item: claim.joint for claim in material.claims if claim.joint is not None}
    total = sum((*asked.values(), *joint.values()), Decimal(0))
    rules = rules_for(norms, material.cause)
    fixed = any(one.fixed is not None for one in rules)
    return tuple(_items(norms, material, reliefs, (total, rules))) if asked or joint or fixed else ()


def rules_for(norms: NormSet, cause: str) -> tuple[CostRule, ...]:
    """The fees of a cause: of each item the first that is for it."""
    fitting = [one for one in norms.costs if not one.causes or cause in one.causes]
    return tuple({one.item: one for one in reversed(fitting)}.values())


def _sum(norms: NormSet, claim: AskedClaim) -> Decimal | None:
    """The sum of a claim that is decided by itself."""
    head, value = norms.words.heads.get(claim.head), claim.values.get(AMOUNT)
    return value if isinstance(value, Decimal) and not (head is not None and head.costs) else None


def _items(
    norms: NormSet, material: CaseMaterial, reliefs: Sequence[Relief], by: tuple[Decimal, Sequence[CostRule]]
) -> Iterator[CostItem]:
    total, rules = by
    for rule in rules:
        fee = rule.fixed if rule.fixed is not None else norms.tables[rule.table].scaled(total)
        if fee is None:
            continue
        fee = cents(fee / HALF) if material.halved else fee
        amount = Amount(value=fee, currency=material.currency)
        known = PartOrigin(hand="norm", source=norms.name, detail=rule.item)
        origin = PartOrigin(hand="table", source=rule.table, detail=str(total)) if rule.table else known
        shares = () if any(one.result == "undecided" for one in reliefs) else _shares(material, reliefs, (fee, total))
        yield CostItem(item=rule.item, amount=amount, halved=material.halved, shares=shares, origin=origin)


def _shares(material: CaseMaterial, reliefs: Sequence[Relief], sums: tuple[Decimal, Decimal]) -> tuple[Share, ...]:
    """Who bears a fee: the side that claims as much of it as it loses, those who must pay the rest."""
    fee, total = sums
    lost = cents(fee * (1 - _part_won(material, reliefs, total)))
    side = material.claims[0].by
    payers = tuple(dict.fromkeys(person for relief in reliefs for person in relief.payers)) or material.others(side)
    bears = ((material.persons(side), lost), (payers, fee - lost))
    return tuple(
        Share(persons=persons, amount=Amount(value=value, currency=material.currency))
        for persons, value in bears
        if value > 0
    )


def _part_won(material: CaseMaterial, reliefs: Sequence[Relief], total: Decimal) -> Decimal:
    """How much of what is claimed is granted, from 0 to 1: of the sums, where there are any; an act that is claimed
    has no sum, so that each of these counts as much as all sums together."""
    asked = {claim.id: claim.values.get(AMOUNT) for claim in material.claims}
    acts = {claim.id for claim in material.claims if ACT in claim.values}
    granted, parts = Decimal(0), []
    for relief in reliefs:
        most = sum((value for name in relief.claims if isinstance(value := asked[name], Decimal)), Decimal(0))
        granted += min(_granted(relief), most)
        if acts & {*relief.claims}:
            parts.append(Decimal(relief.result in GRANTED))
    if total:
        parts.append(granted / total)
    if not parts:  # nothing has a sum: who loses bears all
        parts.append(Decimal(any(relief.result in GRANTED for relief in reliefs)))
    return sum(parts, Decimal(0)) / len(parts)


def _granted(relief: Relief) -> Decimal:
    """What a relief gives up to now."""
    interest = sum((one.so_far.value for one in relief.interest if one.so_far is not None), Decimal(0))
    return interest + (relief.amount.value if relief.amount is not None else Decimal(0))
