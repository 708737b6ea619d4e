"""Parts of other packages, found by their entry points; those that ship, found in the same way."""

from __future__ import annotations

import json
import statistics
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
from legalworld.evaluation.metrics.added import added_metrics
from legalworld.evaluation.rules import registry, table
from legalworld.evaluation.rules.registry import scoring_rules
from legalworld.evaluation.rules.rule import Rule
from legalworld.export import dataset, forms
from legalworld.export.forms import dataset_forms
from legalworld.language import tool_operations as operations
from legalworld.language.plugins import plugged
from legalworld.language.tool_operations import tool_operations
from legalworld.model import equipment
from legalworld.model.dialect import known_dialect
from legalworld.models.added_marks import added_marks, every_mark
from legalworld.models.schemes import model_adapters
from legalworld.runs.callables import adapted

SHIPPED = known_dialect()
PAGE = (ROOT / "docs" / "en" / "plugins.md").read_text("utf-8")


KEPT = (scoring_rules, dataset_forms, tool_operations, added_metrics, model_adapters, adapted, added_marks, every_mark)
"""What is looked for once, and forgotten between tests."""


def block(language: str) -> str:
    """An example of the page."""
    return PAGE.partition(f"```{language}\n")[2].partition("```")[0]


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    for known in KEPT:
        known.cache_clear()
    yield
    for known in KEPT:
        known.cache_clear()


def install(folder: Path, name: str, code: str, entries: str) -> None:
    """A package as pip leaves it: a module, and what its metadata registers."""
    sys.modules.pop(name, None)
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
    assert done.code == 0, done.said
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
    assert len(lines) < 60, "a page"


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


# ---- tools, adapters, metrics, marks ---------------------------------------------------------------------------------

SPEC = """lw: 1
procedure: sums
title: A sum is reckoned
locale: en
kinds: {C: clerk}
roles:
  clerk: {title: Clerk, kind: clerk}
case:
  loan: {title: Loan, path: $.loan}
visibility: |
  | field | desk |
  |-------|------|
  | loan  | C    |
tools:
  reckon: {operation: OPERATION, title: reckon, does: reckons interest, parameters: {days: how many days}}
stages:
  - stage: desk
    title: Desk
    steps:
      - clerk states: what the loan has come to
        id: sum
"""
CALLER = """
from legalworld.model.events import Call, Reply
def caller(model):
    if model == "locked":
        raise PermissionError("no key")
    def play(request):
        if model == "silent":
            raise RuntimeError("nobody there")
        said = request.messages[-1].content
        if "interest" in said and "365" in said:
            return "It has come to " + said.partition('"interest":')[2].partition("}")[0] + "."
        if "ValueError" in said:
            return "It cannot be reckoned."
        given = '{"principal": "PRINCIPAL", "rate": "3.65", "days": "365"}'
        return '<tool_call>{"name": "reckon", "arguments": ' + given + "}</tool_call>"
    return play
"""


def project(folder: Path, operation: str = "reckon interest") -> Path:
    (folder / "specs").mkdir()
    (folder / "cases").mkdir()
    spec = folder / "specs" / "sums.yaml"
    spec.write_text(SPEC.replace("OPERATION", operation), encoding="utf-8")
    (folder / "cases" / "loan.yaml").write_text("lw: 1\nloan: 36800\n", encoding="utf-8")
    return spec


def reckoner(site: Path, principal: str = "36800") -> None:
    tool = block("python").replace("return {", "return {'year': 365, ")
    entries = "[legalworld.tools]\nreckon interest = legalworld_reckoner:interest\n"
    entries += "[legalworld.models]\ncaller = legalworld_reckoner:caller\n"
    install(site, "legalworld_reckoner", tool + CALLER.replace("PRINCIPAL", principal), entries)


@pytest.mark.parametrize(
    ("principal", "said"),
    [("36800", "It has come to 1343.2."), ("100", "It has come to 3.65."), ("a lot", "It cannot be reckoned.")],
)
def test_a_tool_of_a_package_is_called_by_a_model_of_a_package(
    principal: str, said: str, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reckoner(site, principal)
    monkeypatch.chdir(tmp_path)
    project(tmp_path)
    done = lw("run", "sums", "--case", "loan", "--model", "clerk=caller:small", "--out", "run")
    assert done.code == 0, done.said
    run = legalworld.Run("run")
    assert [row["text"] for row in run.turns()] == [said]
    (called,) = [event for event in run.events if event.kind == "called"]
    assert called.tool == "reckon" and not called.refused
    told = (tmp_path / "run" / "run.yaml").read_text("utf-8")
    assert "tools reckon interest: legalworld_reckoner 1.0" in told
    assert "models caller: legalworld_reckoner 1.0" in told
    assert lw("replay", "run").code == 0


def test_the_condition_of_a_run_knows_the_package(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reckoner(site)
    monkeypatch.chdir(tmp_path)
    project(tmp_path)
    for version in ("1.0", "1.1"):
        told = next(site.glob("legalworld_reckoner-*")) / "METADATA"
        told.write_text(f"Metadata-Version: 2.1\nName: legalworld_reckoner\nVersion: {version}\n", encoding="utf-8")
        assert lw("run", "sums", "--case", "loan", "--model", "caller:small", "--out", version).code == 0
    one, other = (legalworld.Run(version).turns() for version in ("1.0", "1.1"))
    assert [row["run"] for row in one] != [row["run"] for row in other]


@pytest.mark.parametrize("operation", ["reckon interset", "load_skill", "search the web"])
def test_an_operation_that_nobody_serves_is_an_error_before_a_run(
    operation: str, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reckoner(site)
    monkeypatch.chdir(tmp_path)
    project(tmp_path, operation)
    done = lw("check", "sums")
    assert done.code == 2 and "LW280" in done.said and operation in done.said
    assert lw("run", "sums", "--case", "loan", "--out", "run").code != 0 and not (tmp_path / "run").exists()


def test_a_package_that_is_gone_is_named_and_the_run_can_be_read(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reckoner(site)
    monkeypatch.chdir(tmp_path)
    spec = project(tmp_path)
    assert lw("run", "sums", "--case", "loan", "--model", "caller:small", "--out", "run").code == 0
    for entries in site.glob("*/entry_points.txt"):
        entries.write_text("", encoding="utf-8")
    for known in KEPT:
        known.cache_clear()
    spec.write_text(spec.read_text("utf-8") + "# another text\n", encoding="utf-8")  # one is linked once in a process
    assert "reckon interest" in lw("check", "sums").said
    again = lw("run", "sums", "--case", "loan", "--model", "caller:small", "--out", "other")
    assert again.code != 0 and "Traceback" not in again.said and not (tmp_path / "other").exists()
    assert "1343.2" in (tmp_path / "run" / "transcript.md").read_text("utf-8")


def test_an_adapter_that_is_not_ready_is_told_before_anything_is_written(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reckoner(site)
    monkeypatch.chdir(tmp_path)
    project(tmp_path)
    done = lw("run", "sums", "--case", "loan", "--model", "caller:locked", "--out", "run")
    assert done.code != 0 and "LW623" in done.said and "no key" in done.said
    assert not (tmp_path / "run").exists()


def test_an_adapter_that_raises_in_a_run_leaves_one_that_is_gone_on_with(
    site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reckoner(site)
    monkeypatch.chdir(tmp_path)
    project(tmp_path)
    done = lw("run", "sums", "--case", "loan", "--model", "caller:silent", "--out", "run")
    assert done.code != 0 and "nobody there" in done.said
    gone_on = lw("resume", "run", "--model", "caller:small")
    assert gone_on.code == 0, gone_on.said
    assert [row["text"] for row in legalworld.Run("run").turns()] == ["It has come to 1343.2."]


@pytest.mark.parametrize("scheme", ["offline", "replay", "python"])
def test_a_scheme_of_the_package_stays_its_own(scheme: str, site: Path) -> None:
    install(site, "legalworld_schemer", "thing = print", f"[legalworld.models]\n{scheme} = legalworld_schemer:thing\n")
    assert [(one.code, one.values["of"]) for one in model_adapters().problems] == [("LW883", "legalworld")]


@pytest.mark.parametrize(
    "part",
    [
        "Operation(())",
        "Operation((Parameter('a'), Parameter('a')), serve=print)",
        "Operation(('a',), serve=print)",
        "Operation((Parameter('a'),), serve=3)",
        "print",
    ],
)
def test_what_serves_nothing_is_no_operation(part: str, site: Path) -> None:
    name = f"legalworld_odd_{sum(map(ord, part))}"
    code = f"from legalworld.model.equipment import Operation, Parameter\nthing = {part}\n"
    install(site, name, code, f"[legalworld.tools]\nodd = {name}:thing\n")
    assert [one.code for one in tool_operations().problems] == ["LW882"]
    assert tool_operations().parts.keys() == equipment.OPERATIONS.keys()


METRICS = """lw: 1
rubric: short
title: Short
for: [bargain]
measures:
  brief: {title: Brief, rule: brevity, from: turns}
formulas:
  MID: {title: Middle, is: median(brief), range: 0 to 1}
  ODD: {title: Odd, is: broken(brief), range: 0 to 1}
"""


def test_a_metric_of_a_package_stands_in_a_formula(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shorter = PAGE.partition("```python also\n")[2].partition("```")[0]
    broken = "broken = FormulaMetric(lambda values: 7.0, range=(0, 1))\n"
    entries = entry_points_of(block("toml")) + "[legalworld.metrics]\n"
    entries += "median = legalworld_brevity:median\nbroken = legalworld_brevity:broken\n"
    install(site, "legalworld_brevity", block("python") + shorter + broken, entries)
    monkeypatch.chdir(tmp_path)
    legalworld.open_project().procedure("bargain").play(out="run")
    (tmp_path / "rubrics").mkdir()
    (tmp_path / "rubrics" / "short.yaml").write_text(METRICS, encoding="utf-8")
    evaluation = legalworld.Run("run").evaluate("rubrics/short.yaml")
    figures = {one.formula: one.value for one in evaluation.figures}
    assert figures["MID"] == pytest.approx(statistics.median(one.value for one in evaluation.scores))
    assert figures["ODD"] is None, "outside its range is a gap"


@pytest.mark.parametrize("word", ["mean", "weighted"])
def test_a_function_of_formulas_stays_our_own(word: str, site: Path) -> None:
    install(site, "legalworld_adder", "thing = None", f"[legalworld.metrics]\n{word} = legalworld_adder:thing\n")
    assert [one.code for one in added_metrics().problems] == ["LW883"]


@pytest.mark.parametrize(
    ("part", "fits"),
    [
        ("ThoughtMark('<musing>', ('</musing>',))", True),
        ("CallForm('<dial>{name}{arguments}</dial>')", True),
        ("ThoughtMark('', ('</musing>',))", False),
        ("ThoughtMark('<musing>', ())", False),
        ("CallForm('{name}')", False),
        ("'<musing>'", False),
    ],
)
def test_marks_of_a_package(part: str, fits: bool, site: Path) -> None:
    name = f"legalworld_marks_{sum(map(ord, part))}"
    code = f"from legalworld.model.dialect import CallForm, ThoughtMark\nthing = {part}\n"
    install(site, name, code, f"[legalworld.marks]\nmine = {name}:thing\n")
    assert [one.code for one in added_marks().problems] == ([] if fits else ["LW882"])
    dialect = every_mark()
    assert (len(dialect.thoughts) + len(dialect.calls) > len(SHIPPED.thoughts) + len(SHIPPED.calls)) is fits


# ---- what ships ------------------------------------------------------------------------------------------------------

GROUPS = {
    registry.GROUP: (table.RULES, table.SHIPPED),
    forms.GROUP: (dataset.FORMS, dataset.SHIPPED),
    operations.GROUP: (equipment.OPERATIONS, equipment.SHIPPED),
}


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
