"""One format, one answer: what a command reads all commands read, and what one refuses all refuse by one message."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable
from functools import partial
from io import BufferedReader, BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from places import ROOT
from typed import lw
from word_files import paragraph, run, word_file

from legalworld.files import spreadsheet

SPEC = (ROOT / "specs" / "bargain.yaml").read_text(encoding="utf-8").replace("procedure: bargain", "procedure: haggle")
CASE = (ROOT / "cases" / "bargain.yaml").read_text(encoding="utf-8").replace("procedure: bargain", "procedure: bargain")
DEAL = json.dumps({"lw": 1, "goods": "湖滨市的旧书桌", "limit": {"sell": 80, "buy": 120}}, ensure_ascii=False) + "\n"
LAW = "湖滨市游船管理办法\n（2020年1月1日通过）\n第一条　游船应当登记。\n第二条　本办法自2020年2月1日起施行。\n"
PAPER = "民事判决书\n原告林启川提出诉讼请求：\n1.判令被告返还借款100000元；\n判决如下：\n一、返还借款80000元；\n"
RECORD = json.dumps({"文书内容": PAPER}, ensure_ascii=False)
SHEET = "编号,分数\r\n甲,1\r\n"


def coded(encoding: str) -> Callable[[str], bytes]:
    return lambda text: text.encode(encoding)


READ = {
    "UTF-8": coded("utf-8"),
    "BOM": coded("utf-8-sig"),
    "UTF-16 LE": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "UTF-16 BE": lambda text: b"\xfe\xff" + text.encode("utf-16-be"),
    "GBK": coded("gbk"),
    "GB18030": coded("gb18030"),
}
REFUSED = {
    "PDF": (lambda text: b"%PDF-1.7\n" + text.encode("gbk"), "LW820"),
    "PDF without text": (lambda text: b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj <<>> endobj", "LW820"),
    "gzip": (lambda text: gzip.compress(text.encode()), "LW820"),
    "old Word": (lambda text: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + text.encode("utf-16-le"), "LW820"),
    "RTF": (lambda text: b"{\\rtf1 " + text.encode(), "LW820"),
    "picture": (lambda text: b"\x89PNG\r\n\x1a\n" + bytes(range(200)), "LW820"),
    "Big5": (lambda text: text.encode("big5", "replace") * 2, "LW001"),
    "damaged": (lambda text: text.encode() + b"\xff\xfe\x80" + text.encode(), "LW002"),
}


def of_spec(data: bytes) -> str:
    Path("haggle.yaml").write_bytes(data)
    return lw("check", "haggle.yaml").err


def of_case(data: bytes) -> str:
    Path("case.yaml").write_bytes(data)
    return lw("run", "bargain", "--case", "case.yaml", "--out", f"played-{len(list(Path().iterdir()))}").err


def of_paper(data: bytes) -> str:
    Path("a.txt").write_bytes(data)
    Path("b.md").write_text(PAPER, encoding="utf-8")
    ran = lw("compare", "a.txt", "b.md")
    return ran.err + ("" if ran.code else ran.out)


def of_law(data: bytes) -> str:
    Path("law.txt").write_bytes(data)
    ran = lw("law", "add", "law.txt")
    return ran.err


def of_judgments(data: bytes) -> str:
    Path("in").mkdir(exist_ok=True)
    Path("in/judgment.txt").write_bytes(data)
    ran = lw("corpus", "build", "in", "--out", "out", "--near", "0", "--until", "read")
    dropped = Path("out/01-read.dropped.jsonl")
    return ran.err + (dropped.read_text(encoding="utf-8") if dropped.exists() else "")


def of_stream(data: bytes) -> str:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stdin", TextIOWrapper(BufferedReader(BytesIO(data))))
        ran = lw("parse", "amounts", "-")
    return ran.err + ("" if ran.code else ran.out)


def of_audit(data: bytes) -> str:
    Path("paper.txt").write_bytes(data)
    ran = lw("audit", "paper.txt", "--spec", "quexi")
    return ran.err + ran.out


def of_replaced(data: bytes) -> str:
    """What is told of a document that a fork puts in place of another: at this place there is none to replace."""
    if not Path("run").exists():
        assert lw("run", "bargain", "--out", "run").code == 0
    Path("mine.txt").write_bytes(data)
    ran = lw("fork", "run", "--at", "haggle", "--replace", "nosuch=mine.txt", "--out", "forked")
    assert ran.code
    return ran.err


def of_batch(data: bytes, name: str = "one.yaml") -> str:
    Path("cases").mkdir(exist_ok=True)
    Path("cases", name).write_bytes(data)
    ran = lw("batch", "bargain", "--cases", "cases", "--out", f"batch-{len(list(Path().iterdir()))}")
    return ran.err + ran.out


def of_sheet(data: bytes) -> str:
    Path("sheets").mkdir(exist_ok=True)
    Path("sheets/sheet.csv").write_bytes(data)
    return " ".join(problem.code for problem in spreadsheet.read(Path("sheets/sheet.csv")).problems)


COMMANDS = {
    "check": (of_spec, SPEC),
    "case": (of_case, CASE),
    "compare": (of_paper, PAPER),
    "law add": (of_law, LAW),
    "corpus": (of_judgments, PAPER),
    "ratings": (of_sheet, SHEET * 20),
    "parse": (of_stream, PAPER),
    "audit": (of_audit, PAPER),
    "fork": (of_replaced, PAPER),
    "batch": (of_batch, CASE),
    "batch of JSON": (partial(of_batch, name="one.json"), DEAL),
    "batch of lines": (partial(of_batch, name="one.jsonl"), DEAL * 30),
}
FAULTS = ("LW001", "LW002", "LW003", "LW820", "LW821")


@pytest.mark.parametrize("form", READ)
@pytest.mark.parametrize("command", COMMANDS)
def test_read_alike(command: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    use, text = COMMANDS[command]
    said = use(READ[form](text))
    assert not [code for code in FAULTS if code in said], said
    assert ("LW343" in said) == (form in ("GBK", "GB18030") and command != "corpus")
    if command == "compare":
        assert "do not differ" in said or "没有差别" in said or "一样" in said


@pytest.mark.parametrize("form", REFUSED)
@pytest.mark.parametrize("command", COMMANDS)
def test_refused_alike(command: str, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    use, text = COMMANDS[command]
    made, code = REFUSED[form]
    if command == "batch of lines" and code == "LW001":
        code = "LW002"  # in a file of many records each line is told by itself
    assert code in use(made(text))


@pytest.mark.parametrize("command", ["compare", "law add", "corpus", "parse", "audit", "fork"])
def test_documents_in_word_and_of_the_web(command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told by what they hold: the files bear another ending."""
    monkeypatch.chdir(tmp_path)
    use, text = COMMANDS[command]
    lines = text.strip().split("\n")
    page = (
        "<!DOCTYPE html><html><body>" + "".join(f"<p>{line}</p>" for line in lines) + "<script>x</script></body></html>"
    )
    plain = use(text.encode())
    assert use(page.encode()) == plain
    assert use(word_file("".join(paragraph(run(line)) for line in lines))) == plain
    assert "LW821" in use(word_file("<w:altChunk/>"))
    assert "LW822" in use(word_file(paragraph("")))


@pytest.mark.parametrize("command", ["check", "case", "batch", "batch of JSON", "batch of lines"])
def test_what_is_no_document_is_refused_alike_in_word(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "LW820" in COMMANDS[command][0](word_file(paragraph(run("x"))))


@pytest.mark.parametrize("command", COMMANDS)
def test_an_empty_file_is_no_fault_of_the_program(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = COMMANDS[command][0](b"")
    assert "Traceback" not in said and not [code for code in FAULTS if code in said]


@pytest.mark.parametrize("form", READ)
@pytest.mark.parametrize("before", [0, 3, 2000])
def test_standard_input_that_begins_as_ascii_is_read_alike(form: str, before: int) -> None:
    """What lines came before those that tell the encoding does not matter."""
    said = of_stream(READ[form]("plain\n" * before + PAPER))
    assert "100000" in said and not [code for code in FAULTS if code in said]
