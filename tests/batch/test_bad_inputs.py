"""What data from elsewhere brings that cannot be read: named with its record, the rest goes on, counted at the end."""

from __future__ import annotations

import csv
import json
import random
import zipfile
from pathlib import Path
from typing import Any

import pytest
from places import ROOT
from typed import lw

BINDING = """lw: 1
binding: joined
title: 两个文件
procedure: civil
join: {附表: {file: side.csv, key: $.案号, on: 案号, one: yes}}
fields:
  parties:
    plaintiff: {path: $.原告, each: {name: $}}
    defendant: {path: $.被告, each: {name: $}}
  matter: {court: $.附表.法院}
"""
COURTS = ["江澜市青塘区人民法院", "江澜市鹿鸣区人民法院", "江澜市中级人民法院"]


def _data(file: Path, records: list[dict[str, Any]]) -> None:
    if file.suffix == ".csv":
        with file.open("w", encoding="utf-8", newline="") as out:
            table = csv.DictWriter(out, records[0])
            table.writeheader()
            table.writerows(records)
        return
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    file.write_text("\n".join(lines) if file.suffix == ".jsonl" else f"[{','.join(lines)}]", "utf-8")


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".csv"])
@pytest.mark.parametrize("here", [True, False])
@pytest.mark.parametrize("seed", range(3))
def test_a_side_table_is_found_beside_the_data_and_double_keys_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, here: bool, seed: int
) -> None:
    """Wherever the command is run; what has two rows takes neither, what has one takes it."""
    draw = random.Random(seed)
    numbers = [f"{n}号" for n in range(6)]
    double = set(draw.sample(numbers, draw.randrange(0, 4)))
    rows = [(number, draw.choice(COURTS)) for number in [*numbers, *double]]
    draw.shuffle(rows)
    (tmp_path / "side.csv").write_text("\n".join(",".join(row) for row in [("案号", "法院"), *rows]), "utf-8")
    (tmp_path / "joined.yaml").write_text(BINDING, "utf-8")
    _data(tmp_path / f"data{suffix}", [{"案号": one, "原告": "林启川", "被告": "郑若虹"} for one in numbers])
    monkeypatch.chdir(tmp_path if here else ROOT)
    names = ("joined.yaml", f"data{suffix}") if here else (tmp_path / "joined.yaml", tmp_path / f"data{suffix}")
    ran = lw("check", names[0], "--data", names[1], "--json", "--allow-odd", "100%")
    assert ran.code == 0, ran.err
    told = ran.object()
    [court] = [field for field in told["fields"] if field["field"] == "matter.court"]
    assert (told["records"], told["failed"], court["filled"]) == (6, 0, 6 - len(double))
    assert ("LW808" in json.dumps(told)) == bool(double)


BROKEN = {
    "cut": '{"plaintiff_statement": "原告'.encode(),
    "no text": b"\xff\xfe\x00\x01\x02",
    "empty": b"",
    "a scan": b"%PDF-1.7\n",
    "a list of nothing": b"[]",
    "a number": b"7",
    "deep": b'{"a":' + b"[" * 300 + b"]" * 300 + b"}",
}


@pytest.mark.parametrize("seed", range(4))
def test_three_broken_files_of_many_are_named_and_the_rest_is_read(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    said = {"plaintiff_statement": "原告：林启川，住江澜市。", "defendant_statement": "答辩人：郑若虹。已经还清。"}
    for number in range(300):
        (tmp_path / f"{number:05}.json").write_text(json.dumps(said, ensure_ascii=False), "utf-8")
    harm = {f"{number:05}.json": draw.choice(sorted(BROKEN)) for number in draw.sample(range(300), 3)}
    for name, kind in harm.items():
        (tmp_path / name).write_bytes(BROKEN[kind])
    ran = lw("check", "agentcourt", "--data", tmp_path, "--json", "--allow-failed", "5%")
    told = ran.object()
    assert (told["records"], told["failed"]) == (300, 3), harm
    assert {Path(one["record"]).name.partition("#")[0] for one in told["failures"]} == set(harm)


@pytest.mark.parametrize("text", ["约一百万", "4月31日", "见附件", "原告：甲。"])
def test_a_type_that_never_fits_is_told_of_the_whole_set(tmp_path: Path, text: str) -> None:
    binding = BINDING.replace("joined", "dated").replace("matter: {court: $.附表.法院}", "docket: {filed: $.立案}")
    lines = [line for line in binding.splitlines() if not line.startswith("join:")]
    (tmp_path / "dated.yaml").write_text("\n".join(lines) + "\n", "utf-8")
    _data(tmp_path / "data.json", [{"立案": text, "原告": "林启川", "被告": "郑若虹"}] * 40)
    ran = lw("check", tmp_path / "dated.yaml", "--data", tmp_path / "data.json", "--json")
    told = ran.object()
    [filed] = [field for field in told["fields"] if field["field"] == "docket.filed"]
    assert ran.code == 4 and told["failed"] == 0 and max(filed["odd"], filed["empty"]) == 40


@pytest.mark.parametrize("name", ["word/document.xml", "word/styles.xml", "more.bin"])
def test_a_word_file_that_unpacks_to_a_gigabyte_is_told_before_it_does(tmp_path: Path, name: str) -> None:
    with zipfile.ZipFile(tmp_path / "bomb.docx", "w", zipfile.ZIP_DEFLATED, compresslevel=1) as bomb:
        bomb.writestr("[Content_Types].xml", "<Types/>")
        with bomb.open(name, "w", force_zip64=True) as part:
            for _ in range(256):
                part.write(bytes(4 << 20))
    (tmp_path / "good.txt").write_text("民事判决书", "utf-8")
    ran = lw("compare", tmp_path / "bomb.docx", tmp_path / "good.txt")
    assert ran.code == 2 and "LW821" in ran.err


@pytest.mark.parametrize("suffix", [".pdf", ".txt", ".md", ".docx", ".json"])
def test_a_pdf_is_a_pdf_by_whatever_name(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"scan{suffix}").write_bytes(b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\n%%EOF")
    (tmp_path / "good.txt").write_text("民事判决书", "utf-8")
    ran = lw("compare", tmp_path / f"scan{suffix}", tmp_path / "good.txt")
    assert ran.code == 2 and "PDF" in ran.err and "Traceback" not in ran.err
