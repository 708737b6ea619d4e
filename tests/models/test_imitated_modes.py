"""Each mode of the two servers that imitated providers first has rows in docs/en/models.md, and none is missing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from places import FAILING, ROOT, TESTS
from provider_habits import habits
from ruamel.yaml import YAML

PAGE = (ROOT / "docs" / "en" / "models.md").read_text(encoding="utf-8")
_YAML = YAML(typ="safe")
_GRADERS = _YAML.load((TESTS / "graders" / "habits.yaml").read_text(encoding="utf-8"))
HELD: dict[str, dict[str, str | list[str]]] = _YAML.load((Path(__file__).parent / "imitated.yaml").read_text("utf-8"))
ROWS = {str(habit.row["habit"]) for habit in habits() if not habit.not_yet} | {row["habit"] for row in _GRADERS}


def modes(file: Path) -> Iterator[str]:
    """What a server tells its modes by: keys of its tables, words looked for in names; and the forms it answers in."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        match node:
            case ast.Assign(targets=[ast.Name("TEXT" | "ERR")], value=ast.Dict(keys=keys)):
                yield from (key.value for key in keys if isinstance(key, ast.Constant))
            case ast.Compare(left=ast.Name("mode"), comparators=compared):
                yield from _words(*compared)
            case ast.Compare(left=ast.Constant(str(word)), comparators=[ast.Name("mode" | "p" | "m")]) if (
                word.isalpha()
            ):
                yield word
            case ast.Compare(left=ast.Constant(str(word)), comparators=[ast.Call(args=[ast.Constant("model"), *_])]):
                yield word
            case ast.Call(func=ast.Attribute(ast.Name("mode"), "startswith" | "endswith"), args=args):
                yield from _words(*args)
            case ast.FunctionDef(args=ast.arguments(args=[ast.arg("h"), ast.arg("b"), *_])):
                yield node.name


def _words(*expressions: ast.expr) -> Iterator[str]:
    inside = (node for expression in expressions for node in ast.walk(expression))
    return (node.value for node in inside if isinstance(node, ast.Constant) and isinstance(node.value, str))


@pytest.mark.parametrize("server", HELD)
def test_each_mode_has_its_rows_and_none_is_missing(server: str) -> None:
    file = FAILING / "models" / f"{server}.py"
    if not file.exists():
        pytest.skip(f"{file.name} is not on this machine")
    paths = {"messages", "generateContent"}  # by which prov tells the forms, not modes
    assert set(modes(file)) - paths == set(HELD[server])


def test_each_row_that_holds_a_mode_stands_on_the_page() -> None:
    """Whether or not the servers are there."""
    named = {
        row for held in HELD.values() for rows in held.values() for row in ([rows] if isinstance(rows, str) else rows)
    }
    assert named <= ROWS
    assert {
        row for row in named if f"\n| {row.replace('|', chr(92) + '|').replace('<', chr(92) + '<')} |" not in PAGE
    } == set()
