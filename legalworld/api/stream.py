"""A run while it is played: its events as they come, for a loop with or without `async`; or all of it at once."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from typing import Any, Generic, TypeVar

from ..model.events import Event, Request
from ..runs.callables import Actor, Callables
from ..runs.lifecycle import RunResult
from ..runs.loop import Watch
from ..runs.project import Problems
from .errors import LegalWorldError, in_python
from .event_loop import EventLoop

Begin = Callable[[Watch, Callables], Coroutine[Any, Any, RunResult | Problems]]
"""Plays a run: tells somebody of each event, and waits for him before each question."""

RunT = TypeVar("RunT")


class EventStream(ABC, Generic[RunT]):
    """The events of a run that is being played, each once; and the run, when nobody plays it any more."""

    def __init__(self, begin: Begin, named: Mapping[str, Actor]) -> None:
        self._begin = begin
        self._callables = Callables(named, self._pace, self._notice)
        self._events: deque[Event] = deque()
        self._task: asyncio.Task[RunResult | Problems] | None = None
        self._kept = True
        self.cause: Exception | None = None

    @property
    def result(self) -> RunResult:
        """How the run came out. Raises LegalWorldError where it could not be begun, RuntimeError where it was not."""
        if self._task is None or not self._task.done():
            raise RuntimeError(type(self).__name__)
        result = self._task.result()
        if isinstance(result, tuple):
            raise LegalWorldError(in_python(result)) from self.cause
        return result

    @abstractmethod
    def settled(self) -> RunT:
        """The run. Raises where it came neither to its end nor to where it was to pause."""

    # ---- with async --------------------------------------------------------------------------------------------------

    async def __aiter__(self) -> AsyncIterator[Event]:
        try:
            while (event := await self._next()) is not None:
                yield event
        finally:
            await self._stop()
        self.settled()

    async def finished(self) -> RunT:
        """Play to the end without looking at the events. Raises LegalWorldError, RunStopped."""
        await self._to_end()
        return self.settled()

    async def _to_end(self) -> None:
        self._kept = False
        task = self._started()
        self._wanted.set()
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError:
            await self._stop()
            raise

    async def _next(self) -> Event | None:
        """The next event; None where none comes any more."""
        task = self._started()
        while not self._events and not task.done():
            self._news.clear()
            self._wanted.set()
            try:
                await self._news.wait()
            except asyncio.CancelledError:
                await self._stop()
                raise
        return self._events.popleft() if self._events else None

    def _started(self) -> asyncio.Task[RunResult | Problems]:
        if self._task is None:
            self._news, self._wanted = asyncio.Event(), asyncio.Event()
            self._task = asyncio.create_task(self._begin(self._tell, self._callables))
            self._task.add_done_callback(lambda _: self._news.set())
        return self._task

    async def _stop(self) -> None:
        """Interrupt the run where it is played, and wait until its files are written."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            await asyncio.wait((self._task,))

    def _tell(self, event: Event | Request) -> None:
        if self._kept and not isinstance(event, Request):
            self._events.append(event)
            self._wanted.clear()
            self._news.set()

    async def _pace(self) -> None:
        await self._wanted.wait()

    def _notice(self, error: Exception) -> None:
        self.cause = error

    # ---- without -----------------------------------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Event]:
        with EventLoop() as loop:
            try:
                while (event := loop.run(self._next())) is not None:
                    yield event
            except KeyboardInterrupt:  # of a question: it goes on with what the run then is
                loop.run(self._stop())
            finally:
                loop.run(self._stop())
        self.settled()

    def finish(self) -> RunT:
        """Play to the end without looking at the events. Raises LegalWorldError, RunStopped, RunInterrupted."""
        with EventLoop() as loop:
            try:
                loop.run(self._to_end())
            except KeyboardInterrupt:
                loop.run(self._stop())
        return self.settled()
