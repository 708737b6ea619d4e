"""Offences in all their breadth: which text of the law, who answers for what, where a sentence lies, several at once.

Charges are drawn for every shipped offence; what is asserted is what the articles say of any sentence.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from itertools import combinations
from typing import Any

import pytest
from courtroom import CLAIMS, DEFENDS, admits, exhibit
from hypothesis import given, settings
from hypothesis import strategies as st
from norm_sets import shipped
from test_norm_damage import values

from legalworld.model.decision import Party
from legalworld.norms.definition import Saying
from legalworld.norms.material import CaseMaterial, Charge, Recommended, Tendered
from legalworld.norms.penal import JudgedCharge, decide_charge
from legalworld.norms.penal_combined import combined_range, decide_charges

PARTIES = tuple(
    Party(id=name, name=name, side=side) for name, side in (("P1", CLAIMS), ("D1", DEFENDS), ("D2", DEFENDS))
)
TITLES = sorted({one.title for one in shipped("cn").offences.values()})
RULES = shipped("cn").sentencing
assert RULES is not None
# One deed of each offence, as the least that its text asks for.
DEEDS: dict[str, dict[str, Any]] = {
    "theft": {"took": True, "value": 9860},
    "drugs": {"dealt": True, "hard_drug": 3},
    "intentional_injury": {"intent": True, "wound": "重伤"},
    "detention": {"detained": True},
    "brawl": {"brawled": True, "armed": True},
    "police_assault": {"attacked_police": True},
    "dangerous_driving": {"on_road": True, "alcohol": 160},
    "traffic": {"broke_traffic": True, "deaths": 1, "blame": "全部"},
}


def case(*charges: Charge, day: str = "2023-05-09", **facts: Any) -> CaseMaterial:
    papers = (exhibit("控证1", CLAIMS, "admitted", (), deed=day, **facts),)
    return CaseMaterial("CNY", "", PARTIES, exhibits=papers, charges=charges, days={"judged": date(2024, 1, 8)})


def judged(offence: str, day: str = "2023-05-09", **facts: Any) -> JudgedCharge:
    charge = Charge("D1", offence)
    return decide_charge(shipped("cn"), case(charge, day=day, **{**DEEDS.get(offence, {}), **facts}), charge)


def months(found: JudgedCharge) -> int:
    punishment = found.verdict.punishment
    assert punishment is not None and punishment.term is not None and punishment.term.months is not None
    return punishment.term.months


# ---- who answers -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("offence", DEEDS)
@pytest.mark.parametrize("age", [11, 13, 14, 15, 16, 17, 18, 74, 75, 80])
@pytest.mark.parametrize("off", [-1, 0])
def test_nobody_answers_before_the_age_of_the_offence(offence: str, age: int, off: int) -> None:
    """On the day before a birthday one is not yet so old; from 16, or 14 for what the article lists."""
    deed = date(2023, 5, 9)
    born = date(deed.year - age, deed.month, deed.day) - timedelta(off)
    found = judged(offence, born=str(born))
    years = age if off == 0 else age - 1
    least = 14 if offence in ("drugs", "intentional_injury") else 16
    assert (found.verdict.result == "not_responsible") is (years < least)
    if found.verdict.result == "convicted":
        names = {one.name for one in found.verdict.circumstances}
        assert ("juvenile" in names) is (years < 18)
        assert bool(names & {"aged", "aged_must"}) is (years >= 75)
        assert ("aged_must" in names) is (years >= 75 and offence == "traffic")


@pytest.mark.parametrize("offence", DEEDS)
@pytest.mark.parametrize(("excuse", "result"), [("insane", "not_responsible"), ("justified", "acquitted")])
def test_what_excuses_ends_it(offence: str, excuse: str, result: str) -> None:
    found = judged(offence, **{excuse: True})
    assert found.verdict.result == result and found.verdict.punishment is None and found.range is None


@pytest.mark.parametrize("fact", ["minor_part", "coerced", "confessed", "made_good", "forgiven", "diminished"])
def test_what_is_said_of_one_accused_is_none_of_the_others(fact: str) -> None:
    charges = (Charge("D1", "theft"), Charge("D2", "theft"))
    base = case(*charges, **DEEDS["theft"])
    said = Tendered("控证2", CLAIMS, {fact: Saying(True, about=("D2",))})
    first, second = decide_charges(shipped("cn"), replace(base, exhibits=(*base.exhibits, said))).charges
    alone = decide_charge(shipped("cn"), base, charges[0])
    assert first.verdict == alone.verdict and months(second) <= months(first)
    assert len(second.verdict.circumstances) == len(first.verdict.circumstances) + 1


@pytest.mark.parametrize("fact", ["pleads_guilty", "surrendered", "merit"])
def test_what_one_accused_admits_does_not_bind_the_other(fact: str) -> None:
    charges = (Charge("D1", "theft"), Charge("D2", "theft"))
    value: Any = "一般" if fact == "merit" else True
    base = replace(case(*charges, **DEEDS["theft"]), admissions=(admits("D2", DEFENDS, **{fact: value}),))
    first, second = decide_charges(shipped("cn"), base).charges
    assert first.verdict.circumstances == () and len(second.verdict.circumstances) == 1


def test_loss_is_given_back_jointly_and_once() -> None:
    charges = (Charge("D1", "theft"), Charge("D2", "theft"))
    (order,) = decide_charges(shipped("cn"), case(*charges, **DEEDS["theft"], repaid=860)).orders
    assert order.payers == ("D1", "D2") and order.liability == "jointly" and order.ground == "law"
    assert order.amount is not None and order.amount.value == 9000 and order.cites


# ---- which text ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("title", "day", "norm"),
    [
        ("开设赌场罪", "2021-02-28", "casino_until_2021"),
        ("开设赌场罪", "2021-03-01", "casino"),
        ("贪污罪", "2015-10-31", "embezzlement"),  # what followed is milder, and in force at the judgment
        ("贪污罪", "2016-05-01", "embezzlement"),
        ("职务侵占罪", "2021-02-28", "unit_embezzlement"),
        ("伪造、变造、买卖国家机关公文、证件、印章罪", "2015-10-31", "forged_papers_until_2015"),
        ("伪造、变造、买卖国家机关公文、证件、印章罪", "2015-11-01", "forged_papers"),
    ],
)
def test_the_text_of_the_day_of_the_deed_or_a_milder_one(title: str, day: str, norm: str) -> None:
    facts = {"casino": True, "official": True, "took_public": True, "value": 426737, "took_unit": True, "forged": True}
    charge = Charge("D1", title)
    assert decide_charge(shipped("cn"), case(charge, day=day, **facts), charge).norm == norm


def test_without_the_day_of_the_deed_of_two_texts_none_is_taken() -> None:
    charge = Charge("D1", "开设赌场罪")
    papers = (exhibit("控证1", CLAIMS, "admitted", (), casino=True),)
    found = decide_charge(shipped("cn"), CaseMaterial("CNY", "", PARTIES, exhibits=papers), charge)
    assert found.verdict.result == "open" and found.thin == (("open_fact", "行为之日"),)


# ---- where a sentence lies -------------------------------------------------------------------------------------------


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(TITLES), st.data())
def test_a_term_lies_in_its_tier_or_below_it_with_the_article_named(title: str, data: st.DataObject) -> None:
    norms = shipped("cn")
    texts = [one for one in norms.offences.values() if one.title == title]
    needs = {**RULES.needs, **texts[0].needs}  # type: ignore[union-attr]
    facts = {name: norms.words.facts[name] for name in needs}
    must = {name for one in texts for name in one.needs if norms.words.facts[name].kind == "yes"}
    says = {name: Saying(True) for name in must} | {
        name: Saying(data.draw(values(facts[name])))
        for name in sorted(data.draw(st.sets(st.sampled_from(sorted(facts)))))
    }
    says["deed"] = Saying(data.draw(st.dates(date(2000, 1, 1), date(2024, 1, 1))))
    main, low = data.draw(st.sampled_from(["有期徒刑", "拘役", "管制", "流放"])), data.draw(st.integers(0, 250))
    asked = Recommended(
        main, low, data.draw(st.none() | st.integers(0, 90)), None, data.draw(st.none() | st.just(low + 9))
    )
    charge = Charge("D1", title, data.draw(st.none() | st.just(asked)))
    material = CaseMaterial(
        "CNY", "", PARTIES, exhibits=(Tendered("控证1", CLAIMS, says),), days={"judged": date(2024, 1, 8)}
    )
    found = decide_charge(norms, material, charge)
    if found.verdict.result != "convicted":
        assert found.verdict.punishment is None
        return
    assert found.range is not None
    offence, term = norms.offences[found.norm], months(found)
    tier = next(one for one in offence.tiers if one.id == found.verdict.tier)
    applied = found.verdict.circumstances
    if term < tier.least:
        assert any(one.applied == "mitigate" and one.article for one in applied)
        below = offence.tiers[offence.tiers.index(tier) - 1]
        assert term >= (below.least if below is not tier else 0)
    assert term <= (tier.most or 180)
    mine = found.verdict.punishment
    assert mine is not None and mine.term is not None
    if charge.recommended is None or mine.term.months != low:
        assert any(kind == "discretion" for kind, _ in found.thin) and found.reckoning
    if mine.probation is not None:
        least, most = RULES.lengths[mine.term.name]  # type: ignore[union-attr]
        assert term <= 36 and max(least, term) <= (mine.probation.months or 0) <= most
        assert "recidivist" not in {one.name for one in applied}


CHANGES = {
    "recidivist": {"prior_ended": "2021-01-01"},
    "beaten": {"beaten": True},
    "accessory": {"minor_part": True},
    "attempt": {"unfinished": "未遂"},
    "confession": {"confessed": True},
    "surrender": {"surrendered": True},
    "forgiven": {"forgiven": True},
}


@pytest.mark.parametrize("offence", ["detention", "theft", "brawl"])
@pytest.mark.parametrize("change", CHANGES)
def test_each_circumstance_moves_a_sentence_its_way(offence: str, change: str) -> None:
    if change == "beaten" and offence != "detention":
        pytest.skip("a circumstance of another offence")
    base, found = months(judged(offence)), judged(offence, **CHANGES[change])
    severe = change in ("recidivist", "beaten")
    assert months(found) >= base if severe else months(found) <= base
    assert [one.name for one in found.verdict.circumstances] == [change]


@pytest.mark.parametrize("offence", DEEDS)
@pytest.mark.parametrize("ended", ["2018-05-10", "2018-05-08", "2023-05-08"])
def test_a_recidivist_is_imprisoned_without_probation(offence: str, ended: str) -> None:
    """Only for offences of intent that imprisonment is open for, within five years of the last sentence."""
    found = judged(offence, prior_ended=ended, suited=True)
    counts = offence not in ("traffic", "dangerous_driving") and ended != "2018-05-08"
    assert ("recidivist" in {one.name for one in found.verdict.circumstances}) is counts
    assert found.range is not None and found.range.probation is not counts
    if counts:
        assert found.range.main == ("有期徒刑",) and months(found) >= 6


def test_a_sentence_grows_with_what_it_is_measured_by() -> None:
    values = (*range(10000, 30000, 4000), *range(100000, 500000, 50000))
    sums = [months(judged_value(value)) for value in values]
    assert sums == sorted(sums) and len(set(sums)) > 5


@pytest.mark.parametrize("value", range(30000, 100000, 10000))
def test_between_two_ends_that_a_law_leaves_open_only_what_both_readings_allow_is_adopted(value: int) -> None:
    """Below the higher end the sentence is up to three years by one reading, from three years by the other."""
    assert judged_value(value).verdict.result == "open"
    for asked, result in ((8, "open"), (36, "convicted"), (60, "open")):
        charge = Charge("D1", "fraud", Recommended("有期徒刑", asked))
        found = decide_charge(shipped("cn"), case(charge, cheated=True, value=value), charge)
        assert found.verdict.result == result and (result == "convicted" or found.thin[0][0] == "open_fact")


def judged_value(value: int) -> JudgedCharge:
    charge = Charge("D1", "fraud")
    return decide_charge(shipped("cn"), case(charge, cheated=True, value=value), charge)


@pytest.mark.parametrize("forced", ["coerced", "beyond_need"])
def test_what_must_be_mitigated_ends_below_its_tier(forced: str) -> None:
    assert months(judged("intentional_injury", **{forced: True})) <= 36 < months(judged("intentional_injury"))


# ---- several offences ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("pair", list(combinations(DEEDS, 2)), ids=str)
def test_several_sentences_become_one_between_the_longest_and_their_sum(pair: tuple[str, str]) -> None:
    charges = tuple(Charge("D1", one) for one in pair)
    facts = {name: value for one in pair for name, value in DEEDS[one].items()}
    found = decide_charges(shipped("cn"), case(*charges, **facts))
    terms = [one.verdict.punishment.term for one in found.charges if one.verdict.punishment is not None]
    assert len(terms) == 2 and all(terms)
    kinds = {one.name for one in terms if one is not None}
    served = {one.punishment.term.name: one.punishment.term.months for one in found.sentences if one.punishment.term}
    if kinds == {"有期徒刑", "拘役"}:
        assert served.keys() == {"有期徒刑"}
    for name, all_months in served.items():
        mine = [one.months or 0 for one in terms if one is not None and one.name == name]
        assert all_months is not None and max(mine) <= all_months <= sum(mine)
    fines = [one.verdict.punishment.fine for one in found.charges if one.verdict.punishment is not None]
    total = sum((one.value for one in fines if one is not None), Decimal(0))
    first = found.sentences[0].punishment.fine
    assert (first.value if first is not None else 0) == total


@given(st.lists(st.integers(6, 180), min_size=2, max_size=8), st.sampled_from(["有期徒刑", "拘役", "管制"]))
def test_the_most_of_several(all_months: list[int], kind: str) -> None:
    rule = RULES.combination  # type: ignore[union-attr]
    assert rule is not None
    low, high = combined_range(rule, kind, all_months)
    most = {"有期徒刑": 240 if sum(all_months) < 420 else 300, "拘役": 12, "管制": 36}[kind]
    assert low == max(all_months) and high == max(min(sum(all_months), most), low)


def test_what_is_recommended_for_all_is_adopted_where_it_is_lawful() -> None:
    charges = (Charge("D1", "detention"), Charge("D1", "brawl"))
    base = case(*charges, detained=True, brawled=True, armed=True)
    one, two = (months(each) for each in decide_charges(shipped("cn"), base).charges)
    for asked in (max(one, two), one + two, one + two + 1, max(one, two) - 1):
        told = replace(base, combined={"D1": Recommended("有期徒刑", asked)})
        (served,) = decide_charges(shipped("cn"), told).sentences
        lawful = max(one, two) <= asked <= one + two
        assert served.punishment.term is not None and (served.punishment.term.months == asked) is lawful
