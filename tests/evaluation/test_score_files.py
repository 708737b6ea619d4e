"""Scores beside a run: those that were changed by hand, or belong to another record, are told and left out."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from places import TESTS
from typed import lw


@pytest.fixture
def scored(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    """The file of the scores of `run`, in a project of its own."""
    shutil.copytree(TESTS / "study" / "project", tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    assert lw("run", "debt", "--case", "one", "--out", "run").code == 0
    assert lw("eval", "run", "--rubric", "spoken").code == 0
    assert lw("report", "run", "--rubric", "spoken").code == 0
    (file,) = (tmp_path / "run" / "scores").iterdir()
    return file


def test_a_score_that_was_changed_by_hand_is_left_out_of_the_report(scored: Path) -> None:
    honest = scored.read_bytes()
    changed = re.sub(rb'"value": [0-9.]+', b'"value": 9e9', honest)
    assert changed != honest
    for text in (changed, re.sub(rb',\n "sum": "\w+"', b"", changed), re.sub(rb',\n "sum": "\w+"', b"", honest)):
        scored.write_bytes(text)
        told = lw("report", "run", "--rubric", "spoken")
        assert told.code == 2 and "LW374" in told.err and "改过" in told.err and "9000000000" not in told.said
        shown = lw("show", "run", "--scores")
        assert shown.code == 2 and "LW374" in shown.err
    assert lw("eval", "run", "--rubric", "spoken").code == 0  # scored again, and all is well
    assert scored.read_bytes() == honest


def test_scores_of_another_run_are_not_this_runs(scored: Path) -> None:
    assert lw("run", "debt", "--case", "one", "--seed", "3", "--out", "other").code == 0
    shutil.copytree(scored.parent, Path("other/scores"))
    told = lw("report", "run", "other", "--rubric", "spoken")
    assert told.code == 0 and told.err.count("LW375") == 1 and "other" in told.err


def test_a_file_that_holds_no_scores_is_named(scored: Path) -> None:
    scored.write_text("[]", "utf-8")
    assert "LW328" in lw("report", "run", "--rubric", "spoken").err


WRITTEN = """lw: 1
rubric: written
title: 写得怎样
for: [debt]
measures:
  said:
    title: 请求写了没有
    rule: found
    stages: [write]
    from: document claim of target
    against: field demands.text
    with: {as: share}
formulas:
  written: {title: 诉状, is: mean(said), range: 0 to 1}
"""


def test_a_document_that_was_put_in_is_scored_where_that_is_asked_for(scored: Path) -> None:
    Path("rubrics/written.yaml").write_text(WRITTEN, "utf-8")
    Path("real.md").write_text("诉状\n\n请求\n\n归还五万元；支付利息一千元。", "utf-8")
    forked = lw("fork", "run", "--at", "court", "--replace", "claim@creditor=real.md", "--out", "forked")
    assert forked.code == 0, forked.err
    plain = lw("eval", "forked", "--rubric", "written", "--json").object()["evaluations"][0]
    assert [(one["value"], one["gap"]) for one in plain["scores"]] == [(None, "given")]
    told = lw("eval", "forked", "--rubric", "written", "--given", "--json").object()["evaluations"][0]
    assert told["given"] and [(one["value"], one["gap"]) for one in told["scores"]] == [(1.0, None)]
    kept = sorted(file.name for file in Path("forked/scores").iterdir())
    assert kept == ["written.rules.given.json", "written.rules.json"]
    apart = lw("report", "forked", "--rubric", "written")
    assert apart.code == 0 and "given: yes" in apart.said
