"""A reviewer, an objector or a ruler who is not there is not passed over in silence: who speaks is told, and everybody.

Neighbours: absent from the start, gone in the middle; one or several, several persons of one
role, loops; both languages. Who is there is asked as before.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import Game, codes, played

from legalworld.model.attendance import Attended
from legalworld.model.events import Request, Reviewed

HEAD = """\
lw: 1
procedure: passed
title: Passed
locale: {locale}
case:
  gone:   {{title: Gone, path: $.gone}}
  papers: {{title: Papers, path: "$.papers[*]", each: paper, keys: [name]}}
  seniors: {{title: Seniors, path: "$.seniors[*]", each: person, keys: [name]}}
kinds: {{J: judge, P: party}}
roles:
  judge:  {{title: Judge, kind: judge}}
  author: {{title: Author, kind: party}}
  first:  {{title: First, kind: party, absent if: gone is first}}
  second: {{title: Second, kind: party}}
  senior: {{title: Senior, kind: party, each: seniors}}
documents: {{paper: {{title: Paper, sections: [Reasons]}}}}
visibility: |
  | field | court |
  |-------|-------|
  | paper | J P   |
stages:
  - stage: court
    title: T
    present: judge, author, first, second, senior
    steps:
"""
CASE = (
    "lw: 1\ncase: passed\ngone: {gone}\npapers: [{{name: one}}, {{name: two}}]\n"
    "seniors: [{{name: Ann}}, {{name: Bob}}]\n"
)
FIRST = "- judge asks author, first, second, senior: x"
LAST = ["- for each item in papers:", "    - judge announces: x", "- author drafts paper: x", "  id: last"]


def spec(lines: list[str], locale: str = "en") -> str:
    return HEAD.format(locale=locale) + "".join(f"      {line}\n" for line in [FIRST, *lines, *LAST])


AWAY = {
    "absent": ("first", []),
    "leaves": ("nobody", ["- if gone is nobody:", "    - first leaves"]),
    "there": ("nobody", []),
}
REVIEWS = {
    "one": ("first", ["first"]),
    "two": ("first, second", ["first", "second"]),
    "several of one role": ("first, senior", ["first", "senior-1", "senior-2"]),
}
STEPS = {
    "drafts": "author drafts paper",
    "states": "author states",
}


def game_of(away: str, step: list[str], locale: str) -> Game:
    gone, before = AWAY[away]
    text = spec([*before, *step, "- author states: y", "  id: after"], locale)

    def reply(request: Request) -> str:
        if request.act == "review":
            return "<<agreed>>"
        return "Paper\n\nReasons: x" if request.act in ("draft", "revise") else "x"

    return played(text, CASE.format(gone=gone), reply)


def told(game: Game, how: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [(event.persons, event.heard_by) for event in game.of(Attended) if event.how == how]


@pytest.mark.parametrize(
    ("away", "who", "act", "loop", "locale"), list(product(AWAY, REVIEWS, STEPS, (False, True), ("en", "zh")))
)
def test_a_reviewer_who_is_not_there_is_told_of(away: str, who: str, act: str, loop: bool, locale: str) -> None:
    reviewers, persons = REVIEWS[who]
    step = [f"- {STEPS[act]}: x", "  id: it", f"  reviewed by: {reviewers}", "  approve: <<agreed>>"]
    step = ["- for each paper_ in papers:", *(f"    {line}" for line in step)] if loop else step
    game = game_of(away, step, locale)
    out = away != "there"
    read = {event.by for event in game.of(Reviewed)}
    assert read == set(persons) - ({"first"} if out else set())
    assert told(game, "unreviewed") == ([(("first",), ("author",))] if out else [])


@pytest.mark.parametrize(("away", "objectors", "locale"), list(product(AWAY, ("first", "first, second"), ("en", "zh"))))
def test_an_objector_who_is_not_there_is_told_of(away: str, objectors: str, locale: str) -> None:
    step = ["- author states: x", "  id: it", f"  objections by: {objectors}", "  object: <<objection>>"]
    step += ["  let pass: <<none>>", "  ruled by: judge", "  ruling: sustained is yes or no"]
    gone, before = AWAY[away]
    game = played(
        spec([*before, *step], locale), CASE.format(gone=gone), lambda one: "<<none>>" if one.act == "object" else "x"
    )
    asked = [request.person for request in game.requests if request.act == "object"]
    out = away != "there"
    assert told(game, "unobjected") == ([(("first",), ("author",))] if out else [])
    assert asked == [one for one in objectors.split(", ") if not (out and one == "first")]


@pytest.mark.parametrize("away", [away for away in AWAY if away != "there"])
def test_without_a_ruler_nobody_is_asked_to_object(away: str) -> None:
    step = ["- author states: x", "  id: it", "  objections by: second", "  object: <<objection>>"]
    step += ["  let pass: <<none>>", "  ruled by: first", "  ruling: sustained is yes or no"]
    gone, before = AWAY[away]
    game = played(spec([*before, *step]), CASE.format(gone=gone), lambda one: "x")
    assert not [request for request in game.requests if request.act == "object"]
    assert told(game, "unruled") == [(("first",), ("author",))]


@pytest.mark.parametrize(
    ("key", "act"), [("reviewed by", "drafts"), *product(("reviewed by", "objections by", "ruled by"), ["states"])]
)
def test_who_has_left_in_every_case_is_refused(key: str, act: str) -> None:
    lines = ["- first leaves", f"- {STEPS[act]}: x"]
    if key == "reviewed by":
        lines += ["  reviewed by: first", "  approve: <<agreed>>"]
    else:
        lines += [
            f"  {key}: first",
            "  object: <<objection>>",
            "  let pass: <<none>>",
            "  ruling: sustained is yes or no",
        ]
        lines += ["  ruled by: judge"] if key == "objections by" else ["  objections by: second"]
    text = spec(lines)
    assert "LW470" in codes(text)
    assert not {"LW470", "LW842"} & {
        *codes(text.replace("- first leaves", "- if gone is first:\n          - first leaves"))
    }


def test_a_role_of_several_persons_does_not_rule() -> None:
    lines = ["- author states: x", "  objections by: first", "  object: <<objection>>"]
    lines += ["  let pass: <<none>>", "  ruling: sustained is yes or no", "  ruled by: senior"]
    text = spec(lines)
    assert "LW984" in codes(text)
    assert "LW984" not in codes(text.replace("ruled by: senior", "ruled by: judge"))
