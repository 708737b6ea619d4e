"""A verdict from the norm of an offence: which text of the law, whether anything excuses, the tier, the sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from ..figures.sums import cents
from ..model.calendar import moved
from ..model.decision import (
    Amount,
    ChargeVerdict,
    Circumstance,
    CourtFinding,
    Judged,
    PartOrigin,
    ReckonedLine,
    Relief,
    ThinKind,
)
from ..model.formulas import FormulaTerm
from ..model.immutable import immutable
from .definition import NormSet, OffenceNorm
from .formula_values import JUDGED, holds, in_force, reckon
from .formulas import names_in
from .material import CaseMaterial, Charge
from .penal_parts import CircumstanceRule, Excuse, PenalOrder, RangeTier
from .penal_point import point
from .penal_range import ChargeScope, PenalRange, charge_scope, lawful_months, milder, open_tiers, penal_range
from .proof import HeldFact
from .reckoned import FormulaValue
from .sentences import said


@immutable
class JudgedCharge:
    """A verdict with the range that it lies in, what was found, and what is thin (kind, what is missing).

    `reckoning`: how the point in the range was found, step by step; () where it is as recommended. `orders`: what is
    given back or taken beside it. `norm`: the id of the offence whose text was applied. `borne`: how much of the loss
    the accused bears where the injured share the blame, per cent, and why.
    """

    verdict: ChargeVerdict
    range: PenalRange | None
    findings: tuple[CourtFinding, ...] = ()
    thin: tuple[tuple[ThinKind, str], ...] = ()
    reckoning: tuple[ReckonedLine, ...] = ()
    orders: tuple[Relief, ...] = ()
    norm: str = ""
    borne: tuple[Decimal, str] | None = None


def decide_charge(norms: NormSet, material: CaseMaterial, charge: Charge) -> JudgedCharge:
    """What becomes of one charge."""
    texts = offence_texts(norms, charge.offence)
    if not texts or norms.sentencing is None:
        return JudgedCharge(_verdict(charge, "open", None), None, (), (("no_norm", charge.offence),))
    scopes = [charge_scope(norms, one, (material, charge)) for one in texts]
    at_deed = [one for one in scopes if in_force(one.offence, one.scope)]
    if len(at_deed) != 1:
        day = texts[0].on.name if texts[0].on is not None else ""
        missing: tuple[ThinKind, str] = (
            ("open_fact", _titles(norms, (day,))) if at_deed else ("no_norm", charge.offence)
        )
        return JudgedCharge(_verdict(charge, "open", texts[0]), None, _findings(norms, scopes[0]), (missing,))
    found = _judged(norms, at_deed[0])
    for later in scopes:
        if _came_after(later, at_deed[0], material.days.get(JUDGED)):
            found = _the_milder(found, _judged(norms, later))
    return found


def offence_texts(norms: NormSet, name: str) -> list[OffenceNorm]:
    """The texts of the law for an offence: by its id, another name, or its title, with or without the word in which all
    titles end."""
    every = list(norms.offences.values())
    tails = {one.title[-1:] for one in every}
    tail = tails.pop() if len(tails) == 1 else ""
    titles = {
        one.title
        for one in every
        if name in (one.id, one.title, *one.called) or (tail and f"{name}{tail}" == one.title)
    }
    return [one for one in every if one.title in titles]


def _came_after(later: ChargeScope, then: ChargeScope, judged: date | None) -> bool:
    """Whether a text is in force on the day of the judgment and came into force after the deed."""
    offence = later.offence
    if judged is None or offence.since <= then.offence.since:
        return False
    return offence.since <= judged and (offence.until is None or judged <= offence.until)


def _the_milder(then: JudgedCharge, now: JudgedCharge) -> JudgedCharge:
    """The verdict by the text of the day of the deed, unless that of the judgment is known to be milder."""
    if then.range is None or now.verdict.result == "open":
        return then
    return now if now.range is None or milder(now.range, then.range) else then


def _judged(norms: NormSet, case: ChargeScope) -> JudgedCharge:
    """What becomes of a charge by one text of the law."""
    offence, scope = case.offence, case.scope
    findings = _findings(norms, case)

    def without_range(result: Judged, *thin: tuple[ThinKind, str]) -> JudgedCharge:
        return JudgedCharge(_verdict(case.charge, result, offence), None, findings, thin, norm=offence.id)

    excused = _excused(case)
    if excused is not None:
        return without_range(*excused)
    stands = holds(offence.stands, scope)
    if stands.value is None:
        return without_range("open", ("open_fact", _titles(norms, stands.missing)))
    needed = (*names_in(offence.stands), *(name for tier in offence.tiers for name in names_in(tier.when)))
    lacking = _titles(norms, (name for name in dict.fromkeys(needed) if _lacks(case, name)))
    if stands.value is False:
        return without_range("open", ("open_fact", lacking)) if case.partial else without_range("not_proved")
    tiers, missing = open_tiers(case)
    if not any(tiers) and case.partial:  # what would open a tier may only not have been read
        return without_range("open", ("open_fact", lacking))
    if not any(tiers):
        return without_range("open", ("open_fact", _titles(norms, missing))) if missing else without_range("not_proved")
    known = tuple(tier for tier in tiers if tier is not None)
    if len(known) < len(tiers):
        return without_range("open", ("open_fact", _bands(offence)))
    if known == offence.tiers[:1] and _excuse(case, after=True) is not None:
        return without_range("exempt", *_unchecked(offence))
    return _sentenced(case, known, findings)


def _lacks(case: ChargeScope, name: str) -> bool:
    """Whether a fact that an offence needs is not shown."""
    held = case.scope.held.get(name)
    return name in case.offence.needs and (held is None or not held.proved)


def _excuse(case: ChargeScope, *, after: bool) -> Excuse | None:
    """The excuse that holds; `after`: one that counts only after the offence is shown, in its lowest range."""
    rows = (one for one in case.rules.excuses if (one.result == "exempt") == after)
    return next((one for one in rows if holds(one.when, case.scope).value is True), None)


def _unchecked(offence: OffenceNorm) -> tuple[tuple[ThinKind, str], ...]:
    return (("unchecked_norm", offence.id),) if offence.unchecked else ()


def _titles(norms: NormSet, names: Iterable[str]) -> str:
    """Facts as they are called."""
    facts = norms.words.facts
    return ", ".join(facts[name].title if name in facts else name for name in names)


def _excused(case: ChargeScope) -> tuple[Judged, tuple[ThinKind, str]] | tuple[Judged] | None:
    """Why nobody is punished: an excuse that holds, or an age at which nobody answers for the offence."""
    offence, scope = case.offence, case.scope
    excuse = _excuse(case, after=False)
    if excuse is not None:
        return (excuse.result,)
    born, deed = _day(case, case.rules.born), _day(case, case.rules.deed)
    if born is None or deed is None:
        return None
    row = next((row for row in offence.age if holds(row.when, scope).value is True), None)
    age = reckon(row.formula, scope).number if row is not None and row.formula is not None else None
    years = int(age) if age is not None else case.rules.age
    grown = moved(born, years, "years", 1, "") if years else born
    if grown is None or deed >= grown:
        return None
    return ("open", ("discretion", row.declines)) if row is not None and row.declines else ("not_responsible",)


def _day(case: ChargeScope, name: FormulaTerm | None) -> date | None:
    found = case.scope.named(name).value if name is not None else None
    return found if isinstance(found, date) else None


def _bands(offence: OffenceNorm) -> str:
    """The sums that the law leaves open."""
    return ", ".join(f"{name} {band.low}-{band.high}" for name, band in offence.bands.items() if band.low < band.high)


def _findings(norms: NormSet, case: ChargeScope) -> tuple[CourtFinding, ...]:
    return tuple(
        _finding(norms, case.charge, one) for one in case.scope.held.values() if one.by or one.value is not None
    )


def _finding(norms: NormSet, charge: Charge, held: HeldFact) -> CourtFinding:
    return CourtFinding(
        id=f"{charge.person}/{charge.offence}/{held.fact}",
        fact=norms.words.facts[held.fact].title,
        result=held.state,
        about=(charge.person,),
        by=held.by,
        against=held.against,
        origin=held.origin,
    )


def _sentenced(case: ChargeScope, tiers: tuple[RangeTier, ...], findings: tuple[CourtFinding, ...]) -> JudgedCharge:
    offence, charge = case.offence, case.charge
    held = case.circumstances(tiers)
    found = penal_range(case, tiers, held)
    asked = charge.recommended
    if len(tiers) > 1 and (asked is None or lawful_months(asked, found, case.rules) is None):
        # where a law leaves open between which sums a tier lies, only what every reading allows can be adopted
        open_verdict = _verdict(charge, "open", offence)
        return JudgedCharge(open_verdict, found, findings, (("open_fact", _bands(offence)),), norm=offence.id)
    chosen = point(case, found, tiers[0], held)
    thin: list[tuple[ThinKind, str]] = [("open_fact", _bands(offence))] if len(tiers) > 1 else []
    thin += _unchecked(offence)
    term = chosen.punishment.term
    below = term is not None and term.months is not None and term.months < tiers[0].least
    verdict = _verdict(charge, "convicted", offence).model_copy(
        update={
            "tier": found.tiers[0],
            "circumstances": tuple(_applied(rule, mitigated=below) for rule in held),
            "punishment": chosen.punishment,
        }
    )
    orders = tuple(_orders(case, tuple(offence.orders) + tuple(case.rules.orders)))
    told = tuple(dict.fromkeys((*thin, *chosen.thin)))
    return JudgedCharge(verdict, found, findings, told, chosen.reckoning, orders, offence.id, _borne(case))


def _borne(case: ChargeScope) -> tuple[Decimal, str] | None:
    """The share of the loss that the accused bears, by the first row that holds; None where he bears all of it."""
    row = next((row for row in case.offence.borne if holds(row.when, case.scope).value is True), None)
    share = reckon(row.formula, case.scope).number if row is not None and row.formula is not None else None
    if row is None or share is None:
        return None
    return share, "".join(one if isinstance(one, str) else "".join(one.values) for one in said(row.premise, case.scope))


def _orders(case: ChargeScope, rows: tuple[PenalOrder, ...]) -> Iterator[Relief]:
    """What is given back or taken: the first row of each kind and cause that holds and comes to something."""
    for row in rows:
        if holds(row.when, case.scope).value is not True:
            continue
        amount = reckon(row.amount, case.scope) if row.amount is not None else None
        what = case.scope.named(row.what).value if row.what is not None else None
        if amount is not None and (amount.number is None or amount.number <= 0):
            continue
        if amount is None and not isinstance(what, str):
            continue
        yield Relief(
            id="",
            ground="law",
            result="granted",
            order=row.order,
            payers=(case.charge.person,),
            payees=(),
            amount=_money(amount, case.currency),
            object=what if isinstance(what, str) else "",
            reckoning=tuple(line.written(case.currency) for line in amount.lines) if amount is not None else (),
            norm=case.offence.id,
            cites=row.cites,
            origin=PartOrigin(hand="norm", source=case.offence.id),
        )


def _money(found: FormulaValue | None, currency: str) -> Amount | None:
    return Amount(value=cents(found.number), currency=currency) if found is not None and found.number else None


def _applied(rule: CircumstanceRule, *, mitigated: bool) -> Circumstance:
    """How a circumstance was applied: below the range only what mitigates."""
    effect = "mitigate" if mitigated and "mitigate" in rule.effects else rule.effects[0]
    article = "".join((rule.cites[0].law, " ", rule.cites[0].article)) if rule.cites else ""
    return Circumstance(name=rule.name, article=article, duty=rule.duty, applied=effect)


def _verdict(charge: Charge, result: Judged, offence: OffenceNorm | None) -> ChargeVerdict:
    origin = PartOrigin(hand="norm", source=offence.id) if offence is not None else None
    own = (
        offence is None or charge.offence in offence.called
    )  # one of several names of an offence stays as it is charged
    title = charge.offence if own or offence is None else offence.title
    return ChargeVerdict(person=charge.person, charge=title, result=result, origin=origin)
