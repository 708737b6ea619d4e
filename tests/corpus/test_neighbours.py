"""Records near the ones that corpora were built of: names kept in part, short forms, other encodings, bare columns."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest
from test_corpus import JUDGMENTS, rows
from typed import lw

from legalworld.corpus.identify import identify
from legalworld.corpus.masks import is_masked, masked
from legalworld.corpus.pairs import _differs
from legalworld.corpus.records import Dropped
from legalworld.corpus.source import records_in
from legalworld.law.text.judgments import judgment
from legalworld.model.diagnostics import Diagnostic

STEMS = ["傲某", "宏图", "某盛", "青禾某", "澜川"]
KINDS = ["机械厂", "建筑劳务有限公司", "置业有限公司", "物流有限公司", "商行"]
PLACES = ["", "江澜市", "江澜市青塘区"]


def case_of(body: str, text: str) -> dict[str, Any]:
    parties = {"plaintiff": [{"name": "林启川", "type": "自然人"}], "defendant": [{"name": body}]}
    return {"lw": 1, "case": "p1", "parties": parties, "first": {"plaintiff": {"facts": text}}, "real": {"x": text}}


@pytest.mark.parametrize("seed", range(40))
def test_a_body_is_masked_with_all_that_it_is_called(seed: int) -> None:
    draw = random.Random(seed)
    stem, kind, place = draw.choice(STEMS), draw.choice(KINDS), draw.choice(PLACES)
    body = f"{place}{stem}{kind}" + draw.choice(["", "有限公司" if not kind.endswith("公司") else ""])
    short = f"{stem}{draw.choice(['公司', kind[:3], kind])}"
    text = f"{body}（以下简称{short}）与林启川签订合同。{short}没有付款，{short}应当付款。林启川起诉。"
    row = {"id": "p1", "case": case_of(body, text), "shorts": {body: [short]}}
    found = masked(copy.deepcopy(row))
    if isinstance(found, Dropped):
        assert found.reason == "name_left" and found.detail
        return
    told = json.dumps(found["case"], ensure_ascii=False)
    assert stem not in told and "林启川" not in told, (body, short, told)


@pytest.mark.parametrize(
    ("body", "short"),
    [
        ("中铁十九局集团第三工程有限公司", "中铁十九局三公司"),
        ("澜川（江澜）投资管理合伙企业", "澜川江澜"),
        ("江澜市云汀物流有限公司", "云汀"),
        ("海天科技股份有限公司", "海天 科技"),
        ("海天科技股份有限公司", "海\n天"),
        ("ＡＢＣ物流有限公司", "ABC"),
        ("江澜云汀物流有限公司", "云汀"),
        ("太平财产保险股份有限公司", "太平财险"),
        ("王记餐饮有限公司", "王记"),
        ("长城汽车股份有限公司", "长城"),
        ("云汀水产养殖有限公司", "云养"),
    ],
)
def test_a_short_form_is_masked_or_refuses_the_case(body: str, short: str) -> None:
    """Also in another width and with blanks in it; the whole name alone stays masked."""
    for text in (f"{body}与林启川订约。{short}没有付款。", f"林启川起诉。{short}"):
        found = masked({"id": "p1", "case": case_of(body, text)})
        assert (isinstance(found, Dropped) and found.reason == "name_left") or short not in json.dumps(
            found, ensure_ascii=False
        )
    whole = masked({"id": "p1", "case": case_of(body, f"{body}与林启川订约。")})
    assert not isinstance(whole, Dropped)


CORES = ["云汀", "傲川", "宏图", "王记", "太平", "金色年华", "恒艺", "诺一", "博鸿兴源", "海天", "长城", "三友"]
TRADES = ["物流", "餐饮", "财产保险", "建筑劳务", "医药科技", "汽车租赁", "环保设备制造", "水产养殖", "文化传媒"]
ENDS = ["有限公司", "股份有限公司", "有限责任公司", "集团有限公司", "合伙企业（有限合伙）", "经营部", "厂"]


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize("trade", TRADES)
def test_no_part_of_what_a_body_alone_is_called_is_left(core: str, trade: str) -> None:
    """Any body, anywhere, called by its core, its front or its front with its trade: masked, or the case refused; under
    its whole name alone it is masked and goes on."""
    draw = random.Random(core + trade)
    for place in ("", "江澜", "江澜市", "江澜市青塘区", "上海", "上海闵行"):
        body = f"{place}{core}{trade}{draw.choice(ENDS)}"
        shorts = [
            core,
            core[:2],
            f"{core}公司",
            f"{core}{trade[:2]}",
            f"{place}{core}",
            f"{core[:2]}{trade[0]}{trade[-1]}",
        ]
        for short in shorts:
            frame = draw.choice(["{}没有付款。", "与{}签订合同。", "林启川说，是{}的人来的。", "“{}”商标"])
            found = masked({"id": "p1", "case": case_of(body, f"{body}与林启川订约。{frame.format(short)}")})
            told = json.dumps(found, ensure_ascii=False) if not isinstance(found, Dropped) else ""
            assert core[:2] not in told, (body, short, told)
        whole = masked({"id": "p1", "case": case_of(body, f"{body}与林启川订约，应当向林启川付款。")})
        assert not isinstance(whole, Dropped), (body, whole.detail)


@pytest.mark.parametrize("name", ["林启川", "欧阳启川", "郑若虹"])
def test_a_given_name_alone_refuses_the_case(name: str) -> None:
    given = name[-2:]
    case = case_of("江澜市傲某机械厂有限公司", f"{name}付了款。{given}说没有收到。")
    case["parties"]["plaintiff"] = [{"name": name, "type": "自然人"}]
    found = masked({"id": "p1", "case": case})
    assert isinstance(found, Dropped) and found.detail == given


@pytest.mark.parametrize("entry", ["number", "court", "id", "case"])
@pytest.mark.parametrize("name", ["林启川", "江澜市傲某机械厂有限公司"])
def test_a_name_that_is_left_anywhere_refuses_the_case(entry: str, name: str) -> None:
    case = case_of("江澜市傲某机械厂有限公司", "没有付款。")
    case["first"]["matter"] = {entry: f"诉{name}案"}
    found = masked({"id": "p1", "case": case})
    assert isinstance(found, Dropped) and (found.reason, found.detail) == ("name_left", name)


@pytest.mark.parametrize(
    "name", ["某甲公司", "某某有限公司", "江澜市某某机械厂", "某建筑劳务有限公司", "某某银行某某支行"]
)
def test_a_body_that_nothing_is_left_of_keeps_its_mask(name: str) -> None:
    assert is_masked(name, False)


@pytest.mark.parametrize("name", ["傲某机械厂", "江澜市宏某置业有限公司", "宏图公司"])
def test_a_body_that_something_is_left_of_is_not_masked(name: str) -> None:
    assert not is_masked(name, False)


def texts_of() -> list[str]:
    found = []
    for line in JUDGMENTS.read_text("utf-8").split("\n"):
        try:
            found.append(json.loads(line)["文书内容"])
        except (ValueError, KeyError, TypeError):
            continue
    return found


@pytest.mark.parametrize(
    ("said", "counter"),
    [
        ("被告没有提起反诉。", False),
        ("被告可以另行提起反诉。", False),
        ("被告未在举证期限内提出反诉，本院不予审理。", False),
        ("被告向本院提起反诉，请求解除合同。", True),
        ("反诉原告云汀企业称，", True),
        ("被告反诉称，合同应当解除。", True),
    ],
)
def test_a_mention_is_no_counterclaim(said: str, counter: bool) -> None:
    text = texts_of()[0]
    at = text.index("一案")
    at = text.index("。", at) + 1
    assert judgment(text[:at] + said + text[at:]).counterclaim == counter


def test_what_differs_is_never_told_as_two_equal_strings() -> None:
    first = {"court": "甲", "named": [["plaintiff", "张某"], ["defendant", "李某"]], "cause": "x", "date": "2024-01-01"}
    second = {**first, "appealed": ["甲", "1"], "named": [["defendant", "张某"], ["plaintiff", "李某"]]}
    reason, detail = _differs(first, second)
    one, _, other = detail.partition(" / ")
    assert reason == "parties_differ" and one != other


@pytest.mark.parametrize("number", range(5))
def test_columns_serve_where_the_text_does_not_say(number: int) -> None:
    text = texts_of()[number]
    row = {"id": "x", "kind": "text", "text": text, "where": "x"}
    whole = identify(row)
    if isinstance(whole, Dropped):
        return
    lines = text.splitlines()
    body = next((at for at, line in enumerate(lines) if line.strip().endswith("号")), -1) + 1
    if not body:
        return
    kind = "二审" if whole["instance"] == 2 else "一审"
    columns = {"court": whole["court"], "number": whole["number"], "title": f"林某、郑某民间借贷纠纷{kind}民事判决书"}
    bare = identify({**row, "text": "\n".join(lines[body:]), "said": columns})
    assert not isinstance(bare, Dropped), bare
    assert (bare["number"], bare["court"], bare["instance"]) == (whole["number"], whole["court"], whole["instance"])
    assert isinstance(identify({**row, "text": "\n".join(lines[body:])}), Dropped)


@pytest.mark.parametrize("name", ["one.txt", "one.json", "one.jsonl", "one.csv"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030"])
def test_every_encoding_that_chinese_is_written_in_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, encoding: str
) -> None:
    monkeypatch.chdir(tmp_path)
    text = texts_of()[0]
    record = json.dumps({"文书内容": text, "案号": "x"}, ensure_ascii=False)
    cell = text.replace('"', '""')
    written = {
        "one.txt": text,
        "one.json": f"[{record}]",
        "one.jsonl": record + "\n",
        "one.csv": f'案号,文书内容\nx,"{cell}"\n',
    }
    (tmp_path / name).write_bytes(written[name].encode(encoding))
    ran = lw("corpus", "build", name, "--out", "out", "--near", "0", "--until", "read")
    assert ran.code == 0, ran.err
    [kept] = rows(tmp_path / "out" / "01-read.jsonl")
    assert kept["text"].strip() == text.strip()


LONG = "这里的话和案件无关，只是占去文件的开头。" * 4000
ENCODINGS = ["utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16", "utf-16-le-sig"]


def _saved(rows_: list[dict[str, str]], suffix: str) -> str:
    if suffix in (".jsonl", ".json"):
        lines = [json.dumps(row, ensure_ascii=False) for row in rows_]
        return "\n".join(lines) if suffix == ".jsonl" else "[" + ",\n".join(lines) + "]"
    mark = "," if suffix == ".csv" else "\t"
    return "\n".join(mark.join(row) for row in (rows_[0].keys(), *(row.values() for row in rows_)))


def _bytes(text: str, encoding: str) -> bytes:
    return b"\xff\xfe" + text.encode("utf-16-le") if encoding == "utf-16-le-sig" else text.encode(encoding)


@pytest.mark.parametrize("suffix", [".jsonl", ".json", ".csv", ".tsv"])
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("seed", range(2))
def test_an_encoding_changes_no_record(tmp_path: Path, suffix: str, encoding: str, seed: int) -> None:
    """Whatever Chinese Windows or a spreadsheet saves as, and whatever comes before the first Chinese word."""
    draw = random.Random(f"{suffix}{encoding}{seed}")
    rare = "" if encoding == "gbk" else draw.choice(["㐀", "\U00020089", "囍𠂉"])
    texts = [
        draw.choice(["原告林启川诉称，借款未还。", f"被告甘雨{rare}没有到庭。", "plain words", LONG]) for _ in range(6)
    ]
    wanted = [{"id": f"r{n}", "text": text} for n, text in enumerate(texts)]
    file = tmp_path / f"x{suffix}"
    file.write_bytes(_bytes(_saved(wanted, suffix), encoding))
    assert [told for _, told in records_in(str(file), file)] == wanted


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
@pytest.mark.parametrize("first", [1, 4000])
def test_a_file_put_together_of_two_encodings_is_read(tmp_path: Path, suffix: str, first: int) -> None:
    """The first part tells one encoding, the second has the other one; a line that is in neither is told alone."""
    ascii_rows = [{"id": f"a{n}", "text": "plain words"} for n in range(first)]
    chinese = [{"id": "b", "text": "原告林启川诉称，借款未还。"}, {"id": "c", "text": "被告没有到庭。"}]
    parts = _saved([*ascii_rows, *chinese], suffix).splitlines(keepends=True)
    cut = len(parts) - 2
    broken = b'{"id": "d", "text": "\xff\xfe\xe4"}' if suffix == ".jsonl" else b"d,\xff\xfe\xe4"
    file = tmp_path / f"x{suffix}"
    end = parts[cut + 1].encode() + b"\n"
    file.write_bytes("".join(parts[:cut]).encode() + parts[cut].encode("gb18030") + end + broken)
    *sound, (_, last) = records_in(str(file), file)
    assert [told for _, told in sound] == [*ascii_rows, *chinese]
    assert isinstance(last, Diagnostic) and last.code == "LW002"
