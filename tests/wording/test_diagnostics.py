"""Problems as text and as data: places, carets by display width, nearest names, and nothing that moves the cursor."""

from __future__ import annotations

import json
import tracemalloc

import pytest

from legalworld.language.spelling import nearest
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import Span
from legalworld.wording.diagnostics import as_json, render

VALUES = {"mark": "!", "text": "!x", "repair": '"!x"'}


def shown(line: str, column: int, length: int, **values: object) -> list[str]:
    problem = Diagnostic("LW010", Span("a.yaml", 1, column, length), {**VALUES, **values})
    return render([problem], {"a.yaml": line}.get, "zh").splitlines()


def test_form() -> None:
    text = "steps:\n      - 审判厂 询问 原告: 核对身份\n"
    span, other = Span("specs/civil.yaml", 2, 9, 3), Span("specs/parts.yaml", 12, 3, 1)
    problem = Diagnostic("LW009", span, {"key": "审判厂"}, nearest="审判长", also=(other, span))
    assert render([problem], {"specs/civil.yaml": text}.get, "zh") == (
        "specs/civil.yaml:2:9: LW009 “审判厂”在同一层写了两次，是否想写“审判长”？\n"
        "      - 审判厂 询问 原告: 核对身份\n"
        "        ^^^^^^\n"
        "改法：留下一个；如果两处都要，合并内容，或者改其中一个的名字。\n"
        "另见 specs/parts.yaml:12:3、specs/civil.yaml:2:9\n"
    )
    assert render([problem], {}.get, "en") == (
        "specs/civil.yaml:2:9: LW009 “审判厂” is given twice at the same level, did you mean “审判长”?\n"
        "Fix: Keep one; if both are meant, merge them, or rename one.\n"
        "See also specs/parts.yaml:12:3, specs/civil.yaml:2:9\n"
    )


def test_nothing_to_say() -> None:
    assert render([], {}.get, "zh") == ""
    assert as_json([], "en") == []


@pytest.mark.parametrize(
    ("line", "column", "length", "expected"),
    [
        ("abc", 2, 1, " ^"),
        ("abc", 2, 0, " ^"),
        ("abc", 4, 0, "   ^"),
        ("abc", 9, 5, "   ^"),
        ("审判长 x", 2, 2, "  ^^^^"),
        ("\tx", 2, 1, "    ^"),
        ("\tx", 1, 1, "^^^^"),
        ("😀é x", 4, 1, "    ^"),
        ("e\u0301x", 3, 1, " ^"),
        ("\u3000x", 1, 1, "^^"),
    ],
)
def test_caret_counts_columns_of_the_screen(line: str, column: int, length: int, expected: str) -> None:
    assert shown(line, column, length)[2] == expected


def test_long_lines_are_cut_around_the_place() -> None:
    line = "甲" * 200 + "这里" + "乙" * 200
    source, caret = shown(line, 201, 2)[1:3]
    assert source.startswith("…甲") and source.endswith("乙…") and "甲这里乙" in source
    assert caret.strip() == "^^^^"
    assert caret.index("^") == 1 + 2 * (source.index("这") - 1)
    source, caret = shown("x" * 5000, 1, 5000)[1:3]
    assert (source, caret) == ("x" * 100 + "…", "^" * 100)


def test_output_cannot_move_the_cursor() -> None:
    hostile = "\x1b[2J\x07\x00\x7f\x9b\u202e\u2066\u200b\ud800\udcff\u2028 x"
    problem = Diagnostic("LW012", Span("a\x1b[1m.yaml", 1, 1, 3), {"text": hostile}, nearest=hostile)
    for text in (
        render([problem], {problem.span.file: hostile}.get, "zh"),
        str(as_json([problem], "zh")[0]["message"]),
    ):
        assert text.replace("\n", "").isprintable()
        text.encode("utf-8")
    assert "␛[2J␇␀␡<U+009B><U+202E>" in render([problem], {problem.span.file: hostile}.get, "zh")


def test_order_warnings_and_unknown_codes() -> None:
    problems = [
        Diagnostic("LW005", Span("b.yaml", 1, 1)),
        Diagnostic("LW003", Span("a.yaml", 10, 1), {"character": "U+200B", "count": 1}, severity="warning"),
        Diagnostic("LW999", Span("a.yaml", 9, 5)),
        Diagnostic("LW005", Span("a.yaml", 9, 1)),
    ]
    heads = [block.splitlines()[0] for block in render(problems, {}.get, "en").split("\n\n")]
    assert heads == [
        "a.yaml:9:1: LW005 The file is empty, or holds nothing but comments",
        "a.yaml:9:5: LW999 ",
        "a.yaml:10:1: LW003 warning: Invisible character U+200B, places in all: 1",
        "b.yaml:1:1: LW005 The file is empty, or holds nothing but comments",
    ]


def test_values_in_sentences() -> None:
    head = shown("x", 1, 1, mark=("a", "b"), text="{mark}")[0]
    assert head.startswith("a.yaml:1:1: LW010 “a、b”")
    missing = Diagnostic("LW009", Span("a.yaml", 1, 1))
    assert "“{key}”" in render([missing], {}.get, "zh")


def test_json() -> None:
    problem = Diagnostic("LW009", Span("a.yaml", 2, 3, 4), {"key": "x"}, nearest="y", also=(Span("b.yaml", 1, 1),))
    (found,) = as_json([problem], "en")
    assert json.loads(json.dumps(found)) == {
        "code": "LW009",
        "severity": "error",
        "file": "a.yaml",
        "line": 2,
        "column": 3,
        "length": 4,
        "message": "“x” is given twice at the same level, did you mean “y”?",
        "help": "Keep one; if both are meant, merge them, or rename one.",
        "nearest": "y",
        "also": [{"file": "b.yaml", "line": 1, "column": 1, "length": 0}],
    }


@pytest.mark.parametrize(
    ("name", "candidates", "expected"),
    [
        ("审判厂", ["审判长", "原告", "被告"], "审判长"),
        ("原告律师", ["原告代理律师", "被告代理律师", "审判长"], "原告代理律师"),
        ("judeg", ["judge", "jury"], "judge"),
        ("Plaintiff-Lawyer", ["plaintiff", "plaintiff_lawyer"], "plaintiff_lawyer"),
        ("at mots", ["at most", "at least"], "at most"),
        ("ｓｔａｇｅ", ["stage"], "stage"),
        ("被告", ["原告", "审判长"], None),
        ("xyz", ["stage"], None),
        ("x", [], None),
        ("ab", ["abc", "abd"], "abc"),
    ],
)
def test_nearest(name: str, candidates: list[str], expected: str | None) -> None:
    assert nearest(name, candidates) == expected
    assert nearest(name, set(candidates)) == expected


@pytest.mark.parametrize("before", [0, 50, 5_000, 200_000])
@pytest.mark.parametrize("behind", [0, 50, 5_000, 5_000_000])
@pytest.mark.parametrize("mark", ["x", "一", "\u202e"])
def test_a_line_of_any_length_is_shown_alike_and_takes_no_room(before: int, behind: int, mark: str) -> None:
    """What is far from the place changes nothing, and is not looked at."""

    def excerpt(left: int, right: int) -> list[str]:
        return shown(mark * left + "HERE" + mark * right, left + 1, 4)[1:]

    tracemalloc.start()
    found = excerpt(before, behind)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert "HERE" in found[0] and found == excerpt(min(before, 3_000), min(behind, 3_000))
    assert most < 10_000_000 + 12 * (before + behind)
