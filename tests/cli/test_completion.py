"""What Tab proposes: names that the command then takes, folders that are runs, and never an error at the prompt."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete
from typed import lw

from legalworld.cli.main import lw as program


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def proposed(*words: str) -> list[str]:
    """What is proposed for the last word; "file" and "dir" leave it to the shell."""
    found = ShellComplete(program, {}, "lw", "_LW_COMPLETE").get_completions(list(words[:-1]), words[-1])
    return [one.value if one.type == "plain" else f"<{one.type}>" for one in found]


@pytest.mark.parametrize(
    "words",
    [
        ("run", "ci"), ("check", "crim"), ("graph", "civ"), ("explain", "civ"), ("specs", "ci"), ("test", "ci"),
        ("view", "ci"), ("diff", "ci"), ("diff", "civil", "cri"), ("snapshot", "ci"), ("cost", "ci"),
    ],
)  # fmt: skip
def test_procedures_by_name(words: tuple[str, ...]) -> None:
    found = proposed(*words)
    assert {"ci": "civil", "civ": "civil", "crim": "criminal", "cri": "criminal"}[words[-1]] in found
    assert all(name.startswith(words[-1]) for name in found)


def test_every_name_that_is_proposed_is_taken() -> None:
    names = proposed("specs", "")
    assert len(names) > 10
    for name in names:
        assert lw("specs", name).code == 0, name


def test_cases_rubrics_bindings_and_studies() -> None:
    assert "jiedai" in proposed("run", "civil", "--case", "ji")
    assert proposed("eval", "runs/x", "--rubric", "long") == ["longjud"]
    assert proposed("study", "check", "mem") == ["memory"]
    assert proposed("run", "civil", "--binding", "maser")


def test_several_cases_with_commas() -> None:
    first = proposed("batch", "civil", "--cases", "ji")
    assert "jiedai" in first
    assert "jiedai,jiedai" in proposed("batch", "civil", "--cases", "jiedai,ji")


def test_a_projects_own_names(elsewhere: Path) -> None:
    (elsewhere / "specs").mkdir()
    (elsewhere / "specs" / "仲裁.yaml").write_text("lw: 1\n", encoding="utf-8")
    (elsewhere / "specs" / "仲裁.test.yaml").write_text("lw: 1\n", encoding="utf-8")
    assert proposed("run", "仲") == ["仲裁"]


@pytest.mark.parametrize("command", ["show", "resume", "replay", "eval", "audit", "publish"])
def test_runs_and_nothing_else(command: str, elsewhere: Path) -> None:
    for name in ("runs/civil-1", "runs/deep/er/two", "runs/a b", "runs/$(touch pwned)"):
        (elsewhere / name).mkdir(parents=True)
        (elsewhere / name / "run.yaml").write_text("lw: 4\n", encoding="utf-8")
    (elsewhere / "runs" / "empty").mkdir()
    (elsewhere / "runs" / "loop").symlink_to(elsewhere)
    assert proposed(command, "runs/c") == ["runs/civil-1"]
    assert set(proposed(command, "")) == {"runs/civil-1", "runs/deep/er/two", "runs/a b", "runs/$(touch pwned)"}
    assert proposed(command, "nothing/here") == ["<dir>"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_line_of_the_page(shell: str) -> None:
    """`eval "$(_LW_COMPLETE=bash_source lw)"`, and what the shell then asks."""
    begin = [sys.executable, "-c", "from legalworld.cli.main import main; main()"]
    source = subprocess.run(
        begin, env=os.environ | {"_LW_COMPLETE": f"{shell}_source"}, capture_output=True, text=True, timeout=300
    )
    assert source.returncode == 0 and "_LW_COMPLETE" in source.stdout and not source.stderr
    asked = {
        "_LW_COMPLETE": f"{shell}_complete",
        "COMP_WORDS": "lw run civ",
        "COMP_CWORD": "civ" if shell == "fish" else "2",
    }
    told = subprocess.run(begin, env=os.environ | asked, capture_output=True, text=True, encoding="utf-8", timeout=300)
    assert told.returncode == 0 and "civil" in told.stdout and not told.stderr


def test_a_folder_that_cannot_be_read_proposes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(_: str) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "scandir", refused)
    assert proposed("show", "runs/") == ["<dir>"]
