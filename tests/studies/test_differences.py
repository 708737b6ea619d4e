"""Differences from a paper: each sentence of the shipped studies holds, and its contrary is told at its line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from places import ROOT

from legalworld.files.project_files import Disk
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources
from legalworld.studies.definition import Study
from legalworld.studies.differences import CLAUSES, clause_of
from legalworld.studies.open import ProjectAround
from legalworld.studies.project_check import project_problems
from legalworld.studies.read_study import read_study
from legalworld.studies.words import matched

PAPERS = sorted((ROOT / "studies" / "papers").glob("*.yaml"))
AROUND = ProjectAround(Disk(ROOT), ROOT)


def read(text: str) -> tuple[Study | None, list[Diagnostic]]:
    study, problems = read_study(MemorySources({"studies/x.yaml": text}), "studies/x.yaml")
    return study, list(problems)


def sentences(file: Path) -> list[str]:
    study, _ = read(file.read_text("utf-8"))
    assert study is not None
    return [word.text for one in study.differences for word in one.shown]


def contrary(sentence: str) -> str:
    """The sentence, saying the opposite or another number."""
    for word, other in (
        (" is not offered ", " is offered "),
        (" is offered ", " is not offered "),
        (" does not see ", " sees "),
        (" sees ", " does not see "),
        (" says ", " does not say "),
        (" include ", " do not include "),
    ):
        if word in sentence:
            return sentence.replace(word, other)
    if number := re.search(r"\d+(?= turns)", sentence):
        return sentence[: number.start()] + str(int(number[0]) + 1) + sentence[number.end() :]
    found = matched("shown_option", sentence)
    assert found is not None
    others = {"yes": "no", "no": "yes", "case": "judgment", "published": "statutory", "evaluate": "generate"}
    return f"option {found['name']} is {others[found['value']]}"


@pytest.mark.parametrize("file", PAPERS, ids=lambda file: file.stem)
def test_every_paper_says_in_what_it_differs_and_spec_and_prompts_show_it(file: Path) -> None:
    text = file.read_text("utf-8")
    study, _ = read(text)
    assert study is not None and len(study.differences) >= 4
    assert [one.code for one in project_problems(study, AROUND) if one.code in ("LW798", "LW799")] == []
    for sentence in sentences(file):
        wrong = text.replace(sentence, contrary(sentence))
        assert wrong != text
        changed, problems = read(wrong)
        assert changed is not None, problems
        told = [one for one in project_problems(changed, AROUND) if one.code in ("LW798", "LW799")]
        lines = {number for number, line in enumerate(wrong.splitlines(), 1) if contrary(sentence) in line}
        assert told and {one.span.line for one in told} <= lines, sentence


@pytest.mark.parametrize("clause", CLAUSES)
def test_a_name_that_is_not_there_is_told_and_holds_of_nothing(clause: str) -> None:
    """Nothing is shown by what is misspelt: a sentence in which a name means nothing never passes."""
    sentence = clause.replace(" N ", " 7 ").replace("prompts/FILE", "prompts/zh/no.j2").replace(" at STAGE", "")
    text = (Path(__file__).parent / "read" / "LW798.yaml").read_text("utf-8")
    changed, problems = read(re.sub(r"shown: .*", f'shown: "{sentence}"}}', text))
    assert changed is not None, problems
    codes = {one.code for one in project_problems(changed, AROUND)}
    assert codes & {"LW798", "LW799"}, sentence


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("option order is published", "选项 order 是 published"),
        ("judge is offered search_cases", "judge 用得到 search_cases"),
        ("judge is not offered search_cases at FIT", "judge 用不到 search_cases 在 FIT"),
        ("judge sees facts at FIT", "judge 看得到 facts 在 FIT"),
        ("judge does not see facts", "judge 看不到 facts"),
        ("stages include FIT", "各阶段里有 FIT"),
        ("roles do not include witness", "各角色里没有 witness"),
        ("prompts/zh/a.j2 says 你好 先生", "prompts/zh/a.j2 写有 你好 先生"),
        ("prompts/zh/a.j2 does not say 你好", "prompts/zh/a.j2 没有写 你好"),
        ("CI/hearing ends after 100 turns", "CI/hearing 至多 100 次发言"),
    ],
)
def test_both_languages_say_the_same(english: str, chinese: str) -> None:
    one, two = clause_of(english), clause_of(chinese)
    assert one is not None and two is not None
    names = ("name", "role", "stage", "value", "count")
    assert (one.kind, one.negated, [one.part(name) for name in names]) == (
        two.kind,
        two.negated,
        [two.part(name) for name in names],
    )


@pytest.mark.parametrize(
    "sentence", ["it is so", "", "the judge is kind", "option order", "judge offered search_cases"]
)
def test_a_claim_that_nothing_can_check_is_refused(sentence: str) -> None:
    text = (Path(__file__).parent / "read" / "LW798.yaml").read_text("utf-8")
    study, problems = read(re.sub(r"shown: .*", f'shown: "{sentence}"}}', text))
    assert study is None and problems
