"""Which file is used is said, and a procedure of one's own never speaks in the words of a built-in one of its name."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import ROOT
from typed import lw

from legalworld import __version__
from legalworld.files.project_files import init
from legalworld.model.diagnostics import Diagnostic
from legalworld.runs.project import Project, open_project

SPEC = (ROOT / "specs" / "bargain.yaml").read_text(encoding="utf-8")
CHANGED = SPEC.replace("title: 还价", "title: 另一种还价")


def opened(folder: Path, word: str = "bargain") -> Project:
    project = open_project(word, folder)
    assert not isinstance(project, Diagnostic)
    return project


def test_a_changed_procedure_with_a_built_in_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "bargain.yaml").write_text(CHANGED, encoding="utf-8")
    project = opened(tmp_path)
    assert project.procedure is None
    (problem,) = project.problems
    assert (problem.code, problem.values["name"]) == ("LW741", "bargain")
    assert str(problem.values["example"]).startswith(("prompts/zh/bargain/", "documents/zh/bargain/"))


@pytest.mark.parametrize("repair", ["its own words", "another name", "extends", "the same file", "under another file"])
def test_each_repair_that_the_message_names_works(repair: str, tmp_path: Path) -> None:
    specs, text = tmp_path / "specs", CHANGED
    specs.mkdir()
    match repair:
        case "its own words":
            init(tmp_path)
        case "another name":
            text = CHANGED.replace("procedure: bargain", "procedure: flohmarkt\nwording: [bargain]")
        case "extends":
            text = "lw: 1\nprocedure: mine\ntitle: 另一种\nextends: bargain\n"
        case "the same file":
            text = SPEC
        case _:
            init(tmp_path)
            (specs / "bargain.yaml").rename(specs / "mine.yaml")
    word = "mine" if repair in ("under another file", "extends") else "bargain"
    (specs / f"{word}.yaml").write_text(text, encoding="utf-8")
    project = opened(tmp_path, word)
    assert [problem.code for problem in project.problems if problem.severity == "error"] == []
    assert project.procedure is not None


def test_a_word_that_is_left_out_is_not_filled_in(tmp_path: Path) -> None:
    """One file that the project does not have, wherever it lies, is enough."""
    init(tmp_path)
    (tmp_path / "specs" / "bargain.yaml").write_text(CHANGED, encoding="utf-8")
    files = sorted(file for top in ("prompts", "documents") for file in (tmp_path / top / "zh").glob("bargain/**/*.j2"))
    for file in files:
        text = file.read_bytes()
        file.unlink()
        codes = [problem.code for problem in opened(tmp_path).problems]
        assert "LW741" in codes, file
        file.write_bytes(text)
    assert files and "LW741" not in [problem.code for problem in opened(tmp_path).problems]


def test_every_command_says_once_what_it_reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", "en")
    monkeypatch.chdir(tmp_path)
    init(tmp_path / "mine")
    commands = (
        ("check", "{}"),
        ("run", "{}", "--until", "settle"),
        ("view", "{}", "--as", "buyer", "--at", "haggle"),
        ("prompt", "{}", "--as", "buyer", "--at", "haggle"),
        ("batch", "play", "{}", "--out", "many"),
        ("cost", "{}", "--model", "openai/clerk"),
    )
    for command in commands:
        for word, reads in (
            ("bargain", f"specs/bargain.yaml, which comes with the package (legalworld {__version__})"),
            ("mine/specs/bargain.yaml", f"specs/bargain.yaml (project: mine; legalworld {__version__})"),
        ):
            words = [part.format(word) for part in command]
            words += ["--out", f"{command[0]}-{word.partition('/')[0]}"] if command[0] == "run" else []
            ran = lw(*words)
            said = [line for line in ran.err.splitlines() if line.startswith("The procedure is read from")]
            assert said == [f"The procedure is read from {reads}"], (command, ran)


def test_the_json_of_a_command_says_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    init(tmp_path / "mine")
    for word, project in (("bargain", None), ("mine/specs/bargain.yaml", "mine")):
        for command in (
            ("check", word),
            ("run", word, "--out", f"run-{bool(project)}"),
        ):
            reads = lw(*command, "--json").object()["reads"]
            assert reads == {"file": "specs/bargain.yaml", "project": project, "version": __version__}, command


def test_in_the_checkout_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert lw("check", "specs/bargain.yaml").err == ""
