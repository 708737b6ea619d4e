"""The runs below a folder, opened when somebody looks at them, and kept while their files stay the same.

A run is verified once for each state of its files, known by size, times and place on the disk; one that is being
written is opened again when it has grown. What is damaged is told as that.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from pathlib import Path
from typing import Final

from ..files.regular import Stamp
from ..index.run_row import READ
from ..model.immutable import immutable
from ..runs.open_run import OpenRun, open_run
from ..runs.project import Problems
from .run_pages import RunPages
from .studio_run import StudioRun

KEPT: Final = 8
"""Runs that are kept open."""

KEPT_BYTES: Final = 128_000_000
"""Of the records of all that are kept open: in memory each takes a dozen times as much. One of any size is kept."""

WRITTEN_LATELY: Final = 60.0
"""Seconds since a record grew in which a run that is not over counts as being played."""

_SCORES: Final = "scores"
_RECORD: Final = READ.index("journal.jsonl")


@immutable
class DamagedRun:
    """A run that cannot be looked at, and why."""

    id: str
    problems: Problems


Stamps = tuple[Stamp, ...]


class RunShelf:
    """Safe to use from several threads; one run is opened by one of them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock = threading.Lock()
        self._opening: dict[str, threading.Lock] = {}
        self._kept: OrderedDict[str, tuple[Stamps, RunPages | DamagedRun]] = OrderedDict()

    def folder(self, identity: str) -> Path | None:
        """The folder of a run; None where there is none, or its name leads anywhere but below the root."""
        parts = identity.split("/")
        if not all(parts) or any(part.startswith(".") or "\0" in part or "\\" in part for part in parts):
            return None
        path = self.root
        for part in parts:
            path = path / part
            if path.is_symlink() or not path.is_dir():
                return None
        return path if os.path.lexists(path / "run.yaml") else None

    def find(self, identity: str) -> RunPages | DamagedRun | None:
        """A run as its files are now; None where it is gone."""
        try:
            folder = self.folder(identity)
        except (OSError, ValueError):
            return None
        if folder is None:
            return None
        with self._of(identity):
            stamps = _stamps(folder)
            with self._lock:
                kept = self._kept.get(identity)
            known = kept[1] if kept is not None and kept[0] == stamps else None
            if known is not None and not _stopped(known, folder):
                with self._lock:
                    self._kept[identity] = (stamps, known)  # another thread may have put it away meanwhile
                    self._kept.move_to_end(identity)
                return known
            found = RunPages(known.run) if isinstance(known, RunPages) else self._opened(identity, folder)
            with self._lock:
                self._kept[identity] = (stamps, found)
                self._kept.move_to_end(identity)
                while len(self._kept) > 1 and self._too_many():
                    self._kept.popitem(last=False)
            return found

    def _too_many(self) -> bool:
        sizes = (stamps[_RECORD].size for stamps, _ in self._kept.values())
        return len(self._kept) > KEPT or sum(sizes) > KEPT_BYTES

    def _of(self, identity: str) -> threading.Lock:
        with self._lock:
            return self._opening.setdefault(identity, threading.Lock())

    def _opened(self, identity: str, folder: Path) -> RunPages | DamagedRun:
        opened = open_run(folder)  # reads and verifies all that a run is made of
        if not isinstance(opened, OpenRun):
            return DamagedRun(identity, opened)
        return RunPages(StudioRun(identity, opened, self.root), live=not opened.ended and lately(folder))


def _stopped(known: RunPages | DamagedRun, folder: Path) -> bool:
    """Whether a run that was being played has not grown for so long that it is not any more."""
    return isinstance(known, RunPages) and known.live and not lately(folder)


def lately(folder: Path) -> bool:
    """Whether the record of a run grew within the last minute."""
    return time.time() - Stamp.of(folder / "journal.jsonl").mtime / 1e9 < WRITTEN_LATELY


def _stamps(folder: Path) -> Stamps:
    """By what the files of a run are known, its scores and its copies too."""
    names = (*READ, _SCORES, "times.jsonl", "citations.json", "spec.zip")
    return (*(Stamp.of(folder / name) for name in names), *_scores(folder / _SCORES))


def _scores(folder: Path) -> list[Stamp]:
    try:
        with os.scandir(folder) as entries:
            return [Stamp.of(entry.path) for entry in sorted(entries, key=lambda entry: entry.name)]
    except OSError:
        return []
