"""Parts of other packages, found by their entry points; those that ship, found in the same way."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace

import pytest
from places import ROOT
from typed import lw

import legalworld
from legalworld.evaluation.rules import registry, table
from legalworld.evaluation.rules.registry import scoring_rules
from legalworld.evaluation.rules.rule import Rule
from legalworld.export import dataset, forms
from legalworld.export.forms import dataset_forms
from legalworld.language.plugins import plugged

PAGE = (ROOT / "docs" / "en" / "plugins.md").read_text("utf-8")


def block(language: str) -> str:
    """The example of the page."""
    return PAGE.partition(f"```{language}\n")[2].partition("```")[0]


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    for known in (scoring_rules, dataset_forms):
        known.cache_clear()
    yield
    for known in (scoring_rules, dataset_forms):
        known.cache_clear()


def install(folder: Path, name: str, code: str, entries: str) -> None:
    """A package as pip leaves it: a module, and what its metadata registers."""
    (folder / f"{name}.py").write_text(code, encoding="utf-8")
    told = folder / f"{name}-1.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n", encoding="utf-8")
    (told / "entry_points.txt").write_text(entries, encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    return folder


def entry_points_of(toml: str) -> str:
    """The tables of a pyproject.toml as installers write them."""
    import tomllib

    groups = tomllib.loads(toml)["project"]["entry-points"]
    return "".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in named.items())
        for group, named in groups.items()
    )


RUBRIC = """lw: 1
rubric: short
title: Short
for: [bargain]
measures:
  brief: {title: Brief, rule: brevity, from: document receipt}
formulas:
  BRIEF: {title: Brief, is: mean(brief), range: 0 to 1}
"""


def test_the_package_of_the_page_is_found_and_used(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(site, "legalworld_brevity", block("python"), entry_points_of(block("toml")))
    monkeypatch.chdir(tmp_path)
    assert scoring_rules().foreign == {"brevity": "legalworld_brevity"} and scoring_rules().problems == ()
    legalworld.open_project().procedure("bargain").play(out="run")
    done = lw("dataset", "run", "--form", "lengths", "--out", "data")
    assert done.code == 0, done.text
    rows = [json.loads(line) for line in (tmp_path / "data" / "lengths.jsonl").read_text("utf-8").splitlines()]
    (tmp_path / "rubrics").mkdir()
    (tmp_path / "rubrics" / "short.yaml").write_text(RUBRIC, encoding="utf-8")
    run = legalworld.Run("run")
    evaluation = run.evaluate("rubrics/short.yaml")
    (receipt,) = run.documents.values()
    assert evaluation.scores[0].value == pytest.approx(min(1, 200 / len(receipt.strip())))
    turns = run.turns()
    assert [row["length"] for row in rows] == [len(row["text"]) for row in turns] and rows
    lines = [line for line in (block("python") + block("toml")).splitlines() if line.strip()]
    assert len(lines) < 45, "a page"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("raise ValueError('no licence')", "ValueError: no licence"),
        ("import nothing_of_that_name", "ModuleNotFoundError"),
        ("def broken(:", "SyntaxError"),
        ("raise SystemExit(3)", "SystemExit: 3"),
        ("other = 1", "AttributeError"),
        ("thing = 7", "int"),
    ],
)
def test_a_package_that_cannot_be_loaded_loses_its_part_alone(code: str, reason: str, site: Path) -> None:
    name = f"legalworld_bad_{sum(map(ord, code))}"  # each its own: what was imported stays
    install(site, name, code, f"[legalworld.rules]\nmine = {name}:thing\n")
    found = scoring_rules()
    assert found.parts.keys() == table.RULES.keys()
    (problem,) = found.problems
    assert problem.code == "LW882" and problem.span.file == name and reason in str(problem.values["reason"])


@pytest.mark.parametrize("word", ["citations", "sound"])
def test_a_name_of_the_package_stays_its_own(word: str, site: Path) -> None:
    install(site, "legalworld_thief", "thing = None", f"[legalworld.rules]\n{word} = legalworld_thief:thing\n")
    found = scoring_rules()
    assert found.parts[word] is table.RULES[word]
    assert [(one.code, one.values["name"]) for one in found.problems] == [("LW883", word)]


@pytest.mark.parametrize("word", ["turns", "scores", "inspect"])
def test_a_form_of_the_package_stays_its_own(word: str, site: Path) -> None:
    install(site, "legalworld_taker", "thing = print", f"[legalworld.exports]\n{word} = legalworld_taker:thing\n")
    assert [(one.code, one.values["of"]) for one in dataset_forms().problems] == [("LW883", "legalworld")]


def test_of_two_packages_with_one_name_the_second_is_told(site: Path) -> None:
    for package in ("legalworld_a", "legalworld_b"):
        install(
            site, package, "def thing(opened, wanted):\n    yield {}\n", f"[legalworld.exports]\nx = {package}:thing\n"
        )
    found = dataset_forms()
    assert found.foreign == {"x": "legalworld_a"}
    assert [(one.code, one.span.file, one.values["of"]) for one in found.problems] == [
        ("LW883", "legalworld_b", "legalworld_a")
    ]


def test_a_rule_of_another_package_that_raises_is_a_gap(site: Path) -> None:
    code = (
        "from legalworld.evaluation.rules.rule import Rule\ndef f(given):\n    return given.nothing\nthing = Rule(f)\n"
    )
    install(site, "legalworld_raises", code, "[legalworld.rules]\nmine = legalworld_raises:thing\n")
    gap = scoring_rules().parts["mine"].function(SimpleNamespace())  # type: ignore[arg-type]
    assert "AttributeError" in gap.detail  # type: ignore[union-attr]


# ---- what ships ------------------------------------------------------------------------------------------------------

GROUPS = {registry.GROUP: (table.RULES, table.SHIPPED), forms.GROUP: (dataset.FORMS, dataset.SHIPPED)}


@pytest.mark.parametrize("group", GROUPS)
def test_what_ships_is_registered_in_pyproject(group: str) -> None:
    import tomllib

    named = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"][group]
    parts, _ = GROUPS[group]
    assert list(named) == list(parts)
    for name, value in named.items():
        assert metadata.EntryPoint(name, value, group).load() is parts[name]


def registered(names: object, group: str) -> str:
    return f"[{group}]\n" + "".join(f"{name} = x:{name}\n" for name in names)  # type: ignore[attr-defined]


@pytest.mark.parametrize("gone", ["citations", "found"])
def test_a_shipped_rule_without_its_entry_point_is_gone_and_told(
    gone: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an installation of which one line was taken out."""
    names = [name for name in table.RULES if name != gone]
    entries = [metadata.EntryPoint(name, f"x:{name}", registry.GROUP) for name in names]
    told = SimpleNamespace(name="legalworld")
    with_dist = [entry._for(told) for entry in entries]  # type: ignore[attr-defined]
    monkeypatch.setattr(metadata, "entry_points", lambda group: with_dist if group == registry.GROUP else [])
    found = scoring_rules()
    assert found.parts.keys() == table.RULES.keys() - {gone}
    assert [(one.code, one.values["name"]) for one in found.problems] == [("LW884", gone)]


def test_a_tree_that_nobody_installed_has_all_that_ships(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "entry_points", lambda group: [])
    assert scoring_rules().parts.keys() == table.RULES.keys() and scoring_rules().problems == ()


def test_nothing_is_looked_for_before_it_is_needed() -> None:
    code = "import legalworld.evaluation.rules.table, legalworld.export.dataset, sys\n"
    code += "import legalworld.evaluation.rules.registry as r\nassert r.scoring_rules.cache_info().currsize == 0"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def test_a_group_that_nobody_knows_is_empty() -> None:
    assert plugged("legalworld.nothing", {}, lambda part: isinstance(part, Rule)).parts == {}
