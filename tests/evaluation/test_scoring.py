"""Scoring: rules by worked examples, the grader's replies, gaps, caps, figures - reckoned by hand in the comments."""

# ruff: noqa: E501 - an example is read on one line

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from places import SPEC_FILES
from playing import ROOT, Game, as_offline, matter, play, project, undecided_case
from typed import lw

from legalworld.evaluation.grader_replies import Graded, Unread, graded
from legalworld.evaluation.grading import Question
from legalworld.evaluation.metrics.values import MissingScore, Reason
from legalworld.evaluation.report import report
from legalworld.evaluation.results import Evaluation, Figure, Score
from legalworld.evaluation.rubric import formulas, sentences
from legalworld.evaluation.rubric.definition import FormulaName, Rubric
from legalworld.evaluation.rubric.load import read_rubric
from legalworld.evaluation.rubric.open import OpenRubric, open_rubric
from legalworld.evaluation.rules.rule import RuleInput, RuleResult
from legalworld.evaluation.rules.table import RULES
from legalworld.evaluation.scoring import Scored, score
from legalworld.evaluation.sections import body
from legalworld.evaluation.stored_run import EvidencePiece, Stored, Unit
from legalworld.files.project_files import Disk
from legalworld.model import events as e
from legalworld.model.case import Case, Record, Sided
from legalworld.model.source import MemorySources, Span

HERE = Span("rubric", 1, 1, 1)


def stored(game: Game, spec: str, case: str, target: str) -> Stored:
    procedure = project(spec).procedure
    assert procedure is not None
    return Stored(case, procedure, matter(case, None, spec).case, target, tuple(game.events), {target: "offline"})


@cache
def civil() -> Stored:
    return stored(play("jiedai"), "civil", "jiedai", "plaintiff_lawyer")


@cache
def rubric(name: str) -> OpenRubric:
    found = open_rubric(name, ROOT, pairs=name.endswith("-pairs"))
    assert isinstance(found, OpenRubric), found
    return found


def scored(opened: OpenRubric, run: Stored, replies: Mapping[str, str] | None = None) -> Scored:
    """The scores of a run; a question gets the reply of its id, or (offline) that of the rule-based grader."""
    from legalworld.evaluation import offline_grader

    given = replies or {}
    scoring = score(opened.rubric, run, opened.templates, grader="hand")
    try:
        asked = next(scoring)
        while True:
            asked = scoring.send(tuple(given.get(one.id, offline_grader.reply(one)) for one in asked))
    except StopIteration as done:
        found: Scored = done.value
        return found


def figures(found: Scored) -> dict[str, float | None]:
    return {one.formula: one.value for one in found.figures}


# ---- formulas --------------------------------------------------------------------------------------------------------

VECTORS: Mapping[str, Any] = {
    "a": {"1": 8.0, "2": 6.0},
    "b": {"1": 4.0, "2": MissingScore(Reason.MISSING)},
    "none": {"": MissingScore(Reason.NOT_APPLICABLE)},
    "lost": {"": MissingScore(Reason.UNREADABLE)},
    "x": 0.25,
}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("mean(a) / 10", 0.7),  # (8 + 6) / 2 / 10
        ("mean(a, b)", 6.0),  # (8 + 6 + 4) / 3: what is missing is no zero
        ("mean(per(a, b))", 6.0),  # unit 1: (8 + 4) / 2 = 6, unit 2: 6 alone
        ("mean(a + b)", 12.0),  # unit 2 has a gap on one side: it is left out
        ("sum(a) / count(b)", 14.0),
        ("sqrt(x)", 0.5),
        ("abs(x - 1)", 0.75),
        ("mean(abs(a - 7))", 1.0),  # 8 and 6
        ("max(a) - min(a)", 2.0),
        ("first(none, b)", 4.0),
        ("f1(x, x)", 0.25),
        ("10 * mean(x, none)", 2.5),  # n/a does not count
        ("a >= 7", 0.5),  # one of two
        ("平均(a)", 7.0),
    ],
)
def test_a_formula_gives(text: str, expected: float) -> None:
    built = sentences.formula(text, HERE)
    assert not isinstance(built, tuple)
    assert formulas.evaluate(built, look) == pytest.approx(expected)  # type: ignore[arg-type]


def look(name: FormulaName) -> Any:
    return VECTORS[name.name]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("mean(none)", "not_applicable"),
        ("mean(lost, none)", "unreadable"),
        ("x / (x - x)", "empty"),
        ("lost + 1", "unreadable"),
    ],
)
def test_a_formula_over_nothing_says_why(text: str, why: str) -> None:
    found = formulas.evaluate(sentences.formula(text, HERE), look)  # type: ignore[arg-type]
    assert isinstance(found, MissingScore)
    assert found.why == why


# ---- rules -----------------------------------------------------------------------------------------------------------


def judged(
    rule: str, text: str, reference: Sequence[str], document: str = "", **arguments: Sequence[str]
) -> RuleResult | MissingScore:
    procedure = project("civil").procedure
    assert procedure is not None
    run = Stored("run", procedure, Case("c", "", {}, {}), "plaintiff_lawyer", ())
    evidence = (EvidencePiece(1, "FIT", "judge", "审判长", "draft", text, document),)
    given = RuleInput(run, Unit("", ""), evidence, tuple(reference), {k: tuple(v) for k, v in arguments.items()})
    return RULES[rule].function(given)


PRISON = "被告人甲犯盗窃罪，判处有期徒刑{}，并处罚金人民币{}元。"


@pytest.mark.parametrize(
    ("rule", "text", "reference", "arguments", "expected"),
    [
        # exact field: 1 only when every name is there, signs and width apart
        ("found", "原告：林启川，男；被告：云汀（餐饮）公司", ["林启川", "云汀(餐饮)公司"], {}, 1.0),
        ("found", "原告：林启川", ["林启川", "郑若虹"], {}, 0.0),
        ("found", "原告：林启川", ["林启川", "郑若虹"], {"as": ["share"]}, 0.5),
        ("equal", "维持原判。", ["维持原判"], {}, 1.0),
        # Seq * Label (J1-Eval FOR): in order and 2 of 3 there = 1 * 2/3; out of order = 0
        ("labels", "原告：甲\n被告：乙", [], {"labels": ["原告", "被告", "诉讼请求"]}, 2 / 3),
        ("labels", "被告：乙\n原告：甲\n诉讼请求：还钱", [], {"labels": ["原告", "被告", "诉讼请求"]}, 0.0),
        # 1 of 2 cited, 1 of 1 right: P = 1, R = 1/2, F1 = 2 * 1 * 0.5 / 1.5 = 2/3
        ("citations", "依照《中华人民共和国民法典》第六百七十五条", ["民法典第六百七十五条", "民法典第六百七十六条"], {}, 2 / 3),
        # 1 of 2 found, 1 of 2 expected: P = R = F1 = 1/2
        ("amounts", "返还100元，赔偿7元", ["返还100元；支付8元"], {}, 0.5),
        # the first entry agrees but for wording; the second has another sum, so it is another point: F1 = 1/2
        ("entries", "被告返还原告借款100元\n驳回其他请求", ["被告向原告返还借款100元；支付利息8元"], {}, 0.5),
        # items on one line; a line without a number counts where the reference has it, and is no entry where it has not
        ("entries", "一、被告返还借款100元。二、驳回其他请求。", ["被告返还借款100元", "驳回其他请求"], {}, 1.0),
        ("entries", "一、被告返还借款100元；驳回其他请求。", ["被告返还借款100元", "驳回其他请求"], {}, 1.0),
        ("entries", "一、被告返还借款100元；\n被告当庭表示服判", ["被告返还借款100元"], {}, 1.0),
        # |ln(13) - ln(7)| (J1-Eval VER)
        ("sentence", PRISON.format("十二个月", "1000"), [PRISON.format("六个月", "1000")], {"as": ["log"]}, math.log(13 / 7)),
        # |ln(37) - ln(7)| = 1.67 is capped: as bad as no verdict
        ("sentence", PRISON.format("三十六个月", "1000"), [PRISON.format("六个月", "1000")], {"as": ["log"]}, 1.0),
        # |12 - 6| / 6 (SimCourt, relative error)
        ("sentence", PRISON.format("十二个月", "1000"), [PRISON.format("六个月", "1000")], {"as": ["relative"]}, 1.0),
        ("sentence", f"辩护人认为，免予刑事处罚更合适。\n{PRISON.format('六个月', '1')}", ["判处有期徒刑六个月"], {}, 1.0),
        ("sentence", PRISON.format("六个月", "2000"), [PRISON.format("六个月", "1000")], {"of": ["fine"], "as": ["relative"]}, 1.0),
        ("sentence", PRISON.format("六个月", "1"), [PRISON.format("七个月", "9")], {"of": ["charge"]}, 1.0),
        ("sentence", PRISON.format("六个月", "1"), [PRISON.format("七个月", "9")], {"of": ["probation"], "as": ["both"]}, 1.0),
        ("sentence", PRISON.format("七个月", "1"), [PRISON.format("八个月", "1")], {"as": ["hit"], "low": ["6"], "high": ["36"]}, 1.0),
        ("sentence", PRISON.format("五个月", "1"), [PRISON.format("八个月", "1")], {"as": ["hit"], "low": ["6"], "high": ["36"]}, 0.0),
    ],
)  # fmt: skip
def test_a_rule_by_hand(
    rule: str, text: str, reference: list[str], arguments: dict[str, list[str]], expected: float
) -> None:
    found = judged(rule, text, reference, **arguments)
    assert isinstance(found, RuleResult), found
    assert found.value == pytest.approx(expected)


@pytest.mark.parametrize(
    ("term", "ranges", "value"),
    [
        ("三年", ("36-120",), 1.0),  # both ends are included
        ("十年", ("36-120",), 1.0),
        ("两年十一个月", ("36-120",), 0.0),
        ("十二年", ("120-",), 1.0),  # no upper end
        ("三年", (), "no_reference"),  # the case tells no range: there is nothing to hit
        ("三年", ("三年以上",), "no_reference"),
    ],
)
def test_the_statutory_range_is_told_by_the_case(term: str, ranges: tuple[str, ...], value: float | str) -> None:
    procedure = project("criminal").procedure
    assert procedure is not None
    case = Case("c", "", {}, {"real": Record({"range": ranges})})
    text = PRISON.format(term, "1000")
    run = Stored("run", procedure, case, "judge", ())
    arguments = {"of": ("months",), "as": ("hit",), "range": ("real.range",)}
    evidence = (EvidencePiece(1, "", "judge", "", "draft", text, "criminal_judgment"),)
    found = RULES["sentence"].function(RuleInput(run, Unit("", ""), evidence, (PRISON.format("四年", "1"),), arguments))
    assert (found.value if isinstance(found, RuleResult) else why(found)) == value


def test_the_shipped_criminal_case_tells_its_range() -> None:
    game = play("kuaijian", "judge", spec="criminal")
    found = figures(scored(rubric("simcourt"), stored(game, "criminal", "kuaijian", "judge")))
    assert found["HIT"] == 1.0  # eight months, of up to 36


def test_what_cannot_be_compared_is_left_out_with_a_reason() -> None:
    life = "被告人甲犯故意杀人罪，判处无期徒刑，剥夺政治权利终身。"
    none = PRISON.format("六个月", "1000").replace("，并处罚金人民币1000元", "")
    relative = {"as": ["relative"]}
    assert why(judged("sentence", PRISON.format("六个月", "1"), [life], **relative)) == "not_a_number"
    assert why(judged("sentence", PRISON.format("六个月", "1"), [none], of=["fine"], **relative)) == "zero_reference"
    assert why(judged("sentence", "没有判项。", [PRISON.format("六个月", "1")])) == "missing"
    assert why(judged("citations", "民法典第一条", ["没有引用"])) == "no_reference"


def why(found: RuleResult | MissingScore) -> str:
    return found.why if isinstance(found, MissingScore) else ""


def test_the_checklist_of_a_hearing() -> None:
    """J1 civil, 20 items; judgment left out: 19 in 4 stages. Without item 1: ACT 18/19, STA 3/4, UNI 1."""
    game = play("j1-yajin", "judge", spec="j1/civil-court")
    run = stored(game, "j1/civil-court", "j1-yajin", "judge")
    full = RULES["performed"].function(_events(run))
    assert isinstance(full, RuleResult)
    assert (full.value, full.parts["act"], full.parts["sta"], full.parts["uni"]) == (1.0, 1.0, 1.0, 1.0)
    fewer = tuple(event for event in run.events if not (isinstance(event, e.Performed) and event.items == (1,)))
    part = RULES["performed"].function(_events(Stored(run.name, run.procedure, run.case, run.target, fewer)))
    assert isinstance(part, RuleResult)
    assert part.parts["act"] == pytest.approx(18 / 19)
    assert part.parts["sta"] == pytest.approx(3 / 4)
    assert part.value == pytest.approx((18 / 19 + 3 / 4) / 2)
    once = e.Performed(place="CI", person="judge", speaker="审判长", checklist="civil", items=tuple(range(1, 21)))
    rest = tuple(event for event in run.events if not isinstance(event, e.Performed))
    all_at_once = RULES["performed"].function(
        _events(Stored(run.name, run.procedure, run.case, run.target, (*rest, once)))
    )
    assert isinstance(all_at_once, RuleResult)
    assert (all_at_once.parts["uni"], all_at_once.parts["merged"]) == (0.0, 1.0)


def _events(run: Stored) -> RuleInput:
    return RuleInput(run, Unit("", ""), (), (), {"checklist": ("civil",), "without": ("judgment",)})


def test_a_section_ends_where_the_next_begins() -> None:
    text = "原告：甲\n依照法律，判决如下：\n一、还钱。\n审判长　乙"
    assert body(text, "判决如下", ("原告", "判决如下", "审判长")) == "一、还钱。"
    assert body(text, "本院认为", ("原告", "本院认为")) == ""


def test_a_word_of_a_section_that_is_an_earlier_label_does_not_end_it() -> None:
    text = "诉讼请求：还钱\n判决如下：\n一、支持原告的诉讼请求，返还100元；\n二、驳回其他。\n案件受理费50元\n审判长　乙"
    found = body(text, "判决如下", ("诉讼请求", "判决如下", "审判长"))
    assert found.startswith("一、") and "二、驳回其他。" in found and "审判长" not in found
    # Two numbered entries are compared, the line on costs is none.
    read = judged("entries", found, ["支持原告的诉讼请求，返还100元", "驳回其他"])
    assert isinstance(read, RuleResult) and read.reason == "2 / 2 / 2"


# ---- the reference against itself ------------------------------------------------------------------------------------


def with_judgment(run: Stored, text: str) -> Stored:
    events = tuple(
        event.model_copy(update={"text": text})
        if isinstance(event, e.Drafted) and event.document == "first_judgment"
        else event
        for event in run.events
    )
    return Stored(run.name, run.procedure, run.case, run.target, events, run.models)


def reference(run: Stored) -> str:
    real = run.case.sealed["real"]
    assert isinstance(real, Record)
    first = real["first"]
    parties = run.case.fields["parties"]
    assert isinstance(parties, Sided)
    heads = "\n".join(
        f"{label}：{one['name']}，{one.get('gender', '')}，{one.get('birth', '')}出生，住{one['address']}，{one.get('representative', '')}"
        for side, label in (("plaintiff", "原告"), ("defendant", "被告"))
        for one in parties.values[side]  # type: ignore[union-attr]
    )
    laws = "".join(first["articles"])
    return (
        f"{heads}\n诉讼请求：见起诉状\n本院认为，{first['opinion']}\n依照{laws}\n判决如下：\n"
        + "\n".join(first["disposition"])
        + "\n审判长　待补充"
    )


def test_a_reference_judgment_against_itself_is_the_best_there_is_and_a_foreign_one_is_not() -> None:
    opened, run = rubric("alignment"), civil()
    itself = figures(scored(opened, with_judgment(run, reference(run))))
    for name in ("V1", "R1", "L1", "E1", "S1"):
        assert itself[name] == pytest.approx(1.0), name
    assert itself["FIT"] == pytest.approx(10.0)
    other = stored(play("laodong"), "civil", "laodong", "plaintiff_lawyer")
    foreign = figures(scored(opened, with_judgment(run, reference(other))))
    shuffled = figures(scored(opened, with_judgment(run, "\n".join(reversed(reference(run).splitlines())))))
    for name in ("V1", "L1"):
        assert (foreign[name] or 0.0) < 0.5, name
    assert (shuffled["S1"] or 0.0) < 1.0
    assert (foreign["FIT"] or 0) < 7


# ---- the grader ------------------------------------------------------------------------------------------------------


@cache
def question() -> Question:
    opened = rubric("longjud")
    scoring = score(opened.rubric, civil(), opened.templates)
    return next(one for one in next(scoring) if one.ask.item.name == "pleading")


def told(name: str, run: Stored, item: str, key: str = "") -> str:
    """What a grader reads of an item of a run."""
    opened = rubric(name)
    asked = next(score(opened.rubric, run, opened.templates))
    return next(one for one in asked if one.ask.item.name == item and one.units[0].key == key).messages[1].content


def test_the_grader_is_told_whom_it_grades_and_what_it_compares_with() -> None:
    text = told("longjud", civil(), "pleading")
    assert "被评阅人：原告代理律师\n" in text
    assert "【诉讼请求】\n" in text and "【证据】\n| 编号：原证1；名称：" in text and "；有关的请求：1、2；" in text
    assert "写明的本金、利率、日期：" in text and "amount" not in text  # keys as they are called, no machine's names
    answer = told("longjud", civil(), "responding")  # what he answers to has to be there to be compared with
    assert "【对方的民事上诉状】" in answer and "【对方的第二审新证据】" in answer


def test_what_is_said_in_court_is_graded_among_what_it_answers_to() -> None:
    first, second = (told("longjud", civil(), item, "debate") for item in ("first_trial", "second_trial"))
    assert "本次只评这一部分：法庭辩论" in first and "只评被评阅人的话" in first
    assert re.search("〔[0-9]+〕被告代理律师：", first) and re.search("〔[0-9]+〕审判长：", first)
    assert "被评阅人：被上诉人代理律师\n" in second


def test_a_decision_is_graded_as_that_of_who_made_it() -> None:
    case = "asp2lj-civil"
    run = stored(play(case, "claimant", spec="asp2lj"), "asp2lj", case, "claimant")
    text = told("asp2lj", run, "analysis")
    assert "被评阅人：审判长\n" in text and re.search("（文书《.+》，审判长所写）", text)


def test_environment_roles_are_graded_by_what_they_are_set_up_to_be() -> None:
    """`client` is a role of this procedure, and the word for whom the target represents."""
    case = "maser-qiankuan"
    text = told("mile", stored(play(case, "lawyer", spec="maser"), "maser", case, "lawyer"), "behaviour", "client")
    said = text.partition("〈〈〈材料结束")[0]
    assert "〕委托人：" in said and "〕律师：" not in said and "被评阅人" not in text
    assert "| 出生日期\n" in text  # what this client is to hold back at first


def reply(value: Any) -> str:
    row = {
        name: {"score": 7, "reason": "好", "turns": [1]}
        for name in ("claim", "facts", "evidence", "request", "coherence")
    }
    row["claim"]["score"] = value
    return json.dumps(row, ensure_ascii=False)


@pytest.mark.parametrize("value", [0, 10, 7, 7.0])
def test_a_reply_on_the_scale_is_read(value: float) -> None:
    found = graded(question(), "```json\n" + reply(value) + "\n```")
    claim = found["claim", ""]
    assert isinstance(claim, Graded) and claim.value == value


@pytest.mark.parametrize(
    "text",
    [
        reply(11),
        reply(-1),
        reply("eight"),
        reply("八"),
        reply("8"),
        '{"claim": {"score": 11}}',
        '{"a":' * 400,
        reply(7.3),
        reply(7.5),
        reply(None),
        reply(True),
        "很好，给八分。",
        "{}",
        "[]",
        "",
    ],
)
def test_a_reply_off_the_scale_is_never_a_score(text: str) -> None:
    assert isinstance(graded(question(), text)["claim", ""], Unread)


def test_what_cannot_be_read_twice_is_flagged_and_left_out_and_never_zero() -> None:
    opened, run = rubric("longjud"), civil()
    bad = question().id
    found = scored(opened, run, {bad: reply(11)})
    claim = next(one for one in found.scores if one.item == "claim")
    assert (claim.value, claim.gap) == (None, "unreadable")
    assert "11" in claim.detail
    # one score off the scale takes none of the good ones of its reply with it: 3 exact fields of 1, four ratings of 7
    assert [one.value for one in found.scores if one.item in ("facts", "evidence", "request", "coherence")] == [7.0] * 4
    assert figures(found)["CD"] == pytest.approx((3 + 4 * 0.7) / 7)
    # of what claim_1 is made of (claim and request) half is lost: the rest does not stand for it
    claim_1 = next(one for one in found.figures if one.formula == "claim_1")
    assert (claim_1.value, claim_1.gap, claim_1.detail) == (None, "incomplete", "1 / 2")


def test_the_second_try_is_stricter() -> None:
    opened = rubric("longjud")
    scoring = score(opened.rubric, civil(), opened.templates)
    first = next(scoring)
    second = scoring.send(tuple("这不是JSON" for _ in first))
    assert [one.id for one in second] == [one.id for one in first]
    assert len(second[0].messages[0].content) > len(first[0].messages[0].content)


def test_drafting_by_hand() -> None:
    """CD = (sum of exact + sum of semantic / 10) / all = (3 + (7 * 5) / 10) / 8 = 0.8125."""
    found = scored(rubric("longjud"), civil(), {question().id: reply(7)})
    assert figures(found)["CD"] == pytest.approx((3 + 3.5) / 8)


def test_a_stage_that_was_not_taken_does_not_apply_and_a_missing_statement_is_zero() -> None:
    found = scored(rubric("longjud"), civil())
    assert {one.gap for one in found.scores if one.item.startswith("defence_")} == {"not_applicable"}
    assert figures(found)["DD"] is None
    silent = stored(play("jiedai", manner="silent"), "civil", "jiedai", "plaintiff_lawyer")
    mute = scored(rubric("longjud"), silent)
    assert [one.value for one in mute.scores if one.item == "first_position"] == [0.0, 0.0]
    assert figures(mute)["FIT"] == 0.0


def test_a_cap_lowers_a_window_and_says_so() -> None:
    """Windows 9, 9, ...; in the first one a vague detail was left: it counts as 3."""
    opened = rubric("mile")
    run = stored(play("maser-qiankuan", "lawyer", spec="maser"), "maser", "maser-qiankuan", "lawyer")
    scoring = score(opened.rubric, run, opened.templates)
    asked = next(scoring)
    windows = [one for one in asked if one.ask.item.name == "windows"]

    def answer(one: Question) -> str:
        row: dict[str, Any] = {m.name: {"score": 9, "reason": "", "turns": []} for m in one.ask.metrics}
        for flag in ("vague_left", "symbols", "lapse"):
            if flag in row:
                row[flag]["score"] = "有" if flag == "vague_left" and one is windows[0] else "没有"
        return json.dumps(row)

    with pytest.raises(StopIteration) as done:
        scoring.send(tuple(answer(one) for one in asked))
    found: Scored = done.value.value
    first, *others = [one for one in found.scores if one.item == "interactivity"]
    assert (first.value, first.raw, first.capped) == (3.0, "9", "vague_left")
    assert {one.value for one in others} == {9.0}
    assert figures(found)["INT"] == pytest.approx(10 * (3 + 9 * len(others)) / (1 + len(others)))


def test_every_score_names_the_turns_or_documents_it_rests_on() -> None:
    for one in scored(rubric("longjud"), civil()).scores:
        if one.value is not None and one.by and not one.by.startswith("rule missing") and one.item != "conduct":
            assert one.turns or one.documents, one


# ---- rubric files ----------------------------------------------------------------------------------------------------

RUBRICS = sorted(file.stem for file in (ROOT / "rubrics").glob("*.yaml"))


@pytest.mark.parametrize("name", RUBRICS)
def test_a_shipped_rubric_reads_without_a_problem_and_fits_its_procedures(name: str) -> None:
    from legalworld.evaluation.rubric.fit import fits

    opened = rubric(name)
    assert opened.problems == ()
    for name in opened.rubric.procedures:
        procedure = project(SPECS[name]).procedure
        assert procedure is not None and fits(opened.rubric, procedure) == ()
    assert opened.rubric.tables or opened.rubric.pairs
    used = {formula for table in opened.rubric.tables for column in table.columns for formula in column.formulas}
    assert used <= set(opened.rubric.formulas)


SPECS = {  # procedure -> its file
    named[1]: file.relative_to(ROOT / "specs").with_suffix("").as_posix()
    for file in SPEC_FILES
    if (named := re.search(r"(?m)^procedure: *(\w+)", file.read_text(encoding="utf-8")))
}

GOOD = """lw: 1
rubric: r
title: t
for: [civil]
measures:
  a: {title: 甲, rule: found, from: document complaint, against: field matter.court}
formulas:
  f: {title: 乙, is: mean(a), range: 0 to 1}
"""


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (("is: mean(a)", "is: mean(a"), "LW310"),
        (("is: mean(a)", "is: mode(a)"), "LW312"),
        (("is: mean(a)", "is: mean(b)"), "LW318"),
        (("is: mean(a)", "is: mean(a) / (1 - 1)"), "LW336"),
        (("is: mean(a)", "is: 10 * mean(a)"), "LW320"),  # gives 0 to 10, declared 0 to 1
        (("range: 0 to 1", "range: 1 to 0"), "LW315"),
        (("rule: found", "rule: fond"), "LW316"),
        (("against: field matter.court", "against: field matter.court, with: {how: x}"), "LW317"),
        (("from: document complaint", "from: documents complaint"), "LW310"),
        (("  f: {title", "  a: {title"), "LW048"),  # an item named twice
        (("for: [civil]", "for: [civil]\ngroups: {g: [a, a]}"), "LW319"),
        (("is: mean(a)", "is: mean(a.f1)"), "LW322"),
        (("title: 甲,", "title: 甲, missing: never,"), "LW314"),
        (("range: 0 to 1", "range: 0 to 1, better: worse"), "LW321"),
    ],
)
def test_what_is_wrong_with_a_rubric_is_said_with_its_place(change: tuple[str, str], code: str) -> None:
    assert read_rubric(MemorySources({"r.yaml": GOOD}), "r.yaml")[1] == ()
    wrong = GOOD.replace(*change)
    assert wrong != GOOD
    problems = read_rubric(MemorySources({"r.yaml": wrong}), "r.yaml")[1]
    assert code in {problem.code for problem in problems}
    assert all(problem.span.line > 1 for problem in problems)


# ---- commands --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def benched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    out, other = folder / "out", folder / "jiedai-other.yaml"
    text = (ROOT / "cases/jiedai.yaml").read_text("utf-8")
    other.write_text(text.replace("case: jiedai", "case: jiedai-other"), "utf-8")
    words = (
        "--cases",
        f"jiedai,{undecided_case(folder)},{other}",  # the court decides nothing in the second
        "--models",
        "offline,offline:noisy,offline:silent",
        "--rubric",
        "longjud",
    )
    assert lw("bench", "civil", *words, "--out", out, "--json").code == 0
    return out


def test_a_bench_orders_plain_noisy_and_silent_actors_as_it_must(benched: Path) -> None:
    data = lw("report", benched, "--rubric", "longjud", "--json").object()
    overall = {row["model"]: row for row in data["figures"] if row["formula"] == "overall"}
    plain, noisy, silent = (overall[name] for name in ("offline", "offline:noisy", "offline:silent"))
    assert plain["value"] > noisy["value"] > silent["value"]
    assert [plain["rank"], noisy["rank"], silent["rank"]] == [1, 2, 3]
    assert (plain["n"], plain["undecided"]) == (2, 1)
    assert (plain["low"], plain["high"], plain["interval"]) == (None, None, "too_few")  # of two cases
    pair = next(
        d
        for d in data["differences"]
        if d["second"] == "offline:silent" and d["first"] == "offline" and d["formula"] == "overall"
    )
    assert data["graders"] == ["offline"]
    # Two cases cannot show a difference, however large: p is 2 * 0.5 ** 2 at the least.
    # A figure that rests on no judgment has three: 2 * 0.5 ** 3.
    assert pair["value"] > 50 and pair["p"] == 0.5 and not pair["significant"]
    assert "p cannot be below 0.25" in lw("report", benched, "--rubric", "longjud").out


@pytest.mark.parametrize(("second", "real"), [([1.0] * 8, True), ([8, 8.4, 7.6, 8.2, 8, 7.9, 8.3, 8.1], False)])
def test_what_a_difference_over_eight_cases_shows(second: list[float], real: bool) -> None:
    first = [8, 8.1, 7.9, 8.2, 8, 7.8, 8.4, 8.1]
    opened = rubric("alignment").rubric
    runs = [
        _evaluation(opened, model, f"case-{n}", {"FIT": value})
        for model, values in (("one", first), ("two", second))
        for n, value in enumerate(values)
    ]
    found = report(opened, runs)
    assert found.contrasts["one", "two", "FIT"].significant is real
    assert found.cells["one", "FIT"].rank == 1


def test_equal_models_share_a_rank_and_the_last_of_three_is_not_the_second() -> None:
    opened = rubric("alignment").rubric
    runs = [_evaluation(opened, model, "c", {"FIT": value}) for model, value in (("a", 7.0), ("b", 7.0), ("c", 1.0))]
    found = report(opened, runs)
    assert [found.cells[model, "FIT"].rank for model in "abc"] == [1, 1, 3]


def test_an_advocate_has_the_scores_of_his_own_speeches() -> None:
    spec, case = "asp2lj", "asp2lj-civil"
    game = play(case, "claimant", spec=spec)
    mine = {turn for event, turn in stored(game, spec, case, "claimant").timed(e.Asked) if event.role == "claimant"}
    (score,) = (
        one for one in scored(rubric("asp2lj"), stored(game, spec, case, "claimant")).scores if one.item == "argument"
    )
    assert score.value and set(score.turns) <= mine
    # Without them nothing is left, whatever his opponent was given.
    silent = tuple(event for event in game.events if not (isinstance(event, e.Reviewed) and event.person == "claimant"))
    run = stored(game, spec, case, "claimant")
    without = Stored(run.name, run.procedure, run.case, run.target, silent)
    (score,) = (one for one in scored(rubric("asp2lj"), without).scores if one.item == "argument")
    assert any(isinstance(event, e.Reviewed) and event.heard for event in silent) and score.value == 0.0


@pytest.mark.parametrize("case", ["asp2lj-criminal", "asp2lj-administrative"])
def test_a_decision_is_measured_by_what_it_lists_and_orders_not_by_what_it_discusses(case: str) -> None:
    """Whose burden it is and what the other side asked for stand in the analysis; they are neither law nor sentence."""
    discussed = (
        "案件分析：\n\n公诉机关建议判处被告人张三有期徒刑九年，罚金人民币九万元（《中华人民共和国民法典》第五十四条）。"
    )

    def script(one: e.Request, text: str) -> str:
        return text.replace("案件分析：", discussed) if one.role == "judge" else text

    measured = ("law", "charge", "term", "fine")
    values = [
        [one.value for one in scored(rubric("asp2lj"), run).scores if one.item.partition(".")[0] in measured]
        for run in (
            stored(play(case, "claimant", spec="asp2lj", script=way), "asp2lj", case, "claimant")
            for way in (as_offline, script)
        )
    ]
    assert values[0] == values[1] and any(values[0])


def test_several_models_are_compared_together() -> None:
    """Three models that differ by chance alone: p of the best pair, read as one of three, is larger than by itself."""
    opened = rubric("alignment").rubric
    values = {"a": [5, 6, 7, 5, 6, 7, 6, 5], "b": [6, 7, 7, 6, 6, 7, 7, 6], "c": [5, 6, 7, 6, 6, 7, 6, 5]}
    runs = [_evaluation(opened, m, f"c{n}", {"FIT": v}) for m, those in values.items() for n, v in enumerate(those)]
    pairs = report(opened, runs).contrasts
    assert all((one.adjusted or 0) >= (one.difference.p or 0) for key, one in pairs.items() if key[2] == "FIT")
    assert any((one.adjusted or 0) > (one.difference.p or 0) for key, one in pairs.items() if key[2] == "FIT")


def test_two_graders_of_the_same_runs_are_compared_and_never_averaged() -> None:
    # 8 and 6, 9 and 9: grader one is 1 above on average.
    opened = rubric("alignment").rubric
    runs = [
        _evaluation(opened, "model", "case", {"FIT": figure}, grader=name, scores=scores)
        for name, figure, scores in (("one", 7.0, [8.0, 9.0]), ("two", 8.0, [6.0, 9.0]))
    ]
    found = report(opened, runs)
    pair = found.agreement["one", "two"]
    assert (pair.n, pair.difference, pair.mae, pair.within_one) == (2, 1.0, 1.0, 0.5)
    parts = {name: part.cells["model", "FIT"].mean.value for name, part in found.parts.items()}
    assert parts == {"grader: one": 7.0, "grader: two": 8.0} and not found.cells


def _evaluation(
    opened: Rubric,
    model: str,
    case: str,
    values: Mapping[str, float],
    *,
    grader: str = "",
    scores: Sequence[float] = (),
) -> Evaluation:
    return Evaluation(
        run=f"{model}-{case}",
        procedure="civil",
        case=case,
        target="plaintiff_lawyer",
        model=model,
        outcome="",
        finished=True,
        rubric=opened.name,
        rubric_digest=opened.digest,
        run_digest="",
        grader={"model": grader} if grader else {},
        figures=tuple(Figure(formula=name, value=value) for name, value in values.items()),
        passes={},
        scores=tuple(Score(item="x", key=str(n), title="", value=v, by=grader) for n, v in enumerate(scores)),
    )


def test_a_bench_goes_on_and_scoring_again_changes_nothing(benched: Path) -> None:
    before = {file: file.read_bytes() for file in benched.rglob("journal.jsonl")}
    words = (
        "--cases",
        f"jiedai,{benched.parent / 'thin.yaml'},{benched.parent / 'jiedai-other.yaml'}",
        "--models",
        "offline,offline:noisy,offline:silent",
        "--rubric",
        "longjud",
    )
    assert lw("bench", "civil", *words, "--out", benched, "--json").code == 0
    assert {file: file.read_bytes() for file in benched.rglob("journal.jsonl")} == before


def test_a_report_is_written_in_every_form(benched: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    forms = ("--html", "r.html", "--markdown", "r.md", "--latex", "r.tex", "--figures", "new/figures", "--csv", "r.csv")
    days = ("--cutoff", "offline=2024-07-01", "--judged", "bench.judged,appeal_bench.judged")
    ran = lw("report", benched, "--rubric", "longjud", *forms, *days)
    assert ran.out.split()[-5:] == ["r.html", "r.md", "r.tex", "new/figures", "r.csv"]
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert "Cut-offs" in page and "2024-07-01" in page and "litellm" in page
    assert "| model |" in (tmp_path / "r.md").read_text(encoding="utf-8")
    assert r"\toprule" in (tmp_path / "r.tex").read_text(encoding="utf-8")
    drawn = {file.name for file in (tmp_path / "new" / "figures").iterdir()}
    assert {"items.svg", "radar-capability.svg", "spread-total.svg", "differences-total.svg"} <= drawn


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--cutoff", "nobody=2024-07-01"), "LW520"),
        (("--cutoff", "2024-07-01"), "LW520"),
        (("--cutoff", "offline=soon"), "LW521"),
        (("--judged", "moon.phase"), "LW334"),
        (("--html", "/proc/no/page.html"), "LW338"),
        (("--figures", "/proc/no/figures"), "LW338"),
    ],
)
def test_what_a_report_cannot_do_is_told(benched: Path, words: tuple[str, ...], code: str) -> None:
    ran = lw("report", benched, "--rubric", "longjud", *words)
    assert ran.code == 2 and code in ran.err


def test_the_page_and_the_sheet_hold_everything_themselves(
    benched: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = lw("report", benched, "--rubric", "longjud", "--html", "page.html", "--csv", "sheet.csv")
    assert ran.code == 0
    assert "rule" in ran.out  # the offline grader is named
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "http://" not in page and "https://" not in page
    assert "<svg" in page and "<table" in page and page.count('type="text/plain"') == 2 + 9
    sheet = (tmp_path / "sheet.csv").read_text(encoding="utf-8-sig").splitlines()
    assert (
        sheet[0]
        == "group,grader,grading,procedure,version,target,environment,parameters,tools,options,binding,skip,without,parts,until,fork,changed,given,own_parameters,own_tools,case_text,model,formula,title,value,low,high,interval,sd,n,excluded,undecided,rank"
    )
    assert len(sheet) == 1 + 3 * len(rubric("longjud").rubric.formulas)


def test_a_run_of_another_procedure_or_none_is_a_problem_and_the_others_are_scored(
    benched: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert lw("run", "bargain", "--out", "other", "--json").code == 0
    run = next(benched.rglob("run.yaml")).parent
    ran = lw("eval", "other", run, "nowhere", "--rubric", "longjud", "--json")
    data = ran.object()
    assert ran.code == 2
    assert len(data["evaluations"]) == 1
    assert {problem["code"] for one in data["failed"] for problem in one["problems"]} == {"LW326", "LW144"}


def test_an_unfinished_run_is_scored_as_far_as_it_goes_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert lw("run", "civil", "--until", "FIT", "--out", "half", "--json").code == 0
    ran = lw("eval", "half", "--rubric", "longjud")
    assert ran.code == 0
    assert "LW327" in ran.err + ran.out
    (one,) = lw("eval", "half", "--rubric", "longjud", "--json").object()["evaluations"]
    assert not one["finished"]
    assert next(f for f in one["figures"] if f["formula"] == "FIT")["gap"] == "not_applicable"


def test_disk_holds_rubrics() -> None:
    assert set(RUBRICS) >= {"longjud", "alignment", "environment", "simcourt", "mile", "asp2lj", "j1-kq", "j1-civil"}
    assert len(Disk(None).names("rubrics")) >= len(RUBRICS)


def test_a_table_that_is_too_wide_has_a_column_a_model(benched: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = {}
    for wide in ("80", "400"):
        monkeypatch.setenv("COLUMNS", wide)
        shown[wide] = lw("report", benched, "--rubric", "longjud").out.splitlines()
    (row,) = (line for line in shown["80"] if line.startswith("争点识别"))
    assert len(row.split()) == 4  # the title, and a figure of each of three models
    (head,) = (line for line in shown["400"] if "争点识别" in line)
    assert head.split()[0] == "model" and len(head) > 80
