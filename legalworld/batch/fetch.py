"""A batch that is kept on a store, brought to a folder of this machine: whole runs, each file by its digest."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from ..files import regular
from ..files.project_files import unreadable
from ..files.regular import write_whole
from ..files.store import RemoteStore, StoreFailed, size_and_digest
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..runs.project import Problems
from .depot import JOURNAL, download, hidden_beside
from .marks import REPORT, Files, Mark, marked_files, marks_on
from .play import OUTAGE
from .record import ASKED, LINES, WARNINGS, held


@immutable
class Fetched:
    """Runs that were brought, runs that were there already, and what is wrong with others."""

    brought: int = 0
    same: int = 0
    problems: Problems = ()


def fetch(store: RemoteStore, place: Path, look: Callable[[int], None]) -> Fetched | Problems:
    """The runs of a batch that have a mark, its record, and its report if there is one. A run that is here already is
    left as it is, or goes on to where the other stands. `look` is told how many were looked at."""
    try:
        asked = store.read(ASKED)
        if asked is None:
            return (diagnose.no_batch(store.shown, path=store.shown),)
        lock = held(place)
        if isinstance(lock, Diagnostic):
            return (lock,)
        with lock:
            write_whole(place / ASKED, asked)
            write_whole(place / LINES, store.read(LINES) or b"")
            if (warnings := store.read(WARNINGS)) is not None:
                write_whole(place / WARNINGS, warnings)
            fetched = _fetch_runs(store, place, tuple(marks_on(store).values()), look)
            report = fetch_marked(store, REPORT, "", place) if store.read(REPORT) is not None else False
            more = (report,) if isinstance(report, Diagnostic) else ()
            return Fetched(fetched.brought, fetched.same, (*fetched.problems, *more))
    except StoreFailed as error:
        return (diagnose.unreachable_store(store.shown, path=store.shown, reason=error.reason),)
    except OSError as error:
        return (unreadable(str(error.filename or place), error),)


def _fetch_runs(store: RemoteStore, place: Path, marks: Sequence[Mark], look: Callable[[int], None]) -> Fetched:
    """Each by itself; raises StoreFailed where one after the other fails."""
    brought = same = in_a_row = 0
    problems: list[Diagnostic] = []
    for number, mark in enumerate(sorted(marks, key=lambda one: one.run), 1):
        try:
            found = fetch_marked(store, mark.name, mark.run, place / mark.run)
        except StoreFailed as error:
            in_a_row += 1
            if in_a_row >= OUTAGE:
                raise
            there = store.below(mark.run)
            found = diagnose.unreachable_store(there, path=there, reason=error.reason)
        else:
            in_a_row = 0
        if isinstance(found, Diagnostic):
            problems.append(found)
        else:
            brought, same = brought + found, same + (not found)
        look(number)
    return Fetched(brought, same, tuple(problems))


def fetch_marked(store: RemoteStore, mark: str, folder: str, place: Path) -> bool | Diagnostic:
    """The files of which a mark tells, from a folder of the store to one here; whether any had to be brought.

    They are brought beside it, and appear when all are there and are what they are to be. Raises StoreFailed, OSError.
    """
    files = marked_files(store, mark)
    if files is None:
        return diagnose.damaged_stored_file(store.below(mark), path=store.below(mark))
    other = tuple(name for name in files if _digest(place / name) != files[name])
    if not other:
        return False
    part = hidden_beside(place if folder else place / "report")
    try:
        download(store, folder, part, other)
        if wrong := next((name for name in other if _digest(part / name) != files[name]), None):
            there = store.below(f"{folder}/{wrong}".lstrip("/"))
            return diagnose.damaged_stored_file(there, path=there)
        return _taken_over(part, place, files, other)
    except StoreFailed as error:
        if not error.missing:
            raise
        there = store.below(folder)
        return diagnose.damaged_stored_file(there, path=there)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _taken_over(part: Path, place: Path, files: Files, names: Sequence[str]) -> bool | Diagnostic:
    """Files that were brought put where they belong; a run that is no earlier state of the same one stays as it is."""
    run = JOURNAL in files
    if run and not (place / "run.yaml").is_file() and len(names) == len(files):
        part.rename(place) if not place.exists() else _moved(part, place, names)
        return True
    before = place / JOURNAL
    if run and (
        "run.yaml" in names
        or "case.json" in names
        or (JOURNAL in names and regular.is_file(before) and not _goes_on(part / JOURNAL, before))
    ):
        return diagnose.other_run_in_folder(str(place), path=str(place), what=tuple(sorted(names)[:5]))
    _moved(part, place, names)
    return True


def _goes_on(later: Path, before: Path) -> bool:
    """Whether a file begins with all of another."""
    size = regular.status(before).st_size
    return regular.start(later, most=size) == regular.content(before, most=size)


def _moved(part: Path, place: Path, names: Sequence[str]) -> None:
    """The journal comes last: by it, the rest can be made anew."""
    for name in sorted(names, key=lambda one: one == JOURNAL):
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        os.replace(part / name, place / name)


def _digest(file: Path) -> tuple[int, str] | None:
    try:
        return size_and_digest(file)
    except (FileNotFoundError, NotADirectoryError):
        return None
