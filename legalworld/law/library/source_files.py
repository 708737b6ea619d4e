"""Finding and reading the files to import, within size limits; no link is followed out of the folder named."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import file_digest, sha256
from pathlib import Path

from ...files import regular
from ...files.document_text import SUFFIXES, text_of
from ...files.project_files import LITTER, unreadable
from ...language import diagnose
from ...language.yaml.characters import MAX_BYTES
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from .law import Amendment, Statute
from .statute_reader import read_statute
from .store import CaseRecord

LAW_SUFFIXES = SUFFIXES
LAW_CAP = MAX_BYTES
CASE_CAP = 64 << 20
"""Largest case file that is read at once, in bytes; JSON beyond that is read record by record."""

CASES_CAP = 8 << 30
MAX_FILES = 20_000


@immutable
class Gathered:
    """A document as it was read: its path as a person would name it, text, digest, and what is to be said of it."""

    name: str
    text: str
    digest: str
    problems: tuple[Diagnostic, ...] = ()


def files(path: Path, suffixes: tuple[str, ...]) -> Iterator[Path | Diagnostic]:
    """The file, or the files below the folder, in order of their names.

    Below a folder, other files, hidden ones and those that begin with `_` (LawRefBook's tables of contents) are passed
    over.
    """
    if not path.is_dir():
        yield path if os.path.lexists(path) else _nothing(path, suffixes)
        return
    count = 0
    for file in _below(path, os.path.join(os.path.realpath(path), ""), suffixes):
        count += 1
        if count > MAX_FILES:
            yield _nothing(path, suffixes)
            return
        yield file
    if not count:
        yield _nothing(path, suffixes)


def read(file: Path, cap: int) -> Gathered | Diagnostic:
    """A file of `cap` bytes at most."""
    name = str(file)
    try:
        size = regular.status(file).st_size
        if size > cap:
            return diagnose.oversized_file(name, path=name, size=f"{size / (1 << 20):.1f}", cap=cap >> 20)
        data = regular.content(file, most=cap)
    except OSError as error:
        return unreadable(name, error)
    read = text_of(name, data)
    if isinstance(read, Diagnostic):
        return read
    return Gathered(name, read.text, sha256(data).hexdigest(), read.problems)


def digest(file: Path) -> str:
    """SHA-256 of a file of any size, in hex. Raises OSError."""
    with regular.opened(file) as stream:
        return file_digest(stream, "sha256").hexdigest()


def _nothing(path: Path, suffixes: tuple[str, ...]) -> Diagnostic:
    return diagnose.unimportable_path(str(path), path=str(path), known=suffixes, most=MAX_FILES)


def _below(folder: Path, inside: str, suffixes: tuple[str, ...]) -> Iterator[Path]:
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith((".", "_")) or entry.name in LITTER:
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _below(Path(entry.path), inside, suffixes)
            continue
        wanted = entry.name.lower().endswith(suffixes) and entry.is_file()
        if wanted and os.path.realpath(entry.path).startswith(inside):
            yield Path(entry.path)


def remembered(file: Path, folder: Path) -> str:
    """How a case file is remembered by a library in `folder`: from the project if it lies in it, else in full."""
    path, home = os.path.realpath(file), os.path.join(os.path.realpath(folder.parent), "")
    return path.removeprefix(home).replace(os.sep, "/")


# ---- what is read out of them ----------------------------------------------------------------------------------------


def statutes(path: Path) -> tuple[list[Statute | Amendment], list[Diagnostic]]:
    """The laws in files. Of many, one that holds no law (a page about the others) is only a warning."""
    laws: list[Statute | Amendment] = []
    problems: list[Diagnostic] = []
    many = path.is_dir()
    for file in files(path, LAW_SUFFIXES):
        gathered = read(file, LAW_CAP) if isinstance(file, Path) else file
        if isinstance(gathered, Diagnostic):
            problems.append(gathered)
            continue
        problems += gathered.problems
        statute, wrong = read_statute(gathered.name, gathered.text, gathered.digest)
        if statute is not None:
            laws.append(statute)
        elif many:
            wrong = tuple(replace(problem, severity="warning") for problem in wrong)
        problems += wrong
    return laws, problems


class CasesBroken(Exception):
    """A file of cases cannot be read to its end; nothing of it is added."""


def without_problems(records: Iterable[CaseRecord | Diagnostic], problems: list[Diagnostic]) -> Iterator[CaseRecord]:
    """The records; the first problems are kept, of many alike the first tell enough. Raises CasesBroken."""
    for record in records:
        if isinstance(record, CaseRecord):
            yield record
            continue
        if len(problems) < 20 or record.severity == "error":
            problems.append(record)
        if record.severity == "error":
            raise CasesBroken
