"""Appends to many journals, brought to the disk aside while their runs wait for models.

A thread for each append would cost more than the append itself: a few threads take what waits, one after another, for
as long as anything does, and tell the event loop of all that is done at once.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import ClassVar, Final
from weakref import WeakKeyDictionary

from ..model.immutable import immutable

Commit = Callable[[], None]
"""Brings one append to the disk; raises OSError."""

SHARE: Final = 8  # appends that wait before another thread helps
THREADS: Final = 4  # at most: a disk that is slow gathers what it is given at once


@immutable
class _Append:
    commit: Commit
    done: asyncio.Future[None]


class GroupCommit:
    """The appends of one event loop. `_lock` guards what its threads share with it."""

    _of_loops: ClassVar[WeakKeyDictionary[asyncio.AbstractEventLoop, GroupCommit]] = WeakKeyDictionary()

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: deque[_Append] = deque()
        self._finished: list[tuple[_Append, Exception | None]] = []
        self._threads = 0

    @classmethod
    def here(cls) -> GroupCommit:
        """That of the running event loop."""
        loop = asyncio.get_running_loop()
        found = cls._of_loops.get(loop)
        return found if found is not None else cls._of_loops.setdefault(loop, cls())

    def carry(self, commit: Commit) -> asyncio.Future[None]:
        """Done when it is on the disk, with what it raised; brought there at once where no thread is to be had."""
        loop = asyncio.get_running_loop()
        append = _Append(commit, loop.create_future())
        with self._lock:
            self._waiting.append(append)
            helps = not self._threads or (self._threads < THREADS and len(self._waiting) > SHARE * self._threads)
            self._threads += helps
        if helps:
            try:
                loop.run_in_executor(None, self._work, loop)
            except RuntimeError:  # no more threads
                self._work(loop)
        return append.done

    def _work(self, loop: asyncio.AbstractEventLoop) -> None:
        """By a thread: what waits, until nothing does."""
        while True:
            with self._lock:
                if not self._waiting:
                    self._threads = max(0, self._threads - 1)  # what was refused may come all the same
                    return
                append = self._waiting.popleft()
            failure: Exception | None = None
            try:
                append.commit()
            except Exception as error:
                failure = error
            with self._lock:
                self._finished.append((append, failure))
                first = len(self._finished) == 1
            if first:
                loop.call_soon_threadsafe(self._tell)

    def _tell(self) -> None:
        """By the event loop: all that is finished."""
        with self._lock:
            finished, self._finished = self._finished, []
        for append, failure in finished:
            if append.done.done():  # given up when the loop was closed
                continue
            if failure is not None:
                append.done.set_exception(failure)
            else:
                append.done.set_result(None)
