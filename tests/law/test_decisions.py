"""Decisions read out of texts: items made of every combination of their parts say what they were made of.

What is not said is not there, and what cannot be told - who, of two of one name - is named and never guessed.
"""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legalworld.law.text.decision_people import CaseFrame, mentions
from legalworld.law.text.decisions import read_decision
from legalworld.model.decision import Claim, Decision, Party
from legalworld.model.decision_json import decision_json, read_decision_json

SURNAMES = "程宋尹贺戚窦顾纪"
GIVEN = "千山若水知微云舟远帆"
FIRMS = ("江澜市听雨商贸有限公司", "望津物流有限公司", "云汀（江澜）餐饮管理有限公司")
NAMES = st.one_of(
    st.sampled_from(FIRMS),
    st.builds(lambda a, b: a + b, st.sampled_from(SURNAMES), st.text(GIVEN, min_size=1, max_size=2)),
)


def party(number: int, name: str, side: str) -> Party:
    titles = {"plaintiff": ("原告",), "defendant": ("被告",)}[side]
    return Party(id=f"{side[0].upper()}{number}", name=name, side=side, titles=titles)


def judged(operative: str, frame: CaseFrame | None = None, rest: str = "") -> Decision:
    text = f"本院认为，理由略。依照《中华人民共和国民法典》第五百零九条规定，判决如下：\n\n{operative}\n\n{rest}"
    return read_decision(text, frame, document="d", instance=1)


@st.composite
def frames(draw: st.DrawFn) -> CaseFrame:
    names = draw(st.lists(NAMES, min_size=2, max_size=4, unique=True).filter(_apart))
    people = [party(1, names[0], "plaintiff"), *(party(at, name, "defendant") for at, name in enumerate(names[1:], 1))]
    return CaseFrame(people)


def _apart(names: list[str]) -> bool:
    return not any(one != other and one in other for one in names for other in names)


@given(frames(), st.data())
@settings(max_examples=150, deadline=None)
def test_an_order_says_who_whom_how_much_and_when(frame: CaseFrame, data: st.DataObject) -> None:
    payee, *payers = frame.people
    some = payers[: data.draw(st.integers(1, len(payers)))]
    title = data.draw(st.sampled_from(["被告", ""]))
    joint = data.draw(st.sampled_from(["共同", "连带", ""]))
    verb, kind = data.draw(st.sampled_from([("支付", "pay"), ("返还", "return"), ("赔偿", "pay"), ("偿还", "pay")]))
    sum_of = data.draw(st.decimals(min_value=1, max_value=10**9, places=2))
    days, said = data.draw(st.sampled_from([(10, "十"), (3, "三"), (30, "30"), (15, "十五")]))
    what = data.draw(st.sampled_from(["货款", "借款本金", "租金", "违约金", "医疗费"]))
    toward = data.draw(st.booleans())
    names = data.draw(st.sampled_from(["、", "和"])).join(one.name for one in some)
    owed = f"向原告{payee.name}{verb}" if toward else f"{verb}原告{payee.name}"
    decision = judged(f"{title}{names}于本判决生效之日起{said}日内{joint}{owed}{what}{sum_of}元。", frame)
    relief = decision.reliefs[0]
    assert decision.whole and len(decision.reliefs) == 1
    assert (relief.payers, relief.payees) == (tuple(one.id for one in some), (payee.id,))
    assert relief.amount is not None and relief.amount.value == sum_of and relief.order == kind
    assert relief.within is not None and (relief.within.days, relief.within.since) == (days, "effect")
    assert relief.object == what
    expected = "one" if len(some) == 1 else "jointly" if joint else "open"
    assert relief.liability == expected
    assert read_decision_json(decision_json(decision)) == decision


@given(st.lists(st.integers(1, 10**7), min_size=2, max_size=4), st.booleans())
@settings(max_examples=60, deadline=None)
def test_several_sums_are_parts_and_only_a_stated_total_is_one(sums: list[int], totalled: bool) -> None:
    frame = CaseFrame([party(1, "宋知微", "plaintiff"), party(1, "尹远帆", "defendant")])
    listed = "、".join(
        f"{name}{one}元" for name, one in zip(("医疗费", "误工费", "护理费", "交通费"), sums, strict=False)
    )
    tail = f"，共计{sum(sums)}元" if totalled else ""
    relief = judged(f"被告尹远帆于本判决生效之日起十日内赔偿原告宋知微{listed}{tail}。", frame).reliefs[0]
    assert [part.amount.value for part in relief.parts] == sums
    assert (relief.amount.value if relief.amount else None) == (sum(sums) if totalled else None)


def test_a_title_tells_two_of_one_name_apart_and_without_one_nobody_is_meant() -> None:
    frame = CaseFrame([party(1, "程千山", "plaintiff"), party(1, "程千山", "defendant")])
    titled = judged("被告程千山于本判决生效之日起十日内支付原告程千山货款500元。", frame).reliefs[0]
    assert (titled.payers, titled.payees) == (("D1",), ("P1",))
    bare = judged("程千山于本判决生效之日起十日内支付货款500元。", frame)
    assert bare.reliefs[0].payers == () and {one.missing for one in bare.thin} >= {"payers", "payees"}
    assert not bare.whole


@pytest.mark.parametrize("many", ["二", "两", "各", "上述"])
def test_a_title_alone_means_all_only_where_the_text_says_so(many: str) -> None:
    frame = CaseFrame([party(1, "宋若水", "plaintiff"), *(party(at, f"尹{at}帆", "defendant") for at in (1, 2))])
    assert judged(f"{many}被告于本判决生效之日起十日内共同支付原告货款500元。", frame).reliefs[0].payers == ("D1", "D2")
    assert judged("被告于本判决生效之日起十日内支付原告货款500元。", frame).reliefs[0].payers == ()


def test_the_longest_name_wins() -> None:
    frame = CaseFrame([party(1, "云汀餐饮", "plaintiff"), party(1, "云汀餐饮管理有限公司", "defendant")])
    found = mentions("被告云汀餐饮管理有限公司支付原告云汀餐饮", frame)
    assert [one.people for one in found] == [("D1",), ("P1",)]


def test_what_is_dismissed_catches_the_claims_that_nothing_else_answers() -> None:
    claims = [Claim(id="1", text="支付货款500元"), Claim(id="2", text="赔偿差旅费20元")]
    frame = CaseFrame([party(1, "宋若水", "plaintiff"), party(1, "尹远帆", "defendant")], claims)
    decision = judged(
        "一、被告尹远帆于本判决生效之日起十日内支付原告宋若水货款500元；\n二、驳回原告宋若水的其他诉讼请求。", frame
    )
    assert [(one.result, one.claims, one.rest) for one in decision.reliefs] == [
        ("granted", ("1",), False),
        ("dismissed", (), True),
    ]
    whole = judged("驳回原告宋若水的诉讼请求。", frame)
    assert whole.reliefs[0].claims == ("1", "2")


@pytest.mark.parametrize(
    ("item", "fates"),
    [
        ("驳回上诉，维持原判。", [("", "kept")]),
        (
            "一、维持（2024）虚01民初1号民事判决第一、三项；\n二、撤销（2024）虚01民初1号民事判决第二项。",
            [("1", "kept"), ("3", "kept"), ("2", "annulled")],
        ),
        (
            "一、变更（2024）虚01民初1号民事判决第二项为：尹远帆于本判决生效之日起十日内支付宋若水货款5元。",
            [("2", "changed")],
        ),
        ("一、撤销（2024）虚01民初1号民事判决；\n二、发回江澜市青塘区人民法院重审。", [("", "annulled")]),
        ("一、维持（2024）虚01民初1号民事判决第一项至第三项。", [("1", "kept"), ("2", "kept"), ("3", "kept")]),
    ],
)
def test_the_fate_of_each_item_below(item: str, fates: list[tuple[str, str]]) -> None:
    frame = CaseFrame([party(1, "宋若水", "plaintiff"), party(1, "尹远帆", "defendant")])
    decision = judged(item, frame)
    assert [(one.item, one.result) for one in decision.fates] == fates
    assert decision.remanded is ("重审" in item)


@pytest.mark.parametrize(
    ("costs", "shares"),
    [
        (
            "案件受理费770元，由原告宋若水负担39.69元，由被告尹远帆负担730.31元。",
            [(("P1",), "39.69"), (("D1",), "730.31")],
        ),
        ("案件受理费50元，减半收取25元，由被告尹远帆负担。", [(("D1",), "25")]),
        ("案件受理费770元，由被告宋若水、尹远帆共同负担。", [(("P1", "D1"), "770")]),
    ],
)
def test_costs_and_who_bears_them(costs: str, shares: list[tuple[tuple[str, ...], str]]) -> None:
    frame = CaseFrame([party(1, "宋若水", "plaintiff"), party(1, "尹远帆", "defendant")])
    decision = judged("驳回原告宋若水的诉讼请求。", frame, costs)
    read = [(one.persons, one.amount.value) for one in decision.costs[0].shares if one.amount]
    assert read == [(persons, Decimal(value)) for persons, value in shares]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "这不是判决书。",
        "本院认为，双方应当互谅互让，望双方好自为之。",
        "判决如下：",
        "判决如下：\n\n双方的事，本院思之再三，认为各退一步为宜，望双方好自为之。",
        "判决如下：\n\n" + "（" * 3000,
        "判决如下：\n\n一、" * 200,
        "\x00\x01判决如下：被告\u202e支付原告",
    ],
)
def test_a_text_that_decides_nothing_has_gaps_and_no_parts(text: str) -> None:
    decision = read_decision(text)
    assert not decision.whole and not decision.verdicts
    assert not any(one.amount for one in decision.reliefs)


def test_two_currencies_stay_two() -> None:
    frame = CaseFrame([party(1, "宋若水", "plaintiff"), party(1, "尹远帆", "defendant")])
    relief = judged("被告尹远帆于本判决生效之日起十日内支付原告宋若水货款500元、运费30美元。", frame).reliefs[0]
    assert relief.amount is None
    assert [part.amount.currency for part in relief.parts] == ["CNY", "USD"]


@given(st.text("被告原告一二三、，。；：（）判决如下支付驳回请求元5\n", max_size=80))
@settings(max_examples=150, deadline=None)
def test_no_text_breaks_the_reader(text: str) -> None:
    decision = read_decision("本院认为，判决如下：" + text)
    assert read_decision_json(decision_json(decision)) == decision
