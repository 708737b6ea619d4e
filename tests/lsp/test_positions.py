"""Positions as editors count them: whatever a text holds, and however the editor counts."""

from __future__ import annotations

import pytest
from editor import position
from hypothesis import given, settings
from hypothesis import strategies as st
from lsprotocol import types

from legalworld.authoring.edits import LINE_END, Region
from legalworld.lsp.positions import UNITS, Ruler

TEXTS = st.text(st.sampled_from("ab 审判：é\u2028\x0b\u0085😀𠮷\r\n\n\t\u200d"), max_size=40)
PIECES = st.text(st.sampled_from("x长😀\r\n"), max_size=6)


def units(text: str, encoding: str) -> int:
    """Counted the long way: a lone half of a pair cannot occur here."""
    return (
        len(text.encode(f"{encoding}-le" if encoding != "utf-8" else encoding))
        // {"16": 2, "32": 4, "-8": 1}[encoding[-2:]]
    )


def place(text: str, offset: int, encoding: str) -> types.Position:
    """Where an offset stands: the long way too. One between `\\r` and `\\n` is the end of the line."""
    lines, start = 0, 0
    for end in LINE_END.finditer(text):
        if end.end() <= offset:
            lines, start = lines + 1, end.end()
    return types.Position(lines, units(text[start:offset], encoding))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(TEXTS, st.sampled_from([*UNITS]), st.booleans())
def test_every_offset_has_a_position_and_leads_back(text: str, encoding: str, mark: bool) -> None:
    text = "\ufeff" * mark + text
    ruler = Ruler(text, encoding)
    for offset in range(len(text) + 1):
        if text[offset - 1 : offset + 1] == "\r\n" and offset:
            continue
        there = place(text, offset, encoding)
        assert ruler.offset(there) == offset
        cursor = ruler.cursor("f", there)
        if offset or not mark:
            assert ruler.position(cursor.line, cursor.column) == there


@settings(max_examples=300, deadline=None, derandomize=True)
@given(TEXTS, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), PIECES), max_size=6))
def test_edits_of_an_editor_are_made_where_it_makes_them(text: str, edits: list[tuple[int, int, str]]) -> None:
    """The editor's text and ours are one after each edit, in UTF-16."""
    for first, second, new in edits:
        start, end = sorted((min(first, len(text)), min(second, len(text))))
        if any(text[at - 1 : at + 1] == "\r\n" and at for at in (start, end)):
            continue
        ruler = Ruler(text)
        made = ruler.changed(types.Range(place(text, start, "utf-16"), place(text, end, "utf-16")), new)
        text = text[:start] + new + text[end:]
        assert made == text


@pytest.mark.parametrize("line", [-5, 0, 3, 1 << 40])
@pytest.mark.parametrize("character", [-5, 0, 2, 1 << 40])
def test_a_position_outside_of_the_text_means_its_nearest_end(line: int, character: int) -> None:
    ruler = Ruler("审😀\nb")

    class Strange:
        pass

    strange = Strange()
    strange.line, strange.character = line, character  # type: ignore[attr-defined]
    assert 0 <= ruler.offset(strange) <= 4  # type: ignore[arg-type]
    cursor = ruler.cursor("f", strange)  # type: ignore[arg-type]
    assert 1 <= cursor.line <= 2


def test_half_of_a_pair_is_the_place_before_it() -> None:
    ruler = Ruler("a😀b")
    assert [ruler.offset(types.Position(0, at)) for at in range(6)] == [0, 1, 1, 2, 3, 3]


def test_a_region_of_several_lines_has_its_range() -> None:
    ruler = Ruler("\ufeff一😀\r\n二\r三")
    assert ruler.range(Region("f", (1, 2), (3, 2))) == types.Range(types.Position(0, 2), types.Position(2, 1))
    assert position("\ufeff一😀\r\n二\r三", 8) == types.Position(2, 1)
