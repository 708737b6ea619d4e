"""The reader on text nobody would write: it never fails, points into the file, and mends nothing that is well."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from test_reader import plain

from legalworld.language.yaml.nodes import ListNode, MapNode, Node, Scalar
from legalworld.language.yaml.reader import read
from legalworld.language.yaml.traps import mend
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.source import Span
from legalworld.wording import diagnostics

BROKEN = [path.read_bytes().decode("utf-8", "surrogateescape") for path in (Path(__file__).parent / "reader").iterdir()]
PIECES = st.sampled_from(
    [
        *"\n\n\n\t-?:#,[]{}&*!|>'\"%@`~<.=：，【】（）“”　原告aA1 \\\r\0\ufeff\u200b\u2028\udcff\U0001f600",
        *("\n  ", "\n    ", "\n- ", "\n  - ", ": ", " #", "# ", "- - ", "? ", "key: ", "键：", "a:b", "---\n", "...\n"),
        *("<<: ", "*a", "&a ", "!x ", "!!str ", "|\n", ">-\n", "|2\n", '"\\x', "''", '\\"', "{a: b}", "[a, b]", "[*]"),
        *("%YAML 1.2\n", "{role}", "\r\n", "\n\t", "\n　", "title: 民事\n", "stages:\n  - stage: LC\n"),
    ]
)
SOUP = st.lists(PIECES, max_size=60).map("".join)
ANYTHING = st.one_of(SOUP, st.text(max_size=200))


def spans(node: Node | None) -> list[Span]:
    match node:
        case Scalar():
            return [node.span, *node.lines]
        case MapNode():
            return [node.span, *(span for e in node.entries for span in (*spans(e.key), *spans(e.value)))]
        case ListNode():
            return [node.span, *(span for item in node.items for span in spans(item))]
        case None:
            return []


def check(text: str) -> tuple[Node | None, tuple[Diagnostic, ...]]:
    """Read, and see that every place lies in the file and every problem can be shown."""
    root, problems = read("x.yaml", text)
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for span in (*spans(root), *(span for p in problems for span in (p.span, *p.also))):
        assert 1 <= span.line <= len(lines), span
        assert 1 <= span.column <= len(lines[span.line - 1]) + 1, span
        assert 0 <= span.length <= len(lines[span.line - 1]) + 1 - span.column, span
    for locale in ("zh", "en"):
        shown = diagnostics.render(problems, {"x.yaml": text}.get, locale)
        assert shown.replace("\n", "").isprintable() or "　" in shown
        assert "{" not in "".join(diagnostics.message(p, locale) for p in problems if not p.values)
        shown.encode("utf-8")
    assert root is not None or problems
    return root, problems


@settings(max_examples=300)
@given(ANYTHING)
@example("!x\n- a\n -b")
@example('"a\n  b: c" d')
@example("a: !%ff x")
@example('a: "\\udc80"')
def test_any_text(text: str) -> None:
    check(text)


@settings(max_examples=100)
@given(ANYTHING)
def test_any_text_without_libyaml(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "ruamel.yaml.cyaml", None)
        check(text)


@settings(max_examples=200)
@given(st.sampled_from(BROKEN), st.integers(0, 10_000), PIECES, st.integers(0, 3))
def test_broken_files_broken_further(text: str, place: int, piece: str, cut: int) -> None:
    place %= len(text) + 1
    check(text[:place] + piece + text[place + cut :])


@settings(max_examples=100)
@given(st.binary(max_size=200))
def test_any_bytes(raw: bytes) -> None:
    check(raw.decode("utf-8", "surrogateescape"))


# ---- what is well is left alone --------------------------------------------------------------------------------------

WORDS = st.text(st.sampled_from("原告被审判长ab1 #:-?*&!%@`'\"[]{},|>~：，．\\/<=.()（）【】"), min_size=1, max_size=12)
TREES = st.recursive(
    WORDS,
    lambda inner: st.lists(inner, min_size=1, max_size=4) | st.dictionaries(WORDS, inner, min_size=1, max_size=4),
    max_leaves=12,
)
PLAIN = re.compile(r"(?!.*(?:: | #|:$))[^\s#:\-?*&!%@`'\"\[\]{},|><](?:.*\S)?")
PLAIN_IN_BRACKETS = re.compile(r"(?!.* #)[^\s#:\-?*&!%@`'\"\[\]{},|><：](?:[^:：?,\[\]{}]*[^\s:：?,\[\]{}])?")


def quoted(text: str, plain_text: re.Pattern[str]) -> str:
    if plain_text.fullmatch(text):
        return text
    if "'" in text:
        return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
    return f"'{text}'"


def in_brackets(tree: object) -> str:
    if isinstance(tree, dict):
        inner = (f"{quoted(key, PLAIN_IN_BRACKETS)}: {in_brackets(value)}" for key, value in tree.items())
        return "{" + ", ".join(inner) + "}"
    if isinstance(tree, list):
        return "[" + ", ".join(map(in_brackets, tree)) + "]"
    return quoted(str(tree), PLAIN_IN_BRACKETS)


def in_lines(tree: object, indent: int, flow: int) -> list[str]:
    """Block style down to `flow` levels, brackets below."""
    if not isinstance(tree, dict | list):
        return [" " * indent + quoted(str(tree), PLAIN) + "  # note"]
    if flow == 0:
        return [" " * indent + in_brackets(tree)]
    lines = []
    for entry in tree.items() if isinstance(tree, dict) else [("", value) for value in tree]:
        head = quoted(entry[0], PLAIN) + ":" if isinstance(tree, dict) else "-"
        inner = in_lines(entry[1], indent + 2, flow - 1)
        if isinstance(entry[1], str) or flow == 1 or isinstance(tree, list):
            lines += [" " * indent + head + " " + inner[0].lstrip(), *inner[1:]]
        else:
            lines += ["", " " * indent + head + "   # note", *inner]
    return lines


@settings(max_examples=300)
@given(st.dictionaries(WORDS, TREES, min_size=1, max_size=4), st.integers(0, 5))
def test_what_is_well_is_read_back_and_not_mended(tree: dict[str, object], flow: int) -> None:
    lines = in_lines(tree, 0, flow)
    root, problems = read("x.yaml", "\n".join(lines))
    assert (problems, plain(root)) == ((), tree)
    mended = mend("x.yaml", lines)
    assert (mended.problems, mended.lines) == ([], lines)
