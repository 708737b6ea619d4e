"""`lw check BINDING --data FILE`: the table of what a binding takes, records that cannot be read, the share allowed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from goldens import compare
from playing import ROOT
from typed import lw

from legalworld.batch.cases import cases_in
from legalworld.batch.data_check import OpenBinding, opened_for
from legalworld.runs.case_file import OpenedCase

PRINTED = Path(__file__).parent / "printed"
FOREIGN = ROOT / "tests" / "binding" / "cases" / "foreign"
RECORDS: list[dict[str, Any]] = json.loads((FOREIGN / "simucourt-civil.json").read_text(encoding="utf-8"))
ODD = {
    **RECORDS[1],
    "被告": "不服判决提起上诉的人",
    "原告陈述": "经审理查明，欠款属实。",
    "原告诉请判令（公诉机关指控）": "判令" + "返还借款，" * 80,
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(path: Path, value: Any, encoding: str = "utf-8") -> str:
    path.write_text(json.dumps(value, ensure_ascii=False), encoding=encoding)
    return path.name


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_table(here: Path, monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    monkeypatch.setenv("LW_LANG", language)
    monkeypatch.setenv("COLUMNS", "120")
    name = written(here / "records.json", [*RECORDS, ODD, "不是一条记录"])
    ran = lw("check", "simucourt-civil", "--data", name, "--allow-failed", "25%")
    assert ran.code == 4  # one of three records is odd
    compare(PRINTED / f"table.{language}.txt", f"{ran.out}\n---- stderr\n{ran.err}")
    assert lw("check", "simucourt-civil", "--data", name, "--allow-failed", "25%", "--allow-odd", "34%").code == 0
    assert lw("check", "simucourt-civil", "--data", name, "--allow-failed", "24.9%").code == 2
    assert lw("check", "simucourt-civil", "--data", name).code == 2


def test_the_same_as_json(here: Path) -> None:
    ran = lw("check", "simucourt-civil", "--data", written(here / "records.json", [*RECORDS, ODD]), "--json")
    found = ran.object()
    rows = {row["field"]: row for row in found["fields"]}
    assert (ran.code, found["records"], found["failed"], found["odd"]) == (4, 3, 0, 1)
    assert (rows["facts.plaintiff"]["filled"], rows["facts.plaintiff"]["odd"]) == (2, 1)
    assert rows["parties.defendant[].name"]["odd"] == 1 and "上诉" in rows["parties.defendant[].name"]["oddities"][0]
    assert rows["claims[].n"]["odd"] == 1
    assert "references" in found["untaken"]


def bound(here: Path, name: str, binding: str = "simucourt-civil") -> list[str]:
    """For each record where it stands, and the code of what is wrong with it."""
    opened = opened_for(binding, here)
    assert isinstance(opened, OpenBinding)
    found = []
    for one in cases_in(opened.project, (name,), binding, here):
        codes = () if isinstance(one.matter, OpenedCase) else tuple(problem.code for problem in one.matter)
        found.append(f"{one.where} {' '.join(codes)}".rstrip())
    return found


def test_a_record_that_is_none_is_named_and_the_rest_goes_on(here: Path) -> None:
    name = written(here / "a.json", [RECORDS[0], "一段话", [1, 2], None, {**RECORDS[1], "案由": {"甲": 1}}])
    assert bound(here, name) == ["a.json#1", "a.json#2 LW515", "a.json#3 LW515", "a.json#4 LW515", "a.json#5"]


def test_a_file_that_breaks_off_gives_what_it_holds(here: Path) -> None:
    whole = json.dumps([*RECORDS, RECORDS[0]], ensure_ascii=False)
    (here / "cut.json").write_text(whole[:-40], encoding="utf-8")
    assert bound(here, "cut.json") == ["cut.json#1", "cut.json#2", "cut.json#3 LW120"]
    (here / "lines.jsonl").write_text("\n".join((json.dumps(RECORDS[0]), '{"案由": ', json.dumps(RECORDS[1]))))
    assert [line.partition(" ")[2] for line in bound(here, "lines.jsonl")] == ["", "LW120", ""]


@pytest.mark.parametrize("name", ["gbk.json", "gbk.jsonl"])
def test_gbk_is_read_and_another_encoding_is_said(here: Path, name: str) -> None:
    lines = "\n".join(json.dumps(one, ensure_ascii=False) for one in RECORDS)
    text = json.dumps(RECORDS, ensure_ascii=False) if name.endswith(".json") else lines
    (here / name).write_text(text, encoding="utf-8")
    expected = bound(here, name)
    (here / name).write_text(text, encoding="gbk")
    assert [one.replace(" LW343", "") for one in bound(here, name)] == expected
    found = bound(here, written(here / name, RECORDS, "utf-16-le"))
    assert len(found) >= 1 and all(one.split()[1] in ("LW001", "LW002") for one in found)


def test_one_enormous_record_is_left_out(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legalworld.binding.casefile.MAX_RECORD", 10_000)
    heavy = {**RECORDS[1], "基本案情": "长" * 10_000}
    assert bound(here, written(here / "big.json", [RECORDS[0], heavy])) == ["big.json#1", "big.json#2 LW503"]
    monkeypatch.setattr("legalworld.batch.cases.LINE_CAP", 20_000)
    lines = "\n".join(json.dumps(one, ensure_ascii=False) for one in (RECORDS[0], heavy, RECORDS[1]))
    (here / "big.jsonl").write_text(lines, encoding="utf-8")
    assert bound(here, "big.jsonl") == ["big.jsonl:1", "big.jsonl:2 LW503", "big.jsonl:3"]


def test_a_binding_that_matches_nothing(here: Path) -> None:
    name = written(here / "other.json", [{"甲": 1}, {"乙": 2}])
    assert bound(here, name) == ["other.json#1 LW139", "other.json#2 LW139"]
    ran = lw("check", "simucourt-civil", "--data", name)
    assert ran.code == 2 and "100.0%" in ran.out


def test_a_share_that_is_none(here: Path) -> None:
    name = written(here / "records.json", RECORDS)
    for share in ("-1%", "200%", "一些"):
        assert lw("check", "simucourt-civil", "--data", name, "--allow-failed", share).code == 2
    assert lw("check", "没有这份", "--data", name).code == 2


def test_a_batch_ends_well_while_few_enough_cases_are_refused(here: Path) -> None:
    case = {"lw": 1, "case": "a", "seller": {"name": "卖家"}}
    (here / "many.jsonl").write_text(json.dumps(case) + "\n{\n", encoding="utf-8")
    words = ("batch", "bargain", "--cases", "many.jsonl", "--out", "out", "--json")
    refused = sum(json.loads(line)["status"] == "refused" for line in lw(*words).out.splitlines())
    assert refused and lw(*words).code == 2
    assert lw(*words, "--allow-failed", "100%").code == 0
