"""A decision written as an operative part and read back is the decision, but for where its parts stand.

One family of decisions for each way in which the shipped procedures decide; what cannot be written is refused.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from legalworld.law.text.decision_people import CaseFrame
from legalworld.law.text.decisions import read_decision
from legalworld.law.text.operative import Unwritable, operative
from legalworld.model.decision import (
    Amount,
    ChargeVerdict,
    Claim,
    CostItem,
    Deadline,
    Decision,
    Fate,
    InterestOrder,
    Length,
    Part,
    Party,
    Penalty,
    Relief,
    ServedSentence,
    Share,
    Term,
)

NAMES = ("程千山", "宋若水", "尹远帆", "贺知微", "江澜市听雨商贸有限公司", "望津物流有限公司", "戚云舟")
NOUNS = ("货款", "租金", "违约金", "医疗费", "误工费", "工资", "押金")
NUMBER = "（2024）虚0105民初1001号"
FAMILIES = {
    "civil": ("judgment", "原告", "被告"),
    "labour": ("award", "申请人", "被申请人"),
    "administrative": ("judgment", "原告", "被告"),
}
SUMS = st.decimals(min_value=Decimal("0.01"), max_value=10**9, places=2)
DAYS = st.dates().filter(lambda day: day.year > 1990 and day.year < 2100).map(lambda day: day.isoformat())


def yuan(value: Decimal) -> Amount:
    return Amount(value=value, currency="CNY")


@st.composite
def frames(draw: st.DrawFn, first: str, second: str) -> CaseFrame:
    names = draw(st.lists(st.sampled_from(NAMES), min_size=2, max_size=4, unique=True))
    asks = [Party(id="P1", name=names[0], side="plaintiff", titles=(first,))]
    asked = [Party(id=f"D{at}", name=name, side="defendant", titles=(second,)) for at, name in enumerate(names[1:], 1)]
    return CaseFrame([*asks, *asked])


@st.composite
def orders(draw: st.DrawFn, frame: CaseFrame, item: int, noun: str) -> Relief:
    """An order to pay or give back: one sum, several with or without a total, or interest alone."""
    others = [party.id for party in frame.people[1:]]
    payers = tuple(others[: draw(st.integers(1, len(others)))])
    shape = draw(st.sampled_from(["one", "parts", "total", "interest"]))
    parts: tuple[Part, ...] = ()
    amount = yuan(draw(SUMS))
    interest: tuple[InterestOrder, ...] = ()
    label = noun
    if shape in ("parts", "total"):
        labels = draw(st.lists(st.sampled_from(NOUNS), min_size=2, max_size=3, unique=True))
        parts = tuple(Part(label=one, amount=yuan(draw(SUMS))) for one in labels)
        label = "、".join(labels)
    if shape == "interest":
        rate = draw(st.decimals(min_value=Decimal("0.1"), max_value=24, places=2))
        one = InterestOrder(base=amount, rate=rate, per="year", since=draw(DAYS), until="actual_repayment")
        interest, label = (one,), "利息"
    return Relief(
        id=str(item),
        item=str(item),
        result="granted",
        order=draw(st.sampled_from(["pay", "return"])),
        payers=payers,
        payees=("P1",),
        liability="jointly" if len(payers) > 1 else "one",
        object=label,
        amount=None if shape in ("parts", "interest") else amount,
        parts=parts,
        interest=interest,
        within=draw(st.none() | st.builds(Deadline, days=st.integers(1, 90), since=st.just("effect"))),
    )


@st.composite
def costs(draw: st.DrawFn, frame: CaseFrame) -> CostItem:
    shares = tuple(
        Share(persons=(party.id,), amount=yuan(draw(SUMS))) for party in frame.people[: draw(st.integers(1, 2))]
    )
    return CostItem(item="案件受理费", amount=yuan(draw(SUMS)), shares=shares)


def plain(value: Any) -> Any:
    """A value without where its parts stand."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items() if key != "origin"}
    return [plain(one) for one in value] if isinstance(value, list) else value


def said(decision: Decision, *parts: str) -> dict[str, Any]:
    dumped = decision.model_dump(mode="json", exclude_defaults=True)
    return {part: plain(dumped.get(part)) for part in parts}


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


CHARGES = ("盗窃罪", "诈骗罪", "故意伤害罪", "寻衅滋事罪")


@st.composite
def penalties(draw: st.DrawFn) -> Penalty:
    name = draw(st.sampled_from(["有期徒刑", "拘役", "管制", "无期徒刑"]))
    most = {"有期徒刑": 180, "拘役": 6, "管制": 24}
    months = draw(st.integers(1, most[name])) if name in most else None
    term = Term(kind="months" if months else "life", name=name, months=months)
    suspended = name in ("有期徒刑", "拘役") and draw(st.booleans())
    rights = Length(life=True) if name == "无期徒刑" else draw(st.none() | st.builds(Length, months=st.integers(1, 60)))
    return Penalty(
        term=term,
        probation=Length(months=draw(st.integers(1, 60))) if suspended else None,
        fine=draw(st.none() | st.integers(1, 10**7).map(lambda value: yuan(Decimal(value)))),
        rights=rights,
    )


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_verdicts_come_back(data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(NAMES[:4]), min_size=1, max_size=3, unique=True))
    frame = CaseFrame([Party(id=f"D{at}", name=name, titles=("被告人",)) for at, name in enumerate(names, 1)])
    verdicts: list[ChargeVerdict] = []
    sentences: list[ServedSentence] = []
    for party in frame.people:
        charges = data.draw(st.lists(st.sampled_from(CHARGES), min_size=1, max_size=3, unique=True))
        own = [data.draw(penalties()) for _ in charges]
        final = data.draw(penalties()) if len(charges) > 1 else own[0]
        if len(charges) > 1:
            own = [one.model_copy(update={"probation": None, "rights": None}) for one in own]
            final = final.model_copy(update={"fine": final.fine or _fines(own)})
        verdicts += [
            ChargeVerdict(person=party.id, charge=charge, result="convicted", punishment=one)
            for charge, one in zip(charges, own, strict=True)
        ]
        sentences.append(ServedSentence(person=party.id, punishment=final))
    decision = Decision(verdicts=tuple(verdicts), sentences=tuple(sentences))
    again = read_back(decision, frame, "judgment")
    assert said(again, "verdicts", "sentences") == said(decision, "verdicts", "sentences")


def _fines(own: list[Penalty]) -> Amount | None:
    """A decision that repeats no fine carries those of the charges; here it always repeats one where there is any."""
    return next((one.fine for one in own if one.fine is not None), None)


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
