"""What is said the same in other words is read the same: fees, who came, numbers of documents, orders in English."""

from __future__ import annotations

from decimal import Decimal
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legalworld.evaluation.soundness.audited import Audited
from legalworld.evaluation.soundness.schema import Held, NotRead
from legalworld.law.text.decision_costs import read_costs
from legalworld.law.text.decision_people import CaseFrame
from legalworld.law.text.decisions import attendance, read_decision
from legalworld.law.text.judgment_head import head
from legalworld.model.decision import Claim, Party

PEOPLE = (
    Party(id="P", name="禾穗粮油有限公司", side="p", titles=("原告",)),
    Party(id="D", name="梅长青", side="d", titles=("被告",)),
)
FRAME = CaseFrame(PEOPLE)

# ---- fees ------------------------------------------------------------------------------------------------------------

ONE, OTHER = ("原告禾穗粮油有限公司", "禾穗粮油有限公司", "原告"), ("被告梅长青", "梅长青", "被告")
SHARED = (
    "由{p}负担{a}元，由{d}负担{b}元",
    "由{p}负担{a}元，{d}负担{b}元",
    "由{p}负担{a}元、{d}负担{b}元",
    "由{p}负担{a}元；由{d}负担{b}元",
    "由{p}负担{a}元，其余{b}元由{d}负担",
    "由{p}承担{a}元，{d}承担{b}元",
    "（{p}已预交），{p}负担{a}元，{d}负担{b}元",
    "（{p}已预交{t}元），由{p}负担{a}元，{d}负担{b}元，于本判决生效之日起七日内向本院交纳",
)


@pytest.mark.parametrize("form", SHARED)
@pytest.mark.parametrize(("p", "d"), list(product(ONE, OTHER)))
def test_shares_of_a_fee_are_read_in_every_form(form: str, p: str, d: str) -> None:
    for a, b in (("39.69", "730.31"), ("10", "40"), ("1", "0.5")):
        whole = Decimal(a) + Decimal(b)
        text = f"案件受理费{whole}元，{form.format(p=p, d=d, a=a, b=b, t=whole)}。"
        items, thin = read_costs(text, 0, FRAME, "d")
        shares = [(share.persons, share.amount.value if share.amount else None) for share in items[0].shares]
        assert shares == [(("P",), Decimal(a)), (("D",), Decimal(b))], text
        assert thin == []


@pytest.mark.parametrize("more", ["，退还{p}{b}元", "，{p}已预交{b}元", "，另行收取{b}元"])
def test_a_sum_that_is_nobodys_leaves_the_shares_open(more: str) -> None:
    text = f"案件受理费50元，由{OTHER[0]}负担50元{more.format(p=ONE[0], b=20)}。"
    _, thin = read_costs(text, 0, FRAME, "d")
    assert [one.missing for one in thin] == ["sums"]


def test_each_bears_as_much() -> None:
    items, _ = read_costs(f"案件受理费50元，由{ONE[0]}、{OTHER[0]}各负担25元。", 0, FRAME, "d")
    assert [share.amount.value for share in items[0].shares if share.amount] == [50]


# ---- who came --------------------------------------------------------------------------------------------------------

CAME = ("{p}到庭参加诉讼", "{p}的委托诉讼代理人叶知秋到庭参加诉讼", "{p}及其委托诉讼代理人叶知秋到庭参加了诉讼")
AWAY = (
    "{d}经本院传票传唤，无正当理由拒不到庭",
    "{d}经本院传票传唤未到庭",
    "{d}经本院合法传唤，无正当理由拒不到庭参加诉讼",
)
JOINS = ("，", "；", "。")


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize(("came", "away", "join"), list(product(CAME, AWAY, JOINS)))
def test_only_who_is_meant_stays_away(came: str, away: str, join: str, swapped: bool) -> None:
    first, second = came.format(p=ONE[0]), away.format(d=OTHER[0])
    said = join.join((second, first) if swapped else (first, second))
    text = f"原告与被告买卖合同纠纷一案，本院立案后公开开庭进行了审理。{said}。本案现已审理终结。"
    here, absent = attendance(text, FRAME)
    assert set(absent) == {"D"}, said
    assert "D" not in here and set(here) <= {"P"}, said


def test_a_client_whose_lawyer_came_may_stay_away() -> None:
    text = "本院开庭审理。被告梅长青的委托诉讼代理人叶知秋到庭参加诉讼，被告梅长青经传票传唤未到庭。"
    here, absent = attendance(text, FRAME)
    assert set(absent) == {"D"} and here == {}


# ---- numbers ---------------------------------------------------------------------------------------------------------

NUMBER = "（2023）虚0105民初988号"
LINE = "本院认为，应予撤销。依照法律规定，判决如下：\n\n一、撤销{number}民事判决。\n"


@pytest.mark.parametrize("brackets", ["（）", "()", "〔〕", "[]", "【】"])
def test_a_number_is_known_from_the_text_or_the_case_in_any_brackets(brackets: str) -> None:
    other = NUMBER.replace("（", brackets[0]).replace("）", brackets[1])
    told = f"不服{NUMBER}民事判决。{LINE.format(number=other)}"
    assert told_of(told, CaseFrame()) is True
    assert told_of(LINE.format(number=other), CaseFrame(numbers=[NUMBER])) is True


@pytest.mark.parametrize("place", range(6, len(NUMBER)))
def test_a_number_is_wrong_only_where_it_is_nearly_one_that_is_told(place: int) -> None:
    sign = NUMBER[place]
    wrong = NUMBER[:place] + (str((int(sign) + 1) % 10) if sign.isdigit() else sign) + NUMBER[place + 1 :]
    told = f"不服{NUMBER}民事判决。{LINE.format(number=wrong)}"
    assert told_of(told, CaseFrame()) is (not sign.isdigit())
    assert told_of(f"不服{NUMBER}民事判决。{LINE.format(number='（2021）远12行终7号')}", CaseFrame()) is None


def told_of(text: str, frame: CaseFrame) -> bool | None:
    found = Audited(text, frame).numbers_told(text.index("如下："), len(text))
    assert isinstance(found, Held | NotRead)
    return bool(found.value) if isinstance(found, Held) else None


@pytest.mark.parametrize(
    ("kind", "instance"), [("民初", 1), ("刑初", 1), ("行初", 1), ("民终", 2), ("刑终", 2), ("行终", 2)]
)
def test_a_number_tells_the_instance(kind: str, instance: int) -> None:
    for title in ("原告：甲公司。", "上诉人（原审被告）：甲公司。", "原审被告人：甲。"):
        text = f"某县人民法院\n判决书\n（2025）虚01{kind}203号\n{title}\n甲公司与乙公司纠纷一案，本院审理。\n"
        assert head(text).instance == instance


# ---- English ---------------------------------------------------------------------------------------------------------

ENGLISH = CaseFrame(
    (
        Party(id="C", name="Ms Hannah Osei", side="claimant", titles=("Claimant",)),
        Party(id="D", name="Brightline Kitchens Ltd", side="defendant", titles=("Defendant",)),
    ),
    (Claim(id="1", text="the price of a bicycle"), Claim(id="2", text="the repair of a roof")),
)
OPENERS = ("IT IS ORDERED that:", "Accordingly, IT IS ORDERED that:", "### Order", "Order.", "I order that:")
MARKS = ("1. ", "(a) ", "1) ", "(1) ")
ORDERS = (
    "The Defendant must pay the Claimant {one} for the price of a bicycle and {two} for the repair of a roof,"
    " {all} in all",
    "There be judgment for the Claimant in the sum of {all}, being {one} for the price of a bicycle and {two} for the"
    " repair of a roof",
    "Judgment for the Claimant against the Defendant in the sum of {all}, being {one} for the price of a bicycle and"
    " {two} for the repair of a roof",
    "The Defendant shall also pay to the Claimant {one} for the price of a bicycle and {two} for the repair of a roof,"
    " a total of {all}",
)


@given(
    st.sampled_from(OPENERS),
    st.sampled_from(MARKS),
    st.sampled_from(ORDERS),
    st.decimals(min_value=1, max_value=10**5, places=2),
    st.decimals(min_value=1, max_value=10**5, places=2),
)
@settings(max_examples=120, deadline=None)
def test_an_order_in_english_is_read_in_every_form(
    opener: str, mark: str, order: str, one: Decimal, two: Decimal
) -> None:
    sums = {"one": f"£{one:,.2f}", "two": f"£{two:,.2f}", "all": f"£{one + two:,.2f}"}
    text = f"JUDGMENT\n\nI find for the Claimant.\n\n{opener}\n\n{mark}{order.format(**sums)}.\n\nDistrict Judge\n"
    decision = read_decision(text, ENGLISH, document="x")
    assert decision.whole, decision.thin
    paid = decision.reliefs[0]
    assert (paid.payers, paid.payees, set(paid.claims)) == (("D",), ("C",), {"1", "2"})
    assert paid.amount is not None and paid.amount.value == one + two
    assert [part.amount.value for part in paid.parts] == [one, two]


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize(
    "rest", ["", "\n", "\nThe Defendant must pay the Claimant £5.00 for the price of a bicycle.\n"]
)
def test_orders_without_numbers_are_read_by_the_line(opener: str, rest: str) -> None:
    decision = read_decision(f"JUDGMENT\n\nI find for her in all that matters here.\n\n{opener}\n{rest}", ENGLISH)
    assert [one.claims for one in decision.reliefs] == ([("1",)] if "bicycle" in rest else [])


# ---- broken texts ----------------------------------------------------------------------------------------------------

TEXTS = sorted((Path(__file__).parents[1] / "evaluation" / "judgments").glob("*.*"))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.name)
def test_a_broken_judgment_is_read_without_a_fall(file: Path, seed: int) -> None:
    random, lines = Random(f"{file.name}{seed}"), file.read_text("utf-8").splitlines()
    broken = [line[: random.randrange(len(line) + 1)] if random.random() < 0.2 else line for line in lines]
    kept = [line for line in broken if random.random() < 0.8]
    random.shuffle(kept)
    decision = read_decision("\n".join(kept), None)
    assert all(one.origin is not None for one in decision.reliefs)
