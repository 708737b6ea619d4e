"""What holds of every decision by norms, whatever the case: tried on neighbours of cases of every kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal

import pytest
from courtroom import claim, exhibit
from hypothesis import given, settings
from hypothesis import strategies as st
from norm_neighbours import BASES, own, rejected, removed, renamed, repeated, scaled, set_of, shuffled, taken_for
from norm_sets import shipped

from legalworld.model.decision import Amount, Decision, Relief
from legalworld.model.decision_json import decision_json, read_decision_json
from legalworld.norms import proof
from legalworld.norms.decide import decide_claims
from legalworld.norms.material import AdmittedFacts, CaseMaterial

CENT = Decimal("0.01")
NAMES = st.sampled_from(sorted(BASES))
FACTORS = st.sampled_from([Decimal("0.1"), Decimal(2), Decimal(10), Decimal("3.7")])
EACH = settings(max_examples=60, deadline=None)


def decided(material: CaseMaterial, name: str) -> Decision:
    return decide_claims(shipped(set_of(name)), material)


def given_to(decision: Decision) -> Mapping[str, Decimal]:
    """Claim -> what is granted of it, interest up to the judgment included."""
    return {relief.claims[0]: _sum(relief) for relief in decision.reliefs}


def _sum(relief: Relief) -> Decimal:
    interest = sum((one.so_far.value for one in relief.interest if one.so_far is not None), Decimal(0))
    return interest + (relief.amount.value if relief.amount is not None else Decimal(0))


def folded(relief: Relief) -> Decimal:
    """What the lines of a reckoning come to, taken one after another."""
    total = Decimal(0)
    for line in relief.reckoning:
        value = line.value.value if isinstance(line.value, Amount) else line.value
        match line.operation:
            case "plus":
                total += value
            case "minus":
                total -= value
            case "times":
                total *= value
            case "over":
                total /= value
            case "at_most":
                total = min(total, value)
    return total


@st.composite
def cases(draw: st.DrawFn) -> tuple[str, CaseMaterial]:
    """A case with its claims larger or smaller, some exhibits rejected, some taken in part."""
    name = draw(NAMES)
    material = BASES[name]()
    share = draw(st.sampled_from([Decimal("0.3"), Decimal(1), Decimal(4)]))
    claims = tuple(
        replace(one, values={**one.values, "amount": one.values["amount"] * share}) if "amount" in one.values else one  # type: ignore[operator]
        for one in material.claims
    )
    material = replace(material, claims=claims)
    for one in material.exhibits:
        fate = draw(st.sampled_from(["kept", "kept", "kept", "rejected", "in part"]))
        if fate == "rejected":
            material = rejected(material, one.id)
        if fate == "in part":
            material = taken_for(material, one.id, tuple(draw(st.sets(st.sampled_from(sorted(one.says))))))
    return name, material


@EACH
@given(cases())
def test_never_more_than_is_claimed_and_the_lines_add_up(case: tuple[str, CaseMaterial]) -> None:
    name, material = case
    decision = decided(material, name)
    asked = {one.id: one.values.get("amount") for one in material.claims}
    assert len(decision.reliefs) == sum(one.head != "costs" for one in material.claims)
    for relief in decision.reliefs:
        most = asked[relief.claims[0]]
        if relief.amount is not None and isinstance(most, Decimal):
            assert 0 < relief.amount.value <= max(most, CENT)
            assert abs(folded(relief) - relief.amount.value) <= CENT
            assert (relief.result == "granted") == (relief.amount.value >= most)
        if relief.result in ("granted", "in_part"):
            assert relief.payers and set(relief.payees) == {"P1"} and not set(relief.payers) & set(relief.payees)
            assert relief.amount is not None or relief.interest
        else:
            assert relief.amount is None and relief.interest == () and relief.payers == ()
        if relief.result == "undecided":
            assert any(thin.part == f"reliefs/{relief.id}" for thin in decision.thin)
    for item in decision.costs:
        shares = [share.amount.value for share in item.shares if share.amount is not None]
        assert item.amount is not None and (not shares or sum(shares) == item.amount.value)


@EACH
@given(cases())
def test_nothing_rests_on_what_was_rejected(case: tuple[str, CaseMaterial]) -> None:
    name, material = case
    rejections = {one.id for one in material.exhibits if one.ruling == "rejected"}
    for finding in decided(material, name).findings:
        assert not set(finding.by) & rejections
        assert finding.result != "proved" or finding.by or finding.origin is not None


@EACH
@given(cases(), st.integers(0, 10**6))
def test_the_order_of_papers_says_nothing(case: tuple[str, CaseMaterial], seed: int) -> None:
    name, material = case
    for one in (material, repeated(material)):
        assert decided(shuffled(one, seed), name) == decided(one, name)


@EACH
@given(cases(), FACTORS)
def test_in_another_currency_all_sums_are_as_many_times_as_large(
    case: tuple[str, CaseMaterial], factor: Decimal
) -> None:
    name, material = case
    before = given_to(decided(material, name))
    after = given_to(decided(scaled(material, factor, set_of(name)), name))
    for one, value in before.items():
        assert abs(after[one] - value * factor) <= CENT * max(factor, 1) * 12, (
            one
        )  # every payment of an account is rounded


@EACH
@given(cases())
def test_names_say_nothing(case: tuple[str, CaseMaterial]) -> None:
    """The two sides exchange their names: who pays and who is paid exchange them too."""
    name, material = case
    names = {"P1": "D1", "D1": "P1", "D2": "Q9"}
    before, after = decided(material, name), decided(renamed(material, names), name)
    for one, other in zip(before.reliefs, after.reliefs, strict=True):
        assert [names[person] for person in one.payers] == sorted_as(other.payers, [names[p] for p in one.payers])
        assert tuple(names[person] for person in one.payees) == other.payees
        assert (one.result, one.amount, one.interest) == (other.result, other.amount, other.interest)


def sorted_as(persons: tuple[str, ...], order: list[str]) -> list[str]:
    return sorted(persons, key=order.index)


@EACH
@given(cases(), st.data())
def test_without_a_paper_of_his_own_nobody_gets_more(case: tuple[str, CaseMaterial], data: st.DataObject) -> None:
    name, material = case
    paper = data.draw(st.sampled_from(own(material)))
    before = given_to(decided(material, name))
    for less in (removed(material, paper), rejected(material, paper)):
        after = given_to(decided(less, name))
        assert all(after[one] <= value + CENT for one, value in before.items()), paper


@EACH
@given(cases(), st.data())
def test_a_paper_taken_in_part_is_worth_no_more_than_all_of_it(
    case: tuple[str, CaseMaterial], data: st.DataObject
) -> None:
    name, material = case
    chosen = data.draw(st.sampled_from(own(material)))
    paper = next(one for one in material.exhibits if one.id == chosen)
    papers = (replace(one, ruling="admitted") if one is paper else one for one in material.exhibits)
    whole = replace(material, exhibits=tuple(papers))
    part = tuple(data.draw(st.sets(st.sampled_from(sorted(paper.says)))))
    before, after = given_to(decided(whole, name)), given_to(decided(taken_for(whole, paper.id, part), name))
    assert all(after[one] <= value + CENT for one, value in before.items())


@EACH
@given(cases())
def test_a_claim_more_changes_none_of_the_others(case: tuple[str, CaseMaterial]) -> None:
    name, material = case
    more = replace(material, claims=(*material.claims, claim("9", "nothing_known", amount=77777)))
    before, after = decided(material, name).reliefs, decided(more, name).reliefs
    assert after[: len(before)] == before
    assert after[-1].result in ("undecided", "in_part", "granted", "dismissed") and after[-1].claims == ("9",)


@EACH
@given(cases())
def test_a_decision_is_kept_and_read_back(case: tuple[str, CaseMaterial]) -> None:
    name, material = case
    decision = decided(material, name)
    assert read_decision_json(decision_json(decision)) == decision


@pytest.mark.parametrize("name", sorted(BASES))
def test_what_is_admitted_needs_no_paper(name: str) -> None:
    """Whatever the claimant's papers state, the other side admits, and the papers are gone: the same is granted."""
    material = BASES[name]()
    others = tuple(one.side for one in material.parties if one.side != "claims")
    mine = [one for one in material.exhibits if one.side == "claims"]
    admitted = tuple(AdmittedFacts("D1", others[0], one.says, one.id) for one in mine)
    rest = tuple(one for one in material.exhibits if one.side != "claims")
    bare = replace(material, exhibits=rest, admissions=(*material.admissions, *admitted))
    facts = {fact for one in mine for fact in one.says}
    needs = {need.fact: need.burden for norm in shipped(set_of(name)).norms.values() for need in norm.needs.values()}
    if all(needs.get(fact) != "respondent" for fact in facts):
        assert given_to(decided(bare, name)) == given_to(decided(material, name))


def test_five_hundred_papers_cost_ten_times_fifty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is looked at as often, however many there are."""
    looked = 0
    counts = proof._counts

    def counted(one: object, fact: str) -> bool:
        nonlocal looked
        looked += 1
        return counts(one, fact)  # type: ignore[arg-type]

    monkeypatch.setattr(proof, "_counts", counted)
    spent, first = [], date(2023, 1, 1)
    for papers in (50, 500):
        looked = 0
        more = tuple(exhibit(f"原证{n}", delivered=(100, {"date": str(first + timedelta(n))})) for n in range(papers))
        material = replace(BASES["sale"](), exhibits=more)
        (price, *_) = decided(replace(material, claims=(claim("1", "price", amount=10**7),)), "sale").reliefs
        assert price.amount is not None and price.amount.value == 100 * papers - 10000 if papers == 500 else True
        spent.append(looked)
    assert spent[1] <= 10.5 * spent[0]
