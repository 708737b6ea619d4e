"""An event loop for callers that have none to await on, and for notebooks, whose thread runs one already."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self, TypeVar

ResultT = TypeVar("ResultT")


def loop_runs_here() -> bool:
    """Whether an event loop runs in this thread, so that nobody may run another one in it."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def outside_loops(work: Callable[[], ResultT]) -> ResultT:
    """Return what some work comes to that runs an event loop of its own."""
    if not loop_runs_here():
        return work()
    with ThreadPoolExecutor(max_workers=1) as thread:
        return thread.submit(work).result()


class EventLoop:
    """Runs coroutines one after another on one loop, of this thread where it has none. Tasks live on between them.

    Ctrl-C cancels the coroutine that runs, and is raised when it has ended.
    """

    def __enter__(self) -> Self:
        self._runner = None if loop_runs_here() else asyncio.Runner()
        if self._runner is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._runner is not None:
            self._runner.close()
            return
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def run(self, work: Coroutine[Any, Any, ResultT]) -> ResultT:
        """Return what a coroutine comes to."""
        if self._runner is not None:
            return self._runner.run(work)
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise
