"""`lw schema`: what an editor is told of spec files agrees with what the loader takes."""

from __future__ import annotations

from typing import Any

import pytest
from places import ROOT, SPEC_FILES

from legalworld.language.json_schema import json_schema
from legalworld.language.schema import SpecSurface
from legalworld.language.surfaces import load
from legalworld.language.yaml.nodes import ListNode, MapNode, Node, Scalar
from legalworld.language.yaml.reader import read

SCHEMA = json_schema(SpecSurface)
SPECS = sorted(path.relative_to(ROOT).as_posix() for path in SPEC_FILES)


def fits(node: Node, shape: dict[str, Any]) -> bool:
    """Whether a node is what a part of the schema allows: the few words of JSON Schema that ours uses."""
    if "$ref" in shape:
        return fits(node, SCHEMA["$defs"][shape["$ref"].rpartition("/")[2]])
    if "anyOf" in shape:
        return any(fits(node, one) for one in shape["anyOf"])
    kinds = shape.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    match node:
        case Scalar():
            return not kinds or "string" in kinds or node.empty
        case ListNode():
            return not kinds or ("array" in kinds and all(fits(each, shape["items"]) for each in node.items))
        case MapNode():
            known, rest = shape.get("properties", {}), shape.get("additionalProperties", {})
            entries = ((entry.key.text, entry.value) for entry in node.entries)
            return not kinds or ("object" in kinds and all(_entry(key, value, known, rest) for key, value in entries))


def _entry(key: str, value: Node, known: dict[str, Any], rest: Any) -> bool:
    if key in known:
        return fits(value, known[key])
    return rest is not False and fits(value, rest)


@pytest.mark.parametrize("path", SPECS)
def test_shipped_specs_fit_the_schema(path: str) -> None:
    node, problems = read(path, (ROOT / path).read_text("utf-8"))
    assert node is not None and not problems
    assert fits(node, {"$ref": "#/$defs/SpecSurface"})


@pytest.mark.parametrize("text", ["lw: 1\nprocedur: x\n", "lw: 1\ntitle: [a]\n", "lw: 1\nstages:\n  - stag: x\n"])
def test_the_schema_refuses_what_the_loader_refuses(text: str) -> None:
    node, _ = read("x.yaml", text)
    assert node is not None
    assert load(SpecSurface, node)[1]
    assert not fits(node, {"$ref": "#/$defs/SpecSurface"})


def test_chinese_keys_are_completed_too() -> None:
    assert {"procedure", "流程", "stages"} <= set(SCHEMA["$defs"]["SpecSurface"]["properties"])
