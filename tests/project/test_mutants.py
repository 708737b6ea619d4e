"""The listed mutants fit the code that they are about: a list that fits nothing excuses what it was not made for."""

from __future__ import annotations

import ast
import tomllib

import pytest
from places import ROOT

LISTED = tomllib.loads((ROOT / "tests" / "support" / "mutants.toml").read_text("utf-8"))


def source(module: str) -> str:
    return (ROOT / "legalworld" / f"{module}.py").read_text("utf-8")


@pytest.mark.parametrize("one", LISTED["hand"], ids=lambda one: f"{one['module']}: {one['why']}")
def test_a_fault_written_by_hand_can_be_made(one: dict[str, str]) -> None:
    text = source(one["module"])
    assert text.count(one["was"]) == 1
    changed = text.replace(one["was"], one["became"])
    assert ast.dump(ast.parse(changed)) != ast.dump(ast.parse(text))


@pytest.mark.parametrize("one", LISTED["equivalent"], ids=lambda one: f"{one['module']}: {one['was']}")
def test_what_is_equivalent_is_still_there_and_has_its_reason(one: dict[str, str]) -> None:
    assert one["was"] in " ".join(source(one["module"]).split())
    assert one["was"] != one["became"]
    assert len(one["why"].split()) > 3
