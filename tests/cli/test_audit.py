"""`lw audit`: runs and judgment files, both places with their lines, codes, and what cannot be audited."""

from __future__ import annotations

import csv
import html
import io
import json
import shutil
from codecs import BOM_UTF8
from pathlib import Path

import docx
import pytest
from places import ROOT
from typed import lw

from legalworld.evaluation.run_store import each_run

JUDGMENT = ROOT / "tests" / "evaluation" / "judgments" / "quexi.first_judgment.md"
CASE = ("--case", ROOT / "cases" / "quexi-huokuan.yaml", "--spec", "quexi")


@pytest.fixture(autouse=True)
def in_chinese(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LW_LANG", "zh")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("audited") / "runs" / "quexi"
    assert lw("run", "quexi", "--out", folder).code == 0
    return folder


def written(folder: Path, text: str) -> Path:
    file = folder / "judgment.md"
    file.write_text(text, encoding="utf-8")
    return file


def raised(folder: Path) -> Path:
    text = JUDGMENT.read_text(encoding="utf-8")
    changed = text.replace("公司支付货款36800元", "公司支付货款968000元")
    assert changed != text
    return written(folder, changed)


def test_a_run_and_the_folder_of_runs(run: Path) -> None:
    alone, below = lw("audit", run), lw("audit", run.parent)
    assert (alone.code, below.code) == (0, 0)
    assert "民事判决书：0 处警示" in alone.out and alone.out == below.out
    shown = lw("show", run, "--checks")
    assert shown.code == 0 and "民事判决书：0 处警示" in shown.out


def test_both_places_are_told_with_their_lines(tmp_path: Path) -> None:
    file = raised(tmp_path)
    ran = lw("audit", file, *CASE)
    assert ran.code == 4
    lines = file.read_text(encoding="utf-8").splitlines()
    claimed = next(number for number, line in enumerate(lines, 1) if "1.判令被告支付货款36800元" in line)
    ordered = next(number for number, line in enumerate(lines, 1) if "968000元" in line)
    _, _, told = ran.out.partition("(within_claim)")
    assert f"第{claimed}行  判令被告支付货款36800元" in told and f"第{ordered}行" in told


def test_every_result_is_a_line_of_json(tmp_path: Path) -> None:
    rows = [json.loads(line) for line in lw("audit", raised(tmp_path), *CASE, "--json").out.splitlines()]
    results = {row["result"] for row in rows}
    assert results == {"alarm", "held", "not_held"}
    alarm = next(row for row in rows if row["check"] == "within_claim" and row["result"] == "alarm")
    text = (tmp_path / "judgment.md").read_text(encoding="utf-8")
    assert [text[place["start"] : place["end"]] for place in alarm["places"]] == [
        place["text"] for place in alarm["places"]
    ]
    assert all(row["missing"] for row in rows if row["result"] == "not_held")


def test_a_sheet_has_alarms_and_what_was_not_held(tmp_path: Path) -> None:
    sheet = tmp_path / "alarms.csv"
    assert lw("audit", raised(tmp_path), *CASE, "--csv", sheet).code == 4
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["result"] for row in rows} == {"alarm", "not_held"}
    assert all("第" in row["places"] for row in rows if row["check"] == "within_claim")


def test_many_are_told_one_after_another_whatever_one_of_them_is(run: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "run.yaml").write_text("lw: [", encoding="utf-8")
    prose = written(tmp_path, "这不是判决书。")
    ran = lw("audit", broken, prose, run, tmp_path / "nothing")
    assert ran.code == 2 and "Traceback" not in ran.err
    assert ran.out.index("judgment.md") < ran.out.index(run.name) and "2 份文书" in ran.out


def test_a_run_without_a_decision_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "bargain"
    assert lw("run", "bargain", "--out", folder).code == 0
    ran = lw("audit", folder)
    assert ran.code == 0 and "LW786" in ran.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--case", "cases/quexi-huokuan.yaml"), "LW790"),
        (("--case", "cases/nosuch.yaml", "--spec", "quexi"), "LW"),
        (("--case", "cases/quexi-huokuan.yaml", "--spec", "nosuch"), "LW"),
    ],
)
def test_a_case_that_cannot_be_read_is_told(words: tuple[str, ...], code: str, tmp_path: Path) -> None:
    ran = lw("audit", written(tmp_path, "判决如下："), *words)
    assert ran.code == 2 and code in ran.err


def test_one_case_is_for_one_file(run: Path) -> None:
    ran = lw("audit", run, *CASE)
    assert ran.code == 2 and "LW789" in ran.err


def test_a_broken_check_ends_the_audit_with_its_place(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "checks").mkdir()
    mine = "lw: 1\ncheck set: mine\ntitle: 甲\nlocale: zh\nchecks:\n"
    row = "  - {check: a, title: 乙, for each: relief in reliefs, must: relief.tolt, severity: odd}\n"
    (tmp_path / "checks" / "mine.yaml").write_text(mine + row, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    ran = lw("audit", run)
    assert ran.code == 2 and "checks/mine.yaml:6" in ran.err and "LW782" in ran.err and "told" in ran.err
    checked = lw("check", "checks/mine.yaml")
    assert checked.code == 2 and "LW782" in checked.err


def test_the_share_of_each_check_that_could_not_be_held_is_told(run: Path) -> None:
    ran = lw("audit", run, run, "--json")
    rows = [json.loads(line) for line in ran.out.splitlines()]
    told = lw("audit", run, run).out
    for check in {row["check"] for row in rows if row["result"] == "not_held"}:
        of_check = [row["result"] for row in rows if row["check"] == check]
        line = next(line for line in told.splitlines() if f"({check})" in line and "%" in line)
        assert f"{of_check.count('not_held')}/{len(of_check)}" in line


def test_an_audit_of_many_begins_before_it_knows_how_many_there_are(tmp_path: Path) -> None:
    """Runs are found one by one, none is looked into, and what is hidden is none."""
    for at in range(30):
        (tmp_path / f"{at:02}" / "spec" / "deep").mkdir(parents=True)
        (tmp_path / f"{at:02}" / "run.yaml").touch()
        (tmp_path / f"{at:02}" / "spec" / "run.yaml").touch()
    (tmp_path / ".half").mkdir()
    (tmp_path / ".half" / "run.yaml").touch()
    found = each_run(tmp_path)
    assert next(found) == tmp_path / "00"
    shutil.rmtree(tmp_path / "29")  # it is looked for when it comes
    assert [run.name for run in found] == [f"{at:02}" for at in range(1, 29)]
    assert list(each_run(tmp_path / "00")) == [tmp_path / "00"]
    assert list(each_run(tmp_path / "nothing")) == [tmp_path / "nothing"]


def in_word(text: str) -> bytes:
    made, out = docx.Document(), io.BytesIO()
    for line in text.splitlines():
        made.add_paragraph(line)
    made.save(out)
    return out.getvalue()


def as_page(text: str) -> bytes:
    lines = "".join(f"<p>{html.escape(line)}</p>\n" for line in text.splitlines())
    return f'<html><head><meta charset="gbk"></head><body>{lines}</body></html>'.encode("gbk", "xmlcharrefreplace")


READ_ALIKE = {
    "bom": lambda text: BOM_UTF8 + text.encode(),
    "gbk": lambda text: text.encode("gbk"),
    "gb18030": lambda text: text.encode("gb18030"),
    "utf16": lambda text: text.encode("utf-16"),
    "crlf": lambda text: text.replace("\n", "\r\n").encode(),
    "word": in_word,
    "page": as_page,
}


@pytest.mark.parametrize("form", READ_ALIKE)
def test_a_judgment_is_audited_alike_in_every_format(tmp_path: Path, form: str) -> None:
    """The same contradiction is found, whatever program wrote the file: nothing is read as signs that nobody wrote."""
    file = tmp_path / "judgment.bin"
    file.write_bytes(READ_ALIKE[form](raised(tmp_path).read_text(encoding="utf-8")))
    plain, other = (lw("audit", one, *CASE, "--json") for one in (raised(tmp_path), file))
    alarms = [
        [row["check"] for row in map(json.loads, told.out.splitlines()) if row["result"] == "alarm"]
        for told in (plain, other)
    ]
    assert alarms[0] == alarms[1] != []
    assert plain.code == other.code == 4


@pytest.mark.parametrize(
    "data",
    [b"%PDF-1.7 x", b"{\\rtf1\\ansi x}", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" * 9, bytes(range(256)) * 9],
    ids=["pdf", "rtf", "old Word", "no text"],
)
def test_what_is_no_text_is_refused_and_not_audited(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "judgment.txt"
    file.write_bytes(data)
    told = lw("audit", file)
    assert told.code == 2 and "judgment.txt" in told.err and "LW" in told.err
