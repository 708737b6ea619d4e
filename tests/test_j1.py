"""The six procedures of J1-Envs: played, misplayed, every branch reached, and what is hidden stays hidden."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playing import ROOT, Game, Script, play, project

from legalworld.drivers.coverage import coverage
from legalworld.model import events as e

CASES = {
    "j1/kq": ("j1-yajin", "adviser"),
    "j1/lc": ("j1-yajin", "adviser"),
    "j1/cd": ("j1-yajin", "drafter"),
    "j1/dd": ("j1-yajin", "drafter"),
    "j1/civil-court": ("j1-yajin", "judge"),
    "j1/criminal-court": ("j1-daoqie", "judge"),
}
COURTS = tuple(spec for spec in CASES if "court" in spec)


def game(spec: str, **given: object) -> Game:
    case, target = CASES[spec]
    return play(case, target, spec=spec, **given)  # type: ignore[arg-type]


@pytest.fixture
def topicless(tmp_path: Path) -> str:
    """The shipped case with nothing left to ask."""
    text = (ROOT / "cases/j1-yajin.yaml").read_text(encoding="utf-8")
    file = tmp_path / "topicless.yaml"
    file.write_text(re.sub(r"(?m)^  (topics|questions):", r"  was_\1:", text), encoding="utf-8")
    return str(file)


def judge(change: Script) -> Script:
    """The judge alone says something else than the offline actor."""

    def script(request: e.Request, text: str) -> str:
        return change(request, text) if request.act == "drive" else text

    return script


# ---- from beginning to end -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", CASES)
def test_it_runs_to_its_end(spec: str) -> None:
    found = game(spec)
    assert found.status == "ended"
    assert not found.of(e.Violated)
    for drafted in found.of(e.Drafted):
        assert drafted.missing == ()


@pytest.mark.parametrize("spec", CASES)
@pytest.mark.parametrize("manner", ["noisy", "silent"])
def test_actors_that_misbehave_come_to_an_end_too(spec: str, manner: str) -> None:
    found = game(spec, manner=manner)
    assert found.status == "ended"
    assert found.of(e.Violated)


@pytest.mark.parametrize("spec", ["j1/kq", "j1/lc"])
def test_every_topic_is_raised_once_and_in_order(spec: str) -> None:
    raised = [event.n for event in game(spec).of(e.Raised)]
    assert raised == list(range(1, len(raised) + 1))
    assert len(raised) >= 4


@pytest.mark.parametrize(("spec", "items"), [("j1/civil-court", 20), ("j1/criminal-court", 11)])
def test_the_judge_does_every_item_of_the_published_list_each_in_a_turn_of_its_own(spec: str, items: int) -> None:
    done = [event.items for event in game(spec).of(e.Performed)]
    assert [item for turn in done for item in turn] == list(range(1, items + 1))
    assert all(len(turn) == 1 for turn in done)


@pytest.mark.parametrize(("spec", "items"), [("j1/civil-court", 22), ("j1/criminal-court", 16)])
def test_the_statutory_order_has_what_the_law_asks_for(spec: str, items: int) -> None:
    done = {item for event in game(spec, options={"order": "statutory"}).of(e.Performed) for item in event.items}
    assert done == set(range(1, items + 1))


@pytest.mark.parametrize(("spec", "turns"), [("j1/kq", 30), ("j1/lc", 20), ("j1/cd", 40), ("j1/dd", 30)])
def test_talk_has_the_published_limit(spec: str, turns: int) -> None:
    found = game(spec, script=lambda request, _: "嗯。" if request.form.kind != "document" else "待补充")
    closed = found.of(e.Closed)[-1]
    assert (closed.reason, closed.turns) == ("budget", turns)


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["j1/kq", "j1/lc"])
def test_an_empty_list_of_topics_closes_at_once_and_is_recorded(spec: str, topicless: str) -> None:
    found = play(topicless, "adviser", spec=spec)
    assert [event.reason for event in found.of(e.Closed)] == ["empty"]
    assert not found.requests


@pytest.mark.parametrize("spec", COURTS)
def test_a_judge_who_never_closes_is_stopped_by_the_limit(spec: str) -> None:
    found = game(spec, script=judge(lambda request, text: re.sub(r"【结束庭审】", "", text) or "继续。"))
    assert found.of(e.Closed)[-1].reason == "budget"
    assert found.status == "ended"


@pytest.mark.parametrize("spec", COURTS)
def test_a_judge_who_closes_at_once_has_done_nothing(spec: str) -> None:
    found = game(spec, script=judge(lambda request, text: "【结束庭审】本院认为，事实清楚。判决如下：驳回。"))
    (closed,) = found.of(e.Closed)
    assert (closed.reason, closed.turns) == ("token", 1)
    assert not found.of(e.Performed)
    assert len(found.of(e.Spoke)) <= 1


@pytest.mark.parametrize("spec", COURTS)
@pytest.mark.parametrize("words", ["请说。", "【对书记员说】请说。"])
def test_a_judge_who_addresses_nobody_or_somebody_absent_is_asked_again_and_it_is_recorded(
    spec: str, words: str
) -> None:
    found = game(spec, script=judge(lambda request, text: words))
    assert {event.rule for event in found.of(e.Violated)} & {"no_token", "forged_token"}
    assert found.of(e.Closed)[-1].reason == "budget"


@pytest.mark.parametrize("spec", COURTS)
def test_several_items_done_in_one_turn_are_recorded_as_such(spec: str) -> None:
    def merged(request: e.Request, text: str) -> str:
        return "【第1项】【第2项】【第3项】" + text if not request.view.variables["step"]["turn"] > 1 else text

    first = game(spec, script=judge(merged)).of(e.Performed)[0]
    assert set(first.items) >= {1, 2, 3}


# ---- what is hidden, what is reached ---------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", CASES)
def test_only_granted_words_reach_an_agent(spec: str) -> None:
    """The adviser and the drafter know nothing before they are told; the judge not what the parties will say."""
    found = game(spec)
    sealed = {"j1/kq": "references", "j1/lc": "references"}.get(spec, "real")
    target = CASES[spec][1]
    opened = project(spec).procedure
    assert opened is not None
    assert opened.fields[sealed].evaluation_only
    first = next(request for request in found.requests if request.role == target)
    shown = {one.name for one in first.view.knowledge.shown}
    assert sealed not in {one.name for request in found.requests for one in request.view.knowledge.shown}
    hidden = {"topics", "facts", "evidence", "claims", "account", "accusation", "objections", "style"}
    assert not shown & hidden


@pytest.mark.parametrize("spec", CASES)
def test_every_branch_is_reached(spec: str, topicless: str) -> None:
    procedure = project(spec).procedure
    assert procedure is not None
    games = [game(spec), game(spec, manner="silent"), game(spec, manner="noisy")]
    if spec in COURTS:
        games += [game(spec, options={"order": "statutory"}, manner=manner) for manner in ("plain", "silent")]
    if "topics" in procedure.fields:
        games.append(play(topicless, "adviser", spec=spec))
    found = coverage(procedure, [one.events for one in games])
    assert [(branch.place, branch.kind) for branch in found.missed] == []


# ---- the release, as far as its names are known ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("spec", "file", "number", "name"),
    [
        ("j1/civil-court", "civil.jsonl", 1, "庄若安"),
        ("j1/civil-court", "civil.jsonl", 2, "原告米粟，女"),
        ("j1/criminal-court", "criminal.jsonl", 1, "骆小满"),
    ],
)
def test_a_record_in_the_form_of_the_release_runs_by_its_binding(spec: str, file: str, number: int, name: str) -> None:
    found = play(f"{ROOT / 'tests/binding/j1' / file}#{number}", "judge", spec=spec)
    assert [event.outcome for event in found.of(e.Ended)] == ["judgment"]
    assert name in "\n".join(event.text for event in found.of(e.Spoke))
    assert not [one for request in found.requests for one in request.view.knowledge.shown if one.name == "real"]
