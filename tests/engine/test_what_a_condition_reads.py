"""What a condition reads of a value, wherever it comes from: the same of a field, an answer, a list and a vote.

Neighbours: ways of writing a number, currencies, items and rounds of loops, who was asked when. What holds is reckoned
here, and compared with what the procedure does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product

import pytest
from neighbours import Game, codes, places, played

from legalworld.model.events import Captured, Request, Spoke

HEAD = """\
lw: 1
procedure: reads
title: Reads
locale: {locale}
case:
  fee:    {{title: Fee, path: $.fee, type: {fee}}}
  debts:  {{title: Debts, path: "$.debts[*]", each: debt, keys: [name]}}
  gone:   {{title: Gone, path: $.gone, type: yes or no}}
  people: {{title: People, path: "$.people[*]", each: person, keys: [name, away], types: {{away: yes or no}}}}
kinds: {{J: judge, P: party}}
roles:
  judge: {{title: Judge, kind: judge}}
  party: {{title: Party, kind: party, each: people, absent if: person.away}}
visibility: |
  | field | court |
  |-------|-------|
  | fee   | J     |
  | debts | J     |
stages:
  - stage: court
    title: T
    present: judge, party
    steps:
"""
CASE = """\
lw: 1
case: reads
fee: {fee}
debts: [{{name: one}}, {{name: two}}, {{name: three}}]
gone: {gone}
people: [{{name: Ann, away: {away}}}, {{name: Bob, away: no}}]
"""


def game_of(
    body: str, conditions: Sequence[str], said: Mapping[str, Sequence[str]], *, locale: str = "en", **case: str
) -> tuple[Game, set[str]]:
    """A game in which the answers are given in order, and the conditions that held at its end."""
    lines = body.rstrip("\n").split("\n") if body else []
    for number, condition in enumerate(conditions):
        lines += ["- judge announces: x", f"  id: held{number}", f"  when: {condition}"]
    fee = case.pop("kind", "{type: amount, currency: CHF}")
    text = HEAD.format(locale=locale, fee=fee) + "".join(f"      {line}\n" for line in lines)
    left = {name: list(values) for name, values in said.items()}

    def say(request: Request) -> str:
        answer = request.form.answer
        return f"x <<{answer.name}: {left[answer.name].pop(0)}>>" if answer is not None else "x"

    values = {"fee": "CHF 500", "gone": "no", "away": "no", **case}
    game = played(text, CASE.format(**values), say)
    held = {place for event in game.of(Spoke) for place in places(event.place) if place.startswith("held")}
    return game, {conditions[int(one.removeprefix("held"))] for one in held}


# ---- yes and no ------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("word", "locale"), list(product(("yes", "no", "是", "否", "true", "false"), ("en", "zh"))))
def test_the_bare_name_of_a_yes_or_no_asks_for_a_yes(word: str, locale: str) -> None:
    yes = word in ("yes", "是", "true")
    asked = ["gone", "gone is yes", "not gone", "gone is empty"]
    game, held = game_of("", asked, {}, locale=locale, gone=word, away=word)
    assert held == ({"gone", "gone is yes"} if yes else {"not gone"})
    absent = [event.persons for event in game.events if getattr(event, "how", "") == "absent"]
    assert absent == ([("party-1",)] if yes else [])


# ---- numbers and currencies ------------------------------------------------------------------------------------------
HUNDRED = ("1000000", "1,000,000", "壹佰万元", "100万元", "一百万", "1000k", "￥1000000", "人民币壹佰万元整")


@pytest.mark.parametrize("word", HUNDRED)
def test_a_number_in_an_answer_is_read_as_in_a_field(word: str) -> None:
    body = "- judge notes: x\n  answer: sum is number\n"
    asked = ["sum at least 1000000", "sum at most 1000000", "sum at least fee", "sum at most fee", "sum is 1000000"]
    _, held = game_of(body, asked, {"sum": [word]}, locale="zh", kind="amount", fee=word)
    assert held == set(asked)


@pytest.mark.parametrize(
    ("answer", "fee", "kind", "fits"),
    [
        ("$600", "CHF 500", "{type: amount, currency: CHF}", False),
        ("CHF 600", "CHF 500", "{type: amount, currency: CHF}", True),
        ("600", "CHF 500", "{type: amount, currency: CHF}", True),
        ("USD 600", "$500", "{type: amount, currency: USD}", True),
        ("$600", "USD 500", "amount", True),
        ("€600", "USD 500", "amount", False),
        ("HK$600", "£500", "amount", False),
    ],
)
def test_sums_of_two_currencies_are_not_compared(answer: str, fee: str, kind: str, fits: bool) -> None:
    asked = ["sum at least fee", "sum at most fee", "sum at least 500"]
    _, held = game_of("- judge notes: x\n  answer: sum is number\n", asked, {"sum": [answer]}, fee=fee, kind=kind)
    assert held == ({"sum at least fee"} if fits else set()) | {"sum at least 500"}


# ---- what is asked item by item --------------------------------------------------------------------------------------
LOOPS = {
    "item by item": "- for each debt in debts:\n    - judge notes: x\n      id: ask\n      answer: {answer}\n",
    "each round": (
        "- repeat 2 rounds:\n    - for each debt in debts:\n        - judge notes: x\n          answer: {answer}\n"
    ),
    "persons": "- judge asks party: x\n  answer: {answer}\n- judge announces: x\n",
}


@pytest.mark.parametrize(("way", "locale"), list(product(LOOPS, ("en", "zh"))))
def test_a_sum_of_answers_adds_those_on_all_items(way: str, locale: str) -> None:
    said = {"item by item": ["60", "50", "7"], "each round": ["1", "2", "3", "60", "50", "7"], "persons": ["60", "57"]}
    body, asked = (
        LOOPS[way].format(answer="weight is number"),
        ["sum of weight at least 117", "sum of weight at most 117"],
    )
    _, held = game_of(body, asked, {"weight": said[way]}, locale=locale)
    assert held == set(asked)


@pytest.mark.parametrize("way", [way for way in LOOPS if way != "persons"])
def test_lists_noted_item_by_item_are_gone_through_whole(way: str) -> None:
    body = LOOPS[way].format(answer="issues is list")
    body += "- for each issue in issues:\n    - judge notes: x\n      id: each\n      answer: found is yes or no\n"
    lists = ["a; b", "c; d", "e"]
    said = {"issues": lists if way == "item by item" else ["x", "y", "z", *lists], "found": ["yes"] * 5}
    game, held = game_of(body, ["count of issues at least 5", "count of issues at most 5", "all found"], said)
    assert len(held) == 3
    about = [event.about for event in game.of(Captured) if event.name == "found"]
    assert len(set(about)) == 5


def test_inside_the_loop_each_item_has_its_own_list() -> None:
    body = (
        "- for each debt in debts:\n    - judge notes: x\n      answer: issues is list\n"
        "    - for each issue in issues:\n        - judge notes: about {{issue}}\n          id: each\n"
        "          answer: found is yes or no\n"
    ).replace("{{issue}}", "{issue}")
    said = {"issues": ["a1; b1", "c1", "d1; e1; f1"], "found": ["yes"] * 6}
    lines = "".join(f"      {line}\n" for line in body.rstrip().split("\n"))
    text = HEAD.format(locale="en", fee="amount").replace(
        "  | debts | J     |\n", "  | debts | J     |\n  | issues | J |\n"
    )
    left = {name: list(values) for name, values in said.items()}
    game = played(
        text + lines,
        CASE.format(fee="1", gone="no", away="no"),
        lambda request: f"x <<{request.form.answer.name}: {left[request.form.answer.name].pop(0)}>>",
    )
    told = [re.search("about (\\w+)", game.task(request).rpartition("): ")[2])[1] for request in game.said("each")]
    assert told == ["a1", "b1", "c1", "d1", "e1", "f1"]


# ---- who was asked when ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("leaves", "second"), list(product((False, True), ("yes", "no"))))
def test_a_yes_to_an_earlier_question_is_none_to_a_later_one(leaves: bool, second: str) -> None:
    body = "- judge asks party: the first proposal\n  answer: agreed is yes or no\n"
    body += "- for each one in party:\n    - if one.name is Ann:\n        - one leaves\n" if leaves else ""
    body += "- judge asks party: the second proposal\n  answer: agreed is yes or no\n"
    said = ["yes", "yes", second] if leaves else ["yes", "yes", "yes", second]
    _, held = game_of(body, ["all agreed", "most agreed", "any agreed", "agreed"], {"agreed": said})
    if leaves:
        assert held == ({"any agreed"} if second == "yes" else set())
    else:
        assert held == ({"all agreed", "most agreed", "any agreed", "agreed"} if second == "yes" else {"any agreed"})


@pytest.mark.parametrize(("ann", "bob"), list(product(("yes", "no"), repeat=2)))
def test_the_vote_of_a_person_in_hand_is_his_own(ann: str, bob: str) -> None:
    body = "- judge, party vote: the plan\n  answer: plan is yes or no\n  tie: no\n"
    body += "- for each one in party:\n"
    body += "".join(
        f"    - judge announces: x\n      id: {name}\n      when: {condition}\n"
        for name, condition in (("for", "plan of one"), ("against", "plan of one is no"))
    )
    text = HEAD.format(locale="en", fee="amount") + "".join(f"      {line}\n" for line in body.rstrip().split("\n"))
    votes = {"party-1": ann, "party-2": bob, "judge": "yes"}
    game = played(
        text,
        CASE.format(fee="1", gone="no", away="no"),
        lambda request: f"x <<plan: {votes[request.person]}>>" if request.form.answer is not None else "x",
    )
    said = [place for event in game.of(Spoke) for place in places(event.place) if place in ("for", "against")]
    assert said == ["for" if vote == "yes" else "against" for vote in (ann, bob)]


@pytest.mark.parametrize("votes", list(product(("yes", "no"), repeat=2)))
def test_a_vote_on_each_person_is_the_vote_on_him(votes: tuple[str, str]) -> None:
    """Judges vote on one person after the other; what is asked of the person in hand is how that vote came out."""
    text = (
        HEAD.format(locale="en", fee="amount")
        .replace(
            "  judge: {title: Judge, kind: judge}\n",
            ("  judge: {title: Judge, kind: judge}\n  second: {title: Second, kind: judge}\n"),
        )
        .replace("present: judge, party", "present: judge, second, party")
    )
    text += (
        "      - for each one in party:\n          - judge, second vote: on him\n            answer: fit is yes or no\n"
        "            tie: no\n          - judge announces: x\n            id: fits\n            when: fit of one\n"
    )
    left = [vote for vote in votes for _ in range(2)]

    def say(request: Request) -> str:
        return f"x <<fit: {left.pop(0)}>>" if request.form.answer is not None else "x"

    game = played(text, CASE.format(fee="1", gone="no", away="no"), say)
    assert sum("fits" in places(event.place) for event in game.of(Spoke)) == votes.count("yes")


def test_what_is_not_said_is_refused() -> None:
    text = HEAD.format(locale="en", fee="amount")
    several = "      - judge announces: x\n        when: debts.name at least 1\n"
    choice = "      - judge notes: x\n        answer: ruling is one of granted, refused\n"
    bare = "      - judge announces: x\n        when: ruling\n"
    assert "LW841" in codes(text + several)
    assert "LW985" in codes(text + choice + bare)
    assert not {"LW985", "LW841"} & {*codes(text + choice + bare.replace("ruling", "ruling is granted"))}
