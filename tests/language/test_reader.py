"""The reader against files: `reader/NAME.yaml` beside the complete rendering of its problems, and trees of good files.

`LW_BLESS=1` rewrites the expectations.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from goldens import compare, in_both_languages, text_of

from legalworld.language.yaml import characters
from legalworld.language.yaml.nodes import ListNode, MapNode, Node, Scalar, misspelt_entry
from legalworld.language.yaml.reader import read
from legalworld.language.yaml.repairs import original
from legalworld.language.yaml.traps import mend
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import Span
from legalworld.wording import diagnostics

FOLDER = Path(__file__).parent / "reader"
BROKEN = sorted(FOLDER.glob("*.yaml"))


def plain(node: Node | None) -> object:
    """The tree as nested values, for comparison."""
    match node:
        case Scalar():
            return node.text
        case MapNode():
            return {entry.key.text: plain(entry.value) for entry in node.entries}
        case ListNode():
            return [plain(item) for item in node.items]
        case None:
            return None


def rendering(path: Path) -> str:
    text = text_of(path)
    _, problems = read(path.name, text)
    return in_both_languages(problems, {path.name: text}.get)


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_broken_file(path: Path) -> None:
    found = rendering(path)
    compare(path.with_suffix(".expected.txt"), found)
    assert found.strip() or path.stem.endswith("harmless")


@pytest.mark.parametrize("path", BROKEN, ids=lambda path: path.stem)
def test_same_codes_and_lines_without_libyaml(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = text_of(path)
    fast, fast_problems = read(path.name, text)
    monkeypatch.setitem(sys.modules, "ruamel.yaml.cyaml", None)  # as if ruamel.yaml.clib were not installed
    slow, slow_problems = read(path.name, text)
    assert plain(slow) == plain(fast)
    assert [(p.code, p.span.line) for p in slow_problems] == [(p.code, p.span.line) for p in fast_problems]


def test_every_reader_code_has_a_broken_file() -> None:
    shown = "".join(path.read_text("utf-8") for path in FOLDER.glob("*.expected.txt"))
    own = {code for code in diagnostics.catalogue() if code < "LW020"}
    assert own - {code for code in own if code in shown} == set()


@pytest.mark.parametrize("code", sorted(code for code in diagnostics.catalogue() if code < "LW020"))
def test_example_of_the_catalogue_shows_its_code(code: str) -> None:
    example = diagnostics.catalogue()[code].get("example")
    if example is not None:
        assert code in {problem.code for problem in read("example.yaml", example)[1]}


# ---- what is written is what is read ---------------------------------------------------------------------------------

NATURAL_LINES = [
    ("1.10", "1.10"),
    ("0123", "0123"),
    ("1e3", "1e3"),
    ("0x1F", "0x1F"),
    ("1_000", "1_000"),
    ("12:30:45", "12:30:45"),
    ("2024-01-31", "2024-01-31"),
    ("yes", "yes"),
    ("No", "No"),
    ("on", "on"),
    ("true", "true"),
    ("null", "null"),
    ("~", "~"),
    (".inf", ".inf"),
    ("50%", "50%"),
    ("第3条#2", "第3条#2"),
    ("claim#3", "claim#3"),
    ("审判长 询问 原告，被告", "审判长 询问 原告，被告"),
    ("原告：张三", "原告：张三"),
    ("“民事诉讼”", "“民事诉讼”"),
    ("【结束法庭调查】", "【结束法庭调查】"),
    ("【对{role}说】", "【对{role}说】"),
    ("$.consultation[*].question", "$.consultation[*].question"),
    ("C L J after investigation", "C L J after investigation"),
    ("-5", "-5"),
    ("a & b * c ! d", "a & b * c ! d"),
    ("http://a.b/c", "http://a.b/c"),
    ('"claim #3: yes"', "claim #3: yes"),
    ("'it''s'", "it's"),
    ('"第\\n行"', "第\n行"),
]


@pytest.mark.parametrize(("written", "text"), NATURAL_LINES)
def test_a_natural_line_is_its_text(written: str, text: str) -> None:
    root, problems = read("x.yaml", f"key: {written}  # note\nlist:\n  - {written}\n")
    assert problems == ()
    assert plain(root) == {"key": text, "list": [text]}


def test_positions_count_code_points() -> None:
    root, problems = read("s.yaml", "审判长 询问 原告: 核对😀身份 # x\n步骤:\n  - \"宣 布\": '甲'\n  - 休庭\n")
    assert problems == ()
    assert isinstance(root, MapNode)
    assert root.keys() == ("审判长 询问 原告", "步骤")
    value, steps = root.get("审判长 询问 原告"), root.get("步骤")
    assert isinstance(value, Scalar) and isinstance(steps, ListNode)
    assert value.span == Span("s.yaml", 1, 12, 5)
    first, second = steps.items
    assert isinstance(first, MapNode) and isinstance(second, Scalar)
    assert first.entries[0].key.span == Span("s.yaml", 3, 6, 3)  # within the quotation marks
    assert isinstance(first.entries[0].value, Scalar)
    assert first.entries[0].value.span == Span("s.yaml", 3, 13, 1)
    assert second.span == Span("s.yaml", 4, 5, 2)
    assert root.span == root.entries[0].key.span
    assert steps.span == Span("s.yaml", 3, 3, 1)


def test_each_line_of_a_block_has_its_place() -> None:
    text = (
        "a:\n  matrix: |   # C client\n    | 字段 | LC |\n\n      | x |\n\n  folded: >-\n    一\n    二\nb: |2\n   c\n"
    )
    root, problems = read("m.yaml", text)
    assert problems == ()
    assert plain(root) == {"a": {"matrix": "| 字段 | LC |\n\n  | x |\n", "folded": "一 二"}, "b": " c\n"}
    assert isinstance(root, MapNode)
    inner = root.get("a")
    assert isinstance(inner, MapNode)
    matrix, folded, indented = inner.get("matrix"), inner.get("folded"), root.get("b")
    assert isinstance(matrix, Scalar) and isinstance(folded, Scalar) and isinstance(indented, Scalar)
    assert matrix.style == "block"
    assert matrix.span == Span("m.yaml", 2, 11, 1)
    assert [(s.line, s.column, s.length) for s in matrix.lines] == [(3, 5, 11), (4, 1, 0), (5, 5, 7)]
    assert [(s.line, s.column, s.length) for s in folded.lines] == [(8, 5, 1), (9, 5, 1)]
    assert [(s.line, s.column, s.length) for s in indented.lines] == [(11, 3, 2)]


@pytest.mark.parametrize("end", ["", "\n", "\n\n", "\nb: 1", "\n# c\nb: 1", "\n  # c\n\nb: 1\n"])
@pytest.mark.parametrize("head", ["|", "|-", "|+", ">"])
def test_block_lines_whatever_follows(head: str, end: str) -> None:
    root, problems = read("m.yaml", f"a: {head}\n  x\n  y{end}")
    assert problems == ()
    assert isinstance(root, MapNode)
    block = root.get("a")
    assert isinstance(block, Scalar)
    lines = [(s.line, s.column, s.length) for s in block.lines]
    assert lines[:2] == [(2, 3, 1), (3, 3, 1)]
    assert len(lines) == (3 if "  # c" in end else 2)  # indented like the text, a comment is text


def test_empty_is_not_quoted_nothing() -> None:
    root, problems = read("e.yaml", 'a:\nb: ""\nc: ~\nd: # note\ne:\n  -\n  - ""\n')
    assert problems == ()
    assert isinstance(root, MapNode)
    empty = {key: node.empty for key in "abcd" if isinstance(node := root.get(key), Scalar)}
    assert empty == {"a": True, "b": False, "c": False, "d": True}
    gap = root.get("a")
    assert isinstance(gap, Scalar) and gap.span == Span("e.yaml", 1, 3, 0)


def test_json_is_yaml() -> None:
    root, problems = read("c.json", '{\n  "a": [1.10, "x: y #z"],\n\t"b": {"c": null, "d": ""}\n}\n')
    assert problems == ()
    assert plain(root) == {"a": ["1.10", "x: y #z"], "b": {"c": "null", "d": ""}}


def test_collections_and_quotations_may_span_lines() -> None:
    root, problems = read("f.yaml", 'a: {b: c,   # note\n  d: [e,\n    f]}\ng: "h\n  i #1"\n"j": k\n')
    assert problems == ()
    assert plain(root) == {"a": {"b": "c", "d": ["e", "f"]}, "g": "h i #1", "j": "k"}


def test_start_marker_and_comments_are_fine() -> None:
    root, problems = read("d.yaml", "# head\n---\n#tight\na: b   # x\n    #deep\n...\n")
    assert (plain(root), problems) == ({"a": "b"}, ())


def test_a_mended_file_is_still_read() -> None:
    text = "stage：LC\nnote: claim #3 it's\nsteps:\n\t- 审判长 询问:核对\n\t  until: *完\nend: 1\n"
    root, problems = read("b.yaml", text)
    assert plain(root) == {
        "stage": "LC",
        "note": "claim #3 it's",
        "steps": [{"审判长 询问": "核对", "until": "*完"}],
        "end": "1",
    }
    assert [problem.code for problem in problems] == ["LW007", "LW012", "LW006", "LW008", "LW010"]
    lines = text.split("\n")
    for node in scalars(root):
        span = node.span
        assert lines[span.line - 1][span.column - 1 : span.column - 1 + span.length] == node.text


def scalars(node: Node | None) -> list[Scalar]:
    match node:
        case Scalar():
            return [node]
        case MapNode():
            return [scalar for entry in node.entries for scalar in (entry.key, *scalars(entry.value))]
        case ListNode():
            return [scalar for item in node.items for scalar in scalars(item)]
        case None:
            return []


def test_misspelt_entry() -> None:
    root, problems = read("x.yaml", "- 阶段：一审\n- stage:LC\n- http://a\n- 10:30\n- 一段话\n")
    assert problems == ()
    assert isinstance(root, ListNode)
    found = [misspelt_entry(item) for item in root.items if isinstance(item, Scalar)]
    assert [problem and (problem.code, problem.values["repair"]) for problem in found] == [
        ("LW007", "阶段: 一审"),
        ("LW008", "stage: LC"),
        None,
        None,
        None,
    ]


def test_columns_lead_back_through_edits() -> None:
    repaired = mend("x.yaml", ["a: it's 'x' #y", "b: c"])
    assert repaired.lines[0] == "a: 'it''s ''x'' #y'"
    edits = repaired.edits[0]
    assert [original(edits, repaired.lines[0].index(part)) for part in ("a", "it", "x", "#y")] == [0, 3, 9, 12]


# ---- bounds ----------------------------------------------------------------------------------------------------------


def codes(problems: tuple[Diagnostic, ...]) -> list[str]:
    return [problem.code for problem in problems]


def test_too_large() -> None:
    assert codes(read("x.yaml", "a: " + "甲" * (characters.MAX_BYTES // 3 + 1))[1]) == ["LW004"]


def test_too_many_values() -> None:
    root, problems = read("x.yaml", "- a\n" * (characters.MAX_NODES + 1))
    assert (root, codes(problems)) == (None, ["LW004"])


def test_deep_nesting_is_refused_quickly() -> None:
    start = time.process_time()
    for text in ("[" * 500_000, "{a: " * 200_000, "- " * 200_000, "".join(" " * n + "a:\n" for n in range(1000))):
        root, problems = read("x.yaml", text)
        assert root is None and problems
    assert time.process_time() - start < 10


@pytest.mark.parametrize(
    "text",
    [
        "  [\n" * 20_000,
        "k:\n" + "  - 'x\n" * 20_000,
        '"' + '\\"' * 100_000,
        "a: " + "'" * 200_000 + " x",
        "a:b\n" * 20_000,
        "a: " + "x #y" * 50_000,
        "\t" * 200_000,
        "? " * 50_000,
        "- stage:x\n\ty: z\n" * 5_000,
    ],
    ids=["brackets", "quotes", "escapes", "apostrophes", "colons", "hashes", "tabs", "questions", "mixed"],
)
def test_hostile_text_takes_bounded_time(text: str) -> None:
    start = time.process_time()
    assert read("x.yaml", text)[1]
    assert time.process_time() - start < 5
