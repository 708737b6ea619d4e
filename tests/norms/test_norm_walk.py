"""Twenty cases decided by the shipped norms, worked out by hand: what is granted, why, and what stays open."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from courtroom import DEFENDS, admits, claim, days, exhibit, labour, loan, sale, theft, worktop
from norm_sets import shipped

from legalworld.model.decision import Decision, Relief
from legalworld.norms.decide import decide_claims
from legalworld.norms.definition import Saying
from legalworld.norms.examples import shown, shown_verdict
from legalworld.norms.material import CaseMaterial, Pleaded
from legalworld.norms.penal import JudgedCharge, decide_charge


def decided(material: CaseMaterial, name: str = "cn") -> Decision:
    return decide_claims(shipped(name), material)


def told(material: CaseMaterial, name: str = "cn") -> list[str]:
    return [shown(relief) for relief in decided(material, name).reliefs]


def judged(material: CaseMaterial) -> JudgedCharge:
    return decide_charge(shipped("cn"), material, material.charges[0])


def shares(decision: Decision) -> list[tuple[tuple[str, ...], Decimal]]:
    (item,) = decision.costs
    return [(share.persons, share.amount.value) for share in item.shares if share.amount is not None]


def without(material: CaseMaterial, name: str) -> CaseMaterial:
    """The case with an exhibit that was not taken as evidence."""
    ruled = (replace(one, ruling="rejected") if one.id == name else one for one in material.exhibits)
    return replace(material, exhibits=tuple(ruled))


# ---- sale ------------------------------------------------------------------------------------------------------------


def test_price_signed_for_and_a_loss_without_proof() -> None:
    decision = decided(sale())
    assert [shown(one) for one in decision.reliefs] == ["36800", "dismissed"]
    price = decision.reliefs[0]
    assert (price.result, price.payers, price.payees, price.norm) == ("granted", ("D1",), ("P1",), "sale_price")
    assert price.reckoning[0].origin is not None and price.reckoning[0].origin.source == "原证2"
    assert shares(decision) == [(("P1",), Decimal("39.69")), (("D1",), Decimal("730.31"))]
    assert decision.costs[0].amount is not None and decision.costs[0].amount.value == 770
    assert decision.thin == ()
    assert {cite.article for cite in price.cites} == {"579", "626", "628"}


def test_more_is_claimed_than_is_owed() -> None:
    decision = decided(sale(968000))
    assert [shown(one) for one in decision.reliefs] == ["36800", "dismissed"]
    assert decision.reliefs[0].result == "in_part"
    assert decision.costs[0].amount is not None and decision.costs[0].amount.value == 13500
    assert shares(decision) == [(("P1",), Decimal("12987.84")), (("D1",), Decimal("512.16"))]


def test_less_is_claimed_than_is_owed() -> None:
    relief = decided(sale(20000)).reliefs[0]
    assert (shown(relief), relief.result) == ("20000", "granted")
    assert relief.reckoning[-1].operation == "at_most"


def test_late_interest_without_an_agreed_rate() -> None:
    late = claim("2", "late_interest", rate="18.25", from_="2025-01-01")
    decision = decided(replace(sale(), claims=(claim("1", "price", amount=36800), late)))
    relief = decision.reliefs[1]
    assert (shown(relief), relief.result) == ("at 4.03 from 2025-01-01", "in_part")
    (clause,) = relief.interest
    assert clause.base is not None and clause.base.value == 36800 and clause.until == "payment"
    assert [(thin.part, thin.kind) for thin in decision.thin] == [("reliefs/2", "discretion")]


def test_limitation_only_when_pleaded() -> None:
    late = replace(sale(), days=days(filed="2028-03-01", judged="2028-06-01"))
    assert told(late)[0] == "36800"
    assert told(replace(late, pleas=(Pleaded("limitation", DEFENDS),)))[0] == "dismissed"


def test_a_price_cut_and_a_set_off() -> None:
    more = exhibit("被证1", DEFENDS, price_cut=1800, counter_debt=5000)
    with_proof = replace(sale(), exhibits=(*sale().exhibits, more))
    assert told(with_proof)[0] == "36800"
    assert told(replace(with_proof, pleas=(Pleaded("price_cut", DEFENDS),)))[0] == "35000"
    both = (Pleaded("price_cut", DEFENDS), Pleaded("set_off", DEFENDS))
    assert told(replace(with_proof, pleas=both))[0] == "30000"
    assert told(replace(sale(), pleas=both))[0] == "36800"  # pleaded, but nothing shows it


# ---- loan ------------------------------------------------------------------------------------------------------------


def test_a_loan_through_a_manager_for_his_company() -> None:
    decision = decided(loan())
    assert [shown(one) for one in decision.reliefs] == ["937569.91 jointly", "at 15.4 from 2022-09-13 jointly"]
    principal, interest = decision.reliefs
    assert (principal.result, principal.order, principal.payers) == ("in_part", "return", ("D1", "D2"))
    assert interest.interest[0].so_far is not None and interest.interest[0].so_far.value == Decimal("191063.90")
    assert interest.interest[0].base is not None and interest.interest[0].base.value == Decimal("937569.91")
    assert shares(decision) == [(("P1",), Decimal("976.04")), (("D1", "D2"), Decimal("14658.04"))]


def test_a_loan_of_which_half_is_claimed() -> None:
    principal, interest = decided(loan(500000)).reliefs
    assert (shown(principal), principal.result) == ("500000 jointly", "granted")
    assert interest.interest[0].base is not None and interest.interest[0].base.value == Decimal("937569.91")


def test_a_partnership_that_cannot_be_told_from_a_loan() -> None:
    first = loan().exhibits[0]
    plain = replace(first, says={name: said for name, said in first.says.items() if name != "riskless"})
    unclear = replace(loan(), exhibits=(plain, *loan().exhibits[1:]))
    decision = decided(unclear)
    assert [one.result for one in decision.reliefs] == ["undecided", "undecided"]
    assert {thin.kind for thin in decision.thin} == {"discretion"}
    assert told(replace(unclear, pleas=()))[0] == "937569.91 jointly"


def test_a_loan_whose_persons_nobody_names() -> None:
    """Without those who paid and were paid there is no account, and with none of those liable nobody pays."""
    nameless = replace(loan(), exhibits=tuple(one for one in loan().exhibits if "borrower" not in one.says), pleas=())
    assert [one.result for one in decided(nameless).reliefs] == ["dismissed", "dismissed"]
    first = loan().exhibits[0]
    two = replace(first, says={**first.says, "borrower": Saying(("D1", "D2"))})
    several = replace(
        loan(),
        exhibits=(
            two,
            *(replace(one, says={k: v for k, v in one.says.items() if k != "used_by"}) for one in loan().exhibits[1:]),
        ),
    )
    decision = decided(several)
    assert {one.result for one in decision.reliefs} == {"undecided"} and decision.thin


# ---- labour ----------------------------------------------------------------------------------------------------------


def test_wages_double_wages_severance_and_overtime_without_proof() -> None:
    decision = decided(labour())
    assert told(labour()) == ["24000", "72000", "8000", "dismissed"]
    assert ("reliefs/3", "open_fact") in {(one.part, one.kind) for one in decision.thin}  # the cap was not checked


def test_more_than_the_wages_is_claimed() -> None:
    more = (claim("1", "wages", amount=240000, wage=8000), claim("3", "severance", amount=25000, wage=8000))
    found = decided(replace(labour(), claims=more)).reliefs
    assert [(shown(one), one.result) for one in found] == [("24000", "in_part"), ("8000", "in_part")]


def test_a_bank_record_that_is_rejected_changes_nothing() -> None:
    """What wages were is the employer's to prove."""
    assert told(without(labour(), "申证3")) == told(labour())


@pytest.mark.parametrize("pleaded", [True, False])
def test_an_application_after_a_year(pleaded: bool) -> None:
    late = replace(labour(), days=days(applied="2026-02-26", judged="2026-04-01"))
    late = replace(late, pleas=(Pleaded("limitation", DEFENDS),)) if pleaded else late
    assert told(late) == (["dismissed"] * 4 if pleaded else told(labour()))


# ---- theft -----------------------------------------------------------------------------------------------------------


def test_a_recommendation_in_the_range_is_adopted() -> None:
    found = judged(theft())
    assert shown_verdict(found.verdict) == "有期徒刑 8 probation 12 fine 5000"
    assert found.range is not None
    assert (found.range.least, found.range.most) == (0, 36)
    assert (found.range.fine_least, found.range.fine_most) == (1000, 19720)
    assert {one.name for one in found.verdict.circumstances} == {"surrender", "plea", "made_good", "forgiven"}
    assert found.thin == ()


def test_a_recommendation_out_of_the_range_is_not() -> None:
    found = judged(theft(months=180))
    assert shown_verdict(found.verdict) == "拘役 5 probation 12 fine 5000"
    assert "discretion" in {kind for kind, _ in found.thin}


def test_a_value_between_two_sums_that_provinces_choose() -> None:
    found = judged(theft(45000))
    assert found.range is not None and found.range.tiers == ("1", "2")
    assert shown_verdict(found.verdict).startswith("有期徒刑 8 ")
    assert ("open_fact", "large 1000-3000, huge 30000-100000, vast 300000-500000") in found.thin
    short = judged(theft(45000, months=1))  # below the least of imprisonment: nothing that both readings allow
    assert short.verdict.result == "open" and short.thin == (found.thin[0],)


def test_a_recidivist_has_no_probation() -> None:
    prior = exhibit("控证6", prior_ended="2022-01-01")
    found = judged(replace(theft(), exhibits=(*theft().exhibits, prior)))
    assert shown_verdict(found.verdict) == "有期徒刑 8 fine 5000"
    assert "recidivist" in {one.name for one in found.verdict.circumstances}


def test_without_the_element_there_is_no_conviction() -> None:
    found = judged(without(theft(), "控证2"))
    assert found.verdict.result == "not_proved" and found.range is None


# ---- no norm ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("asked", "given"), [(1480, "granted"), (9480, "in_part")])
def test_where_no_norm_is_there_bills_decide_and_it_is_said(asked: int, given: str) -> None:
    decision = decided(worktop(asked), "en")
    assert [(shown(one), one.result) for one in decision.reliefs] == [("1480", given)]
    assert ("reliefs/1", "no_norm") in {(one.part, one.kind) for one in decision.thin}


def test_no_sum_and_another_currency_are_undecided() -> None:
    for case in (without(worktop(), "C4"), worktop()):
        foreign = replace(case.exhibits[1], says={"shown": Saying(Decimal(1750), currency="EUR")})
        odd = replace(case, exhibits=(case.exhibits[0], foreign))
        (relief,) = decided(odd, "en").reliefs
        assert relief.result == "undecided"
    assert told(without(worktop(), "C4"), "en") == ["undecided"]


def test_a_price_in_another_currency_is_not_lost_for_want_of_proof() -> None:
    """Goods invoiced in dollars: the claim in yuan is undecided, not dismissed."""
    dollars = {"delivered": Saying(Decimal(6500), currency="USD")}
    first = replace(sale().exhibits[0], says=dollars)
    decision = decided(replace(sale(), exhibits=(first,)))
    assert decision.reliefs[0].result == "undecided"


def test_nothing_to_decide_by() -> None:
    decision = decided(replace(sale(), exhibits=(), admissions=()))
    assert {one.result for one in decision.reliefs} == {"undecided"}
    gaps = {one.part: one for one in decision.thin}
    assert gaps["reliefs/1"].missing == "交付的货物价款, 对账确认的欠款, 欠条、结算单载明的欠款"
    assert all(one.missing for one in gaps.values())
    assert decision.costs[0].shares == ()


def test_an_admission_is_as_good_as_an_exhibit() -> None:
    bare = replace(sale(), exhibits=(), admissions=(admits("D1", DEFENDS, delivered=46800), *sale().admissions))
    relief: Relief = decided(bare).reliefs[0]
    assert shown(relief) == "36800"
    own = replace(
        sale(), exhibits=(exhibit("原证9", contract=True),), admissions=(admits("P1", "claims", delivered=46800),)
    )
    assert shown(decided(own).reliefs[0]) == "dismissed"  # what one must prove oneself is only asserted


# ---- acts of authorities ---------------------------------------------------------------------------------------------


def penalty(**missing: bool) -> CaseMaterial:
    """A fine that somebody attacks; every element of it is shown by papers from before, but those that are missing."""
    shown_by = {"competent": True, "proof_then": True, "law_applied": True, "told_rights": True}
    papers = tuple(
        replace(exhibit(f"被证{place}", DEFENDS, **{fact: value}), made=date(2024, 3, 1))
        for place, (fact, value) in enumerate({**shown_by, "informed": "2024-03-05"}.items())
        if fact not in missing
    )
    return CaseMaterial(
        "CNY",
        "行政处罚",
        sale().parties,
        claims=(claim("1", "annul"),),
        exhibits=papers,
        days=days(acted="2024-03-20", judged="2024-12-01"),
    )


def test_an_act_of_which_everything_is_shown_stands() -> None:
    decision = decided(penalty())
    assert decision.reliefs[0].result == "dismissed"
    assert decision.act is not None and {one.result for one in decision.act.grounds} == {"answered"}


@pytest.mark.parametrize(
    ("missing", "ground"),
    [
        ("competent", "competence"),
        ("proof_then", "evidence"),
        ("law_applied", "law"),
        ("told_rights", "notice"),
        ("informed", "notice"),
    ],
)
def test_what_the_authority_does_not_show_is_a_ground(missing: str, ground: str) -> None:
    decision = decided(penalty(**{missing: True}))
    relief = decision.reliefs[0]
    assert (relief.result, relief.order) == ("granted", "annul")
    assert decision.act is not None
    assert [one.ground for one in decision.act.grounds if one.result == "found"] == [ground]


def test_papers_made_after_the_act_prove_nothing_for_it() -> None:
    late = tuple(replace(one, made=date(2024, 3, 21)) for one in penalty().exhibits)
    decision = decided(replace(penalty(), exhibits=late))
    assert decision.reliefs[0].order == "annul"
    assert all(not one.by for one in decision.findings)


@pytest.mark.parametrize(("deed", "result"), [("2024-05-09", "convicted"), ("2012-05-09", "open")])
def test_a_deed_before_the_norm_is_not_judged_by_it(deed: str, result: str) -> None:
    first = exhibit("控证2", took=True, occasions=3, deed=deed)
    found = judged(replace(theft(), exhibits=(first, *theft().exhibits[1:])))
    assert found.verdict.result == result
    assert ("no_norm", "theft") in found.thin or result == "convicted"


def test_what_turns_on_a_fact_that_nobody_shows_is_not_dismissed() -> None:
    """A loan without a day on which it is due, and without a demand."""
    first = loan().exhibits[0]
    undated = replace(first, says={name: said for name, said in first.says.items() if name != "due"})
    decision = decided(replace(loan(), exhibits=(undated, *loan().exhibits[1:])))
    assert decision.reliefs[0].result == "undecided"
    assert ("reliefs/1", "open_fact", "履行期限") in {(one.part, one.kind, one.missing) for one in decision.thin}


def test_a_sum_that_two_papers_state_alike_is_one() -> None:
    """The delivery notes and the invoice of one delivery; of two days they are two."""
    notes, bill = exhibit("原证1", delivered=46800), exhibit("原证3", delivered=46800)
    assert told(replace(sale(10**6), exhibits=(notes, bill)))[0] == "36800"
    dated = [
        exhibit(name, delivered=(46800, {"date": day}))
        for name, day in (("原证1", "2024-05-01"), ("原证3", "2024-06-01"))
    ]
    assert told(replace(sale(10**6), exhibits=tuple(dated)))[0] == "83600"
