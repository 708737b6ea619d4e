"""Compiled templates in a private folder of the user, so that a command need not compile them again.

    serve_templates()                     # this process looks templates up there, and keeps there what it compiled

The folder is `legalworld/templates` in the user's cache, or what LW_CACHE names; LW_CACHE set to nothing keeps none.
It is used only where it belongs to the user and nobody else may enter it: what lies there is run. One file serves one
version of the package, of Python and of Jinja. Each entry bears its SHA-256; one that is cut or altered counts as
missing, and a file that is no database is made anew. What cannot be read or written costs time and nothing else. Who
may write with the user's own rights is not kept out: such a person could change the program itself.
"""

from __future__ import annotations

import atexit
import marshal
import os
import sqlite3
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

from ..model.version import __version__
from ..templates.kept import keep_templates_on

VARIABLE: Final = "LW_CACHE"
LARGEST: Final = 64_000_000
"""Bytes of the file; a larger one is begun anew."""
VERSIONS: Final = 4
"""Files that stay, the newest of them: a person may use several versions by turns."""
AT_ONCE: Final = 512
"""Entries that are kept in memory before they are written."""
_ROOMS: Final = ("figures", "language", "model", "templates")
_SUM: Final = 32
_WAIT: Final = 0.2  # seconds for another process; then nothing is kept this time


def serve_templates() -> None:
    """Look templates up in the user's cache from now on; once in a process is enough."""
    keep_templates_on(_of_process)


def _of_process() -> TemplateShelf | None:
    return _shelf(os.getpid(), os.environ.get(VARIABLE))


@cache
def _shelf(_: int, told: str | None) -> TemplateShelf | None:
    """The shelf of a process: a child begins its own, for a database cannot be shared with it."""
    folder = cache_folder() if told is None else Path(told) if told else None
    try:
        place = private_folder(folder / "templates") if folder is not None else None
    except OSError:
        return None
    if place is None:
        return None
    shelf = TemplateShelf(place / f"{stamp_of()}.sqlite3")
    atexit.register(shelf.close)
    return shelf


def cache_folder() -> Path:
    """The folder for what may be lost, of this program and this user."""
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    return Path(home or os.path.join(os.path.expanduser("~"), ".cache")).absolute() / "legalworld"


class TemplateShelf:
    """Entries in a database, read one by one, written together. No method raises."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._new: dict[bytes, bytes] = {}
        self._lock = threading.Lock()
        self._db = self._opened()

    def get(self, key: bytes) -> object:
        """What was put under a key; None where nothing was, or what is there is not that."""
        with self._lock:
            value = self._new.get(key) or self._stored(key)
        return marshal.loads(value) if value is not None else None

    def _stored(self, key: bytes) -> bytes | None:
        if self._db is None:
            return None
        try:
            row = self._db.execute("SELECT value FROM entries WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error:
            return None
        value = row[0] if row else None
        if not isinstance(value, bytes) or sha256(key + value[_SUM:]).digest() != value[:_SUM]:
            return None
        return value[_SUM:]

    def put(self, key: bytes, value: Any) -> None:
        """Keep a value under a key: it is written when there are many, or the process ends."""
        with self._lock:
            self._new[key] = marshal.dumps(value)
            if len(self._new) >= AT_ONCE:
                self._write()

    def flush(self) -> None:
        """Write what is not written yet."""
        with self._lock:
            self._write()

    def close(self) -> None:
        """Write what is not written yet, and let the file go."""
        with self._lock:
            self._write()
            if self._db is not None:
                self._db.close()
                self._db = None

    def _write(self) -> None:
        entries = [(key, sha256(key + value).digest() + value) for key, value in self._new.items()]
        self._new.clear()
        if not entries:
            return
        with suppress(sqlite3.Error, OSError):
            if self._db is None:
                self._db = _made(self._file)
            elif os.stat(self._file).st_size > LARGEST:
                self._db.execute("DELETE FROM entries")
                self._db.execute("VACUUM")
            with self._db:
                self._db.executemany("INSERT OR REPLACE INTO entries VALUES (?, ?)", entries)
            _leave_the_newest(self._file.parent)

    def _opened(self) -> sqlite3.Connection | None:
        """The database, where there is one that may be used. One that is broken is taken away."""
        try:
            if not _ours(os.lstat(self._file), stat.S_ISREG):
                return None
            db = _connected(self._file)
        except (OSError, sqlite3.Error):
            return None
        try:
            db.execute("SELECT value FROM entries LIMIT 1").fetchone()
        except sqlite3.OperationalError:  # another process may be at work on it
            return db
        except sqlite3.Error:
            db.close()
            with suppress(OSError):
                os.unlink(self._file)
            return None
        return db


def _connected(file: Path) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=_WAIT, check_same_thread=False)


def _made(file: Path) -> sqlite3.Connection:
    """A database in a file that nobody else may read. Raises sqlite3.Error, OSError."""
    os.close(os.open(file, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o600))
    if not _ours(os.lstat(file), stat.S_ISREG):
        raise PermissionError(file)
    db = _connected(file)
    try:
        with db:
            db.execute("CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
    except sqlite3.Error:
        db.close()
        raise
    return db


def private_folder(folder: Path) -> Path | None:
    """Return the folder, made where it is missing; None where others than the user may enter it. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder if _ours(os.lstat(folder), stat.S_ISDIR) else None


def _ours(found: os.stat_result, kind: Callable[[int], bool]) -> bool:
    """Whether something is of this kind and no link, belongs to the user, and is closed to all others."""
    if not kind(found.st_mode):
        return False
    if not hasattr(os, "getuid"):  # where there are no such rights, the user's own folder is closed to others
        return True
    return found.st_uid == os.getuid() and not found.st_mode & 0o077


def _leave_the_newest(folder: Path) -> None:
    """Take away the files of versions that are no longer used. Raises OSError."""
    found = sorted(folder.glob("*.sqlite3"), key=lambda file: file.stat().st_mtime_ns, reverse=True)
    for file in found[VERSIONS:]:
        file.unlink(missing_ok=True)


@cache
def stamp_of(rooms: tuple[str, ...] = _ROOMS) -> str:
    """Return what kept values are of: the package with the files of the rooms that make them, Python, Jinja."""
    said = [__version__, version("jinja2"), sys.version, *_sources(rooms)]
    return sha256("\0".join(said).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _sources(rooms: tuple[str, ...]) -> Iterator[str]:
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    waiting = [os.path.join(package, room) for room in rooms]
    while waiting:
        with closing(os.scandir(waiting.pop())) as entries:
            for entry in sorted(entries, key=lambda one: one.name):
                if entry.is_dir():
                    waiting.append(entry.path)
                elif entry.name.endswith(".py"):
                    found = entry.stat()
                    yield f"{entry.path} {found.st_size} {found.st_mtime_ns}"
