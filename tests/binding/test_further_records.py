"""A field of one record for which the data has several: the first is taken, the others are told by name."""

from __future__ import annotations

import json

import pytest
from playing import ROOT, project

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.binding.file import load_binding
from legalworld.files.project_files import Disk
from legalworld.model.case import Record, Sided

FIRM = "江澜云汀律师事务所"
LAWYERS = [
    (f"郑若虹，{FIRM}", "郑若虹", ()),
    (f"郑若虹、林启川，{FIRM}", "郑若虹", ("林启川",)),
    (f"郑若虹，{FIRM}；林启川，{FIRM}", "郑若虹", ("林启川",)),
    (f"郑若虹，{FIRM}\n林启川，{FIRM}", "郑若虹", ("林启川",)),
    (f"郑若虹、林启川、方闻，{FIRM}", "郑若虹", ("林启川", "方闻")),
    (f"郑若虹（实习）、林启川，{FIRM}", "郑若虹", ("林启川",)),
    ("无", "", ()),
]


@pytest.mark.parametrize(("said", "first", "others"), LAWYERS)
@pytest.mark.parametrize(
    ("name", "spec"), [("simucourt-civil", "civil"), ("simucourt-administrative", "administrative")]
)
@pytest.mark.parametrize(("side", "key"), [("plaintiff", "原告代理人"), ("defendant", "代理人")])
def test_a_second_lawyer_is_told(
    name: str, spec: str, side: str, key: str, said: str, first: str, others: tuple[str, ...]
) -> None:
    procedure = project(f"specs/{spec}.yaml").procedure
    assert procedure is not None
    binding, _ = load_binding(Disk(ROOT), f"bindings/{name}.yaml", procedure)
    text = (ROOT / "tests" / "binding" / "cases" / "foreign" / f"{name}.json").read_text(encoding="utf-8")
    record = {**json.loads(text)[0], key: said}
    data, _ = parse_data("one.json", json.dumps([record], ensure_ascii=False))
    assert data is not None and binding is not None
    case, problems = bind(procedure, data, record=1, binding=binding, settings={}, total=lambda *_: "")
    assert case is not None, problems
    counsel = case.fields["counsel"]
    assert isinstance(counsel, Sided)
    taken = counsel.values[side]
    assert (str(taken["name"]) if isinstance(taken, Record) else "") == first
    if first:
        assert isinstance(taken, Record) and taken["firm"] == FIRM
    told = [one.values["others"] for one in problems if one.code == "LW611"]
    assert told == ([others] if others else [])
