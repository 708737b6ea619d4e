"""Decisions that are made up for tests of the round trip: written as sentences and read back, they are the same."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st

from legalworld.law.text.decision_people import CaseFrame
from legalworld.model.decision import (
    Amount,
    ChargeVerdict,
    CostItem,
    Deadline,
    Decision,
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
SUMS = st.decimals(min_value=Decimal("0.01"), max_value=10**9, places=2)
DAYS = st.dates(date(1991, 1, 1), date(2099, 12, 31)).map(lambda day: day.isoformat())


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


@st.composite
def judged(draw: st.DrawFn, persons: tuple[str, ...]) -> Decision:
    """What becomes of each of the accused: his charges, and the punishment that is to be executed."""
    verdicts: list[ChargeVerdict] = []
    sentences: list[ServedSentence] = []
    for person in persons:
        charges = draw(st.lists(st.sampled_from(CHARGES), min_size=1, max_size=3, unique=True))
        own = [draw(penalties()) for _ in charges]
        final = draw(penalties()) if len(charges) > 1 else own[0]
        if len(charges) > 1:
            own = [one.model_copy(update={"probation": None, "rights": None}) for one in own]
            final = final.model_copy(update={"fine": final.fine or _fines(own)})
        verdicts += [
            ChargeVerdict(person=person, charge=charge, result="convicted", punishment=one)
            for charge, one in zip(charges, own, strict=True)
        ]
        sentences.append(ServedSentence(person=person, punishment=final))
    return Decision(verdicts=tuple(verdicts), sentences=tuple(sentences))


def _fines(own: list[Penalty]) -> Amount | None:
    """A decision that repeats no fine carries those of the charges; here it always repeats one where there is any."""
    return next((one.fine for one in own if one.fine is not None), None)


@st.composite
def acts(draw: st.DrawFn, agency: Party) -> list[Relief]:
    """What becomes of an act of an agency: annulled, found unlawful, changed, to be done again."""
    named = f"{''.join(agency.titles[:1])}{agency.name}"
    day = draw(st.dates(date(1991, 1, 1), date(2099, 12, 31)))
    when, number = f"{day.year}年{day.month}月{day.day}日", draw(st.integers(1, 999))
    act = f"{named}于{when}作出的江青市监罚〔{day.year}〕{number}号"
    paper = draw(st.sampled_from(["行政处罚决定", "工伤认定", "行政强制措施决定书", "不予许可决定"]))
    days = draw(st.integers(5, 90))
    shapes = {
        "annul": f"撤销{act}{paper}",
        "confirm": f"确认{act}{paper}违法",
        "change": f"变更{act}{paper}",
        "redo": f"责令{named}于本判决生效之日起{days}日内重新作出行政行为",
    }
    kinds = draw(st.sampled_from([("annul",), ("annul", "redo"), ("confirm",), ("change",), ("redo",)]))
    return [
        Relief(
            id=str(at),
            item=str(at),
            result="granted",
            order=kind,
            payers=(agency.id,),
            object=shapes[kind],
            within=Deadline(days=days, since="effect") if kind == "redo" else None,
        )
        for at, kind in enumerate(kinds, 1)
    ]
