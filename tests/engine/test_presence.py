"""Who was not in the room, or not among those who heard, is never sent what was said there: by no request whatever.

Every spec below says one thing about the room; whatever is said in it carries a mark of its place, and every message
to every person is searched for the marks that he must not have. What he must have is looked for, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scripted import COMMON

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Settings
from legalworld.language.link.linker import link
from legalworld.model.events import Event, Reply, Request, Spoke
from legalworld.model.source import MemorySources
from legalworld.templates.template_set import TemplateSet

MARK = re.compile(r"«([^»]*)»")
HEAD = """\
lw: 1
procedure: room
title: The room
case:
  stays:  {title: Who stays away, path: $.stays}
  sealed: {title: For evaluation, path: $.sealed, evaluation only: yes}
  people: {title: Witnesses, path: "$.people.{side}[*]", per: side, each: one, keys: [name, absent]}
  papers: {title: Papers, path: "$.papers[*]", each: paper, keys: [name]}
kinds: {J: judge, P: party, W: witness, U: upper}
roles:
  judge:   {title: Judge, kind: judge}
  clerk:   {title: Clerk, kind: judge}
  left:    {title: Left, kind: party, side: left, absent if: stays is left, absent from: [first]}
  right:   {title: Right, kind: party, side: right}
  witness: {title: Witness, kind: witness, side: court, each: people, absent if: one.absent is yes}
  upper:   {title: Judge of appeal, kind: upper}
"""
CASE = """\
lw: 1
case: room
stays: STAYS
sealed: «sealed»
people: {court: [{name: Ann, absent: ABSENT}, {name: Bob, absent: no}, {name: Cid, absent: no}]}
papers: [{name: "«paper»"}]
"""
ALL = "judge asks left, right, witness: and now?"


@dataclass(frozen=True, slots=True)
class Played:
    """What each person was sent in all, and the events."""

    sent: Mapping[str, str]
    events: tuple[Event, ...]
    sent_in: Mapping[str, Mapping[str, str]]

    def marks(self, person: str) -> set[str]:
        return set(MARK.findall(self.sent.get(person, "")))

    def spoken(self, *steps: str) -> list[Spoke]:
        """What was said in some steps, by their ids, whatever their place."""
        spoken = [event for event in self.events if isinstance(event, Spoke)]
        return [e for e in spoken if {*re.split(r"[/.#]", e.place)} & set(steps)]

    def said_in(self, *steps: str) -> set[str]:
        """The marks of what was said in some steps."""
        return {mark for event in self.spoken(*steps) for mark in MARK.findall(event.text)}


GRANTED = "visibility: |\n  | field  | first |\n  |---|---|\n  | papers | J |\n"


def played(body: str, acts: Mapping[str, str] | None = None, *, stays: str = "nobody", absent: str = "no") -> Played:
    """A spec played, `acts` in the place of its templates: every word that is said carries the mark of its request."""
    texts = {file.relative_to(COMMON).as_posix(): file.read_text("utf-8") for file in COMMON.rglob("*.j2")}
    own = {f"prompts/zh/{name}.j2": text for name, text in (acts or {}).items()}
    sources = MemorySources({**texts, **own, "specs/spec.yaml": HEAD + body})
    linked = link(sources, "specs/spec.yaml")
    templates = TemplateSet(sources)
    assert linked.procedure is not None, linked.problems
    assert not linked.problems
    data, _ = parse_data("case.yaml", CASE.replace("STAYS", stays).replace("ABSENT", absent))
    assert data is not None
    case, wrong = bind(linked.procedure, data, record=None, binding=None, settings={})
    assert case is not None and not wrong
    game = interpret(linked.procedure, case, Settings("", 0, {}), templates)
    sent: dict[str, str] = {}
    sent_in: dict[str, dict[str, str]] = {}
    events: list[Event] = []
    try:
        turn = next(game)
        while True:
            events += turn.events
            replies = []
            for request in turn.requests:
                assert isinstance(request, Request)
                words = "\n".join(message.content for message in request.messages if message.role != "assistant")
                sent[request.person] = sent.get(request.person, "") + "\n" + words
                here = sent_in.setdefault(request.id.partition("/")[0], {})
                here[request.person] = here.get(request.person, "") + "\n" + words
                replies.append(Reply(text=f"«{request.id}»"))
            turn = game.send(tuple(replies))
    except StopIteration as done:
        events += done.value.events
    return Played(sent, tuple(events), sent_in)


def stage(*steps: str, keys: str = "") -> str:
    lines = [line for step in steps for line in step.split("\n")]
    body = "".join(f"      {line}\n" for line in lines)
    return f"stages:\n  - stage: first\n{keys}    steps:\n{body}"


def keeps(result: Played, hidden: set[str], persons: Iterable[str]) -> None:
    assert hidden
    for person in persons:
        assert result.sent.get(person), f"{person} is never asked"
        assert not hidden & result.marks(person), person


# ---- one construct each ----------------------------------------------------------------------------------------------
def test_a_step_that_is_closed_to_somebody() -> None:
    result = played(
        stage(f"- {ALL}", "- judge asks right: apart", "  id: secret", "  closed to: left, witness", f"- {ALL}")
    )
    keeps(result, result.said_in("secret"), ("left", "witness-1", "witness-2"))
    assert result.said_in("secret") <= result.marks("judge") | result.marks("right")


def test_a_phase_that_only_some_are_present_at() -> None:
    body = """stages:
  - stage: first
    phases:
      - phase: open
        steps:
          - judge asks left, right, witness: and now
      - phase: closed
        present: judge, left
        steps:
          - judge asks left: apart
            id: secret
          - right states: comes in for a word
            id: word
      - phase: after
        steps:
          - judge asks left, right, witness: and now
"""
    result = played(body)
    keeps(result, result.said_in("secret"), ("right", "witness-1"))
    assert result.said_in("word") <= result.marks("left")


@pytest.mark.parametrize("inside", ["", "for each wit in witness", "repeat 2 rounds", "if left is present"])
def test_words_at_the_bench(inside: str) -> None:
    step = "judge asks left: a word\n  id: secret\n  heard by: judge, right"
    nested = f"- {inside}:\n    - " + step.replace("\n", "\n    ") if inside else f"- {step}"
    after = "- clerk states: x"
    result = played(stage(f"- {ALL}", nested, after, f"- {ALL}"))
    keeps(result, result.said_in("secret"), ("witness-1", "witness-2", "clerk"))
    assert result.said_in("secret") <= result.marks("right") | result.marks("left")


def test_witnesses_one_by_one() -> None:
    loop = (
        "- for each wit in witness:\n"
        "    - judge asks wit: what was seen\n      id: examined\n      closed to: fellows of wit\n"
        "    - right asks wit: a question\n      id: examined_2\n      closed to: fellows of wit"
    )
    result = played(stage(loop, f"- {ALL}"))
    examined = result.said_in("examined", "examined_2")
    for number in (1, 2, 3):
        own = {mark for mark in examined if (f"#{number}" in mark if number > 1 else "#" not in mark)}
        others = [f"witness-{other}" for other in (1, 2, 3) if other != number]
        assert len(own) == 4
        keeps(result, own, others)
        assert {mark for mark in own if "/judge/" in mark or "/right/" in mark} <= result.marks(f"witness-{number}")


def test_who_has_left_and_who_waits_outside() -> None:
    result = played(
        stage(
            "- judge asks left, right: before",
            "  id: before",
            "- witness enters",
            "- left leaves",
            "- judge asks right, witness: between",
            "  id: between",
            "- left enters",
            f"- {ALL}",
            keys="    closed to: witness\n",
        )
    )
    keeps(result, result.said_in("before"), ("witness-1", "witness-2"))
    keeps(result, result.said_in("between"), ("left",))
    assert result.said_in("between") - {m for m in result.said_in("between") if "/judge/" in m} <= result.marks("judge")


def test_who_is_absent() -> None:
    body = stage(f"- {ALL}", "  id: heard") + (
        "  - stage: second\n    steps:\n      - judge asks left, right, witness: later\n        id: later\n"
    )
    result = played(body, stays="left", absent="yes")
    keeps(result, result.said_in("heard"), ("left",))
    assert not result.sent.get("witness-1")
    assert result.said_in("later") & result.marks("left")


def test_a_paper_that_is_presented_at_the_bench_is_seen_by_nobody_else() -> None:
    steps = (
        "- for each item in papers:\n"
        "    - left presents item: it\n      heard by: judge\n"
        "    - judge asks right: about it\n    - judge asks left: about it"
    )
    result = played(
        GRANTED + stage(steps, f"- {ALL}"), {"act/ask": "{{ step.item.name }}", "act/answer": "{{ step.item.name }}"}
    )
    assert "paper" in result.marks("judge")
    assert "paper" not in result.marks("right")
    everybody = played(
        GRANTED + stage(steps.replace("heard by: judge", "heard by: judge, right"), f"- {ALL}"),
        {"act/answer": "{{ step.item.name }}"},
    )
    assert "paper" in everybody.marks("right")


# ---- read out, and shown later ---------------------------------------------------------------------------------------
READING = """stages:
  - stage: first
    phases:
      - phase: hearing
        closed to: left
        steps:
          - judge asks right: apart
            id: closed
          - judge asks right: a word
            id: bench
            heard by: judge
      - phase: talks
        off the record: left
        closed to: witness
        steps:
          - judge asks left, right: an offer
            id: offer
      - phase: after
        steps:
          - clerk reads hearing to left
          - clerk reads talks to left, witness
          - judge asks left, right, witness: and now?
"""


def test_what_is_read_out_is_what_is_on_the_record_for_the_listener() -> None:
    result = played(READING)
    assert result.said_in("closed") <= result.marks("left")
    keeps(result, result.said_in("bench"), ("left", "witness-1"))
    keeps(result, result.said_in("offer"), ("witness-1", "witness-2"))
    after = result.sent["left"].split("and now?")[-1]
    assert not set(MARK.findall(after)) & result.said_in("offer")


def test_the_minutes_of_an_earlier_stage() -> None:
    body = (
        "visibility: |\n  | field | first | second |\n  |---|---|---|\n  | minutes of first | - | U P |\n"
        + READING
        + "  - stage: second\n    steps:\n      - upper states: what was said\n      - left states: the same\n"
    )
    result = played(body)
    assert result.said_in("closed") <= result.marks("upper")
    keeps(result, result.said_in("bench") | result.said_in("offer") | {"sealed"}, ("upper",))
    assert not result.said_in("offer") & set(MARK.findall(result.sent["left"].split("the same")[-1]))


# ---- all together ----------------------------------------------------------------------------------------------------
PERSONS = ("judge", "left", "right", "witness")
WHO = st.lists(st.sampled_from(PERSONS), min_size=1, max_size=3, unique=True)
ROOMS = st.fixed_dictionaries({}, optional={"present": WHO, "closed to": WHO, "heard by": WHO})
STEPS = st.lists(
    st.tuples(st.sampled_from(PERSONS), WHO, ROOMS, st.sampled_from(["", "leaves", "enters"])), min_size=1, max_size=6
)


ROLES = {"judge": {"judge"}, "left": {"left"}, "right": {"right"}, "witness": {"witness-1", "witness-2", "witness-3"}}


def those(names: Iterable[str]) -> set[str]:
    return {person for name in names for person in ROLES[name]}


@settings(max_examples=60)
@given(STEPS)
def test_nobody_is_sent_what_he_may_not_hear(steps: list[tuple[str, list[str], Mapping[str, list[str]], str]]) -> None:
    """Whatever is said of the room: reckoned here once more, by hand, who may hear each step."""
    lines, may_hear, out = [], {}, set[str]()
    for number, (speaker, to, room, move) in enumerate(steps):
        asked = [one for one in to if one != speaker] or ["judge" if speaker != "judge" else "left"]
        if move:
            lines += [f"- {speaker} {move}"]
            out = out - those([speaker]) if move == "enters" else out | those([speaker])
        lines += [f"- {speaker} asks {', '.join(asked)}: x", f"  id: s{number}"]
        lines += [f"  {key}: {', '.join(who)}" for key, who in room.items()]
        acting = those([speaker, *asked])
        hear = those(room.get("heard by") or room.get("present") or ROLES) | acting
        may_hear[f"s{number}"] = hear - those(room.get("closed to", ())) - out
    result = played(stage(*lines, f"- {ALL}"))
    for step, hear in may_hear.items():
        said = result.said_in(step)
        for person in set(result.sent) - hear:
            assert not said & result.marks(person), (step, person)


SECOND = "  - stage: second\n    steps:\n      - upper states: x\n      - judge asks left, right, witness: x\n"
WORDS = ("minutes of first", "full minutes of first", "first 的庭审笔录", "first 的完整笔录")


def minutes_in_second(result: Played, person: str) -> set[str]:
    """The marks of what was said in the first stage and stands in what a person is sent in the second."""
    sent = result.sent_in["second"].get(person, "")
    assert sent, f"{person} is never asked"
    return {mark for mark in MARK.findall(sent) if mark.startswith("first/")}


@settings(max_examples=40)
@given(STEPS, st.sampled_from(WORDS), st.booleans())
def test_minutes_of_a_closed_room_are_not_shown_to_those_it_was_closed_to(
    steps: list[tuple[str, list[str], Mapping[str, list[str]], str]], row: str, outside: bool
) -> None:
    """To whom the room was closed, by a step or by the stage, does not read later what was said, unless it is opened.

    Who left of his own accord, and who took no part, reads what the matrix grants him.
    """
    everybody = {person for persons in ROLES.values() for person in persons}
    lines, closed, confined = [], {}, set[str]()
    for number, (speaker, to, room, move) in enumerate(steps):
        asked = [one for one in to if one != speaker] or ["judge" if speaker != "judge" else "left"]
        lines += [f"- {speaker} {move}"] if move else []
        lines += [f"- {speaker} asks {', '.join(asked)}: x", f"  id: s{number}"]
        lines += [f"  {key}: {', '.join(who)}" for key, who in room.items()]
        acting = those([speaker, *asked])
        here = those(room["present"]) | acting if "present" in room else everybody
        closed[f"s{number}"] = everybody - (here - those(room.get("closed to", ())))
        confined |= {f"s{number}"} if "heard by" in room else set()
    keys = "    closed to: witness\n" if outside else ""
    matrix = f"visibility: |\n  | field | first | second |\n  |---|---|---|\n  | {row} | - | J P W U |\n"
    result = played(matrix + stage(*lines, f"- {ALL}", keys=keys) + SECOND)
    full = "full" in row or "完整" in row
    for step, shut in closed.items():
        said = result.said_in(step)
        assert step in confined or said <= minutes_in_second(result, "upper")
        for person in everybody:
            heard = [event.text for event in result.spoken(step) if person in event.heard_by]
            own = set(MARK.findall(" ".join(heard)))
            seen = said & minutes_in_second(result, person)
            barred = person in shut or (outside and person.startswith("witness"))
            if step in confined or (barred and not full):
                assert seen <= own, (step, person)
            else:
                assert seen == said, (step, person)


def test_what_was_read_out_to_those_who_were_outside_is_open_to_them() -> None:
    row = "visibility: |\n  | field | first | second |\n  |---|---|---|\n  | minutes of first | - | P W |\n"
    body = row + READING + "  - stage: second\n    steps:\n      - judge asks left, right, witness: x\n"
    result = played(body)
    assert result.said_in("closed") <= minutes_in_second(result, "left")
    unread = played(body.replace("          - clerk reads hearing to left\n", ""))
    assert not unread.said_in("closed") & minutes_in_second(unread, "left")
    assert unread.said_in("closed") <= minutes_in_second(unread, "right")
