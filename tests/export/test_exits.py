"""What is sealed leaves by no exit but the one that is for it; a leak that is planted shows that the looking finds."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from conftest import Serve
from loopback import say
from places import TESTS
from typed import lw

from legalworld.export.dataset import FORMS
from legalworld.export.traces import Trace, trace_of
from legalworld.runs.open_run import OpenRun, open_run

CANARIES = ("金丝雀甲五七三九", "金丝雀乙八一二六", "金丝雀丙四四零七")
CASE = f"""lw: 1
case: one
title: 一笔借款
people:
  creditor: [{{id: C1, name: 甲某}}]
  debtor: [{{id: D1, name: 乙某}}]
demands: [{{text: 归还五万元}}]
story: 二月三日借出五万元，到期没有归还。
truth: {{issue: {CANARIES[0]}, law: {CANARIES[1]}}}
verdict: {CANARIES[2]}
"""
OPEN = tuple(form for form in FORMS if form != "sealed")

EXITS: Mapping[str, tuple[str, ...]] = {
    **{f"dataset {form}": ("dataset", "run", "--form", form, "--out", "left") for form in OPEN},
    "archive": ("archive", "pack", "run", "--out", "left/run.zip"),
    "export": ("export", "run", "--to", "left"),
    "report": ("report", "run", "--rubric", "spoken", "--csv", "left/sheet.csv"),
    "report --json": ("report", "run", "--rubric", "spoken", "--json"),
    "runs --csv": ("runs", ".", "--csv", "left/sheet.csv"),
    "runs --json": ("runs", ".", "--json"),
    "show": ("show", "run"),
    "show --json": ("show", "run", "--json"),
    "replay --json": ("replay", "run", "--json"),
    "traces": ("traces", "run"),
    "batch status --json": ("batch", "status", "batch", "--json"),
    "transcript": ("replay", "run"),
}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    root = tmp_path_factory.mktemp("exits")
    shutil.copytree(TESTS / "study" / "project", root, dirs_exist_ok=True)
    (root / "cases" / "one.yaml").write_text(CASE, "utf-8")
    with contextlib.chdir(root):
        assert lw("run", "debt", "--case", "one", "--out", "run").code == 0
        assert lw("eval", "run", "--rubric", "spoken").code == 0
        assert lw("batch", "debt", "--cases", "cases/one.yaml", "--out", "batch").code == 0
    yield root


def left(root: Path, words: tuple[str, ...]) -> str:
    """All that a command says and writes; an archive unpacked."""
    (root / "left").mkdir()
    if words[0] == "traces":  # as they are handed to whatever sends them
        trace = trace_of(opened(root / words[1]))
        assert isinstance(trace, Trace)
        return "\n".join(repr(span) for span in trace.spans)
    with contextlib.chdir(root):
        ran = lw(*words)
        assert "LW199" not in ran.err
        if words[0] == "archive" and ran.code == 0:
            assert lw("archive", "unpack", "left/run.zip", "--out", "left/unpacked").code == 0
    files = [file for file in (root / "left").rglob("*") if file.is_file() and file.suffix not in (".zip", ".docx")]
    files += (root / "left").rglob("spec.zip")  # nothing in it is compressed
    told = [file.read_text("utf-8", errors="replace") for file in files]
    if words[0] in ("replay", "show"):
        told.append((root / "run" / "transcript.md").read_text("utf-8"))
    return "\n".join((ran.said, *told))


@pytest.mark.parametrize("name", EXITS)
def test_nothing_sealed_leaves(played: Path, tmp_path: Path, name: str) -> None:
    root = Path(shutil.copytree(played, tmp_path / "project"))
    said = left(root, EXITS[name])
    assert len(said) > 20 and not [canary for canary in CANARIES if canary in said]


def test_the_form_for_it_has_what_is_sealed(played: Path, tmp_path: Path) -> None:
    root = Path(shutil.copytree(played, tmp_path / "project"))
    said = left(root, ("dataset", "run", "--form", "sealed", "--out", "left"))
    assert all(canary in said for canary in CANARIES)


def opened(run: Path) -> OpenRun:
    found = open_run(run)
    assert isinstance(found, OpenRun)
    return found


@pytest.fixture
def leaky(played: Path, tmp_path: Path, serve: Serve, no_keys: None) -> Path:
    """The same, played by a model of such a name, that says what is sealed, in a case that is called so."""
    root = Path(shutil.copytree(played, tmp_path / "project"))
    serve(lambda _: say(CANARIES[2]))
    for folder in ("run", "batch"):
        shutil.rmtree(root / folder)
    (root / "cases" / "one.yaml").write_text(CASE.replace("case: one", f"case: {CANARIES[2]}"), "utf-8")
    with contextlib.chdir(root):
        words = ("debt", "--model", f"openai/{CANARIES[2]}")
        assert lw("run", *words, "--case", "one", "--out", "run").code == 0
        assert lw("batch", *words, "--cases", "cases/one.yaml", "--out", "batch").code == 0
        assert lw("eval", "run", "--rubric", "spoken").code == 0
    shutil.rmtree(next(run for run in (root / "batch").iterdir() if run.is_dir() and not run.name.startswith(".")))
    return root


@pytest.mark.parametrize("name", EXITS)
def test_a_planted_leak_is_found(leaky: Path, name: str) -> None:
    """The same looking finds it at every exit, so that each is one where something could leave."""
    assert CANARIES[2] in left(leaky, EXITS[name])
