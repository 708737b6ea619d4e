"""Requests that are asked before their turn: those who are asked hear nothing of what the others answer.

The journal is written as if one had been asked after the other. What comes before its turn waits in `early.jsonl`, so
that it need not be asked again when the run is stopped meanwhile; the file goes when all of it is in the journal.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

from ..files import regular
from ..model.events import Call, Reply, Request
from ..model.immutable import immutable
from ..model.json_text import read_json
from ..model.text import clean, clean_json_text

Answer = Callable[[Request], Awaitable[Reply]]


def cleaned(reply: Reply) -> Reply:
    """The reply without what a journal cannot hold, or a terminal would obey, in its words and in its calls."""
    calls = tuple(
        Call(id=clean(call.id), name=clean(call.name), arguments=clean_json_text(call.arguments))
        for call in reply.calls
    )
    return reply.model_copy(update={"text": clean(reply.text), "calls": calls})


@immutable
class Arrived:
    """A reply that came before its turn; `asked`: the digest of what was asked, `seconds`: how long it took."""

    asked: str
    reply: Reply
    seconds: float


class EarlyAnswers:
    """Within its context requests are under way before their turn.

    `worth_it`: whether somebody takes time to answer a request; `file`: where replies wait for their turn. Who leaves
    because somebody gave no answer waits for the others: their calls are made and paid for. Who is cancelled does not.
    """

    def __init__(self, answer: Answer, worth_it: Callable[[Request], bool], file: Path | None = None) -> None:
        self._answer = answer
        self._worth_it = worth_it
        self._file = file
        self._arrived = _waiting(file) if file is not None else {}
        self._under_way: dict[str, tuple[str, asyncio.Task[Arrived]]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        tasks = [task for _, task in self._under_way.values()]
        if not isinstance(error, Exception):
            for task in tasks:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if error is None or not self._arrived:
            self._forget()

    def _forget(self) -> None:
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    def begin(self, ahead: Callable[[], tuple[Request, ...]]) -> None:
        """Ask those of the requests that are not under way."""
        if not (self._under_way or self._arrived):
            self._forget()  # all that waited is in the journal by now
        for request in ahead():
            known = request.id in self._under_way or request.id in self._arrived
            if not known and self._worth_it(request):
                asked = _digest(request)
                self._under_way[request.id] = asked, asyncio.create_task(self._asked(request, asked))

    async def take(self, request: Request) -> Arrived | None:
        """The reply to a request that was asked early, once it is there; None where it was not, or asked otherwise."""
        if not (self._under_way or self._arrived):
            return None
        asked, (before, task) = _digest(request), self._under_way.pop(request.id, ("", None))
        if task is not None and before == asked:
            await task
        elif task is not None:
            task.cancel()
        arrived = self._arrived.pop(request.id, None)
        return arrived if arrived is not None and arrived.asked == asked else None

    async def _asked(self, request: Request, asked: str) -> Arrived:
        begun = time.perf_counter()
        reply = cleaned(await self._answer(request))
        arrived = Arrived(asked, reply, time.perf_counter() - begun)
        self._arrived[request.id] = arrived
        if self._file is not None:
            line = {"answer": request.id, "asked": asked, "reply": reply.model_dump(mode="json")}
            words = json.dumps({**line, "seconds": arrived.seconds}, ensure_ascii=False) + "\n"
            with suppress(OSError), regular.appended(self._file, self._file.parent) as file:
                regular.write_all(file, (words.encode("utf-8"),))
        return arrived


def _waiting(file: Path) -> dict[str, Arrived]:
    """Request id -> the reply that waits in a file. A line that cannot be read is as if it were not there."""
    found: dict[str, Arrived] = {}
    for line in regular.lines(file, file.parent):
        try:
            told = read_json(line)
            found[str(told["answer"])] = Arrived(
                str(told["asked"]), Reply.model_validate(told["reply"]), float(told["seconds"])
            )
        except (ValueError, KeyError, TypeError):
            continue  # torn, or not ours
    return found


def _digest(request: Request) -> str:
    """Of all that a reply depends on."""
    messages = [message.model_dump_json(exclude={"parts"}) for message in request.messages]
    tools = [(offer.name, offer.description, json.dumps(offer.schema)) for offer in request.tools]
    return sha256(repr((request.id, messages, tools, request.model)).encode("utf-8", "surrogatepass")).hexdigest()[:32]
