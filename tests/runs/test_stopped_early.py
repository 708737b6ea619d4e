"""Runs that stop where they were told to: before a place, where the place can no longer come, when money is spent."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import Serve
from loopback import Answer, Call, say
from typed import lw

from legalworld.models.litellm_client import Models
from legalworld.runs import actors


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    monkeypatch.setattr(actors, "Models", partial(Models, delay=0.0))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    return tmp_path


def haggler(call: Call) -> Answer:
    """Plays either side of the bargain; 10 tokens a reply."""
    last = str(call.body["messages"][-1]["content"])
    if "愿付价钱：" in last:
        return say("我出100元。\n【愿付价钱：100】")
    return say("收据\n\n货物：一把椅子\n价款：100元" if "收据" in last else f"好，第{call.number}句。")


def journal(folder: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path(folder, "journal.jsonl").read_text("utf-8").splitlines()]


def event(line: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = line.get("event", {})
    return found


# ---- a place ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_place_that_is_ruled_out_is_told_before_anything_is_played(
    here: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("LW_LANG", language)
    cases = (("LW681", ()), ("LW680", ("--target", "defendant_lawyer", "--skip", "DD")))
    for code, more in cases:
        ran = lw("run", "civil", "--until", "DD", "--out", "run", *more)
        assert ran.code == 2 and code in ran.err and "DD" in ran.err and not (here / "run").exists()
    assert "specs/civil.yaml:" in lw("run", "civil", "--until", "DD", "--out", "run").err
    ran = lw("run", "civil", "--until", "LC#2", "--out", "run")
    assert ran.code == 2 and "LW682" in ran.err
    assert lw("run", "civil", "--until", "DD", "--target", "defendant_lawyer", "--out", "run").code == 0


def test_a_run_stops_where_the_place_can_no_longer_come_and_goes_on_from_there(here: Path) -> None:
    """Which side appeals is answered in the run: the stage of the other side is passed over, and that ends it."""
    assert lw("run", "civil", "--out", "whole").code == 0
    whole = journal("whole")
    skipped = {event(line)["place"]: n for n, line in enumerate(whole) if event(line).get("kind") == "skipped"}
    (place,) = skipped.keys() & {"AR", "AD"}
    ran = lw("run", "civil", "--until", place, "--out", "run", "--json")
    found = ran.object()
    assert (ran.code, found["status"], found["missed"]) == (0, "paused", place) and found["problems"] == []
    before = journal("run")
    assert before == whole[: len(before)] and 0 < len(before) < len(whole)
    assert len(before) == skipped[place] + 1  # nothing was played behind the moment that decided it
    again = lw("resume", "run", "--until", place)
    assert again.code == 0 and "no longer" in again.out and journal("run") == before
    later = next(event(line)["place"] for line in whole[-1:0:-1] if event(line).get("level") == "phase")
    assert lw("resume", "run", "--until", later).code == 0
    before = journal("run")
    again = lw("resume", "run", "--until", place)
    assert again.code == 2 and "LW683" in again.err and journal("run") == before
    assert f"{place} can no longer be reached" in lw("run", "civil", "--until", place, "--out", "other").out
    assert lw("resume", "run").code == 0 and journal("run") == whole


# ---- a budget --------------------------------------------------------------------------------------------------------


def test_a_run_stops_when_its_budget_is_spent_and_goes_on_with_a_larger_one(serve: Serve, here: Path) -> None:
    server = serve(haggler)
    words = ("run", "bargain", "--model", "openai/clerk", "--out", "deal")
    ran = lw(*words, "--budget", "tokens:30")
    assert ran.code == 3 and "LW684" in ran.err and "30 tokens" in ran.err and len(server.calls) == 3
    assert re.search(r"it took 30 tokens", ran.err) and "lw resume deal --budget" in ran.err
    ran = lw("resume", "deal", "--budget", "tokens:30")
    assert ran.code == 3 and len(server.calls) == 3  # what was spent before counts
    ran = lw("resume", "deal", "--budget", "tokens:50", "--json")
    assert ran.code == 3 and len(server.calls) == 5
    assert [one["code"] for one in ran.object()["problems"]] == ["LW684"]
    assert lw("resume", "deal").code == 0
    assert lw("replay", "deal").code == 0


def test_a_budget_in_dollars_needs_a_price(serve: Serve, here: Path) -> None:
    server = serve(haggler)
    words = ("run", "bargain", "--model", "openai/clerk", "--out", "deal", "--budget", "dollars:0.000045")
    ran = lw(*words)
    assert ran.code == 2 and "openai/clerk" in ran.err and not server.calls and not (here / "deal").exists()
    ran = lw(*words, "--price", "openai/clerk=1/1")  # a reply is 10 tokens, so five are 0.00005 dollars, which is more
    assert ran.code == 3 and len(server.calls) == 5 and "$0.000050" in ran.err
    assert lw("run", "bargain", "--budget", "apples:3").code == 2
    assert lw("run", "bargain", "--budget", "dollars:1", "--out", "free").code == 0  # offline actors cost nothing
