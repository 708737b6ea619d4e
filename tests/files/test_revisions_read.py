"""Files as they were in a git revision: read from the repository alone, and nothing in it is run."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from legalworld.files.project_files import EXPERT_FOLDERS, Disk
from legalworld.files.revisions import ChangedFiles, SourcesBefore, changed_since
from legalworld.model.diagnostics import Diagnostic

SPEC = "lw: 1\nprocedure: mine\n"


def git(folder: Path, *words: str) -> None:
    who = (
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.org",
        "-c",
        "commit.gpgsign=false",
        "-c",
        "core.autocrlf=false",
    )
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "above" / "project"
    (root / "specs").mkdir(parents=True)
    (root / "specs" / "mine.yaml").write_text(SPEC, "utf-8")
    (root.parent / "specs").mkdir()
    (root.parent / "specs" / "other.yaml").write_text("outside", "utf-8")
    git(root.parent, "init", "-q")
    git(root.parent, "add", "-A")
    git(root.parent, "commit", "-qm", "one")
    (root / "specs" / "mine.yaml").write_text(SPEC + "title: later\n", "utf-8")
    git(root.parent, "commit", "-qam", "two")
    git(root.parent, "tag", "second")
    return root


def revision(root: Path, name: str) -> SourcesBefore:
    found = changed_since(root, name, EXPERT_FOLDERS)
    assert isinstance(found, ChangedFiles), found
    return SourcesBefore(Disk(root), found.before)


def told(root: Path, name: str) -> str:
    found = changed_since(root, name, EXPERT_FOLDERS)
    assert isinstance(found, Diagnostic)
    return found.code


def test_a_revision_has_its_own_texts_whatever_is_on_disk(project: Path) -> None:
    (project / "specs" / "mine.yaml").write_text("dirty", "utf-8")
    assert revision(project, "HEAD~1").read("specs/mine.yaml") == SPEC
    assert revision(project, "second").read("specs/mine.yaml") == SPEC + "title: later\n"
    (project / "specs" / "mine.yaml").unlink()
    assert revision(project, "HEAD").read("specs/mine.yaml") == SPEC + "title: later\n"
    assert "specs/mine.yaml" in revision(project, "HEAD").names("specs")


@pytest.mark.parametrize(
    "path", ["../specs/other.yaml", "/etc/passwd", "specs/../../specs/other.yaml", "specs/other.yaml", ""]
)
def test_nothing_outside_the_project_is_read(project: Path, path: str) -> None:
    assert revision(project, "HEAD").read(path) is None


@pytest.mark.parametrize(
    "name",
    [
        "nosuch",
        "HEAD~99",
        "",
        "-q",
        "--output=x",
        "HEAD:specs",
        "a b",
        "@{u}",
        "\x00",
        "$(touch run)",
        "x" * 5000,
        "：；",
    ],
)
def test_a_revision_that_is_none_is_told(project: Path, name: str) -> None:
    assert told(project, name) == "LW868"
    assert not (project / "run").exists()


def test_links_and_hooks_of_a_repository_do_nothing(project: Path) -> None:
    os.symlink("/etc/hostname", project / "specs" / "linked.yaml")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "three")
    ran = project / "ran"
    script = project.parent / ".git" / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch {ran}\n", "utf-8")
    script.chmod(0o755)
    for key in ("core.fsmonitor", "core.pager", "core.sshCommand", "alias.ls-tree", "core.editor", "pager.ls-tree"):
        git(project, "config", key, str(script))
    found = revision(project, "HEAD")
    assert found.read("specs/mine.yaml") is not None and found.read("specs/linked.yaml") is None
    assert not ran.exists()


def test_the_environment_does_not_lead_elsewhere(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY"):
        monkeypatch.setenv(name, str(tmp_path / "nowhere"))
    assert revision(project, "HEAD~1").read("specs/mine.yaml") == SPEC
