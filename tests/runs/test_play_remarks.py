"""What a run remarks on when it is over is told in both languages, and told where the procedure says what it is about.

Neighbours: a document that was made or not, names that are a party's or not, years of which the working days are known
or not; both languages of the procedure.
"""

from __future__ import annotations

from itertools import product

import pytest
from neighbours import opened, played

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.model.events import Request
from legalworld.runs.play_remarks import told_of_play
from legalworld.wording.diagnostics import render

SPEC = """\
lw: 1
procedure: remarks
title: Remarks
locale: {locale}
case:
  people:   {{path: "$.people.{{side}}[*]", per: side, each: party, keys: [name]}}
  calendar: {{path: $.calendar, keys: [filed]}}
  made:     {{path: $.made}}
kinds: {{J: judge, P: party}}
roles:
  judge: {{title: Judge, kind: judge}}
  ann:   {{title: Ann, kind: party, side: one, each: people}}
  mover: {{title: The mover, assigned: yes}}
documents: {{paper: {{title: The paper}}}}
dates:
  filed: {{from: calendar.filed}}
  due:   {{title: The last day, is: 5 working days after filed}}
holidays: CN
visibility: |
  | field    | court |
  |----------|-------|
  | calendar | J P   |
  | due      | J P   |
stages:
  - stage: court
    title: T
    on: filed
    steps:
      - judge asks ann: who
        answer: who is text
      - assign mover: parties named in who
      - if made is full:
          - judge drafts paper: x
      - end case with paper: over
        outcome: over
"""
SAID = {"en": "<<who: {}>>", "zh": "【who：{}】"}
TITLES = {"LW987": "The paper", "LW574": "The mover", "LW988": "The last day"}


@pytest.mark.parametrize("locale", SAID)
def test_what_did_not_come_as_it_was_to_is_remarked_on(locale: str) -> None:
    spec = SPEC.format(locale=locale)
    project = opened(spec)
    assert project.procedure is not None, render(project.problems, project.sources.read, "en")
    for made, name, year in product(("full", "nothing"), ("Ann", "Zoe"), ("2024", "2049")):
        text = f"lw: 1\ncase: c\nmade: {made}\ncalendar: {{filed: {year}-03-04}}\npeople: {{one: [{{name: Ann}}]}}\n"
        data, _ = parse_data("case.yaml", text)
        assert data is not None
        case, _ = bind(project.procedure, data, record=None, binding=None, settings={})
        assert case is not None

        def say(request: Request, name: str = name) -> str:
            return SAID[locale].format(name) if request.form.answer is not None else "word"

        told = told_of_play(project.procedure, case, played(spec, text, say).events)
        wanted = {"LW987": made != "full", "LW574": name != "Ann", "LW988": year == "2049"}
        assert {one.code for one in told} == {code for code, due in wanted.items() if due}, (made, name, year)
        for one, language in product(told, ("zh", "en")):
            words = render((one,), project.sources.read, language)
            assert one.code in words and TITLES[one.code] in words and "{" not in words.partition("\n")[0]
            assert one.severity == "warning" and one.span.file == "specs/spec.yaml"
