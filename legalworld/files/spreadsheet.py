"""Sheets for people: written as .xlsx or CSV, and read back as Excel or WPS saved them, in UTF-8 or GBK.

openpyxl is imported here and when it is needed, not before.
"""

from __future__ import annotations

import csv
import datetime
import io
import math
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from ..language import diagnose
from ..language.charset import GBK, decoded
from ..language.yaml.characters import unreadable_text
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from ..model.text import clean
from ..wording.columns import visible
from . import regular
from .delimited import BadTable, rows_of
from .packed import OFFICE, Bounds, UnsafePackage, office_file
from .project_files import unreadable

LARGEST: Final = 20 << 20  # bytes of a file; ten times as much unpacked
MOST_ROWS: Final = 100_000
MOST_COLUMNS: Final = 100
LONGEST_CELL: Final = 1 << 17  # characters
SUFFIXES: Final = (".xlsx", ".xlsm", ".csv", ".txt")
_WHEN: Final = (2000, 1, 1, 0, 0, 0)  # no clock in a sheet
_STAMP: Final = re.compile(rb"(<dcterms:(?:created|modified)[^>]*>)[^<]*(<)")
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_RUNS: Final = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would take for a formula


@immutable
class Link:
    """A cell that leads to a file beside the sheet."""

    text: str
    target: str


@immutable
class SheetColumn:
    """`width` in characters; `open`: to be filled in."""

    head: str
    width: float
    open: bool = False


@immutable
class Choice:
    """What a cell may hold: one of some words, or a number between two. `error`: what the spreadsheet says."""

    words: tuple[str, ...]
    lowest: float
    highest: float
    whole: bool
    error: str


@immutable
class Sheet:
    """`notes` stand above the table. `choices`: one per row, for the column `rated`. `breaks`: rows (from 0) above
    which there is a thick line."""

    name: str
    title: str
    notes: tuple[str, ...]
    columns: tuple[SheetColumn, ...]
    rows: tuple[tuple[str | Link, ...], ...]
    rated: int
    choices: tuple[Choice, ...]
    breaks: frozenset[int] = frozenset()


@immutable
class Grid:
    """A table as read. `place`: file and sheet, for messages; `rows`: number in the file (from 1) and cells."""

    place: str
    rows: tuple[tuple[int, tuple[str, ...]], ...]


@immutable
class ReadSheets:
    """The tables of a file, and what is to be said of it."""

    grids: tuple[Grid, ...]
    problems: tuple[Diagnostic, ...] = ()


# ---- writing ---------------------------------------------------------------------------------------------------------


def comma(sheet: Sheet) -> bytes:
    """CSV that Excel opens as it is: UTF-8 with its mark, the table alone."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([column.head for column in sheet.columns])
    for row in sheet.rows:
        writer.writerow([harmless(cell.target if isinstance(cell, Link) else cell) for cell in row])
    return out.getvalue().encode("utf-8-sig")


def csv_text(rows: Iterable[Mapping[str, Any]]) -> str:
    """A line for each row under the keys of the first, with no cell that a spreadsheet takes for a formula; "" where
    there is no row."""
    return "".join(csv_lines(rows))


def csv_lines(rows: Iterable[Mapping[str, Any]], *, headed: bool = True) -> Iterator[str]:
    """Yield the lines of `csv_text` as the rows come, and keep none of them; `headed`: the keys go before them."""
    names: list[str] = []
    for row in rows:
        out = io.StringIO()
        writer = csv.DictWriter(out, names or list(row), lineterminator="\n")
        if not names:
            names = list(row)
            if headed:
                writer.writeheader()
        writer.writerow({name: harmless(value) for name, value in row.items()})
        yield out.getvalue()


def harmless(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula, and in which nothing is that a terminal obeys or nobody sees."""
    if not isinstance(value, str):
        return value
    text = "\n".join(map(visible, clean(value).split("\n")))
    return f"'{text}" if text.startswith(_RUNS) else text


def workbook(sheet: Sheet) -> bytes:
    """An .xlsx file: fixed head, wrapped text, a list or a range to choose from; only what is to be filled in is open.

    The same sheet gives the same bytes.
    """
    from openpyxl import Workbook

    book = Workbook()
    page = book.active
    page.title = sheet.name
    _styles(page, sheet)
    top = _heading(page, sheet)
    for index, row in enumerate(sheet.rows):
        number = top + 1 + index
        for place, cell in enumerate(row, 1):
            _cell(page.cell(number, place), cell, sheet.columns[place - 1], index in sheet.breaks)
        page.row_dimensions[number].height = _height(row, sheet.columns)
    _choices(page, sheet, top)
    page.freeze_panes = page.cell(top + 1, 1)
    page.protection.enable()  # without a password: against slips, not against people
    page.protection.formatColumns = page.protection.formatRows = page.protection.formatCells = False
    return _packed(book)


def _styles(page: Any, sheet: Sheet) -> None:
    from openpyxl.utils import get_column_letter

    for place, column in enumerate(sheet.columns, 1):
        page.column_dimensions[get_column_letter(place)].width = column.width
    page.page_setup.orientation = "landscape"
    page.page_setup.paperSize = page.PAPERSIZE_A4
    page.page_setup.fitToHeight = 0
    page.sheet_properties.pageSetUpPr.fitToPage = True
    page.sheet_view.showGridLines = False
    page.page_margins.left = page.page_margins.right = 0.4  # inches
    page.page_margins.top = page.page_margins.bottom = 0.5


def _heading(page: Any, sheet: Sheet) -> int:
    """Title, notes, heads of the columns; the number of the row with the heads."""
    from openpyxl.styles import Alignment, Font, PatternFill

    wide = sum(column.width for column in sheet.columns)
    for number, text in enumerate((sheet.title, *sheet.notes), 1):
        page.merge_cells(start_row=number, start_column=1, end_row=number, end_column=len(sheet.columns))
        cell = page.cell(number, 1)
        _text(cell, text)
        cell.font = Font(size=14, bold=True) if number == 1 else Font(size=10.5)
        cell.alignment = Alignment(wrap_text=True, vertical="center")
        page.row_dimensions[number].height = 30 if number == 1 else 16 * max(1, -(-2 * len(text) // int(wide * 0.9)))
    top = 2 + len(sheet.notes)
    for place, column in enumerate(sheet.columns, 1):
        cell = page.cell(top, place)
        _text(cell, column.head)
        cell.font = Font(bold=True, color="FFFFFF")
        cell.fill = PatternFill("solid", fgColor="9A5B13" if column.open else "2F4B66")
        cell.alignment = Alignment(horizontal="center", vertical="center", wrap_text=True)
        cell.border = _border()
    page.row_dimensions[top].height = 24
    page.print_title_rows = f"{top}:{top}"
    return top


def _height(row: Sequence[str | Link], columns: Sequence[SheetColumn]) -> float:
    """Points for the tallest cell: not every program reckons it when it opens a file."""
    from ..wording.columns import width

    lines = 1
    for cell, column in zip(row, columns, strict=True):
        words = cell.text if isinstance(cell, Link) else cell
        room = max(column.width - 1.5, 1)
        lines = max(lines, sum(max(1, math.ceil(width(line) / room)) for line in words.split("\n")))
    return min(6 + 14.5 * lines, 400.0)


def _cell(cell: Any, value: str | Link, column: SheetColumn, first: bool) -> None:
    from openpyxl.styles import Alignment, Font, PatternFill, Protection

    _text(cell, value.text if isinstance(value, Link) else value)
    cell.alignment = Alignment(wrap_text=True, vertical="top")
    cell.border = _border("medium" if first else "thin")
    cell.font = Font(size=10.5)
    if isinstance(value, Link):
        cell.hyperlink = value.target
        cell.font = Font(size=10.5, color="1F5FA8", underline="single")
    if column.open:
        cell.protection = Protection(locked=False)
        cell.fill = PatternFill("solid", fgColor="FFF6E5")
        cell.alignment = Alignment(
            wrap_text=True, vertical="center", horizontal="left" if column.width > 12 else "center"
        )


def _border(top: str = "thin") -> Any:
    from openpyxl.styles import Border, Side

    line = Side(style="thin", color="C9D1D9")
    over = line if top == "thin" else Side(style=top, color="2F4B66")
    return Border(left=line, right=line, top=over, bottom=line)


def _text(cell: Any, text: str) -> None:
    """Text and never a formula."""
    cell.value = _CONTROL.sub("", text)[:32_000]
    if text:
        cell.data_type = "s"


def _choices(page: Any, sheet: Sheet, top: int) -> None:
    """What may be entered, told by the spreadsheet itself; one rule for all rows that have the same."""
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.datavalidation import DataValidation

    letter = get_column_letter(sheet.rated + 1)
    rules: dict[Choice, Any] = {}
    for number, bound in enumerate(sheet.choices, top + 1):
        if bound not in rules:
            listed = {"type": "list", "formula1": '"' + ",".join(bound.words) + '"'}
            kind = "whole" if bound.whole else "decimal"
            ranged = {
                "type": kind,
                "operator": "between",
                "formula1": f"{bound.lowest:g}",
                "formula2": f"{bound.highest:g}",
            }
            rule = DataValidation(**(listed if bound.words else ranged), allow_blank=True, showErrorMessage=True)
            rule.error = bound.error
            rules[bound] = rule
            page.add_data_validation(rule)
        rules[bound].add(f"{letter}{number}")


def _packed(book: Any) -> bytes:
    """The file, packed without the time of day."""
    return repacked(book.save, lambda core: _STAMP.sub(rb"\g<1>2000-01-01T00:00:00Z\g<2>", core))


def repacked(save: Callable[[io.BytesIO], None], stamped: Callable[[bytes], bytes] = bytes) -> bytes:
    """An Office file as `save` writes it, with the same bytes at any time; `stamped` mends its `docProps/core.xml`."""
    raw, packed = io.BytesIO(), io.BytesIO()
    save(raw)
    with zipfile.ZipFile(raw) as saved, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as written:
        for name in saved.namelist():
            entry = zipfile.ZipInfo(name, _WHEN)
            entry.compress_type = zipfile.ZIP_DEFLATED
            data = saved.read(name)
            written.writestr(entry, stamped(data) if name == "docProps/core.xml" else data)
    return packed.getvalue()


# ---- reading ---------------------------------------------------------------------------------------------------------


def read(path: Path) -> ReadSheets:
    """The tables of a file that somebody filled in. Nothing in it is run or looked up."""
    try:
        size = regular.status(path).st_size
        if size > LARGEST:
            return ReadSheets(
                (), (diagnose.oversized_sheet(str(path), size=f"{size / (1 << 20):.1f}", cap=LARGEST >> 20),)
            )
        data = regular.content(path, most=LARGEST)
    except OSError as error:
        return ReadSheets((), (unreadable(str(path), error),))
    if not data.strip():
        return ReadSheets((), (diagnose.empty_sheet(str(path)),))
    if data[:4] == b"PK\x03\x04":
        return _from_workbook(path, data)
    return _from_text(path, data)


def _from_workbook(path: Path, data: bytes) -> ReadSheets:
    try:
        grids = tuple(_grids(path, office_file(data, Bounds(OFFICE.files, 10 * LARGEST, 10 * LARGEST))))
    except UnsafePackage as error:
        if error.large:
            cap = 10 * LARGEST >> 20
            return ReadSheets((), (diagnose.oversized_sheet(str(path), size=f">{cap}", cap=cap),))
        return ReadSheets((), (diagnose.unreadable_sheet(str(path)),))
    except Exception:  # a zip of anything: openpyxl raises whatever its parts raise
        return ReadSheets((), (diagnose.unreadable_sheet(str(path)),))
    return ReadSheets(grids)


def _grids(path: Path, file: io.BytesIO) -> Iterator[Grid]:
    from openpyxl import load_workbook

    book = load_workbook(file, read_only=True, data_only=True)
    try:
        for page in book.worksheets:
            page.reset_dimensions()  # what a file says of its own size is not believed
            rows = page.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS, values_only=True)
            yield Grid(f"{path} [{page.title}]", tuple(_numbered([_said(cell) for cell in row] for row in rows)))
    finally:
        book.close()


def _numbered(rows: Iterable[Sequence[str]]) -> Iterator[tuple[int, tuple[str, ...]]]:
    for number, row in enumerate(rows, 1):
        if any(row):
            yield number, tuple(row)


def _said(cell: object) -> str:
    """A cell as one reads it: 8 is 8, whether it was kept as a number or as a text."""
    match cell:
        case None:
            return ""
        case bool():
            return str(cell).upper()
        case float() if cell.is_integer():
            return str(int(cell))
        case datetime.datetime() | datetime.date() | datetime.time():
            return cell.isoformat()
        case _:
            return str(cell).strip()


def _from_text(path: Path, data: bytes) -> ReadSheets:
    text, problems = _decoded(path, data)
    if text is None:
        return ReadSheets((), problems)
    head = next((line for line in text.splitlines() if line.strip()), "")
    mark = max((",", "\t", ";"), key=head.count)
    rows = []
    number = 1
    try:
        for _, row in rows_of(io.StringIO(text, newline=""), mark, longest=LONGEST_CELL, columns=MOST_COLUMNS):
            if any(cell.strip() for cell in row):
                rows.append((number, tuple(map(_plain, row))))
            number += 1  # rows as a spreadsheet counts them: a cell may hold several lines
            if len(rows) >= MOST_ROWS:
                break
    except BadTable:
        return ReadSheets((), (*problems, diagnose.unreadable_sheet(Span(str(path), number, 0))))
    return ReadSheets((Grid(f"{path} [CSV]", tuple(rows)),), problems)


def _plain(cell: str) -> str:
    cell = cell.strip()
    return cell[1:] if cell[:1] == "'" and cell[1:].startswith(_RUNS) else cell


def _decoded(path: Path, data: bytes) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The text of a CSV file: UTF-8, UTF-16 with its mark, or as Excel in China writes it (GBK)."""
    read = decoded(data)
    if not read.encoding and (problem := unreadable_text(str(path), read.text)) is not None:
        return None, (problem,)
    return read.text, (diagnose.assumed_gbk_encoding(str(path)),) if read.encoding == GBK else ()
