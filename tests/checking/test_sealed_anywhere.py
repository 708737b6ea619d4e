"""What is for evaluation only is told wherever a procedure goes by it, and what is not told nobody sees.

Neighbours: every place that can name a field, each with a form of its own. Asserted of all: the sealed field is told at
its line, a field like it that is not sealed is told at none.
"""

from __future__ import annotations

import pytest
from neighbours import found

HEAD = """\
lw: 1
procedure: sealed
title: Sealed
locale: en
case:
  truth: {path: $.truth, KEYS}
  truths: {path: "$.truths[*]", each: truth, keys: [name, text], KEYS}
  person: {title: A person, path: $.person, keys: [name]}
kinds: {J: judge, L: lawyer}
roles:
  judge: {title: Judge, kind: judge}
  left: {title: Counsel A, kind: lawyer, side: a, ABSENT}
  right: {title: Counsel B, kind: lawyer, side: b, ROLE}
  panel: {title: Panel, kind: judge, EACH}
  chief: {title: Chief, assigned: yes}
visibility: |
  | field | court |
  |---|---|
  | person CELL | J L |
EVENTSTOOLS
stages:
  - stage: court
    title: In court
    STAGE
    phases:
      - phase: first
        title: First
        PHASE
        steps:
          - judge asks left, right: and now
          BODY
"""
PLACES = {
    "the condition of a cell": ("CELL", "if truth is yes"),
    "one of two conditions of a cell": ("CELL", "if person.name is Ann and truth is yes"),
    "whether a role is there": ("ROLE", "when: truth is yes"),
    "whether somebody is absent": ("ABSENT", "absent if: truth is yes"),
    "who holds a role": ("EACH", "each: truths"),
    "what somebody is called": ("EACH", "named: truths.name"),
    "a stage": ("STAGE", "when: truth is yes"),
    "a phase": ("PHASE", "when: not (truth is yes)"),
    "what is kept off the record": ("PHASE", "off the record: left if truth is yes"),
    "a step": ("BODY", "- judge announces: x\n  when: truth"),
    "a condition": ("BODY", "- if truth is yes:\n    - judge announces: x"),
    "an empty field": ("BODY", "- if truth is empty:\n    - judge announces: x"),
    "a number": ("BODY", "- if truth at least 3:\n    - judge announces: x"),
    "how many there are": ("BODY", "- if count of truths at least 3:\n    - judge announces: x"),
    "a loop": ("BODY", "- for each one in truths:\n    - judge announces: x"),
    "the end of a loop": ("BODY", "- repeat 2 rounds:\n    - judge announces: x\n  until: truth is yes"),
    "a sample": ("BODY", "- sample 1 of truths:\n  as: drawn"),
    "who is given a role": ("BODY", "- assign chief: parties named in truth"),
    "topics": (
        "BODY",
        "- left and right converse: x\n  topics: truths\n  topic: <<topic {n}>>\n  at most: 4 turns",
    ),
    "whether somebody is to object": (
        "BODY",
        "- left asks right: x\n  objections by: right\n  object: <<objection>>\n  let pass: <<none>>\n"
        "  ruled by: judge\n  ruling: sustained is yes or no\n  intended in: truths",
    ),
    "whether there is a tool": (
        "EVENTS",
        "tools:\n  search articles: {who: left, title: Search, does: Search the law, when: truth is yes}",
    ),
    "whether there is a memory": (
        "EVENTS",
        "memory:\n  lawyer: {cue: note it, when: truth is yes, fields: {facts: {title: Facts}}}",
    ),
    "a date": ("EVENTS", "dates:\n  heard: {title: Hearing, from: truth}"),
    "the day of the law": ("EVENTS", "law at: truth"),
    "an event that comes by itself": (
        "EVENTS",
        "events:\n  outcry: {title: Outcry, whenever: truth is yes, steps: [judge announces]}",
    ),
    "an event that may be raised": (
        "EVENTS",
        "events:\n  out: {title: Out, raised by: left, token: <<out>>, when: truth is yes, steps: [judge announces]}",
    ),
    "an event that is meant to be raised": (
        "EVENTS",
        "events:\n  out: {title: Out, raised by: left, token: <<out>>, intended in: truth, steps: [judge announces]}",
    ),
}
HOLES = ("ABSENT", "ROLE", "EACH", "CELL", "EVENTS", "STAGE", "PHASE", "BODY")


def spec(place: str, sealed: bool) -> str:
    hole, text = PLACES[place]
    lines = []
    for line in HEAD.replace("TOOLS", "").replace("KEYS", f"evaluation only: {'yes' if sealed else 'no'}").split("\n"):
        for one in HOLES:
            if one in line:
                indent = " " * (len(line) - len(line.lstrip())) if line.strip() == one else ""
                line = line.replace(one, text.replace("\n", "\n" + indent) if one == hole else "")
        lines.append(line.replace(", }", "}"))
    return "\n".join(lines)


@pytest.mark.parametrize("place", PLACES)
def test_what_is_sealed_is_told_wherever_it_is_gone_by(place: str) -> None:
    text = spec(place, sealed=True)
    told = [problem for problem in found(text) if problem.code == "LW082"]
    lines = text.split("\n")
    assert told, text
    own = {line.strip() for line in PLACES[place][1].split("\n")}
    assert all(own & {lines[one.span.line - 1].strip()} or "truth" in lines[one.span.line - 1] for one in told)
    assert "LW082" not in {problem.code for problem in found(spec(place, sealed=False))}
