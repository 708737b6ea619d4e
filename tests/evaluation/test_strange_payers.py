"""Whoever an order names as payer or payee is a party: strangers and misspelt names are told, phrases are no names."""

from __future__ import annotations

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT

from legalworld.evaluation.soundness.audit import audit_text
from legalworld.evaluation.soundness.check_files import check_files
from legalworld.evaluation.soundness.definition import CheckFile
from legalworld.files.project_files import Disk
from legalworld.law.text.decision_people import CaseFrame
from legalworld.model.decision import Party
from legalworld.model.diagnostics import Diagnostic

PARTIES = ("尹若虹", "程千山", "欧阳本垚", "江澜市听雨商贸有限公司", "和平与望津物流集团有限公司")
STRANGERS = ("滕小雨", "褚一鸣", "司马青原", "江澜市晨曦建材有限公司", "前进第一百货公司", "当归药店", "鸣沙学校")
PHRASES = ("上述款项", "前述债务", "余款", "双方", "各被告", "上述第一项债务", "其余房屋", "本案债务", "二被告")
OTHER_SIGNS = "旻甯燊垚"
MARKS = ("一、", "（一）", "1.", "1、", "**一、", "")
OPENS = ("", "限", "由", "责令", "撤销（2024）虚0105民初1号民事判决第一项，改判为：")
DUE = (
    "于本判决生效之日起十日内",
    "应于本判决生效后三十日内",
    "应当在本判决生效之日起七日内",
    "自本判决生效之日起五日内",
)
PAYS = ("支付{}货款三万元", "向{}返还押金30000元", "共同给付{}3万元", "赔偿{}损失30000元")


@cache
def chinese() -> CheckFile:
    return next(file for file in check_files(Disk(ROOT)).files if file.locale == "zh")


def strangers(frame: CaseFrame, ordered: str) -> set[str]:
    names = [party.name for party in frame.people]
    text = (
        f"江澜市青塘区人民法院\n民事判决书\n（2024）虚0105民初1号\n原告：{names[0]}。\n"
        + "".join(f"被告：{name}。\n" for name in names[1:])
        + f"本院认为，被告欠付货款，应当支付。依照《中华人民共和国民法典》第五百七十九条，判决如下：\n{ordered}\n"
        + "审判员　某\n"
    )
    found = audit_text(text, "x", (chinese(),), frame)
    assert not isinstance(found, Diagnostic)
    return {one.part for one in found.alarms if one.check.id == "parties_only"}


@st.composite
def frames(draw: st.DrawFn) -> CaseFrame:
    names = draw(st.lists(st.sampled_from(PARTIES), min_size=2, max_size=4, unique=True))
    people = [Party(id="P1", name=names[0], side="plaintiff", titles=("原告",))]
    people += [Party(id=f"D{at}", name=name, side="defendant", titles=("被告",)) for at, name in enumerate(names[1:])]
    return CaseFrame(people)


def order(draw: st.DrawFn, payers: list[str], payee: str) -> str:
    joined = draw(st.sampled_from(["、", "和", "与"])).join(payers)
    opened, due, pays = (draw(st.sampled_from(words)) for words in (OPENS, DUE, PAYS))
    return f"{draw(st.sampled_from(MARKS))}{opened}{joined}{due}{pays.format(payee)}；"


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_parties_are_no_strangers(data: st.DataObject) -> None:
    frame = data.draw(frames())
    names = [party.name for party in frame.people]
    payers = data.draw(st.lists(st.sampled_from(names[1:]), min_size=1, unique=True))
    if data.draw(st.booleans()):
        payers = [f"被告{name}" for name in payers]
    assert strangers(frame, order(data.draw, payers, names[0])) == set()


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_a_stranger_among_those_who_pay_is_told(data: st.DataObject) -> None:
    frame = data.draw(frames())
    names = [party.name for party in frame.people]
    stranger = data.draw(st.sampled_from(STRANGERS))
    payers = [*data.draw(st.lists(st.sampled_from(names[1:]), max_size=2, unique=True)), stranger]
    assert strangers(frame, order(data.draw, data.draw(st.permutations(payers)), names[0])) == {stranger}


@given(st.data())
@settings(max_examples=80, deadline=None)
def test_a_name_with_one_sign_wrong_is_told(data: st.DataObject) -> None:
    frame = data.draw(frames())
    names = [party.name for party in frame.people]
    at = data.draw(st.integers(0, len(names) - 1))
    sign = data.draw(st.integers(0, min(2, len(names[at]) - 1)))
    wrong = names[at][:sign] + data.draw(st.sampled_from(OTHER_SIGNS)) + names[at][sign + 1 :]
    said = [*names[:at], wrong, *names[at + 1 :]]
    told = strangers(frame, order(data.draw, said[1:], said[0]))
    assert wrong in told or wrong == names[at]
    assert told <= {wrong}


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_phrases_are_no_names(data: st.DataObject) -> None:
    frame = data.draw(frames())
    names = [party.name for party in frame.people]
    assert strangers(frame, order(data.draw, [data.draw(st.sampled_from(PHRASES))], names[0])) == set()
