"""What is right is not told to be wrong: who is sent out with the person of a loop, whose prompts have the same names.

Neighbours: those sent out rest on whom the loop has come to, in each relation; or they do not. Prompts of another
procedure are named as the neutral ones, or by its own steps and fields.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import codes

SPEC = """\
lw: 1
procedure: alarms
title: A
locale: en
kinds: {J: judge, P: party, L: lawyer}
roles:
  judge: {title: Judge, kind: judge}
  left:  {title: Left, kind: party, side: one}
  right: {title: Right, kind: party, side: two}
  left_counsel:  {title: Left counsel, kind: lawyer, side: one, represents: left}
  right_counsel: {title: Right counsel, kind: lawyer, side: two, represents: right}
stages:
  - stage: court
    title: T
    steps:
"""
OUT = {
    "opponent of one": False,
    "lawyer of opponent of one": False,
    "opponent of one, lawyer of opponent of one": False,
    "lawyer of one": False,
    "one": True,
    "left, right": True,
    "left": False,
}


@pytest.mark.parametrize("out", OUT)
def test_who_is_sent_out_for_the_person_of_a_loop(out: str) -> None:
    for asked in ("left, right", "right, left"):
        steps = f"      - for each one in {asked}:\n          - judge asks one: x\n            closed to: {out}\n"
        assert ("LW470" in codes(SPEC + steps + "      - lawyer of left states: x\n")) == OUT[out], out


NEUTRAL = ("offline/answer", "offline/ask", "offline/vote", "offline/note", "act/ask")
OWN = ("act/ask.greet", "where/court", "offline/ask.greet", "act/answer.greet")


@pytest.mark.parametrize(("neutral", "own"), list(product((0, 3, 5), (0, 2, 4))))
def test_a_procedure_is_no_copy_of_one_that_words_the_same_acts(neutral: int, own: int) -> None:
    names = (*NEUTRAL[:neutral], *OWN[:own])
    other = {f"prompts/en/other/{name}.j2": "word" for name in names}
    steps = "      - judge asks left: x\n        id: greet\n      - right states: x\n"
    assert ("LW411" in codes(SPEC + steps, other)) == (own == 4)
