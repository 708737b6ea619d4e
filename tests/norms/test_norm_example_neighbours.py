"""Neighbours of the examples of every shipped norm: papers reordered, gone or rejected, sums scaled, names changed.

A norm that is added is held to these without a test of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal

import pytest
from norm_sets import shipped

from legalworld.figures.sums import cents
from legalworld.model.decision import Decision, Party, Relief
from legalworld.norms.decide import decide_claims
from legalworld.norms.definition import Norm, NormExample, NormSet, ReviewNorm, Saying, Value
from legalworld.norms.examples import example_material, recommended
from legalworld.norms.material import AskedClaim, CaseMaterial, Charge, Tendered
from legalworld.norms.penal import decide_charge

SETS = ("cn", "en")


def examples(name: str) -> Iterator[tuple[str, CaseMaterial]]:
    """Every example of claims of a set as a case."""
    norms = shipped(name)
    every: list[Norm | ReviewNorm] = [*norms.norms.values(), *norms.reviews.values()]
    for norm in every:
        for example in norm.examples:
            cause = norm.causes[0] if norm.causes else ""
            yield f"{name}/{norm.id}/{example.name}", example_material(norms, example, cause)


CASES = [(name, told, case) for name in SETS for told, case in examples(name)]
CHARGES = [(one.id, example) for one in shipped("cn").offences.values() for example in one.examples]


def result(relief: Relief) -> tuple[object, ...]:
    return relief.result, relief.order, relief.amount, relief.interest, relief.payers, relief.liability


def results(norms: NormSet, case: CaseMaterial) -> list[tuple[object, ...]]:
    return [result(one) for one in decide_claims(norms, case).reliefs]


def sound(decision: Decision, claims: tuple[AskedClaim, ...]) -> None:
    """No more than is claimed, nothing against nobody, and what is undecided says why."""
    asked = {one.id: one for one in claims}
    for relief in decision.reliefs:
        most = asked[relief.claims[0]].values.get("amount")
        if relief.amount is not None:
            assert relief.amount.value > 0
            assert not isinstance(most, Decimal) or relief.amount.value <= max(cents(most), Decimal("0.01"))
            assert relief.payers or relief.order == "declare"
        if relief.result == "undecided":
            assert any(one.part == f"reliefs/{relief.id}" for one in decision.thin)


@pytest.mark.parametrize(("name", "told", "case"), CASES, ids=[told for _, told, _ in CASES])
def test_neighbours_of_an_example(name: str, told: str, case: CaseMaterial) -> None:
    norms = shipped(name)
    base = results(norms, case)
    assert results(norms, replace(case, exhibits=case.exhibits[::-1])) == base
    doubled = (*case.exhibits, *(replace(one, id=f"{one.id}b") for one in case.exhibits))
    assert [one[0] for one in results(norms, replace(case, exhibits=doubled))] == [one[0] for one in base]
    for factor in (Decimal("0.1"), Decimal(10)):
        claims = tuple(replace(one, values=scaled(one, factor)) for one in case.claims)
        sound(decide_claims(norms, replace(case, claims=claims)), claims)
    for place in range(len(case.exhibits)):
        rest = case.exhibits[:place] + case.exhibits[place + 1 :]
        sound(decide_claims(norms, replace(case, exhibits=rest)), case.claims)
        shut = replace(case.exhibits[place], ruling="rejected")
        without = results(norms, replace(case, exhibits=rest))
        if rest or case.admissions:
            assert results(norms, replace(case, exhibits=(*rest, shut))) == without
    unproved = tuple(replace(one, ruling="rejected") for one in case.exhibits)
    decision = decide_claims(norms, replace(case, exhibits=unproved, admissions=(), pleas=()))
    assert all(one.result in ("dismissed", "undecided", "granted") for one in decision.reliefs)
    assert all(one.amount is None for one in decision.reliefs)


def scaled(claim: AskedClaim, factor: Decimal) -> dict[str, Value]:
    amount = claim.values.get("amount")
    return {**claim.values, **({"amount": amount * factor} if isinstance(amount, Decimal) else {})}


@pytest.mark.parametrize(("offence", "example"), CHARGES, ids=[f"{one}/{example.name}" for one, example in CHARGES])
def test_neighbours_of_a_charge(offence: str, example: NormExample) -> None:
    norms = shipped("cn")
    case = example_material(norms, example, "")
    charge = Charge("D1", offence, recommended(example.recommended, norms.results))
    base = decide_charge(norms, case, charge)
    assert decide_charge(norms, replace(case, exhibits=case.exhibits[::-1]), charge).verdict == base.verdict
    unproved = replace(case, exhibits=tuple(replace(one, ruling="rejected") for one in case.exhibits), admissions=())
    assert decide_charge(norms, unproved, charge).verdict.result != "convicted"
    another = Party(id="D9", name="D9", side=case.parties[-1].side)
    facts = {name: Saying(True, about=("D9",)) for name, fact in norms.words.facts.items() if fact.kind == "yes"}
    more = replace(
        case, parties=(*case.parties, another), exhibits=(*case.exhibits, Tendered("控证9", "claimant", facts))
    )
    assert decide_charge(norms, more, charge).verdict == base.verdict
    if "D2" not in {one.id for one in case.parties}:
        renamed = tuple(one if one.id != "D1" else replace_id(one) for one in case.parties)
        moved = replace(case, parties=renamed, admissions=tuple(replace(one, person="D7") for one in case.admissions))
        assert decide_charge(norms, moved, replace(charge, person="D7")).verdict.punishment == base.verdict.punishment


def replace_id(party: Party) -> Party:
    return party.model_copy(update={"id": "D7", "name": "D7"})
