"""From a criminal judgment to the end of the second instance: every outcome, no heavier sentence, every branch."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playing import ROOT, Game, answering, changed_case, matter, play, project
from ruamel.yaml import YAML

from legalworld.law.text.verdicts import verdict
from legalworld.model import events as e
from legalworld.model.attendance import Attended
from legalworld.model.events import Request
from legalworld.runs.citation_check import check
from legalworld.runs.coverage import coverage
from legalworld.runs.transcript import transcript

OUTCOMES = {  # case -> outcome, the document it ends with, and what that says
    "dianlan": ("upheld", "appeal_ruling", "驳回上诉，维持原判。"),
    "kuaijian": ("upheld", "appeal_ruling", "驳回上诉，维持原判。"),
    "jiuyi": ("final_judgment", "appeal_judgment", "判处拘役一个月，缓刑二个月，并处罚金人民币二千元"),
    "tingche": ("remanded", "remand_ruling", "发回江澜市鹿鸣区人民法院重新审判。"),
}
LATER = {"appeal", "second_review", "second_instance", "second_on_file"}
STAGE = ("pretrial", "preparation", "investigation", "evidence", "debate", "final_statement", "judgment")


def game(case: str = "dianlan", **given: object) -> Game:
    return play(case, "judge", spec="criminal-appeal", **given)  # type: ignore[arg-type]


def lighter(data: Any) -> None:
    """His appeal succeeds, and asks for less."""
    (ground,) = data["second"]["grounds"]
    ground.update(effect="量刑", exhibits=["控证1"], penalty="拘役三个月，并处罚金人民币二千元")


def both(data: Any) -> None:
    """An appeal and a protest, by a victim who is there; the procedure was violated."""
    data["second"]["protest"] = {
        "office": "检察院",
        "number": "1",
        "date": "2024年11月8日",
        "requests": "重审。",
        "reasons": "程序违法。",
    }
    data["second"]["grounds"][0]["effect"] = "程序"


def both_accused(data: Any) -> None:
    """The other accused appeals too, for a lighter sentence."""
    data["second"]["appeals"].append(
        {"by": "邵铁山", "requests": "减轻处罚。", "reasons": "数额认定偏高。", "date": "2024年11月21日"}
    )
    data["second"]["grounds"].append(
        {
            "id": "上2",
            "by": "邵铁山",
            "defendant": "邵铁山",
            "title": "退赔",
            "point": "已经退赔",
            "reason": "家属已经退赔",
        }
        | {"exhibits": ["辩证1"], "effect": "量刑", "penalty": "有期徒刑十个月，并处罚金人民币五千元"}
    )


def unheard(data: Any) -> None:
    """Nobody disputes a fact or has new evidence, and there is a victim to be asked."""
    data["second"]["evidence"] = []
    for ground in data["second"]["grounds"]:
        ground["effect"] = "量刑"


@pytest.mark.parametrize("case", OUTCOMES)
def test_it_is_upheld_amended_or_remanded(case: str) -> None:
    found, (outcome, document, words) = game(case), OUTCOMES[case]
    assert [event.outcome for event in found.of(e.Ended)] == [outcome]
    last = found.of(e.Drafted)[-1]
    assert (last.document, last.missing) == (document, ())
    assert words in last.text.partition("如下：")[2]
    assert not found.of(e.Violated)


def convicted(request: Request, text: str) -> str:
    """Whatever the evidence, so that there is a second instance."""
    return "【ballot：判处刑罚】" if request.form.answer is not None and request.form.answer.name == "ballot" else text


def protested(data: Any) -> None:
    data["second"] = {
        "protest": {
            "office": "检察院",
            "number": "1",
            "date": "2025年3月8日",
            "requests": "改判。",
            "reasons": "确有错误。",
        }
    }


def test_what_is_excluded_is_named_and_its_content_told_to_nobody_who_decides_later(tmp_path: Path) -> None:
    found = game(changed_case(tmp_path, "bianlidian", protested), script=convicted)
    content, named = "承认当晚进店拿走现金", "控证2 被告人在侦查阶段的供述"
    later = [one for stage in (*STAGE[3:], "appeal", "second_instance") for one in found.said(stage)]
    told = {one.id.partition("/")[0]: "" for one in later}
    for one in later:
        words = "".join(message.content for message in one.messages)
        assert content not in words, one.id
        told[one.id.partition("/")[0]] += words
    assert {stage for stage, words in told.items() if f"{named}，被告人供述。已经依法排除" in words} == told.keys()
    assert [one for one in found.said("investigation") if content in one.messages[0].content]


def test_the_clerk_is_there_when_the_panel_deliberates_and_no_party_is() -> None:
    found = game()
    for place, clerk in (("judgment/deliberation", "stenographer"), ("second_instance/decision", "appeal_clerk")):
        outside = {person for one in found.of(Attended, place) if one.how == "shut_out" for person in one.persons}
        assert clerk not in outside and "attorney-1" in outside


def test_a_judgment_that_nobody_attacks_takes_effect() -> None:
    assert [event.outcome for event in game("bianlidian").of(e.Ended)] == ["first_judgment_effective"]


def test_who_disputes_no_fact_is_asked_without_a_hearing_and_a_protest_is_heard() -> None:
    assert game("kuaijian").said("second_on_file/on_file") and not game("kuaijian").said("second_instance")
    assert game("jiuyi").said("second_instance/inquiry") and not game("jiuyi").said("second_review/decide_hearing")


def test_the_protest_is_argued_first_and_the_appeal_before_the_procurator() -> None:
    first = {case: game(case).of(e.Spoke, "second_instance/argument")[0].person for case in ("jiuyi", "tingche")}
    assert first == {"jiuyi": "appeal_prosecutor", "tingche": "defendant"}


def test_titles_follow_the_appeal_and_no_judge_is_numbered() -> None:
    speakers = {event.speaker for event in game("dianlan").of(e.Spoke, "second_instance")}
    assert {"上诉人", "原审被告人", "审判长", "检察员"} <= speakers
    assert not [who for who in speakers if re.search(r"\d|原审辩护", who)]


def test_on_the_appeal_of_the_accused_alone_nobody_is_punished_harder(tmp_path: Path) -> None:
    found = game(changed_case(tmp_path, "dianlan", lighter))
    texts = {event.document: event.text for event in found.of(e.Drafted)}
    first = {one.who: one.final for one in verdict(texts["criminal_judgment"]).defendants}
    final = {one.who: one.final for one in verdict(texts["appeal_judgment"]).defendants}
    assert set(final) == {"何小满"} and final["何小满"] != first["何小满"]  # the other was not touched
    for who, sentence in final.items():
        assert (sentence.months or 0) <= (first[who].months or 0) and (sentence.fine or 0) <= (first[who].fine or 0)
    assert not [one for one in found.requests if one.id.endswith(".amend")]
    asked = next(one for one in found.requests if "amend_not_heavier" in one.id)
    assert "不得比第一审重" in asked.added[-1].content


def test_the_forms_read_like_those_of_the_courts() -> None:
    texts = {event.document: event.text for event in game("dianlan").of(e.Drafted)}
    assert "上诉人（原审被告人）何小满" in texts["appeal_ruling"] and "原审被告人邵铁山" in texts["appeal_ruling"]
    assert "上诉请求" in texts["appeal_petition"] and "此致" in texts["appeal_petition"]
    assert all("待补充" not in text for text in texts.values())


def test_several_appellants_write_one_petition_each_with_his_own_reasons(tmp_path: Path) -> None:
    found = game(changed_case(tmp_path, "dianlan", both_accused))
    texts = {event.document: event.text for event in found.of(e.Drafted)}
    requests, _, reasons = texts["appeal_petition"].partition("\n上诉理由\n")
    for who, request, reason in (
        ("邵铁山", "减轻处罚。", "数额认定偏高。"),
        ("何小满", "改判何小满无罪。", "三千元是事后给的"),
    ):
        assert f"上诉人（原审被告人）{who}，男" in requests and f"上诉人　{who}" in reasons
        (asked,) = [line for line in requests.splitlines() if line.startswith(f"上诉人{who}：")]
        (said,) = [line for line in reasons.splitlines() if line.startswith(f"上诉人{who}：")]
        assert asked.endswith(request) and reason in said
    amended = texts["appeal_judgment"]
    assert "原审被告人邵铁山、何小满均不服，提出上诉。" in amended
    assert "一、维持" in amended and "中除对被告人邵铁山定罪量刑以外的各项。" in amended
    assert "三、上诉人（原审被告人）邵铁山犯盗窃罪，" in amended and "即自2024年6月5日起至2025年4月4日止" in amended
    assert "何小满犯盗窃罪，" not in amended.partition("判决如下：")[2]


def test_the_case_of_several_appellants_is_remanded_as_one(tmp_path: Path) -> None:
    changed = changed_case(tmp_path, "dianlan", both_accused)
    ruling = game(changed, script=answering(appeal_ballot="发回重审")).of(e.Drafted)[-1].text
    assert ruling.count("上诉人（原审被告人）") == 2 and ruling.count("发回江澜市鹿鸣区人民法院重新审判") == 1
    assert "关于退赔。邵铁山上诉提出" in ruling and "关于是否明知是盗窃。何小满上诉提出" in ruling


@pytest.mark.parametrize("case", OUTCOMES)
def test_every_ground_is_answered_and_nobody_says_the_same_twice(case: str) -> None:
    found = game(case)
    grounds = YAML(typ="safe").load((ROOT / "cases" / f"{case}.yaml").read_text(encoding="utf-8"))["second"]["grounds"]
    text = found.of(e.Drafted)[-1].text
    for ground in grounds:
        (answer,) = [line for line in text.splitlines() if line.startswith(f"关于{ground['title']}。")]
        assert ground["point"] in answer and answer.endswith(("予以采纳。", "不予采纳。"))
    said = Counter(
        (one.person, sentence)
        for one in (*found.of(e.Spoke, "second_instance"), *found.of(e.Spoke, "second_on_file"))
        for sentence in re.split(r"[。？！]", one.text)
        if len(sentence) > 9
    )
    assert [what for what, times in said.items() if times > 1] == []


@pytest.mark.parametrize("case", OUTCOMES)
def test_nothing_that_is_cited_is_wrong_or_unknown(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LW_LIBRARY", raising=False)
    procedure = project("criminal-appeal").procedure
    assert procedure is not None
    checked = check(procedure, matter(case, spec="criminal-appeal").case, game(case).events, tmp_path)
    assert [one.written for one in checked.cited if one.standing.outcome != "in_force"] == []


def endless(request: e.Request, text: str) -> str:
    return f"{request.view.variables['step']['calls'][0]}再说一遍。" if request.act == "moderate" else text


def talkative(request: e.Request, text: str) -> str:
    token = str(request.view.variables["step"]["pass"])
    return "再说一句。" if token and token in text else text


def silent_side(request: e.Request, text: str) -> str:
    """The victim and who speaks for the victim have nothing to say."""
    return str(request.view.variables["step"]["pass"]) or text if request.role in ("victim", "agent") else text


def divided(request: e.Request, text: str) -> str:
    """Three judges, three opinions: that of the presiding judge decides."""
    if "【第二审处理方式：" not in text:
        return text
    votes = {"appeal_judge": "维持原判", "appeal_associate-1": "改判", "appeal_associate-2": "发回重审"}
    return f"【appeal_ballot：{votes[request.person]}】"


def later(case: str = "dianlan", **given: object) -> Game:
    """What comes after a judgment of first instance that is reached at once."""
    return game(case, skip=STAGE[:-1], **given)


def games(tmp_path: Path) -> Iterator[Game]:
    for case in (*OUTCOMES, "bianlidian"):
        yield later(case)
    yield later("dianlan", script=endless)
    yield later("dianlan", script=talkative)
    yield later("dianlan", script=divided)
    yield later("kuaijian", script=divided)
    for case, disposition in (("dianlan", "改判"), ("jiuyi", "改判"), ("kuaijian", "改判"), ("kuaijian", "发回重审")):
        yield later(case, script=answering(appeal_ballot=disposition))
    yield later(changed_case(tmp_path, "dianlan", lighter, "lighter"))
    yield later(changed_case(tmp_path, "tingche", both, "both"))
    yield later(changed_case(tmp_path, "tingche", unheard, "unheard"))
    yield later("tingche", script=silent_side)
    yield later("tingche", script=answering(held="否"))


def test_every_branch_of_the_second_instance_is_reached(tmp_path: Path) -> None:
    procedure = project("criminal-appeal").procedure
    assert procedure is not None
    found = coverage(procedure, [one.events for one in games(tmp_path)])
    missed = [(one.place, one.kind) for one in found.missed if one.place.split("/")[0] in LATER]
    heard = "second_on_file/decision/4.1.1"  # a protest is always heard, so that nobody comes to it on the file
    assert [one for one in missed if not one[0].startswith(heard)] == []


@pytest.mark.parametrize("manner", ["noisy", "silent"])
def test_actors_that_misbehave_come_to_an_end_too(manner: str) -> None:
    assert game("tingche", manner=manner).status == "ended"


@pytest.mark.parametrize("disposition", ["维持原判", "改判", "发回重审"])
def test_every_disposition_is_reachable_in_every_case(disposition: str) -> None:
    for case in OUTCOMES:
        assert later(case, script=answering(appeal_ballot=disposition)).status == "ended"


def test_who_is_asked_twice_does_not_answer_twice_in_the_same_words() -> None:
    """Each further question has the answer that is prepared for it, or is told that there is none."""
    asks = iter(["你当时问过是不是正经活，为什么？", "说好三百元，给了你三千元，你怎么想？", "还有什么要说？"])

    def curious(request: e.Request, text: str) -> str:
        asked = request.act == "moderate" and "【讯问上诉人】" in request.view.variables["step"]["calls"]
        return f"【讯问上诉人】{word}" if asked and (word := next(asks, "")) else text

    found = game("dianlan", script=curious, skip=STAGE[:-1])
    said = [
        one.text for one in found.of(e.Spoke, "second_instance") if one.person == "defendant-2" and one.act == "reply"
    ]
    assert len(said) == len(set(said)) == 3


def told(case: str, given: Game) -> str:
    """The transcript from the appeal on."""
    procedure = project("criminal-appeal").procedure
    assert procedure is not None
    return transcript(procedure, matter(case, spec="criminal-appeal").case, [], {}, given.events).partition(
        "## 上诉和抗诉"
    )[2]


@pytest.mark.parametrize("case", ["kuaijian", "tingche"])
def test_where_no_court_sits_nobody_comes_or_goes(case: str, tmp_path: Path) -> None:
    """Though all of them are asked, and the ruling is made known to all of them."""
    found = game(case if case == "kuaijian" else changed_case(tmp_path, case, unheard, "unheard"))
    record = told(case, found)
    assert "第二审（不开庭）" in record and "讯问你" in record and "公开宣告" in record
    assert not [word for word in ("庭外", "到庭〕", "暂时离开", "回来〕", "起立", "闭庭") if word in record]
    proclaimed = next(one for one in found.of(e.Spoke, "second_on_file/outcome"))
    assert {"defendant", "appeal_prosecutor"} <= set(proclaimed.heard_by)
    heard = next(one for one in found.of(e.Spoke, "second_on_file/on_file"))
    assert "appeal_prosecutor" not in heard.heard_by
    assert not [one for one in found.of(Attended) if one.place.startswith("second_on_file")]


def test_nobody_is_told_of_who_left_while_nothing_was_said() -> None:
    record = told("dianlan", game("dianlan"))
    assert "〔原审被告人暂时离开〕" in record and "〔上诉人暂时离开〕" not in record
    assert [one for one in game("dianlan").of(Attended, "second_instance/inquiry") if one.speakers == ("上诉人",)]


@pytest.mark.parametrize(
    ("case", "words"), [("kuaijian", "驳回上诉，维持原判的裁定"), ("jiuyi", "驳回抗诉，维持原判的裁定")]
)
def test_who_writes_the_ruling_is_told_of_a_protest_only_where_there_is_one(case: str, words: str) -> None:
    found = later(case, script=answering(appeal_ballot="维持原判"))
    asked = next(one for one in found.requests if "write_upheld" in one.id)
    assert words in asked.added[-1].content


def test_who_left_for_a_deliberation_without_words_is_told() -> None:
    record = told("dianlan", game("dianlan"))
    before, _, after = record.partition("〔表决：对第一审判决怎样处理")
    assert "检察员暂时离开〕" in before.rpartition("### 评议")[2] and "检察员回来〕" in after
