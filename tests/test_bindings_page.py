"""docs/bindings.md: its data, its binding and what they give; and every operator as it is shown."""

from __future__ import annotations

import json
from typing import Any

import make_docs as make
import pytest
from ruamel.yaml import YAML

from legalworld.adapters.files import Disk
from legalworld.binding.bind import as_json, bind, detect, load_binding, parse_data, sealed_json
from legalworld.language.linker import link
from legalworld.model.procedure import Procedure
from legalworld.model.source import MemorySources

PAGE = make.DOCS / "bindings.md"
BLOCKS = make.blocks(PAGE)
SPEC = make.ROOT / "tests" / "binding" / "spec.yaml"


def block(*info: str) -> str:
    (found,) = [one.body for one in BLOCKS if one.info == info]
    return found


def civil() -> Procedure:
    procedure = link(Disk(make.ROOT), "specs/civil.yaml").procedure
    assert procedure is not None
    return procedure


def test_every_block_is_one_that_is_checked() -> None:
    known = {("json", "data"), ("yaml", "binding"), ("json", "case"), ("yaml", "operator")}
    assert {one.info for one in BLOCKS} == known


def test_the_example_gives_what_the_page_says() -> None:
    procedure = civil()
    binding, problems = load_binding(MemorySources({"b.yaml": block("yaml", "binding")}), "b.yaml", procedure)
    assert binding is not None and problems == ()
    data, problems = parse_data("data.json", block("json", "data"))
    assert detect([binding], data) == (binding,)
    case, more = bind(procedure, data, record=None, binding=binding, settings={})
    assert case is not None and (problems, more) == ((), ())
    found = {**json.loads(as_json(case))["fields"], **json.loads(sealed_json(case))["sealed"]}
    assert {name: value for name, value in found.items() if value} == json.loads(block("json", "case"))
    assert (case.id, case.title) == ("17", "民间借贷纠纷")


def field_for(result: Any) -> str:
    """A field of the test's procedure that takes such a value."""
    if isinstance(result, list):
        return "claims" if isinstance(result[0], dict) else "articles"
    return "matter" if isinstance(result, dict) else "court"


@pytest.mark.parametrize(
    "operator", [one for one in BLOCKS if one.info == ("yaml", "operator")], ids=lambda one: one.line
)
def test_operator(operator: make.Block) -> None:
    data, rule, _ = operator.body.splitlines()
    lines = dict(YAML(typ="base").load(operator.body))
    record, result = lines["数据"], lines["结果"]
    procedure = link(MemorySources({"spec.yaml": SPEC.read_text("utf-8")}), "spec.yaml").procedure
    assert procedure is not None
    name = field_for(result)
    text = (
        "lw: 1\nbinding: demo\nprocedure: tiny\nmissing: [无]\nfields:\n"
        f"  people: {{path: '$.p{{side}}', map: {{x: 甲}}, each: {{name: $}}}}\n  {name}: {rule.partition(': ')[2]}\n"
    )
    binding, problems = load_binding(MemorySources({"b.yaml": text}), "b.yaml", procedure)
    assert binding is not None, problems
    people = {f"p{side}": "某人" for side in procedure.sides}
    case, problems = bind(procedure, {**record, **people}, record=None, binding=binding, settings={})
    assert case is not None and problems == ()
    assert json.loads(as_json(case))["fields"][name] == result, data
