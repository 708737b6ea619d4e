"""Every diagnostic is expected by a test: its code in printed output that is compared, or in a value of a test.

What is written beside it does not count: a comment, a docstring, the name of a test. Which of them are really raised
is asserted where the code stands; `tests/cli/test_told_of_inputs.py` and `tests/cli/test_told_of_commands.py` raise by
the smallest input what no other test comes by.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from places import ROOT

from legalworld.wording.diagnostics import catalogue

PRINTED = (".txt", ".golden", ".yaml", ".toml", ".md")
CODE = re.compile(r"LW\d{3}(?!\d)")


def expected(text: str) -> Iterator[str]:
    """The texts and the names of `diagnose` in a module of tests; docstrings and comments are neither."""
    tree = ast.parse(text)
    remarks = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes) and id(node) not in remarks:
            yield from CODE.findall(node.value if isinstance(node.value, str) else node.value.decode("latin-1"))
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "diagnose":
            yield node.attr


def told() -> frozenset[str]:
    """All codes, and names of diagnostics, that tests expect."""
    found: set[str] = set()
    for file in (ROOT / "tests").rglob("*"):
        if file.suffix == ".py" and file != Path(__file__):
            found.update(expected(file.read_text("utf-8")))
        elif file.suffix in PRINTED:
            lines = file.read_text("utf-8", "replace").splitlines()
            found.update(code for line in lines if not line.lstrip().startswith("#") for code in CODE.findall(line))
    return frozenset(found)


def test_every_diagnostic_is_expected_by_a_test() -> None:
    known = told()
    without = {code for code, entry in catalogue().items() if code not in known and entry["name"] not in known}
    assert not without, "raise it in a test"


def test_a_remark_is_no_test() -> None:
    """The rule itself: comments, docstrings and longer numbers are passed over."""
    text = '"""LW001"""\n# LW002\ndef test_it():\n    "LW003"\n    assert "LW004: x" in diagnose.some_name("LW0055")\n'
    assert {*expected(text)} == {"LW004", "some_name"}
