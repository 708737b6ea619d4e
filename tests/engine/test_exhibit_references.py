"""What a document names as an exhibit and the case does not list is found, however it is written; nothing else is.

Neighbours are made of the ids and names of shipped cases: numbers in figures and words, one, several, from one to
another, in every part of a paper; names in quotation marks; lines of the part on evidence in a dress of their own.
"""

from __future__ import annotations

from itertools import product

import pytest
from playing import matter, project

from legalworld.engine.exhibit_references import MOST, Listed, listed, unlisted
from legalworld.model.procedure import Document

SENTENCES = ("关于付款，见{}。", "{}能够证明上述事实。", "被告的说法与{}不符；请依法裁判。", "事实清楚（{}）。")
ENGLISH = ("As {} shows, it was paid.", "See {}.", "The tap leaked ({}).", "I rely on {}, and on what I saw.")


def of(spec: str, case: str, name: str) -> tuple[Document, Listed]:
    procedure = project(spec).procedure
    assert procedure is not None
    known = listed(procedure, matter(case, spec=spec).case, procedure.documents[name])
    assert known is not None
    return procedure.documents[name], known


COMPLAINT = of("civil", "jiedai", "complaint")  # 原证1 to 原证4 or so, 被证1 and so on
CLAIM = of("smallclaims", "smallclaims-worktop", "claim_form")  # C1 to C5, D1, D2


def last(known: Listed, beginning: str) -> int:
    return max(known.numbers[beginning])


def found(text: str, at: tuple[Document, Listed] = COMPLAINT) -> tuple[str, ...]:
    return unlisted(at[0], text, at[1])


def numbers() -> list[tuple[str, str]]:
    """(a reference, what is told of it); "" where all that it means is listed."""
    _, known = COMPLAINT
    top, side = last(known, "原证"), known.most
    full = str.maketrans("0123456789", "０１２３４５６７８９")
    words = "〇一二三四五六七八九"
    beyond = top + 1
    assert beyond < 9
    rows = [("原证1", ""), ("原证１", ""), ("原证 1", ""), ("原证一", ""), ("原证（1）", ""), (f"原证1至{top}", "")]
    rows += [("原证1、2", ""), ("原证1和2", ""), ("原证1-2", ""), ("证据1", ""), (f"证据1-{side}", ""), ("1号证据", "")]
    rows += [(f"原证{beyond}", f"原证{beyond}"), (f"原证 {beyond}", f"原证 {beyond}"), ("原证99", "原证99")]
    rows += [(f"原证{str(beyond).translate(full)}", f"原证{str(beyond).translate(full)}")]
    rows += [(f"原证{words[beyond]}", f"原证{words[beyond]}"), (f"原证（{words[beyond]}）", f"原证（{words[beyond]}）")]
    rows += [
        (f"原证1至{beyond}", f"原证{beyond}"),
        (f"原证1、{beyond}", f"原证{beyond}"),
        (f"原证1及原证{beyond}", f"原证{beyond}"),
    ]
    rows += [
        (f"被证1、原证{beyond}", f"原证{beyond}"),
        ("证据九", "证据九"),
        ("证据（九）", "证据（九）"),
        ("证据9", "证据9"),
    ]
    rows += [
        ("证据1-9", "证据1-9"),
        ("证据9号", "证据9号"),
        ("第九号证据", "第九号证据"),
        ("9号证据", "9号证据"),
        ("证据十二", "证据十二"),
    ]
    return rows


@pytest.mark.parametrize(("said", "told"), numbers())
def test_numbers_beyond_those_listed(said: str, told: str) -> None:
    for sentence in SENTENCES:
        assert found(sentence.format(said)) == ((told,) if told else ()), sentence


@pytest.mark.parametrize(
    ("said", "told"),
    [
        *((said, "") for said in ("C1", "C 1", "C1 and C2", "C1, C3", "C1 to C5", "C1-C4", "D2", "Document 1")),
        *((said, said) for said in ("C6", "D3", "C12", "Document 9", "document (8)")),
        *(("C1 to C6", "C6"), ("C1, C9", "C9"), ("C2 and D3", "D3"), ("C2 & C7", "C7")),
    ],
)
def test_numbers_in_english(said: str, told: str) -> None:
    for sentence in ENGLISH:
        assert found(sentence.format(said), CLAIM) == ((told,) if told else ()), sentence


COUNTS = (
    "证据2份",
    "证据12份",
    "证据三性",
    "证据九项",
    "证据十组",
    "证据材料9份",
    "原证据9页",
    "2024年9月证据",
    "第九组证据",
)


@pytest.mark.parametrize(
    "said",
    [
        *COUNTS,
        "提交证据，共9份",
        "证据充分",
        "证据一并提交",
        "证据一致",
        "证据一一对应",
        "证据十分充分",
        "证据二者",
        "原告证据",
        "ABC9",
        "《民法典》第九条",
    ],
)
def test_what_counts_or_says_something_else_is_no_reference(said: str) -> None:
    for sentence in SENTENCES:
        assert found(sentence.format(said)) == (), sentence


# ---- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("marks", ["《{}》", "“{}”", "「{}」"])
@pytest.mark.parametrize("way", ["{}作为证据", "以{}为证据", "有证据：{}", "{}、{known}", "{known}和{}", "{}等证据"])
def test_names_that_are_said_to_be_exhibits(marks: str, way: str) -> None:
    known = marks.format("合作投资协议")  # listed
    strange = marks.format("补充协议之二")
    assert found(f"原告提交{way.format(strange, known=known)}。") == (strange,)
    assert found(f"原告提交{way.format(known, known=known)}。") == ()


@pytest.mark.parametrize(
    "said",
    [
        *(
            "依照《民法典》第五百条",
            "根据《合作投资协议》和《民法典》第五百条",
            "《民事诉讼法》规定的证据",
            "被告说“改天再还”",
        ),
        *("《最高人民法院关于民事诉讼证据的若干规定》", "依照《劳动合同法》，证据由用人单位提供"),
    ],
)
def test_names_of_laws_and_words_that_were_said_are_none(said: str) -> None:
    for sentence in SENTENCES:
        assert found(sentence.format(said)) == (), sentence


# ---- the part that lists them ----------------------------------------------------------------------------------------

LISTED = (
    "原证1：《合作投资协议》，书证",
    "《合作投资协议》原件一份",
    "合作投资协议（复印件）",
    "银行转账凭证，来源于银行",
)
STRANGE = ("录音光盘，来源于原告", "《补充协议》一份", "证人梁某的证言", "公证书", "微信群里的语音")
MORE = ("证明目的：双方约定固定收益", "来源：原告留存", "  提交人：林启川")
ENUMERATED = ("{}", "1. {}", "（一）{}", "一、{}", "- {}", "①{}", "**{}**")
HEADINGS = (
    "证据和证据来源，证人姓名和住所：",
    "证据和证据来源，证人姓名和住所",
    "证据和证据来源",
    "证据和证据来源：",
    "**证据和证据来源**",
    "五、证据和证据来源",
    "【证据和证据来源】",
)


def paper(heading: str, lines: list[str]) -> str:
    return "\n".join(
        ["民事起诉状", "原告：某", "诉讼请求", "1. 还钱", "事实与理由", "借了钱。", heading, *lines, "此致", "某法院"]
    )


@pytest.mark.parametrize(("heading", "dress"), product(HEADINGS, ENUMERATED))
def test_lines_that_name_nothing_that_is_listed(heading: str, dress: str) -> None:
    strange = [line for line in STRANGE if dress != "{}" or len(line) > 4]  # a bare short line may be anything
    lines = [dress.format(line) for pair in zip(LISTED, strange, strict=False) for line in pair]
    told = found(paper(heading, [*lines, *MORE]))
    assert len(told) == len(lines) // 2
    for line, said in zip(strange, told, strict=False):
        assert line in said
    assert found(paper(heading, [*(dress.format(line) for line in LISTED), *MORE])) == ()


@pytest.mark.parametrize("line", ["无", "待补充", "没有提交证据。", "无证据提交", "原告提交以下证据："])
def test_a_part_without_exhibits_names_none(line: str) -> None:
    assert found(paper(HEADINGS[0], [line])) == ()


def test_what_is_written_in_another_part_is_not_read_line_by_line() -> None:
    text = paper(HEADINGS[0], [LISTED[0]]).replace("借了钱。", "借了钱。\n双方签过补充协议，录过音。")
    assert found(text) == ()


def test_many_are_told_up_to_a_limit_and_each_once() -> None:
    lines = [f"第{number}段录音，来源于原告" for number in range(3 * MOST)]
    assert len(found(paper(HEADINGS[0], [*lines, *lines]))) == MOST


def test_a_document_that_is_not_said_to_refer_to_exhibits_is_not_read() -> None:
    procedure = project("civil").procedure
    assert procedure is not None
    assert listed(procedure, matter("jiedai").case, procedure.documents["first_judgment"]) is None


@pytest.mark.parametrize("line", [line for line in STRANGE if len(line) > 4])
def test_what_stands_behind_the_heading_on_its_line_is_read(line: str) -> None:
    assert found(paper(f"证据和证据来源：{line}", [])) == (line,)
    assert found(paper(f"证据和证据来源：{LISTED[0]}", [])) == ()


@pytest.mark.parametrize(("at", "said"), [(COMPLAINT, "证据{}"), (COMPLAINT, "{}号证据")])
def test_the_first_number_that_no_side_has_is_told(at: tuple[Document, Listed], said: str) -> None:
    """Without a side, a number is known up to the longest list, and the next one is known nowhere."""
    known = at[1]
    assert all(known.most + 1 not in there for there in known.numbers.values())
    assert not found(said.format(known.most), at)
    assert found(said.format(known.most + 1), at)
