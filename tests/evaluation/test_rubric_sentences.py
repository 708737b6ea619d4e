"""The one-line sentences of rubrics: words that begin like a keyword, and words that are one."""

from __future__ import annotations

import pytest

from legalworld.evaluation.rubric import sentences
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import Span

HERE = Span("rubric.yaml", 1, 1)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("followed_up", (False, "followed_up")),
        ("not followed_up", (True, "followed_up")),
        ("不是跟进", (True, "跟进")),
        ("notable", (False, "notable")),
        ("not notable", (True, "notable")),
        ("not", (False, "not")),
    ],
)
def test_flag(text: str, read: tuple[bool, str]) -> None:
    assert sentences.flag(text, HERE) == read


@pytest.mark.parametrize(("text", "column"), [("a b", 3), ("mean(a", 6), ("a @ b", 3), ("a +", 3), ("", 1)])
def test_a_formula_that_makes_no_sense_has_a_place(text: str, column: int) -> None:
    wrong = sentences.formula(text, HERE)
    assert isinstance(wrong, Diagnostic) and (wrong.code, wrong.span.column) == ("LW310", column)
