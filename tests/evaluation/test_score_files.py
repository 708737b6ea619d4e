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
