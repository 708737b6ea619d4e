"""What Word shows of a document is what is read of it: a sum inside every construct, nested and cut into runs."""

from __future__ import annotations

import itertools
import random
import zipfile
from io import BytesIO

import pytest
from word_files import (
    NOT_SHOWN,
    SHOWN,
    UNREAD,
    box,
    code,
    field,
    level,
    mark,
    paragraph,
    run,
    word_file,
)

from legalworld.files.word.text import word_text
from legalworld.law.text.amounts import amounts
from legalworld.law.text.money import UnclearSum

SUM = "100000"


def said(inner: str) -> str:
    return word_text(word_file(paragraph(run("借款") + inner + run("元"))))


@pytest.mark.parametrize("name", SHOWN)
def test_a_sum_inside_a_construct(name: str) -> None:
    """Whole, cut at each place into two runs inside it, and with only one half inside."""
    wrap = SHOWN[name]
    assert said(wrap(run(SUM))) == "借款100000元"
    for cut in range(1, len(SUM)):
        first, second = run(SUM[:cut]), run(SUM[cut:])
        for inner in (wrap(first + second), wrap(first) + second, first + wrap(second), wrap(first) + wrap(second)):
            assert said(inner) == "借款100000元"


@pytest.mark.parametrize("outer", SHOWN)
def test_constructs_inside_constructs(outer: str) -> None:
    for inner in SHOWN:
        assert said(SHOWN[outer](SHOWN[inner](run(SUM)))) == "借款100000元", inner


@pytest.mark.parametrize("name", NOT_SHOWN)
def test_words_that_nobody_sees(name: str) -> None:
    """Beside the sum, within it, and inside every construct."""
    hidden = NOT_SHOWN[name]
    for inner in (hidden + run(SUM), run(SUM) + hidden, run(SUM[:3]) + hidden + run(SUM[3:])):
        assert said(inner) == "借款100000元"
    for wrap in SHOWN.values():
        assert said(wrap(run(SUM[:3]) + hidden + run(SUM[3:]))) == "借款100000元"


@pytest.mark.parametrize("seed", range(60))
def test_a_paragraph_grown_at_random(seed: int) -> None:
    """Runs, constructs around stretches of them and hidden words in any order: what is shown is what was put in."""
    chance = random.Random(seed)

    def grown(words: str, depth: int) -> str:
        if depth == 0 or len(words) < 2:
            return run(words) + chance.choice(["", *NOT_SHOWN.values()])
        cut = chance.randrange(1, len(words))
        inner = grown(words[:cut], depth - 1) + grown(words[cut:], depth - 1)
        return chance.choice(list(SHOWN.values()))(inner) if chance.random() < 0.7 else inner

    words = "判令被告返还借款1,000,000.50元及利息（自2021年3月5日起）"
    assert word_text(word_file(paragraph(grown(words, 4)))) == words


@pytest.mark.parametrize("name", UNREAD)
def test_what_cannot_be_read_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=r"Word|words|field|numbers|文中"):
        word_text(word_file(paragraph(run(SUM)) + UNREAD[name]))


# ---- marks and signs -------------------------------------------------------------------------------------------------

TICKED = "<w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData>"


def figure(text: str) -> str:
    """A run of a formula."""
    return f"<m:r><m:t>{text}</m:t></m:r>"


@pytest.mark.parametrize(
    ("inner", "shown"),
    [
        ("<w:r><w:t>33</w:t><w:noBreakHyphen/><w:t>1号</w:t></w:r>", "33-1号"),
        ("<w:r><w:t>33\u20111号</w:t></w:r>", "33-1号"),
        ("<w:r><w:t>1000</w:t><w:softHyphen/><w:t>00元</w:t></w:r>", "100000元"),
        ("<w:r><w:t>1000\u00ad00元</w:t></w:r>", "100000元"),
        ("<w:r><w:t>甲</w:t><w:tab/><w:t>乙</w:t><w:br/><w:t>丙</w:t></w:r>", "甲\t乙\n丙"),
        ("<w:r><w:t> 甲 </w:t></w:r>", "甲"),
        ('<w:r><w:sym w:font="Symbol" w:char="F031"/></w:r>', "1"),
        ('<w:r><w:sym w:font="Wingdings 2" w:char="F052"/></w:r>', "☑"),
        ('<w:r><w:sym w:font="Unheard" w:char="F031"/></w:r>', "\ufffd"),
        (f"<w:ruby><w:rt>{run('ji')}</w:rt><w:rubyBase>{run('暨')}</w:rubyBase></w:ruby>", "（ji）暨"),
        (f"<m:oMath><m:sSup><m:e>{figure('10')}</m:e><m:sup>{figure('5')}</m:sup></m:sSup></m:oMath>", "10^5"),
        (f"<m:oMath><m:f><m:num>{figure('1')}</m:num><m:den>{figure('3')}</m:den></m:f></m:oMath>", "1/3"),
        (run("甲", '<w:vanish w:val="0"/>'), "甲"),
        (run("甲", '<w:rStyle w:val="Child"/>') + run("乙"), "乙"),
        (f"{mark('begin')}{code(' MACROBUTTON x 请填写 ')}{mark('end')}", "请填写"),
        (mark("begin", TICKED) + code(" FORMCHECKBOX ") + mark("end"), "☒"),
    ],
)  # fmt: skip
def test_signs(inner: str, shown: str) -> None:
    assert word_text(word_file(paragraph(inner))) == shown


LOOKS = [
    "<w:strike/>",
    "<w:dstrike/>",
    '<w:strike w:val="1"/>',
    '<w:rStyle w:val="Struck"/>',
    '<w:rStyle w:val="Gone"/>',
]


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", SHOWN)
def test_words_that_are_crossed_out_refuse_the_file(name: str, look: str) -> None:
    """Nobody can tell whether they count: joined to the sum behind them, they would be another sum."""
    struck = run("90000", look)
    for inner in (SHOWN[name](struck) + run(SUM), run(SUM) + SHOWN[name](struck), SHOWN[name](run("1") + struck)):
        with pytest.raises(ValueError, match="90000"):
            said(inner)


def test_what_is_not_crossed_out_after_all() -> None:
    off = run(SUM, '<w:rStyle w:val="Struck"/><w:strike w:val="0"/>')
    for inner in (off, run(" ", "<w:strike/>") + run(SUM), run("9", "<w:strike/><w:vanish/>") + run(SUM)):
        assert said(inner).replace(" ", "") == "借款100000元"


RAISED = ['<w:vertAlign w:val="superscript"/>', '<w:rStyle w:val="Raised"/>']


@pytest.mark.parametrize("look", RAISED)
@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (["10", "^5"], "10^5"),
        (["10", "^1", "^2", "元"], "10^12元"),
        (["10", "^5", "7"], "10^5 7"),
        (["100", "m", "^2"], "100m2"),
        (["3", "^rd"], "3rd"),
        (["^1", "借款"], "1借款"),
    ],
)
def test_a_raised_figure_is_none_of_the_number_before_it(parts: list[str], shown: str, look: str) -> None:
    inner = "".join(run(one[1:], look) if one.startswith("^") else run(one) for one in parts)
    assert word_text(word_file(paragraph(inner))) == shown


@pytest.mark.parametrize("look", RAISED)
@pytest.mark.parametrize("figures", ["1", "12"])
def test_a_mark_of_a_note_makes_no_other_sum(figures: str, look: str) -> None:
    [found] = amounts(said(run(SUM) + run(figures, look)))
    assert isinstance(found, UnclearSum)


def test_a_choice_of_a_form() -> None:
    listed = '<w:ffData><w:ddList><w:result w:val="1"/><w:listEntry w:val="90000"/><w:listEntry w:val="100000"/>'
    chosen = f"{mark('begin', f'{listed}</w:ddList></w:ffData>')}{code(' FORMDROPDOWN ')}{mark('end')}"
    assert said(chosen) == "借款100000元"


def test_hidden_by_both_styles_is_shown() -> None:
    """As the format says: switches of two styles cancel out, those of the run itself count alone."""
    dark = '<w:pStyle w:val="Dark"/><w:rPr><w:vanish w:val="0"/></w:rPr>'
    inner = run("甲") + run("乙", '<w:rStyle w:val="Hidden"/>') + run("丙", '<w:vanish w:val="0"/>')
    assert word_text(word_file(paragraph(inner, dark))) == "乙丙"


# ---- paragraphs, tables, boxes, notes --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "gone", ['<w:rPr><w:del w:id="1"/></w:rPr>', "<w:rPr><w:vanish/></w:rPr>", "<w:rPr><w:specVanish/></w:rPr>"]
)
def test_a_paragraph_whose_mark_is_gone_goes_on(gone: str) -> None:
    assert word_text(word_file(paragraph(run("借款100"), gone) + paragraph(run("000元")))) == "借款100000元"


def test_a_field_across_paragraphs() -> None:
    body = paragraph(mark("begin") + code(" TOC ") + mark("separate") + run("目录")) + paragraph(
        run("一") + mark("end")
    )
    assert word_text(word_file(body)) == "目录\n一"


def cell(inner: str, properties: str = "") -> str:
    return f"<w:tc>{properties and f'<w:tcPr>{properties}</w:tcPr>'}{inner}</w:tc>"


def test_tables() -> None:
    inner = f"<w:tbl><w:tr>{cell(paragraph(run('丙')))}{cell(paragraph(run('100000元')))}</w:tr></w:tbl>"
    rows = (
        f"<w:tr>{cell(paragraph(run('甲')))}{cell(paragraph(run('2020')) + paragraph(run('5000元')))}</w:tr>"
        f"<w:sdt><w:sdtContent><w:tr>{cell(inner + paragraph(''))}{cell(paragraph(run('乙')))}</w:tr></w:sdtContent>"
        "</w:sdt>"
        f"<w:tr><w:trPr><w:del/></w:trPr>{cell(paragraph(run('90000元')))}</w:tr>"
        f"<w:tr>{cell(paragraph(run('丁')), '<w:vMerge/>')}{cell(paragraph(run('戊')))}</w:tr>"
        f"<w:tr>{cell(paragraph(run('己')) + paragraph(run('庚')))}</w:tr>"
    )
    read = word_text(word_file(f"<w:tbl>{rows}</w:tbl>{paragraph(run('完'))}"))
    assert read == "| 甲 | 2020；5000元 |\n| | 丙 | 100000元 | | 乙 |\n|  | 戊 |\n己\n庚\n完"


def test_a_table_stands_where_it_stands() -> None:
    table = f"<w:tbl><w:tr>{cell(paragraph(run('甲')))}{cell(paragraph(run('乙')))}</w:tr></w:tbl>"
    assert word_text(word_file(paragraph(run("前")) + table + paragraph(run("后")))) == "前\n| 甲 | 乙 |\n后"


@pytest.mark.parametrize("name", SHOWN)
def test_boxes_are_read_once_behind_their_paragraph(name: str) -> None:
    boxed = box(paragraph(SHOWN[name](run("100000元"))))
    assert word_text(word_file(paragraph(run("借款") + boxed + run("如下")))) == "借款如下\n100000元"
    assert word_text(word_file(paragraph(boxed))) == "100000元"
    assert word_text(word_file(paragraph(SHOWN[name](box(paragraph(run("100000元"))))))) == "100000元"


def test_a_hidden_box_is_not_read() -> None:
    hidden = box(paragraph(run("90000元"))).replace("<w:r>", "<w:r><w:rPr><w:vanish/></w:rPr>", 1)
    assert word_text(word_file(paragraph(run("借款") + hidden))) == "借款"


def test_notes_follow_in_the_order_of_their_marks() -> None:
    notes = "".join(
        f'<w:footnote w:id="{number}">{paragraph(field(run(words)))}</w:footnote>'
        for number, words in ((0, "分隔"), (1, "乙100000元"), (2, "甲"), (3, "没有标记"))
    )
    marks = "".join(f'<w:r><w:footnoteReference w:id="{number}"/></w:r>' for number in (2, 1, 2))
    assert word_text(word_file(paragraph(run("正文") + marks), notes=notes)) == "正文\n甲\n乙100000元"


# ---- numbers of lists ------------------------------------------------------------------------------------------------


def listed(words: str, at: int = 0, number: int = 1, more: str = "") -> str:
    return paragraph(run(words), f'<w:numPr><w:ilvl w:val="{at}"/><w:numId w:val="{number}"/></w:numPr>{more}')


def test_numbers_are_printed() -> None:
    body = listed("甲") + listed("乙", 1) + listed("丙", 1) + listed("丁", 2) + listed("戊") + listed("己", 1)
    body += paragraph(run("庚"), '<w:pStyle w:val="Listed"/>') + listed("辛", 0, 2) + listed("壬", 0, 2)
    body += listed("无", 0, 0)
    read = word_text(word_file(body))
    assert read == "一、甲\n1. 乙\n2. 丙\n一.2.1 丁\n二、戊\n1. 己\n三、庚\n一、辛\n二、壬\n无"


def test_a_deleted_item_is_not_counted() -> None:
    gone = '<w:del w:id="1"><w:r><w:delText>乙</w:delText></w:r></w:del>'
    shape = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr><w:rPr><w:del w:id="2"/></w:rPr>'
    assert word_text(word_file(listed("甲") + paragraph(gone, shape) + listed("丙"))) == "一、甲\n二、丙"


@pytest.mark.parametrize(
    ("form", "third", "twelfth"),
    [
        ("decimal", "3", "12"),
        ("chineseCounting", "三", "十二"),
        ("japaneseCounting", "三", "十二"),
        ("chineseLegalSimplified", "叁", "壹拾贰"),
        ("upperLetter", "C", "L"),
        ("lowerRoman", "iii", "xii"),
        ("decimalEnclosedCircle", "③", "⑫"),
        ("decimalFullWidth", "３", "１２"),
        ("ideographTraditional", "丙", "乙"),
        ("decimalZero", "03", "12"),
    ],
)
def test_forms_of_numbers(form: str, third: str, twelfth: str) -> None:
    shape = f'<w:abstractNum w:abstractNumId="1">{level(0, form, "（%1）")}</w:abstractNum>'
    shape += '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
    lines = word_text(word_file("".join(listed("项") for _ in range(12)), numbering=shape)).split("\n")
    assert (lines[2], lines[11]) == (f"（{third}）项", f"（{twelfth}）项")


# ---- harm ------------------------------------------------------------------------------------------------------------


def repacked(data: bytes, name: str, content: bytes) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(BytesIO(data)) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            new.writestr(entry.filename, content if entry.filename == name else old.read(entry.filename))
    return made.getvalue()


def harmful() -> list[tuple[str, bytes]]:
    good = word_file(paragraph(run("甲")))
    deep = f"<w:ins>{'<w:ins>' * 5000}{'</w:ins>' * 5000}</w:ins>"
    return [
        ("empty", b""),
        ("cut", good[: len(good) // 2]),
        ("a zip of something else", repacked(good, "_rels/.rels", b"<Relationships/>")),
        ("no XML", repacked(good, "word/document.xml", b"<w:document")),
        ("entities", repacked(good, "word/document.xml", b"<!DOCTYPE x [<!ENTITY a 'b'>]><x>&a;</x>")),
        ("deep", word_file(paragraph(deep))),
        ("large", repacked(good, "word/document.xml", b"<w:t>" + b"0" * (60 << 20))),
    ]


@pytest.mark.parametrize(("name", "data"), harmful(), ids=lambda value: value if isinstance(value, str) else "")
def test_harm_is_refused(name: str, data: bytes) -> None:
    with pytest.raises(ValueError):
        word_text(data)


def test_truncations_and_damage_never_surprise() -> None:
    good = word_file(paragraph(run("借款100000元")))
    chance = random.Random(7)
    for at in itertools.chain(range(0, len(good), 97), chance.sample(range(len(good)), 60)):
        for bad in (good[:at], good[:at] + bytes([chance.randrange(256)]) + good[at + 1 :]):
            try:
                read = word_text(bad)
            except ValueError:
                continue
            assert read == "借款100000元" or "100000" not in read
