"""What is wrong of a condition by itself is told at once, whatever else is wrong; no repair leads to another remark.

Neighbours: mistakes that cannot be linked beside each of the findings, before and behind them; dissents on claims.
"""

from __future__ import annotations

import pytest
from neighbours import codes

HEAD = """\
lw: 1
procedure: once
title: Once
locale: en
case:
  filed:  {path: $.filed, type: date}
  mode:   {path: $.mode, type: {choices: [oral, written]}}
  first_sum: {path: $.sum, type: {type: amount, currency: GBP}}
  second_sum: {path: $.other, type: {type: amount, currency: CHF}}
  claims: {path: "$.claims[*]", each: claim, keys: [n, text]}
kinds: {J: judge, P: party}
roles:
  judge: {title: Judge, kind: judge}
  wing:  {title: Wing, kind: judge, persons: 2}
  party: {title: Party, kind: party}
documents: {opinion: {title: Opinion}}
visibility: |
  | field   | court | second |
  |---------|-------|-------|
  | claims  | J P   | J P   |
  | due     | J     | J     |
  | opinion | -     | J P   |
stages:
  - stage: court
    title: T
    steps:
"""
LATER = "  - stage: second\n    title: L\n    steps:\n      - judge announces: x\n"
FINDINGS = {
    "LW768": "- judge announces: x\n  when: filed at least 5",
    "LW077": "- judge announces: x\n  when: mode is orally",
    "LW989": "- judge announces: x\n  when: first_sum at least second_sum",
    "LW841": "- judge announces: x\n  when: claims at least 5",
}
MISTAKES = {
    "LW060": "- judgge announces: x",
    "LW061": "- for each x in clams:\n    - judge announces: x",
    "LW069": "- judge announces: x\n  until: judge says 【done】",
    "LW070": "- judge moderates party: x\n  call: 【to {role}】\n  close: 【closed】",
    "LW066": "- perform nothing_known:",
    "LW077": "- party states: x\n  answer: due is one of a, b\n  default: c",
    "LW443": "- judge, wing vote: x\n  answer: due is yes or no\n  tie: maybe",
}


def spec(*steps: str) -> str:
    body = "".join(f"      {line}\n" for step in steps for line in step.split("\n"))
    return HEAD + body + LATER


@pytest.mark.parametrize("code", FINDINGS)
def test_a_finding_is_told_beside_what_cannot_be_linked(code: str) -> None:
    alone = codes(spec(FINDINGS[code])).count(code)
    assert alone == 1
    for name, mistake in MISTAKES.items():
        mine = codes(spec(mistake))
        for steps in ((mistake, FINDINGS[code]), (FINDINGS[code], mistake)):
            found = codes(spec(*steps))
            assert found.count(code) == alone + mine.count(code), (name, found)


def test_several_findings_are_told_together_and_none_twice() -> None:
    found = codes(spec(*FINDINGS.values(), *MISTAKES.values()))
    for code in FINDINGS:
        assert found.count(code) == 1 + (code == "LW077"), found


VOTE = "    - judge, wing vote: whether it is due\n      answer: due is yes or no\n      reveals: names"
DISSENTS = {
    "a document behind the loop": ("", "- minority of due drafts opinion: why"),
    "a statement behind the loop": ("", "- minority of due states: why"),
    "a document in the loop": ("\n    - minority of due drafts opinion: why", ""),
    "a statement in the loop": ("\n    - minority of due states: why", ""),
    "a statement in the loop, and one paper behind": (
        "\n    - minority of due states: why",
        "- judge drafts opinion: all",
    ),
}


@pytest.mark.parametrize("way", DISSENTS)
def test_what_a_remark_proposes_is_not_refused_by_another(way: str) -> None:
    inside, behind = DISSENTS[way]
    found = set(codes(spec(f"- for each claim in claims:\n{VOTE}{inside}", *filter(None, [behind]))))
    told = found & {"LW773", "LW776"}
    assert len(told) <= 1, found
    assert bool(told) == ("statement in the loop" not in way), found
