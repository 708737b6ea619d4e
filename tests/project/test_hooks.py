"""The hooks of pre-commit and the action for CI: what they run, on a sound project and on a broken one."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from places import HANG, ROOT
from ruamel.yaml import YAML

SPEC = """lw: 1
procedure: demo
title: 示例
kinds: {P: person}
roles:
  ann: {title: 甲, kind: person}
stages:
  - stage: S
    steps:
      - ann states: 你好
"""
UGLY = SPEC.replace("  - stage: S\n    steps", "  -   stage: S\n      steps").replace("      - ann", "        - ann")


def loaded(name: str) -> Any:
    return YAML(typ="safe").load((ROOT / name).read_text("utf-8"))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "demo.yaml").write_text(SPEC, "utf-8")
    return tmp_path


def run(script: str, project: Path) -> subprocess.CompletedProcess[str]:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "LW_PROJECT": str(project), "LW_LANG": "en"}
    words = ["bash", "-e", "-c", script]
    return subprocess.run(words, cwd=project, env=environment, capture_output=True, text=True, timeout=HANG)


def broken(project: Path) -> None:
    (project / "specs" / "demo.yaml").write_text(SPEC.replace("kind: person", "kind: persn"), "utf-8")


def hooks() -> dict[str, Any]:
    return {hook["id"]: hook for hook in loaded(".pre-commit-hooks.yaml")}


def test_the_hook_that_checks(project: Path) -> None:
    hook = hooks()["lw-check"]
    assert re.search(hook["files"], "specs/demo.yaml")
    assert not re.search(hook["files"], "README.md")
    assert run(hook["entry"], project).returncode == 0
    broken(project)
    done = run(hook["entry"], project)
    assert done.returncode == 2
    assert "persn" in done.stderr


def test_the_hook_that_lays_out_changes_the_file(project: Path) -> None:
    hook = hooks()["lw-fmt"]
    assert re.search(hook["files"], "specs/parts/talk.yml")
    file = project / "specs" / "demo.yaml"
    file.write_text(UGLY, "utf-8")
    assert run(f"{hook['entry']} {shlex.quote('specs/demo.yaml')}", project).returncode == 0
    assert "  - stage: S\n    steps:\n" in file.read_text("utf-8"), "which stops the commit"
    before = file.read_text("utf-8")
    run(f"{hook['entry']} specs/demo.yaml", project)
    assert file.read_text("utf-8") == before


def test_the_action_marks_what_is_wrong(project: Path) -> None:
    steps = {step.get("name"): step for step in loaded("action.yml")["runs"]["steps"]}
    assert run(steps["Check"]["run"], project).returncode == 0
    broken(project)
    done = run(steps["Check"]["run"], project)
    assert done.returncode != 0
    assert "::error file=specs/demo.yaml" in done.stdout
    assert all("${{" not in step.get("run", "") for step in steps.values()), "a value from outside is no script"


def test_the_action_looks_at_the_layout(project: Path) -> None:
    (layout,) = [step for step in loaded("action.yml")["runs"]["steps"] if step.get("name") == "Layout"]
    assert run(layout["run"], project).returncode == 0
    (project / "specs" / "demo.yaml").write_text(
        SPEC.replace("    steps", "      steps").replace("stage: S", "  stage: S")
    )
    assert run(layout["run"], project).returncode != 0
