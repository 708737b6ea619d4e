"""Tables of cases, cells that are reckoned from others, shares by stage: each figure reckoned again by plain Python."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner
from places import ROOT

from legalworld.cli.main import lw
from legalworld.studies.open import OpenStudy, open_study
from legalworld.studies.plan import plan_study
from legalworld.studies.tables import fill_table

HEAD = """
lw: 1
study: counted
title: counted
models: {{A: offline, B: "offline:noisy"}}
cases:
  all: {{from: [{files}]}}
  part: {{part of: all, sample: 2 seed 3}}
conditions:
  asked: {{procedure: j1/kq, cases: all, others: A, each: {{model: [A, B]}}}}
scoring: {{kq: {{rubric: j1-kq, of: [asked]}}}}
tables:
  cases:
    title: cases
    of cases: [all, part]
    rows: {{each: case set}}
    columns:
      - {{column: cases, statistic: count}}
      - {{column: kinds, statistic: number of topics.kind}}
      - {{column: yes or no, statistic: entries of topics where kind is 是非}}
      - {{column: others, statistic: entries of topics where kind is not 是非}}
      - {{column: a case, statistic: mean entries of topics}}
  shares:
    title: shares
    of cases: [all]
    rows: {{each: field theme}}
    columns: [{{column: share, statistic: count, share of: column}}]
"""
RUNS = """
  turns:
    title: turns
    of: asked
    rows: {each: model}
    columns:
      - {column: whole, value: run.turns}
      - {column: stage, value: run.turns, stages: [KQ]}
      - {column: none, value: run.turns, stages: [KQ], share of: row}
  means:
    title: means
    of: asked
    rows: {each: model}
    columns: [{column: mean, from table: turns, line: "{row}"}]
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    return tmp_path


def made(here: Path, seed: int, cases: int = 4) -> list[list[str]]:
    """Write cases with as many topics as the dice say; return the kinds of the topics of each."""
    dice = random.Random(seed)
    plain = yaml.safe_load((ROOT / "cases" / "j1-yajin.yaml").read_text("utf-8"))
    kinds = []
    for number in range(cases):
        topics = dice.choices(plain["knowledge"]["topics"], k=dice.randint(1, 7))
        told = {**plain, "case": f"c{number}", "knowledge": {"theme": dice.choice("甲乙"), "topics": topics}}
        text = json.dumps(told, ensure_ascii=False, default=str)
        (here / f"c{number}.yaml").write_text(yaml.safe_dump(json.loads(text), allow_unicode=True), "utf-8")
        kinds.append([one["ask"]["kind"] for one in topics])
    return kinds


def tables(here: Path) -> dict[str, dict[tuple[str, str], float | None]]:
    found: dict[str, dict[tuple[str, str], float | None]] = {}
    for file in (here / "out" / "tables").glob("*.csv"):
        with file.open(encoding="utf-8-sig", newline="") as text:
            rows = csv.DictReader(text)
            found[file.stem] = {(r["row"], r["column"]): float(r["value"]) if r["value"] else None for r in rows}
    return found


@pytest.mark.parametrize("seed", range(3))
def test_counts_of_cases_are_those_of_their_files(here: Path, seed: int) -> None:
    kinds = made(here, seed)
    files = ", ".join(f"c{number}.yaml" for number in range(len(kinds)))
    (here / "s.yaml").write_text(HEAD.format(files=files) + RUNS, "utf-8")
    done = CliRunner().invoke(lw, ["study", "run", "s.yaml", "--small", "1", "--out", "out"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    found = tables(here)
    flat = [kind for one in kinds for kind in one]
    counted = found["cases"]
    assert counted["all", "cases"] == 4, "a table of cases counts all, whatever is played of them"
    assert counted["part", "cases"] == 2
    assert counted["all", "kinds"] == len(set(flat))
    assert counted["all", "yes or no"] == flat.count("是非")
    assert counted["all", "others"] == len(flat) - flat.count("是非")
    assert counted["all", "a case"] == pytest.approx(len(flat) / 4)
    assert sum(value or 0 for value in found["shares"].values()) == pytest.approx(100)
    turns = found["turns"]
    for model in ("A", "B"):
        assert turns[model, "whole"] == turns[model, "stage"] and turns[model, "none"] == pytest.approx(100)
        assert found["means"][model, "mean"] == pytest.approx(
            sum(turns[model, name] or 0 for name in ("whole", "stage", "none")) / 3
        )
    told = json.loads((here / "out" / "study.json").read_text("utf-8"))
    assert told["study"] == "counted"


def test_a_mean_of_columns_leaves_out_what_a_row_does_not_ask_for_and_nothing_else(here: Path) -> None:
    made(here, 1)
    table = """
  sides:
    title: sides
    of: asked
    only: model is A
    rows:
      - {row: both, value: [kq.BIN, kq.COV]}
      - {row: one, value: ["-", kq.COV]}
      - {row: lost, value: [run.tokens, kq.COV]}
    columns: [{column: x}, {column: y}, {column: mean, mean of: [x, y]}]
"""
    (here / "s.yaml").write_text(HEAD.format(files="c0.yaml, c1.yaml") + table, "utf-8")
    assert CliRunner().invoke(lw, ["study", "run", "s.yaml", "--out", "out"]).exit_code == 0
    sides = tables(here)["sides"]
    x, y = sides["both", "x"], sides["both", "y"]
    assert x is not None and y is not None and sides["both", "mean"] == pytest.approx((x + y) / 2)
    assert sides["one", "x"] is None and sides["one", "mean"] == y
    assert sides["lost", "x"] is None and sides["lost", "mean"] is None, "tokens that nobody told are a gap"


def test_a_plan_of_offline_actors_counts_their_calls_and_says_that_none_is_paid(here: Path) -> None:
    made(here, 2)
    (here / "s.yaml").write_text(HEAD.format(files="c0.yaml, c1.yaml"), "utf-8")
    text = CliRunner().invoke(lw, ["study", "plan", "s.yaml"], catch_exceptions=False)
    assert "No call is paid" in text.stdout and "0.00" not in text.stdout
    data = json.loads(CliRunner().invoke(lw, ["study", "plan", "s.yaml", "--json"]).stdout)
    assert all(one["free"] > 0 and one["cost"]["calls"] == 0 for one in data["combinations"])


DRAWN = """
  {draw}:
    title: drawn
    of: asked
    draw: {draw}
    rows: {{each: model}}
    columns:
      - {{column: x, value: 100 * kq.BIN{share}}}
      - {{column: y, value: 100 * kq.COV{share}}}
"""


def test_a_table_is_drawn_with_the_figures_that_stand_in_it(here: Path) -> None:
    made(here, 4, 2)
    kinds = ("bars", "dots", "lines", "heat map")
    drawn = "".join(DRAWN.format(draw=one, share=", share of: row" if one == "bars" else "") for one in kinds)
    (here / "s.yaml").write_text(HEAD.format(files="c0.yaml, c1.yaml") + drawn, "utf-8")
    done = CliRunner().invoke(lw, ["study", "run", "s.yaml", "--out", "out"], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    page = (here / "out" / "report.html").read_text("utf-8")
    found = tables(here)
    assert page.count("<svg") == 2 + 2 + 1, "bars and points by column, lines as one; a heat map is the table itself"
    assert len([*(here / "out").rglob("*.svg")]) == 6, "each is a file, the heat map too"
    for (row, column), value in found["lines"].items():
        assert f"<title>{column}: {value:g}</title>" in page, (row, column)


def test_a_set_that_nobody_plays_is_counted_as_those_of_its_binding_are(here: Path) -> None:
    """Splits of a corpus: only one of them is played, all are counted."""
    text = (ROOT / "cases" / "legalworld-sample.json").read_text("utf-8")
    (here / "light.json").write_text(text, "utf-8")
    (here / "medium.json").write_text(text, "utf-8")
    (here / "s.yaml").write_text(
        """
lw: 1
study: splits
title: splits
models: {A: offline}
cases:
  light: {from: [light.json], binding: legalworld}
  medium: {from: [medium.json], binding: legalworld}
conditions: {life: {procedure: civil, cases: light, model: A}}
tables:
  t: {title: t, of cases: [light, medium], rows: {each: case set}, columns: [{column: cases, statistic: count}]}
""",
        "utf-8",
    )
    opened = open_study("s.yaml", here)
    assert isinstance(opened, OpenStudy), opened
    plan = plan_study(opened, here / "out")
    filled = fill_table(opened.study.tables["t"], plan, (), {})
    expected = len(json.loads(text))
    assert [cell.value for cell in filled.cells.values()] == [expected, expected]
