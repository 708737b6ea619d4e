"""Text in columns: cut to a width, filled up, and without what could move the cursor."""

from __future__ import annotations

import pytest

from legalworld.wording import say, sentences
from legalworld.wording.columns import fit, table, visible, width


@pytest.mark.parametrize(
    ("text", "size", "shown"),
    [
        ("abc", 5, "abc  "),
        ("庭审", 5, "庭审 "),
        ("第一审庭审", 6, "第一… "),
        ("第一审庭审", 7, "第一审…"),
        ("e\u0301tat", 3, "e\u0301t…"),
        ("abc", 1, "…"),
    ],
)
def test_a_text_takes_exactly_its_columns(text: str, size: int, shown: str) -> None:
    assert fit(text, size) == shown
    assert width(shown) == size
    assert fit(text, size, right=True).strip() == shown.strip()


def test_numbers_end_in_line() -> None:
    assert list(table([("项目", "n"), ("a", "100")], frozenset({1}))) == ["项目    n", "a     100"]


def test_what_moves_the_cursor_is_shown_on_a_terminal_and_kept_in_a_file() -> None:
    assert visible("a\x1b[2Jb\u202e") == "a␛[2Jb<U+202E>"
    assert say("run.transcript", path="a\x1bb").endswith("a␛b")
    assert say("run.transcript", "zh", path="a\x1bb").endswith("a\x1bb")
    assert sentences("run", "zh")("turns", turns=3) == say("run.turns", "zh", turns=3) == "共 3 次发言"
    assert say("coverage.no such name") == "no such name"
