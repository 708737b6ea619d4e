"""Each side writes its own paper, the chair does not call himself, and a case does not end with a paper nobody wrote
without a word."""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import codes, played

from legalworld.model.events import Drafted, Request, Spoke
from legalworld.model.outcome import Ended

HEAD = """\
lw: 1
procedure: own
title: Own
locale: {locale}
kinds: {{J: judge, L: lawyer, P: party}}
roles:
  judge: {{title: Judge, kind: judge, persons: {judges}}}
  a:     {{title: Ann, kind: party, side: left}}
  b:     {{title: Bob, kind: party, side: right}}
  la:    {{title: counsel, kind: lawyer, side: left, represents: a}}
  lb:    {{title: counsel, kind: lawyer, side: right, represents: b}}
  appellant: {{title: Appellant, assigned: yes}}
documents:
  notice: {{title: Notice, per: side}}
  order:  {{title: Order}}
visibility: |
  | field  | court |
  |--------|-------|
  | notice | J L P |
  | order  | J L P |
stages:
  - stage: court
    title: T
    steps:
      - judge asks a, b, la, lb: x
{steps}
"""


def spec(steps: str, locale: str, judges: int = 1) -> str:
    body = "\n".join(f"      {line}" for line in steps.split("\n"))
    return HEAD.format(locale=locale, judges=judges, steps=body)


APPEALS = {"a": {"left"}, "b": {"right"}, "a, b": {"left", "right"}}


@pytest.mark.parametrize(("who", "locale"), list(product(APPEALS, ("en", "zh"))))
def test_of_a_paper_that_each_side_has_each_writes_its_own(who: str, locale: str) -> None:
    steps = f"- assign appellant: {who}\n- lawyer of appellant drafts notice: x\n- judge drafts order: x"
    game = played(spec(steps, locale), say=lambda request: f"x {request.person}")
    notices = {event.side: event for event in game.of(Drafted) if event.document == "notice"}
    assert {*notices} == APPEALS[who]
    assert all(event.person == f"l{side[0].replace('l', 'a').replace('r', 'b')}" for side, event in notices.items())
    assert len([event for event in game.of(Drafted) if event.document == "order"]) == 1


@pytest.mark.parametrize(("judges", "among", "locale"), list(product((1, 2), (True, False), ("en", "zh"))))
def test_the_chair_is_not_among_those_whom_he_calls(judges: int, among: bool, locale: str) -> None:
    speakers = "judge, a, b" if among else "a, b"
    steps = f"- judge moderates {speakers}: x\n  id: it\n  call: <<to {{role}}>>\n  close: <<over>>\n  at most: 8 turns"
    offered: list[tuple[str, ...]] = []

    def say(request: Request) -> str:
        if request.act == "moderate":
            offered.append(tuple(request.form.leading))
        return "x"

    steps += "\n- lawyer of a drafts notice: x\n- judge drafts order: x"
    game = played(spec(steps, locale, judges), say=say)
    assert offered
    (chair,) = {request.person for request in game.requests if request.act == "moderate"}
    assert chair not in {event.person for event in game.of(Spoke) if event.act == "reply"}
    assert all(len(one) == 3 + (among and judges - 1) for one in offered)


@pytest.mark.parametrize(("written", "locale"), list(product((True, False), ("en", "zh"))))
def test_a_case_does_not_end_in_silence_with_what_nobody_wrote(written: bool, locale: str) -> None:
    steps = "- judge notes: x\n  answer: granted is yes or no\n- if granted:\n    - judge drafts order: x\n"
    steps += "- lawyer of a drafts notice: x\n- end case with order: made\n  outcome: made"
    game = played(
        spec(steps, locale), say=lambda r: f"x <<granted: {'yes' if written else 'no'}>>" if r.form.answer else "x"
    )
    (ended,) = game.of(Ended)
    assert (ended.lacking == "order") is not written


def test_who_votes_but_is_several_is_told_as_such() -> None:
    steps = "- judge, a vote: x\n  answer: due is yes or no\n  tie: {tie}"
    assert "LW842" in codes(spec(steps.format(tie="judge"), "en", 3))
    assert "LW443" in codes(spec(steps.format(tie="b"), "en", 3))
