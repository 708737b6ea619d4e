"""The protocol of a procedure: every step, every open cell and every end stands in it once, in both languages."""

from __future__ import annotations

import io
import re
import zipfile
from functools import cache

import docx
import pytest
from places import ROOT
from playing import project

from legalworld.authoring.protocol import Protocol, protocol
from legalworld.authoring.protocol_page import page
from legalworld.model.plan import walk
from legalworld.model.procedure import Procedure, all_steps, places
from legalworld.model.steps.end import End
from legalworld.publication.page import Lines, PublishedPage, rendered
from legalworld.publication.page_files import markdown_page, word_page
from legalworld.publication.tables import PublishedTable
from legalworld.wording import sentences

SPECS = sorted(
    str(path.relative_to(ROOT / "specs").with_suffix(""))
    for path in (ROOT / "specs").rglob("*.yaml")
    if "procedure:" in path.read_text("utf-8") and path.parent.name != "parts"
)
both = pytest.mark.parametrize("language", ["zh", "en"])
shipped = pytest.mark.parametrize("spec", SPECS)


def procedure_of(spec: str) -> Procedure:
    procedure = project(spec).procedure
    assert procedure is not None
    return procedure


@cache
def told(spec: str, language: str) -> Protocol:
    return protocol(procedure_of(spec), language, sentences("protocol", language))


@cache
def page_of(spec: str, language: str) -> PublishedPage:
    return page(told(spec, language), "0")


def tables(spec: str, language: str, name: str) -> list[PublishedTable]:
    return [table for table in page_of(spec, language).tables if table.name == name]


@both
@shipped
def test_every_step_is_one_numbered_line_and_every_line_one_row(spec: str, language: str) -> None:
    found, procedure = told(spec, language), procedure_of(spec)
    assert [id(line.step) for line in found.lines] == [id(step) for step in all_steps(procedure)]
    numbers = [line.number for line in found.lines]
    assert len(set(numbers)) == len(numbers)
    rows = [row for table in tables(spec, language, "steps") for row in table.rows]
    assert [row[0].text for row in rows] == numbers
    written = {place.replace("//", "/") for place, _ in places(procedure)}
    events = {step.info.id for event in procedure.interruptions for step in walk(event.steps)}
    assert all(line.place in written or line.place in events for line in found.lines)


@both
@shipped
def test_what_comes_next_is_a_step_an_end_or_a_stage_that_there_is(spec: str, language: str) -> None:
    found = told(spec, language)
    numbers = {line.number for line in found.lines}
    ends = {row[0].text for table in tables(spec, language, "ends") for row in table.rows}
    for line in found.lines:
        assert line.next, line.number
        named = re.findall(r"[EC]?\d+(?:\.\d+)?", line.next)
        for one in named:
            stage = one.isdigit() and int(one) <= len(procedure_of(spec).stages)
            assert one in numbers or one in ends or stage, (line.number, line.next)


@both
@shipped
def test_every_open_cell_of_the_matrix_is_in_the_table_and_no_other(spec: str, language: str) -> None:
    found, procedure = told(spec, language), procedure_of(spec)
    cells = [cell.grant for row in found.matrix.rows for cell in row.cells]
    assert {id(grant) for grant in cells} == {id(grant) for grant in procedure.grants}
    assert len(cells) == len(procedure.grants)
    if not cells:
        return
    (table,) = tables(spec, language, "sight")
    open_ = {
        (row.title, number, letter)
        for row in found.matrix.rows
        for number, stage in enumerate(procedure.stages)
        for letter in (cell.letter for cell in row.cells if cell.stage == stage.id)
    }
    shown = {
        (row[0].text, number, letter)
        for row in table.rows
        for number, cell in enumerate(row[1:])
        for letter in re.findall(r"[^\W\d_]+", re.sub("[⁰¹²³⁴⁵⁶⁷⁸⁹˒]", " ", cell.text))
    }
    assert shown == open_


@both
@shipped
def test_every_restriction_of_a_cell_has_its_footnote(spec: str, language: str) -> None:
    found, procedure = told(spec, language), procedure_of(spec)
    notes = [
        text
        for section in page_of(spec, language).sections
        for block in section.blocks
        if isinstance(block, Lines)
        for text in block.texts
    ]
    for row in found.matrix.rows:
        for cell in row.cells:
            sides = any(role.side for role in procedure.roles.values() if role.kind == cell.kind)
            wanted = bool(cell.grant.condition) + bool(cell.grant.after and sides) + cell.grant.full
            assert len(cell.notes) == wanted
            assert all(any(text.endswith(found.matrix.notes[n - 1]) for text in notes) for n in cell.notes)


@both
@shipped
def test_every_end_of_a_case_is_reached_by_a_line(spec: str, language: str) -> None:
    found, procedure = told(spec, language), procedure_of(spec)
    ending = [line for line in found.lines if isinstance(line.step, End) and line.step.what == "case"]
    rows = [row for table in tables(spec, language, "ends") for row in table.rows]
    assert sorted(line.number for line in ending) == sorted(row[2].text for row in rows if row[2].text != "–")
    assert len(ending) == sum(isinstance(step, End) and step.what == "case" for step in all_steps(procedure))


@both
@shipped
def test_no_phrase_is_missing_and_no_hole_is_left(spec: str, language: str) -> None:
    text = markdown_page(page_of(spec, language))
    holes = set(re.findall(r"\{[a-z]\w*\}", text))
    own = "".join(step.info.cue for step in all_steps(procedure_of(spec)))
    assert all(hole in own for hole in holes), holes
    for cell in (cell.text for table in page_of(spec, language).tables for row in table.rows for cell in row):
        assert "None" not in cell and "RoleHolders" not in cell


def test_a_protocol_is_the_same_at_any_time_in_every_form() -> None:
    made = [protocol(procedure_of("civil"), "zh", sentences("protocol", "zh")) for _ in range(2)]
    first, again = (page(one, "0") for one in made)
    assert markdown_page(first) == markdown_page(again)
    assert rendered(first, "zh") == rendered(again, "zh")
    data = word_page(first)
    assert data == word_page(again)
    document = zipfile.ZipFile(io.BytesIO(data)).read("word/document.xml").decode()
    for line in made[0].lines:
        assert f">{line.number}<" in document


@both
@shipped
def test_no_head_of_a_table_in_word_is_broken_within_a_word(spec: str, language: str) -> None:
    """Bold letters of 9 points take some 0.2 cm; heads and the sentences before them stay with their tables."""
    document = docx.Document(io.BytesIO(word_page(page_of(spec, language))))
    for table in document.tables:
        for cell in table.rows[0].cells:
            longest = max((len(word) for word in re.findall(r"[^\s\u2e80-\uffff]+", cell.text)), default=0)
            assert cell.width is not None and cell.width.cm >= 0.18 * longest + 0.4, cell.text
            assert cell.paragraphs[0].paragraph_format.keep_with_next
        assert sum(cell.width.cm for cell in table.rows[0].cells if cell.width) < 26.2


def test_labels_stay_as_the_spec_has_them_in_either_language() -> None:
    for spec in ("civil", "bargain"):
        for step in all_steps(procedure_of(spec)):
            if step.turn_slots and step.info.cue:
                for language in ("zh", "en"):
                    assert any(step.info.cue in line.what for line in told(spec, language).lines)
