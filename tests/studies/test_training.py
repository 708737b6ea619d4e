"""What a study writes out to train on: of the runs that it names and no others, and of no case that it tests."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from places import ROOT

from legalworld.cli.main import lw
from legalworld.model.source import MemorySources
from legalworld.studies.read_study import read_study

STUDY = """
lw: 1
study: taught
title: taught
models: {A: offline}
cases:
  learn: {from: [j1-yajin]}
  held: {from: [other.yaml]}
  both: {part of: [learn, held]}
conditions:
  full: {procedure: j1/cd, cases: [learn, held], model: A, others: A}
scoring: {}
tables:
  t: {title: t, of: [full], rows: {each: case set}, columns: [run.turns]}
training:
  talk: {forms: [chat, synthlaw], of: [full], only: case set is learn, apart from: held}
  all of it: {forms: chat, of: [full], apart from: held}
  one: {forms: [chat], of: [full], roles: [drafter], only: case set is learn}
"""


def test_only_what_is_learnt_from_goes_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    (tmp_path / "s.yaml").write_text(STUDY, "utf-8")
    (tmp_path / "other.yaml").write_text(
        (ROOT / "cases" / "j1-yajin.yaml").read_text("utf-8").replace("case: j1-yajin", "case: other"), "utf-8"
    )
    done = CliRunner().invoke(lw, ["study", "run", "s.yaml", "--out", "out"], catch_exceptions=False)
    assert done.exit_code == 2 and "LW809" in done.output and "first: other" in done.output, done.output
    assert "Training data talk: chat " in done.output
    home = tmp_path / "out" / "training"
    assert not (home / "all of it").exists(), "what is tested is not learnt from"
    rows = [json.loads(line) for line in (home / "talk" / "chat.jsonl").read_text("utf-8").splitlines()]
    assert rows and {row["metadata"]["case"] for row in rows} == {"j1-yajin"}
    own = [json.loads(line) for line in (home / "one" / "chat.jsonl").read_text("utf-8").splitlines()]
    assert 0 < len(own) < len(rows) and {row["metadata"]["role"] for row in own} == {"drafter"}
    again = CliRunner().invoke(lw, ["study", "report", "s.yaml", "--out", "out"], catch_exceptions=False)
    assert again.exit_code == 2
    assert [json.loads(line) for line in (home / "talk" / "chat.jsonl").read_text("utf-8").splitlines()] == rows


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[chat, synthlaw]", "[chat, sealed]"),
        ("of: [full], only", "of: [ful], only"),
        ("from: held}\n  all", "from: hled}\n  all"),
    ],
)
def test_what_cannot_go_out_is_told(old: str, new: str) -> None:
    assert old in STUDY
    study, problems = read_study(MemorySources({"studies/s.yaml": STUDY.replace(old, new)}), "studies/s.yaml")
    assert study is None and {one.code for one in problems} <= {"LW652", "LW916"}


def test_a_role_that_nobody_plays_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    file = tmp_path / "s.yaml"
    file.write_text(STUDY.replace("[drafter]", "[drafte]"), "utf-8")
    done = CliRunner().invoke(lw, ["study", "check", str(file)], catch_exceptions=False)
    assert done.exit_code == 2 and "drafte" in done.output
