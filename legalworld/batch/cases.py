"""The cases of a batch, one after another: files of one case, of many, read line by line, and whole folders.

Nothing is held but the file that is being read, and of a `.jsonl` or `.jsonl.gz` only its line: memory does not grow
with the number of cases.
"""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from ..binding.bind import records_of
from ..binding.casefile import MAX_RECORD, complete_records, parse_line
from ..files.packed import stream
from ..files.project_files import Disk, find, unreadable
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from ..runs.case_file import CaseFile, OpenedCase, bound_case, chosen_binding, open_case_file
from ..runs.project import Problems, Project

LINES: Final = (".jsonl", ".jsonl.gz")
LINE_CAP: Final = 4 * MAX_RECORD  # bytes
WHOLE: Final = (".yaml", ".yml", ".json")


@immutable
class BatchCase:
    """A case, or why there is none; `where`: the file and record that it came from, as a person would name them."""

    where: str
    matter: OpenedCase | Problems


def cases_in(project: Project, words: Iterable[str], binding: str, cwd: Path) -> Iterator[BatchCase]:
    """The cases that words name: `FILE`, `FILE#N`, a folder of such files; what is unreadable leaves the rest."""
    for word in words:
        folder = cwd / word
        if folder.is_dir():
            names = sorted(path for path in folder.rglob("*") if path.name.lower().endswith((*LINES, *WHOLE)))
            for path in names:
                yield from _cases_of(project, os.path.relpath(path, cwd), binding, cwd)
        else:
            yield from _cases_of(project, word, binding, cwd)


def _cases_of(project: Project, word: str, binding: str, cwd: Path) -> Iterator[BatchCase]:
    name, mark, number = word.partition("#")
    if name.lower().endswith(LINES) and not mark:
        yield from _lines(project, name, binding, cwd)
        return
    if mark and not number.isdecimal():
        yield BatchCase(word, (diagnose.invalid_record_number(word, word=word),))
        return
    file = open_case_file(project, name, binding, cwd)
    if isinstance(file, tuple):
        whole = None if mark else _complete(project, name, binding, cwd)
        if whole is None:
            yield BatchCase(word, file)
            return
        yield from _all(project, whole, word, cwd)
        yield BatchCase(f"{word}#{records_of(whole.data, whole.binding) + 1}", file)
        return
    if mark:
        yield BatchCase(word, bound_case(project, file, int(number), {}, cwd))
        return
    yield from _all(project, file, word, cwd)


def _all(project: Project, file: CaseFile, word: str, cwd: Path) -> Iterator[BatchCase]:
    """Every record of a file that was read whole."""
    count = records_of(file.data, file.binding)
    for record in range(1, count + 1):
        where = f"{word}#{record}" if count > 1 else word
        yield BatchCase(where, bound_case(project, file, record if count > 1 else None, {}, cwd))
    if not count:
        yield BatchCase(word, bound_case(project, file, None, {}, cwd))


def _complete(project: Project, name: str, binding: str, cwd: Path) -> CaseFile | None:
    """A JSON file that breaks off, as far as its records are whole."""
    place = find("cases", name, cwd)
    if isinstance(place, Diagnostic) or not place[1].lower().endswith(".json"):
        return None
    disk, path = place
    data = complete_records(path, disk.read(path) or "")
    chosen = chosen_binding(project, binding, data, cwd) if data is not None else ()
    return CaseFile(disk, path, data, chosen) if data is not None and not isinstance(chosen, tuple) else None


def count_of(words: Iterable[str], cwd: Path) -> int:
    """How many cases words name, for an estimate of the time: lines are counted and not read, other files are one."""
    total = 0
    for word in words:
        path = cwd / word
        files = (file for file in path.rglob("*") if file.is_file()) if path.is_dir() else (path,)
        for file in files:
            if file.name.lower().endswith(LINES):
                total += sum(1 for _, line in lines_of(file, file.name) if isinstance(line, str))
            else:
                total += file.name.lower().endswith(WHOLE) or not path.is_dir()
    return total


# ---- line by line ----------------------------------------------------------------------------------------------------


def _lines(project: Project, name: str, binding: str, cwd: Path) -> Iterator[BatchCase]:
    """One record a line, each bound by itself; the binding is chosen by the first that can be read."""
    chosen: CaseFile | None = None
    disk = Disk(None)
    for number, line in lines_of(cwd / name, name):
        where = f"{name}:{number}"
        data, problems = (None, (line,)) if isinstance(line, Diagnostic) else parse_line(name, number, line)
        if data is None:
            yield BatchCase(where, problems)
            continue
        if chosen is None:
            found = chosen_binding(project, binding, data, cwd)
            if isinstance(found, tuple):
                yield BatchCase(where, found)
                return
            chosen = CaseFile(disk, name, data, found)
        yield BatchCase(where, bound_case(project, CaseFile(disk, name, data, chosen.binding), 1, {}, cwd))


def lines_of(path: Path, name: str) -> Iterator[tuple[int, str | Diagnostic]]:
    """Number and text of each line that is not blank; a file that breaks off ends with the reason."""
    number = 0
    try:
        with stream(path) as file:
            while line := file.readline(LINE_CAP + 1):
                number += 1
                if len(line) > LINE_CAP:
                    yield number, diagnose.oversized_record(Span(name, number, 1), cap=LINE_CAP >> 20)
                    while line and not line.endswith(b"\n"):
                        line = file.readline(LINE_CAP)
                elif line.strip():
                    text = line.decode("utf-8", "surrogateescape")
                    yield number, text.removeprefix("\ufeff") if number == 1 else text
    except (EOFError, gzip.BadGzipFile, zlib.error):
        yield number + 1, diagnose.cut_archive(Span(name, number + 1, 1))
    except OSError as error:
        yield number + 1, unreadable(name, error)
