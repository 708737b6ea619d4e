"""docs/bindings.md, in both languages: its data, its binding and what they give; and every operator as it is shown."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import make_docs as make
import pytest
from playing import project
from ruamel.yaml import YAML
from typed import lw

from legalworld.binding.bind import bind as bind_by
from legalworld.binding.bind import detect
from legalworld.binding.casefile import as_json, parse_data, sealed_json
from legalworld.binding.file import load_binding
from legalworld.files.project_files import Disk
from legalworld.language.link.linker import link
from legalworld.model.case import Case
from legalworld.model.procedure import Procedure
from legalworld.model.source import MemorySources
from legalworld.runs.totals import written_total
from legalworld.wording import diagnostics

PAGES = {"zh": make.DOCS / "bindings.md", "en": make.DOCS / "en" / "bindings.md"}

bind = partial(bind_by, total=written_total)
BLOCKS = {language: make.blocks(page) for language, page in PAGES.items()}
UNSEEN = {"zh": ("援助站.yaml", "记录.json"), "en": ("legal-aid.yaml", "records.json")}
each = pytest.mark.parametrize("language", PAGES)
SPEC = make.ROOT / "tests" / "binding" / "cases" / "spec.yaml"


def block(language: str, *info: str) -> str:
    (found,) = [one.body for one in BLOCKS[language] if one.info == info]
    return found


def civil() -> Procedure:
    procedure = link(Disk(make.ROOT), "specs/civil.yaml").procedure
    assert procedure is not None
    return procedure


@each
def test_every_block_is_one_that_is_checked(language: str) -> None:
    known = {("json", "data"), ("yaml", "binding"), ("json", "case"), ("yaml", "operator"), ("json", "unseen")}
    tries = {("yaml", "first"), ("text", "first"), ("yaml", "second"), ("text", "second")}
    assert {one.info for one in BLOCKS[language]} == known | tries | {("yaml", "third"), ("json", "third")}


@each
def test_the_example_gives_what_the_page_says(language: str) -> None:
    procedure = civil()
    binding, problems = load_binding(MemorySources({"b.yaml": block(language, "yaml", "binding")}), "b.yaml", procedure)
    assert binding is not None and problems == ()
    data, problems = parse_data("data.json", block(language, "json", "data"))
    assert detect([binding], data) == (binding,)
    case, more = bind(procedure, data, record=None, binding=binding, settings={})
    assert case is not None and (problems, more) == ((), ())
    found = {**json.loads(as_json(case))["fields"], **json.loads(sealed_json(case))["sealed"]}
    assert {name: value for name, value in found.items() if value} == json.loads(block(language, "json", "case"))
    assert (case.id, case.title) == ("17", "民间借贷纠纷")


def tried(language: str, name: str) -> tuple[Case | None, str]:
    """The unseen format taken by one of the page's attempts, and what is said about it."""
    procedure = project("j1/lc").procedure
    assert procedure is not None
    file, records = UNSEEN[language]
    texts = {file: block(language, "yaml", name), records: block(language, "json", "unseen")}
    binding, problems = load_binding(MemorySources(texts), file, procedure)
    data, more = parse_data(records, texts[records])
    case = None
    if binding is not None:
        assert (binding in detect([binding], data)) == (name == "third")
        case, found = bind(procedure, data, record=None, binding=binding, settings={})
        more += found
    return case, diagnostics.render((*problems, *more), texts.get, language)


@each
@pytest.mark.parametrize("name", ["first", "second"])
def test_an_attempt_is_corrected_as_the_page_says(language: str, name: str) -> None:
    case, said = tried(language, name)
    assert case is None
    assert said.strip() == block(language, "text", name).strip()


@each
def test_the_last_attempt_takes_what_the_page_says(language: str) -> None:
    case, said = tried(language, "third")
    assert case is not None and not said
    found = {**json.loads(as_json(case))["fields"], **json.loads(sealed_json(case))["sealed"]}
    assert {name: value for name, value in found.items() if value} == json.loads(block(language, "json", "third"))


def test_the_unseen_format_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.json").write_text(block("en", "json", "unseen"), encoding="utf-8")
    (tmp_path / "third.yaml").write_text(block("en", "yaml", "third"), encoding="utf-8")
    run = lw("run", "j1/lc", "--case", "data.json", "--binding", "third.yaml", "--out", "run", "--json")
    assert (run.code, run.object()["status"]) == (0, "ended")


def field_for(result: Any) -> str:
    """A field of the test's procedure that takes such a value."""
    if isinstance(result, list):
        return "claims" if isinstance(result[0], dict) else "articles"
    return "matter" if isinstance(result, dict) else "court"


@pytest.mark.parametrize(
    "operator",
    [
        pytest.param(one, id=f"{language}-{one.line}")
        for language, found in BLOCKS.items()
        for one in found
        if one.info == ("yaml", "operator")
    ],
)
def test_operator(operator: make.Block) -> None:
    data, rule, _ = operator.body.splitlines()
    record, _, result = YAML(typ="base").load(operator.body).values()
    procedure = link(MemorySources({"spec.yaml": SPEC.read_text("utf-8")}), "spec.yaml").procedure
    assert procedure is not None
    name = field_for(result)
    text = (
        "lw: 1\nbinding: demo\nprocedure: tiny\nmissing: [无]\nshapes: {court: any}\nfields:\n"
        f"  people: {{path: '$.p{{side}}', map: {{x: 甲}}, each: {{name: $}}}}\n  {name}: {rule.partition(': ')[2]}\n"
    )
    binding, problems = load_binding(MemorySources({"b.yaml": text}), "b.yaml", procedure)
    assert binding is not None, problems
    people = {f"p{side}": "某人" for side in procedure.sides}
    case, problems = bind(procedure, {**record, **people}, record=None, binding=binding, settings={})
    assert case is not None and problems == ()
    assert json.loads(as_json(case))["fields"][name] == result, data
