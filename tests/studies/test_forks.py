"""Documents replaced as conditions of a study: forks of the base runs, each cell paired with the very runs it is of."""

from __future__ import annotations

import csv
import json
import statistics
from pathlib import Path

import pytest
from click.testing import CliRunner

from legalworld.cli.main import lw

STUDY = """
lw: 1
study: swap
title: swap
models: {A: offline}
cases: {all: {from: [jiedai]}}
conditions:
  plain: {procedure: civil, cases: all, model: A, others: A, options: {appeal_by: case}, each: {target: [plaintiff_lawyer, defendant_lawyer]}}
  swapped: {extends: plain, replaces: civil, each: {target: [plaintiff_lawyer, defendant_lawyer], document: [complaint, defence_statement], quality: [low, same]}}
scoring: {ability: {rubric: longjud, of: [plain, swapped]}}
tables:
  "18":
    title: swap
    of: swapped
    average over: [document, target]
    rows: {each: quality, value: 100 * ability.FIT}
    columns:
      - {column: base, statistic: base}
      - {column: forks}
      - {column: apart, statistic: difference to base}
    base: plain
    compare: base
"""  # noqa: E501


def test_forks_are_made_once_and_set_beside_their_own_base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    (tmp_path / "s.yaml").write_text(STUDY, "utf-8")

    def run() -> dict[str, int]:
        done = CliRunner().invoke(lw, ["study", "run", "s.yaml", "--out", "out"], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        assert "to their end: 6, of 6 wanted" in done.output, "forks of what nobody drafted are wanted of nobody"
        return {str(one): one.stat().st_mtime_ns for one in (tmp_path / "out").rglob("journal.jsonl")}

    assert run() == run(), "the same again plays nothing"
    scores: dict[str, float] = {}
    with (tmp_path / "out" / "scores.csv").open(encoding="utf-8-sig", newline="") as file:
        scores = {row["run"]: float(row["value"]) for row in csv.DictReader(file) if row["figure"] == "FIT"}
    forks = {run: value for run, value in scores.items() if Path(run).name in FORKS}
    assert len(forks) == 4
    base = statistics.fmean(100 * value for run, value in scores.items() if run not in forks)
    with (tmp_path / "out" / "tables" / "18.csv").open(encoding="utf-8-sig", newline="") as file:
        cells = {(row["row"], row["column"]): float(row["value"]) for row in csv.DictReader(file)}
    for quality in ("low", "same"):
        mine = statistics.fmean(100 * value for run, value in forks.items() if run.endswith(f".{quality}"))
        assert cells[quality, "forks"] == pytest.approx(mine) and cells[quality, "base"] == pytest.approx(base)
        assert cells[quality, "apart"] == pytest.approx(mine - base)
    assert cells["same", "apart"] == 0, "the same document makes no difference"
    note = json.loads(next((tmp_path / "out").rglob("complaint.low/intervention.json")).read_text("utf-8"))
    assert (note["document"], note["quality"]) == ("complaint", "low")


FORKS = {f"{document}.{quality}" for document in ("complaint", "defence_statement") for quality in ("low", "same")}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        ("document: [complaint, defense]", "LW361"),
        ("quality: [lowest]", "LW361"),
        ("replaces: civl", "LW913"),
        ("replaces: civil, each: {document: [complaint]}", "LW917"),
    ],
)
def test_what_no_interventions_declare_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str, code: str
) -> None:
    monkeypatch.chdir(tmp_path)
    key = wrong.partition(":")[0]
    text = STUDY.replace("quality: [low, same]", wrong) if key == "quality" else STUDY
    text = text.replace("document: [complaint, defence_statement]", wrong) if key == "document" else text
    if key == "replaces":
        i = text.index("replaces: civil,")
        j = text.index("\n", i)
        tail = "}" if "each" in wrong else text[i + len("replaces: civil") : j]
        text = text[:i] + wrong + tail + text[j:]
    (tmp_path / "s.yaml").write_text(text, "utf-8")
    told = CliRunner().invoke(lw, ["study", "check", "s.yaml"], catch_exceptions=False)
    assert code in told.output, told.output
