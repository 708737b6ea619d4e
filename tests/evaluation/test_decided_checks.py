"""Checks that hold a text against what is known besides it: what was decided before, what is charged, what is admitted.

Each is tried on made-up neighbours: other names, sums, words; what is asserted is the alarm, and that there is none
where nothing is wrong.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from functools import cache

import pytest
from places import ROOT
from playing import matter, play, project

from legalworld.evaluation.soundness.audit import audit_run, audit_text
from legalworld.evaluation.soundness.check_files import check_files
from legalworld.evaluation.soundness.definition import CheckFile
from legalworld.evaluation.stored_run import Stored
from legalworld.files.project_files import Disk
from legalworld.law.text.decision_people import CaseFrame
from legalworld.model.decision import Party
from legalworld.model.events import Drafted

PEOPLE = ("郑若虹", "称意商贸有限公司", "李认为", "未央百货有限公司", "柳半江", "不二家食品有限公司", "欧阳提出")
"""Names, some of which hold words that are signs of a report, a doubt or a denial elsewhere."""


@cache
def files() -> tuple[CheckFile, ...]:
    return tuple(check_files(Disk(ROOT)).files)


def alarms(text: str, frame: CaseFrame) -> set[str]:
    found = audit_text(text, "t", files(), frame)
    return {one.check.id for one in found.alarms}  # type: ignore[union-attr]


# ---- the document is the decision ------------------------------------------------------------------------------------


PLAYED = (("civil", "jiedai", "plaintiff_lawyer"), ("quexi", "quexi-huokuan", ""), ("criminal", "dianlan", "judge"))


@cache
def stored(spec: str, case: str, target: str) -> tuple[Stored, dict[str, str]]:
    game = play(case, target, spec=spec, options={"appeal_by": "case"} if spec == "civil" else {})
    procedure = project(spec).procedure
    assert procedure is not None
    stated = {document for parts in procedure.decisions.values() for document in parts.documents}
    texts = {event.document: event.text for event in game.of(Drafted) if event.document in stated}
    return Stored(case, procedure, matter(case, spec=spec).case, "", tuple(game.events)), texts


def said_otherwise(spec: str, text: str) -> Iterator[str]:
    """The text of a judgment that does not say what was decided."""
    if spec == "criminal":
        head, _, orders = text.rpartition("判决如下")
        yield f"{head}判决如下{re.sub('判处(?:有期徒刑|拘役)[^，。；]+', '判处有期徒刑九年', orders, count=1)}"
        yield f"{head}判决如下{re.sub('罚金人民币[^，。；（]+', '罚金人民币九万元', orders, count=1)}"
        return
    for old in ("937569.91", "36800"):
        if old in text:
            head, _, orders = text.rpartition("判决如下")
            yield f"{head}判决如下{orders.replace(f'{old}元', '12345元')}"


@pytest.mark.parametrize(("spec", "case", "target"), PLAYED)
def test_a_document_says_what_was_decided(spec: str, case: str, target: str) -> None:
    run, texts = stored(spec, case, target)
    told = [
        one
        for audit in audit_run(run, files(), texts)
        for one in audit.results
        if one.check.id == "document_is_decision"
    ]
    assert [one.part for one in told if one.held] and not [one.part for one in told if one.held is False]


@pytest.mark.parametrize(("spec", "case", "target"), PLAYED)
def test_a_document_that_says_otherwise_is_told(spec: str, case: str, target: str) -> None:
    run, texts = stored(spec, case, target)
    document, text = next(iter(texts.items()))
    tried = 0
    for other in said_otherwise(spec, text):
        tried += other != text
        if other != text:
            audit = next(one for one in audit_run(run, files(), {**texts, document: other}) if one.name == document)
            assert "document_is_decision" in {one.check.id for one in audit.alarms}
    assert tried


def test_a_document_put_in_its_place_is_held_against_nothing() -> None:
    """What was decided before does not count where the text is another's: nobody drafted it after deciding."""
    run, texts = stored(*PLAYED[1])
    without = replace(run, events=tuple(event for event in run.events if not isinstance(event, Drafted)))
    audits = list(audit_run(without, files(), texts))
    assert audits and not [one for audit in audits for one in audit.results if one.check.id == "document_is_decision"]


# ---- charges ---------------------------------------------------------------------------------------------------------


CHARGES = ("盗窃罪", "诈骗罪", "抢夺罪", "故意伤害罪", "敲诈勒索罪")
REASONS = "本院认为，被告人{name}的行为已构成{charge}，公诉机关指控的事实清楚。"
CHANGED = (
    "公诉机关指控的罪名不当，应予纠正。",
    "指控的罪名有误，本院依法予以变更。",
    "公诉机关指控被告人犯{old}的定性不准确，应当认定为{charge}。",
)


def criminal(name: str, charge: str, more: str = "") -> str:
    return (
        f"江澜市青塘区人民法院\n刑事判决书\n（2025）虚0105刑初1号\n公诉机关江澜市青塘区人民检察院。\n被告人{name}，男。\n"
        f"经审理查明：2024年5月1日，被告人{name}取得他人手机一部，价值3000元，案发后已经退赔。\n"
        f"{REASONS.format(name=name, charge=charge)}{more}依照《中华人民共和国刑法》第二百六十四条规定，判决如下：\n"
        f"被告人{name}犯{charge}，判处有期徒刑六个月，并处罚金人民币二千元。\n审判员　丙\n2025年3月1日\n"
    )


@pytest.mark.parametrize("seed", range(12))
def test_a_charge_that_nobody_judges_and_one_that_nobody_brought(seed: int) -> None:
    dice = random.Random(seed)
    name, (one, other) = dice.choice(PEOPLE), dice.sample(CHARGES, 2)
    people = (Party(id="D1", name=name, side="defendant", titles=("被告人",)),)
    brought = dice.choice(((one,), (one, one.removesuffix("罪"))))
    frame = CaseFrame(people, charges=[(dice.choice(("D1", "")), charge) for charge in brought])
    checks = {"every_charge", "charge_as_indicted"}
    assert not checks & alarms(criminal(name, one), frame)
    assert checks <= alarms(criminal(name, other), frame)
    said = dice.choice(CHANGED).format(old=one, charge=other)
    assert not checks & alarms(criminal(name, other, said), frame)
    assert not checks & alarms(criminal(name, other), CaseFrame(people))  # nothing is known of what is charged


# ---- admissions ------------------------------------------------------------------------------------------------------


ADMITS = ("{what}{sum}元属实", "对{what}{sum}元无异议", "认可{what}{sum}元", "同意支付{what}{sum}元")
ADMITS_NOT = ("{what}{sum}元不属实", "不认可{what}{sum}元", "对其余没有意见", "如果发货，同意支付{what}{sum}元")
DENIES = (
    "{name}主张{what}{sum}元，没有提供证据，不予支持。",
    "原告{name}请求支付{what}{sum}元，证据不足，不予支持。",
    "{name}所称{what}{sum}元不能认定。",
)


def civil(names: tuple[str, str], answer: str, reason: str) -> str:
    one, other = names
    return (
        f"江澜市青塘区人民法院\n民事判决书\n（2025）虚0105民初1号\n原告：{one}。\n被告：{other}。\n"
        f"原告{one}与被告{other}买卖合同纠纷一案，本院立案后公开开庭进行了审理。现已审理终结。\n"
        f"原告{one}向本院提出诉讼请求：1.判令被告{other}支付货款50000元；2.判令被告{other}支付运费2300元。\n"
        f"被告{other}辩称，{answer}，货款应当减少。\n经审理查明：2024年5月1日，{other}收货未付款50000元。\n"
        f"本院认为，{other}应支付货款50000元。{reason}依照《中华人民共和国民法典》第五百七十九条规定，判决如下：\n"
        f"一、被告{other}于本判决生效之日起十日内支付原告{one}货款50000元；\n二、驳回原告{one}的其他诉讼请求。\n"
        "案件受理费1150元，由被告负担。\n审判员　丙\n2025年3月1日\n"
    )


@pytest.mark.parametrize("seed", range(16))
def test_what_is_admitted_is_not_found_unproved(seed: int) -> None:
    dice = random.Random(seed)
    names = tuple(dice.sample(PEOPLE, 2))
    people = (
        Party(id="P1", name=names[0], side="plaintiff", titles=("原告",)),
        Party(id="D1", name=names[1], side="defendant", titles=("被告",)),
    )
    what, value = dice.choice(("运费", "加工费", "")), dice.choice(("2300", "2,300.00", "2300.00"))
    deny = dice.choice(DENIES).format(name=names[0], what=what, sum=value)
    admit, not_admit = (dice.choice(these).format(what=what, sum=value) for these in (ADMITS, ADMITS_NOT))
    frame = CaseFrame(people)
    assert "admissions_hold" in alarms(civil(names, admit, deny), frame)  # type: ignore[arg-type]
    assert "admissions_hold" not in alarms(civil(names, not_admit, deny), frame)  # type: ignore[arg-type]
    assert "admissions_hold" not in alarms(civil(names, admit, ""), frame)  # type: ignore[arg-type]
    known = CaseFrame(people, admitted=[("defendant", Decimal(2300))])
    assert "admissions_hold" in alarms(civil(names, not_admit, deny), known)  # type: ignore[arg-type]


# ---- awards ----------------------------------------------------------------------------------------------------------


AWARDS = ("{name}应支付{what}{sum}元。", "{name}未付款，应支付{what}{sum}元。", "{what}应由{name}承担，支持{sum}元。")


@pytest.mark.parametrize("seed", range(16))
def test_a_sum_that_the_reasons_award_is_ordered(seed: int) -> None:
    dice = random.Random(seed)
    names = tuple(dice.sample(PEOPLE, 2))
    people = (
        Party(id="P1", name=names[0], side="plaintiff", titles=("原告",)),
        Party(id="D1", name=names[1], side="defendant", titles=("被告",)),
    )
    awarded = dice.choice(AWARDS).format(name=names[1], what="运费", sum="2300")
    text, frame = civil(names, "货已退回", awarded), CaseFrame(people)  # type: ignore[arg-type]
    assert "award_is_ordered" in alarms(text, frame)
    assert "award_is_ordered" not in alarms(text.replace("货款50000元；\n二", "货款50000元、运费2300元；\n二"), frame)
    assert "award_is_ordered" not in alarms(
        text.replace("支付原告", "支付原告", 1).replace("货款50000元；\n二", "各项共计52300元；\n二"), frame
    )
    told = text.replace(awarded, f"{names[1]}应支付款项合计52300元。")
    assert "award_is_ordered" not in alarms(told.replace("货款50000元；\n二", "货款50000元、运费2300元；\n二"), frame)
    assert "award_is_ordered" not in alarms(text.replace(awarded, f"{awarded}扣除已付的2300元，不再支付。"), frame)


HEADS = ("被告人有罪由公诉机关证明，", "被告人应当如实供述，", "被告人不承担举证责任，", "被告人的辩护人提出，")


@pytest.mark.parametrize("line", HEADS)
@pytest.mark.parametrize("name", PEOPLE)
def test_a_sentence_about_the_accused_is_no_accused(line: str, name: str) -> None:
    people = (Party(id="D1", name=name, side="defendant", titles=("被告人",)),)
    text = criminal(name, "盗窃罪")
    assert "everybody_judged" not in alarms(
        text.replace("经审理查明", f"{line}证据确实、充分。\n经审理查明"), CaseFrame(people)
    )
    strange = text.replace("经审理查明", "被告人褚一鸣，男，1990年1月1日出生。\n经审理查明")
    assert "everybody_judged" in alarms(strange, CaseFrame(people))
