"""A study from its file to its tables: played once, gone on with, a model that is down, cases beside a table."""

from __future__ import annotations

import csv
import json
import statistics
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from loopback import dead_url
from places import ROOT

from legalworld.cli.main import lw
from legalworld.studies.open import OpenStudy, open_study
from legalworld.studies.plan import plan_study

STUDY = """
lw: 1
study: quick
title: quick
models: {A: offline, B: "offline:noisy", down: downs}
cases:
  all: {from: [j1-yajin]}
conditions:
  asked: {procedure: j1/kq, cases: all, seeds: 2, each: {model: [A, B]}}
scoring: {kq: {rubric: j1-kq, of: [asked]}}
tables:
  "1":
    title: by model
    rows: {each: model, of: asked}
    columns: [{column: BIN, value: 100 * kq.BIN}, {column: turns, value: run.turns}]
    printed: {source: "a paper, table 1", values: {A: [69.7, 12]}}
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    (tmp_path / "models.yaml").write_text(
        f'lw: 1\nmodels:\n  downs: {{model: openai/none, address: "{dead_url()}"}}\n', "utf-8"
    )
    (tmp_path / "study.yaml").write_text(STUDY, "utf-8")
    return tmp_path


def call(*words: str) -> Result:
    return CliRunner().invoke(lw, ["study", *words], catch_exceptions=False)


def journals(folder: Path) -> dict[str, int]:
    return {str(one.relative_to(folder)): one.stat().st_mtime_ns for one in folder.rglob("journal.jsonl")}


def told(folder: Path, name: str) -> list[dict[str, str]]:
    with (folder / name).open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def test_a_study_is_played_once_and_its_table_is_that_of_its_scores(here: Path) -> None:
    first = call("run", "study.yaml", "--out", "out")
    assert first.exit_code == 0, first.output
    played = journals(here / "out")
    assert len(played) == 4
    again = call("run", "study.yaml", "--out", "out", "--json")
    assert again.exit_code == 0 and journals(here / "out") == played
    cells = {(one["row"], one["column"]): one for one in told(here / "out", "tables/1.csv")}
    scores = told(here / "out", "scores.csv")
    runs = {one["run"]: one["model"] for one in told(here / "out", "runs.csv")}
    for model in ("A", "B"):
        mine = [float(s["value"]) for s in scores if s["figure"] == "BIN" and runs[s["run"]] == model and s["value"]]
        assert float(cells[model, "BIN"]["value"]) == pytest.approx(100 * statistics.fmean(mine))
    assert (cells["A", "BIN"]["printed"], cells["B", "BIN"]["printed"]) == ("69.7", "")
    digest = json.loads((here / "out" / "study.json").read_text("utf-8"))["digest"]
    for file in ("report.html", "report.md", "report.tex"):
        assert digest in (here / "out" / file).read_text("utf-8").replace("{-}", "-")
    more = STUDY.replace("seeds: 2", "seeds: 3").replace("quick\ntitle: quick", "quick\ntitle: another title")
    (here / "study.yaml").write_text(more, "utf-8")
    assert call("run", "study.yaml", "--out", "out").exit_code == 0
    now = journals(here / "out")
    assert len(now) == 6 and {name: now[name] for name in played} == played
    (here / "study.yaml").write_text(STUDY.replace("study: quick", "study: other"), "utf-8")
    assert "LW925" in call("run", "study.yaml", "--out", "out").output
    assert "LW928" in call("report", "study.yaml", "--out", "elsewhere").output


def test_a_model_that_is_down_stops_its_own_runs_only(here: Path) -> None:
    (here / "study.yaml").write_text(STUDY.replace("[A, B]", "[down, A]"), "utf-8")
    done = call("run", "study.yaml", "--out", "out")
    assert done.exit_code == 3, done.output
    cells = {(one["row"], one["column"]): one for one in told(here / "out", "tables/1.csv")}
    assert (cells["down", "BIN"]["value"], cells["down", "BIN"]["gap"]) == ("", "unplayed")
    assert cells["A", "BIN"]["value"]


def test_a_plan_tells_what_is_missing_and_what_cannot_be_played(here: Path) -> None:
    text = STUDY.replace("[A, B]", "[A, unbound]").replace("models: {", "models: {unbound: 'far', ")
    (here / "study.yaml").write_text(text.replace("unbound: 'far'", "unbound: ''"), "utf-8")
    data = json.loads(call("plan", "study.yaml", "--json").stdout)
    assert [(one["model"], one["missing"], one["why"]) for one in data["combinations"]] == [
        ("A", 2, ""),
        ("unbound", 0, "model"),
    ]
    assert not (here / "runs").exists(), "a plan writes nothing"
    bound = json.loads(call("plan", "study.yaml", "--model", "unbound=offline", "--json").stdout)
    assert [one["why"] for one in bound["combinations"]] == ["", ""]
    assert "LW926" in call("plan", "study.yaml", "--model", "nobody=offline").output


def test_what_cannot_be_played_at_all_is_said(here: Path) -> None:
    (here / "study.yaml").write_text(STUDY.replace("cases: all, ", "cases: all, needs: a thing, "), "utf-8")
    assert "LW923" in call("run", "study.yaml").output
    assert "LW924" in call("check", "stdy").output
    assert "LW927" in call("report", "study.yaml", "--only", "9").output


def sets(here: Path, text: str) -> tuple[dict[str, str], list[str]]:
    """Case -> what the table beside it says, and the codes of what is wrong."""
    (here / "study.yaml").write_text(STUDY.replace("  all: {from: [j1-yajin]}", f"  all: {text}"), "utf-8")
    opened = open_study("study.yaml", here)
    assert isinstance(opened, OpenStudy), opened
    plan = plan_study(opened, here / "out")
    cases = {one.case.id: one.side.get("band", "") for point in plan.points for one in point.cases}
    return cases, [one.code for one in plan.problems]


def test_a_table_beside_cases(here: Path) -> None:
    (here / "bands.csv").write_text("id,band\nj1-yajin,rare\nnobody,common\n", "utf-8")
    cases, codes = sets(here, "{from: [j1-yajin], join: bands.csv by id}")
    assert set(cases.values()) == {"rare"} and codes == []
    assert sets(here, "{from: [j1-yajin], join: bands.csv by id, only: band is common}")[0] == {}
    (here / "bands.csv").write_text("id,band\nj1-yajin,rare\nj1-yajin,common\n", "utf-8")
    assert sets(here, "{from: [j1-yajin], join: bands.csv by id}") == ({}, ["LW919"])
    (here / "bands.csv").write_text("number,band\n1,rare\n", "utf-8")
    assert sets(here, "{from: [j1-yajin], join: bands.csv by id}") == ({}, ["LW920"])
    assert sets(here, "{from: [j1-yajin], expect: 98}")[1] == ["LW922"]


def test_a_sample_is_drawn_by_id_and_seed(here: Path) -> None:
    """Neighbours of a sample: other files beside, another order, another seed; parts and what is left of them."""
    names = ["j1-yajin", "j1-daoqie"]
    for number in range(6):
        text = (ROOT / "cases" / "j1-yajin.yaml").read_text("utf-8")
        lines = [f"case: c{number}" if line.startswith("case:") else line for line in text.splitlines()]
        (here / f"c{number}.yaml").write_text("\n".join(lines), "utf-8")
    names = [f"c{number}.yaml" for number in range(6)]
    first, _ = sets(here, f"{{from: [{', '.join(names)}], sample: 3 seed 1}}")
    turned, _ = sets(here, f"{{from: [{', '.join(reversed(names))}], sample: 3 seed 1}}")
    assert len(first) == 3 and set(first) == set(turned)
    more, _ = sets(here, f"{{from: [{', '.join(names)}], sample: 5 seed 1}}")
    assert set(first) < set(more)
    half, _ = sets(here, f"{{from: [{', '.join(names)}], sample: 50 % seed 1}}")
    assert set(half) == set(first)
    drawn = {tuple(sets(here, f"{{from: [{', '.join(names)}], sample: 3 seed {seed}}}")[0]) for seed in range(5)}
    assert len(drawn) > 1
    rest = f"{{from: [{', '.join(names)}]}}\n  part: {{part of: all, sample: 3 seed 1}}"
    rest += "\n  rest: {part of: all, without: part}"
    (here / "study.yaml").write_text(
        STUDY.replace("  all: {from: [j1-yajin]}", f"  all: {rest}").replace("cases: all,", "cases: rest,"), "utf-8"
    )
    opened = open_study("study.yaml", here)
    assert isinstance(opened, OpenStudy)
    left = {one.case.id for point in plan_study(opened, here / "out").points for one in point.cases}
    assert left and left.isdisjoint(first) and len(left) == 3
