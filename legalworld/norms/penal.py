"""A verdict from the norm of an offence: the tier, the range that it opens, and where in it a sentence lies.

The range is law, the point in it is not: a recommendation that lies in the range of every reading is adopted, else the
point follows a convention of the rules of sentencing and says that it is a matter of discretion.
"""

from __future__ import annotations

from decimal import ROUND_DOWN, Decimal
from typing import Final

from ..model.decision import (
    Amount,
    ChargeVerdict,
    Circumstance,
    CourtFinding,
    Judged,
    Length,
    PartOrigin,
    Penalty,
    Term,
    ThinKind,
)
from ..model.immutable import immutable
from .definition import CircumstanceRule, NormSet, OffenceNorm, RangeTier, SentencingRules
from .formula_values import Scope, holds, in_force, reckon
from .material import CaseMaterial, Charge, Recommended
from .proof import FactSources, HeldFact, hold, indexed

LONGEST: Final = 180  # months that a range reads as where it goes on for life
WHOLE: Final = Decimal(100)


@immutable
class PenalRange:
    """What a court may choose among, under every reading of the tier: months, kinds of main penalty, fine.

    `most` None: for life. `fine_most` None: without end; `extra`: what there is beside the main penalty.
    """

    tiers: tuple[str, ...]
    main: tuple[str, ...]
    least: int
    most: int | None
    extra: str
    fine_least: Decimal | None
    fine_most: Decimal | None
    probation: bool


@immutable
class JudgedCharge:
    """A verdict with the range that it lies in, what was found, and what is thin (kind, what is missing)."""

    verdict: ChargeVerdict
    range: PenalRange | None
    findings: tuple[CourtFinding, ...] = ()
    thin: tuple[tuple[ThinKind, str], ...] = ()


def decide_charge(norms: NormSet, material: CaseMaterial, charge: Charge) -> JudgedCharge:
    """What becomes of one charge."""
    offence, rules = norms.offences.get(charge.offence), norms.sentencing
    if offence is None or rules is None:
        return JudgedCharge(_verdict(charge, "open", None), None, (), (("no_norm", charge.offence),))
    scope = _scope(norms, offence, rules, (material, charge))
    findings = tuple(_finding(norms, charge, one) for one in scope.held.values() if one.by or one.value is not None)
    if not in_force(offence, scope):
        return JudgedCharge(_verdict(charge, "open", None), None, findings, (("no_norm", charge.offence),))
    stands = holds(offence.stands, scope)
    if stands.value is None:
        return JudgedCharge(_verdict(charge, "open", offence), None, findings, (("open_fact", _names(stands.missing)),))
    tiers, missing = _tiers(offence, scope)
    if stands.value is False or not any(tiers):
        result: Judged = "open" if missing and stands.value else "not_proved"
        thin: tuple[tuple[ThinKind, str], ...] = (("open_fact", _names(missing)),) if result == "open" else ()
        return JudgedCharge(_verdict(charge, result, offence), None, findings, thin)
    known = tuple(tier for tier in tiers if tier is not None)
    if len(known) < len(tiers):
        return JudgedCharge(_verdict(charge, "open", offence), None, findings, (("open_fact", _bands(offence)),))
    held = tuple(rule for rule in rules.circumstances if holds(rule.when, scope).value is True)
    found = _range(offence, rules, known, (held, scope))
    return _sentenced((offence, rules, held), charge, found, (findings, known, material.currency))


def _names(names: tuple[str, ...]) -> str:
    return ", ".join(names)


def _bands(offence: OffenceNorm) -> str:
    """The sums that the law leaves open."""
    return ", ".join(f"{name} {band.low}-{band.high}" for name, band in offence.bands.items() if band.low < band.high)


def _scope(norms: NormSet, offence: OffenceNorm, rules: SentencingRules, case: tuple[CaseMaterial, Charge]) -> Scope:
    material, charge = case
    side = next((party.side for party in material.parties if party.id == charge.person), "")
    accuser = next((party.side for party in material.parties if party.side not in ("", side)), "")
    sources, facts = indexed(material), norms.words.facts
    needs = {**rules.needs, **offence.needs}
    held = {
        name: hold(need, facts[name], sources.get(name, FactSources()), (accuser, (side,)))
        for name, need in needs.items()
    }
    sides = {"claimant": material.persons(accuser), "respondent": (charge.person,)}
    return Scope(norms, held, {}, {}, material.days, sides, norm=offence.id)


def _finding(norms: NormSet, charge: Charge, held: HeldFact) -> CourtFinding:
    title = norms.words.facts[held.fact].title
    return CourtFinding(
        id=f"{charge.person}/{charge.offence}/{held.fact}",
        fact=title,
        result=held.state,
        about=(charge.person,),
        by=held.by,
        against=held.against,
        origin=held.origin,
    )


# ---- the range -------------------------------------------------------------------------------------------------------


def _tiers(offence: OffenceNorm, scope: Scope) -> tuple[tuple[RangeTier | None, ...], tuple[str, ...]]:
    """The tiers under both ends of the sums that are left open, the lighter first, and which facts are missing."""
    missing: list[str] = []
    found: list[RangeTier | None] = []
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


def _range(
    offence: OffenceNorm,
    rules: SentencingRules,
    tiers: tuple[RangeTier, ...],
    case: tuple[tuple[CircumstanceRule, ...], Scope],
) -> PenalRange:
    """What is lawful under every reading; mitigation opens the tier below, or what lies below the first."""
    held, scope = case
    mitigated = any({"mitigate", "exempt"} & set(rule.effects) for rule in held)
    ranges = []
    for tier in tiers:
        place = offence.tiers.index(tier)
        below = offence.tiers[place - 1] if mitigated and place else tier
        least = 0 if mitigated and not place else below.least
        ranges.append((least, tier.most, {*tier.main, *below.main}))
    least = max(one[0] for one in ranges)
    ends = [one[1] for one in ranges if one[1] is not None]
    mains = set.intersection(*(one[2] for one in ranges))
    fine = next((row for row in offence.fine if holds(row.when, scope).value is True), None)
    fine_most = reckon(fine.most, scope).number if fine is not None and fine.most is not None else None
    return PenalRange(
        tiers=tuple(tier.id for tier in tiers),
        main=tuple(name for name in rules.penalties if name in mains),
        least=least,
        most=min(ends) if ends else None,
        extra=tiers[0].extra,
        fine_least=fine.least if fine is not None else None,
        fine_most=fine_most,
        probation=holds(rules.probation, scope).value is True,
    )


# ---- the point -------------------------------------------------------------------------------------------------------


def _sentenced(
    norm: tuple[OffenceNorm, SentencingRules, tuple[CircumstanceRule, ...]],
    charge: Charge,
    found: PenalRange,
    case: tuple[tuple[CourtFinding, ...], tuple[RangeTier, ...], str],
) -> JudgedCharge:
    offence, rules, held = norm
    findings, tiers, currency = case
    thin: list[tuple[ThinKind, str]] = [("open_fact", _bands(offence))] if len(tiers) > 1 else []
    thin += [("unchecked_norm", offence.id)] if offence.unchecked else []
    asked = charge.recommended
    if asked is not None and term_lawful(asked, found, rules):
        main, months = asked.main, asked.months
    else:
        thin.append(("discretion", ""))
        main, months = _point(rules, held, found, tiers[0])
    fine = asked.fine if asked is not None and fine_lawful(asked.fine, found) else None
    probation = (
        asked.probation if asked is not None and _probation_fits(asked.probation, months, found, rules) else None
    )
    if fine is None and found.extra.startswith("fine") and found.fine_least is not None and main:
        fine = found.fine_least
        thin.append(("discretion", "fine"))
    punishment = Penalty(
        term=Term(kind="months", name=main, months=months),
        probation=Length(months=probation) if probation is not None else None,
        fine=Amount(value=fine, currency=currency) if isinstance(fine, Decimal) else None,
    )
    applied = tuple(_applied(rule, mitigated=months < tiers[0].least) for rule in held)
    verdict = _verdict(charge, "convicted", offence).model_copy(
        update={"tier": found.tiers[0], "circumstances": applied, "punishment": punishment}
    )
    return JudgedCharge(verdict, found, findings, tuple(dict.fromkeys(thin)))


def term_lawful(asked: Recommended, found: PenalRange, rules: SentencingRules) -> bool:
    """Whether a main penalty lies in the range, and within what the law knows of its kind."""
    kind = rules.penalties.get(asked.main)
    most = found.most if found.most is not None else LONGEST
    return (
        kind is not None
        and asked.main in found.main
        and found.least <= asked.months <= most
        and kind[0] <= asked.months <= kind[1]
    )


def fine_lawful(fine: object, found: PenalRange) -> bool:
    """Whether a fine is known beside the main penalty, and lies between its ends."""
    if not isinstance(fine, Decimal) or not found.extra.startswith("fine"):
        return False
    high = found.fine_most is None or fine <= found.fine_most
    return high and (found.fine_least is None or fine >= found.fine_least)


def _probation_fits(probation: int | None, months: int, found: PenalRange, rules: SentencingRules) -> bool:
    """Whether probation is open for a term: the term is short enough, and probation no shorter than it."""
    return probation is not None and found.probation and months <= rules.probation_most and probation >= months


def _point(
    rules: SentencingRules, held: tuple[CircumstanceRule, ...], found: PenalRange, tier: RangeTier
) -> tuple[str, int]:
    """Where a court that decides by itself ends: so far into the tier, less what circumstances take off."""
    most = tier.most if tier.most is not None else LONGEST
    start = tier.least + (most - tier.least) * rules.start / WHOLE
    shares = sum((rule.share for rule in held), Decimal(0))
    months = int((start * (WHOLE - min(shares, WHOLE)) / WHOLE).to_integral_value(ROUND_DOWN))
    months = min(max(months, found.least, 1), found.most if found.most is not None else LONGEST)
    fitting = [name for name in found.main if rules.penalties[name][0] <= months <= rules.penalties[name][1]]
    if fitting:
        return fitting[0], months
    nearest = min(found.main, key=lambda name: abs(rules.penalties[name][0] - months))
    return nearest, max(months, rules.penalties[nearest][0])


def _applied(rule: CircumstanceRule, *, mitigated: bool) -> Circumstance:
    """How a circumstance was applied: below the range only what mitigates."""
    effect = "mitigate" if mitigated and "mitigate" in rule.effects else rule.effects[0]
    article = "".join((rule.cites[0].law, " ", rule.cites[0].article)) if rule.cites else ""
    return Circumstance(name=rule.name, article=article, duty=rule.duty, applied=effect)


def _verdict(charge: Charge, result: Judged, offence: OffenceNorm | None) -> ChargeVerdict:
    origin = PartOrigin(hand="norm", source=offence.id) if offence is not None else None
    title = offence.title if offence is not None else charge.offence
    return ChargeVerdict(person=charge.person, charge=title, result=result, origin=origin)
