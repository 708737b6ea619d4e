"""How runs grow while somebody looks: one reader a run, however many follow it, and a queue for each of them.

What is sent is how a run stands, not what has changed: whoever missed something, or comes again after the server was
killed, is told the same. Lines are asked for by their numbers.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Final

from pydantic import BaseModel
from starlette.concurrency import run_in_threadpool

from ..files.regular import Stamp
from .responses import Gone, Grew, ListChanged
from .run_list import StudioList
from .run_pages import RunPages
from .shelf import RunShelf

POLL: Final = 0.25
"""Seconds between two looks at a record."""

REST: Final = 4
"""So many times as long as reading a record took, it is left alone: a long one is not read all the time."""

LOOK: Final = 1.0
"""Seconds between two looks at the list, which looks at the disk less often."""

BEAT: Final = 15.0
"""Seconds after which something is sent though nothing happened."""

MOST_STREAMS: Final = 20
MOST_RUNS: Final = 20
WAITING: Final = 64
"""Messages that may wait for one reader of a stream."""

LIST: Final = ""
"""In the place of a run: the list of runs."""

Message = tuple[str, BaseModel | None]
"""The name of an event and what it says."""


class Follower:
    """One for a server; used within its event loop."""

    def __init__(self, shelf: RunShelf, listing: StudioList) -> None:
        self._shelf, self._listing = shelf, listing
        self._queues: dict[str, set[asyncio.Queue[Message | None]]] = {}
        self._readers: dict[str, asyncio.Task[None]] = {}
        self._last: dict[str, Message] = {}
        self.streams = 0

    async def stream(self, runs: tuple[str, ...], listed: bool) -> AsyncIterator[bytes]:
        """What an event stream sends: first how everything stands, then each change; it ends for a slow reader."""
        subjects = (*dict.fromkeys(runs), *((LIST,) if listed else ()))
        queue: asyncio.Queue[Message | None] = asyncio.Queue(WAITING)
        self.streams += 1
        try:
            for subject in subjects:
                self._join(subject, queue)
            number = 0
            yield b"retry: 1000\n\n"
            while True:
                try:
                    message = await asyncio.wait_for(queue.get(), BEAT)
                except TimeoutError:
                    yield b": beat\n\n"
                    continue
                if message is None:
                    yield _event(number + 1, ("slow", None))
                    return
                number += 1
                yield _event(number, message)
        finally:
            self.streams -= 1
            for subject in subjects:
                self._leave(subject, queue)

    def close(self) -> None:
        """End all readers."""
        for task in self._readers.values():
            task.cancel()

    # ---- who follows what --------------------------------------------------------------------------------------------

    def _join(self, subject: str, queue: asyncio.Queue[Message | None]) -> None:
        self._queues.setdefault(subject, set()).add(queue)
        if subject in self._last:
            queue.put_nowait(self._last[subject])
        if subject not in self._readers:
            reading = self._read_list() if subject == LIST else self._read(subject)
            self._readers[subject] = asyncio.get_running_loop().create_task(reading)

    def _leave(self, subject: str, queue: asyncio.Queue[Message | None]) -> None:
        left = self._queues.get(subject, set())
        left.discard(queue)
        if not left:
            self._queues.pop(subject, None)
            self._last.pop(subject, None)
            if (task := self._readers.pop(subject, None)) is not None:
                task.cancel()

    def _tell(self, subject: str, message: Message) -> None:
        """Send to all who follow; who has not taken what came before is told to begin again."""
        if self._last.get(subject) == message:
            return
        self._last[subject] = message
        for queue in self._queues.get(subject, set()):
            if queue.full():
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(None)
            else:
                queue.put_nowait(message)

    # ---- readers -----------------------------------------------------------------------------------------------------

    async def _read(self, run: str) -> None:
        """Look at a record again and again; what is unchanged is not read."""
        known: tuple[Stamp, ...] = ()
        loop = asyncio.get_running_loop()
        while True:
            folder = self._shelf.root / run
            stamps = tuple(Stamp.of(folder / name) for name in ("journal.jsonl", "run.yaml", "scores"))
            rest = POLL
            if stamps != known or self._was_live(run):
                begun = loop.time()
                self._tell(run, await run_in_threadpool(self._standing, run))
                known, rest = stamps, max(POLL, REST * (loop.time() - begun))
            await asyncio.sleep(rest)

    def _was_live(self, run: str) -> bool:
        last = self._last.get(run)
        return last is not None and isinstance(last[1], Grew) and last[1].live

    def _standing(self, run: str) -> Message:
        found = self._shelf.find(run)
        if found is None:
            return "gone", Gone(run=run)
        return "run", standing(run, found if isinstance(found, RunPages) else None)

    async def _read_list(self) -> None:
        while True:
            self._listing.look()
            runs, damaged, turns = self._listing.known
            self._tell(LIST, ("list", ListChanged(total=runs, damaged=damaged, turns=turns)))
            await asyncio.sleep(LOOK)


def standing(run: str, pages: RunPages | None) -> Grew:
    """How a run stands; a damaged one has no pages."""
    if pages is None:
        return Grew(
            run=run,
            lines=0,
            turns=0,
            calls=0,
            status="damaged",
            live=False,
            torn=False,
            place="",
            tokens=None,
            cost=None,
        )
    head = pages.head
    return Grew(
        run=run,
        lines=head.lines,
        turns=head.turns,
        calls=head.calls,
        status=head.status,
        live=pages.live,
        torn=head.torn,
        place=head.place,
        tokens=head.tokens,
        cost=head.cost,
    )


def _event(number: int, message: Message) -> bytes:
    name, value = message
    data = value.model_dump_json() if value is not None else json.dumps({})
    return f"id: {number}\nevent: {name}\ndata: {data}\n\n".encode("utf-8", "replace")
