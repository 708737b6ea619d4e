"""A published page as Markdown and as a Word document: the same headings, sentences, tables; the same bytes each time.

Charts and what is listed by the page's script are of the web alone and not written here. python-docx is imported where
it is needed, not before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, Final

from ..files.spreadsheet import repacked
from ..model.immutable import replace
from ..wording.columns import width
from .chart_parts import plain
from .page import Charts, Facts, Lines, PageBlock, PublishedPage
from .tables import PublishedTable, markdown, markdown_text

_PAGE: Final = (29.7, 21.0, 1.8)  # centimetres: width, height, margins
_SIGN: Final = 0.17  # centimetres that a column of a terminal takes in a table
_BOLD: Final = 0.2  # the same, of a letter in a head
_UNBROKEN: Final = re.compile(r"[^\s\u2e80-\uffff]+")  # what a line of a head is not broken in
_LEAST: Final = 5  # columns of a terminal
_MOST: Final = 60  # the same; longer texts are broken
_FONTS: Final = ("Times New Roman", "SimSun")  # of Latin and of Chinese text
_GREY: Final = "E7E9EC"


def markdown_page(page: PublishedPage) -> str:
    """The page as Markdown; every character that means something there is escaped."""
    return "\n".join(_markdown(page)).rstrip("\n") + "\n"


def _markdown(page: PublishedPage) -> Iterator[str]:
    yield from (f"# {markdown_text(page.title)}", "", markdown_text(page.subtitle), "")
    for section in page.sections:
        yield from (f"## {markdown_text(section.title)}", "")
        for block in section.blocks:
            yield from _block(block)


def _block(block: PageBlock) -> Iterator[str]:
    match block:
        case Facts(rows):
            yield from (f"- **{markdown_text(name)}** {markdown_text(value)}" for name, value in rows)
            yield ""
        case Lines(texts, warn, title):
            yield from (f"### {markdown_text(title)}", "") if title else ()
            for text in texts:
                told = markdown_text(text)
                yield from (f"**{told}**" if warn else told, "")
        case PublishedTable():
            yield from (f"### {markdown_text(block.title)}", "") if block.title else ()
            yield markdown([replace(block, title="")])
        case Charts():
            return


# ---- Word ------------------------------------------------------------------------------------------------------------


def word_page(page: PublishedPage) -> bytes:
    """The page as a .docx file: A4 across, headings that Word's outline knows, heads of tables on each sheet."""
    import docx

    made = docx.Document()
    _styled(made)
    made.add_paragraph(plain(page.title), style="Title")
    made.add_paragraph(plain(page.subtitle))
    widths = _widths_of(page.tables)
    for section in page.sections:
        made.add_heading(plain(section.title), level=1)
        for block, after in zip_longest(section.blocks, section.blocks[1:]):
            first = len(made.paragraphs)
            _written(made, block, widths)
            if isinstance(block, Lines) and isinstance(after, PublishedTable):
                for paragraph in made.paragraphs[first:]:
                    paragraph.paragraph_format.keep_with_next = True
    return repacked(made.save)


def _styled(made: Any) -> None:
    from docx.enum.section import WD_ORIENT
    from docx.oxml.ns import qn
    from docx.shared import Cm, Pt, RGBColor

    sheet = made.sections[0]
    sheet.orientation = WD_ORIENT.LANDSCAPE
    sheet.page_width, sheet.page_height = Cm(_PAGE[0]), Cm(_PAGE[1])
    sheet.left_margin = sheet.right_margin = sheet.top_margin = sheet.bottom_margin = Cm(_PAGE[2])
    for name, size in (("Normal", 10), ("Title", 18), ("Heading 1", 14), ("Heading 2", 11), ("List Bullet", 10)):
        style = made.styles[name]
        style.font.name, style.font.size = _FONTS[0], Pt(size)
        fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
        for key in ("w:asciiTheme", "w:hAnsiTheme", "w:eastAsiaTheme", "w:cstheme"):  # a theme would go before
            fonts.attrib.pop(qn(key), None)
        fonts.set(qn("w:eastAsia"), _FONTS[1])
        style.font.color.rgb = RGBColor(0, 0, 0)
        style.paragraph_format.space_after = Pt(4)
    made.core_properties.author = made.core_properties.comments = ""
    made.core_properties.title = ""


_Heads = tuple[str, ...]


def _written(made: Any, block: PageBlock, widths: Mapping[_Heads, Sequence[float]]) -> None:
    match block:
        case Facts(rows):
            for name, value in rows:
                paragraph = made.add_paragraph(style="List Bullet")
                paragraph.add_run(f"{plain(name)} ").bold = True
                paragraph.add_run(plain(value))
        case Lines(texts, warn, title):
            if title:
                made.add_heading(plain(title), level=2)
            for text in texts:
                made.add_paragraph().add_run(plain(text)).bold = warn
        case PublishedTable():
            if block.title:
                made.add_heading(plain(block.title), level=2)
            _table(made, block, widths[_heads(block)])
        case Charts():
            return


def _table(made: Any, table: PublishedTable, widths: Sequence[float]) -> None:
    """A table with a head that is repeated, columns as wide as they need, and rows that no page break cuts."""
    from docx.shared import Cm

    heads = _heads(table)
    grid = made.add_table(rows=0, cols=len(heads), style="Table Grid")
    grid.autofit = False
    for column, wide in zip(grid.columns, widths, strict=True):
        column.width = Cm(wide)
    _row(grid, heads, widths, head=True)
    for row in table.rows:
        _row(grid, [plain(cell.text) for cell in row], widths)
    made.add_paragraph(plain(table.legend))


def _heads(table: PublishedTable) -> _Heads:
    return (table.corner, *(text for head in table.heads for text in head.texts))


def _widths_of(tables: Iterable[PublishedTable]) -> dict[_Heads, list[float]]:
    """Heads of a table -> how wide its columns are; tables with the same heads stand one below the other."""
    rows: dict[_Heads, list[Sequence[str]]] = {}
    for table in tables:
        found = rows.setdefault(_heads(table), [_heads(table)])
        found += [[plain(cell.text) for cell in row] for row in table.rows]
    return {heads: _widths(found) for heads, found in rows.items()}


def _row(grid: Any, texts: Sequence[str], widths: Sequence[float], *, head: bool = False) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn
    from docx.shared import Cm, Pt

    row = grid.add_row()
    kept = ["w:cantSplit", *(["w:tblHeader"] if head else [])]
    for name in kept:
        row._tr.get_or_add_trPr().append(OxmlElement(name))
    for cell, text, wide in zip(row.cells, texts, widths, strict=True):
        cell.width = Cm(wide)
        run = cell.paragraphs[0].add_run(text)
        run.bold, run.font.size = head, Pt(9)
        shape = cell.paragraphs[0].paragraph_format
        shape.space_before = shape.space_after = Pt(2)
        shape.keep_with_next = head
        if head:
            shade = OxmlElement("w:shd")
            shade.set(qn("w:val"), "clear")
            shade.set(qn("w:fill"), _GREY)
            cell._tc.get_or_add_tcPr().append(shade)


def _widths(rows: Sequence[Sequence[str]]) -> list[float]:
    """The columns of a table in centimetres, together as wide as the page: by the mean length of their texts."""
    room = _PAGE[0] - 2 * _PAGE[2]
    needs = [min(max(max(map(width, column)), _LEAST), _MOST) for column in zip(*rows, strict=True)]
    heads = [max(map(len, _UNBROKEN.findall(text)), default=0) for text in rows[0]]
    least = [max(_SIGN * min(need, 9) + 0.45, _BOLD * head + 0.5) for need, head in zip(needs, heads, strict=True)]
    long = [sum(min(width(text), 4 * _MOST) for text in column) / len(column) for column in zip(*rows, strict=True)]
    left, more = room - sum(least), [mean if need > 9 else 0 for mean, need in zip(long, needs, strict=True)]
    if left <= 0:
        return [room * one / sum(least) for one in least]
    return [
        one + left * (share / sum(more) if any(more) else 1 / len(needs))
        for one, share in zip(least, more, strict=True)
    ]
