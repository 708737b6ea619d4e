"""A line that declares an answer and cannot be read is told alone, not with all who use the answer."""

from __future__ import annotations

import pytest
from places import ROOT

from legalworld.language.link.linker import link
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import MemorySources

BARGAIN = (ROOT / "specs" / "bargain.yaml").read_text(encoding="utf-8")
NAMES = ("price", "last price", "出价", "愿和解")
BROKEN = (
    "{} number",
    "{} is",
    "{} is a number",
    "{} is numbre",
    "{} is yes or",
    "{} is list of",
    "{} is one two three",
)


def problems(name: str, line: str) -> tuple[Diagnostic, ...]:
    quoted = f'"{name}"'
    text = (
        BARGAIN.replace("answer: price is number", f"answer: '{line.format(quoted)}'")
        .replace("if price at least 1", f"'if {quoted} at least 1'")
        .replace("| price     |", f"| {quoted} |")
        .replace("  price: {title: 愿付价钱}", f"  {name}: {{title: 愿付价钱}}")
    )
    return link(MemorySources({"specs/bargain.yaml": text}), "specs/bargain.yaml").problems


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("line", BROKEN)
def test_an_answer_that_cannot_be_read_is_told_once_at_its_line(name: str, line: str) -> None:
    assert not problems(name, "{} is number"), "something else is wrong with the procedure"
    told = problems(name, line)
    assert [one.span.line for one in told] == [BARGAIN[: BARGAIN.index("answer: price")].count("\n") + 1]


@pytest.mark.parametrize("line", BROKEN)
def test_what_no_unread_line_declares_is_still_unknown(line: str) -> None:
    text = BARGAIN.replace("answer: price is number", f"answer: '{line.format('price')}'")
    text = text.replace("if price at least 1", "if weight at least 1")
    found = link(MemorySources({"specs/bargain.yaml": text}), "specs/bargain.yaml").problems
    assert ("LW062", "weight") in {(one.code, one.values.get("name")) for one in found}
