"""From an administrative judgment to the end of the second instance: every outcome, every branch, both sides."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playing import Game, answering, changed_case, matter, play, project

from legalworld.model import events as e
from legalworld.runs.citation_check import check
from legalworld.runs.coverage import coverage

OUTCOMES = {  # case -> outcome, and what the operative part says
    "zhangyuan": ("final_judgment", "将罚款50000元变更为罚款10000元；"),
    "chachao": ("upheld", "驳回上诉，维持原判。"),
    "xiaofang": ("upheld", "驳回上诉，维持原判。"),
}
AUTHORITY = "江澜市望潮区消防救援大队"


def game(case: str = "zhangyuan", **given: object) -> Game:
    return play(case, "plaintiff_agent", spec="administrative-appeal", **given)  # type: ignore[arg-type]


def outcome(found: Game) -> list[str]:
    return [event.outcome for event in found.of(e.Ended)]


def both(data: Any) -> None:
    """The authority appeals too, because the procedure was violated."""
    second = data["second"]
    second["appeals"].append(
        {"by": AUTHORITY, "requests": "重审。", "reasons": "没有通知第三人。", "date": "2025年5月21日"}
    )
    second["grounds"].append(
        {"id": "上3", "by": AUTHORITY, "title": "程序", "point": "遗漏当事人", "exhibits": ["二证1"], "effect": "程序"}
    )


def unappealed(data: Any) -> None:
    data["second"] = {}


def without_claims(data: Any) -> None:
    data["claims"] = []


def filed_in_vain(data: Any) -> None:
    data.update(claims=[], second={})


@pytest.mark.parametrize("case", OUTCOMES)
def test_it_is_upheld_or_amended(case: str) -> None:
    found, (ending, words) = game(case), OUTCOMES[case]
    assert outcome(found) == [ending]
    last = found.of(e.Drafted)[-1]
    assert (last.document, last.missing) == ("second_judgment", ())
    assert words in last.text.partition("判决如下：")[2]
    assert not found.of(e.Violated)
    assert all("待补充" not in written.text for written in found.of(e.Drafted))


def test_an_amended_judgment_quashes_the_first_one_and_decides_about_the_act() -> None:
    order = game().of(e.Drafted)[-1].text.partition("判决如下：")[2]
    assert order.index("一、撤销江澜市望潮区人民法院（2025）虚0107行初9号行政判决；") < order.index("二、变更")
    assert "三、驳回江澜市望潮区樟园旅舍的其他诉讼请求。" in order
    assert f"二审案件受理费50元，由{AUTHORITY}负担" in order


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        ("驳回诉讼请求", ("第六十九条、第八十九条", "二、驳回江澜市望潮区樟园旅舍的诉讼请求。")),
        ("撤销", ("第七十条第（六）项、第八十九条", "二、撤销江澜市望潮区消防救援大队")),
        (
            "撤销并重新作出",
            (
                "第七十条第（六）项、第八十九条",
                "依照《中华人民共和国行政处罚法》第五条第二款、第三十四条，在本判决生效之日起",
            ),
        ),
        ("限期履行", ("第七十二条、第八十九条", "六十日内对江澜市望潮区樟园旅舍的申请作出处理")),
        ("给付", ("第七十三条、第八十九条", "三十日内履行给付义务")),
        ("确认违法", ("第七十四条第一款第（二）项、第八十九条", "违法；")),
        ("确认无效", ("第七十五条、第八十九条", "无效；")),
        ("变更", ("第七十七条第一款、第八十九条", "变更为罚款10000元")),
    ],
)
def test_each_decision_about_the_act_has_its_article(decision: str, words: tuple[str, str]) -> None:
    text = game(script=answering(second_decision=decision)).of(e.Drafted)[-1].text
    assert words[0] in text and words[1] in text.partition("判决如下：")[2]


def test_titles_follow_the_appeal_and_whoever_did_not_appeal_answers() -> None:
    found = game("chachao")
    assert [one.document for one in found.of(e.Drafted, "appeal")] == ["appeal_petition", "appeal_answer"]
    speakers = {event.speaker for event in found.of(e.Spoke, "second_instance")}
    assert {"上诉人代理人", "被上诉人代理人", "审判长"} <= speakers
    petition, answer = (one.text for one in found.of(e.Drafted, "appeal"))
    assert "上诉人（原审被告）：江澜市青塘区市场监督管理局" in petition
    assert "答辩人（原审原告）：江澜市青塘区柏青茶行" in answer


def test_without_new_evidence_the_parties_are_asked_and_nobody_is_heard() -> None:
    assert game("xiaofang").said("second_instance/on_file")
    assert not game("xiaofang").said("second_instance/second_inquiry")
    assert game("zhangyuan").said("second_instance/second_inquiry")


def test_what_the_authority_wrote_afterwards_does_not_prove_its_act() -> None:
    judgment = game("chachao").of(e.Drafted)[-1].text
    assert "在被诉行为作出以后才制作，不能证明其主张，不予采信" in judgment


def test_both_may_appeal_and_a_violated_procedure_sends_it_back(tmp_path: Path) -> None:
    found = game(changed_case(tmp_path, "zhangyuan", both))
    assert outcome(found) == ["remanded"]
    written = [one.document for one in found.of(e.Drafted, "appeal")]
    assert written == ["appeal_petition", "appeal_petition", "appeal_answer", "appeal_answer"]
    ruling = found.of(e.Drafted)[-1].text
    assert ruling.count("上诉人（原审") == 2 and "第八十九条第一款第（四）项" in ruling


def test_nobody_hears_how_the_bench_weighs() -> None:
    kept = {"held", "upheld", "disposition", "second_decision", "second_award", "new_ruling", "real"}
    seen = {r.role for r in game().requests for one in r.view.knowledge.shown if one.name in kept}
    assert seen == {"appeal_judge"}


@pytest.mark.parametrize("case", OUTCOMES)
def test_nothing_that_is_cited_is_wrong_or_unknown(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LW_LIBRARY", raising=False)
    procedure = project("administrative-appeal").procedure
    assert procedure is not None
    checked = check(procedure, matter(case, spec="administrative-appeal").case, game(case).events, tmp_path)
    assert [one.written for one in checked.cited if one.standing.outcome != "in_force"] == []


def games(tmp_path: Path) -> Iterator[Game]:
    for case in OUTCOMES:
        yield game(case)
    yield game(script=answering(disposition="发回重审"))
    yield game(changed_case(tmp_path, "zhangyuan", both, "both"))
    yield game(changed_case(tmp_path, "zhangyuan", unappealed, "unappealed"))
    yield game(changed_case(tmp_path, "zhangyuan", without_claims, "claimless"))
    yield game(changed_case(tmp_path, "zhangyuan", filed_in_vain, "vain"))


def test_every_branch_of_the_second_instance_is_reached(tmp_path: Path) -> None:
    procedure = project("administrative-appeal").procedure
    assert procedure is not None
    played = list(games(tmp_path))
    ends = {one for found in played for one in outcome(found)}
    assert ends == {"final_judgment", "upheld", "remanded", "first_judgment_effective", "not_filed"}
    found = coverage(procedure, [one.events for one in played])
    own = ("filing", "appeal", "second_instance")
    assert [(one.place, one.kind) for one in found.missed if one.place.split("/")[0] in own] == []


@pytest.mark.parametrize("manner", ["noisy", "silent"])
def test_actors_that_misbehave_come_to_an_end_too(manner: str) -> None:
    assert game(manner=manner).status == "ended"


def test_nobody_but_the_court_says_what_the_court_found() -> None:
    """What the second instance found is for its judgment alone: no side argues it, and no prompt tells of it."""
    found = game()
    words = "变更为一万元"
    assert words in found.of(e.Drafted)[-1].text
    others = [event.text for event in (*found.of(e.Spoke), *found.of(e.Drafted)) if event.person != "appeal_judge"]
    assert not [text for text in others if "一万元" in text.replace("一万五千元", "")]
    asked = [part.content for event in found.of(e.Asked) for part in event.added if event.act != "draft"]
    assert not [text for text in asked if words in text]
