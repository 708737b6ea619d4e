"""A verb that is not there is added in five places and played: nothing else in the program knows the verbs by name.

ensemble reads after leader     leader speaks, and everybody of the ensemble says it after him
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import pytest
from places import ROOT
from scripted import listing

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.checking.check import check
from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Settings
from legalworld.engine.speech import give, nobody
from legalworld.engine.state import everyone, holders
from legalworld.engine.steps import VERBS as PLAYED
from legalworld.engine.turn import TurnSpec
from legalworld.engine.walk import Play, Walk
from legalworld.language.link import steps as link_steps
from legalworld.language.link import verbs
from legalworld.language.link.linker import link
from legalworld.language.sentences import grammar, keywords, parser
from legalworld.model import ast
from legalworld.model.actors import Actor
from legalworld.model.events import Event, Reply
from legalworld.model.immutable import immutable
from legalworld.model.plan import Step, TurnSlot
from legalworld.model.source import MemorySources
from legalworld.runs.coverage import coverage
from legalworld.templates.template_set import TemplateSet

# 1. Its words, in two languages (`language/sentences/keywords.py`), and its sentence (`grammar.lark`).
WORDS = keywords.Spellings(("reads after",), ("跟读",))
RULE = "head: subject READSAFTER leader -> read_after\n    | "
PARTS = "leader: actor\nto: actors\n"


# 2. What it is, and what the checker, coverage and memory ask of it (`model/steps/read_after.py`).
@immutable
class ReadAfter(Step):
    readers: tuple[Actor, ...]
    leader: Actor

    ACTS: ClassVar = ("state", "repeat")

    @property
    def turn_slots(self) -> tuple[TurnSlot, ...]:
        return (TurnSlot("state", (self.leader,)), TurnSlot("repeat", self.readers))


# 3. How its sentence becomes that (`language/link/verbs.py`).
def read_after(step: verbs.WrittenStep, subject: ast.Subject, leader: ast.Actor) -> ReadAfter:
    return ReadAfter(step.info, step.actors(subject.actors), step.actor(leader))


# 4. How it is played (`engine/steps/read_after.py`), and 5. its entry in the table there.
def play(walk: Walk, step: ReadAfter) -> Play:
    state = walk.scene.state
    leaders, readers = holders(state, step.leader), everyone(state, step.readers)
    if not leaders or not readers:
        return nobody(walk)
    yield from give(walk, leaders[0], TurnSpec("state", step.info, readers))
    for reader in readers:
        yield from give(walk, reader, TurnSpec("repeat", step.info, leaders[:1]))
    return ""


SPEC = """\
lw: 1
procedure: oath
title: Oath
locale: zh
kinds: {P: person}
roles:
  clerk: {title: the clerk, kind: person}
  ann:   {title: Ann, kind: person}
  bo:    {title: Bo, kind: person}
memory:
  person: {cue: keep it, fields: {notes: {title: Notes}}}
tools:
  add: {operation: expand memory, title: add, who: person, acts: remember}
stages:
  - stage: oath
    title: Oath
    steps:
      - SENTENCE: the oath
        id: oath
"""
COMMON = ROOT / "tests" / "engine" / "constructs" / "common"


@pytest.fixture
def extended(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The language with the new verb."""
    folder = tmp_path_factory.mktemp("sentences")
    text = (ROOT / "legalworld" / "language" / "sentences" / "grammar.lark").read_text("utf-8")
    text = text.replace("head: ", RULE, 1).replace("to: actors\n", PARTS, 1)
    (folder / "grammar.lark").write_text(text.replace("%declare ", "%declare READSAFTER ", 1), encoding="utf-8")
    monkeypatch.setattr(grammar, "files", lambda package: folder)
    monkeypatch.setitem(keywords.KEYWORDS, "READSAFTER", WORDS)  # type: ignore[arg-type]
    entry = verbs.Verb(read_after, acts=ReadAfter.ACTS)
    monkeypatch.setitem(link_steps.VERBS, "read_after", entry)  # type: ignore[arg-type]
    for cached in (parser._grammar, parser._formula_grammar, parser.terminals):
        cached.cache_clear()
    yield
    for cached in (parser._grammar, parser._formula_grammar, parser.terminals):
        cached.cache_clear()


def sources(sentence: str) -> MemorySources:
    texts = {file.relative_to(COMMON).as_posix(): file.read_text("utf-8") for file in COMMON.rglob("*.j2")}
    texts |= {f"prompts/zh/{folder}/repeat.j2": "{{ step.cue }}" for folder in ("act", "offline")}
    return MemorySources({**texts, "specs/spec.yaml": SPEC.replace("SENTENCE", sentence)})


@pytest.mark.parametrize("sentence", ["ann, bo reads after clerk", "ann、bo 跟读 clerk"])
def test_a_new_verb_is_read_checked_played_and_counted(extended: None, sentence: str) -> None:
    files = sources(sentence)
    linked = link(files, "specs/spec.yaml")
    procedure, templates = linked.procedure, TemplateSet(files)
    assert procedure is not None and not linked.problems
    assert not check(procedure, templates)
    data, _ = parse_data("case.yaml", "lw: 1\ncase: oath\n")
    assert data is not None
    case, problems = bind(procedure, data, record=None, binding=None, settings={})
    assert case is not None and not problems
    game = interpret(procedure, case, Settings("", 0, {}), templates, verbs={**PLAYED, ReadAfter: play})
    replies = iter(["I swear.", "I swear.", "I swear too.", "", "", ""])
    events: list[Event] = []
    turn = next(game)
    try:
        while True:
            events += turn.events
            turn = game.send(tuple(Reply(text=next(replies)) for _ in turn.requests))
    except StopIteration as done:
        events += done.value.events
    told = [line.strip() for line in listing(events)]
    assert [line for line in told if "swear" in line] == [
        "the clerk to Ann、Bo: I swear.",
        "Ann to the clerk: I swear.",
        "Bo to the clerk: I swear too.",
    ]
    assert [event.act for event in events if event.kind == "asked"] == ["state", "repeat", "repeat", *["remember"] * 3]
    covered = coverage(procedure, [events])
    assert covered.branches and not covered.missed


def test_a_name_that_the_new_verb_needs_is_asked_for(extended: None) -> None:
    linked = link(sources("ann, bo reads after"), "specs/spec.yaml")
    assert [problem.code for problem in linked.problems] == ["LW026"]


def test_without_it_the_sentence_means_nothing() -> None:
    assert [problem.code for problem in link(sources("ann reads after clerk"), "specs/spec.yaml").problems]
