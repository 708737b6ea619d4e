"""The range that the law opens for a charge: tiers under every reading, circumstances, kinds of penalty, fines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Final

from ..model.decision import PartOrigin
from ..model.immutable import immutable
from .definition import Need, NormSet, OffenceNorm, Saying, SentencingRules
from .formula_values import Scope, holds, reckon
from .material import CaseMaterial, Charge, Recommended
from .penal_parts import CircumstanceRule, RangeTier
from .proof import FactSources, HeldFact, hold, indexed

LONGEST: Final = 180  # months that a range reads as where it goes on for life
FINES: Final = "fine"


@immutable
class PenalRange:
    """What a court may choose among, under every reading of the tier: months, kinds of main penalty, fine.

    `most` None: for life. `fine_most` None: without end; `extra`: what there is beside the main penalty. `must`:
    probation is to be given.
    """

    tiers: tuple[str, ...]
    main: tuple[str, ...]
    least: int
    most: int | None
    extra: str
    fine_least: Decimal | None
    fine_most: Decimal | None
    probation: bool
    must: bool = False


@immutable
class ChargeScope:
    """What one charge is decided by: its offence, the rules, the facts as they hold for the person."""

    offence: OffenceNorm
    rules: SentencingRules
    charge: Charge
    scope: Scope
    currency: str
    partial: bool = False

    def circumstances(self, tiers: tuple[RangeTier, ...]) -> tuple[CircumstanceRule, ...]:
        """Those that hold, and count for an offence of this kind with these tiers."""
        fault = "negligence" if self.offence.negligent else "intent"
        rules = (*self.rules.circumstances, *self.offence.circumstances)
        mains = set.intersection(*(set(tier.main) for tier in tiers))
        fitting = (one for one in rules if one.fault in ("", fault) and (not one.main or one.main in mains))
        return tuple(one for one in fitting if holds(one.when, self.scope).value is True)


def charge_scope(norms: NormSet, offence: OffenceNorm, case: tuple[CaseMaterial, Charge]) -> ChargeScope:
    """The facts as they hold for the person of a charge: what is said of others, or what they admit, is none of his."""
    material, charge = case
    rules = norms.sentencing
    assert rules is not None
    side = next((party.side for party in material.parties if party.id == charge.person), "")
    accuser = next((party.side for party in material.parties if party.side not in ("", side)), "")
    sources, facts = indexed(material), norms.words.facts
    needs = {**rules.needs, **offence.needs}
    nobody = FactSources(partial=material.partial)
    held = {
        name: hold(need, facts[name], _his(sources.get(name, nobody), charge.person, side), (accuser, (side,)))
        for name, need in needs.items()
    }
    sides = {"claimant": material.persons(accuser), "respondent": (charge.person,)}
    scope = Scope(norms, held, {}, {}, material.days, sides, norm=offence.id)
    for name, need in needs.items():
        if held[name].value is None and need.otherwise is not None:
            held[name] = _otherwise(need, held[name], scope)
    return ChargeScope(offence, rules, charge, scope, material.currency, material.partial)


def _otherwise(need: Need, held: HeldFact, scope: Scope) -> HeldFact:
    """What holds where nobody shows a fact."""
    value = reckon(need.otherwise, scope).value if need.otherwise is not None else None
    origin = PartOrigin(hand="norm", source=scope.norm, detail=need.fact)
    return held if value is None or value is False else replace(held, value=value, origin=origin)


def _his(sources: FactSources, person: str, side: str) -> FactSources:
    def about(said: Saying) -> bool:
        return not said.about or person in said.about

    return FactSources(
        tuple((one, said) for one, said in sources.exhibits if about(said)),
        tuple(
            (one, said)
            for one, said in sources.admissions
            if about(said) and (one.side != side or one.person == person)
        ),
        sources.foreign,
        sources.partial,
    )


def open_tiers(case: ChargeScope) -> tuple[tuple[RangeTier | None, ...], tuple[str, ...]]:
    """The tiers under both ends of the sums that are left open, the lighter first, and which facts are missing."""
    missing: list[str] = []
    found: list[RangeTier | None] = []
    offence, scope = case.offence, case.scope
    for high in (True, False):
        scope.bands = {name: band.high if high else band.low for name, band in offence.bands.items()}
        tier: RangeTier | None = None
        for row in offence.tiers:
            when = holds(row.when, scope)
            missing += when.missing if when.value is None else ()
            tier = row if when.value is True else tier
        if tier not in found:
            found.append(tier)
    return tuple(found), tuple(dict.fromkeys(missing))


def penal_range(case: ChargeScope, tiers: tuple[RangeTier, ...], held: tuple[CircumstanceRule, ...]) -> PenalRange:
    """What is lawful under every reading; mitigation opens the tier below, or what lies below the first.

    Where it must be mitigated and cannot be only lenient, the sentence lies below the tier.
    """
    rules, scope = case.rules, case.scope
    ranges = tuple(_of_tier(case.offence, tier, held) for tier in tiers)
    ends = [most for _, most, _ in ranges if most is not None]
    mains = set.intersection(*(kinds for _, _, kinds in ranges))
    led = {rule.main for rule in held if rule.main}  # what leads to a kind of penalty leaves no other
    mains = mains & led if led else mains
    leads = [rules.penalties[name][0] for name in led if name in rules.penalties]
    fines = tiers[0].extra.startswith(FINES)
    fine = next((row for row in case.offence.fine if holds(row.when, scope).value is True), None)
    most = reckon(fine.most, scope).number if fine is not None and fine.most is not None else None
    least = fine.least if fine is not None and fine.least is not None else rules.fine_least
    barred = any(rule.name in rules.barred for rule in held)
    suited = not barred and holds(rules.probation, scope).value is True
    must = suited and rules.probation_must is not None and holds(rules.probation_must, scope).value is True
    return PenalRange(
        tiers=tuple(tier.id for tier in tiers),
        main=tuple(name for name in rules.penalties if name in mains),
        least=max([least for least, _, _ in ranges] + leads),
        most=min(ends) if ends else None,
        extra=tiers[0].extra,
        fine_least=least if fines else None,
        fine_most=max(most, least) if most is not None and fines else None,
        probation=suited,
        must=must,
    )


def _of_tier(
    offence: OffenceNorm, tier: RangeTier, held: tuple[CircumstanceRule, ...]
) -> tuple[int, int | None, set[str]]:
    """Least and most months of a tier and its kinds of penalty, as what mitigates moves them."""
    if not any({"mitigate", "exempt"} & set(rule.effects) for rule in held):
        return tier.least, tier.most, set(tier.main)
    place = offence.tiers.index(tier)
    below = offence.tiers[place - 1] if place else tier
    least = below.least if place else 0
    forced = any(rule.duty == "must" and "lenient" not in rule.effects for rule in held)
    most = tier.least if forced and tier.least > least else tier.most
    return least, most, {*tier.main, *below.main}


def milder(one: PenalRange, other: PenalRange) -> bool:
    """Whether a range is milder than another: its most, else its least, else what there is beside it."""
    return tuple(_weight(one)) < tuple(_weight(other))


def _weight(found: PenalRange) -> Iterator[int]:
    yield found.most if found.most is not None else LONGEST * LONGEST
    yield found.least
    yield found.extra != "none"


def lawful_months(asked: Recommended, found: PenalRange, rules: SentencingRules) -> tuple[int, int] | None:
    """The months of a recommendation that are lawful: in the range, and within what the law knows of the kind."""
    kind = rules.penalties.get(asked.main)
    if kind is None or asked.main not in found.main:
        return None
    most = found.most if found.most is not None else LONGEST
    if asked.until is None:
        lawful = found.least <= asked.months <= most and kind[0] <= asked.months <= kind[1]
        return (asked.months, asked.months) if lawful else None
    low, high = max(asked.months, found.least, kind[0]), min(asked.until, most, kind[1])
    return (low, high) if low <= high else None


def term_lawful(asked: Recommended, found: PenalRange, rules: SentencingRules) -> bool:
    """Whether a main penalty lies in the range, and within what the law knows of its kind."""
    return lawful_months(asked, found, rules) is not None


def fine_lawful(fine: object, found: PenalRange) -> bool:
    """Whether a fine is known beside the main penalty, and lies between its ends."""
    if not isinstance(fine, Decimal) or not found.extra.startswith(FINES):
        return False
    high = found.fine_most is None or fine <= found.fine_most
    return high and (found.fine_least is None or fine >= found.fine_least)


def probation_lawful(probation: int, term: tuple[str, int], found: PenalRange, rules: SentencingRules) -> bool:
    """Whether probation is open for a term: the term is short enough, probation as long as the law says, and as it."""
    kind, months = term
    if not found.probation or months > rules.probation_most or probation < months:
        return False
    if not rules.lengths:
        return True
    least, most = rules.lengths.get(kind, (1, 0))
    return least <= probation <= most
