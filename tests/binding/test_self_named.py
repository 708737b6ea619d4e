"""An accused whose name is what he says it is: 自报 stands in front of it and is no part of it."""

from __future__ import annotations

import json
from itertools import product

import pytest
from playing import ROOT, project

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.binding.file import load_binding
from legalworld.files.project_files import Disk
from legalworld.model.case import Sided, texts


@pytest.mark.parametrize(
    ("before", "name", "behind"),
    list(product(("自报", ""), ("郑若虹", "林某某", "方闻"), ("，男，1990年1月1日出生", "，女，汉族", "，住江澜市"))),
)
def test_the_name_of_an_accused(before: str, name: str, behind: str) -> None:
    procedure = project("specs/criminal.yaml").procedure
    assert procedure is not None
    binding, _ = load_binding(Disk(ROOT), "bindings/judge.yaml", procedure)
    head = f"江澜市人民法院 刑事判决书 （2024）虚01刑初1号 公诉机关江澜市人民检察院。 被告人{before}{name}{behind}。"
    record = {"text_id": "1", "text": "公诉机关指控：盗窃。", "fd": f"{head} 起诉书指控被告人{name}犯盗窃罪，本院认为"}
    data, _ = parse_data("one.json", json.dumps([record], ensure_ascii=False))
    assert data is not None and binding is not None
    case, problems = bind(procedure, data, record=1, binding=binding, settings={}, total=lambda *_: "")
    assert case is not None, problems
    persons = case.fields["persons"]
    assert isinstance(persons, Sided)
    assert [*texts(persons.values["defence"], "name")] == [name]
