"""A decision written as an operative part and read back is the decision, but for where its parts stand.

One family of decisions for each way in which the shipped procedures decide; what cannot be written is refused.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_decisions import NAMES, NOUNS, costs, frames, judged, orders, said

from legalworld.law.text.decision_people import CaseFrame
from legalworld.law.text.decisions import read_decision
from legalworld.law.text.operative import Unwritable, operative
from legalworld.model.decision import (
    Amount,
    Claim,
    Deadline,
    Decision,
    Fate,
    InterestOrder,
    Party,
    Relief,
)

NUMBER = "（2024）虚0105民初1001号"
FAMILIES = {
    "civil": ("judgment", "原告", "被告"),
    "labour": ("award", "申请人", "被申请人"),
    "administrative": ("judgment", "原告", "被告"),
}


def read_back(decision: Decision, frame: CaseFrame, wording: str, instance: int = 1) -> Decision:
    paper = "裁决" if wording == "award" else "判决"
    heading = f"本院认为，理由略。依照《中华人民共和国民法典》第五百零九条规定，{paper}如下：\n\n"
    return read_decision(heading + operative(decision, frame, wording), frame, document=decision.id, instance=instance)


@pytest.mark.parametrize("family", FAMILIES)
@given(st.data())
@settings(max_examples=60, deadline=None)
def test_orders_come_back(family: str, data: st.DataObject) -> None:
    wording, first, second = FAMILIES[family]
    frame = data.draw(frames(first, second))
    nouns = data.draw(st.lists(st.sampled_from(NOUNS), min_size=1, max_size=3, unique=True))
    reliefs = [data.draw(orders(frame, at, noun)) for at, noun in enumerate(nouns, 1)]
    if data.draw(st.booleans()):
        at = str(len(reliefs) + 1)
        reliefs.append(Relief(id=at, item=at, result="dismissed", rest=True, payees=("P1",)))
    fee = (data.draw(costs(frame)),) if wording == "judgment" else ()
    decision = Decision(reliefs=tuple(reliefs), costs=fee)
    again = read_back(decision, frame, wording)
    assert said(again, "reliefs", "costs") == said(decision, "reliefs", "costs")
    assert again.whole and again.thin == ()


@given(st.data())
@settings(max_examples=40, deadline=None)
def test_claims_that_are_dismissed_come_back(data: st.DataObject) -> None:
    frame = data.draw(frames("原告", "被告"))
    claims = tuple(Claim(id=str(at), text=f"支付{noun}5{at}元") for at, noun in enumerate(NOUNS[:3], 1))
    frame = CaseFrame(frame.people, claims)
    relief = Relief(id="1", item="1", result="dismissed", claims=("1", "2", "3"), rest=True, payees=("P1",))
    decision = Decision(reliefs=(relief,))
    assert said(read_back(decision, frame, "judgment"), "reliefs") == said(decision, "reliefs")


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_what_a_second_instance_makes_of_each_item_comes_back(data: st.DataObject) -> None:
    frame = data.draw(frames("上诉人", "被上诉人"))
    kinds = data.draw(st.lists(st.sampled_from(["kept", "annulled", "changed"]), min_size=1, max_size=4))
    fates, reliefs = [], []
    for at, kind in enumerate(kinds, 1):
        fates.append(Fate(item=str(at), result=kind, by=str(at) if kind == "changed" else ""))
        if kind == "changed":
            reliefs.append(data.draw(orders(frame, at, NOUNS[at])))
    if data.draw(st.booleans()):
        fates, reliefs = [Fate(item="", result=data.draw(st.sampled_from(["kept", "annulled"])))], []
    decision = Decision(fates=tuple(fates), reliefs=tuple(reliefs), below_number=NUMBER, instance=2)
    again = read_back(decision, frame, "judgment", 2)
    assert said(again, "reliefs", "fates") == said(decision, "reliefs", "fates") and again.whole


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_verdicts_come_back(data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(NAMES[:4]), min_size=1, max_size=3, unique=True))
    frame = CaseFrame([Party(id=f"D{at}", name=name, titles=("被告人",)) for at, name in enumerate(names, 1)])
    decision = data.draw(judged(tuple(party.id for party in frame.people)))
    again = read_back(decision, frame, "judgment")
    assert said(again, "verdicts", "sentences") == said(decision, "verdicts", "sentences")


ACTS = (
    "撤销{name}于2024年12月20日作出的江青市监罚〔2024〕318号行政处罚决定",
    "责令{name}于本判决生效之日起六十日内重新作出行政行为",
)


def test_acts_come_back() -> None:
    agency = Party(id="D1", name="江澜市青塘区市场监督管理局", side="defendant", titles=("被告",))
    frame = CaseFrame([Party(id="P1", name="柏青茶行", side="plaintiff", titles=("原告",)), agency])
    objects = [act.format(name="被告江澜市青塘区市场监督管理局") for act in ACTS]
    decision = Decision(
        reliefs=(
            Relief(id="1", item="1", result="granted", order="annul", payers=("D1",), object=objects[0]),
            Relief(
                id="2",
                item="2",
                result="granted",
                order="redo",
                payers=("D1",),
                object=objects[1],
                within=Deadline(days=60, since="effect"),
            ),
        )
    )
    assert said(read_back(decision, frame, "judgment"), "reliefs") == said(decision, "reliefs")


@pytest.mark.parametrize(
    "change",
    [
        {"payers": ()},
        {"payers": ("X9",)},
        {"liability": "open"},
        {"order": "forfeit"},
        {"result": "undecided"},
        {"amount": Amount(value=Decimal(1), currency="JPY")},
        {"within": Deadline(months=1, since="effect")},
        {"interest": (InterestOrder(formula="LPR1Y*4"),)},
    ],
)
def test_what_has_no_sentence_is_refused(change: dict[str, Any]) -> None:
    frame = CaseFrame([Party(id=one, name=name, titles=()) for one, name in (("P1", NAMES[0]), ("D1", NAMES[1]))])
    relief = Relief(
        id="1", item="1", result="granted", order="pay", payers=("D1",), payees=("P1",), liability="one", object="货款"
    )
    assert operative(Decision(reliefs=(relief,)), frame)
    with pytest.raises(Unwritable) as told:
        operative(Decision(reliefs=(relief.model_copy(update=change),)), frame)
    assert told.value.part


def test_an_empty_decision_has_no_operative_part() -> None:
    with pytest.raises(Unwritable):
        operative(Decision(), CaseFrame())
