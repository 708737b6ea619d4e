"""A name that stands alone asks for a yes: for the choice that says so, else the check tells of it.

And of a person whom a loop has come to it is his own vote that is asked for, in whatever vote he took part.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import codes, places, played

from legalworld.model.events import Request, Spoke

HEAD = """\
lw: 1
procedure: asked
title: Asked
locale: en
case:
  debts: {title: Debts, path: "$.debts[*]", each: debt, keys: [name]}
  plans: {title: Plans, path: "$.plans[*]", each: plan, keys: [text]}
kinds: {M: manager, C: creditor}
options: {way: {title: Way, choices: [long, short], default: long}}
roles:
  admin: {title: Administrator, kind: manager}
  bank: {title: Bank, kind: manager}
  creditor: {title: Creditor, kind: creditor, each: debts}
  committee: {title: Committee, assigned: yes}
"""
CASE = (
    "lw: 1\ncase: c\ntitle: t\ndebts: [{name: Ann}, {name: Bob}, {name: Cy}]\nplans: [{text: first}, {text: second}]\n"
)
VOTERS = ("creditor-1", "creditor-2", "creditor-3")


def spec(*lines: str, more: str = "") -> str:
    body = "".join(f"      {part}\n" for line in lines for part in line.split("\n"))
    body += "      - creditor, bank, admin state: x\n"
    return f"{HEAD}{more}stages:\n  - stage: court\n    title: T\n    steps:\n{body}"


def votes_of(ballots: dict[str, str]):  # type: ignore[no-untyped-def]
    def say(request: Request) -> str:
        answer = request.form.answer
        return f"<<{answer.called}: {ballots.get(request.person, 'no')}>>" if answer is not None else "word"

    return say


def heard(spec_: str, ballots: dict[str, str]) -> list[str]:
    game = played(spec_, CASE, votes_of(ballots))
    return [step for event in game.of(Spoke) for step in ("for", "against") if step in places(event.place)]


VOTES = {
    "once": (
        "- bank, creditor vote: the plan\n  answer: well is yes or no\n  reveals: names",
        "for each one in creditor",
    ),
    "secretly": (
        "- creditor votes: the plan\n  answer: well is yes or no\n  reveals: nothing",
        "for each one in creditor",
    ),
    "in Chinese": ("- creditor 表决: 方案\n  回答: well 是 是或否\n  公开: names", "for each one in creditor"),
    "with choices": ("- creditor votes: x\n  answer: well is one of yes, no, unsure", "for each one in creditor"),
    "of several roles": ("- bank, creditor vote: x\n  answer: well is yes or no", "for each one in bank, creditor"),
}


@pytest.mark.parametrize("vote", VOTES)
@pytest.mark.parametrize("ballots", list(product(["yes", "no"], repeat=3)), ids="-".join)
def test_a_person_in_hand_is_asked_how_he_voted(vote: str, ballots: tuple[str, ...]) -> None:
    asks, loop = VOTES[vote]
    then = f"- {loop}:\n    - if well of one:\n        - admin announces: x\n          id: for"
    then += "\n    - if well of one is no:\n        - admin announces: x\n          id: against"
    said = heard(spec(asks, then), dict(zip(VOTERS, ballots, strict=True)))
    bank = ["against"] if vote == "of several roles" else []
    assert said == bank + ["for" if ballot == "yes" else "against" for ballot in ballots]


@pytest.mark.parametrize("inner", ["creditor", "bank, creditor"])
def test_in_loops_in_loops_it_is_his_vote_on_what_is_in_hand(inner: str) -> None:
    vote = "    - creditor votes: on {plan.text}\n      answer: well is yes or no\n      reveals: names"
    then = f"    - for each one in {inner}:\n        - if well of one:\n"
    then += "            - admin announces: x\n              id: for"
    lines = "\n".join(("- for each plan in plans:", vote, then))
    assert heard(spec(lines), {"creditor-2": "yes"}) == ["for", "for"]


def test_a_vote_about_him_comes_before_his_own() -> None:
    vote = "    - creditor votes: whether he is chosen\n      answer: well is yes or no"
    then = "    - if well of one:\n        - admin announces: x\n          id: for"
    lines = "\n".join(("- for each one in creditor:", vote, then))
    two_of_three = {"creditor-1": "yes", "creditor-2": "yes"}
    assert heard(spec(lines), two_of_three) == ["for"] * 3


# ---- a name that stands alone ----------------------------------------------------------------------------------------
ASKED = {
    "- admin notes: x\n  answer: asylum is one of granted, refused": "asylum",
    "- admin asks creditor: x\n  answer: asylum is one of granted, refused": "asylum",
    "- bank, creditor vote: x\n  answer: asylum is one of guilty, unproven": "asylum",
    "- admin 记录: x\n  回答: asylum 是 准许、不准 之一": "asylum",
    "- admin states: x": "way",
}
FORMS = ("NAME", "not NAME", "all NAME", "any NAME", "at least 2 NAME", "NAME and debts", "非 NAME", "全体 NAME")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("asks", ASKED)
def test_no_choice_says_yes_and_the_check_says_so(asks: str, form: str) -> None:
    name = ASKED[asks]
    if name == "way" and ("all" in form or "any" in form or "at least" in form or "全体" in form):
        pytest.skip("options are not counted")
    lines = (asks, f"- if {form.replace('NAME', name)}:\n    - admin announces: x")
    assert "LW985" in codes(spec(*lines))


@pytest.mark.parametrize("condition", ["asylum is granted", "asylum is not empty", "all asylum is granted"])
def test_what_says_which_is_meant_is_let_pass(condition: str) -> None:
    asks = "- admin notes: x\n  answer: asylum is one of granted, refused"
    assert "LW985" not in codes(spec(asks, f"- if {condition}:\n    - admin announces: x"))


@pytest.mark.parametrize("choices", ["yes, no", "yes, no, unsure", "unsure, no, yes"])
@pytest.mark.parametrize("given", ["yes", "no"])
def test_a_choice_that_says_yes_is_what_a_name_alone_asks_for(choices: str, given: str) -> None:
    asks = f"- admin notes: x\n  answer: fit is one of {choices}"
    then = "- if fit:\n    - admin announces: x\n      id: for"
    assert heard(spec(asks, then), {"admin": given}) == (["for"] if given == "yes" else [])
