"""Whole runs against each family of providers: nothing that is sent is refused, nothing that comes back is lost.

Each imitated provider answers what the offline actors said to the same words. So it must have understood every message
as it was meant, and the run must come to the same end as offline, whether answers come whole or in pieces.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest
from families import FAMILIES, Asked, Family, Provider, Refusal, Said, ToolCall, variables
from loopback import Loopback
from playing import Game, play, project
from typed import lw

from legalworld.model import events as e
from legalworld.models.litellm_client import Models
from legalworld.runs import actors

pytestmark = pytest.mark.usefixtures("no_keys")
THOUGHT = "Qualmish-Hedgerow: the other side must not hear of it."
MET = {"Qwen": 1}  # family -> requests that it refuses before it is asked as it wants, for a run that does not stream
EACH = [pytest.param(one, id=one.name) for one in FAMILIES]
Serving = Callable[[Family, Callable[[Asked], Said]], tuple[Provider, Loopback]]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(actors, "Models", partial(Models, delay=0.0))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    return tmp_path


@pytest.fixture
def provided(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    servers: list[Loopback] = []

    def begin(family: Family, script: Callable[[Asked], Said]) -> tuple[Provider, Loopback]:
        provider = Provider(family, script)
        server = Loopback(provider).__enter__()
        servers.append(server)
        for name, value in variables(family, server).items():
            monkeypatch.setenv(name, value)
        return provider, server

    yield begin
    for server in servers:
        server.__exit__()


def key(texts: Iterator[str]) -> str:
    """The words of a thread, whatever the blanks between them."""
    return "".join("".join(texts).split())


@dataclass
class Actor:
    """Says what was said offline to the same thread; asked with tools, it calls one first, once for each thread."""

    said: dict[str, str]
    thought: str = ""
    tool: ToolCall | None = None
    number: int = 0
    called: set[str] = field(default_factory=set)

    def __call__(self, asked: Asked) -> Said:
        self.number += 1
        words = key(turn.text for turn in asked.turns if not turn.calls and turn.role != "tool")
        if words not in self.said:
            raise Refusal(f"nothing was said offline to: {asked.turns[-1].text[-300:]}", 418)
        if self.tool is not None and self.tool.name in asked.tools and words not in self.called:
            self.called.add(words)
            return Said("", self.thought, (self.tool,), self.number)
        return Said(self.said[words], self.thought, (), self.number)


def replies_of(game: Game) -> dict[str, str]:
    pairs = zip(game.requests, game.replies, strict=True)
    return {key(message.content for message in request.messages): reply for request, reply in pairs}


OPTIONS = {} if "LW_FAMILIES" in os.environ else {"attendance": "nobody", "notice": "yes"}  # 62 requests, or 30


@cache
def small_claim() -> tuple[dict[str, str], str]:
    """What was said offline, and how it ended."""
    game = play("smallclaims-worktop", "", spec="smallclaims", options=OPTIONS)
    return replies_of(game), game.of(e.Ended)[-1].outcome


def journal(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("family", EACH)
def test_a_whole_small_claim_with_and_without_streaming(family: Family, provided: Serving, here: Path) -> None:
    said, outcome = small_claim()
    thought = THOUGHT if family.thinks else ""
    chosen = [word for name, value in OPTIONS.items() for word in ("--option", f"{name}={value}")]
    for way, words in {"whole": (), "stream": ("--follow",)}.items():
        provider, server = provided(family, Actor(said, thought))
        ran = lw("run", "smallclaims", "--model", family.model, "--out", way, *chosen, *words)
        assert (ran.code, len(provider.refusals) <= MET.get(family.name, 0)) == (0, True), ran.err
        assert len(provider.accepted) == len(said)
        assert way == "whole" or all(asked.stream for asked in provider.accepted)
        assert not any(THOUGHT in json.dumps(call.body) for call in server.calls)
    lines = journal(here / "whole")
    assert lines == journal(here / "stream")
    assert lines[-1]["event"]["outcome"] == outcome
    replies = [line["reply"] for line in lines if "answer" in line]
    assert {reply.get("thought", "") for reply in replies} == {thought}
    assert sorted(reply["text"] for reply in replies) == sorted(said.values())
    assert {(reply["prompt_tokens"], reply["completion_tokens"]) for reply in replies} == {(7, 3)}


LOOKUP = ToolCall("read_memory", {"field": "notes"})


@cache
def civil(until: str, native: frozenset[str]) -> dict[str, str]:
    return replies_of(play("jiedai", "plaintiff_lawyer", native=native, until=until))


@pytest.mark.parametrize("way", ["whole", "stream"])
@pytest.mark.parametrize("family", EACH)
def test_tools_are_called_and_the_thread_goes_on(family: Family, way: str, provided: Serving, here: Path) -> None:
    """The lawyer under test looks into his memory before each word; what was thought goes back where it has to."""
    said = civil("CD", frozenset({"plaintiff_lawyer"}))
    actor = Actor(said, THOUGHT if family.thinks else "", LOOKUP)
    provider, _ = provided(family, actor)
    words = ("--tools", "target=native", "--until", "CD", "--out", "run", *(("--follow",) if way == "stream" else ()))
    ran = lw("run", "civil", "--case", "jiedai", "--model", f"target={family.model}", *words)
    assert (ran.code, len(provider.refusals) <= MET.get(family.name, 0)) == (0, True), ran.err
    events = [line["event"] for line in journal(here / "run") if line.get("event", {}).get("kind") == "called"]
    called = [event for event in events if event["tool"] == LOOKUP.name]
    assert len(called) == len(actor.called) > 0
    assert not any(event.get("refused") for event in called)


@pytest.mark.skipif("LW_FAMILIES" not in os.environ, reason="some 150 requests for each family: `make test-families`")
@pytest.mark.parametrize("family", EACH)
def test_a_civil_case_to_the_first_judgment(family: Family, provided: Serving, here: Path) -> None:
    """Everybody is played by the model, and looks into his memory where he has one."""
    procedure = project().procedure
    assert procedure is not None
    actor = Actor(civil("appeal", frozenset(procedure.roles)), THOUGHT if family.thinks else "", LOOKUP)
    provider, _ = provided(family, actor)
    words = ("--tools", "native", "--until", "appeal", "--out", "run")
    ran = lw("run", "civil", "--case", "jiedai", "--model", family.model, *words)
    assert (ran.code, len(provider.refusals) <= MET.get(family.name, 0)) == (0, True), ran.err
    assert list((here / "run" / "documents").glob("*judgment*"))
    assert len(provider.accepted) >= len(actor.said) + len(actor.called) > len(actor.said)
