"""Whoever is to be named as a party and is none is told of: at the check, with the case, or when the run is over.

Neighbours: a text, a list, that of each side, a key, a loop, an answer in free words, a list or a choice, a list of the
spec; who is named by name, id or title, a witness, an office, nobody; both languages.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from neighbours import codes, neutral, opened, played

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.engine.casting import strange_names
from legalworld.model.case import Case
from legalworld.model.events import Assigned, Request
from legalworld.model.procedure import Procedure
from legalworld.runs.case_file import CaseFile, OpenedCase, bound_case, open_case_file
from legalworld.runs.play_remarks import told_of_play
from legalworld.runs.project import Project, open_project

HEAD = """\
lw: 1
procedure: named
title: Named
locale: {locale}
case:
  people:  {{path: "$.people.{{side}}[*]", per: side, each: person, keys: [id, name]}}
  seen:    {{path: "$.seen.{{side}}[*]", per: side, each: person, keys: [id, name]}}
  one:     {{path: $.one}}
  several: {{path: "$.several[*]", each: name}}
  sided:   {{path: "$.sided.{{side}}", per: side}}
  record:  {{path: $.record, keys: [by, why]}}
  motions: {{path: "$.motions[*]", each: motion, keys: [by, why]}}
kinds: {{J: judge, P: party}}
roles:
  judge:   {{title: Judge, kind: judge}}
  {party}: {{title: Claimant, kind: party, side: {party}, each: people, party: yes}}
  witness: {{title: Witness, kind: party, side: {party}, each: seen, party: no}}
  mover:   {{title: Mover, assigned: yes}}
{lists}visibility: |
  | field | court |
  |-------|-------|
  | one   | J P   |
stages:
  - stage: court
    title: T
    present: judge, {party}, witness
    steps:
"""
DIRECT = "- assign mover: parties named in {}"
ASKED = ["- judge asks {party}: who", "  answer: {form}", "- assign mover: parties named in who"]
SOURCES = {
    "a text": ["one: {word}", DIRECT.format("one")],
    "a list": ["several: [{word}]", DIRECT.format("several")],
    "of each side": ["sided: {{{party}: {word}}}", DIRECT.format("sided")],
    "a key": ["record: {{by: {word}, why: Ann asked}}", DIRECT.format("record.by")],
    "a loop": ["several: [{word}]", "- for each x in several:", "    " + DIRECT.format("x")],
    "a key in a loop": [
        "motions: [{{by: {word}, why: w}}]",
        "- for each x in motions:",
        "    " + DIRECT.format("x.by"),
    ],
    "a record": ["motions: [{{by: {word}, why: w}}]", "- for each x in motions:", "    " + DIRECT.format("x")],
    "free words": ["one: y", *ASKED],
    "an answered list": ["one: y", *ASKED],
    "a choice": ["one: y", *ASKED],
    "a list of the spec": ["one: y", DIRECT.format("points")],
}
FORMS = {"free words": "who is text", "an answered list": "who is list", "a choice": "who is one of {word}, both"}
WORDS = {"Ann": True, "A1": True, "Claimant": True, "Will": False, "Witness": False, "judge": False, "Nobody": False}
LOCALES = {"en": "claimant", "zh": "原告方"}


def game_of(source: str, word: str, locale: str) -> tuple[str, str]:
    party = LOCALES[locale]
    case, *steps = SOURCES[source]
    fills = {"word": word, "party": party, "form": FORMS.get(source, "").format(word=word)}
    lists = f"lists: {{points: [{word}]}}\n" if source == "a list of the spec" else ""
    body = "".join(f"      {step.format(**fills)}\n" for step in [*steps, "- judge announces: x"])
    people = f"people: {{{party}: [{{id: A1, name: Ann}}]}}\nseen: {{{party}: [{{id: W1, name: Will}}]}}\n"
    spec = HEAD.format(locale=locale, party=party, lists=lists) + body
    return spec, f"lw: 1\ncase: c\n{people}{case.format(**fills)}\n"


def bound(procedure: Procedure, case: str) -> Case:
    data, _ = parse_data("case.yaml", case)
    assert data is not None
    found, wrong = bind(procedure, data, record=None, binding=None, settings={})
    assert found is not None, wrong
    return found


@pytest.mark.parametrize("source", SOURCES)
def test_a_party_is_assigned_and_anybody_else_is_told_of(source: str) -> None:
    for (word, party), locale in product(WORDS.items(), LOCALES):
        spec, case = game_of(source, word, locale)
        procedure = opened(spec).procedure
        if procedure is None:
            assert not party and "LW575" in codes(spec), (word, locale)
            continue
        said = {"en": "<<who: {}>>", "zh": "【who：{}】"}[locale].format(word)

        def say(request: Request, said: str = said) -> str:
            return said if request.form.answer is not None else "word"

        game = played(spec, case, say)
        assigned = [one.persons for one in game.of(Assigned)]
        before = {one.word: bool(one.person) for one in strange_names(procedure, bound(procedure, case))}
        after = [one.code for one in told_of_play(procedure, bound(procedure, case), game.events)]
        told = bool({"LW573", "LW575"} & set(codes(spec))) or word in before or "LW574" in after
        assert assigned[:1] == ([(LOCALES[locale],)] if party else [()]), (word, locale)
        if party:
            assert word not in before and "LW574" not in after, (word, locale)
        else:
            assert told, (word, locale, codes(spec), before, after)
        if word in before:
            assert before[word] == (word != "Nobody")


@pytest.mark.parametrize(("word", "code"), [("Nobody", "LW197"), ("Will", "LW573"), ("Witness", "LW573"), ("Ann", "")])
def test_a_case_is_refused_where_it_names_no_party_at_the_line_that_names_him(
    word: str, code: str, tmp_path: Path
) -> None:
    spec, case = game_of("a key in a loop", word, "en")
    for name, text in {**neutral(), "specs/named.yaml": spec, "cases/named.yaml": case}.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    project = open_project("specs/named.yaml", tmp_path)
    assert isinstance(project, Project)
    file = open_case_file(project, "cases/named.yaml", "", tmp_path)
    assert isinstance(file, CaseFile)
    read = bound_case(project, file, None, {}, tmp_path)
    problems = read.problems if isinstance(read, OpenedCase) else read
    told = [(one.code, one.span.line) for one in problems if one.severity == "error"]
    line = next(number for number, text in enumerate(case.split("\n"), 1) if text.startswith("motions"))
    assert told == ([(code, line)] if code else [])
