"""Words that were struck are never told again without a mark, and a vote's result binds only the paper that follows it.

Neighbours: who spoke by which verb, where the objection falls, by which way the words come to somebody later - what he
hears, minutes of the stage, a phase that is read out, the transcript, the rows of a data set. Asserted of all: wherever
struck words stand, a mark stands behind them; words that were not struck have none.
"""

from __future__ import annotations

import re
from itertools import product

import pytest
from neighbours import Game, opened, played

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.model.events import Objected, Request, Spoke
from legalworld.runs.transcript import transcript
from legalworld.wording.struck import marked

CASE = "lw: 1\ncase: c\ntitle: t\n"
MARKS = {"en": "struck out", "zh": "裁断删除"}
VERBS = {
    "answer": "pl asks wit: x",
    "state": "wit states: x",
    "respond": "wit responds: x",
    "announce": "wit announces to pl: x",
}
ROLES = """\
kinds: {J: judge, L: lawyer, W: witness, U: juror}
roles:
  judge: {title: Judge, kind: judge}
  pl: {title: Counsel A, kind: lawyer, side: p}
  dl: {title: Counsel B, kind: lawyer, side: d}
  wit: {title: Witness, kind: witness}
  juror: {title: Juror, kind: juror, persons: 2}
"""
OBJECTION = """\
            objections by: dl
            object: 【objection】
            let pass: 【none】
            ruled by: judge
            ruling: sustained is yes or no
"""


def spec(locale: str, verb: str, loop: bool) -> str:
    indent = "                " if loop else "          "
    step = f"- {verb}\n" + "".join(f"  {line.strip()}\n" for line in OBJECTION.splitlines())
    lines = "".join(f"{indent}{line}\n" for line in step.splitlines())
    around = "          - for each one in points:\n" if loop else ""
    return (
        f"lw: 1\nprocedure: struck\ntitle: Struck\nlocale: {locale}\nlists: {{points: [first, second]}}\n{ROLES}"
        "visibility: |\n  | field            | trial | room  |\n  |------------------|-------|-------|\n"
        "  | minutes of trial | -     | U J   |\n  | sustained        | J     | -     |\n"
        "stages:\n  - stage: trial\n    title: Trial\n    phases:\n      - phase: hearing\n        title: Hearing\n"
        f"        closed to: juror\n        steps:\n{around}{lines}"
        "      - phase: after\n        title: After\n        steps:\n          - judge reads hearing to juror\n"
        "          - judge, pl, dl, wit, juror state: x\n"
        "  - stage: room\n    title: Room\n    steps:\n      - juror states: x\n"
    )


def say(request: Request) -> str:
    """The witness says something bad and something good; the bad alone is objected to, and struck."""
    if request.act == "object":
        draft = request.view.variables["step"]["draft"]["text"]
        return "【objection】 hearsay" if "BAD" in draft else "【none】"
    if request.act == "rule":
        return "sustained 【sustained: yes】"
    return f"{'BAD' if request.person == 'wit' and 'hearing' in request.id else 'GOOD'} words {request.id}."


def lines_with(word: str, text: str) -> list[str]:
    return [line for line in text.splitlines() if word in line]


def assert_marked(text: str, locale: str) -> int:
    """Every line with struck words has a mark, no other has; returns how many were struck."""
    bad = lines_with("BAD words", text)
    assert all(MARKS[locale] in line for line in bad), bad
    assert not [line for line in lines_with("GOOD words", text) if MARKS[locale] in line]
    return len(bad)


@pytest.mark.parametrize("locale", MARKS)
@pytest.mark.parametrize(("verb", "loop"), list(product(VERBS.values(), (False, True))))
def test_struck_words_are_marked_wherever_they_are_told_later(verb: str, loop: bool, locale: str) -> None:
    text = spec(locale, verb, loop)
    game = played(text, CASE, say)
    assert len([event for event in game.of(Objected) if event.sustained]) == 1 + loop
    for person, place in (("juror-1", "room"), ("juror-1", "after"), ("judge", "after")):
        told = "\n".join(
            game.task(one) for one in game.requests if one.person == person and f"/{place}" in f"/{one.id}"
        )
        if person == "judge" and place == "after":
            continue  # he was told before they were struck, and heard the ruling
        assert assert_marked(told, locale) >= 1 + loop, (person, place, told)
    assert assert_marked(written(text, game), locale) == 1 + loop


def written(text: str, game: Game) -> str:
    """The transcript of a game."""
    procedure = opened(text).procedure
    data, _ = parse_data("case.yaml", CASE)
    assert procedure is not None
    assert data is not None
    case, _ = bind(procedure, data, record=None, binding=None, settings={})
    assert case is not None
    return transcript(procedure, case, (), {}, game.events)


@pytest.mark.parametrize("locale", MARKS)
def test_the_same_words_are_struck_once(locale: str) -> None:
    """Said twice and struck the second time: the first stays."""
    game = played(spec(locale, "wit states: x", True), CASE, lambda request: same(request))
    spoken = [
        event for event in marked(game.events, locale) if isinstance(event, Spoke) and event.text.startswith("BAD")
    ]
    assert [bool(re.search(MARKS[locale], event.text)) for event in spoken] == [False, True]


def same(request: Request) -> str:
    if request.act == "object":
        return "【objection】 hearsay" if "#2" in request.id else "【none】"
    return "BAD words." if request.person == "wit" and "hearing" in request.id else say(request)


# ---- votes and papers ------------------------------------------------------------------------------------------------
PAPERS = """\
kinds: {M: member, L: lawyer, H: court}
roles:
  a: {title: Member A, kind: member}
  b: {title: Member B, kind: member}
  c: {title: Member C, kind: member}
  counsel: {title: Counsel, kind: lawyer}
  high: {title: High Court Judge, kind: court}
"""
FOLLOWS = {"en": "the document follows this result", "zh": "文书照这个结果写"}
WRITERS = {"a": True, "c": True, "minority of struck": False, "counsel": False, "high": False}


@pytest.mark.parametrize("locale", FOLLOWS)
@pytest.mark.parametrize(("writer", "declared"), list(product(WRITERS, ("", "paper", "other"))))
def test_the_result_binds_only_the_paper_that_follows_it(writer: str, declared: str, locale: str) -> None:
    """The document says what it follows; else it is that of somebody who took part and writes for no minority."""
    follows = {name: ", follows: [struck]" if name == declared else "" for name in ("paper", "other")}
    later = "high" if "of" in writer else writer
    text = (
        f"lw: 1\nprocedure: votes\ntitle: Votes\nlocale: {locale}\n{PAPERS}documents:\n"
        f"  paper: {{title: Paper{follows['paper']}}}\n  other_paper: {{title: Other paper{follows['other']}}}\n"
        "visibility: |\n  | field  | panel | later |\n  |--------|-------|-------|\n  | struck | M L H | M L H |\n"
        "stages:\n  - stage: panel\n    title: Panel\n    steps:\n      - a, b, c vote: strike off?\n"
        "        answer: struck is yes or no\n        reveals: names\n"
        f"      - {writer} drafts paper: x\n        id: paper\n"
        f"  - stage: later\n    title: Later\n    steps:\n      - {later} drafts paper: x\n"
        "        id: again\n      - high drafts other_paper: x\n        id: last\n"
    )
    game = played(text, CASE, lambda request: f"x <<struck: {'no' if request.person == 'c' else 'yes'}>>")
    (request,) = game.said("paper", "draft")
    wanted = {"": WRITERS[writer], "paper": "of" not in writer, "other": False}[declared]
    assert (FOLLOWS[locale] in game.task(request)) == wanted
    (other,) = game.said("last", "draft")
    assert (FOLLOWS[locale] in game.task(other)) == (declared == "other")
