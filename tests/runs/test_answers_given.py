"""Answers given to the offline actors are what those say who are meant, nobody else, however a run is stopped.

Neighbours: four forms of an answer, five verbs that ask for one, who or what is named and by which word, the time, both
languages; words that name nothing, values that cannot be, and actors who are no offline ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from legalworld.engine.casting import cast
from legalworld.model.captured import Captured
from legalworld.runs import lifecycle
from legalworld.runs.journal import events_in, load
from legalworld.runs.lifecycle import RunPlan, RunResult
from legalworld.runs.plan import RunRequest, plan_run
from legalworld.runs.project import Project, open_project

SPEC = """\
lw: 1
procedure: bazaar
title: The bazaar
locale: {locale}
example: cases/stall.yaml
case:
  people: {{path: "$.people.{{side}}[*]", per: side, each: person, keys: [id, name]}}
  goods:  {{path: "$.goods[*]", each: item, keys: [id, name, lot], types: {{lot: {{unique: yes}}}}}}
kinds: {{M: merchant, W: warden}}
roles:
  buyer:  {{title: Buyer, kind: merchant, side: buyer, each: people}}
  seller: {{title: Seller, kind: merchant, side: seller, each: people}}
  warden: {{title: Warden, kind: warden}}
  elder:  {{title: Elder, kind: warden, persons: 3}}
answers:
  agreed: {{title: The peace, choices: {{yes: kept, no: broken}}}}
  price: {{title: The price, type: amount, currency: CHF}}
visibility: |
  | field | market |
  |-------|--------|
  | goods | M W    |
stages:
  - stage: market
    title: The market
    steps:
      - warden asks buyer, seller: is there peace
        answer: agreed is yes or no
      - for each item in goods:
          - warden notes: is it sound
            answer: ruling is one of sound, rotten, doubtful
      - elder vote: is it enough
        answer: enough is yes or no
        tie: no
      - repeat 3 rounds:
          - warden states: is it clear
            answer: clear is yes or no
      - buyer announces: the price
        answer: price
      - seller may state: a word
        pass: 【pass】
        answer: word is text
      - if all agreed:
          - end case: peace
            outcome: peace
      - end case: no peace
        outcome: war
"""
CASE = """\
lw: 1
case: stall
people:
  buyer: [{id: B, name: Ann}]
  seller: [{id: S1, name: Bob}, {id: S2, name: Carl}]
goods: [{id: G1, name: apples, lot: 7}, {id: G2, name: pears, lot: L 8}]
"""
LOCALES = ("en", "zh")


def project(folder: Path, locale: str, given: str = "") -> Project:
    (folder / "specs").mkdir()
    (folder / "cases").mkdir()
    (folder / "specs/bazaar.yaml").write_text(SPEC.format(locale=locale), "utf-8")
    (folder / "cases/stall.yaml").write_text(CASE + given, "utf-8")
    opened = open_project("bazaar", folder)
    assert isinstance(opened, Project) and opened.procedure is not None, opened
    return opened


def asked(answers: tuple[str, ...], out: Path, models: tuple[str, ...] = (), until: str = "") -> RunRequest:
    nothing = {"case": "", "binding": "", "target": "", "options": (), "fields": (), "profile": "", "seed": 3}
    return RunRequest(spec="bazaar", answers=answers, out=out, models=models, until=until, **nothing)  # type: ignore[arg-type]


def planned(folder: Path, opened: Project, answers: tuple[str, ...], name: str = "run", **more: str) -> RunPlan:
    plan = plan_run(opened, asked(answers, folder / name, **more), folder)  # type: ignore[arg-type]
    assert isinstance(plan, RunPlan), plan
    return plan


def captured(folder: Path) -> list[Captured]:
    return [one for one in events_in(load(folder / "journal.jsonl").lines) if isinstance(one, Captured)]


def row(one: Captured) -> tuple[str, ...]:
    return (one.name, one.person, one.about, "#2" if "#2" in one.place else "#3" if "#3" in one.place else "#1")


WHO = {
    "buyer": ("buyer", "Buyer", "Ann", "ann", "B"),
    "seller-1": ("seller-1", "Bob", "S1"),
    "seller-2": ("Carl", "S2"),
}
WHAT = {"goods//0": ("G1", "apples", "goods//0", "7"), "goods//1": ("g2", "Pears", "l 8")}


def neighbours() -> Iterator[tuple[str, str, set[str]]]:
    """A word that gives an answer, the value that is kept, and whose or about what it is then; all others stay."""
    for value, kept in (("yes", "yes"), ("是", "yes"), ("Kept", "yes"), ("broken", "no")):
        yield f"agreed={value}", kept, {"buyer", "seller-1", "seller-2"}
        yield f"The peace={value}", kept, {"buyer", "seller-1", "seller-2"}
        yield f"agreed@seller={value}", kept, {"seller-1", "seller-2"}
        yield from ((f"agreed@{word}={value}", kept, {who}) for who, words in WHO.items() for word in words)
    for value in ("rotten", "doubtful"):
        yield f"ruling={value}", value, {"goods//0", "goods//1"}
        yield from ((f"ruling@{word}={value}", value, {what}) for what, words in WHAT.items() for word in words)
        yield f"ruling@Warden@G2={value}", value, {"goods//1"}
    for value, kept in (("CHF 1,200", "1200"), ("80", "80")):
        yield f"price={value}", kept, {"buyer"}
    for number in (1, 2, 3):
        yield f"clear#{number}=yes", "yes", {f"#{number}"}
        yield f"clear＃{number}=yes", "yes", {f"#{number}"}
    yield "clear=yes", "yes", {"#1", "#2", "#3"}
    yield "enough@elder-2=no", "no", {"elder-2"}
    yield "enough@elder=no", "no", {"elder-1", "elder-2", "elder-3"}
    yield "word=so be it", "so be it", {"seller-1", "seller-2"}


@pytest.mark.parametrize("locale", LOCALES)
def test_those_who_are_meant_say_what_is_given_and_nobody_else(locale: str, tmp_path: Path) -> None:
    opened = project(tmp_path, locale)
    plain = lifecycle.start(planned(tmp_path, opened, (), "plain"))
    assert isinstance(plain, RunResult) and not plain.problems
    usual = {row(one): one.said for one in captured(plain.folder)}
    for number, (word, kept, whose) in enumerate(neighbours()):
        result = lifecycle.start(planned(tmp_path, opened, (word,), f"run-{number}"))
        assert isinstance(result, RunResult) and result.status == "ended" and not result.problems, (word, result)
        name = (
            "agreed" if word.startswith("The peace") else word.partition("=")[0].partition("@")[0][:6].rstrip("#＃123")
        )
        hit = 0
        for one in captured(result.folder):
            who, about, time = row(one)[1:]
            if one.name == name and {who, about, time} & whose:
                hit += 1
                assert (one.said, one.source) == (kept, "reply"), (word, one)
            elif one.name == "word" and name != "word":
                raise AssertionError(f"{word}: who may pass passed before")
            else:
                assert one.said == usual[row(one)], (word, one)
        assert hit == len(whose), (word, hit)


def test_the_end_goes_by_what_is_given_and_the_case_may_give_it_too(tmp_path: Path) -> None:
    opened = project(tmp_path, "en", 'offline answers: {agreed: yes, "clear#2": yes, "ruling@G2": rotten}\n')
    of_case = lifecycle.start(planned(tmp_path, opened, (), "case"))
    assert isinstance(of_case, RunResult) and of_case.outcome == "peace"
    for words, outcome in {
        ("agreed=no",): "war",
        ("agreed@Bob=no",): "war",
        ("agreed@Bob=no", "agreed=yes"): "war",
    }.items():
        result = lifecycle.start(planned(tmp_path, opened, words, "-".join(words).replace("=", "")))
        assert isinstance(result, RunResult) and result.outcome == outcome, words
        rulings = [one.said for one in captured(result.folder) if one.name == "ruling"]
        assert rulings == ["sound", "rotten"], words


@pytest.mark.parametrize("until", ["market/1", "market/3", "market/4.1#2", "market/6"])
def test_resumed_and_replayed_it_is_the_same_run(until: str, tmp_path: Path) -> None:
    opened, words = project(tmp_path, "en"), ("agreed=yes", "ruling@G2=rotten", "clear#3=yes", "word@Carl=enough")
    whole = lifecycle.start(planned(tmp_path, opened, words, "whole"))
    half = lifecycle.start(planned(tmp_path, opened, words, "half", until=until))
    assert isinstance(whole, RunResult) and isinstance(half, RunResult) and half.status == "paused", half
    done = lifecycle.resume(half.folder)
    assert isinstance(done, RunResult) and done.outcome == "peace"
    assert (half.folder / "journal.jsonl").read_bytes() == (whole.folder / "journal.jsonl").read_bytes()
    again = lifecycle.replay(half.folder)
    assert isinstance(again, RunResult) and again.outcome == "peace"
    assert "ruling@G2: rotten" in (half.folder / "run.yaml").read_text("utf-8")


WRONG = {
    "LW412": ("agree=yes", "standing=yes", "peace=yes", "yes=yes"),
    "LW413": ("agreed=perhaps", "ruling=sond", "ruling=", "price=about 3", "price=£5", "word=<<pass>>"),
    "LW414": ("agreed@Zoe=yes", "ruling@G3=rotten", "agreed@Bob@Nobody=no"),
    "LW418": ("agreed@=yes", "clear#0=yes", "@Bob=yes"),
    "LW189": ("agreed", "agreed@Bob"),
}


@pytest.mark.parametrize(("code", "word"), [(code, word) for code, words in WRONG.items() for word in words])
def test_what_cannot_be_is_told_with_what_can(code: str, word: str, tmp_path: Path) -> None:
    found = plan_run(project(tmp_path, "en"), asked((word,), tmp_path / "run"), tmp_path)
    assert isinstance(found, tuple) and [one.code for one in found] == [code], found
    if code in ("LW412", "LW413", "LW414"):
        assert found[0].values["known"]


@pytest.mark.parametrize(
    ("given", "code", "line"),
    [
        ("offline answers: {agreed: perhaps}\n", "LW413", 7),
        ("offline answers:\n  agreed: yes\n  ruling@G9: rotten\n", "LW414", 9),
        ("离线回答: [agreed]\n", "LW420", 7),
        ("offline answers: {agreed: [yes]}\n", "LW420", 7),
        ("offline answers: {agreed: yes, The peace: no}\n", "LW419", 7),
    ],
)
def test_what_is_wrong_in_a_case_is_told_at_its_line(given: str, code: str, line: int, tmp_path: Path) -> None:
    found = plan_run(project(tmp_path, "en", given), asked((), tmp_path / "run"), tmp_path)
    assert isinstance(found, tuple) and [(one.code, one.span.line) for one in found] == [(code, line)], found


def test_it_is_told_who_does_not_go_by_it(tmp_path: Path) -> None:
    opened = project(tmp_path, "en")
    assert opened.procedure is not None
    roles = {person.role for person in cast(opened.procedure, planned(tmp_path, opened, ()).matter.case)}
    askers = {"agreed": {"buyer", "seller"}, "ruling": {"warden"}, "enough": {"elder"}, "word": {"seller"}}
    values = {"agreed": "yes", "ruling": "rotten", "enough": "no", "word": "so"}
    for (name, asked_of), role, model in product(askers.items(), sorted(roles), ("openai/gpt-4o", "offline:silent")):
        words, models = (f"{name}={values[name]}",), (f"{role}={model}",)
        found = plan_run(opened, asked(words, tmp_path / "x", models), tmp_path)
        if role not in asked_of:
            assert isinstance(found, RunPlan) and not found.remarks, (name, role)
        elif asked_of == {role}:
            assert isinstance(found, tuple) and [one.code for one in found] == ["LW416"], (name, role)
        else:
            assert isinstance(found, RunPlan) and [one.code for one in found.remarks] == ["LW415"], (name, role)


def test_an_answer_nobody_was_asked_for_is_told_of_when_all_is_over(tmp_path: Path) -> None:
    opened = project(tmp_path, "en")
    for word, unused in {
        "clear#4=yes": True,
        "clear#3=yes": False,
        "ruling@Ann=rotten": True,
        "agreed@Ann=no": False,
    }.items():
        result = lifecycle.start(planned(tmp_path, opened, (word,), word))
        assert isinstance(result, RunResult)
        assert [one.code for one in result.problems] == ["LW417"] * unused, (word, result.problems)
