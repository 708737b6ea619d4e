"""Every shipped procedure: it checks without a problem, is listed, and runs on its example from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import SPEC_FILES
from playing import ROOT, play, project
from typed import lw

from legalworld.runs.coverage import coverage

SPECS = tuple(
    file.relative_to(ROOT / "specs").with_suffix("").as_posix() for file in SPEC_FILES if "parts" not in file.parts
)


def test_all_systems_are_there() -> None:
    assert {"civil", "criminal", "maser", "asp2lj", "administrative", "bargain"} <= set(SPECS)
    assert len([spec for spec in SPECS if spec.startswith("j1/")]) == 6


def test_each_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    entries = {one["name"]: one for one in lw("specs", "--json").object()["specs"]}
    for spec in SPECS:
        assert entries[spec]["usable"]
        assert entries[spec]["roles"] and entries[spec]["stages"] and entries[spec]["example"]
        assert entries[spec]["source"] or spec == "bargain"


@pytest.mark.parametrize("spec", SPECS)
def test_it_checks_and_runs_on_its_example(spec: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    checked = lw("check", spec, "--json").object()
    assert {key: checked[key] for key in ("errors", "warnings", "problems")} == {
        "errors": 0,
        "warnings": 0,
        "problems": [],
    }
    ran = lw("run", spec, "--out", "run", "--json")
    assert (ran.code, ran.object()["status"], ran.object()["violations"]) == (0, "ended", 0)
    assert lw("replay", "run", "--json").object()["status"] == "ended"


def test_every_branch_of_the_bargain_is_reached() -> None:
    procedure = project("bargain").procedure
    assert procedure is not None
    games = [play("bargain", "", spec="bargain", manner=manner) for manner in ("plain", "noisy", "silent")]
    games.append(play("bargain", "", spec="bargain", script=lambda request, text: text.replace("【成交】", "")))
    missed = coverage(procedure, [game.events for game in games]).missed
    assert [(branch.place, branch.kind) for branch in missed] == []
