"""Checks of decisions: what a condition can say, its three values, planted contradictions, and what is no fault.

`judgments/SPEC.DOCUMENT.md` are judgments that the offline actors wrote; each is read against its shipped case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from functools import cache
from pathlib import Path

import planted
import pytest
from places import ROOT

from legalworld.evaluation.metrics.values import MissingScore, Reason
from legalworld.evaluation.rules.rule import RuleInput, RuleResult
from legalworld.evaluation.rules.soundness import sound
from legalworld.evaluation.soundness.audit import audit_text
from legalworld.evaluation.soundness.audited import Audited
from legalworld.evaluation.soundness.check_files import check_files
from legalworld.evaluation.soundness.definition import Check, CheckFile, CheckResult
from legalworld.evaluation.soundness.examples import wrong_examples
from legalworld.evaluation.soundness.hold import hold
from legalworld.evaluation.soundness.load import read_checks
from legalworld.evaluation.soundness.schema import Held, Node, NotRead
from legalworld.evaluation.soundness.sentences import condition, foreach
from legalworld.evaluation.soundness.view import view
from legalworld.evaluation.stored_run import WHOLE, EvidencePiece, Stored
from legalworld.files.project_files import Disk
from legalworld.law.text.case_frame import case_frame
from legalworld.law.text.decision_people import CaseFrame
from legalworld.model.decision import Amount, Decision
from legalworld.model.decision_frame import decision_stated, instance_of
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.immutable import replace
from legalworld.model.procedure import Procedure
from legalworld.model.source import MemorySources, Span
from legalworld.runs.case_file import open_case
from legalworld.runs.project import open_project

JUDGMENTS = Path(__file__).parent / "judgments"
AT = Span("checks/x.yaml", 3, 5, 10)
SECOND = {"civil.final_judgment": "civil.first_judgment"}
FEWEST = {"order_not_in_reasons": 0.5, "costs_off": 0.8}  # kinds of which some cannot be told; of all others, every one


@cache
def shipped() -> CheckFile:
    found = check_files(Disk(ROOT))
    assert found.problems == ()
    return next(file for file in found.files if file.locale == "zh")


@cache
def frame_of(name: str) -> CaseFrame:
    spec, document = name.split(".")
    procedure = procedure_of(spec)
    parts = decision_stated(procedure, document)
    assert parts is not None
    project = open_project(spec, ROOT)
    assert not isinstance(project, Diagnostic)
    case = open_case(project, procedure.example, "", {}, ROOT)
    assert not isinstance(case, tuple)
    return case_frame(procedure, case.case, parts)


@cache
def procedure_of(spec: str) -> Procedure:
    project = open_project(spec, ROOT)
    assert not isinstance(project, Diagnostic) and project.procedure is not None
    return project.procedure


@cache
def read_below(name: str) -> Decision | None:
    below = SECOND.get(name)
    return audited(below, (JUDGMENTS / f"{below}.md").read_text("utf-8")).decision if below else None


def audited(name: str, text: str) -> Audited:
    frame, procedure = frame_of(name), procedure_of(name.split(".")[0])
    parts = decision_stated(procedure, name.split(".")[1])
    assert parts is not None
    instance = instance_of(procedure, parts)
    return Audited(text, frame, document="d", instance=instance, below=read_below(name), checks=shipped())


def results(name: str, text: str) -> list[CheckResult]:
    decision = view(audited(name, text))
    return [one for check in shipped().checks for one in hold(check, decision)]


def alarms(name: str, text: str) -> list[CheckResult]:
    return [one for one in results(name, text) if one.held is False]


NAMES = sorted(file.stem for file in JUDGMENTS.glob("*.md"))


@pytest.mark.parametrize("name", NAMES)
def test_the_offline_judgments_raise_no_alarm(name: str) -> None:
    text = (JUDGMENTS / f"{name}.md").read_text("utf-8")
    found = results(name, text)
    assert [(one.check.id, one.part) for one in found if one.held is False] == []
    assert sum(1 for one in found if one.held) >= 10


# ---- planted ---------------------------------------------------------------------------------------------------------


def plants(kind: planted.Kind) -> Iterator[tuple[str, planted.Plant]]:
    for name in NAMES:
        text = (JUDGMENTS / f"{name}.md").read_text("utf-8")
        yield from ((name, plant) for plant in kind(text) if plant.text != text)


def found(name: str, plant: planted.Plant) -> bool:
    """Whether one alarm is of a right check, and its places hold every word that the plant says they must."""
    for one in alarms(name, plant.text):
        quoted = [plant.text[place.start : place.end] for place in one.places if place.source in ("", "d")]
        if one.check.id in plant.checks and all(any(word in said for said in quoted) for word in plant.places):
            return True
    return False


@pytest.mark.parametrize("kind", planted.KINDS, ids=lambda kind: kind.__name__)
def test_a_contradiction_that_is_planted_is_found_and_both_places_are_named(kind: planted.Kind) -> None:
    tried = list(plants(kind))
    assert tried, "nothing to plant it in"
    share = sum(found(name, plant) for name, plant in tried) / len(tried)
    assert share >= FEWEST.get(kind.__name__, 1.0)


# ---- conditions ------------------------------------------------------------------------------------------------------


def test_both_languages_say_the_same() -> None:
    pairs = [
        ("relief.amount at most relief.claimed", "判项.金额 不超过 判项.请求数额"),
        ("relief.result is granted and not relief.told", "判项.结果 是 支持 并且 没有 判项.文中有数"),
        ("relief.payers are not among relief.payees", "判项.义务人 是 没有 属于 判项.权利人"),
        ("relief.amount is not empty or relief.asked", "判项.金额 是 没有 空 或者 判项.依请求"),
    ]
    for english, chinese in pairs:
        one, other = condition(english, AT, "relief", "relief"), condition(chinese, AT, "判项", "relief")
        assert one == other and not isinstance(one, Diagnostic)
    assert foreach("relief in reliefs", AT) == ("relief", "reliefs")
    assert foreach("判项 属于 各判项", AT) == ("判项", "reliefs")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("relief.amount at", "LW780"),
        ("relief.amuont at most relief.claimed", "LW782"),
        ("claim.amount at most relief.claimed", "LW782"),
        ("relief.amount", "LW784"),
        ("relief.amount at most 3", "LW784"),
        ("relief.payers before relief.payees", "LW784"),
        ("relief.result is grantd", "LW783"),
        ("relief.result is jointly", "LW783"),
        ("relief.told is relief.amount", "LW784"),
        ("(" * 40 + "relief.told" + ")" * 40, "LW780"),
        ("relief.told " * 90, "LW780"),
    ],
)
def test_a_condition_that_cannot_be_is_told(text: str, code: str) -> None:
    found = condition(text, AT, "relief", "relief")
    assert isinstance(found, Diagnostic) and found.code == code and found.span.file == AT.file


def test_a_file_with_mistakes_is_told_of_each() -> None:
    checks = """\
lw: 1
check set: demo
title: demo
locale: zh
offences:
  - {charge: 甲罪, law: 刑法, article: "1", tiers: [{least: 9, most: 3, fine: some}]}
checks:
  - {check: a, title: A, for each: relief in reliefes, must: relief.told, severity: wrong}
  - {check: b, title: B, for each: relief in reliefs, must: relief.tol, severity: bad}
  - {check: b, title: B, must: decision.final, severity: note}
"""
    file, problems = read_checks(MemorySources({"checks/x.yaml": checks}), "checks/x.yaml")
    assert file is None
    assert Counter(one.code for one in problems) == Counter(["LW781", "LW782", "LW787", "LW788", "LW048"])


def one_check(must: str, when: str = "") -> Check:
    linked = [condition(text, AT, "relief", "relief") if text else None for text in (when, must)]
    assert not any(isinstance(one, Diagnostic) for one in linked)
    return Check("c", "C", "reliefs", linked[0], linked[1], "wrong", "", AT)  # type: ignore[arg-type]


def held(check: Check, **values: Held | NotRead) -> list[bool | None]:
    part = Node("relief", "1", values, {})
    return [one.held for one in hold(check, Node("decision", "", {}, {"reliefs": (part,)}))]


def yuan(value: int, currency: str = "CNY") -> Held:
    return Held(Amount(value=Decimal(value), currency=currency))


def test_what_was_not_read_is_never_a_pass() -> None:
    limit = one_check("relief.amount at most relief.claimed")
    assert held(limit, amount=yuan(5), claimed=yuan(5)) == [True]
    assert held(limit, amount=yuan(6), claimed=yuan(5)) == [False]
    assert held(limit, amount=NotRead("x"), claimed=yuan(5)) == [None]
    assert held(limit, amount=yuan(6), claimed=yuan(5, "USD")) == [None]
    both = one_check("relief.told and relief.asked")
    assert held(both, told=Held(False), asked=NotRead("x")) == [False]
    assert held(both, told=Held(True), asked=NotRead("x")) == [None]
    either = one_check("relief.told or relief.asked")
    assert held(either, told=Held(True), asked=NotRead("x")) == [True]
    assert held(either, told=Held(False), asked=NotRead("x")) == [None]
    assert held(one_check("not relief.told"), told=NotRead("x")) == [None]
    applied = one_check("relief.told", when="relief.asked")
    assert held(applied, told=Held(False), asked=Held(False)) == []
    assert held(applied, told=Held(False), asked=NotRead("x")) == [None]


def test_sums_are_reckoned_exactly() -> None:
    half = one_check("relief.amount is 50 percent of relief.claimed")
    assert held(half, amount=yuan(5), claimed=yuan(10)) == [True]
    more = one_check("relief.amount at most relief.claimed plus relief.parts")
    assert held(more, amount=yuan(5), claimed=yuan(2), parts=yuan(3)) == [True]
    assert held(more, amount=yuan(6), claimed=yuan(2), parts=yuan(3)) == [False]


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["这不是判决书。", "判决如下：\n\n双方的事，本院思之再三，望双方好自为之。", "本院认为，" * 400, "一" * 50_000],
)
def test_a_text_that_is_no_judgment_raises_no_alarm(text: str) -> None:
    audit = audit_text(text, "x", (shipped(),))
    assert not isinstance(audit, Diagnostic)
    assert audit.alarms == () and not audit.decision.whole


def test_a_language_without_checks_is_told() -> None:
    found = audit_text("IT IS ORDERED that the Defendant must pay £5.", "x", (shipped(),))
    assert isinstance(found, Diagnostic) and found.code == "LW785"


# ---- the rule of a rubric --------------------------------------------------------------------------------------------


def scored(texts: dict[str, str]) -> RuleResult | MissingScore:
    """What the rule gives for a run of the shipped case of default, with these documents in it."""
    project = open_project("quexi", ROOT)
    assert not isinstance(project, Diagnostic) and project.procedure is not None
    case = open_case(project, project.procedure.example, "", {}, ROOT)
    assert not isinstance(case, tuple)
    stored = Stored("quexi", project.procedure, case.case, "", (), checks=lambda: (shipped(),))
    evidence = tuple(
        EvidencePiece(at, "FIT", "judge", "", "draft", text, document=name)
        for at, (name, text) in enumerate(texts.items(), 1)
    )
    return sound(RuleInput(stored, WHOLE, evidence, (), {}))


def test_the_rule_gives_the_share_of_checks_that_hold() -> None:
    text = (JUDGMENTS / "quexi.first_judgment.md").read_text("utf-8")
    good = scored({"complaint": "起诉状", "first_judgment": text})
    assert isinstance(good, RuleResult)
    assert (good.value, good.parts["clean"], good.turns) == (1.0, 1.0, (2,)) and 0.9 < good.parts["read"] <= 1
    bad = scored({"first_judgment": text.replace("公司支付货款36800元", "公司支付货款968000元")})
    assert isinstance(bad, RuleResult)
    assert 0.8 < bad.value < 1 and bad.parts["clean"] == 0 and "within_claim" in bad.reason
    prose = scored({"first_judgment": "本院认为，判决如下：\n\n双方各退一步，望好自为之。"})
    assert isinstance(prose, RuleResult)
    assert prose.parts["read"] < good.parts["read"]
    assert scored({"complaint": "起诉状"}) == MissingScore(Reason.MISSING)


# ---- examples --------------------------------------------------------------------------------------------------------


def test_every_example_is_what_its_check_says() -> None:
    assert list(wrong_examples(shipped())) == []
    with_examples = [check for check in shipped().checks if check.wrong]
    assert len(with_examples) >= 12 and all(check.right for check in with_examples)


@pytest.mark.parametrize("name", [check.id for check in shipped().checks if check.wrong])
def test_an_example_that_is_exchanged_is_told(name: str) -> None:
    check = next(one for one in shipped().checks if one.id == name)
    exchanged = replace(check, right=check.wrong, wrong=check.right)
    found = list(wrong_examples(replace(shipped(), checks=(exchanged,))))
    assert [one.code for one in found] == ["LW891", "LW891"]


@pytest.mark.parametrize("name", NAMES)
def test_no_check_says_more_of_half_a_judgment_than_of_all_of_it(name: str) -> None:
    text = (JUDGMENTS / f"{name}.md").read_text("utf-8")
    half = text[: text.index("如下") + 3]
    assert [one.check.id for one in alarms(name, half)] == []
