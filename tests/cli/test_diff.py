"""`lw diff` and `lw explain` as typed: exit codes, forms, revisions of git, and what cannot be compared."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from doc_pages import lw

SPEC = """\
lw: 1
procedure: mine
title: Mine
extends: bargain
"""
CHANGE = "changes:\n  - change haggle/haggle:\n      at most: 9 turns\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "en")
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "mine.yaml").write_text(SPEC, "utf-8")
    return tmp_path


def git(*words: str) -> None:
    said = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *said, *words], check=True, capture_output=True)


def test_a_revision_is_compared_with_the_files_of_now(folder: Path) -> None:
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "one")
    assert lw("diff", "mine@HEAD").code == 0
    (folder / "specs" / "mine.yaml").write_text(SPEC + CHANGE, "utf-8")
    found = lw("diff", "mine@HEAD", "--json")
    (change,) = found.object()["changes"]
    assert (found.code, change["group"], change["old"], change["new"]) == (1, "limits", "6", "9")
    assert change["line"] == 5 or change["file"].endswith(".yaml")
    git("commit", "-qam", "two")
    assert lw("diff", "mine@HEAD", "mine").code == 0
    assert lw("diff", "mine@HEAD~1", "mine@HEAD").code == 1
    (folder / "specs" / "mine.yaml").unlink()
    assert lw("diff", "mine@HEAD~1", "mine@HEAD").code == 1


@pytest.mark.parametrize(
    "words", [("mine@nosuch",), ("mine@-x",), ("bargain",), ("nosuch", "mine"), ("other@HEAD", "mine")]
)
def test_what_cannot_be_compared_is_told_with_its_repair(folder: Path, words: tuple[str, ...]) -> None:
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "one")
    found = lw("diff", *words)
    assert found.code == 2 and "Fix:" in found.err and "Traceback" not in found.err


def test_a_folder_without_a_repository_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = lw("diff", "mine@HEAD")
    assert found.code == 2 and ("LW867" in found.err)


@pytest.mark.parametrize("form", ["text", "md", "html"])
def test_every_form_says_the_same_changes(folder: Path, form: str) -> None:
    (folder / "specs" / "mine.yaml").write_text(SPEC + CHANGE, "utf-8")
    found = lw("diff", "bargain", "mine", "--format", form)
    assert found.code == 1 and "9" in found.out and "Limits" in found.out
    assert lw("diff", "bargain", "mine", "--format", form, "--out", "told").code == 1
    assert (folder / "told").read_text("utf-8") == found.out


@pytest.mark.parametrize("form", ["md", "html", "docx"])
def test_a_protocol_is_written_in_every_form(folder: Path, form: str) -> None:
    assert lw("explain", "mine", "--out", f"mine.{form}").code == 0
    assert (folder / f"mine.{form}").stat().st_size > 1000


def test_a_protocol_of_a_procedure_with_errors_says_so_and_is_not_signed(folder: Path) -> None:
    (folder / "specs" / "mine.yaml").write_text(SPEC + "law: 5\nnosuch: 1\n", "utf-8")
    found = lw("explain", "mine")
    assert found.code == 2 and "Traceback" not in found.err and "LW" in found.err
    assert "Not to be signed" in found.out and "Signed for" not in found.out


@pytest.mark.parametrize(
    "text",
    ["", "\x00", "[[[[" * 500, "lw: 1\n" + "a: " * 500, "- x\n" * 1000, "lw: 1\nprocedure: mine\nextends: mine\n"],
)
def test_what_is_no_procedure_is_told(folder: Path, text: str) -> None:
    (folder / "specs" / "mine.yaml").write_text(text, "utf-8")
    for words in (("explain", "mine"), ("diff", "mine", "bargain"), ("diff", "mine")):
        found = lw(*words)
        assert found.code == 2 and "Traceback" not in found.err and found.err


def test_a_procedure_that_extends_nothing_and_a_file_that_was_not_there_are_told_as_such(folder: Path) -> None:
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "one")
    for words, code in ((("bargain",), "LW847"), (("other@HEAD", "mine"), "LW846")):
        assert f" {code} " in lw("diff", *words).err
