"""Studies of papers at small size, played by a model on loopback, killed once in mid-run and gone on with by the same
command: what is filled, what waits and why, and twenty cells reckoned again from `lw eval`'s files by other code."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from pathlib import Path

import pytest
from loopback import Answer, Call, Loopback, say
from places import ROOT
from studied import begun, cells, command, figures, killed_once, rows, without_printed

PLAYERS = ("GPT-4o", "Deepseek-v3")
WAITING = frozenset({"sheets", "needs"})
"""Reasons that name an input which is not there: sheets that people filled in, what a study says that it needs."""


def small_j1(text: str) -> str:
    """The study of J1 on shipped cases, with two models; the grader goes by rule."""
    for name, case in (("kq", "j1-yajin"), ("lc", "j1-yajin"), ("cd", "j1-yajin"), ("dd", "j1-yajin")):
        text = re.sub(rf"(?m)^  {name}: \{{from:.*$", f"  {name}: {{from: {case}}}", text)
    text = re.sub(r"(?m)^  ci: \{from:.*$", "  ci: {from: j1-yajin}", text)
    text = re.sub(r"(?m)^  cr: \{from:.*$", "  cr: {from: j1-daoqie}", text)
    text = re.sub(r"each: \{model: \[[^\]]*\]\}", 'each: {model: ["GPT-4o", "Deepseek-v3"]}', text)
    text = text.replace("model is one of GPT-4o, Deepseek-v3, Qwen3-it. 14B", "model is one of GPT-4o, Deepseek-v3")
    text = re.sub(r"model is one of GPT-4o, Deepseek-v3, [^\"]*", "model is one of GPT-4o, Deepseek-v3", text)
    others = r"(?!GPT-4o\b|Deepseek-v3\b)"
    text = re.sub(rf'(?m)^      - \{{(?:row|column): "{others}[^"]*", only: "?model is .*\n', "", text)
    text = text.replace("grader: GPT-4o, ", "")
    return without_printed(text)


def answer(call: Call) -> Answer:
    """A sentence, whatever is asked; who is to go through topics comes to the next one with each turn."""
    messages = call.body["messages"]
    own = sum(one["role"] == "assistant" for one in messages)
    topics = any("【话题" in str(one["content"]) for one in messages)
    return say(f"【话题{own % 5 + 1}】我按照材料说。" if topics else "我按照材料说，就是这些。", tokens=(100, 10))


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "s.yaml").write_text(small_j1((ROOT / "studies" / "papers" / "j1.yaml").read_text("utf-8")), "utf-8")
    return tmp_path


SCALES = {"NBIN": 10, "JUD": 10, "REA": 10}


def reckoned(here: Path) -> dict[tuple[str, str], float]:
    """Table 2 again: of each model and column, the mean over runs of one environment, by plain arithmetic."""
    found = {}
    rubrics = {"CI": "j1-civil", "CR": "j1-criminal"}
    for row in rows(here / "out" / "tables" / "2.csv"):
        environment, _, name = row["column"].partition(" ")
        if not name or row["row"] not in PLAYERS:
            continue
        mine = [one["run"] for one in rows(here / "out" / "runs.csv")
                if one["condition"] == environment and one["model"] == row["row"]]  # fmt: skip
        values = [figures(run, rubrics.get(environment, f"j1-{environment.lower()}"))[name] for run in mine]
        there = [value for value in values if value is not None]
        if there:
            found[row["row"], row["column"]] = SCALES.get(name, 100) * statistics.fmean(there)
    return found


def test_a_study_that_was_killed_goes_on_and_every_cell_is_filled_or_waits_for_what_it_names(here: Path) -> None:
    with Loopback(answer) as server:
        models = {name: f"m{number}" for number, name in enumerate((*PLAYERS, "Qwen3-it. 32B"))}
        told = killed_once(here, server, *command(here, server, models), 9)
    wanted = {row["run"] for row in rows(here / "out" / "runs.csv")}
    assert {row["ended"] for row in rows(here / "out" / "runs.csv")} == {"True"} and len(wanted) == begun(here)
    assert f"to their end: {len(wanted)}, of {len(wanted)} wanted" in told
    every = cells(here)
    waiting = Counter(row["gap"] for _, row in every if not row["value"])
    assert sum(bool(row["value"]) for _, row in every) > 150
    assert set(waiting) <= WAITING | {"parts", "nothing"}, waiting
    unasked = {(table, row["row"], row["column"]) for table, row in every if row["gap"] == "nothing"}
    assert unasked <= {("figure-4", "GPT-4o", "Size")}, "of whom nobody has told the size"
    for table, row in every:
        if row["gap"] == "parts":
            assert (table, row["column"].endswith("by people")) == ("3", True), "means of lines that wait themselves"
    again_by_hand = reckoned(here)
    shown = {(row["row"], row["column"]): row["value"] for row in rows(here / "out" / "tables" / "2.csv")}
    assert len(again_by_hand) >= 20
    for place, value in again_by_hand.items():
        assert float(shown[place]) == pytest.approx(value, abs=1e-9), place
