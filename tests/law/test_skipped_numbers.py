"""Items of orders keep the numbers they bear, one may be missing; a counterclaim does not swap the sides."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from legalworld.law.text.decisions import read_decision
from legalworld.law.text.numerals import spelled

HEAD = "江澜市青塘区人民法院\n民事判决书\n（2025）虚0105民初12号\n\n"
TOLD = (
    "原告宋若水与被告程千山合同纠纷一案，本院立案后公开开庭进行了审理。现已审理终结。\n\n"
    "本院认为，原告的请求应予支持。依照《中华人民共和国民法典》第五百七十七条规定，"
)
STYLES = ("{n}、", "（{n}）", "{d}.", "{d}、")


@given(
    st.sampled_from(STYLES),
    st.lists(st.sampled_from([1, 1, 1, 2]), min_size=1, max_size=6),
    st.sampled_from(["\n", "\n\n"]),
)
def test_items_keep_their_numbers(style: str, steps: list[int], between: str) -> None:
    numbers = [1]
    for step in steps:
        numbers.append(numbers[-1] + step)
    said = [
        f"{style.format(n=spelled(n), d=n)}被告程千山于本判决生效之日起十日内支付原告宋若水第{spelled(n)}期租金{n}00元"
        for n in numbers
    ]
    text = f"{HEAD}原告：宋若水。\n被告：程千山。\n\n{TOLD}判决如下：\n\n" + f"；{between}".join(said)
    decision = read_decision(text + "。\n\n案件受理费50元，由被告程千山负担。\n")
    assert [one.item for one in decision.reliefs] == [str(n) for n in numbers]
    assert [str(one.amount.value) for one in decision.reliefs if one.amount] == [f"{n}00" for n in numbers]
    assert {(one.payers, one.payees) for one in decision.reliefs} == {(("D1",), ("P1",))}


@pytest.mark.parametrize("brackets", ["（反诉被告）", "(反诉被告)", "（反诉被告、被上诉人）", ""])
@pytest.mark.parametrize("colon", ["：", ""])
def test_a_counterclaim_does_not_swap_the_sides(brackets: str, colon: str) -> None:
    other = brackets.replace("被告", "原告")
    text = (
        f"{HEAD}原告{brackets}{colon}宋若水，女。\n被告{other}{colon}程千山，男。\n\n"
        f"{TOLD}判决如下：\n\n一、被告程千山于本判决生效之日起十日内支付原告宋若水货款300元；\n"
        "二、反诉被告宋若水于本判决生效之日起十日内支付反诉原告程千山加工费200元。\n"
    )
    decision = read_decision(text)
    assert {one.name: one.side for one in decision.parties} == {"宋若水": "plaintiff", "程千山": "defendant"}
    assert [(one.payers, one.payees) for one in decision.reliefs] == [(("D1",), ("P1",)), (("P1",), ("D1",))]
