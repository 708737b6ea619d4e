"""A condition on the sum of values in two currencies holds for nobody, and a run says so at the line of the condition.

Neighbours: sums of a field, of the fields of both sides, of one side, of what stands in the item of a loop, of answers
item by item or of each round for itself; one currency, two, none, two signs that may be one currency; in English and in
Chinese sentences.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import opened, places, played

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.model.events import Request, Spoke
from legalworld.runs.play_remarks import told_of_play
from legalworld.wording.diagnostics import render

HEAD = """\
lw: 1
procedure: sums
title: Sums
locale: {locale}
case:
  claims: {{path: "$.claims[*]", each: claim, keys: [name, amount]}}
  bills:  {{path: "$.bills[*]", each: bill, keys: [name, parts, halves]}}
  parts:  {{path: "$.parts.{{side}}[*]", per: side, each: part, keys: [amount]}}
kinds: {{J: judge, P: party}}
roles:
  judge: {{title: Judge, kind: judge}}
  ann:   {{title: Ann, kind: party, side: one}}
  bob:   {{title: Bob, kind: party, side: two}}
stages:
  - stage: court
    title: T
    steps:
      - judge announces: x
"""
ASKED = "      - for each claim in claims:\n          - judge notes: x\n            answer: due is number\n"
FROM = {
    "field": ("", {"en": "sum of claims.amount", "zh": "claims.amount 的 合计"}),
    "both sides": ("", {"en": "sum of parts.amount", "zh": "parts.amount 的 合计"}),
    "one side": ("", {"en": "sum of parts.amount of ann", "zh": "ann 的 parts.amount 的 合计"}),
    "answers": (ASKED, {"en": "sum of due", "zh": "due 的 合计"}),
    "item": (
        "      - for each bill in bills:\n",
        {"en": "sum of bill.parts.amount", "zh": "bill.parts.amount 的 合计"},
    ),
    "item of an item": (
        "      - for each bill in bills:\n          - for each half in bill.halves:\n",
        {"en": "sum of half.parts.amount", "zh": "half.parts.amount 的 合计"},
    ),
    "rounds": (ASKED, {"en": "sum of due", "zh": "due 的 合计"}),  # of each round for itself: one currency each
}
INSIDE = {"item": 4, "item of an item": 8, "rounds": 4}  # how much deeper the condition stands
SUMS = {  # what is written -> whether all can be added
    ("100 EUR", "200 EUR"): True,
    ("100", "200"): True,
    ("100 EUR", "200"): True,
    ("$100", "200 USD"): True,
    ("100 EUR", "200 USD"): False,
    ("£100", "€200"): False,
    ("100", "200 GBP", "300 EUR"): False,
}
HELD = {"en": "{} at least 150", "zh": "{} 至少 150"}


@pytest.mark.parametrize(("locale", "source", "said"), list(product(HELD, FROM, SUMS)))
def test_a_sum_in_two_currencies_is_told(locale: str, source: str, said: tuple[str, ...]) -> None:
    before, what = FROM[source]
    condition = HELD[locale].format(what[locale])
    inner = " " * (6 + INSIDE.get(source, 0))
    last = f"{inner}- judge announces: x\n{inner}  id: held\n{inner}  when: {condition}\n"
    spec = HEAD.format(locale="en") + before + last
    project = opened(spec)
    assert project.procedure is not None, render(project.problems, project.sources.read, "en")
    claims = ", ".join(f'{{name: c{number}, amount: "{text}"}}' for number, text in enumerate(said))
    ann = said if source == "one side" else said[:1]
    parts = [", ".join(f'{{amount: "{text}"}}' for text in texts) for texts in (ann, said[1:] or said)]
    text = f"lw: 1\ncase: c\ntitle: t\nclaims: [{claims}]\nparts: {{one: [{parts[0]}], two: [{parts[1]}]}}\n"
    one = ", ".join(f'{{amount: "{text}"}}' for text in said)
    text += f"bills: [{{name: b, parts: [{one}], halves: [{{parts: [{one}]}}]}}]\n"
    data, _ = parse_data("case.yaml", text)
    assert data is not None
    case, wrong = bind(project.procedure, data, record=None, binding=None, settings={})
    assert case is not None, wrong
    waiting = list(said)

    def say(request: Request) -> str:
        return f"x <<due: {waiting.pop(0)}>>" if request.form.answer is not None else "word"

    game = played(spec, text, say)
    held = any("held" in places(event.place) for event in game.of(Spoke))
    told = told_of_play(project.procedure, case, game.events)
    adds = SUMS[said] or source == "rounds"
    assert held is adds
    assert [one.code for one in told] == ([] if adds else ["LW590"])
    for one in told:
        assert one.span.line == spec.split("when: ")[0].count("\n") + 1 and one.severity == "warning"
        assert "LW590" in render(told, project.sources.read, "zh") and "LW590" in render(
            told, project.sources.read, "en"
        )
