"""People's sheets as a scoring: cells are the means of what they wrote, and nothing where they wrote nothing."""

from __future__ import annotations

import csv
import json
import random
import statistics
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from legalworld.cli.main import lw

STUDY = """
lw: 1
study: rated
title: rated
models: {A: offline, B: "offline:noisy"}
cases: {all: {from: [j1-yajin]}}
conditions: {asked: {procedure: j1/kq, cases: all, others: A, each: {model: [A, B]}}}
scoring:
  kq: {rubric: j1-kq, of: [asked]}
  people: {rubric: j1-kq, sheets: sheets, of: [asked]}
tables:
  t:
    title: people and the grader
    of: asked
    rows: {each: model}
    columns:
      - {column: people, value: people.LIKE}
      - {column: grader, value: kq.LIKE}
      - {column: apart, value: people.LIKE - kq.LIKE}
      - {column: far, value: "10 * mean(abs(people.likeness - kq.likeness))"}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    (tmp_path / "s.yaml").write_text(STUDY, "utf-8")
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(lw, [*words], catch_exceptions=False)


def cells(here: Path) -> dict[tuple[str, str], dict[str, str]]:
    with (here / "out" / "tables" / "t.csv").open(encoding="utf-8-sig", newline="") as file:
        return {(row["row"], row["column"]): row for row in csv.DictReader(file)}


def filled(here: Path, seed: int) -> dict[str, list[int]]:
    """Export sheets of every run and fill them in; return run -> what was written down for it."""
    runs = sorted(str(file.parent) for file in (here / "out" / "runs").rglob("run.yaml"))
    exported = call("ratings", "export", *runs, "--rubric", "j1-kq", "--items", "behaviour", "--raters", "2",
                    "--format", "csv", "--out", "sheets")  # fmt: skip
    assert exported.exit_code == 0, exported.output
    key: dict[str, Any] = json.loads((here / "sheets" / "key.json").read_text("utf-8"))
    things = {one["id"]: one["record"] for one in key["things"]}
    rows = {one["id"]: things[one["thing"]] for one in key["rows"]}
    homes = {one["label"]: str((here / "sheets" / one["runs"][0]).resolve()) for one in key["records"]}
    dice = random.Random(seed)
    given: dict[str, list[int]] = {}
    for sheet in (here / "sheets").rglob("*.csv"):
        with sheet.open(encoding="utf-8-sig", newline="") as file:
            lines = [*csv.reader(file)]
        for line in lines:
            if line and line[0] in rows:
                value = dice.randint(1, 10)
                line[-2] = str(value)
                given.setdefault(homes[rows[line[0]]], []).append(value)
        with sheet.open("w", encoding="utf-8-sig", newline="") as file:
            csv.writer(file).writerows(lines)
    return given


@pytest.mark.parametrize("seed", range(3))
def test_cells_are_what_people_wrote(here: Path, seed: int) -> None:
    assert call("study", "run", "s.yaml", "--out", "out").exit_code == 0
    before = cells(here)
    assert {before[model, "people"]["gap"] for model in "AB"} == {"sheets"} and before["A", "grader"]["value"]
    assert {before[model, "people"]["what"] for model in "AB"} == {"sheets"}
    given = filled(here, seed)
    assert len(given) == 2
    assert call("study", "report", "s.yaml", "--out", "out").exit_code == 0
    after = cells(here)
    with (here / "out" / "runs.csv").open(encoding="utf-8-sig", newline="") as file:
        runs = {row["model"]: str(Path(row["run"]).resolve()) for row in csv.DictReader(file)}
    for model in "AB":
        people, grader = 10 * statistics.fmean(given[runs[model]]), float(after[model, "grader"]["value"])
        assert float(after[model, "people"]["value"]) == pytest.approx(people)
        assert float(after[model, "apart"]["value"]) == pytest.approx(people - grader)
        assert float(after[model, "far"]["value"]) == pytest.approx(abs(people - grader))


def test_sheets_of_another_wording_score_nothing(here: Path) -> None:
    assert call("study", "run", "s.yaml", "--out", "out").exit_code == 0
    filled(here, 1)
    key = json.loads((here / "sheets" / "key.json").read_text("utf-8"))
    (here / "sheets" / "key.json").write_text(json.dumps({**key, "digest": "0" * 32}), "utf-8")
    told = call("study", "run", "s.yaml", "--out", "out")
    assert "LW829" in told.output and told.exit_code != 0
    assert cells(here)["A", "people"]["gap"] == "sheets"
