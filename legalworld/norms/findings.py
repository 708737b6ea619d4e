"""What was found of the facts and of the defences of a claim, as a decision states it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final

from ..model.decision import Amount, CourtFinding, PartOrigin, SaidValue
from ..model.immutable import immutable
from .definition import Fact, Norm, Plea
from .formula_values import Scope
from .proof import HeldFact
from .sentences import said_value

PLEA: Final = "plea"
"""How the origin of a finding says that it is about a defence."""


@immutable
class AboutClaim:
    """The claim that findings are about: its id, the persons on each side of it, the facts there are, its currency."""

    id: str
    sides: Mapping[str, Sequence[str]]
    facts: Mapping[str, Fact]
    currency: str


def found_facts(claim: AboutClaim, norm: Norm, scope: Scope) -> tuple[CourtFinding, ...]:
    """A finding for each fact that the norm needs, but for what nobody shows and nothing rests on."""
    return tuple(
        CourtFinding(
            id=f"{claim.id}/{name}",
            fact=claim.facts[name].title,
            result=held.state,
            about=(claim.id,),
            amount=_money(claim, name, held),
            value=_value(claim, name, held),
            burden=next(iter(claim.sides.get(norm.needs[name].burden, ())), ""),
            by=held.by,
            against=held.against,
            origin=held.origin,
        )
        for name, held in scope.held.items()
        if held.by or held.against or held.value not in (None, ()) or not norm.needs[name].empty
    )


def _value(claim: AboutClaim, name: str, held: HeldFact) -> SaidValue | None:
    """What was found of a fact, where there is more to it than that it is so."""
    if not held.proved or held.value in (None, True, ()):
        return None
    return said_value(held.value, money=claim.facts[name].kind == "money")


def _money(claim: AboutClaim, name: str, held: HeldFact) -> Amount | None:
    money = claim.facts[name].kind == "money" and isinstance(held.value, Decimal)
    return Amount(value=held.value, currency=claim.currency) if money else None


def found_plea(claim: AboutClaim, plea: Plea, sustained: bool) -> CourtFinding:
    """Whether a defence that was raised holds."""
    return CourtFinding(
        id=f"{claim.id}/{plea.id}",
        fact=plea.title,
        result="proved" if sustained else "not_proved",
        about=(claim.id,),
        burden=next(iter(claim.sides["respondent"]), ""),
        origin=PartOrigin(hand="norm", source=plea.id, detail=PLEA),
    )
