"""Who is at work in a batch that is kept on a store: an object there says it, and is gone when the batch is over.

A store frees no lock when a process dies, as a disk does: the object of a dead process of this machine is taken over,
that of another machine only where somebody says so.
"""

from __future__ import annotations

import json
import os
import platform
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, Self

from ..files.store import RemoteStore, StoreFailed
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.json_text import read_json
from .record import LOCK

BEAT: Final = 60.0  # seconds between two signs of life

_held: set[str] = set()  # the locks of this process


class StoreLock:
    """The right to be at work, held until the context is left. `beat`: called with every sign of life."""

    def __init__(self, store: RemoteStore, begun: str, token: str, beat: Callable[[], None]) -> None:
        self._store = store
        self._begun, self._token = begun, token
        self._beat = beat
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._live, daemon=True)

    @classmethod
    def taken(cls, store: RemoteStore, beat: Callable[[], None], *, by_force: bool) -> StoreLock | Diagnostic:
        """The lock, else who holds it. Raises StoreFailed."""
        lock = cls(store, _now(), os.urandom(8).hex(), beat)
        if not store.create(LOCK, lock._sign()):
            there = _read(store)
            if not (by_force or there.get("token") == lock._token or _dead(there)):
                return diagnose.store_in_use("--out", path=store.shown, holder=_who(there))
            store.write(LOCK, lock._sign())
        there = _read(store)  # where two wrote in one moment, the last holds it
        if there.get("token") != lock._token:
            return diagnose.store_in_use("--out", path=store.shown, holder=_who(there))
        return lock

    def __enter__(self) -> Self:
        _held.add(self._token)
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        self._thread.join()
        _held.discard(self._token)
        with suppress(StoreFailed):  # whoever comes next on this machine takes it over
            if self.ours:
                self._store.remove((LOCK,))

    @property
    def ours(self) -> bool:
        """Whether nobody took it. Raises StoreFailed."""
        return _read(self._store).get("token") == self._token

    def _live(self) -> None:
        while not self._over.wait(BEAT):
            with suppress(StoreFailed, OSError):  # it is tried again, and what is to be told is told in the end
                if self.ours:
                    self._store.write(LOCK, self._sign())
                    self._beat()

    def _sign(self) -> bytes:
        own = {"host": _host(), "pid": os.getpid(), "begun": self._begun, "seen": _now(), "token": self._token}
        return json.dumps(own).encode()


def _host() -> str:
    return platform.node() or "localhost"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def _read(store: RemoteStore) -> dict[str, object]:
    """What the object says; nothing where it is gone or says nothing."""
    try:
        said = read_json(store.read(LOCK) or b"{}")
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _who(said: dict[str, object]) -> str:
    """Whoever holds a lock: machine and process, since when, and when he was last heard of."""
    if not said:
        return "?"
    told = f"{said.get('host')}, pid {said.get('pid')}, {said.get('begun')} - {said.get('seen')}"
    return told[:200]


def _dead(said: dict[str, object]) -> bool:
    """Whether the holder was a process of this machine that is gone. This one knows what it holds."""
    pid = said.get("pid")
    if said.get("host") != _host() or not isinstance(pid, int) or os.name != "posix" or pid <= 0:
        return False
    if pid == os.getpid():
        return said.get("token") not in _held
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
