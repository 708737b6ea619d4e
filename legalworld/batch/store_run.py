"""A batch whose `--out` is an address: played in a folder of this machine, its runs and its record kept on the store.

batch.lock       who is at work (see `store_lock`)     batch.json, batch.jsonl     the command and the record
batch.marks/     the runs that lie there whole (see `marks`)     the folders of the runs, as on a disk
"""

from __future__ import annotations

import os
import threading
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from ..files import regular
from ..files.project_files import unreadable
from ..files.regular import write_whole
from ..files.store import RemoteStore, StoreFailed
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.text import plain_name
from ..runs.project import Problems
from .depot import StoreDepot
from .jobs import BatchRequest, PlannedBatch, planned
from .marks import marks_on
from .play import Batch, BatchOutcome, Told
from .record import ASKED, LINES, WARNINGS, merged
from .run import RAY, run_batch
from .store_lock import StoreLock

_CACHE: Final = "XDG_CACHE_HOME"


@immutable
class Away:
    """Where a batch is kept that does not stay here. `scratch`: where its runs are played; `keep`: and stay as well;
    `by_force`: although somebody else is said to be at work; `needed`: they stay until they were looked at."""

    store: RemoteStore
    scratch: Path
    keep: bool = False
    by_force: bool = False
    needed: bool = False

    def shown(self, path: Path) -> str:
        """A run or file of the batch as its address."""
        return self.store.below(path.relative_to(self.scratch).as_posix())


def scratch_for(store: RemoteStore) -> Path:
    """The folder where runs of a batch are played, the same for the same address, among what the system may clear."""
    home = os.environ.get(_CACHE) or os.environ.get("LOCALAPPDATA") or os.path.join(os.path.expanduser("~"), ".cache")
    key = sha256(store.shown.encode()).hexdigest()[:8]
    return Path(home).absolute() / "legalworld" / "batches" / f"{plain_name(store.shown)[:50]}-{key}"


def run_batch_away(
    asked: BatchRequest, batch: Batch, cwd: Path, told: Told, away: Away, *, words: dict[str, Any], **how: Any
) -> BatchOutcome | Problems:
    """As `run_batch`, kept on a store."""
    if away.store.of_one_process and (how["workers"] > 1 or how["engine"] == RAY):
        return (diagnose.store_of_one_process("--out", path=away.store.shown),)
    plan = planned(asked, cwd)  # what is wrong with the command is told before anybody is asked
    if not isinstance(plan, PlannedBatch):
        return plan
    record = _Record(away)
    try:
        lock = _locked(away, record)
        if isinstance(lock, Diagnostic):
            return (lock,)
        with lock:
            earlier = record.bring()
            away.scratch.mkdir(parents=True, exist_ok=True)
            depot = StoreDepot(away.store, away.scratch, away.keep or away.needed, earlier, marks_on(away.store))
            how |= {"words": words, "begun": lambda: record.put(asked=True)}
            outcome = run_batch(asked, replace(batch, depot=depot), cwd, told, **how)
            return replace(outcome, unkept=_kept(record, lock)) if isinstance(outcome, BatchOutcome) else outcome
    except StoreFailed as error:
        return (diagnose.unreachable_store("--out", path=away.store.shown, reason=error.reason),)
    except OSError as error:
        return (unreadable(str(error.filename or away.scratch), error),)


def _locked(away: Away, record: _Record) -> StoreLock | Diagnostic:
    return StoreLock.taken(away.store, record.put, by_force=away.by_force)


def _kept(record: _Record, lock: StoreLock) -> Problems:
    """Put the record there in the end; what came in the way."""
    store = record.away.store
    try:
        if not lock.ours:  # somebody took it: the record is his now
            return (diagnose.store_in_use("--out", path=store.shown, holder="?"),)
        record.put(asked=True)
        store.put({WARNINGS: record.away.scratch / WARNINGS})
    except StoreFailed as error:
        scratch = str(record.away.scratch / LINES)
        return (diagnose.unstored_run("--out", path=store.below(LINES), reason=error.reason, scratch=scratch),)
    except OSError as error:
        return (unreadable(str(error.filename or LINES), error),)
    return ()


MOST_OF_A_RECORD: Final = 1 << 30  # bytes


@dataclass(slots=True)
class _Record:
    """The record of the batch here and there."""

    away: Away
    _size: int = field(default=-1)  # of what was put there last
    _turn: threading.Lock = field(default_factory=threading.Lock)  # a sign of life and the end may come together

    def bring(self) -> bool:
        """Put together what is here and there, where another machine or a killed process went on with the batch since;
        whether there was a batch. Raises StoreFailed, OSError."""
        file = self.away.scratch / LINES
        there = self.away.store.read(LINES) or b""
        here = regular.content(file, most=MOST_OF_A_RECORD) if regular.is_file(file) else b""
        self._size = len(there) if here == there else -1
        if not here.startswith(there):
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, merged(there, here))
        asked = self.away.store.read(ASKED)
        if asked is not None:  # what it says of the record is said of the one that was there
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file.with_name(ASKED), asked)
        return bool(there) or asked is not None

    def put(self, *, asked: bool = False) -> None:
        """Whole lines, where there are more of them; the command behind them, which says how far they had come. Raises
        StoreFailed, OSError."""
        file = self.away.scratch / LINES
        with self._turn:
            data = regular.content(file, most=MOST_OF_A_RECORD) if regular.is_file(file) else b""
            data = data[: data.rfind(b"\n") + 1]
            if len(data) != self._size:
                self.away.store.write(LINES, data)
                self._size = len(data)
        if asked:
            self.away.store.put({ASKED: self.away.scratch / ASKED})
