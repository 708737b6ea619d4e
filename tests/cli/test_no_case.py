"""Without a case there is nothing to play: told in both languages, with what to do, and nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from doc_pages import lw

SPEC = """\
lw: 1
procedure: bare
title: Bare
locale: en
kinds: {J: judge}
roles:
  judge: {title: Judge, kind: judge}
stages:
  - stage: court
    title: T
    steps:
      - judge announces: x
"""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_procedure_without_an_example_asks_for_a_case(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", language)
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "bare.yaml").write_text(SPEC, "utf-8")
    found = lw("run", "bare", "--out", "run")
    assert found.code == 2 and "LW192" in found.err and "--case" in found.err and "Traceback" not in found.err
    assert not (tmp_path / "run").exists()
