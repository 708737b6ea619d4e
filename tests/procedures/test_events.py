"""Eleven events that may come in between a civil trial, in one procedure: each comes, with its steps, and what follows.

`events/` is a project of its own: a procedure in Chinese, one with three of the events in English, and their cases.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playing import Game, Script, answering, play, project
from ruamel.yaml import YAML
from typed import lw

from legalworld.model.events import Assigned, Drafted, Ended, Entered, Interrupted, Request, Resumed, Skipped, Spoke
from legalworld.runs.coverage import coverage

FOLDER = Path(__file__).parent / "events"
CHINESE, ENGLISH = str(FOLDER / "specs" / "十一件事.yaml"), str(FOLDER / "specs" / "loan.yaml")
ORDERED = str(FOLDER / "specs" / "书证.yaml")


def played(
    folder: Path, wishes: dict[str, Any], script: Script, more: dict[str, str] | None = None, spec: str = CHINESE
) -> Game:
    """A Chinese procedure with a case in which somebody means to raise something."""
    case = YAML(typ="safe").load((FOLDER / "case.yaml").read_text(encoding="utf-8"))
    case |= {"打算": wishes, **(more or {})}
    file = folder / "case.json"
    file.write_text(json.dumps(case, ensure_ascii=False), encoding="utf-8")
    return play(str(file), "", spec=spec, script=script)


def steps(game: Game, event: str) -> list[str]:
    """The steps of an event that were come to, by their ids."""
    places = [one.place for one in game.of(Entered) if f"@{event}." in one.place]
    return [place.rpartition(f"@{event}.")[2].rpartition(".")[2] for place in places if not place[-1].isdigit()]


PLAINTIFF, DEFENDANT = "plaintiff", "defendant"
EACH = {
    "撤诉": ({PLAINTIFF: {"撤诉": "请求撤回起诉。"}}, {"准许撤诉": "是"}, ["ask", "decide", "ruling"], "withdrawn"),
    "管辖权异议": (
        {DEFENDANT: {"管辖": "本案应由被告住所地法院管辖。"}},
        {"异议成立": "是"},
        ["ask", "decide", "ruling"],
        "transferred",
    ),
    "财产保全": ({PLAINTIFF: {"保全": "请求冻结被告存款。"}}, {"准许保全": "是"}, ["ask", "decide", "ruling"], ""),
    "先予执行": (
        {PLAINTIFF: {"先予执行": "请求先予执行。"}},
        {"准许先予执行": "是"},
        ["ask", "decide", "ruling"],
        "",
    ),
    "反诉": (
        {DEFENDANT: {"反诉": "请求判令原告返还多收的利息。"}},
        {"受理反诉": "是"},
        ["decide", "claim", "answer", "join"],
        "",
    ),
    "鉴定": ({DEFENDANT: {"鉴定": "申请鉴定借条的签名。"}}, {"准许鉴定": "是"}, ["decide", "opinion", "contest"], ""),
    "和解": ({DEFENDANT: {"和解": "愿意付四万元。"}}, {"同意方案": "是"}, ["agree", "record"], "settled"),
    "追加当事人": (
        {PLAINTIFF: {"追加": "申请追加共同借款人。"}},
        {"准许追加": "是"},
        ["decide", "notify", "answer"],
        "",
    ),
    "中止": ({}, {"开庭情况": "到齐"}, ["ruling", "over"], "suspended"),
    "缺席": ({}, {"开庭情况": "被告未到"}, ["absent", "claim", "onward"], ""),
    "回避": (
        {DEFENDANT: {"回避": [{"text": "审判员是原告的近亲属，应当回避。", "at": "庭审/法庭调查"}]}},
        {"准予回避": "是"},
        ["decide", "replace"],
        "",
    ),
}


@pytest.mark.parametrize("event", EACH)
def test_each_event_comes_with_its_steps(event: str, tmp_path: Path) -> None:
    wishes, answers, expected, outcome = EACH[event]
    more = {"中止情形": "原告死亡，需要等待继承人表明是否参加诉讼"} if event == "中止" else {}
    game = played(tmp_path, wishes, answering(**answers), more)
    (interrupted,) = game.of(Interrupted)
    assert interrupted.event == event
    assert interrupted.person == next(iter(wishes), "")
    assert steps(game, event) == expected
    assert game.of(Ended)[0].outcome == outcome
    went_on = not outcome and event != "缺席"
    assert bool(game.of(Resumed)) == went_on
    if went_on:
        assert [one.document for one in game.of(Drafted)][-1] == "judgment"


def test_who_raised_an_event_still_has_to_say_what_he_was_asked(tmp_path: Path) -> None:
    game = played(tmp_path, {PLAINTIFF: {"保全": "请求冻结被告存款。"}}, answering(准许保全="是"))
    said = [one.text for one in game.of(Spoke, "答辩/reply")]
    assert said == ["请求冻结被告存款。"]  # these were words: the turn was had


def test_a_refused_event_leads_back_to_the_question(tmp_path: Path) -> None:
    def script(request: Request, text: str) -> str:
        if request.id == "庭审/法庭调查/claim/plaintiff/1":
            return "【申请撤诉】"
        return text

    game = played(tmp_path, {}, script)
    assert steps(game, "撤诉") == ["ask", "decide", "refuse"]
    assert [one.place for one in game.of(Resumed)] == ["庭审/法庭调查/claim"]
    (claim,) = game.of(Spoke, "庭审/法庭调查/claim")
    assert claim.person == PLAINTIFF
    assert game.of(Ended)[0].outcome == ""


def test_what_an_absent_party_misses_is_passed_over(tmp_path: Path) -> None:
    game = played(tmp_path, {}, answering(开庭情况="被告未到"))
    assert [(one.place, one.reason) for one in game.of(Skipped) if one.reason == "onward"] == [
        ("庭审/法庭调查", "onward"),
        ("庭审/法庭辩论", "onward"),
    ]
    assert [one.document for one in game.of(Drafted)] == ["filed", "judgment"]
    gone = played(tmp_path, {}, answering(开庭情况="原告未到"))
    assert gone.of(Ended)[0].outcome == "deemed_withdrawn"


def test_another_judge_takes_the_chair_in_the_midst_of_the_debate(tmp_path: Path) -> None:
    wish = {PLAINTIFF: {"回避": [{"text": "刚刚得知审判员是被告的近亲属。", "at": "庭审/法庭辩论/debate"}]}}
    game = played(tmp_path, wish, answering(准予回避="是"))
    chairs = [one.speaker for one in game.of(Spoke, "庭审/法庭辩论/debate") if one.act == "moderate"]
    assert chairs[0] == "审判员" and set(chairs[1:]) == {"另一名审判员"}
    assert [one.persons for one in game.of(Assigned) if one.role == "bench"] == [("judge",), ("other_judge",)]


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        ({"责令提交": "是", "交出": "是"}, ["hear", "decide", "order", "produce", "contest"]),
        ({"责令提交": "是", "交出": "否"}, ["hear", "decide", "order", "produce", "presume"]),
        ({"责令提交": "否"}, ["hear", "decide", "refuse"]),
    ],
)
def test_an_order_to_produce_a_document_is_applied_for_made_and_followed_up(
    answers: dict[str, str], expected: list[str], tmp_path: Path
) -> None:
    """A procedure that extends the other by one event: what its offline actors mean to raise, they raise."""
    wish = {PLAINTIFF: {"书证": "申请责令被告提交收款账簿，证明已收到五万元。"}}
    game = played(tmp_path, wish, answering(**answers), spec=ORDERED)
    (interrupted,) = game.of(Interrupted)
    assert (interrupted.event, interrupted.person) == ("责令提交书证", PLAINTIFF)
    assert steps(game, "责令提交书证") == expected
    assert [one.document for one in game.of(Drafted)][-1] == "judgment"


def test_who_was_joined_hears_what_comes_after(tmp_path: Path) -> None:
    game = played(tmp_path, {PLAINTIFF: {"追加": "申请追加。"}}, answering(准许追加="是"))
    heard = {one.place: "joined" in one.heard_by for one in game.of(Spoke)}
    assert not heard["答辩/answer"]
    assert heard["庭审/法庭调查/@追加当事人.2.answer"] and heard["庭审/法庭辩论/debate"]
    assert not any(request.person == "expert" for request in game.requests)


def test_every_event_is_covered_or_missed(tmp_path: Path) -> None:
    procedure = project(CHINESE).procedure
    assert procedure is not None
    games = []
    for event, (wishes, answers, _, _) in EACH.items():
        more = {"中止情形": "原告死亡"} if event == "中止" else {}
        games.append(played(tmp_path, wishes, answering(**answers), more))
    missed = {branch.place for branch in coverage(procedure, [game.events for game in games]).missed}
    assert not {place for place in missed if place.startswith("@") and "." not in place}
    only = coverage(procedure, [games[0].events]).missed
    assert {branch.place for branch in only if branch.kind == "raised"} == {f"@{event}" for event in EACH} - {"@撤诉"}


def test_nobody_is_shown_what_the_other_side_means_to_raise(tmp_path: Path) -> None:
    game = played(tmp_path, {PLAINTIFF: {"和解": "暗桩四万元"}}, lambda request, text: text)
    first = next(one for one in game.of(Spoke) if "暗桩" in one.text)
    for request in game.requests[: game.requests.index(next(r for r in game.requests if r.id == first.request))]:
        seen = "".join(message.content for message in request.messages)
        assert ("暗桩" in seen) == (request.person == PLAINTIFF)


# ---- in English ------------------------------------------------------------------------------------------------------

IN_ENGLISH = {
    "withdrawal": ("withdrawal=I withdraw the action.", {"permitted": "yes"}, "withdrawn"),
    "counterclaim": ("counterclaim=He owes me the interest.", {"accepted": "yes"}, ""),
    "settlement": ("settlement=We have agreed on 30,000 yuan.", {"agreed": "yes"}, "settled"),
}


@pytest.mark.parametrize("event", IN_ENGLISH)
def test_events_in_english(event: str) -> None:
    field, answers, outcome = IN_ENGLISH[event]
    name, _, words = field.partition("=")
    game = play(str(FOLDER / "loan-case.yaml"), "", spec=ENGLISH, fields={name: words}, script=answering(**answers))
    (interrupted,) = game.of(Interrupted)
    assert (interrupted.event, game.of(Ended)[0].outcome) == (event, outcome)


# ---- at the command line ---------------------------------------------------------------------------------------------


def test_a_run_stops_and_goes_on_within_an_event(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its places are places like any others: to stop at, to look at, to fork at; the transcript has its heading."""
    monkeypatch.chdir(FOLDER)
    run, case = str(tmp_path / "run"), str(FOLDER / "case.yaml")
    place = "答辩/@和解.agree"
    assert lw("run", CHINESE, "--case", case, "--out", run, "--until", place, "--json").object()["status"] == "paused"
    assert lw("resume", run, "--json").object()["status"] == "ended"
    assert lw("replay", run, "--json").object()["status"] == "ended"
    transcript = (tmp_path / "run" / "transcript.md").read_text("utf-8")
    assert "#### 和解（原告提出）\n\n依据：民事诉讼法第五十三条、民事诉讼法第一百条\n" in transcript
    assert "〔和解处理完毕，程序继续〕" in transcript
    assert "答辩/@和解.agree" in lw("show", run, "--json").out
    seen = lw("view", CHINESE, "--case", case, "--as", "原告", "--at", place)
    assert seen.code == 0 and "本月底前一次付清四万元" in seen.out
    (tmp_path / "other.md").write_text("另一份起诉状", encoding="utf-8")
    change = ("--replace", f"filed={tmp_path / 'other.md'}")
    forked = lw("fork", run, "--at", place, *change, "--out", str(tmp_path / "fork"), "--json")
    assert forked.object()["status"] == "ended"
    assert "由干预替换" in (tmp_path / "fork" / "transcript.md").read_text("utf-8")


def test_minutes_have_an_event_under_its_title(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    run, text = str(tmp_path / "run"), (FOLDER / "case.yaml").read_text("utf-8")
    (tmp_path / "case.yaml").write_text(text.replace("和解:", "先予执行:"), encoding="utf-8")
    assert lw("run", CHINESE, "--case", str(tmp_path / "case.yaml"), "--out", run).code == 0
    out = ("--document", "minutes@庭审", "--format", "md", "--to", str(tmp_path / "papers"))
    assert lw("export", run, *out).code == 0
    (minutes,) = (tmp_path / "papers").glob("*.md")
    lines = [line.strip("#* ") for line in minutes.read_text("utf-8").splitlines()]
    assert lines.index("法庭调查") < lines.index("先予执行") < len(lines) - lines[::-1].index("法庭调查") - 1


def test_a_case_that_names_no_place_is_refused(tmp_path: Path) -> None:
    text = (FOLDER / "case.yaml").read_text("utf-8")
    (tmp_path / "case.yaml").write_text(text + "    回避: [{text: 申请回避, at: 庭审/法廷调查}]\n", encoding="utf-8")
    ran = lw("run", CHINESE, "--case", str(tmp_path / "case.yaml"), "--out", str(tmp_path / "run"))
    assert ran.code and "LW186" in ran.err and "庭审/法廷调查" in ran.err
