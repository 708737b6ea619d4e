"""Cases in the rows of a table, texts that the data does not say, and records joined with those of other files."""

from __future__ import annotations

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from typed import lw

from legalworld.batch.cases import cases_in
from legalworld.model.case import Sided
from legalworld.runs.case_file import OpenedCase
from legalworld.runs.project import Project, open_project

BINDING = """lw: 1
binding: mine
title: 表格
procedure: civil
records: "$[*]"
id: $.编号
join:
  parties: {file: SIDE, key: $.编号, on: 案件ONE}
fields:
  parties:
    plaintiff: {path: "PATH", each: {name: {first of: [$.姓名, {constant: 某人}]}}}
    defendant: {path: $, each: {name: $.被告}}
  matter: {court: {constant: 江澜市青塘区人民法院}, cause: $.案由}
  claims: {path: $.请求, split: [；], each: {n: "{n}", text: $}}
"""
ROWS = [
    {"编号": f"a{n}", "被告": f"郑某{n}", "案由": "民间借贷纠纷", "请求": f"返还{n}元；负担诉讼费", "无关": 'x,"y\n z'}
    for n in range(1, 4)
]
SIDE = [
    {"案件": "a1", "姓名": "林某"},
    {"案件": "a2", "姓名": ""},
    {"案件": "a3", "姓名": "甲"},
    {"案件": "a3", "姓名": "乙"},
]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, no_keys: None) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LW_LANG", "zh")
    return tmp_path


def written(path: Path, rows: list[dict[str, Any]], encoding: str) -> str:
    heads = list(rows[0])
    if path.suffix == ".json":
        path.write_text(json.dumps(rows, ensure_ascii=False), encoding=encoding)
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding=encoding)
    elif path.suffix == ".xlsx":
        book = Workbook()
        page = book.worksheets[0]
        for row in [heads, *([row[head] for head in heads] for row in rows)]:
            page.append(row)
        book.save(path)
    else:
        with path.open("w", newline="", encoding=encoding) as file:
            writer = csv.DictWriter(file, heads, delimiter="\t" if path.suffix == ".tsv" else ",")
            writer.writeheader()
            writer.writerows(rows)
    return path.name


def bound(here: Path, name: str, side: str, *, one: bool) -> list[OpenedCase | tuple[str, ...]]:
    text = BINDING.replace("SIDE", side).replace("ONE", ", one: yes" if one else "")
    (here / "mine.yaml").write_text(text.replace("PATH", "$.parties" if one else "$.parties[*]"), "utf-8")
    project = open_project("civil", here)
    assert isinstance(project, Project)
    found = (case.matter for case in cases_in(project, (name,), "mine.yaml", here))
    return [one if isinstance(one, OpenedCase) else tuple(problem.code for problem in one) for one in found]


def names(matter: OpenedCase | tuple[str, ...]) -> list[str]:
    assert isinstance(matter, OpenedCase), matter
    parties = matter.case.fields["parties"]
    assert isinstance(parties, Sided)
    value = parties.values["plaintiff"]
    assert isinstance(value, tuple)
    return [str(one["name"]) for one in value]  # type: ignore[call-overload,index]


@pytest.mark.parametrize("seed", range(16))
def test_a_table_of_any_kind_is_read_and_joined(here: Path, seed: int) -> None:
    draw = random.Random(seed)
    encoding = draw.choice(["utf-8", "utf-8-sig", "gb18030"])
    name = written(here / f"data{draw.choice(['.csv', '.tsv', '.xlsx', '.json'])}", ROWS, encoding)
    side = written(here / f"side{draw.choice(['.csv', '.tsv', '.xlsx', '.json', '.jsonl'])}", SIDE, encoding)
    found = bound(here, name, side, one=False)
    assert [one.case.id for one in found if isinstance(one, OpenedCase)] == ["a1", "a2", "a3"]
    assert [names(one) for one in found] == [["林某"], ["某人"], ["甲", "乙"]]
    first = found[0]
    assert isinstance(first, OpenedCase)
    assert {problem.code for problem in first.problems} <= {"LW343"}  # that the table is no UTF-8
    assert str(first.case.fields["matter"]["court"]) == "江澜市青塘区人民法院"  # type: ignore[index]


def test_double_keys_are_named_and_none_is_taken(here: Path) -> None:
    found = bound(here, written(here / "data.csv", ROWS, "utf-8"), written(here / "side.csv", SIDE, "utf-8"), one=True)
    assert names(found[0]) == ["林某"]
    last = found[2]
    codes = last if isinstance(last, tuple) else tuple(problem.code for problem in last.problems)
    assert "LW808" in codes


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda here: (here / "side.csv").unlink(), "LW150"),
        (lambda here: (here / "side.csv").write_text("甲,乙\n1,2\n"), "LW807"),
        (lambda here: (here / "data.csv").write_text("编号,编号\na1,a2\n"), "LW805"),
        (lambda here: (here / "data.csv").write_text("编号\n"), "LW"),
    ],
)
def test_what_cannot_be_joined_is_told(here: Path, change: Any, code: str) -> None:
    name, side = written(here / "data.csv", ROWS, "utf-8"), written(here / "side.csv", SIDE, "utf-8")
    bound(here, name, side, one=False)
    change(here)
    found = bound(here, name, side, one=False)
    assert found and all(isinstance(one, tuple) and one[0].startswith(code[:2]) for one in found)
    if code not in ("LW", "LW150"):
        assert {one[0] for one in found if isinstance(one, tuple)} == {code}


@pytest.mark.parametrize("wrong", ["join: x", "join: {p: {file: a}}", "join: {p: {file: a, key: $.b, on: c, two: d}}"])
def test_a_join_that_is_none_is_told(here: Path, wrong: str) -> None:
    text = BINDING.replace("PATH", "$.parties")
    lines = [line for line in text.splitlines() if not line.startswith(("join:", "  parties: {file"))]
    (here / "mine.yaml").write_text("\n".join([*lines[:6], wrong, *lines[6:]]), "utf-8")
    written(here / "data.csv", ROWS, "utf-8")
    assert "LW806" in lw("check", "mine.yaml", "--data", "data.csv").err
