"""ASP2LJ: cases made of drawn articles, three scored drafts of each speech, pairs kept; every branch reached."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playing import Game, Script, play, project
from typed import lw

from legalworld.drivers.coverage import coverage
from legalworld.model import events as e

CASES = {"asp2lj-civil": "civil", "asp2lj-administrative": "administrative", "asp2lj-criminal": "criminal"}


def game(case: str = "asp2lj-civil", **given: object) -> Game:
    options = {"body": CASES[case], **given.pop("options", {})}  # type: ignore[dict-item]
    return play(case, "claimant", spec="asp2lj", options=options, **given)  # type: ignore[arg-type]


def assessor(*words: str) -> Script:
    """What the assessor says of one case after the other."""
    said = iter(words)

    def script(request: e.Request, text: str) -> str:
        return f"【quality：{next(said)}】" if request.role == "assessor" else text

    return script


@pytest.mark.parametrize("case", CASES)
def test_it_ends_with_a_decision(case: str) -> None:
    found = game(case)
    assert [event.outcome for event in found.of(e.Ended)] == ["decided"]
    assert not found.of(e.Violated)
    assert all(event.missing == () for event in found.of(e.Drafted))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("manner", ["noisy", "silent"])
def test_actors_that_misbehave_come_to_an_end_too(case: str, manner: str) -> None:
    found = game(case, manner=manner)
    assert found.status == "ended"
    assert found.of(e.Violated)


# ---- making a case ---------------------------------------------------------------------------------------------------


def test_a_case_that_is_given_is_not_made() -> None:
    assert not game("asp2lj-criminal").said("making")
    assert next(event.document for event in game().of(e.Drafted)) == "made_case"


def test_a_rejected_case_is_made_again_from_other_articles() -> None:
    found = game(script=assessor("过于简单", "有反常", "合用"))
    draws = [event.drawn for event in found.of(e.Captured) if event.source == "sample"]
    assert len(draws) == 3
    assert len(set(draws)) > 1
    assert [event.outcome for event in found.of(e.Ended)] == ["decided"]


def test_a_case_that_is_rejected_three_times_is_no_case() -> None:
    found = game(script=assessor("过于简单", "有反常", "过于简单"))
    assert [event.outcome for event in found.of(e.Ended)] == ["rejected"]
    assert not found.said("pleading")


def test_nobody_but_the_generator_and_the_assessor_sees_the_drawn_articles() -> None:
    found = game()
    seen = {request.role for request in found.requests for one in request.view.knowledge.shown if one.name == "drawn"}
    assert seen == {"generator", "assessor"}
    assert not [
        one for request in found.requests for one in request.view.knowledge.shown if one.name in ("real", "articles")
    ]


# ---- three drafts ----------------------------------------------------------------------------------------------------


def test_each_speech_is_drafted_and_scored_three_times_and_the_best_is_heard() -> None:
    found = game("asp2lj-criminal")
    reviewed = found.of(e.Reviewed)
    assert len(reviewed) == 3 * 2 * 3  # rounds, sides, drafts
    assert {event.verdict for event in reviewed} == {"scored"}
    spoken = [event.text for event in found.of(e.Spoke)]
    for start in range(0, len(reviewed), 3):
        three = reviewed[start : start + 3]
        best = max(three, key=lambda one: sum(one.scores.values()))
        (heard,) = [one for one in three if one.heard]
        assert sum(heard.scores.values()) == sum(best.scores.values()) <= 15
        assert heard.text in spoken


def test_when_no_draft_can_be_scored_the_first_is_heard_and_it_is_recorded() -> None:
    found = game("asp2lj-criminal", script=lambda request, text: "写得不错。" if request.act == "review" else text)
    assert {event.verdict for event in found.of(e.Reviewed)} == {"unscored"}
    assert {event.number for event in found.of(e.Reviewed) if event.heard} == {1}
    assert "no_score" in {event.rule for event in found.of(e.Violated)}
    assert found.status == "ended"


def test_the_ablations_of_the_paper_are_options() -> None:
    assert not game("asp2lj-criminal", options={"evolution": "no"}).of(e.Reviewed)
    assert not game("asp2lj-criminal", options={"argument": "no"}).of(e.Spoke)
    told = {one: game("asp2lj-criminal", options={"retriever": one}).requests[0] for one in ("yes", "no")}
    prompts = {one: "\n".join(m.content for m in request.messages) for one, request in told.items()}
    assert "search_articles" in prompts["yes"]
    assert "search_articles" not in prompts["no"]


def test_every_branch_is_reached() -> None:
    procedure = project("asp2lj").procedure
    assert procedure is not None
    games = [game(case) for case in CASES]
    games += [game(script=assessor("过于简单", "有反常", "过于简单"))]
    games += [game("asp2lj-criminal", options={"evolution": "no"}), game("asp2lj-criminal", options={"argument": "no"})]
    found = coverage(procedure, [one.events for one in games])
    assert [(branch.place, branch.kind) for branch in found.missed] == []


def test_pairs_are_the_best_and_the_worst_draft_of_each_speech(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = (
        "--case",
        "asp2lj-criminal",
        "--option",
        "body=criminal",
        "--model",
        "offline:noisy",
        "--out",
        "run",
        "--json",
    )
    assert lw("run", "asp2lj", *words).code == 0
    pairs = [json.loads(line) for line in lw("show", "run", "--pairs").out.splitlines()]
    assert pairs
    for pair in pairs:
        assert sum(pair["chosen"]["scores"].values()) > sum(pair["rejected"]["scores"].values())
        assert pair["chosen"]["text"] != pair["rejected"]["text"]
        assert next(message["role"] for message in pair["prompt"]) == "system"
