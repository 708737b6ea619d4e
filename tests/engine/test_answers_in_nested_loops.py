"""Answers and votes in loops within loops: each is kept for its person and its item, and is told with its item.

Neighbours: which loop is outside, who answers (the person that a loop has come to, or somebody else), by which verb,
how many items and persons there are, whether the reader may see the items. Read behind the loop, what is the last vote
alone, or counts single votes, is told before anything is played.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import Say, codes, played

from legalworld.model.events import Captured, Drafted, Request

HEAD = """\
lw: 1
procedure: room
title: The room
locale: LOCALE
case:
  heads: {title: Heads, path: "$.heads[*]", each: head, keys: [id, text]}
  panel: {title: Panel, path: "$.panel[*]", each: one, keys: [name]}
kinds: {J: judge, C: clerk}
roles:
  clerk:  {title: Clerk, kind: clerk}
  member: {title: Member, kind: judge, each: panel}
"""
LATER = """
  - stage: later
    title: Later
    steps:
      - clerk announces: what was answered
        id: told
"""


def spec(*steps: str, sees: str = "C J", locale: str = "en") -> str:
    """Two stages: in the second the clerk says something, who is shown all answers, and the items if he `sees` them."""
    body = "".join(f"      {line}\n" for step in steps for line in step.split("\n"))
    answers = [
        name
        for name in ("figure", "wanted", "well", "pays")
        if f"answer: {name} is" in body or f"record {name}" in body
    ]
    rows = "".join(f"  | {name} | C J | C J |\n" for name in answers)
    table = f"visibility: |\n  | field | s | later |\n  |---|---|---|\n  | heads | J C | {sees} |\n{rows}"
    papers = "".join(f"  {name}: {{title: {name}}}\n" for name in ("award", "dissent") if f"drafts {name}" in body)
    papers = f"documents:\n{papers}" if papers else ""
    return (
        f"{HEAD.replace('LOCALE', locale)}{papers}{table}stages:\n  - stage: s\n    title: S\n    steps:\n{body}{LATER}"
    )


def case(heads: int, members: int) -> str:
    listed = ", ".join(f"{{id: h{n}, text: the {n}}}" for n in range(1, heads + 1))
    panel = ", ".join(f"{{name: M{n}}}" for n in range(1, members + 1))
    return f"lw: 1\ncase: c\ntitle: t\nheads: [{listed}]\npanel: [{panel}]\n"


SAYS = {
    "notes": "{} notes: it\n  answer: figure is number",
    "states": "{} states: it\n  answer: figure is number",
    "is asked": "clerk asks {}: it\n  answer: figure is number",
    "record": "record figure of {}: 7",
}


def nested(outer: str, inner: str, said: str) -> str:
    lines = "\n".join(f"        {line}" for line in ("- " + said).split("\n"))
    return f"- {outer}:\n    - {inner}:\n{lines}"


ITEMS, PERSONS = "for each head in heads", "for each one in member"


@pytest.mark.parametrize(("heads", "members"), [(1, 2), (2, 1), (3, 2)])
@pytest.mark.parametrize(("says", "items_outside"), list(product(SAYS, [True, False])))
def test_what_each_person_says_of_each_item_is_kept(says: str, items_outside: bool, heads: int, members: int) -> None:
    loops = (ITEMS, PERSONS) if items_outside else (PERSONS, ITEMS)
    numbers = iter(range(101, 200))
    steps = nested(*loops, SAYS[says].format("one"))
    game = played(
        spec(steps),
        case(heads, members),
        lambda r: f"word\n<<figure: {next(numbers)}>>" if r.act in ("note", "state", "answer") else "x",
    )
    kept = {(event.person, event.about): event.value for event in game.of(Captured)}
    assert len(kept) == heads * members == len(game.of(Captured))
    assert {about for _, about in kept} == {f"heads//{n}" for n in range(heads)}
    told = game.said("told")[0]
    text = "\n".join(message.content for message in told.messages)
    assert all(text.count(str(value)) >= (1 if says != "record" else heads * members) for value in kept.values())
    assert all(f"h{n}" in text.partition("[figure]")[2] for n in range(1, heads + 1))


@pytest.mark.parametrize("who", ["clerk", "member"])
def test_what_somebody_else_says_of_a_person_is_about_that_person(who: str) -> None:
    steps = nested(ITEMS, PERSONS, SAYS["notes"].format(who))
    game = played(spec(steps), case(1, 2), lambda r: "word\n<<figure: 1>>")
    others = {event.about for event in game.of(Captured) if event.person == "clerk"}
    assert others == ({"panel//0", "panel//1"} if who == "clerk" else set())


@pytest.mark.parametrize(
    ("form", "asked", "told"),
    [
        ("number", "if figure of head at least 1", True),
        ("yes or no", "if any figure", False),
        ("yes or no", "if all figure", False),
        ("yes or no", "if figure of head", True),
    ],
)
def test_what_persons_said_of_an_item_can_be_asked_for(form: str, asked: str, told: bool) -> None:
    """No step is said to be missing that asks for it, and of what several said the last alone is not taken unawares."""
    steps = nested(ITEMS, PERSONS, SAYS["notes"].format("one").replace("number", form))
    found = codes(spec(f"{steps}\n    - {asked}:\n        - clerk announces: x"))
    assert "LW440" not in found and ("LW449" in found) == told


def votes_of(*votes: str) -> Say:
    """Whoever votes says the next of these; other words are a text of two lines."""
    left = iter(votes)
    return lambda request: f"Why.\n<<{next(left)}>>" if request.act == "vote" else "Text\nof it"


# ---- votes -----------------------------------------------------------------------------------------------------------
VOTE = "member vote: whether {head.text} is well\n  answer: well is yes or no\n  reveals: names"
READ = {  # a condition behind the loop -> what the check says of it
    "if well": "LW773",
    "if well is no": "LW773",
    "if well is empty": "LW773",
    "if not well": "LW773",
    "if all well": "LW774",
    "if any well": "LW774",
    "if most well": "LW774",
    "if at least 2 votes well": "LW774",
    "if any well is no": "LW774",
    "if well is the same": "LW774",
}


def looped(vote: str) -> str:
    lines = "\n".join(f"    {line}" for line in ("- " + vote).split("\n"))
    return f"- {ITEMS}:\n{lines}"


@pytest.mark.parametrize("condition", READ)
def test_votes_item_by_item_are_not_read_behind_the_loop_unawares(condition: str) -> None:
    behind = spec(looped(VOTE), f"- {condition}:\n    - clerk announces: x")
    again = spec(looped(VOTE), f"- {ITEMS}:\n    - {condition}:\n        - clerk announces: x")
    inside = spec(f"{looped(VOTE)}\n    - {condition}:\n        - clerk announces: x")
    alone = spec("- " + VOTE.replace("{head.text}", "all"), f"- {condition}:\n    - clerk announces: x")
    both = {"LW773", "LW774"}
    assert both & set(codes(behind)) == both & set(codes(again)) == {READ[condition]}
    assert not both & set(codes(inside)) and not both & set(codes(alone))


@pytest.mark.parametrize("faction", ["minority", "majority"])
@pytest.mark.parametrize("does", ["drafts dissent: why not", "states: why not"])
def test_the_minority_of_votes_item_by_item_is_found_within_the_loop(faction: str, does: str) -> None:
    line = f"- {faction} of well {does}"
    assert "LW773" in codes(spec(looped(VOTE), line))
    assert "LW773" in codes(spec(looped(VOTE), f"- {ITEMS}:\n    {line}"))
    assert "LW773" not in codes(spec(f"{looped(VOTE)}\n    {line}"))


def test_what_of_an_item_is_the_result_of_its_own_vote() -> None:
    """Whatever is voted on last: recorded within the loop, it is known behind it."""
    steps = f"{looped(VOTE)}\n    - if well of head:\n        - record some: yes"
    for pattern in ("yyyynn", "nnnnyy", "nnnnnn", "ynynyn", "yyyyyy"):
        told = "- if some:\n    - clerk announces: some\n      id: some"
        game = played(
            spec(steps, told), case(3, 2), votes_of(*(f"well: {'yes' if v == 'y' else 'no'}" for v in pattern))
        )
        carried = any(pattern[n : n + 2] == "yy" for n in (0, 2, 4))
        assert bool(game.said("some")) == carried


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("writes", ["minority of well drafts dissent", "member drafts award"])
def test_only_the_document_of_a_result_is_told_to_follow_it(locale: str, writes: str) -> None:
    """A dissent follows no vote: not the one that it is a dissent from, and no other that its author took part in."""
    other = "- member vote: who pays\n  answer: pays is one of one, another\n  reveals: names\n  tie: one"
    rows = spec("- " + VOTE.replace("{head.text}", "all"), other, f"- {writes}: it\n  id: paper", locale=locale)
    votes = ("well: yes", "well: yes", "well: no", "pays: one", "pays: another", "pays: another")
    game = played(rows, case(1, 3), votes_of(*votes))
    paper = game.said("paper")[0]
    task = paper.messages[-1].content
    follows = ("the document follows", "文书照这个结果写")
    assert any(word in task for word in follows) == (writes.startswith("member"))
    assert len(game.of(Drafted)) == 1


@pytest.mark.parametrize("locale", ["en", "zh"])
@pytest.mark.parametrize("sees", ["C J", "J"])
@pytest.mark.parametrize("reveals", ["names", "count", "nothing"])
def test_results_item_by_item_are_told_with_their_items(locale: str, sees: str, reveals: str) -> None:
    """By what the item is called where the reader may see it, and by its number where he may not."""
    steps = looped(VOTE.replace("names", reveals))
    game = played(spec(steps, sees=sees, locale=locale), case(2, 2), lambda r: "word\n<<well: yes>>")
    told = game.said("told")[0]
    lines = [line for line in _text(told).split("\n") if "Result of the vote" in line or "表决结果" in line]
    names = ("h1", "h2") if sees == "C J" else ("Heads 1", "Heads 2")
    assert len(lines) == 2 and all(name in line for name, line in zip(names, lines, strict=True))
    assert sees == "C J" or "the 1" not in _text(told)


def _text(request: Request) -> str:
    return "\n".join(message.content for message in request.messages)
