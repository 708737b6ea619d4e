"""Who sees what is shown while somebody is out, and who hears in rooms within rooms: reckoned once more by hand.

Neighbours: every way in which somebody can be out (he leaves, waits, is absent, a step, a phase, a loop shuts him out,
few alone hear), every thing that can say it, and rooms in rooms. Asserted of all: what was shown is told to those who
were there and to nobody else, now or later; what was said, too.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from neighbours import codes
from test_presence import ALL, GRANTED, HEAD, Played, played, stage, those

PAPER = {"act/answer": "{{ step.item.name }}", "act/present": "{{ step.item.name }}"}
ASKED = "- for each item in papers:\n    - judge asks left, right, witness: about it"
CAN_SEE = {"left", "right", "witness-1", "witness-2", "witness-3"}  # the matrix shows it to the bench alone


def shown(*lines: str) -> str:
    """A loop in which the paper is presented between some lines; `{}` stands for the sentence."""
    body = "\n".join(
        f"    {part}" for line in lines for part in line.replace("{}", "left presents item: it").split("\n")
    )
    return f"- for each item in papers:\n{body}"


def seen_by(result: Played) -> set[str]:
    return {person for person in CAN_SEE if "paper" in result.marks(person)}


WITNESSES = {"witness-1", "witness-2", "witness-3"}
WAYS = {  # how somebody is out -> the lines in which the paper is presented, those who must not see it
    "nobody is": (("- {}",), set[str]()),
    "he leaves": (("- witness leaves", "- {}", "- witness enters"), WITNESSES),
    "another leaves": (("- right leaves", "- {}", "- right enters"), {"right"}),
    "he comes back first": (("- witness leaves", "- witness enters", "- {}"), set[str]()),
    "shut out of the step": (("- {}\n  closed to: witness",), WITNESSES),
    "not among those present": (("- {}\n  present: judge, right",), WITNESSES),
    "not among those who hear": (("- {}\n  heard by: judge, witness",), {"right"}),
    "shut out of a loop": (("- repeat 1 rounds:\n    - {}\n  closed to: right",), {"right"}),
    "shut out of a condition": (("- if right is present:\n    - {}\n  closed to: witness",), WITNESSES),
    "one of several": (("- for each one in witness:\n    - {}\n      closed to: fellows of one",), set[str]()),
    "left and shut out": (("- right leaves", "- {}\n  closed to: witness", "- right enters"), {"right"} | WITNESSES),
    "left, and few hear": (("- right leaves", "- {}\n  heard by: right, judge", "- right enters"), CAN_SEE - {"left"}),
    "shown to one, then to others": (("- {}\n  closed to: witness", "- {}\n  closed to: right"), set[str]()),
    "shown to few, then to fewer": (("- {}\n  heard by: right", "- {}\n  heard by: judge"), WITNESSES),
}


@pytest.mark.parametrize("way", WAYS)
def test_what_is_shown_meanwhile_is_seen_by_those_alone_who_are_there(way: str) -> None:
    lines, hidden = WAYS[way]
    assert seen_by(played(GRANTED + stage(shown(*lines), ASKED), PAPER)) == CAN_SEE - hidden


@pytest.mark.parametrize("again", [False, True])
def test_who_waits_or_is_absent_does_not_see_it_either(again: bool) -> None:
    """Not when he comes in, and then only what is shown again."""
    more = (shown("- {}"),) if again else ()
    steps = (shown("- {}"), "- witness enters", *more, ASKED)
    waits = played(GRANTED + stage(*steps, keys="    closed to: witness\n"), PAPER)
    absent = played(GRANTED + stage(*steps), PAPER, absent="yes")
    assert seen_by(waits) == (CAN_SEE if again else CAN_SEE - WITNESSES)
    assert seen_by(absent) == (CAN_SEE if again else CAN_SEE - {"witness-1"})


@pytest.mark.parametrize(("key", "hidden"), [("closed to: witness", WITNESSES), ("present: judge, right", WITNESSES)])
def test_what_is_shown_in_a_phase_is_seen_by_those_alone_who_are_there(key: str, hidden: set[str]) -> None:
    steps = "".join(f"          {line}\n" for line in shown("- {}").split("\n"))
    asked = "".join(f"          {line}\n" for line in ASKED.split("\n"))
    body = f"stages:\n  - stage: first\n    phases:\n      - phase: one\n        {key}\n        steps:\n{steps}"
    result = played(f"{GRANTED}{body}      - phase: two\n        steps:\n{asked}", PAPER)
    assert seen_by(result) == CAN_SEE - hidden


# ---- rooms in rooms --------------------------------------------------------------------------------------------------
PERSONS = ("judge", "left", "right", "witness")
EVERYBODY = those(PERSONS)
WHO = st.lists(st.sampled_from(PERSONS), min_size=1, max_size=3, unique=True)
ROOM = st.fixed_dictionaries({}, optional={"present": WHO, "closed to": WHO, "heard by": WHO})
AROUND = ("repeat 1 rounds", "if judge is present", "for each paper in papers")


Rooms = list[Mapping[str, list[str]]]


def hearers(rooms: Rooms, acting: set[str]) -> tuple[set[str], set[str]]:
    """Who hears a step in these rooms, the outermost first, and who is shut out of it."""
    there, shut, confined = set(EVERYBODY), set[str](), None
    for room in rooms:
        if "present" in room:
            there = those(room["present"])
            shut = shut - there
        shut = shut | those(room.get("closed to", ()))
        if "heard by" in room:
            confined = those(room["heard by"]) & (EVERYBODY if confined is None else confined)
    return ((there if confined is None else confined) | acting) - shut, shut


def nested(rooms: Rooms, around: str, asked: str) -> str:
    """A stage with a step in rooms in rooms, one of them said by what stands around it, and steps behind."""
    step = [
        f"- judge asks {asked}: x",
        "  id: inside",
        *(f"  {key}: {', '.join(who)}" for key, who in rooms[-1].items()),
    ]
    for room in reversed(rooms[:-1]):
        step = [f"- {around}:", *(f"    {line}" for line in step)]
        step += [f"  {key}: {', '.join(who)}" for key, who in room.items()]
        around = "repeat 1 rounds"
    return stage(*step, f"- {ALL}")


NESTED = given(st.lists(ROOM, min_size=2, max_size=3), st.sampled_from(AROUND), st.sampled_from(PERSONS[1:]))


@settings(max_examples=60)
@NESTED
def test_each_room_inside_narrows_the_one_around(rooms: Rooms, around: str, asked: str) -> None:
    body = nested(rooms, around, asked)
    result = played(body)
    said = result.said_in("inside")
    heard, _ = hearers(rooms, those(["judge", asked]))
    for person in set(result.sent):
        assert not (said & result.marks(person)) or person in heard, (person, body)
        assert said <= result.marks(person) | {mark for mark in said if f"/{person}/" in mark} or person not in heard


@settings(max_examples=100)
@NESTED
def test_the_check_tells_who_is_to_act_where_he_is_shut_out(rooms: Rooms, around: str, asked: str) -> None:
    _, shut = hearers(rooms, set())
    out = bool(shut & those(["judge"]) or shut & those([asked]))
    assert ("LW470" in codes(HEAD + nested(rooms, around, asked))) == out
