"""MASER: a client and a lawyer under a supervisor; both drafts kept, the hidden detail hidden, every branch reached."""

from __future__ import annotations

from pathlib import Path

import pytest
from playing import ROOT, Game, Script, play, project

from legalworld.drivers.coverage import coverage
from legalworld.model import events as e

CASES = ("maser-qiankuan", "maser-peixun")
MODES = ("generate", "evaluate")
RECORDS = ROOT.parent / "shared" / "data" / "maser" / "sample.json"


def game(case: str = CASES[0], mode: str = "generate", **given: object) -> Game:
    return play(case, "lawyer", spec="maser", options={"mode": mode}, **given)  # type: ignore[arg-type]


def supervisor(words: str) -> Script:
    return lambda request, text: words if request.act == "review" else text


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("mode", MODES)
def test_it_ends_with_a_complaint_in_the_official_order(case: str, mode: str) -> None:
    found = game(case, mode)
    assert found.status == "ended"
    (drafted,) = found.of(e.Drafted)
    assert (drafted.document, drafted.missing) == ("maser_complaint", ())
    assert not found.of(e.Violated)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("manner", ["noisy", "silent"])
def test_actors_that_misbehave_come_to_an_end_too(mode: str, manner: str) -> None:
    found = game(mode=mode, manner=manner)
    assert found.status == "ended"
    assert found.of(e.Violated)


@pytest.mark.parametrize(("mode", "read"), [("generate", {"委托人", "律师"}), ("evaluate", {"委托人"})])
def test_whom_the_supervisor_reads_depends_on_the_mode(mode: str, read: set[str]) -> None:
    assert {event.speaker for event in game(mode=mode).of(e.Reviewed)} == read


def test_a_criticised_draft_is_revised_once_and_both_are_kept() -> None:
    def script(request: e.Request, text: str) -> str:
        if request.act == "review":
            return "请说得具体一些。" if request.view.variables["step"]["draft"]["number"] == 1 else text
        return "改过的话：" + text if request.act == "revise" else text

    found = game(script=script)
    reviewed = [event for event in found.of(e.Reviewed) if event.speaker == "委托人"]
    first, second = reviewed[0], reviewed[1]
    assert (first.number, first.verdict, first.heard) == (1, "criticised", False)
    assert (second.number, second.heard) == (2, True)
    assert second.text.startswith("改过的话：")
    heard = found.of(e.Spoke)[0]
    assert heard.text == second.text


def test_a_supervisor_who_never_agrees_stops_nobody_and_is_recorded() -> None:
    found = game(script=supervisor("还是不行。"))
    assert found.status == "ended"
    verdicts = {event.verdict for event in found.of(e.Reviewed)}
    assert verdicts == {"criticised", "unapproved"}
    assert all(event.number == 2 for event in found.of(e.Reviewed) if event.heard)


def test_the_lawyer_learns_of_the_omitted_detail_from_the_client_alone() -> None:
    found = game()
    lawyers = [request for request in found.requests if request.role == "lawyer"]
    assert not {one.name for request in lawyers for one in request.view.knowledge.shown} - {"analysis"}
    birth = "1986年7月9日"
    told = next(event.request for event in found.of(e.Spoke) if birth in event.text)
    order = [request.id for request in found.requests]
    for request in lawyers:
        words = "\n".join(message.content for message in request.messages)
        assert (birth in words) == (order.index(request.id) > order.index(told))


def test_what_the_supervisor_says_is_heard_by_the_author_alone() -> None:
    def script(request: e.Request, text: str) -> str:
        return f"给{request.view.variables['step']['draft']['author']}的意见" if request.act == "review" else text

    found = game(script=script)
    words = {
        role: "\n".join(m.content for request in found.requests if request.role == role for m in request.messages)
        for role in ("client", "lawyer")
    }
    assert "给委托人的意见" in words["client"] and "给律师的意见" in words["lawyer"]
    assert "给律师的意见" not in words["client"] and "给委托人的意见" not in words["lawyer"]
    assert not [event for event in found.of(e.Spoke) if "的意见" in event.text and event.text.startswith("给")]


@pytest.mark.parametrize("number", range(1, 11))
def test_a_real_profile_runs_by_its_binding(number: int, tmp_path: Path) -> None:
    if not RECORDS.is_file():
        pytest.skip("the profiles of MASER are not in the project: ../shared/data/maser/sample.json")
    found = game(f"{RECORDS}#{number}", "evaluate")
    assert found.status == "ended"
    (drafted,) = found.of(e.Drafted)
    client = next(request for request in found.requests if request.role == "client")
    (entry,) = next(one for one in client.view.knowledge.shown if one.name == "people").entries
    assert entry["value"][0]["name"] in drafted.text
    sealed = next(request for request in found.requests if request.role == "lawyer")
    assert "reference" not in {one.name for one in sealed.view.knowledge.shown}


def test_every_branch_is_reached() -> None:
    procedure = project("maser").procedure
    assert procedure is not None
    games = [game(mode=mode, manner=manner) for mode in MODES for manner in ("plain", "silent", "noisy")]
    games += [game(mode=mode, script=supervisor("还是不行。")) for mode in MODES]
    games += [game(mode=mode, script=lambda request, text: text.replace("【询问结束】", "")) for mode in MODES]
    found = coverage(procedure, [one.events for one in games])
    assert [(branch.place, branch.kind) for branch in found.missed] == []
