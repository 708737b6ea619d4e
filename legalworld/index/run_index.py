"""The index of the runs below a folder: SQLite beside them, made from them alone, and made again when it is gone.

    index = RunIndex.open(Path("runs"))
    index.refresh(); rows = index.select(query)

The runs are the truth. What was verified is believed as long as the files that it rests on are the same by size, times
and place on the disk, which is looked up before every answer; `refresh(whole=True)` verifies all. Scores are looked at
where they are asked for.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import astuple
from pathlib import Path
from typing import Final, Self

from ..evaluation.score_files import SCORES_FOLDER
from ..files.regular import Stamp, vacant
from ..model.immutable import immutable
from ..runs.run_info import sum_of
from .query import COLUMNS, Query, count, select
from .run_row import RunRow, read_row, read_scores, stamped

FILE: Final = ".runs.sqlite3"
VERSION: Final = 4
"""Of the tables; an index of another one is made again."""
DEEPEST: Final = 5  # folders below the one that is listed
_WAIT: Final = 30.0  # seconds for another process that writes
_SETTLED: Final = 2_000_000_000  # nanoseconds after which the time of a folder says that nothing has come

_TABLES: Final = f"""
CREATE TABLE runs ({", ".join(f'"{name}"' for name in COLUMNS)},
    folder TEXT NOT NULL, stamp TEXT NOT NULL, sum TEXT NOT NULL, scored INTEGER NOT NULL, PRIMARY KEY (run));
CREATE TABLE folders (folder TEXT PRIMARY KEY, mtime INTEGER NOT NULL);
CREATE TABLE scores (run TEXT, rubric TEXT, grader TEXT, figure TEXT, value REAL,
    PRIMARY KEY (run, rubric, grader, figure)) WITHOUT ROWID;
CREATE INDEX of_folder ON runs (folder);
CREATE INDEX of_status ON runs ("status");
CREATE INDEX of_case ON runs ("case");
PRAGMA user_version = {VERSION};
"""
_KEPT: Final = ("folder", "stamp", "sum", "scored")
_PUT: Final = f"INSERT OR REPLACE INTO runs VALUES ({', '.join('?' * (len(COLUMNS) + len(_KEPT)))})"

Look = Callable[[int], None]


@immutable
class ListedRun:
    """A row of the answer, with the figures that were asked for, in their order."""

    row: RunRow
    figures: tuple[float | None, ...]


class RunIndex:
    """`root`: the folder that is listed. Where nothing may be written there, the index is kept in memory."""

    def __init__(self, root: Path, db: sqlite3.Connection) -> None:
        self.root, self._db = root, db

    @property
    def lasting(self) -> bool:
        """Whether it lies on disk, where other processes and threads find what it has read."""
        return bool(self._db.execute("PRAGMA database_list").fetchone()[2])

    @classmethod
    def open(cls, root: Path) -> Self:
        """The index of a folder; one that is damaged or of another version is thrown away. Raises OSError for a root
        that cannot be looked into."""
        next(os.scandir(root), None)
        try:
            vacant(root / FILE)
        except OSError:  # what stands there stays
            return cls(root, _opened(None))
        for _ in range(2):
            with suppress(sqlite3.Error):
                return cls(root, _opened(root / FILE))
            with suppress(OSError):
                (root / FILE).unlink(missing_ok=True)
        return cls(root, _opened(None))

    def close(self) -> None:
        self._db.close()

    # ---- what it says ------------------------------------------------------------------------------------------------

    def count(self, query: Query) -> int:
        """How many runs there are under a query, whatever its limit."""
        statement = count(query)
        return int(self._db.execute(statement.sql, statement.values).fetchone()[0])

    def select(self, query: Query) -> Iterator[ListedRun]:
        statement = select(query)
        for found in self._db.execute(statement.sql, statement.values):
            yield ListedRun(RunRow(*found[: len(COLUMNS)]), tuple(found[len(COLUMNS) :]))

    def values(self, column: str, most: int) -> list[str]:
        """Return the values of a column of the list, in order; at most so many."""
        if column not in COLUMNS:
            raise ValueError(column)
        found = self._db.execute(f'SELECT DISTINCT "{column}" FROM runs ORDER BY 1 LIMIT ?', (most,))
        return [str(value) for (value,) in found if value]

    def counts(self, column: str) -> dict[str, int]:
        """Return how many runs have each value of a column of the list."""
        if column not in COLUMNS:
            raise ValueError(column)
        found = self._db.execute(f'SELECT "{column}", count(*) FROM runs GROUP BY 1 ORDER BY 1')
        return {str(value): int(count) for value, count in found if value}

    def turns(self) -> int:
        """Return the turns of all runs together."""
        return int(self._db.execute("SELECT coalesce(sum(turns), 0) FROM runs").fetchone()[0])

    # ---- keeping it true ---------------------------------------------------------------------------------------------

    def refresh(self, *, scores: bool, whole: bool = False, look: Look = lambda _: None) -> None:
        """Look again at what may have changed, `scores` too; `look` is told how many runs were read so far. An index
        that is damaged, or cannot be written, is left for one in memory."""
        try:
            self._refresh(scores, whole, look)
        except sqlite3.Error as error:
            self._db.close()
            if not isinstance(error, sqlite3.OperationalError):  # another process may be at work on one that is whole
                with suppress(OSError):
                    (self.root / FILE).unlink(missing_ok=True)
            self._db = _opened(None)
            self._refresh(scores, True, look)

    def _refresh(self, scores: bool, whole: bool, look: Look) -> None:
        with _writing(self._db):
            if whole:
                for table in ("runs", "folders", "scores"):
                    self._db.execute(f"DELETE FROM {table}")
            reader = _Reader(self.root, self._db, look)
            known = dict(self._db.execute("SELECT folder, mtime FROM folders").fetchall())
            reader.walk(self.root, "", known, 0)
            for folder in known:
                reader.forget_folder(folder)
            reader.changed()
            if scores:
                reader.scores()


class _Reader:
    """Brings the tables up to what lies on disk."""

    def __init__(self, root: Path, db: sqlite3.Connection, look: Look) -> None:
        self._root, self._db, self._look = root, db, look
        self._fresh: set[str] = set()  # runs that were read just now
        self._read = 0

    def walk(self, path: Path, folder: str, known: dict[str, int], depth: int) -> None:
        """One folder and those below it that are no runs; `known` loses those that are still there."""
        mtime = Stamp.of(path).mtime
        before = known.pop(folder, None)
        if before == mtime:
            below = [name for name in known if name.rpartition("/")[0] == folder]
            for name in below:
                self.walk(self._root / name, name, known, depth + 1)
            return
        runs: list[tuple[str, Path]] = []
        try:
            with os.scandir(path) as entries:
                found = [entry for entry in entries if not entry.name.startswith(".") and entry.is_dir()]
        except OSError:
            return
        for entry in sorted(found, key=lambda entry: entry.name):
            name = f"{folder}/{entry.name}" if folder else entry.name
            if entry.is_symlink() or not _is_text(name):
                continue
            if os.path.lexists(os.path.join(entry.path, "run.yaml")):
                runs.append((name, Path(entry.path)))
            elif depth < DEEPEST:
                self.walk(Path(entry.path), name, known, depth + 1)
        self._take(folder, runs)
        settled = time.time_ns() - mtime > _SETTLED  # what comes in the same tick of a coarse clock would not show
        self._db.execute("INSERT OR REPLACE INTO folders VALUES (?, ?)", (folder, mtime if settled else 0))

    def _take(self, folder: str, runs: Sequence[tuple[str, Path]]) -> None:
        """The runs of a folder, as they are now: those that are new are read."""
        known = {run for (run,) in self._db.execute("SELECT run FROM runs WHERE folder = ?", (folder,))}
        for run, path in runs:
            if run not in known:
                self._put(run, folder, path)
        for run in known.difference(run for run, _ in runs):
            self._drop(run)

    def changed(self) -> None:
        """Runs whose files are others than those that were read."""
        for *row, folder, stamp, sum_, _ in self._db.execute("SELECT * FROM runs").fetchall():
            run = str(row[0])
            path = self._root / run
            if run in self._fresh:
                continue
            if not os.path.lexists(path / "run.yaml"):
                self._drop(run)
            elif not stamp or sum_ != _sum(row, stamp) or stamp != stamped(path):
                self._put(run, folder, path)

    def scores(self) -> None:
        """Runs to whose scores something was added since."""
        for run, scored in self._db.execute("SELECT run, scored FROM runs").fetchall():
            path = self._root / run
            now = Stamp.of(path / SCORES_FOLDER).mtime
            if now == scored:
                continue
            self._db.execute("DELETE FROM scores WHERE run = ?", (run,))
            rows = [(run, *astuple(score)) for score in read_scores(path)]
            self._db.executemany("INSERT OR REPLACE INTO scores VALUES (?, ?, ?, ?, ?)", rows)
            self._db.execute("UPDATE runs SET scored = ? WHERE run = ?", (now, run))
            self._tick()

    def forget_folder(self, folder: str) -> None:
        """A folder that is gone, with its runs."""
        for (run,) in self._db.execute("SELECT run FROM runs WHERE folder = ?", (folder,)).fetchall():
            self._drop(run)
        self._db.execute("DELETE FROM folders WHERE folder = ?", (folder,))

    def _put(self, run: str, folder: str, path: Path) -> None:
        stamp = stamped(path)  # before it is read: what is written meanwhile is seen the next time
        row = astuple(read_row(path, run))
        self._db.execute("DELETE FROM scores WHERE run = ?", (run,))
        self._db.execute(_PUT, (*row, folder, stamp, _sum(row, stamp), 0))
        self._fresh.add(run)
        self._tick()

    def _drop(self, run: str) -> None:
        self._db.execute("DELETE FROM runs WHERE run = ?", (run,))
        self._db.execute("DELETE FROM scores WHERE run = ?", (run,))

    def _tick(self) -> None:
        self._read += 1
        self._look(self._read)


def _sum(row: Sequence[object], stamp: str) -> str:
    """Of what is kept of a run: what was changed in the index is read again."""
    return sum_of(repr((*row, stamp)))


def _is_text(name: str) -> bool:
    """Whether a name can be kept and shown: one in another encoding cannot."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _opened(file: Path | None) -> sqlite3.Connection:
    """The database with its tables. Raises sqlite3.Error where it cannot be read or written."""
    db = sqlite3.connect(file or ":memory:", timeout=_WAIT, isolation_level=None)
    try:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        with _writing(db):
            if version not in (0, VERSION):
                raise sqlite3.DatabaseError("another version")
            if version == 0:
                for statement in _TABLES.split(";")[:-1]:
                    db.execute(statement)
        db.execute(f"SELECT {', '.join(_KEPT)} FROM runs LIMIT 1")
    except BaseException:
        db.close()
        raise
    return db


@contextmanager
def _writing(db: sqlite3.Connection) -> Iterator[None]:
    """All of it or nothing, one process after another."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        with suppress(sqlite3.Error):  # on a full disk it was rolled back already
            db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")
