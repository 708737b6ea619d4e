"""Whom a step means and asks, and what is recorded where it is nobody.

Neighbours: verbs of every kind, those meant holding no role at all or being out of the room; fellows inside and outside
of loops; who took part in a stage, by hearing or by writing alone; samples drawn about an item.
"""

from __future__ import annotations

import pytest
from neighbours import Game, places, played

from legalworld.engine.open_questions import deciding
from legalworld.language.link.linker import link
from legalworld.model.attendance import Attended
from legalworld.model.events import Captured, Request, Skipped, Spoke
from legalworld.model.source import MemorySources

HEAD = """\
lw: 1
procedure: asked
title: Asked
locale: en
case:
  things: {title: Things, path: "$.things[*]", each: thing, keys: [name]}
  chosen: {title: Chosen, path: $.chosen}
kinds: {J: judge, L: lawyer, P: player}
options: {gone: {title: Gone, default: yes}}
roles:
  judge: {title: Judge, kind: judge}
  left: {title: Counsel A, kind: lawyer, side: a}
  right: {title: Counsel B, kind: lawyer, side: b}
  team: {title: Player, kind: player, side: c, persons: 4}
  chief: {title: Chief, assigned: yes}
documents: {paper: {title: Paper}}
checklists: {hearing: [{stage: opening, title: Opening, items: [one thing]}]}
"""
CASE = "lw: 1\ncase: c\ntitle: t\nthings: [{name: one}, {name: two}]\nchosen: team-2\n"


def stage(*lines: str, more: str = "", closed: str = "") -> str:
    body = "".join(f"      {part}\n" for line in lines for part in line.split("\n"))
    return f"{HEAD}{more}stages:\n  - stage: court\n    title: T\n{closed}    steps:\n{body}"


# ---- nobody ----------------------------------------------------------------------------------------------------------
STEPS = {  # `WHO` is the one who is not there; in some he is to act, in others he is spoken to
    "states": "WHO states: x",
    "is asked": "judge asks WHO: x",
    "asks": "WHO asks judge: x",
    "is told": "judge announces to WHO: x",
    "drafts": "WHO drafts paper: x",
    "converses": "WHO and judge converse: x\n  until: judge says <<done>>\n  at most: 4 turns",
    "is conversed with": "judge and WHO converse: x\n  until: judge says <<done>>\n  at most: 4 turns",
    "moderates": "WHO moderates judge, left: x\n  call: <<to {role}>>\n  close: <<over>>\n  at most: 4 turns",
    "is moderated": "judge moderates WHO: x\n  call: <<to {role}>>\n  close: <<over>>\n  at most: 4 turns",
    "drives": "WHO drives judge: x\n  checklist: hearing\n  call: <<to {role}>>\n  done: <<item {n}>>\n"
    "  close: <<over>>\n  at most: 4 turns",
    "is driven": "judge drives WHO: x\n  checklist: hearing\n  call: <<to {role}>>\n  done: <<item {n}>>\n"
    "  close: <<over>>\n  at most: 4 turns",
}


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("why", ["nobody", "absent"])
def test_a_step_that_nobody_is_there_for_says_why(step: str, why: str) -> None:
    who = "chief" if why == "nobody" else "right"
    out = "- right leaves:\n  when: gone" if why == "absent" else "- left states: x\n  when: gone"
    holds = "- if chief is assigned:\n    - judge announces: x"
    given = "- assign chief: parties named in chosen\n  when: things is empty"
    game = played(
        stage(given, out, holds, f"- {STEPS[step].replace('WHO', who)}\n  id: here", "- judge states: x"), CASE
    )
    skipped = [event.reason for event in game.of(Skipped) if "here" in places(event.place)]
    assert (skipped, game.said("here")) == ([why], [])


@pytest.mark.parametrize("out", ["- right leaves:\n  when: gone", "- judge states: x"])
@pytest.mark.parametrize(
    "step",
    [
        "left states: x\n  reviewed by: right\n  approve: <<fine>>",
        "left states: x\n  reviewed by: judge, right\n  approve: <<fine>>",
        "left asks judge: x\n  objections by: right\n  object: <<objection>>\n  let pass: <<none>>\n"
        "  ruled by: judge\n  ruling: sustained is yes or no",
    ],
)
def test_who_is_out_reads_and_judges_no_words_of_others(step: str, out: str) -> None:
    game = played(stage(out, f"- {step}\n  id: here"), CASE, lambda one: "<<none>>" if one.act == "object" else "word")
    asked = {request.person for request in game.said("here")}
    assert ("right" in asked) == (out == "- judge states: x")
    assert said(game, "here")[0] == "left"


def test_who_comes_or_goes_again_does_not_do_so_twice() -> None:
    moves = ("leaves", "leaves", "enters", "enters", "leaves", "enters")
    steps = [f"- right {move}:\n  when: gone" for move in moves]
    game = played(stage("- judge asks left, right: x", *steps, "- judge asks left, right: x"), CASE)
    told = [(event.how, event.persons) for event in game.of(Attended)]
    assert told == [(how, ("right",)) for how in ("leaves", "enters", "leaves", "enters")]


@pytest.mark.parametrize(
    "condition",
    ["guest is absent", "not (guest is present)", "guest is absent and gone", "guest is absent or left is absent"],
)
def test_who_is_only_asked_after_is_recorded_as_absent(condition: str) -> None:
    spec = stage("- judge asks left: x", f"- if {condition}:\n    - judge announces: x\n      id: here")
    guest = "  guest: {title: Guest, kind: player, side: d, absent if: things}\n"
    game = played(spec.replace("documents:", f"{guest}documents:", 1), CASE)
    assert [(event.how, event.persons) for event in game.of(Attended)] == [("absent", ("guest",))]
    assert game.said("here")


@pytest.mark.parametrize(("at", "ground"), [("word", "leading"), ("another", None)])
def test_who_means_to_object_is_told_to_what_and_on_which_ground(at: str, ground: str | None) -> None:
    field = "  grounds: {title: Grounds, path: '$.grounds.{side}[*]', per: side, each: ground, keys: [at, text]}\n"
    seen = "visibility: |\n  | field | court |\n  |---|---|\n  | grounds own | L |\n"
    step = "left asks judge: x\n  objections by: right\n  object: <<objection>>\n  let pass: <<none>>\n"
    step += "  ruled by: judge\n  ruling: sustained is yes or no\n  intended in: grounds"
    spec = stage(f"- {step}\n  id: here", more=seen).replace("kinds:", f"{field}kinds:", 1)
    case = f"{CASE}grounds: {{b: [{{at: {at}, text: leading}}], a: [{{at: word, text: mine}}]}}\n"
    game = played(spec, case, lambda one: "<<none>>" if one.act == "object" else "word")
    (request,) = [one for one in game.said("here") if one.act == "object"]
    told = request.view.variables["step"]["intended"]
    assert (dict(told) if told else None) == ({"text": ground, "at": at} if ground else None)


# ---- fellows ---------------------------------------------------------------------------------------------------------
def test_fellows_are_the_others_of_the_same_role() -> None:
    game = played(
        stage(
            "- assign chief: parties named in chosen", "- fellows of chief state: x\n  id: here", "- chief states: x"
        ),
        CASE,
    )
    said = [event.person for event in game.of(Spoke) if "here" in places(event.place)]
    assert said == ["team-1", "team-3", "team-4"]


def test_fellows_in_a_loop_are_the_others_of_the_loop() -> None:
    game = played(stage("- for each one in left, right, judge:\n    - fellows of one state: x\n      id: here"), CASE)
    said = [event.person for event in game.of(Spoke) if "here" in places(event.place)]
    everybody = ["left", "right", "judge"]
    assert said == [other for one in everybody for other in everybody if other != one]


# ---- who took part ---------------------------------------------------------------------------------------------------
MEMORY = """\
memory:
  judge: {cue: note it, fields: {notes: {title: Notes}}}
  lawyer: {cue: note it, fields: {notes: {title: Notes}}}
tools:
  revise memory: {title: Note, does: Keep something, acts: [remember]}
"""


@pytest.mark.parametrize(
    ("step", "asked"),
    [
        ("- judge notes: what to think", {"judge"}),
        ("- left drafts paper: x", {"left"}),
        ("- left states: x", {"left"}),
        ("- judge asks left: x", {"judge", "left"}),
        ("- judge asks left: x\n  closed to: right", {"judge", "left"}),
    ],
)
def test_who_said_or_wrote_something_keeps_notes_of_a_stage_and_nobody_else(step: str, asked: set[str]) -> None:
    more = "      - judge, left, right state: x\n"
    spec = stage(step, more=MEMORY, closed="    present: judge, left, right\n")
    game = played(f"{spec}  - stage: later\n    title: Later\n    steps:\n{more}", CASE)
    first = [request for request in game.requests if request.act == "remember" and "court" in request.thread]
    assert {request.person for request in first} == asked


# ---- what a turn is about --------------------------------------------------------------------------------------------
SEEN = "visibility: |\n  | field | court |\n  |---|---|\n  | things | J L |\n"


@pytest.mark.parametrize(
    ("step", "about"),
    [
        ("judge asks one: about {thing.name}", ()),
        ("judge asks one: and now", ("THING",)),
        ("judge notes: about {thing.name}", ("ONE",)),
        ("judge notes: on {thing.name} and {one}", ()),
        ("judge notes: and now", ("THING", "ONE")),
    ],
)
def test_a_turn_is_told_of_the_items_that_its_cue_does_not_name(step: str, about: tuple[str, ...]) -> None:
    """Nor of a person who is spoken to."""
    loop = f"- for each thing in things:\n    - for each one in left, right:\n        - {step}\n          id: here"
    requests = [one for one in played(stage(loop, more=SEEN), CASE).said("here") if one.person == "judge"]
    told = [request.view.variables["step"]["concerning"] for request in requests]
    pairs = [{"THING": thing, "ONE": one} for thing in ("one", "two") for one in ("Counsel A", "Counsel B")]
    assert told == [tuple(pair[word] for word in about) for pair in pairs]


# ---- samples ---------------------------------------------------------------------------------------------------------
def test_a_sample_drawn_in_a_loop_is_about_its_item() -> None:
    loop = "- for each thing in things:\n    - sample 1 of things:\n      as: drawn"
    game = played(stage(loop, "- sample 1 of things:\n  as: once"), CASE)
    about = [event.about for event in game.of(Captured) if event.source == "sample"]
    assert about == ["things//0", "things//1", ""]


# ---- on which answers the way depends --------------------------------------------------------------------------------
DECIDING = {
    "a condition": "- if wanted:\n    - judge announces: x",
    "a step": "- judge announces: x\n  when: not wanted",
    "who is given a role": "- assign chief: those who answered yes to wanted",
    "the end of a loop": "- repeat 2 rounds:\n    - judge announces: x\n  until: wanted",
    "all that were asked": "- if all wanted:\n    - judge announces: x",
    "how many": "- if at least 1 wanted:\n    - judge announces: x",
    "one of two": "- if left is assigned or wanted is no:\n    - judge announces: x",
    "nothing": "- judge announces: x",
}


@pytest.mark.parametrize("way", DECIDING)
def test_an_answer_on_which_the_way_depends_is_never_made_up(way: str) -> None:
    """Where nobody gives it, the run stops; where nothing depends on it, it goes on."""
    spec = stage("- judge asks left: x\n  answer: wanted is yes or no", DECIDING[way])
    found = link(MemorySources({"spec.yaml": spec}), "spec.yaml").procedure
    assert found is not None
    assert deciding(found) == (frozenset() if way == "nothing" else {"wanted"})


def said(game: Game, step: str) -> list[str]:
    return [event.person for event in game.of(Spoke) if step in places(event.place)]


# ---- questions of another loop ---------------------------------------------------------------------------------------
LOOPS = ("repeat 2 rounds", "for each thing in things", "for each one in left, right")


@pytest.mark.parametrize("asking", LOOPS)
@pytest.mark.parametrize("deciding_", LOOPS)
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_a_condition_in_a_loop_counts_what_an_earlier_loop_asked_last(asking: str, deciding_: str, answer: str) -> None:
    asked = f"- {asking}:\n    - judge asks left, right: x\n      answer: agreed is yes or no"
    then = f"- {deciding_}:\n    - if all agreed:\n        - judge announces: x\n          id: here"

    def say(request: Request) -> str:
        return f"<<agreed: {answer}>>" if request.form.answer is not None else "word"

    game = played(stage(asked, then), CASE, say)
    assert said(game, "here") == (["judge", "judge"] if answer == "yes" else [])
