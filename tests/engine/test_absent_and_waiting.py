"""Who does not come says nothing, whatever office he is given; who waits outside has come, and is called by name.

Neighbours: how many there are and which of them stay away, who waits outside, how the next is called in, whether they
act as themselves, by an office given in the course of the stage, through who represents them, or in an event; two
languages. Asserted of all: nobody who stays away has the word, and what a procedure says of the absent it says of
exactly those who stay away.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import Game, codes, played

from legalworld.model.attendance import Attended
from legalworld.model.events import Spoke

HEAD = """\
lw: 1
procedure: room
title: The room
locale: en
case:
  people: {title: People, path: "$.people.{side}[*]", per: side, each: one, keys: [name, away]}
  named:  {title: Named, path: "$.named[*]", each: name}
kinds: {J: judge, P: party, L: lawyer, W: witness}
roles:
  judge:   {title: Judge, kind: judge}
  left:    {title: Left, kind: party, side: left, each: people, absent if: one.away is yes}
  right:   {title: Right, kind: party, side: right, each: people, absent if: one.away is yes}
  counsel: {title: Counsel, kind: lawyer, side: left, represents: left, absent if: named is empty}
  witness: {title: Witness, kind: witness, side: court, party: no, each: people, absent if: one.away is yes}
  chair:   {title: Chair, assigned: yes}
"""
EVENT = """\
events:
  call:
    title: A call
    whenever: begun
    steps:
      - right states: heard in between
"""


def case(away: set[str], named: tuple[str, ...] = ("left",)) -> str:
    def people(side: str, number: int) -> str:
        names = [f"{side}-{n}" for n in range(1, number + 1)]
        return "[" + ", ".join(f"{{name: {name}, away: {'yes' if name in away else 'no'}}}" for name in names) + "]"

    sides = ", ".join(f"{side}: {people(side, number)}" for side, number in (("left", 2), ("right", 1), ("court", 3)))
    return f"lw: 1\ncase: c\ntitle: t\nnamed: [{', '.join(named)}]\npeople: {{{sides}}}\n"


def stage(*lines: str, keys: str = "") -> str:
    body = "".join(f"      {line}\n" for step in lines for line in step.split("\n"))
    return f"stages:\n  - stage: s\n    title: S\n{keys}    steps:\n{body}"


def names(game: Game, step: str) -> list[str]:
    """The names of those who spoke at a step, in order."""
    persons = [
        event.person for event in game.of(Spoke) if step in event.place.replace("#", ".").split("/")[-1].split(".")
    ]
    return [person.replace("witness", "court") for person in persons]


OFFICES = {
    "parties named": "- assign chair: parties named in named",
    "by role": "- assign chair: left",
    "those who answered": "- for each one in left:\n    - record wants of one: yes\n"
    "- assign chair: those who answered yes to wants",
    "remaining": "- assign chair: remaining parties",
    "opposing": "- assign chair: opposing parties of right",
}
ACTS = {
    "states": "- chair states: it",
    "is asked": "- judge asks chair: it",
    "one by one": "- for each one in chair:\n    - one states: it",
    "may": "- chair may state: it\n  pass: <<none>>",
    "in a condition": "- if chair is assigned:\n    - chair states: it",
    "votes": "- judge, chair vote: it\n  answer: well is yes or no\n  reveals: names",
}


@pytest.mark.parametrize(("office", "act"), list(product(OFFICES, ACTS)))
@pytest.mark.parametrize("away", [set(), {"left-1"}, {"left-2"}, {"left-1", "left-2"}], ids=str)
def test_an_office_does_not_bring_anybody_in_who_stays_away(office: str, act: str, away: set[str]) -> None:
    spec = HEAD + stage(OFFICES[office], ACTS[act], "- judge announces: end")
    game = played(spec, case(away), lambda request: "word\n<<well: yes>>")
    spoke = {event.person for event in game.of(Spoke)}
    assert not spoke & away
    assert spoke >= {"left-1", "left-2"} - away
    told = {person for event in game.of(Attended) if event.how == "absent" for person in event.persons}
    assert told & {"left-1", "left-2"} == away


@pytest.mark.parametrize("comes", [True, False])
def test_who_represents_an_office_stays_away_too(comes: bool) -> None:
    """Whoever acts through a role that is assigned only later: nothing named him when the stage began."""
    steps = ("- assign chair: left", "- lawyer of chair states: it", "- judge announces: end")
    game = played(HEAD + stage(*steps), case(set(), ("left",) if comes else ()))
    assert ("counsel" in {event.person for event in game.of(Spoke)}) == comes


@pytest.mark.parametrize("away", [set(), {"right-1"}], ids=str)
def test_an_event_does_not_bring_anybody_in_who_stays_away(away: set[str]) -> None:
    steps = ("- judge notes: it\n  answer: begun is yes or no", "- judge announces: end")
    game = played(HEAD + EVENT + stage(*steps), case(away), lambda request: "word\n<<begun: yes>>")
    assert ("right" in {event.person for event in game.of(Spoke)}) == (not away)


# ---- called in from outside ------------------------------------------------------------------------------------------
ASKED = {
    "if absent": "    - if wit is absent:\n        - judge announces: gone\n          id: gone\n"
    "    - else:\n        - wit enters\n        - wit states: it\n          id: told\n",
    "if present": "    - if wit is present:\n        - wit enters\n        - wit states: it\n          id: told\n"
    "    - else:\n        - judge announces: gone\n          id: gone\n",
    "if not absent": "    - if wit is not absent:\n        - wit enters\n        - wit states: it\n          id: told\n"
    "    - else:\n        - judge announces: gone\n          id: gone\n",
    "not present": "    - judge announces: gone\n      id: gone\n      when: wit is not present\n"
    "    - if wit is present:\n        - wit enters\n        - wit states: it\n          id: told\n",
    "zh": "    - 如果 wit 缺席:\n        - judge 宣布: gone\n          编号: gone\n"
    "    - 否则:\n        - wit 入庭\n        - wit 陈述: it\n          编号: told\n",
}
LEAVES = ("", "        - wit leaves\n")
EVERY_AWAY = [
    set(those) for those in ((), ("court-1",), ("court-3",), ("court-1", "court-2"), ("court-1", "court-2", "court-3"))
]


@pytest.mark.parametrize("away", EVERY_AWAY, ids=str)
@pytest.mark.parametrize(("asked", "waits"), list(product(ASKED, [True, False])))
def test_of_whom_it_is_said_that_he_has_not_come(asked: str, waits: bool, away: set[str]) -> None:
    """Exactly of those who stay away, whether the others wait outside or are there."""
    keys = "    closed to: witness\n" if waits else "    present: judge, witness\n"
    loop = "- for each wit in witness:\n" + ASKED[asked].rstrip("\n")
    spec = HEAD + stage(loop, "- judge announces: end", keys=keys)
    assert not {code for code in codes(spec) if code in ("LW770", "LW771", "LW470")}
    game = played(spec, case(away))
    gone = [event for event in game.of(Spoke) if "gone" in event.place.replace("#", ".").replace("/", ".").split(".")]
    assert len(gone) == len(away)
    assert set(names(game, "told")) == {f"court-{n}" for n in (1, 2, 3)} - away


UNAWARES = {
    "waits, in a loop": (
        "    closed to: witness\n",
        "- for each wit in witness:\n    - wit enters\n    - wit states: it",
    ),
    "waits, all at once": ("    closed to: witness\n", "- witness enters\n- witness states: it"),
    "of all at once it cannot be asked": (
        "    closed to: witness\n",
        "- if witness is absent:\n    - judge announces: x\n- else:\n    - witness enters\n    - witness states: it",
    ),
    "left before": ("", "- witness leaves\n- witness enters\n- witness states: it"),
    "under another condition": (
        "    closed to: witness\n",
        "- for each wit in witness:\n    - if named is empty:\n        - wit enters\n    - wit states: it",
    ),
}


@pytest.mark.parametrize("way", UNAWARES)
def test_calling_in_those_who_may_have_stayed_away_is_told(way: str) -> None:
    keys, steps = UNAWARES[way]
    spec = HEAD + stage(steps, "- judge announces: end", keys=keys)
    assert "LW770" in codes(spec)
    assert "LW770" not in codes(spec.replace(", absent if: one.away is yes", ""))
    elsewhere = spec.replace(
        "kind: witness, side: court, party: no, each: people, absent if: one.away is yes",
        "kind: witness, side: court, party: no, each: people, absent if: one.away is yes, absent from: t",
    )
    later = "  - stage: t\n    title: T\n    steps:\n      - judge announces: t\n"
    assert "LW770" not in codes(elsewhere + later)


def test_coming_late_is_no_call_from_outside() -> None:
    """Who is absent and neither waits nor has left can only be meant to come late: nothing is told."""
    spec = HEAD + stage("- right enters", "- right states: late", "- judge announces: end")
    assert not {"LW770", "LW771", "LW473"} & set(codes(spec))
    assert "right" in {event.person for event in played(spec, case({"right-1"})).of(Spoke)}


VAIN = {
    "absent behind entering": ("- right enters", "if right is absent", True),
    "not present behind entering": ("- right enters", "if right is not present", True),
    "present behind leaving": ("- right leaves", "if right is present", True),
    "absent behind leaving": ("- right leaves", "if right is absent", False),
    "somebody else": ("- right enters", "if left is absent", False),
    "it may not have been done": ("- right enters\n  when: named is empty", "if right is absent", False),
    "gone again": ("- right enters\n- right leaves", "if right is absent", False),
}


@pytest.mark.parametrize("way", VAIN)
def test_what_is_asked_in_vain_of_who_has_just_come_or_gone(way: str) -> None:
    moved, asked, vain = VAIN[way]
    condition = asked.removeprefix("if ")
    for step in (f"- {asked}:\n    - judge announces: it", f"- judge announces: it\n  when: {condition}"):
        spec = HEAD + stage("- left states: x", moved, step, "- judge announces: end")
        assert ("LW771" in codes(spec)) == vain, spec


# ---- sent out, called one by one -------------------------------------------------------------------------------------
@pytest.mark.parametrize("present", ["", "    present: judge, left, right\n"])
@pytest.mark.parametrize("key", ["phase", "step"])
@pytest.mark.parametrize("acts", [True, False])
def test_sending_somebody_out_who_is_not_there_is_told(present: str, key: str, acts: bool) -> None:
    more = "          - right states: x\n" if acts else ""
    room = "        closed to: right\n"
    own = "            closed to: right\n"
    spec = HEAD + (
        f"stages:\n  - stage: s\n    title: S\n{present}    phases:\n"
        "      - phase: one\n        title: One\n        steps:\n"
        f"          - left states: x\n{more}      - phase: two\n        title: Two\n{room if key == 'phase' else ''}"
        f"        steps:\n          - judge announces: x\n{own if key == 'step' else ''}"
    )
    assert ("LW772" in codes(spec)) == (not present and not acts)


@pytest.mark.parametrize("leaves", [True, False])
@pytest.mark.parametrize("who", ["fellows of wit", "opponent of wit"])
def test_others_are_not_there_where_each_is_called_in_by_himself(leaves: bool, who: str) -> None:
    other = HEAD.replace(
        "  chair:", "  seer: {title: Seer, kind: witness, side: left, party: no, each: people}\n  chair:"
    )
    loop = f"- for each wit in witness, seer:\n    - wit enters\n    - {who} asks wit: x"
    loop += "\n    - wit leaves" if leaves else ""
    spec = other + stage(loop, "- judge announces: end", keys="    closed to: witness, seer\n")
    assert ("LW470" in codes(spec)) == leaves
