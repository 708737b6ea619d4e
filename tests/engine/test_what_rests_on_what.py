"""What a person is like is told to himself alone, and notes fall with the documents in sight of which they were made.

Neighbours: whose record it is and who reads it; documents of sides and of the court, replaced before a later step, for
those who saw them and those who did not.
"""

from __future__ import annotations

import json

import pytest
from neighbours import neutral

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Intervention, Settings
from legalworld.language.link.linker import link
from legalworld.model.events import Drafted, Event, Remembered, Reply, Request
from legalworld.model.source import MemorySources
from legalworld.templates.template_set import TemplateSet

HEAD = """\
lw: 1
procedure: rests
title: Rests
locale: en
case:
  people: {title: Parties, path: "$.people.{side}[*]", per: side, each: person, keys: [name, trade, persona]}
kinds: {P: party, J: judge}
roles:
  left: {title: Left, kind: party, side: a, each: people}
  right: {title: Right, kind: party, side: b, each: people}
  judge: {title: Judge, kind: judge}
documents: {claim: {title: Claim, per: side}, order: {title: Order}}
"""
CASE = """\
lw: 1
case: c
title: t
people:
  a: [{name: Ann, trade: baker, persona: {temper: irascible}}]
  b: [{name: Bob, trade: cooper, persona: {temper: placid}}]
"""


def game(body: str, *changes: Intervention, native: frozenset[str] = frozenset()) -> tuple[list[Event], list[Request]]:
    sources = MemorySources({**neutral(), "specs/spec.yaml": HEAD + body})
    linked = link(sources, "specs/spec.yaml")
    assert linked.procedure is not None and not linked.problems, linked.problems
    data, _ = parse_data("case.yaml", CASE)
    assert data is not None
    case, wrong = bind(linked.procedure, data, record=None, binding=None, settings={})
    assert case is not None, wrong
    templates = TemplateSet.of(sources, linked.procedure)
    settings = Settings("", 7, {}, interventions=changes)
    walk, events, requests = interpret(linked.procedure, case, settings, templates), list[Event](), list[Request]()
    try:
        turn = next(walk)
        while True:
            events += turn.events
            asked = [one for one in turn.requests if isinstance(one, Request)]
            requests += asked
            turn = walk.send(tuple(Reply(text=reply(one)) for one in asked))
    except StopIteration as done:
        return [*events, *done.value.events], requests


def reply(request: Request) -> str:
    if request.act == "remember" and not request.view.variables["results"]:
        call = {"name": "keep", "arguments": {"field": "notes", "content": f"kept by {request.person}"}}
        return f"<tool_call>{json.dumps(call)}</tool_call>"
    return "word"


# ---- what somebody is like -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("row", ["people own", "people other", "people"])
def test_what_a_party_is_like_reaches_nobody_else(row: str) -> None:
    body = f"visibility: |\n  | field | court |\n  |---|---|\n  | {row} | P J |\n"
    body += "stages:\n  - stage: court\n    title: T\n    steps:\n      - judge asks left, right: x\n"
    _, requests = game(body)
    told = {one.person: "\n".join(m.content for m in one.messages if m.role != "assistant") for one in requests}
    assert set(told) == {"left", "right", "judge"}
    for person, words in told.items():
        assert "irascible" not in words and "placid" not in words
        seen = {name for name, trade in (("left", "baker"), ("right", "cooper")) if trade in words}
        own, other = {person} & {"left", "right"}, {"left", "right"} - {person}
        assert (
            seen - own == {"people other": other, "people": other, "people own": set()}[row] - own or person == "judge"
        )
    if row == "people":
        assert all(trade in told["judge"] for trade in ("baker", "cooper"))


# ---- notes and documents ---------------------------------------------------------------------------------------------
NOTES = """\
memory:
  party: {cue: note it, fields: {notes: {title: Notes}}}
tools:
  keep: {operation: revise memory, title: Keep, does: Keep something, acts: [remember]}
"""
SEEN = {  # a row of the matrix -> who sees the claim of a, the claim of b, the order
    "claim own": ({"left"}, {"right"}, set()),
    "claim other": ({"right"}, {"left"}, set()),
    "claim": ({"left", "right"}, {"left", "right"}, set()),
    "order": (set(), set(), {"left", "right"}),
}
REPLACED = (("claim", "a"), ("claim", "b"), ("order", ""))


@pytest.mark.parametrize("row", SEEN)
@pytest.mark.parametrize("number", range(3))
def test_notes_made_in_sight_of_a_document_fall_with_it(row: str, number: int) -> None:
    document, side = REPLACED[number]
    body = f"""\
visibility: |
  | field | first | second |
  |---|---|---|
  | {row} | P J | P J |
{NOTES}stages:
  - stage: first
    title: First
    steps:
      - left drafts claim: x
      - right drafts claim: x
      - judge drafts order: x
      - judge asks left, right: x
  - stage: second
    title: Second
    steps:
      - judge asks left, right: y
        id: later
"""
    before, _ = game(body)
    kept = [event for event in before if isinstance(event, Remembered)]
    assert {event.person for event in kept if "first" in event.place} == {"left", "right"}
    events, _ = game(body, Intervention("second/later", document, side, "another text"))
    replaced = [event for event in events if isinstance(event, Drafted) and event.source == "replaced"]
    assert [(event.document, event.side, event.text) for event in replaced] == [(document, side, "another text")]
    assert [event.person for event in replaced] == [{"a": "left", "b": "right", "": "judge"}[side]]
    dropped = {event.person for event in events if isinstance(event, Remembered) and event.how == "drop"}
    assert dropped == SEEN[row][number]
