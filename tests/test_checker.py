"""Linker and checker against small broken projects: `checker/CODE[-what]/` beside the complete text of its problems.

Each project also has the plain templates of `checker/_templates/`. `LW_BLESS=1` rewrites the expectations.
"""

from __future__ import annotations

import os
import re
import tomllib
from importlib import resources
from pathlib import Path

import pytest

from legalworld import diagnostics
from legalworld.checker import check
from legalworld.citations import Citation, parse
from legalworld.linker import link
from legalworld.procedure import Procedure
from legalworld.source import MemorySources, Problem
from legalworld.templates import TemplateSet

ROOT = Path(__file__).parent.parent
FOLDER = Path(__file__).parent / "checker"
PROJECTS = sorted(path for path in FOLDER.iterdir() if path.is_dir() and not path.name.startswith("_"))
SHIPPED = ("specs", "prompts", "documents", "personas")


def texts_below(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != "expected.txt")
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}


def shipped() -> dict[str, str]:
    """The specs of this project and all that they use."""
    return {f"{name}/{path}": text for name in SHIPPED for path, text in texts_below(ROOT / name).items()}


def problems_in(sources: MemorySources, path: str) -> tuple[Problem, ...]:
    linked = link(sources, path)
    if linked.procedure is None:
        return linked.problems
    return (*linked.problems, *check(linked.procedure, templates_of(linked.procedure, sources)))


def templates_of(procedure: Procedure, sources: MemorySources) -> TemplateSet:
    return TemplateSet(sources, locale=procedure.locale, procedure=procedure.name)


def project(folder: Path) -> MemorySources:
    return MemorySources({**texts_below(FOLDER / "_templates"), **texts_below(folder)})


@pytest.mark.parametrize("folder", PROJECTS, ids=lambda folder: folder.name)
def test_broken_project(folder: Path) -> None:
    sources = project(folder)
    problems = problems_in(sources, "specs/demo.yaml")
    found = "\n".join(diagnostics.render(problems, sources.read, locale) for locale in ("zh", "en"))
    expected = folder / "expected.txt"
    if os.environ.get("LW_BLESS"):
        expected.write_text(found, "utf-8")
    assert found == expected.read_text("utf-8")
    code = re.match(r"LW\d{3}", folder.name)
    assert code is None or code[0] in {problem.code for problem in problems}


def test_every_code_has_a_project_and_every_sentence_its_words() -> None:
    text = (resources.files("legalworld") / "messages" / "link.toml").read_text("utf-8")
    entries = tomllib.loads(text)
    shown = {folder.name[:5] for folder in PROJECTS}
    assert set(entries) - shown == set()
    for entry in entries.values():
        assert {"zh", "en", "help_zh", "help_en"} <= set(entry)
        assert re.findall(r"(?<!\{)\{\w+\}", entry["zh"]).sort() == re.findall(r"(?<!\{)\{\w+\}", entry["en"]).sort()


def test_every_hole_is_filled() -> None:
    for folder in PROJECTS:
        sources = project(folder)
        for problem in problems_in(sources, "specs/demo.yaml"):
            entry = diagnostics.catalogue()[problem.code]
            for key in ("zh", "en", "help_zh", "help_en"):
                holes = set(re.findall(r"(?<!\{)\{(\w+)\}", entry.get(key, "")))
                assert holes <= set(problem.values), (folder.name, problem.code, key)
