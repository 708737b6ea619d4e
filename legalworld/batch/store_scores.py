"""Scores of runs that are kept on a store: the runs are brought here, and what came of them is put beside them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..files.project_files import unreadable
from ..files.store import StoreFailed
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..runs.project import Problems
from .depot import StoreDepot, discard
from .fetch import fetch_marked
from .marks import REPORT, digests_of, marked_files, marks_on, put_mark
from .record import ASKED, HOLDER, LINES, LOCK, WARNINGS
from .store_lock import StoreLock
from .store_run import Away

_OWN = frozenset({ASKED, LINES, LOCK, HOLDER, WARNINGS})


def bring(away: Away, runs: Sequence[Path]) -> Problems:
    """Runs that are not where they were played, because they were played before or elsewhere."""
    try:
        marks = marks_on(away.store)
        problems = []
        for run in runs:
            mark = marks.get(run.relative_to(away.scratch).as_posix())
            if mark is not None and not (run / "run.yaml").is_file():
                found = fetch_marked(away.store, mark.name, mark.run, run)
                problems += [found] if isinstance(found, Diagnostic) else []
        return tuple(problems)
    except StoreFailed as error:
        return (diagnose.unreachable_store("--out", path=away.store.shown, reason=error.reason),)
    except OSError as error:
        return (unreadable(str(error.filename or away.scratch), error),)


def keep(away: Away, runs: Sequence[Path]) -> Problems:
    """The scores beside the runs, and the report of them all, with its mark."""
    try:
        lock = StoreLock.taken(away.store, lambda: None, by_force=False)
        if isinstance(lock, Diagnostic):
            return (lock,)
        with lock:
            depot = StoreDepot(away.store, away.scratch, True, True, marks_on(away.store))
            for run in runs:
                depot.put(depot.name(run), run)
            files = _report(away.scratch)
            digests = digests_of(files)
            before = marked_files(away.store, REPORT) or {}
            away.store.remove((REPORT,))
            away.store.put({name: file for name, file in files.items() if before.get(name) != digests[name]})
            put_mark(away.store, REPORT, digests)
        for run in runs if not away.keep else ():
            discard(run)
    except StoreFailed as error:
        there = away.store.shown
        return (diagnose.unstored_run("--out", path=there, reason=error.reason, scratch=str(away.scratch)),)
    except OSError as error:
        return (unreadable(str(error.filename or away.scratch), error),)
    return ()


def _report(scratch: Path) -> dict[str, Path]:
    """What a bench writes into the folder of its batch: files beside the runs, and folders that hold no run."""
    files = {file.name: file for file in scratch.iterdir() if file.is_file() and file.name not in _OWN}
    for file in sorted((scratch / "figures").glob("*")):
        files[f"figures/{file.name}"] = file
    return {name: file for name, file in files.items() if not name.startswith(".")}
