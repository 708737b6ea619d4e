"""Who walked out is not absent: a condition that asks for absence alone, where he may have left, is told.

Neighbours: how he leaves, where it is asked and with which words, whether the stage tells the three apart, two
languages. Asserted of all: exactly the conditions that miss him are told, at the place where he is named.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import codes

HEAD = """\
lw: 1
procedure: room
title: {title}
locale: {locale}
case:
  people: {{title: "{title}", path: "$.people.{{side}}[*]", per: side, each: one, keys: [name, away]}}
kinds: {{J: judge, P: party, W: witness}}
roles:
  judge:   {{title: Judge, kind: judge}}
  suing:   {{title: Suing, kind: party, side: left, each: people, absent if: one.away is yes}}
  sued:    {{title: Sued, kind: party, side: right, each: people}}
{events}stages:
  - stage: s
    title: S
    present: judge, suing, sued
    steps:
      - judge asks sued: it
        answer: going is yes or no
{steps}"""
EVENT = "events:\n  off:\n    title: Off\n    whenever: going\n    steps:\n      - suing {leaves}\n"
WORDS = {
    "en": {"leaves": "leaves", "enters": "enters", "absent": "suing is absent", "if": "if", "left": "suing has left"},
    "zh": {"leaves": "退庭", "enters": "到庭", "absent": "suing 缺席", "if": "如果", "left": "suing 已退庭"},
}
LEAVING = {
    "always": "      - suing {leaves}\n",
    "perhaps": "      - {if} going:\n          - suing {leaves}\n",
    "when": "      - suing {leaves}:\n        when: going\n",
    "event": "",
}
ASKING = {
    "if": "      - {if} {absent}:\n          - judge announces: it\n",
    "if not": "      - {if} not ({absent}):\n          - judge announces: it\n",
    "when": "      - judge announces: it\n        when: {absent}\n",
    "and": "      - judge announces: it\n        when: going and ({absent})\n",
}


def spec(locale: str, steps: str, *, event: bool = False) -> str:
    words = WORDS[locale]
    events = EVENT.format(**words) if event else ""
    return HEAD.format(locale=locale, title="The room", events=events, steps=steps.format(**words))


@pytest.mark.parametrize(("locale", "leaving", "asking"), list(product(WORDS, LEAVING, ASKING)))
def test_a_condition_that_misses_who_walked_out_is_told(locale: str, leaving: str, asking: str) -> None:
    event = leaving == "event"
    before, asked = LEAVING[leaving], ASKING[asking]
    assert "LW292" in codes(spec(locale, before + asked, event=event))
    assert ("LW292" in codes(spec(locale, asked + before, event=event))) == event  # an event may come at any time
    told_apart = "      - {if} {left}:\n          - judge announces: it\n"
    assert "LW292" not in codes(spec(locale, before + asked + told_apart, event=event))


@pytest.mark.parametrize("locale", WORDS)
def test_a_round_that_comes_again_comes_after_the_leaving(locale: str) -> None:
    rounds = "      - repeat 2 rounds:\n{}"
    inside = "".join(f"    {line}\n" for line in (ASKING["if"] + LEAVING["perhaps"]).splitlines())
    assert "LW292" in codes(spec(locale, rounds.format(inside)))


@pytest.mark.parametrize("locale", WORDS)
def test_a_witness_called_in_and_let_go_is_none_who_walked_out(locale: str) -> None:
    called = (
        "      - {if} {absent}:\n          - judge announces: it\n      - {otherwise}:\n          - suing {enters}\n"
    )
    called = called.replace("{otherwise}", "否则" if locale == "zh" else "else")
    assert "LW292" not in codes(spec(locale, LEAVING["always"] + called))
    let_go = "      - suing {leaves}\n      - {if} {absent}:\n          - judge announces: it\n"
    assert "LW292" not in codes(spec(locale, "      - suing {enters}:\n        when: going\n" + let_go))


@pytest.mark.parametrize(
    ("title", "said", "told"),
    [("The room", False, True), ("The room", True, False), ("法庭", False, False), ("42", False, True)],
)
def test_the_language_of_the_prompts_is_said_where_no_word_shows_it(title: str, *, said: bool, told: bool) -> None:
    text = spec("zh", ASKING["if"]).replace("The room", title)
    text = text if said else text.replace("locale: zh\n", "")
    assert ("LW293" in codes(text)) == told
