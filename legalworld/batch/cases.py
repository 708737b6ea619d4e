"""The cases of a batch, one after another: files of one case, of many, read line by line, and whole folders.

Nothing is held but the file that is being read, and of a `.jsonl` or `.jsonl.gz` only its line: memory does not grow
with the number of cases.
"""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import IO, Final

from ..binding.bind import records_of
from ..binding.casefile import MAX_RECORD, parse_line
from ..binding.idle import SEARCHED, IdleRules, idle_rules
from ..files.packed import stream
from ..files.project_files import Disk, unreadable
from ..language import diagnose
from ..language.charset import GBK, HEAD, UTF_16, codec_of, decoded, encoding_of, kind_of
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, replace
from ..model.source import Span
from ..runs.case_file import (
    CaseFile,
    OpenedCase,
    begun_at,
    bound_case,
    chosen_binding,
    complete_case_file,
    open_case_file,
    open_record_file,
)
from ..runs.project import Problems, Project
from ..runs.totals import written_total
from .case_names import distinct_names
from .warned import CaseNotes

LINES: Final = (".jsonl", ".jsonl.gz")
LINE_CAP: Final = 4 * MAX_RECORD  # bytes
WHOLE: Final = (".yaml", ".yml", ".json")


@immutable
class BatchCase:
    """A case, or why there is none; `where`: the file and record that it came from, as a person would name them.

    `idle`: the rules of its binding that found nothing in it; None where that was not looked into.
    """

    where: str
    matter: OpenedCase | Problems
    idle: IdleRules | None = None

    @property
    def notes(self) -> CaseNotes:
        """What is to be told of the case where there is one."""
        if not isinstance(self.matter, OpenedCase):
            return CaseNotes()
        return CaseNotes(self.matter.problems, self.matter.binding, self.idle)


def cases_in(
    project: Project, words: Iterable[str], binding: str, cwd: Path, *, start: str = ""
) -> Iterator[BatchCase]:
    """The cases that words name: `FILE`, `FILE#N`, a folder of such files; what is unreadable leaves the rest. `start`:
    the stage that their runs begin at, "" for the first."""
    files = [(word, _files(word, cwd)) for word in words]
    reader = _CaseReader(project, binding, cwd, start)
    reader.names = distinct_names(path for _, found in files for _, path in found)
    for word, found in files:
        if not found:
            yield BatchCase(word, (diagnose.no_readable_file(word, path=word, known=(*LINES, *WHOLE)),))
        for name, path in found:
            yield from reader.cases(name, path)


def _files(word: str, cwd: Path) -> list[tuple[str, Path]]:
    """The files of a word, each as a person names it and by its path; `#N` stays with a name."""
    folder = cwd / word
    if not folder.is_dir():
        return [(word, Path(os.path.normpath(cwd / word.partition("#")[0])))]
    found = sorted(path for path in folder.rglob("*") if path.name.lower().endswith((*LINES, *WHOLE)))
    return [(os.path.relpath(path, cwd), Path(os.path.normpath(path))) for path in found]


class _CaseReader:
    """Reads the files of one set of cases. `names`: path -> after which the cases of a file are called."""

    def __init__(self, project: Project, binding: str, cwd: Path, start: str) -> None:
        self._project = project
        self._binding = binding
        self._cwd = cwd
        self._start = start
        self.names: Mapping[Path, str] = {}
        self._searched = 0

    def cases(self, word: str, path: Path) -> Iterator[BatchCase]:
        """The cases of one file."""
        name, mark, number = word.partition("#")
        if mark and not number.isdecimal():
            yield BatchCase(word, (diagnose.invalid_record_number(word, word=word),))
        elif mark:
            yield self._one(word, path, name, int(number))
        elif name.lower().endswith(LINES):
            yield from self._lines(name, path)
        else:
            yield from self._whole(name, path)

    def _one(self, word: str, path: Path, name: str, number: int) -> BatchCase:
        file = open_record_file(self._project, name, number, self._binding, self._cwd)
        return BatchCase(word, file) if isinstance(file, tuple) else self._bound(self._called(file, path), number, word)

    def _whole(self, name: str, path: Path) -> Iterator[BatchCase]:
        """Every record of a file that is read whole; of a list that breaks off, those before the break."""
        file = open_case_file(self._project, name, self._binding, self._cwd)
        whole = complete_case_file(self._project, name, self._binding, self._cwd) if isinstance(file, tuple) else file
        if whole is None:
            assert isinstance(file, tuple)
            yield BatchCase(name, file)
            return
        whole, count = self._called(whole, path), records_of(whole.data, whole.binding)
        for record in range(1, count + 1):
            yield self._bound(whole, record if count > 1 else None, f"{name}#{record}" if count > 1 else name)
        if isinstance(file, tuple):
            yield BatchCase(f"{name}#{count + 1}", file)
        elif not count:
            yield self._bound(whole, None, name)

    def _lines(self, name: str, path: Path) -> Iterator[BatchCase]:
        """One record a line, each bound by itself; the binding is chosen by the first that can be read."""
        chosen: CaseFile | None = None
        disk, assumed = Disk(None), _assumed(self._cwd / name, name)
        for number, line in lines_of(self._cwd / name, name):
            where = f"{name}:{number}"
            data, problems = (None, (line,)) if isinstance(line, Diagnostic) else parse_line(name, number, line)
            if data is None:
                yield BatchCase(where, problems)
                continue
            if chosen is None:
                found = chosen_binding(self._project, self._binding, data, self._cwd)
                if isinstance(found, tuple):
                    yield BatchCase(where, found)
                    return
                chosen = CaseFile(disk, name, data, found)
            told, assumed = (*assumed, *problems), ()
            file = CaseFile(disk, name, replace(data, remembered=chosen.data.remembered), chosen.binding, told)
            yield self._bound(self._called(file, path), 1, where)

    def _called(self, file: CaseFile, path: Path) -> CaseFile:
        return replace(file, data=replace(file.data, name=self.names.get(path, "")))

    def _bound(self, file: CaseFile, record: int | None, where: str) -> BatchCase:
        """A record bound, and, of the first of a set, which rules found nothing in it."""
        file = begun_at(self._project, file, self._start)
        matter = bound_case(self._project, file, record, {}, self._cwd)
        if file.binding is None or isinstance(matter, tuple) or self._searched >= SEARCHED:
            return BatchCase(where, matter)
        self._searched += 1
        return BatchCase(where, matter, idle_rules(file.binding, file.data, record or 1, written_total))


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


def lines_of(path: Path, name: str) -> Iterator[tuple[int, str | Diagnostic]]:
    """Number and text of each line that is not blank; a file that breaks off ends with the reason."""
    number = 0
    try:
        head = _head(path)
        if (kind := kind_of(head)) is not None:
            yield 1, diagnose.foreign_format(Span(name, 1, 1), kind=kind)
            return
        encoding = encoding_of(head, cut=True)
        with stream(path) as file:
            for number, line in enumerate(_raw_lines(file, encoding), 1):
                if len(line) > LINE_CAP:
                    yield number, diagnose.oversized_record(Span(name, number, 1), cap=LINE_CAP >> 20)
                elif line.strip():
                    text = line if isinstance(line, str) else text_of_line(line, encoding)
                    yield number, text.removeprefix("\ufeff") if number == 1 else text
    except (EOFError, gzip.BadGzipFile, zlib.error):
        yield number + 1, diagnose.cut_archive(Span(name, number + 1, 1))
    except UnicodeDecodeError:
        yield number + 1, diagnose.invalid_utf8(Span(name, number + 1, 1))
    except OSError as error:
        yield number + 1, unreadable(name, error)


def text_of_line(line: bytes, encoding: str) -> str:
    """A line in the encoding of its file; in its own, where it has another, as of files that were put together."""
    try:
        return line.decode(codec_of(encoding) if encoding != UTF_16 else "utf-8")
    except UnicodeDecodeError:
        read = decoded(line)
        return read.text if read.encoding == GBK else line.decode("utf-8", "surrogateescape")


def file_encoding(path: Path) -> str:
    """The encoding of a file, packed or not, by its beginning; of one that breaks off there, by what comes before."""
    return encoding_of(_head(path), cut=True)


def _assumed(path: Path, name: str) -> Problems:
    """A warning for a file that is read as Chinese of Windows, to be told with its first record."""
    try:
        return (diagnose.assumed_gbk_encoding(name),) if file_encoding(path) == GBK else ()
    except OSError:  # told by whoever reads it
        return ()


def _head(path: Path) -> bytes:
    """The beginning of a file, packed or not, as far as it can be read."""
    head = b""
    with stream(path) as file:
        try:
            while len(head) < HEAD and (line := file.readline(HEAD)):
                head += line
        except (EOFError, gzip.BadGzipFile, zlib.error):  # told by whoever reads on
            pass
    return head[:HEAD]


def _raw_lines(file: IO[bytes], encoding: str) -> Iterator[bytes | str]:
    """The lines of a file, blank ones too; of one that is too long, its beginning. UTF-16, where no byte alone ends a
    line, comes as text. Raises UnicodeDecodeError."""
    if encoding == UTF_16:
        text = io.TextIOWrapper(file, "utf-16")
        while read := text.readline(LINE_CAP + 1):
            yield read
            while len(read) > LINE_CAP and not read.endswith("\n"):
                read = text.readline(LINE_CAP + 1)
        return
    while line := file.readline(LINE_CAP + 1):
        yield line
        while len(line) > LINE_CAP and not line.endswith(b"\n"):
            line = file.readline(LINE_CAP + 1)
