"""Values and names that are cut in two: the message says to quote them, and so written they are read."""

from __future__ import annotations

import itertools

import pytest
from places import ROOT

from legalworld.language.link.linker import link
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources
from legalworld.wording.diagnostics import render

BARGAIN = (ROOT / "specs" / "bargain.yaml").read_text(encoding="utf-8")
DECLARED = ("goods", "receipt", "seller", "buyer", "limit")


def problems(answer: str, condition: str, name: str = "price") -> tuple[Diagnostic, ...]:
    text = (
        BARGAIN.replace("answer: price is number", f"answer: '{answer}'")
        .replace("default: 0", "default: no")
        .replace("if price at least 1", condition)
        .replace("| price     |", f"| {name} |")
        .replace("  price: {title: 愿付价钱}", f"  {name}: {{title: 愿付价钱}}")
    )
    return link(MemorySources({"specs/bargain.yaml": text}), "specs/bargain.yaml").problems


@pytest.mark.parametrize(("first", "second"), list(itertools.product(("further", "last", "full"), DECLARED)))
def test_a_value_of_two_words_is_told_with_the_quotation_that_is_read(first: str, second: str) -> None:
    value = f'"{first} {second}"'
    answer = f"price is {value} or no"
    bare = problems(answer, f"if price is {first} {second}")
    assert "LW036" in {one.code for one in bare}
    told = [one for one in bare if one.code == "LW036"]
    assert all(value in render(told, lambda file: None, locale) for locale in ("zh", "en"))
    assert not problems(answer, f"if price is {value}")


@pytest.mark.parametrize("name", ["愿和解", "利与弊", "收与付", "赔与不赔"])
def test_a_name_with_a_keyword_in_it_is_read_where_it_is_quoted(name: str) -> None:
    told = problems(f'"{name}" is yes or no', f"如果 全体 {name}", name)
    assert told, "it is no example of a name that is cut"
    unknown = [one for one in told if one.code == "LW062"]
    assert not unknown or "引号" in render(unknown, lambda file: None, "zh")
    assert not problems(f'"{name}" is yes or no', f'如果 全体 "{name}"', name)


@pytest.mark.parametrize(("field", "one"), [("goods", "一条"), ("limit", "一件"), ("goods", "thing"), ("limit", "it")])
def test_a_loop_that_begins_with_its_quantifier_is_told_how_it_is_written(field: str, one: str) -> None:
    for order in (f"逐一 {one} {field}", f"逐一 {field} {one}", f"逐项 {field}"):
        told = [problem for problem in stepping(order) if problem.code == "LW023"]
        assert "就 事实 逐一 一条" in render(told, lambda file: None, "zh")
        assert "for each fact in facts" in render(told, lambda file: None, "en")
    assert not {"LW023", "LW024", "LW029", "LW030", "LW036"} & {p.code for p in stepping(f"就 {field} 逐一 {one}")}


@pytest.mark.parametrize("name", ["宣布会", "陈述会"])
def test_a_place_to_go_on_at_whose_name_has_a_verb_in_it_is_told_with_its_repair(name: str) -> None:
    told = [problem for problem in stepping(f"继续 {name}") if problem.code != "LW068"]
    assert told and all(mark in render(told, lambda file: None, "zh") for mark in ("转入", "括起来"))
    assert {p.code for p in stepping(f'转入 "{name}"')} <= {"LW072"}


def stepping(step: str) -> tuple[Diagnostic, ...]:
    """The problems of a procedure that has this step for its loop of rounds."""
    text = BARGAIN.replace("repeat 2 rounds", step)
    return link(MemorySources({"specs/bargain.yaml": text}), "specs/bargain.yaml").problems
