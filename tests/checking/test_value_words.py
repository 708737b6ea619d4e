"""A comparison of a typed value that cannot hold is told by its cause: a word that is no choice, two currencies."""

from __future__ import annotations

import pytest
from neighbours import found

HEAD = """\
lw: 1
procedure: typed
title: Typed
locale: en
case:
  sort: {title: Sort, path: $.sort, type: {choices: [payment, declaration]}}
  urgent: {title: Urgent, path: $.urgent, type: yes or no}
  claims: {title: Claims, path: "$.claims[*]", each: claim, keys: [n, kind], types: {kind: {choices: [debt, damage]}}}
  cap: {title: Cap, path: $.cap, type: {type: amount, currency: GBP}}
  fee: {title: Fee, path: $.fee, type: {type: amount, currency: CHF}}
  sum: {title: Sum, path: $.sum, type: {type: amount, currency: GBP}}
  far: {title: Far, path: $.far, type: {type: number, unit: km}}
  near: {title: Near, path: $.near, type: {type: number, unit: m}}
kinds: {J: judge}
roles:
  judge: {title: Judge, kind: judge}
stages:
  - stage: a
    title: A
    steps:
"""


def codes(condition: str, loop: str = "") -> list[str]:
    pad = "      " if not loop else "          "
    lines = [f"      - {loop}:"] if loop else []
    lines += [f"{pad}- if {condition}:", f"{pad}    - judge announces: x"]
    return [problem.code for problem in found(HEAD + "\n".join(lines) + "\n") if problem.severity == "error"]


TOLD = {"urgent": "LW074"}  # a yes or no has a message of its own
WORDS = {"sort": ("payment", "paymnt"), "urgent": ("yes", "yse"), "claim.kind": ("debt", "det")}


@pytest.mark.parametrize("form", ["{} is {}", "{} is not {}", "{} 是 {}", "not ({} is {})"])
@pytest.mark.parametrize("name", WORDS)
def test_a_word_that_is_no_choice_is_told_as_one(name: str, form: str) -> None:
    loop = "for each claim in claims" if name.startswith("claim.") else ""
    right, wrong = WORDS[name]
    assert codes(form.format(name, right), loop) == []
    assert codes(form.format(name, wrong), loop) == [TOLD.get(name, "LW077")]


@pytest.mark.parametrize("form", ["{} at least {}", "{} at most {}", "{} 至少 {}"])
@pytest.mark.parametrize(
    ("left", "right", "code"),
    [
        ("cap", "sum", ""),
        ("cap", "fee", "LW989"),
        ("fee", "sum", "LW989"),
        ("far", "near", "LW989"),
        ("far", "cap", "LW768"),
        ("sort", "cap", "LW768"),
    ],
)
def test_two_currencies_and_two_kinds_are_told_apart(left: str, right: str, code: str, form: str) -> None:
    assert codes(form.format(left, right)) == ([code] if code else [])
