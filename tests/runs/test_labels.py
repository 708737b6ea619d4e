"""Who played is what the record says: labels that were changed afterwards are told and not believed."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from conftest import Serve
from forged import resummed
from loopback import say
from typed import lw


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    return tmp_path


def edited(file: Path, *changes: tuple[str, str]) -> None:
    text = file.read_text("utf-8")
    for old, new in changes:
        assert re.search(old, text)
        text = re.sub(old, new, text)
    file.write_text(text, "utf-8")


def forged(file: Path, **models: str) -> None:
    """Other models in a `run.yaml`, with the sum that fits."""
    file.write_text(
        resummed(file.read_text("utf-8"), lambda info: replace(info, models={**info.models, **models})), "utf-8"
    )


READING = (("replay", "run"), ("show", "run"), ("resume", "run"))


@pytest.mark.parametrize("words", READING, ids=lambda words: words[0])
def test_a_run_of_rules_does_not_pass_for_one_of_a_model(here: Path, words: tuple[str, ...]) -> None:
    """With the sum that is left behind, and with one that fits."""
    assert lw("run", "bargain", "--out", "run").code == 0
    good = (here / "run" / "run.yaml").read_text("utf-8")
    edited(here / "run" / "run.yaml", ("(?m)^  buyer: offline", "  buyer: openai/gpt-4o"))
    told = lw(*words)
    assert told.code == 2 and "LW159" in told.err and "改过" in told.err
    (here / "run" / "run.yaml").write_text(good, "utf-8")
    forged(here / "run" / "run.yaml", buyer="openai/gpt-4o")
    told = lw(*words)
    assert told.code == 2 and "LW179" in told.err
    assert re.search(r"“buyer”由 openai/gpt-4o 扮演，运行记录第 \d+ 行的回复却是 offline 作的", told.err)


def test_in_english_too(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", "en")
    assert lw("run", "bargain", "--out", "run").code == 0
    forged(here / "run" / "run.yaml", buyer="openai/gpt-4o")
    assert "says that openai/gpt-4o played “buyer”, but the reply on line" in lw("replay", "run").err


def test_a_run_of_a_model_does_not_pass_for_one_of_rules(serve: Serve, here: Path) -> None:
    serve(lambda _: say("好。【price：100】"))
    assert lw("run", "bargain", "--out", "run", "--model", "openai/clerk").code == 0
    assert lw("replay", "run").code == 0
    forged(here / "run" / "run.yaml", buyer="offline", seller="offline")
    assert "LW179" in lw("replay", "run").err


def test_what_a_fork_has_from_its_parent_was_played_by_the_parents(serve: Serve, here: Path) -> None:
    serve(lambda _: say("好。"))
    assert lw("run", "bargain", "--out", "run").code == 0
    lines = (here / "run" / "journal.jsonl").read_text("utf-8").splitlines()
    events = [json.loads(line).get("event", {}) for line in lines]
    drafted = next(n for n, event in enumerate(events) if event.get("kind") == "drafted")
    place = next(event["place"] for event in events[drafted:] if event.get("kind") == "entered")
    (here / "receipt.md").write_text("收据：一百元。\n", "utf-8")
    forked = ("fork", "run", "--at", place, "--replace", "receipt=receipt.md", "--out", "forked")
    assert lw(*forked, "--model", "openai/clerk").code == 0
    assert lw("replay", "forked").code == 0


def test_a_run_that_plays_a_recorded_one_may_be_of_anybody(here: Path) -> None:
    assert lw("run", "bargain", "--out", "run").code == 0
    assert lw("run", "bargain", "--out", "again", "--model", "replay:run").code == 0
    assert lw("replay", "again").code == 0
