"""Runs that were set up otherwise are never averaged in silence: they are told apart by what made them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typed import lw

OTHERWISE = {"case_text": ("--set", "theme=邻居装修"), "until": ("--until", "KQ/question")}
FIGURES = ("formula", "title", "value", "low", "high", "sd", "n", "interval", "excluded", "undecided", "rank")


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("base") / "base"
    assert lw("run", "j1/kq", "--out", out).code == 0
    assert lw("eval", out, "--rubric", "j1-kq").code == 0
    return out


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_was_played_otherwise_stands_apart_unless_it_is_averaged_over(
    base: Path, tmp_path: Path, name: str
) -> None:
    other = tmp_path / "other"
    assert lw("run", "j1/kq", "--out", other, *OTHERWISE[name]).code == 0
    assert lw("eval", other, "--rubric", "j1-kq").code == 0
    assert _apart(base, other) == [name]
    assert not _apart(base, other, "--average-over", name)
    refused = lw("report", base, other, "--rubric", "j1-kq", "--average-over", f"{name}x")
    assert refused.code == 2 and "LW710" in refused.err and name in refused.err


def _apart(*words: Path | str) -> list[str]:
    """What tells the rows of one figure apart."""
    ran = lw("report", *words, "--rubric", "j1-kq", "--unfinished", "kept", "--json")
    assert ran.code == 0, ran.err
    rows = [row for row in json.loads(ran.out)["figures"] if row["formula"] == "BIN"]
    return [name for name in rows[0] if name not in FIGURES and len({row[name] for row in rows}) > 1]
