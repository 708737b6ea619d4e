"""Profiles of personas: one case, its people as a profile describes, without a change to the case's file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from playing import ROOT
from typed import lw


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    return tmp_path


LOW = "你凭常理和自己的遭遇判断是非"  # how personas/lcpf.yaml words a low legal literacy
HIGH = "你对法律不陌生"


@pytest.mark.parametrize(
    ("profile", "there", "absent"), [("hard", LOW, HIGH), ("easy", HIGH, LOW), ("literacy", LOW, HIGH)]
)
def test_people_are_told_the_levels_of_the_profile(here: Path, profile: str, there: str, absent: str) -> None:
    prompt = lw("prompt", "civil", "--case", "jiedai", "--as", "原告", "--at", "LC", "--profile", profile).out
    assert there in prompt and absent not in prompt


def test_a_run_by_a_profile_is_a_case_of_its_own_and_can_be_told_apart(here: Path) -> None:
    words = ("--cases", "jiedai", "--models", "offline", "--profiles", "easy,hard", "--rubric", "persona")
    assert lw("bench", "civil", *words, "--out", "out", "--json").code == 0
    data = lw("report", "out", "--rubric", "persona", "--by", "profile", "--json").object()
    assert sorted(run["case"] for run in data["runs"]) == ["jiedai@easy", "jiedai@hard"]
    assert list(data["groups"]) == ["easy", "hard"]
    assert {row["n"] for row in data["figures"]} == {1}  # one case under two profiles is one cluster
    assert {row["n"] for row in data["groups"]["hard"]} == {1}


def test_a_profile_that_is_not_there_is_named_with_those_that_are(here: Path) -> None:
    ran = lw("run", "civil", "--case", "jiedai", "--profile", "hart")
    assert ran.code == 2 and "LW198" in ran.err and "hard" in ran.err and not (here / "runs").exists()


def test_a_profile_names_declared_dimensions_and_levels(here: Path) -> None:
    for folder in ("specs", "prompts", "personas", "documents", "skills"):
        shutil.copytree(ROOT / folder, here / folder)
    file = here / "personas" / "lcpf.yaml"
    text = file.read_text(encoding="utf-8")
    line = next(line for line in text.splitlines() if line.startswith("  hard:"))
    wrong = line.replace("legal_literacy: low", "legal_litracy: low").replace("stability: low", "stability: lowest")
    file.write_text(text.replace(line, wrong), encoding="utf-8")
    ran = lw("check", "specs/civil.yaml")
    assert ran.code == 2
    number = text.splitlines().index(line) + 1
    assert ran.err.count("LW077") == 2 and f"lcpf.yaml:{number}" in ran.err
    assert "legal_literacy" in ran.err
