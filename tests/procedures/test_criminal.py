"""The criminal trial of first instance: every outcome, every branch, what is never left out, and the ten records."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playing import ROOT, Game, answering, changed_case, matter, play, project
from ruamel.yaml import YAML

from legalworld.export.layout import FILE, DocumentForm, Layout, read_layout, styled
from legalworld.files.project_files import Disk
from legalworld.law.text.verdicts import verdict
from legalworld.model import events as e
from legalworld.model.attendance import Attended
from legalworld.runs.citation_check import check
from legalworld.runs.coverage import coverage
from legalworld.templates.lookups import form_homes

CASES = ("kuaijian", "bianlidian", "dianlan", "jiuyi", "tingche")
UNSEEN = Path(__file__).parent / "unseen" / "criminal"
RECORDS = ROOT.parent / "shared" / "data" / "simcourt"
STAGES = ("preparation", "investigation", "evidence", "debate")  # all before the last word of the accused
WITHOUT = "the indictments of SimCourt are not in the project: ../shared/data/simcourt"


def game(case: str = CASES[0], **given: object) -> Game:
    return play(case, "judge", spec="criminal", **given)  # type: ignore[arg-type]


def without_charge(data: Any) -> None:
    data["first"]["indictment"]["charges"] = []


def without_ids(data: Any) -> None:
    """People go by their names alone, exhibits by nobody's."""
    for one in data["first"]["defence"]["defendants"] + data["first"]["defence"].get("counsel", []):
        one.pop("id", None)
    for exhibit in data["first"]["defence"].get("evidence", []):
        exhibit.pop("by", None)


def without_counsel(data: Any) -> None:
    data["first"]["defence"].pop("counsel", None)
    for exhibit in data["first"]["defence"].get("evidence", []):
        exhibit.pop("by", None)


# ---- outcomes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES)
def test_it_ends_with_a_judgment_in_the_official_order(case: str) -> None:
    found = game(case)
    assert [event.outcome for event in found.of(e.Ended)] == ["judged"]
    assert not found.of(e.Violated)
    judgment = found.of(e.Drafted)[-1]
    kind = "joint_judgment" if found.said("debate/civil_part") else "criminal_judgment"
    assert (judgment.document, judgment.missing) == (kind, ())


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("manner", ["noisy", "silent"])
def test_actors_that_misbehave_come_to_an_end_too(case: str, manner: str) -> None:
    found = game(case, manner=manner)
    assert found.status == "ended"
    assert found.of(e.Violated)


@pytest.mark.parametrize(
    ("decision", "words"),
    [("判处刑罚", "判处"), ("免予刑事处罚", "免予刑事处罚"), ("宣告无罪", "无罪")],
)
def test_sentence_exemption_and_acquittal_are_reachable(decision: str, words: str) -> None:
    text = game(script=answering(ballot=decision), skip=STAGES).of(e.Drafted)[-1].text
    operative = text.partition("判决如下")[2]
    assert words in operative
    for other in {"免予刑事处罚", "无罪"} - {words}:
        assert other not in operative


def test_the_verdict_of_several_defendants_names_each() -> None:
    found = game("dianlan")
    case = YAML(typ="safe").load((ROOT / "cases" / "dianlan.yaml").read_text(encoding="utf-8"))
    names = [defendant["name"] for defendant in case["first"]["defence"]["defendants"]]
    assert len(names) >= 2
    assert [event.value for event in found.of(e.Captured) if event.name == "verdict"] == ["判处刑罚"] * len(names)
    read = {one.who for one in verdict(found.of(e.Drafted)[-1].text).defendants}
    assert set(names) <= read


@pytest.mark.parametrize("case", CASES)
def test_the_judgment_says_what_the_case_expects_and_a_parser_reads_it(case: str) -> None:
    expected = YAML(typ="base").load((ROOT / "cases" / f"{case}.yaml").read_text(encoding="utf-8"))["real"]["verdicts"]
    read = {one.who: one for one in verdict(game(case).of(e.Drafted)[-1].text).defendants}
    assert list(read) == [one["defendant"] for one in expected]
    for one in expected:
        found = read[one["defendant"]]
        final = found.final
        assert final.penalty == one["penalty"]
        assert [count.charge for count in found.counts if count.charge] == ([one["charge"]] if "charge" in one else [])
        numbers = {"months": final.months, "probation_months": final.probation_months, "fine": final.fine}
        assert {name: str(value) for name, value in numbers.items() if value} == {
            name: one[name] for name in numbers if name in one
        }


@pytest.mark.parametrize("case", CASES)
def test_the_judgment_is_pronounced_with_the_right_of_appeal(case: str) -> None:
    found = game(case)
    (spoken,) = [one.text for one in found.of(e.Spoke) if "proclaim" in one.place]
    assert "第二日起十日" in spoken and "口头" in spoken and "江澜市第一中级人民法院" in spoken
    operative = verdict(found.of(e.Drafted)[-1].text).defendants
    assert [one.who for one in verdict(spoken).defendants] == [one.who for one in operative]


@pytest.mark.parametrize("case", CASES)
def test_nothing_that_is_cited_is_wrong_or_unknown(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without any library: the project's own list tells of all articles, on the day of the hearing."""
    monkeypatch.delenv("LW_LIBRARY", raising=False)
    procedure = project("criminal").procedure
    assert procedure is not None
    checked = check(procedure, matter(case, spec="criminal").case, game(case).events, tmp_path)
    assert checked.day.field == "matter.hearing"
    assert [one.written for one in checked.cited if one.standing.outcome != "in_force"] == []
    assert len(checked.cited) >= 5


def test_on_paper_the_judgment_has_its_number_bench_and_seal_where_they_belong() -> None:
    judgment, indictment = (game("dianlan").of(e.Drafted)[n] for n in (-1, 0))
    layout = read_layout(Disk(ROOT), form_homes("zh", ("criminal", "court"), FILE))
    assert isinstance(layout, Layout)
    judged = {line: style for style, line in styled(judgment.text, DocumentForm("刑事判决书", (), "court"), layout)}
    assert (judged["（2024）虚0106刑初552号"], judged["刑事判决书"]) == ("number", "title")
    assert {judged[one] for one in ("审判长　程远川", "审判员　纪闻", "二〇二四年十一月十四日")} == {"bench"}
    assert (judged["（院印）"], judged["本件与原本核对无异"]) == ("seal", "verified")
    charged = {line: style for style, line in styled(indictment.text, DocumentForm("起诉书", (), "court"), layout)}
    assert (charged["鹿检刑诉〔2024〕691号"], charged["检察官　骆晴"]) == ("number", "signature")
    assert charged["2024年10月9日"] == "signature"


@pytest.mark.parametrize("form", ["criminal/minutes.j2", "criminal_appeal/minutes.second_instance.j2"])
def test_what_was_said_goes_into_the_minutes_where_the_layout_of_the_courts_looks_for_it(form: str) -> None:
    layout = read_layout(Disk(ROOT), form_homes("zh", ("criminal", "court"), FILE))
    assert isinstance(layout, Layout)
    assert layout.speech in (ROOT / "documents" / "zh" / form).read_text(encoding="utf-8").splitlines()


def test_who_does_not_accept_his_punishment_any_more_is_not_held_to_have_accepted_it() -> None:
    text = game("kuaijian", script=answering(voluntary="否")).of(e.Drafted)[-1].text
    assert "认罪认罚自愿" not in text and "第二百零一条" not in text
    kept = game("kuaijian").of(e.Drafted)[-1].text
    assert "认罪认罚自愿" in kept and "第二百零一条" in kept


def test_acceptance_of_punishment_is_examined_and_shortens_the_questioning() -> None:
    pledged = game("kuaijian")
    assert pledged.said("preparation/leniency")
    assert pledged.said("investigation/questioning") and any("examine_briefly" in one.id for one in pledged.requests)
    unwilling = game("kuaijian", script=answering(voluntary="否"))
    assert not any("examine_briefly" in one.id for one in unwilling.requests)
    assert not game("bianlidian").said("preparation/leniency")


def one_signs(data: Any) -> None:
    data["first"]["pledges"] = [{"defendant": "邵铁山", "date": "2024年10月1日", "content": "认罪认罚。"}]


def test_who_has_signed_nothing_is_not_asked_whether_he_pleads_guilty_of_his_own_will(tmp_path: Path) -> None:
    found = game(changed_case(tmp_path, "dianlan", one_signs))
    asked = [one.person for one in found.of(e.Spoke, "preparation/leniency") if one.person.startswith("defendant")]
    assert asked == ["defendant-1"]


# ---- how the hearing goes --------------------------------------------------------------------------------------------


def heard_by(found: Game, person: str, place: str) -> str:
    """All that one person was told at a place."""
    mine = (request for request in found.said(place) if request.person == person)
    return "\n".join(message.content for request in mine for message in request.added)


def test_codefendants_are_examined_apart_and_then_confronted() -> None:
    found = game("dianlan")
    answers = {
        one.person: one.text for one in found.of(e.Spoke, "investigation/questioning") if "defendant" in one.person
    }
    assert set(answers) == {"defendant-1", "defendant-2"}
    for person, other in (("defendant-1", "defendant-2"), ("defendant-2", "defendant-1")):
        assert answers[other] not in heard_by(found, person, "investigation/questioning")
    assert [one.person for one in found.said("investigation/confrontation") if "defendant" in one.person] == [*answers]


def test_the_accused_are_called_in_after_the_clerk_has_said_who_is_there() -> None:
    found = game("dianlan")
    start = [one for one in found.events if isinstance(one, e.Spoke | Attended) and "preparation/start" in one.place]
    entered = next(n for n, one in enumerate(start) if isinstance(one, Attended) and one.how == "enters")
    assert [one.person for one in start[:entered] if isinstance(one, e.Spoke)] == ["stenographer", "judge"]


def test_unlawful_evidence_is_ruled_on_first_and_excluded_evidence_is_not_read_out() -> None:
    found = game("bianlidian")
    confession = "承认当晚进店拿走现金"
    spoken = found.of(e.Spoke)
    assert not [one for one in spoken if confession in one.text]
    decided = next(n for n, one in enumerate(spoken) if "legality_decision" in one.place)
    assert "排除" in spoken[decided].text
    assert not [one for one in spoken[:decided] if one.act == "present"]
    shown = [one.text for one in spoken if one.act == "present"]
    assert [text for text in shown if "控证2" in text] == [] and len(shown) == 4
    kept = game("bianlidian", script=answering(excluded="否"))
    assert [one for one in kept.of(e.Spoke) if one.act == "present" and confession in one.text]


def test_witnesses_wait_outside_take_the_oath_are_questioned_by_both_sides_and_leave() -> None:
    found = game("tingche")
    assert "麦晓" not in "".join(one.text for one in found.of(e.Spoke, "investigation"))
    acts = [
        (one.person, one.act)
        for one in found.of(e.Spoke, "evidence/prosecution_case")
        if "/witnesses." in one.place and one.act not in {"ask", "announce"}
    ]
    assert acts[:2] == [("witness", "answer"), ("witness", "state")]
    assert [person for person, act in acts if act == "moderate"] == ["prosecutor", "prosecutor", "attorney"]
    heard = heard_by(found, "witness", "evidence")
    assert "折叠凳打断" not in heard and "控证1" not in heard
    assert [one.person for one in found.of(e.Spoke, "evidence/defence_case")][:2] == ["judge", "defence_witness"]


def test_the_victim_sues_for_his_loss_and_is_awarded_what_is_proved() -> None:
    text = game("tingche").of(e.Drafted)[-1].text
    operative = text.partition("判决如下")[2]
    assert "医疗费人民币18640元、误工费人民币21000元、护理费人民币3600元" in operative
    assert (
        "交通费" not in operative
        and "精神损害" not in operative
        and "驳回附带民事诉讼原告人章禾的其他诉讼请求" in operative
    )


def test_what_is_settled_is_not_judged(tmp_path: Path) -> None:
    found = game(changed_case(tmp_path, "tingche", both_settle))
    written = {one.document: one.text for one in found.of(e.Drafted)}
    assert "当庭付清" in written["civil_settlement"]
    assert "赔偿附带民事诉讼原告人" not in written["joint_judgment"].partition("判决如下")[2]
    told = next(one for one in found.requests if "pronounce_both" in one.id).added[-1].content
    assert "主文里不再判" in told and "判决赔偿的" not in told


def test_who_would_settle_but_on_other_terms_is_judged(tmp_path: Path) -> None:
    found = game(changed_case(tmp_path, "tingche", both_settle), script=answering(agreed="否"))
    written = {one.document: one.text for one in found.of(e.Drafted)}
    assert "civil_settlement" not in written
    assert "赔偿附带民事诉讼原告人章禾" in written["joint_judgment"].partition("判决如下")[2]
    assert "达成调解协议" not in written["joint_judgment"]


def test_the_presiding_judge_decides_by_the_record_as_the_others_do() -> None:
    without = {"memory": "no", "strategy": "no"}
    assert "【举证质证的笔录】" in read(game("tingche", options=without), "judge", "judgment")
    assert "麦晓" in read(game("tingche", options=without), "judge", "judgment")
    from_memory = read(game("tingche", options={"record": "no"}), "judge", "judgment")
    assert "的笔录】" not in from_memory and "的笔录】" not in read(game("tingche"), "judge", "debate")
    assert "【举证质证的笔录】" in read(game("tingche", options={"record": "no"}), "bench", "judgment")


def test_who_takes_his_plea_back_in_part_is_not_said_to_have_pleaded() -> None:
    text = game("kuaijian", script=answering(plea="部分认罪")).of(e.Drafted)[-1].text
    assert "认罪认罚自愿、真实" not in text and "第二百零一条" not in text and "自愿认罪认罚，签署了具结书" not in text


def test_several_punishments_are_joined_by_the_article_on_joining() -> None:
    joined = "犯盗窃罪，判处有期徒刑八个月；犯诈骗罪，判处有期徒刑六个月；决定执行有期徒刑一年"
    assert "第六十九条" in game("dianlan", script=answering(sentence=joined), skip=STAGES).of(e.Drafted)[-1].text
    assert "第六十九条" not in game("dianlan").of(e.Drafted)[-1].text


@pytest.mark.parametrize("case", CASES)
def test_every_point_of_the_defence_is_answered_with_a_reason(case: str) -> None:
    opinions = YAML(typ="safe").load((ROOT / "cases" / f"{case}.yaml").read_text(encoding="utf-8"))
    points = [point for opinion in opinions["first"]["defence"]["opinions"] for point in opinion["points"]]
    assert points
    text = game(case).of(e.Drafted)[-1].text
    for point in points:
        (answer,) = [line for line in text.splitlines() if line.startswith(f"关于{point['title']}。")]
        assert point["point"] in answer and answer.endswith(
            ("该意见成立，予以采纳。", "该意见不予采纳。", "不予采纳。")
        )
        assert len(answer.partition("经查，")[2]) > 25


def test_nobody_who_denies_is_said_to_repent() -> None:
    text = game("dianlan").of(e.Drafted)[-1].text
    assert "没有悔罪表现" in text and "有悔罪表现" not in text.replace("没有悔罪表现", "")


def two_injured(data: Any) -> None:
    """Another person was hurt, and claims what she paid."""
    victim = data["first"]["victim"]
    for claim in victim["claims"]:
        claim["by"] = "章禾"
    victim["persons"].append(
        {"id": "V2", "name": "施苗", "gender": "女", "opinion": "请依法判。", "civil": "票据都交了。"}
    )
    hers = {"by": "施苗", "text": "医疗费", "kind": "物质损失", "amount": "820", "exhibits": ["附证1"]}
    victim["claims"].insert(0, hers)


def test_several_who_were_injured_claim_in_one_petition_each_their_own(tmp_path: Path) -> None:
    found = game(changed_case(tmp_path, "tingche", two_injured))
    texts = {event.document: event.text for event in found.of(e.Drafted)}
    assert "（一）赔偿施苗医疗费人民币820元；" in texts["civil_complaint"]
    assert "附带民事诉讼原告人　章禾、施苗" in texts["civil_complaint"]
    (order,) = [line for line in texts["joint_judgment"].splitlines() if line.startswith("二、被告人戚川")]
    assert "赔偿附带民事诉讼原告人章禾医疗费人民币18640元、误工费人民币21000元、护理费人民币3600元，" in order
    assert "，赔偿附带民事诉讼原告人施苗医疗费人民币820元，合计人民币44060元，扣除已经支付的人民币8000元" in order


@pytest.mark.parametrize(
    ("case", "sentence", "words"),
    [
        ("dianlan", "有期徒刑一年六个月，并处罚金人民币一万元", "即自2024年6月5日起至2025年12月4日止。罚金限"),
        ("tingche", "拘役五个月", "羁押一日折抵刑期一日，即自2024年7月15日起至2024年12月14日止。）"),
        ("bianlidian", "有期徒刑七个月", "羁押一日折抵刑期一日，应扣除先行羁押的30日。）"),
        ("bianlidian", "管制六个月", "羁押一日折抵刑期二日，先行羁押30日，折抵刑期60日。）"),
        ("kuaijian", "有期徒刑八个月，缓刑一年", "（缓刑考验期限，从判决确定之日起计算。）"),
        ("kuaijian", "有期徒刑八个月", "羁押一日折抵刑期一日。）"),
    ],
)
def test_a_term_is_written_with_its_days(case: str, sentence: str, words: str) -> None:
    """From the first day in custody, or less the days that he was held before he was released."""
    found = game(case, script=answering(ballot="判处刑罚", sentence=sentence), skip=STAGES).of(e.Drafted)[-1].text
    assert words in found.partition("判决如下：")[2]


@pytest.mark.parametrize("case", CASES)
def test_nobody_says_the_same_twice_and_nothing_the_case_tells_is_left_open(case: str) -> None:
    found = game(case)
    said = Counter(
        (one.person, sentence)
        for one in found.of(e.Spoke)
        for sentence in re.split(r"[。？！]", one.text)
        if len(sentence) > 9
    )
    assert [what for what, times in said.items() if times > 1] == []
    for written in found.of(e.Drafted):
        assert "待补充" not in written.text


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("decision", ["判处刑罚", "免予刑事处罚", "宣告无罪"])
def test_a_parser_reads_in_the_judgment_what_the_panel_decided(case: str, decision: str) -> None:
    found = game(case, script=answering(ballot=decision), skip=STAGES[:3])
    decided = [str(one.value) for one in found.of(e.Captured) if one.name == "sentence"]
    read = verdict(found.of(e.Drafted)[-1].text).defendants
    assert read
    for n, one in enumerate(read):
        if decision == "判处刑罚":
            expected = verdict(f"被告人{one.who}犯{one.counts[0].charge}，判处{decided[n]}。").defendants[0].final
            assert (one.final.penalty, one.final.months, one.final.probation_months, one.final.fine) == (
                expected.penalty,
                expected.months,
                expected.probation_months,
                expected.fine,
            )
        else:
            assert one.final.penalty == ("免予刑事处罚" if decision == "免予刑事处罚" else "无罪")


# ---- bad input -------------------------------------------------------------------------------------------------------


def test_an_indictment_without_a_charge_is_returned(tmp_path: Path) -> None:
    found = game(changed_case(tmp_path, "kuaijian", without_charge))
    assert [event.outcome for event in found.of(e.Ended)] == ["indictment_returned"]
    assert not found.of(e.Drafted)


def test_a_defendant_who_refuses_to_answer_is_recorded_and_tried() -> None:
    def mute(request: e.Request, text: str) -> str:
        return "" if request.role == "defendant" else text

    found = game("bianlidian", script=mute)
    assert [event.outcome for event in found.of(e.Ended)] == ["judged"]
    assert {"empty"} <= {event.rule for event in found.of(e.Violated) if event.person.startswith("defendant")}
    (plea,) = {(event.value, event.source) for event in found.of(e.Captured) if event.name == "plea"}
    assert plea == ("不作陈述", "default")


@pytest.mark.parametrize(
    "skip", [(), ("final_statement",), ("final_statement/statement",), ("debate", "final_statement")]
)
def test_the_last_statement_can_never_be_skipped(skip: tuple[str, ...]) -> None:
    found = game(skip=skip)
    asked = [request for request in found.requests if "last_statement" in request.id and request.role == "defendant"]
    assert asked
    judged = next(n for n, request in enumerate(found.requests) if "pronounce" in request.id)
    assert found.requests.index(asked[0]) < judged


# ---- ablations -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("skip", [*[(stage,) for stage in STAGES], STAGES, STAGES[:3]])
def test_a_run_without_some_stages_still_ends_with_a_judgment(skip: tuple[str, ...]) -> None:
    found = game(skip=skip)
    assert [event.outcome for event in found.of(e.Ended)] == ["judged"]
    left_out = {event.place for event in found.of(e.Skipped) if event.reason == "asked"}
    assert set(skip) <= left_out


@pytest.mark.parametrize(("option", "absent"), [("memory", ()), ("strategy", ("study",))])
def test_a_run_without_memory_or_strategy(option: str, absent: tuple[str, ...]) -> None:
    found = game(options={option: "no"})
    assert [event.outcome for event in found.of(e.Ended)] == ["judged"]
    assert not [request for request in found.requests if any(word in request.id for word in absent)]
    bare = game(options={"memory": "no", "strategy": "no"})
    assert not bare.of(e.Remembered)


def two_attackers(data: Any) -> None:
    """Another accused beside the first, who is charged and defended as he is."""
    first, second = data["first"], {"id": "D2", "name": "文溪"}
    first["defence"]["defendants"].append(first["defence"]["defendants"][0] | second)
    for rows in (first["indictment"]["charges"], first["indictment"]["recommendation"]):
        rows.append(rows[0] | {"defendant": "文溪"})


def test_those_who_injured_somebody_together_are_liable_together(tmp_path: Path) -> None:
    text = game(changed_case(tmp_path, "tingche", two_attackers)).of(e.Drafted)[-1].text
    assert "被告人戚川、文溪于本判决生效之日起十日内连带赔偿附带民事诉讼原告人章禾" in text
    assert "共同实施侵害，承担连带赔偿责任" in text and "第一千一百六十八条" in text

    def acquits_the_second(request: e.Request, reply: str) -> str:
        mine = request.act == "vote" and "评议文溪的定罪" in request.added[-1].content
        return answering(ballot="宣告无罪")(request, reply) if mine else reply

    acquitted = game(changed_case(tmp_path, "tingche", two_attackers), script=acquits_the_second)
    text = acquitted.of(e.Drafted)[-1].text
    assert "被告人文溪无罪" in text and "连带" not in text and "第一千一百六十八条" not in text
    assert "被告人戚川于本判决生效之日起十日内赔偿" in text
    alone = game("tingche").of(e.Drafted)[-1].text
    assert "连带" not in alone and "第一千一百六十八条" not in alone


def test_nobody_votes_after_the_presiding_judge_has_weighed_the_defence() -> None:
    """His own view of whether the accused did it must not lie before those who vote, nor gainsay the vote."""
    found = game("tingche")
    steps = [one.id for one in found.said("judgment/deliberation")]
    weighed = [n for n, one in enumerate(steps) if "weigh" in one]
    voted = [n for n, one in enumerate(steps) if "decide" in one]
    sentenced = [n for n, one in enumerate(steps) if "sentence" in one]
    assert max(voted) < min(weighed) <= max(weighed) < min(sentenced)
    assert "辩护意见评议结果" not in read(found, "bench", "judgment")


@pytest.mark.parametrize(
    ("answers", "words"),
    [
        ({"excluded": "否"}, "经当庭调查，没有发现以非法方法收集的情形，该申请不予支持"),
        ({"doubtful": "否"}, "经审查，申请人提供的线索不足以使本院对收集的合法性产生疑问，该申请不予支持"),
    ],
)
def test_the_judgment_answers_an_application_to_exclude_that_was_refused(answers: dict[str, str], words: str) -> None:
    text = game("bianlidian", script=answering(ruling="采信", **answers)).of(e.Drafted)[-1].text
    assert f"被告人钟意及其辩护人申请排除被告人在侦查阶段的供述。{words}" in text
    assert "申请排除" not in game("bianlidian").of(e.Drafted)[-1].text.partition("经审理查明")[2]


def test_what_was_filed_before_the_hearing_is_read_before_it_by_whom_it_concerns() -> None:
    assert "【排除非法证据的申请】" in read(game("bianlidian"), "procurator", "pretrial")
    assert "【排除非法证据的申请】" in read(game("bianlidian"), "judge", "pretrial")
    played = game("tingche")
    assert all("【刑事附带民事起诉状】" in read(played, kind, "pretrial") for kind in ("accused", "advocate"))


def test_a_prepared_question_says_for_whom_it_is() -> None:
    assert "问被告人：章禾受伤以后" in read(game("tingche"), "agent")


def test_nobody_is_told_to_search_with_a_tool_that_he_was_not_given() -> None:
    studies = [one for one in game("kuaijian").requests if "study" in one.id]
    assert studies
    for one in studies:
        offered = {tool["name"] for tool in one.view.variables["tools"]}
        assert ("检索类案" in one.added[-1].content) == ("search_cases" in offered and one.person != "defendant")


def test_who_calls_somebody_to_court_knows_whom_he_called() -> None:
    """By name, and by no word of what the witness knows."""
    played = game("tingche")
    for kind, called, other in (
        ("procurator", "麦晓，菜市场摊主", "戚岚，"),
        ("advocate", "戚岚，超市收银员", "麦晓，菜"),
    ):
        before = read(played, kind, "pretrial")
        assert called in before and other not in before
    assert "从我摊前抄起" not in read(played, "procurator", "pretrial")
    assert "冯原，" in read(game("bianlidian"), "procurator", "investigation")


def test_no_tool_is_offered_for_a_memory_that_nobody_keeps() -> None:
    for options, kept in (({"memory": "no", "strategy": "no"}, False), ({}, True)):
        offered = {
            tool["name"] for one in game("kuaijian", options=options).requests for tool in one.view.variables["tools"]
        }
        assert ({"revise_memory", "expand_memory", "form_strategy"} <= offered) == kept
        assert kept or not offered & {"revise_memory", "expand_memory", "form_strategy"}


# ---- every branch ----------------------------------------------------------------------------------------------------


def read(played: Game, kind: str, stage: str = "") -> str:
    """All that persons of a kind were given to read, on demand in one stage."""
    mine = (r for r in played.said(stage) if r.view.variables["me"]["kind"] == kind)
    return "\n".join(message.content for request in mine for message in request.added)


def test_without_the_indictment_on_file_the_charge_is_read_from_the_case() -> None:
    """Skipping the stage in which it is filed must not leave the prosecutor without what he accuses them of."""
    filed, unfiled = game("dianlan"), game("dianlan", skip=("pretrial", "preparation", "investigation", "evidence"))
    for title in ("【指控的犯罪事实】", "【指控的量刑情节】", "【量刑建议】"):
        assert title in read(unfiled, "procurator", "debate")
        assert title not in read(filed, "procurator", "debate")
    assert "建议对被告人邵铁山判处" in read(filed, "procurator", "debate")


def test_a_codefendant_does_not_read_what_is_to_be_pleaded_for_the_other() -> None:
    played = game("dianlan")
    assert "【书面辩护意见】" in read(played, "judge", "judgment")
    assert all("【书面辩护意见】" not in read(played, kind) for kind in ("accused", "advocate", "procurator"))


def test_the_day_of_the_judgment_is_not_known_before_it_comes() -> None:
    played = game("kuaijian")
    assert "宣判日期" in read(played, "judge", "judgment")
    assert all("宣判日期" not in read(played, "judge", one) for one in ("pretrial", "preparation", "debate"))


def test_no_writing_is_offered_that_a_field_would_refuse() -> None:
    """The minutes are only added to, the strategy is only rewritten."""
    request = next(r for r in game("kuaijian").requests if r.act == "remember" and r.person == "prosecutor")
    offered = {
        tool["name"]: one["choices"]
        for tool in request.view.variables["tools"]
        for one in tool["parameters"]
        if one["name"] == "field"
    }
    assert offered == {"revise_memory": ("strategy",), "expand_memory": ("summary",)}


def only(*stages: str) -> tuple[str, ...]:
    """What to skip, so that of the hearing these stages alone are played."""
    return tuple(stage for stage in (*STAGES, "final_statement") if stage not in stages)


def games(tmp_path: Path) -> Iterator[Game]:
    for case in CASES:
        yield game(case)
    yield game("bianlidian", manner="silent")
    yield game("kuaijian", options={"memory": "no", "strategy": "no"})
    yield game("kuaijian", skip=("final_statement",))
    yield game(changed_case(tmp_path, "kuaijian", without_charge))
    yield game(changed_case(tmp_path, "dianlan", without_ids))
    yield game(changed_case(tmp_path, "kuaijian", without_counsel))
    yield game(changed_case(tmp_path, "kuaijian", without_the_signatory), skip=only("preparation"))
    yield game("kuaijian", script=answering(recusal="是"), skip=only("preparation"))
    for resumed in ("恢复法庭调查", "恢复法庭辩论"):
        again = answering(resume=resumed, doubt="是")
        yield game("kuaijian", script=again, skip=only("debate", "final_statement"))
        yield game("kuaijian", script=lambda r, t, w=again: endless(r, w(r, t)), skip=only("debate", "final_statement"))
    yield game("kuaijian", script=answering(exclusion="是"), skip=only("preparation", "investigation"))
    yield game("bianlidian", script=answering(excluded="否"), skip=only("preparation", "investigation"))
    yield game("dianlan", script=answering(confront="否"), skip=only("investigation"))
    for case, stages, scripts in (
        ("tingche", ("investigation", "evidence", "debate"), (endless, passing, talkative)),
        ("bianlidian", ("preparation", "investigation"), (endless, talkative)),
        ("dianlan", ("investigation",), (endless,)),
        ("kuaijian", ("preparation", "investigation"), (endless,)),
    ):
        for script in scripts:
            yield game(case, script=script, skip=only(*stages))
    yield game(changed_case(tmp_path, "tingche", both_settle), skip=only("debate"))
    yield game(str(UNSEEN / "jiaotong.yaml"), skip=STAGES)


def endless(request: e.Request, text: str) -> str:
    """Whoever asks never says that he is done."""
    if request.act != "moderate":
        return text
    calls = request.view.variables["step"]["calls"]
    return f"{calls[0]}请再说一遍。"


def passing(request: e.Request, text: str) -> str:
    """Whoever may pass does."""
    return str(request.view.variables["step"]["pass"]) or text


def without_the_signatory(data: Any) -> None:
    """Where only one is accused, nothing need say who signed."""
    data["first"]["pledges"][0].pop("defendant")


def talkative(request: e.Request, text: str) -> str:
    """Nobody passes."""
    token = str(request.view.variables["step"]["pass"])
    return "再说一句。" if token and token in text else text


def both_settle(data: Any) -> None:
    data["first"]["victim"]["persons"][0]["settles"] = "再付三万元，当庭付清，其他请求我放弃。"
    data["first"]["defence"]["defendants"][0]["settles"] = "家里凑了三万元，可以当庭付清。"


def test_every_branch_is_reached(tmp_path: Path) -> None:
    procedure = project("criminal").procedure
    assert procedure is not None
    found = coverage(procedure, [one.events for one in games(tmp_path)])
    assert [(branch.place, branch.kind) for branch in found.missed] == []
    assert len(found.branches) > 200


# ---- the records -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, 11))
def test_a_real_indictment_runs_by_its_binding(number: int) -> None:
    files = sorted(RECORDS.glob("*.json")) if RECORDS.is_dir() else []
    if not files:
        pytest.skip(WITHOUT)
    found = game(str(files[(number - 1) % len(files)]))
    assert [event.outcome for event in found.of(e.Ended)] == ["judged"]
    assert not [one for request in found.requests for one in request.view.knowledge.shown if one.name == "real"]


def test_who_keeps_no_notes_is_not_told_of_his_own() -> None:
    def told(**options: str) -> bool:
        found = game(options=options)
        return any("你自己的庭审纪要" in message.content for one in found.requests for message in one.messages)

    assert told() and not told(memory="no", strategy="no")


def test_the_victim_answers_one_counsel_before_the_next_one_asks() -> None:
    def script(request: e.Request, text: str) -> str:
        return "您看清楚了吗？" if "question_victim" in request.id and request.role == "attorney" else text

    case = str(Path(__file__).parent / "unseen" / "criminal" / "zhengdang.yaml")
    spoken = [
        one.person.partition("-")[0] for one in game(case, script=script).of(e.Spoke) if "question_victim" in one.place
    ]
    assert spoken[:4] == ["attorney", "victim", "attorney", "victim"]
