"""The layout of files: only blanks move, the second time changes nothing, the procedure stays. All: make layouts."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from doc_pages import blocks
from drawn_layouts import drawn, fault, rearranged, same_procedure, shipped
from places import ROOT
from typed import lw

from legalworld.authoring import format as layout
from legalworld.authoring.format import edits_of, formatted
from legalworld.authoring.picture import Picture
from legalworld.model.diagnostics import Diagnostic

FILES = shipped()
UGLY = """lw: 1
# what it is
procedure: demo   # its name
kinds:
    P: person   # of flesh
roles:
 ann: {title: 甲, kind: person}
case: {one: {title: 一二三四, path: $.one, keys: {first: 第一, second: 第二}}, \
two: {title: 二, path: $.two, keys: [a, b]}}
visibility: |
   | field | S |
   |--|-|
   | 一 own | P |  # his
   | two | - |
stages:
- stage: S
  steps:
    # a remark
    -   ann states: 你好
        id: hello
"""
NEAT = """lw: 1
# what it is
procedure: demo   # its name
kinds:
  P: person   # of flesh
roles:
  ann: {title: 甲, kind: person}
case: {one: {title: 一二三四, path: $.one, keys: {first: 第一, second: 第二}},
       two: {title: 二, path: $.two, keys: [a, b]}}
visibility: |
  | field  | S |
  |--------|---|
  | 一 own | P |  # his
  | two    | - |
stages:
  - stage: S
    steps:
      # a remark
      - ann states: 你好
        id: hello
"""


def test_a_file_is_laid_out() -> None:
    assert formatted("specs/demo.yaml", UGLY) == NEAT
    assert formatted("specs/demo.yaml", UGLY.replace("\n", "\r\n")) == NEAT.replace("\n", "\r\n")
    assert formatted("specs/demo.yaml", "\ufeff" + UGLY) == "\ufeff" + NEAT


@pytest.mark.parametrize("path", FILES)
def test_a_shipped_file_says_the_same(path: str) -> None:
    assert fault(path, FILES[path]) == ""
    assert isinstance(formatted(path, FILES[path]), str)


@pytest.mark.parametrize("path", [path for path in FILES if path.startswith("specs/") and path.count("/") == 1])
def test_a_shipped_procedure_is_the_same(path: str) -> None:
    assert same_procedure(path, FILES)


@pytest.mark.parametrize("path", sorted(FILES)[::4])
def test_however_it_was_laid_out_it_becomes_the_same(path: str) -> None:
    one = formatted(path, rearranged(FILES[path], random.Random(path)))
    other = formatted(path, FILES[path])
    assert isinstance(one, str)
    assert isinstance(other, str)
    assert one.removeprefix("\ufeff").replace("\r\n", "\n") == other


def test_fragments_of_the_docs_say_the_same() -> None:
    pages = [*(ROOT / "docs").rglob("*.md")]
    fragments = [block for page in pages for block in blocks(page) if block.info[:1] == ("yaml",)]
    assert len(fragments) > 50
    faults = {block.place: fault("specs/x.yaml", block.body) for block in fragments}
    assert {place: wrong for place, wrong in faults.items() if wrong} == {}


def test_drawn_files_say_the_same() -> None:
    assert [(path, wrong) for path, text in drawn(50) if (wrong := fault(path, text))] == []


@pytest.mark.parametrize("text", ["a: [1\n", "\0\1\2", "x" * (1 << 21), "a: &b c\n", "- [" * 200, "", "a: 1\na: 2\n"])
def test_what_cannot_be_read_is_refused(text: str) -> None:
    found = formatted("specs/x.yaml", text)
    assert isinstance(found, Diagnostic)
    assert found.code == "LW729"


def test_cut_files_are_refused_or_say_the_same() -> None:
    draw = random.Random(5)
    for path in draw.sample(sorted(FILES), 20):
        text = FILES[path]
        assert fault(path, text[: draw.randrange(len(text))]) == ""


@pytest.mark.parametrize("words", [("你好", "您好"), ("# a remark\n", "\n"), ("- stage: S", "stage: S")])
def test_a_layout_that_says_something_else_is_refused(words: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the layout does, its proof stands behind it."""
    monkeypatch.setattr(layout, "laid_out", lambda _: NEAT.replace(*words))
    found = layout.formatted("specs/demo.yaml", UGLY)
    assert isinstance(found, Diagnostic)
    assert found.code == "LW730"


def test_edits_of_a_picture() -> None:
    picture = Picture.of({"specs/demo.yaml": UGLY, "specs/broken.yaml": "a: [1"})
    edits = edits_of(picture, "specs/demo.yaml")
    assert edits.applied({"specs/demo.yaml": UGLY}) == {"specs/demo.yaml": NEAT}
    assert edits_of(picture, "specs/broken.yaml").why is not None
    assert edits_of(picture, "specs/no.yaml").why is not None
    assert edits_of(picture, "../x.yaml").why is not None


def test_the_command_writes_or_only_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / "demo.yaml").write_text(UGLY, "utf-8")
    (specs / "gbk.yaml").write_bytes("title: 民事诉讼第一审程序，原告和被告各自陈述意见\n".encode("gbk"))
    assert lw("fmt", "specs/demo.yaml", "--check").code == 1
    assert (specs / "demo.yaml").read_text("utf-8") == UGLY
    done = lw("fmt")
    assert done.code == 2
    assert "LW731" in done.err
    assert (specs / "demo.yaml").read_text("utf-8") == NEAT
    assert lw("fmt", "specs/demo.yaml", "--check").code == 0
    assert lw("fmt", "specs/no.yaml").code == 2
