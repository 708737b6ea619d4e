"""What an editor asks of a picture: what may stand here, what is this, where else, called otherwise, mended."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import ROOT

from legalworld.authoring.completion import completion
from legalworld.authoring.edits import Cursor
from legalworld.authoring.format import edits_of
from legalworld.authoring.lookup import definition, hover, outline, references
from legalworld.authoring.picture import Picture
from legalworld.authoring.rename import renamed
from legalworld.authoring.repairs import repairs
from legalworld.authoring.told import diagnostics, diagnostics_of
from legalworld.files.project_files import Disk, Snapshot

MAIN, PART = "specs/demo.yaml", "specs/parts/talk.yaml"
DEMO = """lw: 1
procedure: demo
title: 示例
include: parts/talk.yaml
kinds: {P: person, H: host}
roles:
  ann: {title: 甲方, kind: person, side: left}
  bob: {title: 乙方, kind: person, side: right}
  chair: {title: 主席, kind: host}
case:
  paper: {title: 文件, path: $.paper}
visibility: |
  | field | S  |
  |-------|----|
  | paper | P  |
stages:
  - stage: S
    steps:
      - chair asks ann: 说什么？
        id: first
      - 主席 询问 乙方: 还有吗？
        id: second
        answer: more is yes or no
        default: no
      - if more:
          - ann states: 再说一句
      - perform talk:
          one: ann
"""
TALK = """lw: 1
parts:
  talk:
    needs: [one]
    steps:
      - one states: 结束语
"""
TEMPLATE = "说吧。\n"


@pytest.fixture
def picture() -> Picture:
    acts = ("ask", "state", "asked", "answer", "states")
    prompts = {f"prompts/zh/act/{act}.j2": TEMPLATE for act in acts}
    return Picture.of({MAIN: DEMO, PART: TALK, "prompts/zh/system.j2": TEMPLATE, **prompts})


def at(text: str, words: str, inside: str, path: str = MAIN) -> Cursor:
    """A cursor in the middle of a word, on the line that holds some words."""
    line = next(number for number, line in enumerate(text.split("\n")) if words in line)
    return Cursor(path, line + 1, text.split("\n")[line].index(inside) + 2)


def told(picture: Picture, line: str, new: str) -> tuple[Picture, Cursor]:
    """The picture with a line typed so far, and the cursor at its end."""
    lines = DEMO.split("\n")
    number = next(number for number, old in enumerate(lines) if line in old)
    lines[number] = new
    return picture.replaced(MAIN, "\n".join(lines)), Cursor(MAIN, number + 1, len(new) + 1)


@pytest.mark.parametrize(
    ("typed", "offered", "not_offered"),
    [
        ("      - chair as", {"asks"}, {"paper", "id"}),
        ("      - chair asks a", {"ann"}, {"asks", "chair"}),
        ("      - 主席 询", {"询问"}, {"asks"}),
        ("      - 主席 询问 乙", {"乙方"}, {"询问"}),
        ("      - ch", {"chair"}, {"asks"}),
    ],
)
def test_a_sentence_is_completed(picture: Picture, typed: str, offered: set[str], not_offered: set[str]) -> None:
    found = {one.text for one in completion(*told(picture, "chair asks ann", typed))}
    assert offered <= found
    assert not not_offered & found


def test_keys_are_completed_in_both_languages(picture: Picture) -> None:
    found = {one.text for one in completion(*told(picture, "id: first", "        ba"))}
    assert "basis" in found
    found = {one.text for one in completion(*told(picture, "id: first", "        依"))}
    assert "依据" in found
    assert {one.text for one in completion(*told(picture, "title: 示例", "vis"))} == set(), "it stands below"
    assert "source" in {one.text for one in completion(*told(picture, "title: 示例", "so"))}


def test_values_that_must_be_names_are_completed(picture: Picture) -> None:
    found = completion(*told(picture, "chair: {", "  chair: {title: 主席, kind: ho"))
    assert [one.text for one in found] == ["host"]


def test_what_is_offered_reads_when_it_is_taken(picture: Picture) -> None:
    """No candidate is a word that cannot stand there."""
    typed, cursor = told(picture, "chair asks ann", "      - chair asks ")
    wrong = len(diagnostics(typed, MAIN).problems)
    for one in completion(typed, cursor):
        text = typed.read(MAIN) or ""
        lines = text.split("\n")
        lines[cursor.line - 1] = lines[cursor.line - 1][: one.edit.region.first[1] - 1] + one.text
        after = diagnostics(typed.replaced(MAIN, "\n".join(lines)), MAIN)
        assert len(after.problems) <= wrong, one.text


def test_a_name_knows_what_it_is_and_where_it_stands(picture: Picture) -> None:
    cursor = at(DEMO, "chair asks ann", "ann")
    card = hover(picture, cursor)
    assert card is not None
    assert (card.name, card.kind, card.title) == ("ann", "roles", "甲方")
    assert [region.first for region in definition(picture, cursor)] == [(7, 3)]
    lines = [region.first[0] for region in references(picture, cursor)]
    assert lines == [7, 19, 26, 28]


def test_a_title_is_the_role(picture: Picture) -> None:
    card = hover(picture, at(DEMO, "主席 询问", "乙方"))
    assert card is not None
    assert card.name == "bob"


def test_a_parameter_is_a_name_of_its_part(picture: Picture) -> None:
    cursor = at(TALK, "one states", "one", PART)
    assert [(region.path, region.first[0]) for region in references(picture, cursor)] == [(PART, 4), (PART, 6)]


def test_a_place_without_a_name_has_no_answer(picture: Picture) -> None:
    for cursor in (Cursor(MAIN, 1, 1), Cursor(MAIN, 999, 1), Cursor("specs/no.yaml", 1, 1), Cursor("../x", 1, 1)):
        assert hover(picture, cursor) is None
        assert references(picture, cursor) == ()
        why = renamed(picture, cursor, "x").why
        assert why is not None
        assert why.code == "LW732"


def test_a_rename_there_and_back_is_what_it_was(picture: Picture) -> None:
    edits = renamed(picture, at(DEMO, "chair asks ann", "ann"), "anna")
    assert edits.why is None
    texts = edits.applied({MAIN: DEMO})
    assert "chair asks anna:" in texts[MAIN]
    assert "one: anna" in texts[MAIN]
    after = picture.replaced(MAIN, texts[MAIN])
    back = renamed(after, at(texts[MAIN], "chair asks anna", "anna"), "ann")
    assert back.applied(texts) == {MAIN: DEMO}


@pytest.mark.parametrize(
    ("word", "new", "code"),
    [
        ("ann", "bob", "LW048"),
        ("ann", "asks", "LW733"),
        ("ann", "a b", "LW733"),
        ("more", "paper", ""),
        ("ann", "", ""),
    ],
)
def test_a_rename_that_cannot_be_whole_is_refused(picture: Picture, word: str, new: str, code: str) -> None:
    line = "answer: more" if word == "more" else "chair asks ann"
    edits = renamed(picture, at(DEMO, line, word), new)
    assert edits.why is not None
    assert edits.texts == ()
    assert not code or edits.why.code == code


def test_one_word_for_a_role_and_a_kind_stays_the_kind(picture: Picture) -> None:
    both = picture.replaced(MAIN, DEMO.replace("H: host", "H: chair").replace("kind: host", "kind: chair"))
    edits = renamed(both, at(DEMO, "chair asks ann", "chair"), "president")
    text = edits.applied({MAIN: both.read(MAIN) or ""})[MAIN]
    assert "president: {title: 主席, kind: chair}" in text
    assert "H: chair" in text
    assert "president asks ann" in text


def test_a_repair_is_offered_when_it_mends(picture: Picture) -> None:
    wrong = picture.replaced(MAIN, DEMO.replace("chair asks ann", "chiar asks ann"))
    line = next(n for n, line in enumerate(DEMO.split("\n"), 1) if "chair asks ann" in line)
    (repair,) = repairs(wrong, MAIN, MAIN, line)
    assert repair.edits.applied({MAIN: wrong.read(MAIN) or ""}) == {MAIN: DEMO}
    wide = picture.replaced(MAIN, DEMO.replace("title: 示例", "title：示例"))
    assert [one.edits.applied({MAIN: wide.read(MAIN) or ""})[MAIN] for one in repairs(wide, MAIN, MAIN, 3)] == [DEMO]
    assert repairs(picture, MAIN, MAIN, line) == ()


def test_the_outline_has_stages_and_steps(picture: Picture) -> None:
    sections = {entry.name: entry for entry in outline(picture, MAIN)}
    assert [entry.name for entry in sections["roles"].children] == ["ann", "bob", "chair"]
    assert sections["stages"].children[0].name == "S"
    assert outline(picture, "../x.yaml") == outline(picture, "prompts/zh/system.j2") == ()


# ---- bad input -------------------------------------------------------------------------------------------------------


def everything(picture: Picture, cursor: Cursor) -> None:
    """Every question, none of which may raise."""
    diagnostics(picture, MAIN)
    diagnostics_of(picture, cursor.path)
    completion(picture, cursor)
    hover(picture, cursor)
    references(picture, cursor)
    renamed(picture, cursor, "other")
    outline(picture, cursor.path)
    edits_of(picture, cursor.path)


@settings(max_examples=60, deadline=None, derandomize=True)
@given(st.integers(0, len(DEMO)), st.integers(0, 40), st.text(max_size=12))
def test_any_text_has_an_answer(start: int, length: int, new: str) -> None:
    text = DEMO[:start] + new + DEMO[start + length :]
    picture = Picture.of({MAIN: text, PART: TALK})
    before = text[: start + len(new)]
    everything(picture, Cursor(MAIN, before.count("\n") + 1, len(before.rpartition("\n")[2]) + 1))


@pytest.mark.parametrize(
    "text",
    [
        *("\0\1\2\udc80", "x" * (1 << 21), "a: " + "[" * 2000, "- " * 5000 + "x", "&a [*a, *a]", "%YAML 9\n---\n- a"),
        *("include: demo.yaml\n" + DEMO, "extends: demo\n" + DEMO, "lw: 1\nprocedure: x\ninclude: ../../etc/passwd\n"),
        *("procedure:\n", "procedure: [x]\n", "stages: {a: b}\nprocedure: demo", '"procedure": demo\nkinds: x'),
    ],
)
def test_strange_files_have_an_answer(text: str) -> None:
    everything(Picture.of({MAIN: text, PART: TALK}), Cursor(MAIN, 2, 3))


def test_truncated_shipped_files_have_an_answer() -> None:
    """A file of the project that ends anywhere; no path outside of the project is asked for."""
    asked: list[str] = []

    class Guarded:
        def __init__(self) -> None:
            self.inner = Snapshot(Disk(ROOT))

        def read(self, path: str) -> str | None:
            asked.append(path)
            return self.inner.read(path)

        def names(self, folder: str) -> tuple[str, ...]:
            return tuple(name for name in self.inner.names(folder) if folder != "specs" or "bargain" in name)

    draw = random.Random(8)
    picture = Picture(Guarded())
    text = picture.read("specs/bargain.yaml") or ""
    for _ in range(25):
        end = draw.randrange(len(text))
        cut = picture.replaced("specs/bargain.yaml", text[:end])
        line = text[:end].count("\n") + 1
        everything(cut, Cursor("specs/bargain.yaml", line, len(text[:end].rpartition("\n")[2]) + 1))
        diagnostics(cut, "specs/bargain.yaml")
    assert [path for path in asked if ".." in path or path.startswith("/")] == []
