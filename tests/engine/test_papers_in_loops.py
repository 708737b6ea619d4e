"""Papers written in loops, offices given to those whom a list names, loops over those who stand in a relation.

Neighbours: what the loop goes over, who writes, whether each side has its own, and where the paper is shown; who the
people of a list are; how the persons of a loop are said.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import codes, played

from legalworld.model.events import Assigned, Spoke

HEAD = """\
lw: 1
procedure: room
title: The room
locale: en
case:
  people: {title: People, path: "$.people.{side}[*]", per: side, each: person, keys: [name]}
  panel:  {title: Panel, path: "$.panel[*]", each: one, keys: [name, by]}
  heads:  {title: Heads, path: "$.heads[*]", each: head, keys: [id]}
  wanted: {title: Wanted, path: "$.wanted[*]", each: name}
kinds: {J: judge, P: party, L: lawyer}
roles:
  left:   {title: Left, kind: party, side: left, each: people}
  right:  {title: Right, kind: party, side: right, each: people}
  left_counsel:  {title: Left counsel, kind: lawyer, side: left, represents: left}
  right_counsel: {title: Right counsel, kind: lawyer, side: right, represents: right}
  member: {title: Member, kind: judge, each: panel}
  clerk:  {title: Clerk, kind: judge}
  chair:  {title: Chair, assigned: yes}
"""
CASE = """\
lw: 1
case: c
title: t
people: {left: [{name: Ann}, {name: Bea}], right: [{name: Cid}]}
panel: [{name: Dan, by: left}, {name: Eve, by: right}, {name: Flo, by: clerk}]
heads: [{id: h1}, {id: h2}]
wanted: [Ann]
"""
LATER = "  - stage: later\n    title: Later\n    steps:\n      - clerk announces: x\n"


def spec(*steps: str, papers: str = "", rows: str = "") -> str:
    body = "".join(f"      {line}\n" for step in steps for line in step.split("\n"))
    table = f"visibility: |\n  | field | s | later |\n  |---|---|---|\n  | panel | J | J |\n{rows}"
    stage = f"stages:\n  - stage: s\n    title: S\n    steps:\n{body}      - clerk announces: x\n"
    return f"{HEAD}{papers}{table}{stage}{LATER}"


LOOPS = {  # the loop, who writes in it, whether each round is another side's
    "items": ("for each head in heads", "clerk", False),
    "persons": ("for each one in member", "one", False),
    "both sides": ("for each one in left_counsel, right_counsel", "one", True),
    "for both sides": ("for each one in left, right", "lawyer of one", True),
    "rounds": ("repeat 2 rounds", "clerk", None),
}


@pytest.mark.parametrize(("loop", "sided", "shown"), list(product(LOOPS, [True, False], ["s", "later", "-"])))
def test_a_paper_of_which_later_stages_see_the_last_alone(loop: str, sided: bool, shown: str) -> None:
    head, writer, sides = LOOPS[loop]
    papers = f"documents:\n  paper: {{title: Paper{', per: side' if sided else ''}}}\n"
    cells = {"s": "J P L | -", "later": "- | J P L", "-": "- | -"}[shown]
    rows = f"  | paper | {cells} |\n"
    found = codes(spec(f"- {head}:\n    - {writer} drafts paper: it", papers=papers, rows=rows))
    assert ("LW776" in found) == (shown == "later" and sides is not None and not (sides and sided))


@pytest.mark.parametrize(("field", "told"), [("panel", True), ("people", False), ("wanted", False), ("heads", False)])
def test_an_office_for_those_named_in_a_list_of_no_parties_is_told(field: str, told: bool) -> None:
    found = codes(spec(f"- assign chair: parties named in {field}", "- chair states: x"))
    assert ("LW775" in found) == told


RELATED = {  # how the persons of a loop are said -> who they are
    "opponent of left": ["right"],
    "opponent of right": ["left-1", "left-2"],
    "lawyer of left": ["left_counsel"],
    "opponent of left_counsel": ["right_counsel"],
    "lawyer of opponent of left": ["right_counsel"],
    "fellows of left": [],
    "lawyer of left, lawyer of right": ["left_counsel", "right_counsel"],
    "opponent of chair": ["right"],
    "minority of due": ["member-3"],
    "majority of due": ["member-1", "member-2"],
}


@pytest.mark.parametrize("said", RELATED)
@pytest.mark.parametrize("zh", [True, False])
def test_a_loop_goes_over_those_who_stand_in_a_relation(said: str, zh: bool) -> None:
    steps = ["- assign chair: parties named in wanted"]
    if "due" in said:
        steps.append("- member vote: it\n  answer: due is yes or no\n  reveals: names")
    loop = f"- 就 {said} 逐项 one:" if zh and "," not in said else f"- for each one in {said}:"
    text = spec(*steps, f"{loop}\n    - one states: x\n      id: here", "- chair states: x")
    votes = iter(["yes", "yes", "no"])
    game = played(text, CASE, lambda r: f"word\n<<due: {next(votes)}>>" if r.act == "vote" else "word")
    assert game.of(Assigned)[0].persons == ("left-1",)
    spoke = [event.person for event in game.of(Spoke) if "here" in event.place.replace("#", ".").split(".")[-2:]]
    assert spoke == RELATED[said]
