"""How a batch stands that is kept on a store: its command, its record, and the marks of what lies there whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..files.regular import write_whole
from ..files.store import RemoteStore, StoreFailed
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..runs.project import Problems
from .marks import marks_on
from .record import ASKED, LINES, WARNINGS, Recorded, RunEntry, command_of, recorded


@immutable
class BatchThere:
    """A batch's command and record."""

    words: dict[str, Any]
    record: Recorded


def command_on(store: RemoteStore) -> dict[str, Any] | Diagnostic:
    """What a batch was asked for; see `record.command_of`."""
    try:
        asked = store.read(ASKED)
    except StoreFailed as error:
        return diagnose.unreachable_store(store.shown, path=store.shown, reason=error.reason)
    if asked is None:
        return diagnose.no_batch(store.shown, path=store.shown)
    with TemporaryDirectory() as place:
        write_whole(Path(place) / ASKED, asked)
        words = command_of(Path(place))
    return _there(words, store, ASKED) if isinstance(words, Diagnostic) else words


def _there(problem: Diagnostic, store: RemoteStore, name: str) -> Diagnostic:
    """A problem of a file that was looked at here, told of where it lies."""
    there = store.below(name)
    return replace(problem, span=replace(problem.span, file=there), values={**problem.values, "path": there})


def status_there(store: RemoteStore) -> BatchThere | Problems:
    """What is known of a batch. What has the mark of its end is over, whatever the record says: it may be older."""
    words = command_on(store)
    if isinstance(words, Diagnostic):
        return (words,)
    try:
        asked, lines, warnings = (store.read(name) or b"" for name in (ASKED, LINES, WARNINGS))
        marks = marks_on(store)
    except StoreFailed as error:
        return (diagnose.unreachable_store(store.shown, path=store.shown, reason=error.reason),)
    with TemporaryDirectory() as place:
        write_whole(Path(place) / ASKED, asked)
        write_whole(Path(place) / LINES, lines)
        write_whole(Path(place) / WARNINGS, warnings)
        found = recorded(Path(place))
    problems = tuple(_there(problem, store, LINES) for problem in found.problems)
    entries = dict(found.entries)
    for run, mark in marks.items():
        if mark.state == "ended":
            entry = entries.get(run) or RunEntry(run, "", "ended")
            entries[run] = replace(entry, status="ended", problem="") if entry.status != "ended" else entry
    return BatchThere(words, replace(found, entries=entries, problems=problems))
