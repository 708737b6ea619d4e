"""Who is in the room does not depend on whom a loop has come to: a loop's persons are there before and after it.

Neighbours are made of verbs, of what a step says of the room, of loops in loops and of events in loops. Asserted of
all: what is said before and behind is heard by everybody whom the stage can name, and what is said inside by those
alone whom the step leaves.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import Game, codes, places, played

from legalworld.model.events import Request, Spoke

HEAD = {
    "en": """\
lw: 1
procedure: rooms
title: Rooms
locale: en
case: {things: {path: "$.things[*]", each: thing, keys: [name]}}
kinds: {J: judge, L: lawyer, U: juror}
roles:
  judge: {title: Judge, kind: judge}
  left: {title: Counsel A, kind: lawyer, side: a}
  right: {title: Counsel B, kind: lawyer, side: b}
  panel: {title: Panel member, kind: juror, persons: 3}
""",
    "zh": """\
语言版本: 1
流程: rooms
标题: 在场
案件: {things: {路径: "$.things[*]", 逐条: thing, 各项: [name]}}
类别: {J: judge, L: lawyer, U: juror}
角色:
  judge: {标题: 法官, 种类: judge}
  left: {标题: 甲代理人, 种类: lawyer, 方: a}
  right: {标题: 乙代理人, 种类: lawyer, 方: b}
  panel: {标题: 候选人, 种类: juror, 人数: 3}
""",
}
CASE = "lw: 1\ncase: c\ntitle: t\nthings: [{name: one}, {name: two}]\n"
PANEL = {"panel-1", "panel-2", "panel-3"}
ALL = {"judge", "left", "right"} | PANEL
VERBS = {
    "states": "left states: a word",
    "asks": "judge asks left: a word",
    "announces to": "judge announces to left: a word",
    "responds": "left responds: a word",
}
ROOMS = {  # what a step says -> who hears what the person in hand must not, and the others may
    "heard by: judge": lambda one: {"judge", "left"},
    "closed to: one": lambda one: ALL - {one},
    "closed to: fellows of one": lambda one: ALL - PANEL | {one},
    "present: judge, one": lambda one: {"judge", "left", one},
}
LOOPS = {
    "one loop": ("for each one in panel:",),
    "a loop in a loop": ("for each thing in things:", "for each one in panel:"),
    "a loop of the same name inside": ("for each one in panel:", "repeat 2 rounds:"),
}


def spec(verb: str, room: str, loops: tuple[str, ...], locale: str) -> str:
    lines = ["- right states: before", "  id: before"]
    depth = 0
    for loop in loops:
        lines.append("  " * 2 * depth + f"- {loop}")
        depth += 1
    inner = "  " * 2 * depth
    lines += [f"{inner}- judge asks one: can you be fair", f"{inner}  id: open"]
    lines += [f"{inner}- {VERBS[verb]}", f"{inner}  id: inside", f"{inner}  {room}"]
    lines += [f"{inner}- right states: still in the loop", f"{inner}  id: again"]
    lines += ["- left states: behind", "  id: behind"]
    body = "".join(f"      {line}\n" for line in lines)
    return f"{HEAD[locale]}stages:\n  - stage: court\n    title: T\n    steps:\n{body}"


def hearers(game: Game, step: str) -> list[tuple[str, set[str]]]:
    """Place and hearers of all that was said at a step."""
    return [(event.place, set(event.heard_by)) for event in game.of(Spoke) if step in places(event.place)]


@pytest.mark.parametrize(("verb", "room", "loop"), list(product(VERBS, ROOMS, LOOPS)))
@pytest.mark.parametrize("locale", HEAD)
def test_a_loops_persons_are_there_before_inside_and_behind(verb: str, room: str, loop: str, locale: str) -> None:
    game = played(spec(verb, room, LOOPS[loop], locale), CASE)
    for step in ("before", "behind", "again", "open"):
        said = hearers(game, step)
        assert said, step
        assert all(heard == ALL for _, heard in said), (step, said)
    inside = hearers(game, "inside")
    asked = [event.heard_by for event in game.of(Spoke) if "open" in places(event.place)]
    assert inside
    assert asked
    allowed = [ROOMS[room](person) for person in sorted(PANEL)]
    assert all(any(heard == one for one in allowed) for _, heard in inside), inside
    assert {frozenset(heard) for _, heard in inside} == {frozenset(one) for one in allowed}


@pytest.mark.parametrize("room", ["", "heard by: judge", "closed to: left"])
def test_a_loop_inside_does_not_take_over_whom_the_step_around_means(room: str) -> None:
    """An inner loop of the same variable, or one in an event, changes nothing for what was said of the room outside."""
    body = """\
events:
  recusal:
    title: Challenge
    raised by: left
    token: <<challenge>>
    at most: 9 times
    steps:
      - for each one in panel:
          - judge asks one: about the challenge
            id: event
            ROOM
stages:
  - stage: court
    title: T
    steps:
      - for each one in panel:
          - repeat 1 rounds:
              - left states: apart
                id: first
              - right states: still apart
                id: inside
            closed to: one
          - judge asks one: you
            id: own
      - left states: behind
        id: behind
"""
    raised = []

    def say(request: Request) -> str:
        place = request.id
        if "first" in places(place) and place not in raised and not place.endswith("/2"):
            raised.append(place)
            return "a word <<challenge>>"
        return "word"

    game = played(HEAD["en"] + body.replace("            ROOM\n", f"            {room}\n" if room else ""), CASE, say)
    assert len(raised) == 3
    assert [ALL - heard for _, heard in hearers(game, "inside")] == [{"panel-1"}, {"panel-2"}, {"panel-3"}]
    apart = [event.person for event in game.of(Spoke) if "event" in places(event.place) and event.person in PANEL]
    assert apart == ["panel-2", "panel-3", "panel-1", "panel-3", "panel-1", "panel-2"], "he is out of the event, too"
    own = [event for event in game.of(Spoke) if "own" in places(event.place) and event.person != "judge"]
    assert [event.person for event in own] == ["panel-1", "panel-2", "panel-3"]
    assert [heard for _, heard in hearers(game, "behind")] == [ALL]


@pytest.mark.parametrize("who", ["opponent of one", "fellows of one"])
def test_whoever_rests_on_a_loops_person_is_there(who: str) -> None:
    """`opponent of one` is asked of each person of the loop: of both sides at once nobody would be the opponent."""
    body = f"""\
stages:
  - stage: court
    title: T
    steps:
      - judge announces: first
        id: before
      - for each one in left, right:
          - {who} state: a word
            id: inside
"""
    assert "LW090" not in codes(HEAD["en"] + body)
    game = played(HEAD["en"] + body, CASE)
    assert [heard for _, heard in hearers(game, "before")] == [{"judge", "left", "right"}]
    assert [event.person for event in game.of(Spoke) if "inside" in places(event.place)] == ["right", "left"]


@pytest.mark.parametrize(
    ("inner", "named"),
    [
        ("- judge notes: x", False),
        ("- judge announces: x", False),
        ("- left, right state: x", False),
        ("- judge asks one: x", True),
        ("- for each two in panel:\n    - one responds: x", True),
    ],
)
def test_a_loop_over_persons_whom_no_step_names_brings_nobody_in(inner: str, named: bool) -> None:
    body = "\n".join(f"          {line}" for line in inner.splitlines())
    stages = "stages:\n  - stage: court\n    title: T\n    steps:\n      - judge announces: x\n        id: first\n"
    game = played(f"{HEAD['en']}{stages}      - for each one in panel:\n{body}\n")
    first = next(event for event in game.of(Spoke) if "first" in places(event.place))
    assert {person for person in first.heard_by if person.startswith("panel")} == (
        {"panel-1", "panel-2", "panel-3"} if named else set()
    )
