"""An act of an authority, reviewed by its norm: each ground found, answered or open, and what is done with the act.

The burden is the authority's; papers that came about after the act prove nothing for it. Where no ground is found and
one is open, nothing is decided.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from ..model.decision import CourtFinding, Ground, OrderKind, PartOrigin, Relief, ThinKind
from ..model.immutable import immutable
from .definition import NormSet, ReviewNorm, ReviewOrder
from .formula_values import Scope, holds, in_force
from .material import AskedClaim, CaseMaterial, Tendered
from .proof import FactSources, HeldFact, hold, indexed


@immutable
class ReviewedAct:
    """What became of a claim against an act, its grounds, what was found, what is thin (kind, what is missing)."""

    relief: Relief
    grounds: tuple[Ground, ...]
    findings: tuple[CourtFinding, ...]
    thin: tuple[tuple[ThinKind, str], ...]


def reviews_of(norms: NormSet, material: CaseMaterial, claim: AskedClaim) -> tuple[ReviewNorm, ...]:
    """The norm by which the act is reviewed that a claim attacks, where it attacks one and there is anything to see."""
    fitting = (one for one in norms.reviews.values() if claim.head in one.heads and not material.empty)
    return tuple(one for one in fitting if not one.causes or material.cause in one.causes)[:1]


def review(norms: NormSet, norm: ReviewNorm, material: CaseMaterial, claim: AskedClaim) -> ReviewedAct:
    """The act that a claim attacks, held against each ground."""
    scope = _scope(norms, norm, material, claim)
    if not in_force(norm, scope):
        return ReviewedAct(_relief(norm, claim, None, frozenset()), (), (), (("no_norm", norm.id),))
    thin: list[tuple[ThinKind, str]] = [("unchecked_norm", norm.id)] if norm.unchecked else []
    grounds, facts = [], norms.words.facts
    for one in norm.grounds:
        value = holds(one.when, scope)
        result = {True: "found", False: "answered", None: "open"}[value.value]  # type: ignore[index]
        missing = ", ".join(facts[name].title if name in facts else name for name in value.missing)
        origin = PartOrigin(hand="norm", source=norm.id, detail=one.name)
        grounds.append(Ground(ground=one.name, result=result, why=missing or one.title, origin=origin))
        thin += [("open_fact", missing)] if value.value is None else []
    found = frozenset(one.ground for one in grounds if one.result == "found")
    settled = all(one.result == "answered" for one in grounds)
    order = next((row for row in norm.gives if _applies(row, found, settled, scope)), None)
    held = [one for one in scope.held.values() if one.by or one.value is not None]
    findings = tuple(_finding(norms, claim, one, _burden(norm, one, scope)) for one in held)
    return ReviewedAct(_relief(norm, claim, order, found), tuple(grounds), findings, tuple(dict.fromkeys(thin)))


def _applies(row: ReviewOrder, found: frozenset[str], settled: bool, scope: Scope) -> bool:
    """Whether an order is made: one that dismisses where every ground is answered, any other where one is found."""
    if holds(row.when, scope).value is not True:
        return False
    if row.order == "dismiss":
        return settled
    return bool(found & set(row.grounds) if row.grounds else found)


def _scope(norms: NormSet, norm: ReviewNorm, material: CaseMaterial, claim: AskedClaim) -> Scope:
    facts, others = norms.words.facts, material.others(claim.by)
    sides = {"claimant": material.persons(claim.by), "respondent": others}
    scope = Scope(norms, {}, {}, claim.values, material.days, sides, norm=norm.id)
    last = scope.named(norm.evidence_until).value if norm.evidence_until is not None else None
    late = (_in_time(one, claim.by, last) for one in material.exhibits)
    exhibits = tuple(late)
    sources = indexed(replace(material, exhibits=exhibits))
    away = (claim.by, tuple(sorted({party.side for party in material.parties} - {claim.by, ""})))
    untold = {one.side for one in exhibits if one.ruling == "in_part" or (one.unread and one.ruling == "admitted")}
    held: dict[str, HeldFact] = {}
    for name, need in norm.needs.items():
        whose = {"claimant": {claim.by}, "respondent": set(away[1])}.get(need.burden, {claim.by, *away[1]})
        partial = material.partial or bool(untold & whose)
        # what nobody states may be shown by an exhibit of which nobody says what it states
        asked = replace(need, empty=need.empty and not partial)
        held[name] = hold(asked, facts[name], replace(sources.get(name, FactSources()), partial=partial), away)
    return replace(scope, held=held)


def _in_time(exhibit: Tendered, claimant: str, last: object) -> Tendered:
    """An exhibit of the authority that came about after a day, as one that is not taken."""
    late = isinstance(last, date) and exhibit.made is not None and exhibit.made > last
    return replace(exhibit, ruling="rejected") if late and exhibit.side != claimant else exhibit


def _burden(norm: ReviewNorm, held: HeldFact, scope: Scope) -> str:
    """The first of those who have to prove a fact; "" for what nobody has to."""
    return next(iter(scope.sides.get(norm.needs[held.fact].burden, ())), "")


def _finding(norms: NormSet, claim: AskedClaim, held: HeldFact, burden: str) -> CourtFinding:
    return CourtFinding(
        id=f"{claim.id}/{held.fact}",
        fact=norms.words.facts[held.fact].title,
        result=held.state,
        about=(claim.id,),
        burden=burden,
        by=held.by,
        against=held.against,
        origin=held.origin,
    )


def _relief(norm: ReviewNorm, claim: AskedClaim, order: ReviewOrder | None, found: frozenset[str]) -> Relief:
    origin = PartOrigin(hand="norm", source=norm.id)
    base = Relief(id="", claims=(claim.id,), result="undecided", norm=norm.id, origin=origin)
    if order is None:
        return base
    grounds = tuple(cite for one in norm.grounds if one.name in found for cite in one.cites)
    cites = tuple(dict.fromkeys((*grounds, *order.cites)))
    if order.order == "dismiss":
        return base.model_copy(update={"result": "dismissed", "cites": cites})
    plain: dict[str, OrderKind] = {"annul": "annul", "redo": "redo", "do": "do"}
    kind = plain.get(order.order, "confirm")
    said = "" if order.order in plain else order.order
    return base.model_copy(update={"result": "granted", "order": kind, "object": said, "cites": cites})
