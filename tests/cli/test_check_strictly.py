"""`lw check --strict`: of every procedure that a path leads to, or refused in words; and the names in tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typed import lw

from legalworld.cli.output import WRONG

SPEC = """lw: 1
procedure: NAME
kinds: {P: person}
roles: {ann: {kind: person}}
stages:
  - stage: S
BASIS
    steps:
      - ann states: x
"""
TESTS = """lw: 1
tests of: NAME
case: {}
tests:
  - test: a
    expect:
      steps: [WHERE]
"""


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(root: Path, **procedures: bool) -> None:
    """Write procedures, by name, each with a statutory basis or without one."""
    (root / "specs").mkdir(parents=True, exist_ok=True)
    for name, based in procedures.items():
        basis = "    basis: a" if based else "    title: s"
        (root / "specs" / f"{name}.yaml").write_text(SPEC.replace("NAME", name).replace("BASIS", basis), "utf-8")


@pytest.mark.parametrize("based", [(True, True), (True, False), (False, False)])
def test_every_procedure_of_a_folder_is_checked_strictly(based: tuple[bool, bool], root: Path) -> None:
    written(root, one=based[0], two=based[1])
    plain = json.loads(lw("check", "specs", "--json").out)
    found = json.loads(lw("check", "specs", "--strict", "--json").out)
    for row, before, held in zip(found["files"], plain["files"], based, strict=True):
        codes = {problem["code"] for problem in row["problems"]} - {one["code"] for one in before["problems"]}
        assert codes == (set() if held else {"LW736"})
        assert row["usable"] or not held or before["problems"]


@pytest.mark.parametrize("form", ["sarif", "github"])
def test_other_programs_are_told_too(form: str, root: Path) -> None:
    written(root, one=False)
    assert "LW736" not in lw("check", "specs", "--format", form).out
    strictly = lw("check", "specs", "--strict", "--format", form)
    assert "LW736" in strictly.out
    assert strictly.code == WRONG


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("words", [("rubrics",), ("rubrics/r.yaml",), ("one", "--data", "x.json"), ("cases",)])
def test_where_there_is_no_procedure_it_is_refused(
    words: tuple[str, ...], language: str, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LW_LANG", language)
    written(root, one=True)
    for folder in ("rubrics", "cases"):
        (root / folder).mkdir()
    (root / "rubrics/r.yaml").write_text("lw: 1\nrubric: r\n", "utf-8")
    (root / "cases/c.yaml").write_text("lw: 1\ncase: c\n", "utf-8")
    told = lw("check", *words, "--strict")
    assert told.code == WRONG
    assert "LW791" in told.err
    assert "Traceback" not in told.err


@pytest.mark.parametrize(("where", "good"), [("S/ann", True), ("nowhere/at_all", False)])
def test_names_in_tests_beside_a_procedure_are_checked_with_it(where: str, good: bool, root: Path) -> None:
    written(root, one=True)
    before = lw("check", "one", "--json").out
    text = TESTS.replace("NAME", "one").replace("case: {}\n", "").replace("WHERE", where if not good else "S")
    (root / "specs/one.test.yaml").write_text(text, "utf-8")
    after = json.loads(lw("check", "one", "--json").out)
    beside = [one for one in after["problems"] if "one.test.yaml" in json.dumps(one)]
    assert bool(beside) != good
    assert len(after["problems"]) == len(json.loads(before)["problems"]) + len(beside)
