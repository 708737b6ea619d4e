"""Whose memory is asked for is one person, or it is told whom it could be: by id, title or name, namesakes or not."""

from __future__ import annotations

from neighbours import opened

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.model.case import Person
from legalworld.model.diagnostics import Diagnostic
from legalworld.runs.show.memory import person_named

SPEC = """\
lw: 1
procedure: named
title: Named
locale: en
case:
  people: {path: "$.people.{side}[*]", per: side, each: party, keys: [name]}
kinds: {J: judge, P: party}
roles:
  judge: {title: Judge, kind: judge}
  buyer: {title: Buyer, kind: party, side: one, each: people}
stages:
  - stage: court
    title: T
    steps:
      - judge asks buyer: x
"""


def found(word: str, names: list[str]) -> Person | Diagnostic:
    procedure = opened(SPEC).procedure
    people = ", ".join(f"{{name: {name}}}" for name in names)
    data, _ = parse_data("case.yaml", f"lw: 1\ncase: c\npeople: {{one: [{people}]}}\n")
    assert procedure is not None and data is not None
    case, _ = bind(procedure, data, record=None, binding=None, settings={})
    return person_named(procedure, case, word, "--memory")


def test_one_person_is_found_and_several_of_a_name_are_told_by_their_ids() -> None:
    for word, names, wanted in (
        ("Ann", ["Ann", "Bob"], "buyer-1"),
        ("Bob", ["Ann", "Bob"], "buyer-2"),
        ("buyer-2", ["Ann", "Ann"], "buyer-2"),
        ("Ann", ["Ann"], "buyer"),
    ):
        person = found(word, names)
        assert isinstance(person, Person) and person.id == wanted, (word, names)
    for word, names, code, ids in (
        ("Ann", ["Ann", "Ann"], "LW777", ("buyer-1", "buyer-2")),
        ("Ann", ["Ann", "Bob", "Ann"], "LW777", ("buyer-1", "buyer-3")),
        ("Buyer", ["Ann", "Bob"], "LW777", ("buyer-1", "buyer-2")),
        ("buyer", ["Ann", "Bob"], "LW777", ("buyer-1", "buyer-2")),
        ("Judge", ["Judge"], "LW777", ("judge", "buyer")),
    ):
        problem = found(word, names)
        assert isinstance(problem, Diagnostic) and (problem.code, problem.values["known"]) == (code, ids)
    assert isinstance(found("Zoe", ["Ann"]), Diagnostic)
