"""What a change touches: exactly the prompts that `lw snapshot` reports, whatever word of whatever shared part changed;
and what is told where there is nothing to compare with."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from places import ROOT
from typed import lw

from legalworld.authoring.impact import limits
from legalworld.files.project_files import init
from legalworld.runs.project import Project, open_project

WORDS = int(os.environ.get("LW_IMPACT", "4"))  # `make impact` takes 30, and civil litigation with them
KEPT = ("bargain", "maser", "smallclaims", "asp2lj", "j1-kq", *(("civil", "retrial") if WORDS > 4 else ()))
SPECS = ",".join(name.replace("-", "/") for name in KEPT)
IDENTITY = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")


def git(folder: Path, *words: str) -> None:
    subprocess.run(["git", *IDENTITY, *words], cwd=folder, check=True, capture_output=True, timeout=120)


@pytest.fixture(scope="module")
def committed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("committed")
    init(folder)
    for name in KEPT:
        shutil.copytree(ROOT / "snapshots" / name, folder / "snapshots" / name)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "as shipped")
    return folder


@pytest.fixture
def project(committed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The committed project, in which the command is typed; as it was when the test is over."""
    monkeypatch.chdir(committed)
    yield committed
    git(committed, "checkout", "-q", "-f", "main")
    git(committed, "clean", "-q", "-f", "-d")


Place = tuple[str, int, int]  # file, line from 0, column


@cache
def words_of_parts() -> tuple[list[Place], list[Place]]:
    """Words of prompts which several procedures share, outside of all branches, and inside of one; such as come up in
    some prompt that is kept."""
    plain: list[Place] = []
    branched: list[Place] = []
    said = "".join(
        file.read_text("utf-8").replace("↩\n", "")
        for name in KEPT
        for file in (ROOT / "snapshots" / name).rglob("*.txt")
    )
    for file in sorted((ROOT / "prompts").glob("*/*/*.j2")):
        if f"---- {file.relative_to(ROOT)}\n" not in said and not file.name.startswith("_"):
            continue
        depth = 0
        for n, line in enumerate(file.read_text("utf-8").split("\n")):
            bare = re.sub(r"\{[{%#].*?[}%#]\}", lambda tag: "\0" * len(tag[0]), line)
            inside = depth
            depth += len(re.findall(r"\{%-?\s*if\b", line)) - len(re.findall(r"\{%-?\s*endif\b", line))
            tags = "{%" in line or "{#" in line or "#}" in line
            if tags or "{{" in line:
                continue
            words = (one for one in re.finditer(r"[\u4e00-\u9fff]{4,}|[A-Za-z]{5,}", bare) if one[0] in said)
            (branched if inside else plain).extend((str(file.relative_to(ROOT)), n, word.start()) for word in words)
    return plain, branched


def chosen() -> list[Place]:
    draw, (plain, branched) = random.Random(40), words_of_parts()
    return [*draw.sample(plain, WORDS // 2), *draw.sample(branched, WORDS - WORDS // 2)]


@pytest.mark.parametrize("place", chosen(), ids=lambda place: ":".join(map(str, place)))
def test_a_word_in_a_shared_part_touches_the_prompts_that_snapshots_report(place: Place, project: Path) -> None:
    file, line, column = place
    lines = (project / file).read_text("utf-8").split("\n")
    lines[line] = f"{lines[line][:column]}改{lines[line][column:]}"
    (project / file).write_text("\n".join(lines), encoding="utf-8")
    reported = lw("snapshot", "--json").object()["snapshots"]
    wanted = {name for row in reported for name in row["differs"]}
    told = lw("impact", "--specs", SPECS, "--json")
    assert told.code == 0
    value = told.object()
    folders = {row["folder"].split("/")[0]: row["folder"] for row in reported}
    found = {
        f"{folders[one['spec'].replace('/', '-')]}/{name}" for one in value["procedures"] for name in one["prompts"]
    }
    assert found == wanted
    assert value["changed"] == [file]


def test_the_words_reach_prompts_at_all() -> None:
    plain, branched = words_of_parts()
    assert len(plain) > 20 and len(branched) > 20


# ---- what else is touched --------------------------------------------------------------------------------------------


def edited(project: Path, file: str, old: str, new: str) -> None:
    text = (project / file).read_text("utf-8")
    assert text.count(old) == 1
    (project / file).write_text(text.replace(old, new), encoding="utf-8")


def test_a_limit_that_prose_still_tells_of_is_named(project: Path) -> None:
    edited(project, "specs/bargain.yaml", "at most: 6 turns", "at most: 8 turns")
    edited(project, "specs/bargain.yaml", "要求让价", "要求让价，最多谈6轮，谈不到八轮")
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "eight turns")
    (told,) = lw("impact", "--base", "HEAD~1", "--specs", "bargain", "--json").object()["procedures"]
    assert [(one["file"], one["words"], one["was"], one["now"]) for one in told["stale"]] == [
        ("specs/bargain.yaml", "6轮", "6", "8")
    ]
    assert "haggle/buyer.ask.press.txt" in " ".join(told["prompts"])
    assert any(one.startswith("specs/bargain.test.yaml:") for one in told["tests"])
    git(project, "reset", "-q", "--hard", "HEAD~1")


def test_documents_outcome_and_cost_of_the_case_are_told(project: Path) -> None:
    edited(project, "cases/bargain.yaml", "buy: 120", "buy: 0")
    (told,) = lw("impact", "cases/bargain.yaml", "--specs", "bargain", "--json").object()["procedures"]
    assert told["documents"] == [{"document": "receipt", "side": told["documents"][0]["side"], "kind": "gone"}]
    assert (told["before"]["outcome"], told["after"]["outcome"]) == ("sold", "unsold")
    assert told["after"]["calls"] == told["before"]["calls"] - 1


def test_every_bound_of_a_procedure_is_a_limit() -> None:
    opened = open_project("bargain", ROOT)
    assert isinstance(opened, Project) and opened.procedure is not None
    assert limits(opened.procedure) == {"haggle": 12, "haggle/2": 2, "haggle/haggle": 6}


# ---- new files, files that are gone, what cannot be compared ---------------------------------------------------------


def test_a_prompt_file_that_comes_or_goes_is_noticed(project: Path) -> None:
    new = project / "prompts" / "zh" / "bargain" / "act" / "ask.press.j2"
    new.parent.mkdir(parents=True, exist_ok=True)
    had = new.read_text("utf-8") if new.exists() else None
    new.write_text("要求让价，说出理由。", encoding="utf-8")
    value = lw("impact", "--specs", "bargain", "--json").object()
    assert had is not None or value["procedures"][0]["prompts"]
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "a part of its own")
    new.unlink()
    again = lw("impact", "--specs", "bargain", "--json").object()
    assert again["procedures"][0]["prompts"] == value["procedures"][0]["prompts"]
    git(project, "reset", "-q", "--hard", "HEAD~1")


def test_a_procedure_that_is_gone_or_broken_is_told(project: Path) -> None:
    edited(project, "specs/bargain.yaml", "buyer and seller converse", "buyer and seler converse")
    broken = lw("impact", "--specs", "bargain", "--json")
    assert broken.code == 2 and broken.object()["broken"]["bargain"]
    (project / "specs" / "bargain.yaml").unlink()
    gone = lw("impact", "--specs", "bargain", "--json")
    assert gone.code == 0 or "bargain" in gone.object()["broken"]


def test_nothing_changed_is_told(project: Path) -> None:
    assert lw("impact", "--json").object()["changed"] == []
    assert lw("impact").code == 0


def code_of(*words: str) -> str:
    found = lw(*words, "--json")
    assert found.code == 2
    return str(found.object()["problems"][0]["code"])


def test_where_nothing_can_be_compared_it_is_told(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert code_of("impact", "--base", "mian") == "LW868"
    assert lw("impact", "--base", "mian", "--json").object()["problems"][0]["nearest"] == "main"
    for name in ("--output=x", "HEAD~99", "", "a b", "\N{SNOWMAN}", "HEAD:specs"):
        assert code_of("impact", "--base", name) == "LW868", name
    assert not (project / "x").exists()
    edited(project, "specs/bargain.yaml", "讨价还价\nexample", "讨价\nexample")
    assert code_of("impact", "specs/civil.yaml") == "LW870"
    assert code_of("impact", "../elsewhere") == "LW870"
    (tmp_path / "specs").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert code_of("impact") == "LW867"
    with monkeypatch.context() as without:
        without.setenv("PATH", str(tmp_path))
        assert code_of("impact") == "LW867"


def test_nothing_of_the_repository_is_run(project: Path) -> None:
    """Hooks, filters, external diffs, pagers and monitors that a repository is configured with stay quiet."""
    trap = project / ".git" / "trap.sh"
    trap.write_text("#!/bin/sh\ntouch sprung\ncat\n")
    trap.chmod(0o755)
    hooks = project / ".git" / "hooks" / "post-index-change"
    shutil.copy(trap, hooks)
    for key in (
        "core.fsmonitor",
        "diff.external",
        "core.pager",
        "filter.x.clean",
        "filter.x.smudge",
        "diff.x.textconv",
    ):
        git(project, "config", key, str(trap))
    (project / ".gitattributes").write_text("* filter=x diff=x\n")
    edited(project, "specs/bargain.yaml", "要求让价", "要求降价")
    try:
        assert lw("impact", "--specs", "bargain", "--json").object()["procedures"]
        assert not (project / "sprung").exists()
    finally:
        for key in (
            "core.fsmonitor",
            "diff.external",
            "core.pager",
            "filter.x.clean",
            "filter.x.smudge",
            "diff.x.textconv",
        ):
            git(project, "config", "--unset", key)
        hooks.unlink()
        (project / ".gitattributes").unlink()


def test_an_unreadable_object_is_git_s_own_reason(project: Path) -> None:
    edited(project, "specs/bargain.yaml", "要求让价", "要求降价")
    blob = subprocess.run(
        ["git", "rev-parse", "HEAD:specs/bargain.yaml"], cwd=project, capture_output=True, text=True, check=True
    ).stdout.strip()
    object_ = project / ".git" / "objects" / blob[:2] / blob[2:]
    kept = object_.read_bytes()
    object_.chmod(0o600)
    object_.unlink()
    try:
        assert code_of("impact") == "LW869"
    finally:
        object_.write_bytes(kept)


def test_norms_and_tables_by_which_a_court_decides_are_files_of_a_procedure_too(project: Path) -> None:
    folder = project / "norms"
    file = next(one for one in sorted(folder.rglob("*.yaml")) if "cn" in one.parts)
    file.write_text(file.read_text("utf-8") + "\n# 一句话\n", encoding="utf-8")
    value = lw("impact", "--specs", "xiaoe,bargain", "--json").object()
    assert value["possible"] == ["xiaoe"] and not value["broken"]
