"""A batch as a command asks for it: one at a time in a folder, kept in a record, in one process or several."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from ..files.project_files import unreadable
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, names_of
from ..models.named.profile import bounded
from ..models.prices import NOTHING, Spent, price_of
from ..runs.costs import priced, spending
from ..runs.open_run import open_run
from ..runs.project import Problems
from .jobs import BatchRequest, PlannedBatch, planned
from .play import Batch, BatchOutcome, Begun, Told, play_jobs
from .ray_connection import lacking_ray
from .ray_workers import play_on_ray
from .record import (
    BatchRecord,
    Recorded,
    RunEntry,
    held,
    keep_command,
    keep_warnings,
    put_aside,
    recorded,
    runs_below,
)
from .results import JobResult
from .warned import WarningCounts
from .workers import play_in_processes

LOCAL, RAY = "local", "ray"


def run_batch(
    asked: BatchRequest,
    batch: Batch,
    cwd: Path,
    told: Told,
    *,
    workers: int,
    words: dict[str, Any],
    engine: str = LOCAL,
    begun: Callable[[], None] = lambda: None,
) -> BatchOutcome | Problems:
    """Play a batch to its end, or as far as it comes, in so many processes: of this machine, or of a Ray cluster.

    `words`: the command, as it is written down; `begun` is called when it is.

    What was spent by the runs of the folder counts against the budget.
    """
    if engine == RAY and (lacking := lacking_ray("--engine")) is not None:
        return (lacking,)
    plan = planned(asked, cwd)
    if not isinstance(plan, PlannedBatch):
        return plan
    told.warn(plan.calling.warnings)
    batch = replace(batch, limits=bounded(batch.limits, plan.calling.profiles))
    if problems := _without_price(plan, batch):
        return problems
    lock = held(asked.out)
    if isinstance(lock, Diagnostic):
        return (lock,)
    with lock:
        noting = _begun(asked.out, batch, told, words)
        if isinstance(noting, tuple):
            return noting

        def play(batch: Batch) -> BatchOutcome | Problems:
            begun()
            return _played(plan, batch, noting, workers, engine)

        try:
            return _recorded(noting, play)
        finally:
            if noting.record.head != noting.before.head:
                told.warn(tuple(filter(None, (keep_command(asked.out, words, noting.record.head),))))


def _begun(folder: Path, batch: Batch, told: Told, words: Mapping[str, Any]) -> _Noting | Problems:
    """The record of a folder, verified and ready to be gone on with; the command is written down."""
    before = recorded(folder)
    told.warn(before.problems)
    try:
        put_aside(folder, before)
        if (problem := keep_command(folder, words, before.head)) is not None:
            return (problem,)
        return _Noting(folder, BatchRecord(folder, before), told, before, batch)
    except OSError as error:
        return (unreadable(str(error.filename or folder), error),)


def _recorded(noting: _Noting, play: Callable[[Batch], BatchOutcome | Problems]) -> BatchOutcome | Problems:
    """Play while the record of the folder is kept: of the runs as they come, of the warnings in the end."""
    folder, batch = noting.folder, noting.batch
    unkept: Problems = ()
    try:
        outcome = play(replace(batch, spent=_spent(folder, noting.before, batch)))
    finally:
        noting.record.close()
        unkept = keep_warnings(folder, noting.warned.row())
    if not isinstance(outcome, BatchOutcome):
        return outcome
    noting.told.warn((*noting.warned.idle(), *unkept))
    return replace(outcome, warned=noting.warned)


def _played(plan: PlannedBatch, batch: Batch, noting: _Noting, workers: int, engine: str) -> BatchOutcome | Problems:
    if engine == RAY:
        return play_on_ray(plan, batch, workers, Told(noting.result, noting.meter, noting.told.warn))
    workers = min(workers, batch.limits.widest or workers, batch.at_once)
    if workers > 1:
        return play_in_processes(plan, batch, workers, noting.result, noting.meter)
    return play_jobs(plan.jobs(), batch, noting.result, noting.meter)


def _without_price(plan: PlannedBatch, batch: Batch) -> Problems:
    """The models of which nobody knows what they cost, where that is to be bounded."""
    prices = batch.limits.prices
    unknown = (
        [model for model in plan.live if price_of(model, named=prices) is None] if batch.limits.budget.dollars else []
    )
    return tuple(diagnose.unknown_price("--budget", model=model) for model in unknown)


def _spent(folder: Path, before: Recorded, batch: Batch) -> Spent:
    """What was spent in a folder: as the record says, and by their journals for runs that were killed, and for those of
    which the record says nothing or cannot be believed."""
    total = before.spent
    if not (batch.limits.budget.tokens or batch.limits.budget.dollars):
        return total
    for name, path in runs_below(folder):
        entry = before.entries.get(name)
        if entry is None or entry.status == "begun":
            now, known = _spent_by(path, batch), entry.spent if entry is not None else NOTHING
            total += Spent(*(getattr(now, name) - getattr(known, name) for name in names_of(Spent)))
    return total


def _spent_by(run: Path, batch: Batch) -> Spent:
    """What was spent by a run, by its journal; nothing where it cannot be opened."""
    opened = open_run(run)
    if isinstance(opened, tuple):
        return NOTHING
    return priced(spending(opened.folder.info.models, opened.events, opened.answers), batch.limits.prices)[0]


@immutable
class _Noting:
    """Writes the record of a batch while others are told."""

    folder: Path
    record: BatchRecord
    told: Told
    before: Recorded
    batch: Batch
    warned: WarningCounts = field(default_factory=WarningCounts)

    def result(self, done: JobResult) -> None:
        if done.notes is not None:
            self.told.warn(self.warned.add(done.case, done.notes))
        if done.folder is not None and done.before:
            entry = self.before.entries.get(self._name(done.folder))
            if entry is None:  # the record says nothing of it, or is not to be believed
                spent = _spent_by(done.folder, self.batch)
                self.record.note(RunEntry(self._name(done.folder), done.where, done.status, spent=spent))
            elif entry.status != done.status:  # it ended, and its process was gone before it said so
                self.record.note(replace(entry, status=done.status, problem=""))
        elif done.folder is not None:
            problem = done.problems[0].code if done.problems else ""
            entry = RunEntry(
                self._name(done.folder), done.where, done.status, done.turns, done.place, problem, done.spent
            )
            self.record.note(entry)
        self.told.result(done)

    def meter(self, event: Begun | Spent) -> None:
        if isinstance(event, Begun):
            self.record.note(RunEntry(self._name(event.folder), event.where, "begun", spent=NOTHING))
        self.told.meter(event)

    def _name(self, run: Path) -> str:
        return run.relative_to(self.folder).as_posix()
