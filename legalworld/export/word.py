"""Word documents: paragraphs in named styles, tables, page numbers. The same input gives the same bytes.

python-docx is imported here and when it is needed, not before.
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from ..files import regular
from ..files.packed import office_file
from ..files.spreadsheet import repacked
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from .layout import Layout, Paragraph, Style

_HOLE = re.compile(r"\{(page|pages)\}")
_RULER = re.compile(r"^\|[\s:|-]+\|$")
LATIN = "Times New Roman"
POINT = 2.54 / 72  # centimetres
SIGN = 12 * POINT  # the width of a Chinese character where no style says it
CELL_MARGINS = 0.42  # centimetres, of both sides together


def blank(layout: Layout, template: Path | None = None) -> bytes | Diagnostic:
    """A document without a word; `template` is a lawyer's own, whose styles count instead of the layout's.

    Raises OSError.
    """
    made = _opened(template) if template is not None else _styled(layout)
    return made if isinstance(made, Diagnostic) else _bytes(made)


def document(paragraphs: Sequence[Paragraph], layout: Layout, empty: bytes) -> bytes:
    """A .docx file, from one without a word."""
    import docx

    made = docx.Document(office_file(empty))
    used = {style for style, _ in paragraphs} - {"table"}
    ids = {style: _style_id(made, layout.styles[style].name) for style in used}
    for (style, text), following in zip_longest(paragraphs, paragraphs[1:]):
        if style == "table":
            _table(made, text, layout)
            continue
        paragraph = made.add_paragraph(text)
        if ids[style] is not None:
            paragraph._p.style = ids[style]
        if following is not None and layout.styles[following[0]].align == "right":
            paragraph.paragraph_format.keep_with_next = True  # who signed, and the day, stand on the page of the text
    return repacked(made.save)


def template(layout: Layout) -> bytes:
    """An empty document with all styles of the layout, each shown by its own name, to be restyled in Word."""
    made = _styled(layout)
    for style in layout.styles.values():
        made.add_paragraph(style.name, style=style.name)
    return repacked(made.save)


def _word_file(data: bytes) -> Any:
    """A .docx file, opened. Raises ValueError for what is none."""
    import docx

    file = office_file(data)
    try:
        return docx.Document(file)
    except Exception as error:  # a zip of anything: python-docx raises what its parts raise
        raise ValueError(str(error)[:200]) from None


def _opened(template: Path) -> Any:
    try:
        opened = _word_file(regular.content(template))
    except ValueError as error:
        return diagnose.invalid_word_file(str(template), path=str(template), detail=str(error)[:120])
    body = opened.element.body
    for element in [each for each in body if not each.tag.endswith("}sectPr")]:
        body.remove(element)
    return opened


def _named(made: Any, name: str) -> Any:
    """A style by its name; the default one where the lawyer's template has lost it."""
    return made.styles[name] if name in made.styles else None  # noqa: SIM401 - styles have no get


def _bytes(made: Any) -> bytes:
    written = io.BytesIO()
    made.save(written)
    return written.getvalue()


def _style_id(made: Any, name: str) -> str | None:
    """What the paragraphs of a style bear; None for the default one. python-docx looks through all styles for it."""
    from docx.enum.style import WD_STYLE_TYPE

    style_id: str | None = made.part.get_style_id(_named(made, name), WD_STYLE_TYPE.PARAGRAPH)
    return style_id


# ---- styles and pages ------------------------------------------------------------------------------------------------


def _styled(layout: Layout) -> Any:
    import docx
    from docx.shared import Cm

    made = docx.Document()
    section, page = made.sections[0], layout.page
    section.page_width, section.page_height = Cm(page["width"]), Cm(page["height"])
    section.top_margin, section.bottom_margin = Cm(page["top"]), Cm(page["bottom"])
    section.left_margin, section.right_margin = Cm(page["left"]), Cm(page["right"])
    for style in layout.styles.values():
        _style(made, style)
    if layout.footer:
        _footer(section.footer.paragraphs[0], layout.footer)
    made.core_properties.author = ""
    made.core_properties.comments = ""
    return made


def _style(made: Any, style: Style) -> None:
    from docx.enum.style import WD_STYLE_TYPE
    from docx.enum.text import WD_ALIGN_PARAGRAPH, WD_LINE_SPACING
    from docx.oxml.ns import qn
    from docx.shared import Pt, RGBColor

    added = made.styles.add_style(style.name, WD_STYLE_TYPE.PARAGRAPH)
    added.quick_style = True
    font, shape = added.font, added.paragraph_format
    font.name, font.size, font.bold = LATIN, Pt(style.size), style.bold
    added.element.rPr.rFonts.set(qn("w:eastAsia"), style.font)
    if style.color:
        font.color.rgb = RGBColor.from_string(style.color)
    aligned = {"left": "LEFT", "center": "CENTER", "right": "RIGHT", "justify": "JUSTIFY"}
    shape.alignment = getattr(WD_ALIGN_PARAGRAPH, aligned.get(style.align, "LEFT"))
    shape.first_line_indent = Pt(style.indent * style.size)
    shape.right_indent = Pt(style.margin * style.size)
    shape.space_before, shape.space_after = Pt(style.before), Pt(style.after)
    if style.line:
        shape.line_spacing_rule, shape.line_spacing = WD_LINE_SPACING.EXACTLY, Pt(style.line)


def _footer(paragraph: Any, text: str) -> None:
    """Page numbers, counted by Word."""
    from docx.enum.text import WD_ALIGN_PARAGRAPH

    paragraph.alignment = WD_ALIGN_PARAGRAPH.CENTER
    at = 0
    for hole in _HOLE.finditer(text):
        paragraph.add_run(text[at : hole.start()])
        _counted(paragraph.add_run(), "PAGE" if hole[1] == "page" else "NUMPAGES")
        at = hole.end()
    paragraph.add_run(text[at:])


def _counted(run: Any, name: str) -> None:
    from docx.oxml import OxmlElement
    from docx.oxml.ns import qn

    for kind in ("begin", "", "end"):
        element = OxmlElement("w:fldChar" if kind else "w:instrText")
        if kind:
            element.set(qn("w:fldCharType"), kind)
        else:
            element.text = name
        run._r.append(element)


def _table(made: Any, text: str, layout: Layout) -> None:
    """A table of Markdown rows."""
    rows = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in text.splitlines()
        if not _RULER.match(line)
    ]
    from docx.shared import Cm

    wide = max(map(len, rows), default=0)
    if not wide:
        return
    table = made.add_table(rows=0, cols=wide, style="Table Grid" if "Table Grid" in made.styles else None)
    style = _named(made, layout.styles["table"].name) if "table" in layout.styles else None
    table.autofit = False
    room = layout.page["width"] - layout.page["left"] - layout.page["right"]
    sign = layout.styles["table"].size * POINT if "table" in layout.styles else SIGN
    widths = _widths(rows, wide, room, sign)
    for column, width in zip(table.columns, widths, strict=True):
        column.width = Cm(width)
    for row in rows:
        cells = table.add_row().cells
        for cell, width in zip(cells, widths, strict=True):
            cell.width = Cm(width)
        for cell, word in zip(cells, row + [""] * (wide - len(row)), strict=True):
            cell.paragraphs[0].style = style
            cell.paragraphs[0].add_run(word)


def _widths(rows: Sequence[Sequence[str]], wide: int, room: float, sign: float) -> list[float]:
    """How wide each column is, in centimetres: a short word (种类, 电子数据) stands in one line where there is room for
    it, the rest goes to the columns by their longest cells. `sign`: the width of one Chinese character."""
    longest = [max((len(row[at]) for row in rows if at < len(row)), default=1) for at in range(wide)]
    least = [sign * min(length, 4) + CELL_MARGINS for length in longest]
    if sum(least) > room:
        return [room * one / sum(least) for one in least]
    more = [max(min(length, 24) - 4, 0) for length in longest]
    left = room - sum(least)
    return [one + left * (share / sum(more) if any(more) else 1 / wide) for one, share in zip(least, more, strict=True)]


# ---- PDF -------------------------------------------------------------------------------------------------------------


def pdf(files: Sequence[Path], folder: Path) -> Diagnostic | None:
    """The files as PDF in a folder, by LibreOffice where it is present."""
    import subprocess
    from shutil import which
    from tempfile import TemporaryDirectory

    program = which("soffice") or which("libreoffice")
    if program is None:
        return diagnose.missing_libreoffice("--format")
    with TemporaryDirectory() as profile:
        command = [program, f"-env:UserInstallation=file://{profile}", "--headless", "--convert-to", "pdf"]
        try:
            done = subprocess.run(
                [*command, "--outdir", str(folder), *map(str, files)], capture_output=True, timeout=180, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return diagnose.failed_pdf_conversion("--format", detail=str(error)[:200])
    made = [folder / f"{file.stem}.pdf" for file in files]
    if done.returncode or not all(path.exists() for path in made):
        words = (done.stderr or done.stdout).decode(errors="replace").strip()
        return diagnose.failed_pdf_conversion("--format", detail=words[:200])
    return None
