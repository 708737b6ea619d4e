"""Who came and has gone is not absent, however often what he was called for is played again.

Neighbours: how many witnesses there are and who of them stays away, what they do, whether they wait outside or are
there, how each is told apart, how often the phase is reopened, whether they leave in the phase or in an event; two
languages. Asserted of all: in every pass exactly those who stay away are taken to be absent, those who have gone come
again where they are called, and of each person exactly one of the three holds at any time.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import Game, codes, places, played

from legalworld.model.attendance import Attended
from legalworld.model.events import Ended, Questioned, Reopened, Spoke

HEAD = """\
lw: 1
procedure: room
title: The room
locale: {locale}
case:
  people: {{title: People, path: "$.people.{{side}}[*]", per: side, each: one, keys: [name, away]}}
kinds: {{J: judge, P: party, W: witness}}
roles:
  judge:   {{title: Judge, kind: judge}}
  suing:   {{title: Suing, kind: party, side: left, each: people, absent if: one.away is yes}}
  witness: {{title: Witness, kind: witness, side: court, party: no, each: people, absent if: one.away is yes}}
{events}stages:
  - stage: s
    title: S
{room}    phases:
      - phase: hearing
        title: Hearing
        steps:
{steps}      - phase: later
        title: Later
        steps:
          - judge announces: what now
          - repeat {times} rounds:
              - reopen hearing:
                at most: {times} times
{after}"""
PROBES = """\
          - for each one in witness:
              - if one is present:
                  - judge announces: there
                    id: is_present
              - if one is absent:
                  - judge announces: not come
                    id: is_absent
              - if one has left:
                  - judge announces: gone
                    id: has_left
"""
PROBES_ZH = """\
          - 就 witness 逐一 one:
              - 如果 one 到庭:
                  - judge 宣布: there
                    编号: is_present
              - 如果 one 未到庭:
                  - judge 宣布: not come
                    编号: is_absent
              - 如果 one 已退庭:
                  - judge 宣布: gone
                    编号: has_left
"""
ACTS = {
    "states": "wit states: it",
    "is asked": "judge asks wit: it",
    "may": "wit may state: it",
    "votes": "judge, wit vote: it",
    "answers": "wit states: it",
}
MORE = {
    "may": "                    pass: <<none>>\n",
    "votes": "                    answer: well is yes or no\n",
    "answers": "                    answer: well is yes or no\n",
}
EVENT = "events:\n  off:\n    title: Off\n    whenever: well\n    steps:\n      - witness leaves\n"
AWAY = [set(those) for those in ((), ("court-1",), ("court-3",), ("court-1", "court-2", "court-3"))]


def case(away: set[str]) -> str:
    def people(side: str, number: int) -> str:
        names = [f"{side}-{n}" for n in range(1, number + 1)]
        return "[" + ", ".join(f"{{name: {one}, away: {'yes' if one in away else 'no'}}}" for one in names) + "]"

    return f"lw: 1\ncase: c\ntitle: t\npeople: {{left: {people('left', 1)}, court: {people('court', 3)}}}\n"


def called(act: str, locale: str, *, enters: bool = True, leaves: bool = True) -> str:
    """Each witness by himself: who is absent is said to be, the others are called, heard and let go."""
    absent, otherwise = ("如果 wit 缺席", "否则") if locale == "zh" else ("if wit is absent", "else")
    step = "                  - wit {}\n"
    before, behind = step.format("enters") if enters else "", step.format("leaves") if leaves else ""
    return (
        f"          - for each wit in witness:\n              - {absent}:\n"
        f"                  - judge announces: it\n                    id: missed\n              - {otherwise}:\n"
        f"{before}                  - {ACTS[act]}\n                    id: heard\n"
        f"{MORE.get(act, '')}{behind}"
    )


def spec(
    steps: str, *, locale: str = "en", times: int = 2, waits: bool = True, events: str = "", after: str = ""
) -> str:
    room = "    closed to: witness\n" if waits else "    present: judge, suing, witness\n"
    return HEAD.format(steps=steps, locale=locale, times=times, room=room, events=events, after=after)


def at(game: Game, step: str) -> list[Spoke]:
    return [one for one in game.of(Spoke) if step in places(one.place)]


@pytest.mark.parametrize("away", AWAY, ids=lambda away: "+".join(sorted(away)) or "all come")
@pytest.mark.parametrize(("act", "locale"), list(product(ACTS, ("en", "zh"))))
@pytest.mark.parametrize("times", [1, 2])
def test_who_has_testified_is_called_again_and_who_never_came_is_absent(
    act: str, locale: str, times: int, away: set[str]
) -> None:
    text = spec(called(act, locale), locale=locale, times=times)
    assert not {"LW422", "LW423", "LW770", "LW771", "LW473"} & set(codes(text))
    game = played(text, case(away), lambda request: "word\n<<well: yes>>")
    passes = 1 + len(game.of(Reopened))
    assert passes == 1 + times
    assert len(at(game, "missed")) == passes * len(away)
    came = [p for one in game.of(Attended) if one.how == "enters" for p in one.persons]
    assert len(came) == passes * (3 - len(away))
    asked = [person for one in game.of(Questioned) for person in one.absent]
    assert not asked, "nobody who came is counted as one who could not be asked"


@pytest.mark.parametrize("away", AWAY, ids=lambda away: "+".join(sorted(away)) or "all come")
@pytest.mark.parametrize(("locale", "waits", "leaves"), list(product(("en", "zh"), (True, False), (True, False))))
def test_of_each_exactly_one_holds(locale: str, waits: bool, leaves: bool, away: set[str]) -> None:
    """Before he is called, after he was heard, and in every pass that follows."""
    probes = PROBES_ZH if locale == "zh" else PROBES
    body = called("states", locale, enters=waits, leaves=leaves)
    game = played(spec(probes + body + probes, locale=locale, waits=waits), case(away))
    passes, here = 1 + len(game.of(Reopened)), 3 - len(away)
    told = {how: len(at(game, how)) for how in ("is_present", "is_absent", "has_left")}
    assert sum(told.values()) == passes * 2 * 3
    assert told["is_absent"] == passes * 2 * len(away)
    assert told["has_left"] == (here * (2 * passes - 1) if leaves else 0)


def test_of_several_one_who_came_is_enough() -> None:
    """Of all witnesses together: somebody there; somebody came and nobody is there; nobody came."""
    probes = PROBES.replace("for each one in witness", "for each other in suing").replace("one ", "witness ")
    for away in AWAY:
        body = probes + called("states", "en", enters=False) + probes
        game = played(spec(body, waits=False, times=1), case(away))
        counts = [len(at(game, how)) for how in ("is_present", "is_absent", "has_left")]
        assert counts == ([0, 4, 0] if len(away) == 3 else [1, 0, 3])


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_who_leaves_in_an_event_has_left_and_is_not_absent(locale: str) -> None:
    text = spec(
        "          - judge notes: it\n            answer: well is yes or no\n"
        + (PROBES_ZH if locale == "zh" else PROBES),
        events=EVENT,
        waits=False,
        locale=locale,
    )
    game = played(text, case({"court-2"}), lambda request: "word\n<<well: yes>>")
    passes = 1 + len(game.of(Reopened))
    counts = [len(at(game, how)) for how in ("is_present", "is_absent", "has_left")]
    assert counts == [0, passes, 2 * passes]


@pytest.mark.parametrize("away", [set(), {"left-1"}], ids=["comes", "stays away"])
@pytest.mark.parametrize(
    ("asked", "when"),
    [
        ("suing is absent", "away"),
        ("suing has left", "came"),
        ("suing leaves", "came"),
        ("not suing is present", "both"),
        ("suing is absent or suing has left", "both"),
        ("suing has not left", "away"),
        ("suing 退庭", "came"),
        ("suing 未退庭", "away"),
        ("suing 缺席 或者 suing 已离场", "both"),
    ],
)
def test_a_party_who_walks_out_has_left(asked: str, when: str, away: set[str]) -> None:
    """What follows from walking out, from never coming, and from either, can each be said; in the stage after it he is
    there again."""
    end = f"          - if {asked}:\n              - end case: over\n                outcome: over\n"
    after = "  - stage: t\n    title: T\n    steps:\n      - suing states: back\n        id: back\n"
    text = spec("          - suing leaves\n" + end, times=1, after=after)
    game = played(text, case(away))
    assert (game.of(Ended)[0].outcome == "over") == (when == "both" or (when == "away") == bool(away))
    if not game.of(Ended)[0].outcome:
        assert bool(at(game, "back")) == (not away)


@pytest.mark.parametrize("act", ["asks", "votes"])
def test_who_has_left_is_counted_where_all_are_asked_again(act: str) -> None:
    """`all` of those whom a question names: who is not in the room has given no answer, be he gone or never come."""
    step = "judge asks witness, suing: it" if act == "asks" else "witness, suing vote: it"
    carried = "" if act == "asks" else "            carried by: all\n"
    held = "all well" if act == "asks" else "well is yes"
    body = f"          - {step}\n            answer: well is yes or no\n{carried}"
    end = f"          - if {held}:\n              - judge announces: all of them\n                id: agreed\n"
    for leaves, away in product((False, True), (set(), {"court-2"})):
        leaving = "          - witness leaves\n" if leaves else ""
        game = played(
            spec(body + end + leaving, waits=False, times=1), case(away), lambda request: "word\n<<well: yes>>"
        )
        assert len(at(game, "agreed")) == (0 if away else 1 if leaves else 2), (leaves, away)


@pytest.mark.parametrize(
    ("asked", "absences", "leaves", "code"),
    [
        ("suing is absent", "", True, "LW422"),
        ("suing is not absent", "", True, "LW422"),
        ("suing is absent", "", False, "LW422"),
        ("suing 缺席", "", False, "LW422"),
        ("suing is absent", ", absent if: one.away is yes", False, ""),
        ("suing is absent", ", absent if: one.away is yes, absent from: s", False, ""),
        ("suing has left", "", True, ""),
        ("suing has left", "", False, "LW423"),
        ("suing has not left", "", False, "LW423"),
        ("suing 已退庭", "", False, "LW423"),
        ("suing has left and judge is present", "", False, "LW423"),
        ("suing is present", "", False, ""),
        ("suing is not present", "", False, ""),
    ],
)
@pytest.mark.parametrize("key", ["if", "when"])
def test_what_can_never_be_is_told(asked: str, absences: str, leaves: bool, code: str, key: str) -> None:
    end = f"          - if {asked}:\n              - judge announces: it\n"
    if key == "when":
        end = f"          - judge announces: it\n            when: {asked}\n"
    left = "          - suing leaves\n" if leaves else ""
    text = spec("          - suing states: it\n" + left + end).replace(
        "side: left, each: people, absent if: one.away is yes", f"side: left, each: people{absences}"
    )
    assert {"LW422", "LW423"} & set(codes(text)) == ({code} if code else set())
