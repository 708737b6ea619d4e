"""Ways of writing that are near enough to be known: told once, at the word, with the repair, and hiding nothing else.

Neighbours: every word for going on, every form of an answer, both languages; misspelt keys at every level of a file;
commas of another keyboard between names and between entries.
"""

from __future__ import annotations

from itertools import product

import pytest

from legalworld.language.link.linker import link
from legalworld.language.sentences.keywords import ONWARD
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources
from legalworld.wording.diagnostics import repair

SPEC = """\
lw: 1
procedure: demo
title: 示例
case:
  facts: {title: 事实, path: "$.facts[*]", each: fact, keys: [n, text, day]}
kinds: {P: party, J: judge}
roles:
  plaintiff: {title: 原告, kind: party, side: a}
  defendant: {title: 被告, kind: party, side: b}
  judge:     {title: 审判长, kind: judge}
visibility: |
  | field | trial |
  |---|---|
  | facts | P J |
stages:
  - stage: trial
    title: 庭审
    phases:
      - phase: ask
        title: 询问
        steps:
          - judge asks plaintiff: 价格
            answer: price is number
          - judge announces: 宣布
      - phase: 询问日
        title: 宣判
        steps:
          - judge announces: 宣布结果
"""


def told(text: str) -> tuple[Diagnostic, ...]:
    return link(MemorySources({"specs/demo.yaml": text}), "specs/demo.yaml").problems


def changed(*changes: tuple[str, str]) -> str:
    text = SPEC
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


@pytest.mark.parametrize(("word", "place"), list(product(sorted(ONWARD), ("询问日", "judgment_day", "trial"))))
def test_going_on_is_told_how_it_is_written(word: str, place: str) -> None:
    (problem,) = told(changed(("- judge announces: 宣布\n", f"- {word} {place}\n")))
    assert problem.code == "LW294" and problem.span.length == len(word)
    assert f"转入 {place}" in repair(problem, "zh") and f"continue with {place}" in repair(problem, "en")
    assert not told(changed(("- judge announces: 宣布\n", "- 转入 询问日\n")))


@pytest.mark.parametrize(
    "form", ["number", "yes or no", "one of a, b", "list", "text", "数字", "是否", "是或否", "列表", "文本"]
)
@pytest.mark.parametrize("head", ["", "is ", "是 "])
def test_an_answer_without_a_name_is_told_with_one(head: str, form: str) -> None:
    (problem,) = told(changed(("answer: price is number", f"answer: {head}{form}")))
    assert problem.code == "LW295" and form in repair(problem, "en")


MISSPELT = [
    ("visibility: |", "visibilty: |"),
    ("answer: price", "anwser: price"),
    ("    title: 庭审", "    titel: 庭审"),
    ("side: b}", "sid: b}"),
    ("keys: [n", "kyes: [n"),
    ("      - phase: ask\n", "      - phase: ask\n        bassis: 民法典第一条\n"),
]


@pytest.mark.parametrize(("old", "new"), MISSPELT)
def test_a_misspelt_key_hides_nothing_else_and_draws_nothing(old: str, new: str) -> None:
    assert [problem.code for problem in told(changed((old, new)))] == ["LW041"]
    both = told(changed((old, new), ("- judge announces: 宣布结果", "- judgee announces: 宣布结果")))
    assert sorted(problem.code for problem in both) == ["LW041", "LW060"]


def test_a_key_that_means_nothing_known_is_all_that_is_told() -> None:
    found = told(
        changed(("kind: judge}", "kind: judge, weather: fine}"), ("judge asks plaintiff", "judge asks nobbody"))
    )
    assert [problem.code for problem in found] == ["LW041"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[n, text, day]", "[n，text, day]"),
        ("[n, text, day]", "[n、text、day]"),
        ("title: 原告, kind: party, side: a", "title: 原告，kind：party，side：a"),
        ("title: 原告, kind: party, side: a", "title: 原告，kind: party, side: a"),
        ("title: 原告, kind: party, side: a", "title: 原告、种类：party, side: a"),
        ("title: 原告, kind: party, side: a}", "title: 原告，kind: party, side: a}   # 原告，一人"),
        ("title: 原告, kind: party, side: a}", "title: 原告, kind: party，side: a｝ # 原告"),
    ],
)
def test_a_comma_of_another_keyboard_is_told_where_it_parts_nothing(old: str, new: str) -> None:
    (problem,) = told(changed((old, new)))
    assert problem.code == "LW742" and problem.span.line == SPEC[: SPEC.index(old)].count("\n") + 1


@pytest.mark.parametrize("cue", ["价格，单位：元", "先说价格，回答：是否同意", "甲、乙、丙"])
def test_a_comma_in_words_that_are_said_is_a_comma(cue: str) -> None:
    assert not told(changed(("plaintiff: 价格", f"plaintiff: {cue}")))
