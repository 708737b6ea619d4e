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
