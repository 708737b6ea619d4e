"""A sum whose currency is declared, and a number whose unit is, is never told bare: in what a role is shown, of
himself, in a cue, as an answer.

Neighbours: currencies and units, fields of one record and of many, of a person, typed answers; cues that write the
currency themselves, before or behind, and cues that do not; Chinese and English.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import played

from legalworld.model.events import Request

UNITS = {  # what is declared -> how a number of it is told in Chinese, and in other languages
    "type: amount, currency: GBP": ("GBP 17", "GBP 17"),
    "type: amount, currency: CNY": ("17元", "CNY 17"),
    "type: amount, currency: JPY": ("JPY 17", "JPY 17"),
    "type: number, unit: km": ("17 km", "17 km"),
    "type: rate": ("17%", "17%"),
    "type: number, unit: 公里": ("17公里", "17公里"),
}
SPEC = """\
lw: 1
procedure: units
title: Units
locale: {locale}
case:
  claims: {{path: "$.claims[*]", each: claim, keys: [name, amount], types: {{amount: {{{unit}}}}}}}
  whole:  {{path: $.whole, keys: [name, amount], types: {{amount: {{{unit}}}}}}}
  people: {{path: "$.people[*]", each: person, keys: [name, share], types: {{share: {{{unit}}}}}}}
answers:
  due: {{{unit}}}
kinds: {{J: chair, P: owner}}
roles:
  judge: {{title: Judge, kind: chair}}
  owner: {{title: Owner, kind: owner, each: people}}
visibility: |
  | field  | court |
  |--------|-------|
  | claims | J     |
  | whole  | J     |
  | due    | J     |
stages:
  - stage: court
    title: T
    steps:
      - judge notes: x
        answer: due
      - owner states: x
      - for each claim in claims:
          - judge notes: {cue}
            id: later
"""
CASE = """\
lw: 1
case: c
claims: [{name: c1, amount: "17"}]
whole: {name: w, amount: "17"}
people: [{name: Ann, share: "17"}]
"""
CUES = {"whether {claim.amount} is due": True, "of £{claim.amount}": False, "{claim.amount} pounds or less": False}


@pytest.mark.parametrize(("locale", "unit"), list(product(("zh", "en"), UNITS)))
def test_no_sum_is_told_without_its_currency(locale: str, unit: str) -> None:
    told_as = UNITS[unit][locale != "zh"]
    for cue, bare in CUES.items():
        spec = SPEC.format(locale=locale, unit=unit, cue=f'"{cue}"')

        def say(request: Request) -> str:
            return "<<due: 17>>" if request.form.answer is not None else "word"

        game = played(spec, CASE, say)
        later = [game.task(one) for one in game.said("later")]
        shown = [game.task(one) for one in game.requests if one.person == "owner"] + later
        whole = "\n".join([*shown, *(game.task(one) for one in game.requests if one.person == "judge")])
        assert whole.count("17") >= 5
        for line in whole.splitlines():
            if "17" in line and cue.replace("{claim.amount}", "17") not in line:
                assert told_as in line, line
        assert all((told_as in "\n".join(one.splitlines()[-2:])) for one in later if bare)
        if "GBP" in unit and not bare:
            assert all(cue.replace("{claim.amount}", "17") in one for one in later), later
