"""Linker and checker against small broken projects: `checker/CODE[-what]/` beside the complete text of its problems.

Each project also has the plain templates of `checker/_templates/`. `LW_BLESS=1` rewrites the expectations.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import cache
from importlib import resources
from pathlib import Path

import pytest
from goldens import compare, in_both_languages
from places import ROOT

from legalworld.checking.check import check
from legalworld.checking.rules.citations import BasisCitation, parse
from legalworld.language.link.linker import link
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.procedure import Procedure
from legalworld.model.source import MemorySources
from legalworld.templates.template_set import TemplateSet
from legalworld.wording import diagnostics

FOLDER = Path(__file__).parent / "diagnostics"
PROJECTS = sorted(path for path in FOLDER.iterdir() if path.is_dir() and not path.name.startswith("_"))
SHIPPED = ("specs", "prompts", "documents", "personas", "skills")


def texts_below(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "expected.txt")
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}


def shipped() -> dict[str, str]:
    """The specs of this project and all that they use."""
    return {f"{name}/{path}": text for name in SHIPPED for path, text in texts_below(ROOT / name).items()}


def problems_in(sources: MemorySources, path: str) -> tuple[Diagnostic, ...]:
    linked = link(sources, path)
    if linked.procedure is None:
        return linked.problems
    return (*linked.problems, *check(linked.procedure, templates_of(linked.procedure, sources)))


def templates_of(procedure: Procedure, sources: MemorySources) -> TemplateSet:
    return TemplateSet.of(sources, procedure)


@cache
def plain_templates() -> dict[str, str]:
    return texts_below(FOLDER / "_templates")


def project(folder: Path) -> MemorySources:
    return MemorySources({**plain_templates(), **texts_below(folder)})


@pytest.mark.parametrize("folder", PROJECTS, ids=lambda folder: folder.name)
def test_broken_project(folder: Path) -> None:
    sources = project(folder)
    problems = problems_in(sources, "specs/demo.yaml")
    compare(folder / "expected.txt", in_both_languages(problems, sources.read))
    code = re.match(r"LW\d{3}", folder.name)
    assert code is None or code[0] in {problem.code for problem in problems}
    assert not (folder.name.startswith("good") and problems)
    for problem in problems:
        words = diagnostics.message(problem, "zh") + diagnostics.repair(problem, "en")
        assert not re.search(r"\{(?!(role|n)\})\w+\}", words), f"a hole is left open in {problem.code}"


def test_some_projects_are_good() -> None:
    assert [folder for folder in PROJECTS if folder.name.startswith("good")]


def test_every_code_has_a_project() -> None:
    messages = resources.files("legalworld") / "wording" / "diagnostics"
    codes = {
        code
        for name in ("link", "constructs", "answers", "inherit", "dates", "practice")
        for code in tomllib.loads((messages / f"{name}.toml").read_text("utf-8"))
    }
    of_runs = {"LW988"}  # what a calendar does not know yet is told where a case is played
    assert codes - of_runs - {folder.name[:5] for folder in PROJECTS} == set()


@pytest.mark.parametrize("name", ["bargain", "civil"])
def test_shipped_procedures_have_no_problems(name: str) -> None:
    sources = MemorySources(shipped())
    assert diagnostics.render(problems_in(sources, f"specs/{name}.yaml"), sources.read, "zh") == ""


@pytest.mark.parametrize(
    ("name", "stage", "kind"),
    [("claims", "FIT", "judge"), ("parties", "FIT", "judge"), ("facts", "CD", "lawyer"), ("disputes", "SIT", "judge")],
)
def test_closing_a_cell_that_a_template_needs_is_refused(name: str, stage: str, kind: str) -> None:
    sources = MemorySources(shipped())
    procedure = link(sources, "specs/civil.yaml").procedure
    assert procedure is not None
    closed = tuple(g for g in procedure.grants if (g.what, g.stage, g.kind) != (name, stage, kind))
    problems = check(replace(procedure, grants=closed), templates_of(procedure, sources))
    found = [problem for problem in problems if problem.code == "LW084"]
    assert found
    for problem in found:
        assert (problem.values["kind"], problem.values["places"]) == (kind, (stage,))
        assert problem.span.file.endswith(".j2")
        assert problem.also[0].file == "specs/civil.yaml"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("民事诉讼法第一百二十四条", BasisCitation("民事诉讼法", 124, 0, 0, 0)),
        ("《民法典》第六百七十五条", BasisCitation("民法典", 675, 0, 0, 0)),
        ("民事诉讼法 第一百七十七条 第一款第（二）项", BasisCitation("民事诉讼法", 177, 0, 1, 2)),
        ("刑法第一百三十三条之一第二款", BasisCitation("刑法", 133, 1, 2, 0)),
        ("民事诉讼法第124条", None),
        ("民事诉讼法一百二十四条", None),
        ("第一百二十四条", None),
        ("民事诉讼法第一百二十四款", None),
        ("民事诉讼法第甲条", None),
        ("民事诉讼法第〇条", None),
        ("刑法第一百三十三条之甲", None),
        ("民事诉讼法第一百七十七条第甲款", None),
        ("民事诉讼法第一百七十七条第甲款第二项", None),
        ("民事诉讼法第一百七十七条第一款第（甲）项", None),
        ("", None),
    ],
)
def test_citation(text: str, expected: BasisCitation | None) -> None:
    assert parse(text) == expected
