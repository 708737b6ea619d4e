"""Where judgments come from: files and folders of JSON Lines, JSON, CSV, Parquet, plain text; packed by gzip or not.

One record at a time. What cannot be read is told with its place, and the rest goes on.
"""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from ..batch.cases import LINES, file_encoding, lines_of
from ..binding.casefile import MAX_RECORD, complete_records, is_deep, is_heavy, parse_data, parse_line, too_deep
from ..files import regular
from ..files.delimited import BadTable, rows_of
from ..files.document_text import SUFFIXES, text_of
from ..files.packed import stream, text_content
from ..files.project_files import unreadable
from ..language import diagnose
from ..language.charset import codec_of, decoded
from ..model.diagnostics import Diagnostic
from ..model.source import Span
from .own_words import own_words
from .records import TEXT, Row

TABLES: Final = (".csv", ".csv.gz", ".tsv", ".tsv.gz")
TEXTS: Final = (*SUFFIXES, ".txt.gz")
WHOLE: Final = (".json", ".json.gz")
PARQUET: Final = ".parquet"
KINDS: Final = (*LINES, *TABLES, *TEXTS, *WHOLE, PARQUET)
LARGEST: Final = 256 << 20  # bytes of a file that is read whole
_BATCH: Final = 256

Found = tuple[str, Mapping[str, Any] | Diagnostic]  # file:record, and what it is


def files_of(words: Iterable[str], cwd: Path) -> list[tuple[str, Path]]:
    """The files that words name, those of folders in order; each with the name that people know it by."""
    found = []
    for word in words:
        path = cwd / word
        if path.is_dir():
            below = sorted(one for one in path.rglob("*") if not one.is_dir() and one.name.lower().endswith(KINDS))
            found += [(os.path.relpath(one, cwd).replace(os.sep, "/"), one) for one in below]
        else:
            found.append((word, path))
    return found


def records_in(name: str, path: Path) -> Iterator[Found]:
    """The records of one file."""
    low = name.lower()
    try:
        if low.endswith(LINES):
            yield from _lines(name, path)
        elif low.endswith(TABLES):
            yield from _table(name, path)
        elif low.endswith(PARQUET):
            yield from _parquet(name, path)
        elif low.endswith(WHOLE):
            yield from _whole(name, path)
        else:
            yield from _text(name, path)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        yield name, diagnose.cut_archive(Span(name, 1, 1))
    except OSError as error:
        yield name, unreadable(name, error)


def _lines(name: str, path: Path) -> Iterator[Found]:
    for number, line in lines_of(path, name):
        where = f"{name}:{number}"
        data, problems = (None, (line,)) if isinstance(line, Diagnostic) else parse_line(name, number, line)
        yield where, problems[0] if data is None else _sound(name, number, data.value[0])


def _whole(name: str, path: Path) -> Iterator[Found]:
    text = _read(name, path)
    if isinstance(text, Diagnostic):
        yield name, text
        return
    data, problems = parse_data(name.removesuffix(".gz"), text)
    cut = data is None
    data = data or complete_records(name, text)
    value = [] if data is None else data.value
    records = value if isinstance(value, list) else [value]
    for number, record in enumerate(records, 1):
        yield f"{name}#{number}", _sound(name, number, record)
    if cut:
        yield f"{name}#{len(records) + 1}", problems[0]


def _sound(name: str, number: int, record: Any) -> Mapping[str, Any] | Diagnostic:
    """A record that is an object of a bearable size."""
    place = Span(name, number, 1)
    if not isinstance(record, dict):
        return diagnose.record_not_an_object(place, n=number)
    if is_deep(record):
        return too_deep(place)
    return diagnose.oversized_record(place, cap=MAX_RECORD >> 20) if is_heavy(record) else record


def _table(name: str, path: Path) -> Iterator[Found]:
    mark = "\t" if ".tsv" in name.lower() else ","
    number = 0
    with stream(path) as raw:
        text = io.TextIOWrapper(raw, codec_of(file_encoding(path)), "surrogateescape", newline="")
        rows = ((line, row) for line, row in rows_of(_lines_of_table(text), mark, longest=MAX_RECORD) if row)
        try:
            _, heads = next(rows, (0, ()))
            for number, (line, row) in enumerate(rows, 1):
                told = dict(zip(heads, map(_regained, row), strict=False))
                damaged = any("\udc80" <= sign <= "\udcff" for value in told.values() for sign in value)
                place = Span(name, line, 1)
                yield f"{name}#{number}", diagnose.invalid_utf8(place) if damaged else _sound(name, line, told)
        except BadTable as error:  # what follows cannot be told apart from it
            problem = diagnose.unreadable_table_row(Span(name, error.line, 1), detail=str(error))
            yield f"{name}#{number + 1}", problem


def _regained(cell: str) -> str:
    """A cell of a table that is read as UTF-8 by its beginning; in its own encoding where that is another one."""
    escaped = any("\udc80" <= sign <= "\udcff" for sign in cell)
    return decoded(cell.encode("utf-8", "surrogateescape")).text if escaped else cell


def _lines_of_table(text: io.TextIOWrapper) -> Iterator[str]:
    """The lines of a table with their ends; one that is too long comes in pieces, of which its cell is too long."""
    return iter(lambda: text.readline(MAX_RECORD), "")


def _parquet(name: str, path: Path) -> Iterator[Found]:
    try:
        parquet = import_module("pyarrow.parquet")
    except ImportError:
        yield name, diagnose.missing_extra(name, library="pyarrow", extra="parquet")
        return
    try:
        regular.status(path)
        file = parquet.ParquetFile(path)
        number = 0
        for batch in file.iter_batches(batch_size=_BATCH):
            for record in batch.to_pylist():
                number += 1
                yield f"{name}#{number}", _sound(name, number, record)
    except Exception as error:  # what pyarrow raises for a file that is none has no common type
        yield name, diagnose.unreadable_table_row(Span(name, 1, 1), detail=str(error)[:200])


def _text(name: str, path: Path) -> Iterator[Found]:
    data = _content(name, path)
    read = data if isinstance(data, Diagnostic) else text_of(name, data)
    yield name, read if isinstance(read, Diagnostic) else {own_words("columns")["text"][0]: read.text}


def _read(name: str, path: Path) -> str | Diagnostic:
    data = _content(name, path)
    return data if isinstance(data, Diagnostic) else decoded(data).text


def _content(name: str, path: Path) -> bytes | Diagnostic:
    try:
        return text_content(path, LARGEST) if not name.lower().endswith(".docx") else regular.content(path)
    except regular.Irregular as error:
        return unreadable(name, error)


# ---- a record as judgments -------------------------------------------------------------------------------------------


def judgments_of(where: str, record: Mapping[str, Any]) -> list[Row] | Diagnostic:
    """The judgments of a record: one, or the two of a pair that was put together by others."""
    pair = [_inner(record, own_words("pairs")[name]) for name in ("first", "second")]
    found = []
    for number, inner in enumerate(one for one in (pair if all(pair) else [record])):
        assert inner is not None
        text = _column(inner, "text")
        if not text:
            name, _, place = where.rpartition(":")
            span = Span(name, int(place), 1) if place.isdecimal() else where
            return diagnose.no_judgment_text(span, columns=tuple(map(str, inner))[:12])
        said = {key: _column(inner, key) or _column(record, key) for key in own_words("columns") if key != "text"}
        said = {key: value for key, value in said.items() if value}
        suffix = f"/{number + 1}" if all(pair) else ""
        row = {"id": where + suffix, "kind": TEXT, "where": where, "text": text}
        found.append(row | ({"said": said} if said else {}))
    return found


def _inner(record: Mapping[str, Any], names: Iterable[str]) -> Mapping[str, Any] | None:
    return next((record[name] for name in names if isinstance(record.get(name), dict)), None)


def _column(record: Mapping[str, Any], key: str) -> str:
    """The value of the first column of a name of the table that holds text."""
    values = (record.get(name) for name in own_words("columns")[key])
    return next((str(value.strip()) for value in values if isinstance(value, str) and value.strip()), "")
