"""The driver: sends the interpreter its replies. Live, resume, replay and fork differ only in what the log holds.

live    an empty log, then the backbones
resume  the journal, then the backbones
replay  the journal and nothing else
fork    the journal up to a place, a replaced document, then the backbones
preview no answer at all: the first request that the log cannot answer
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine, Generator, Sequence
from dataclasses import dataclass
from typing import Any

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.events import Asked, Errand, Event, Outcome, OutcomeStatus, Reply, Request, Turn
from ..model.immutable import immutable
from ..model.source import Span
from ..models.failures import ModelFailed
from .early import Answer, EarlyAnswers, cleaned
from .group_commit import GroupCommit
from .journal import AnswerLine, ChangeLine, EventLine, Journal, Line, Times, answers_in

Game = Generator[Turn, tuple[Reply, ...], Outcome]
Asking = Request | Errand
Carry = Callable[[Errand], Awaitable[Reply]]
Ask = Callable[[Asking], Awaitable[tuple[Reply, float]]]
Watch = Callable[[Event | Request], None]


class Diverged(Exception):
    """The recorded answers lead to other events than those recorded; `n` is the first line that differs."""

    def __init__(self, n: int) -> None:
        super().__init__(f"line {n}")
        self.n = n


class NoAnswer(Exception):
    """The log holds no answer to `request`, and nobody else is to be asked."""

    def __init__(self, request: Asking) -> None:
        super().__init__(request.id)
        self.request = request


class ReplayLog:
    """What was recorded, read again; after its end, what happens is recorded (when there is a journal).

    `lines`: all that happened so far, read or new, also the last events, which wait for the next answer to be written;
    requests that are written to a journal are kept without their messages, which are most of what a run comes to.
    `aside`: others wait for models meanwhile, so the disk is waited for in a thread, with the appends of other
    runs; where all answer at once, handing over would cost more than it saves.
    """

    def __init__(
        self,
        recorded: Sequence[Line] = (),
        journal: Journal | None = None,
        times: Times | None = None,
        *,
        aside: bool = False,
    ) -> None:
        self.lines: list[Line] = []
        self._recorded = recorded
        self._answers = answers_in(recorded)
        self._journal = journal
        self._times = times
        self._aside = aside
        self._waiting: list[Event] = []
        self._take_changes()
        self._writing = asyncio.Lock()  # one reply after another

    @property
    def replaying(self) -> bool:
        """Whether more is recorded than was read again."""
        return len(self.lines) < len(self._recorded)

    def tell(self, events: Sequence[Event]) -> None:
        """Events that the interpreter derived: compared with those recorded, or kept for the next write."""
        for event in events:
            line = EventLine(len(self.lines) + 1, event)
            if not self.replaying:
                self._waiting.append(event)
                line = self._kept(line)
            elif self._recorded[len(self.lines)] != line:
                raise Diverged(line.n)
            self.lines.append(line)

    def _kept(self, line: EventLine) -> EventLine:
        if self._journal is None or not isinstance(line.event, Asked):
            return line
        return EventLine(line.n, line.event.model_copy(update={"added": (), "shown": {}}))

    def recall(self, requests: Sequence[Asking]) -> list[Reply | None]:
        """The recorded replies to requests made at once; None for those that were not answered."""
        replies = [self._answers.get(request.id) for request in requests]
        for request, reply in zip(requests, replies, strict=True):
            if reply is not None:
                self._answered(request, reply)
        if None in replies and self.replaying:
            raise Diverged(len(self.lines) + 1)
        return replies

    async def record(self, request: Asking, reply: Reply, seconds: float) -> None:
        """A new reply: durable, with the events before it, when this returns, or raises because it was cancelled
        meanwhile."""
        if self._journal is None:
            self._answered(request, reply)
        elif self._aside:
            await _undisturbed(self._written_aside(self._journal, request, reply, seconds))
        else:
            self._journal.write(tuple(self._waiting), (request.id, reply))
            self._written(self._journal, request, reply, seconds)

    async def _written_aside(self, journal: Journal, request: Asking, reply: Reply, seconds: float) -> None:
        async with self._writing:
            if commit := journal.prepared(tuple(self._waiting), (request.id, reply)):
                await GroupCommit.here().carry(commit)
            self._written(journal, request, reply, seconds)

    def _written(self, journal: Journal, request: Asking, reply: Reply, seconds: float) -> None:
        self._waiting.clear()
        if self._times is not None:
            self._times.note(journal.n, seconds)
        self._answered(request, reply)

    def failed(self, request: Asking, kind: str, seconds: float) -> None:
        """Nobody answered. No part of the journal: the request is made anew when the run is gone on with."""
        if self._times is not None:
            self._times.failed(request.id, request.role if isinstance(request, Request) else "", kind, seconds)

    def _answered(self, request: Asking, reply: Reply) -> None:
        self.lines.append(AnswerLine(len(self.lines) + 1, request.id, reply))
        self._take_changes()

    def _take_changes(self) -> None:
        """Changes tell nothing of what happened: the game was begun with them."""
        while self.replaying and isinstance(line := self._recorded[len(self.lines)], ChangeLine):
            self.lines.append(line)

    def close(self, over: bool) -> None:
        """Write the events that no answer followed. Raises Diverged when the game is over and more is recorded."""
        if over and self.replaying:
            raise Diverged(len(self.lines) + 1)
        if self._journal is not None and self._waiting:
            self._journal.write(tuple(self._waiting))
        self._waiting.clear()


async def _undisturbed(work: Coroutine[Any, Any, None]) -> None:
    """Wait for what must not be left half done; cancelled meanwhile, raise when it is done."""
    task, cancelled = asyncio.ensure_future(work), False
    while not task.done():
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError:
            cancelled = True
    task.result()
    if cancelled:
        raise asyncio.CancelledError


@immutable
class Finished:
    """How a game stands; `look` gives a person's view there."""

    status: OutcomeStatus
    place: str
    look: Callable[[str], Any]


async def nowhere(_: Errand) -> Reply:
    """Where no library is at hand, an errand brings nothing back."""
    return Reply(text='{"found": []}')


async def play_through(
    game: Game,
    log: ReplayLog,
    answer: Answer | None,
    watch: Watch,
    carry: Carry = nowhere,
    *,
    early: EarlyAnswers | None = None,
    halting: bool = True,
) -> Finished:
    """Play until the interpreter returns; `carry` does the errands, `early` asks what can be asked before its turn.

    `halting`: stop before a question that was asked in vain and on which all hangs, unless a run begins anew with it.

    Raises Diverged, NoAnswer, and whatever `answer` raises (resumable).
    """

    ask = _GameAnswers(answer, carry, watch, early, halting)
    replies: tuple[Reply, ...] | None = None
    while True:
        try:
            turn = next(game) if replies is None else game.send(replies)
        except StopIteration as done:
            outcome: Outcome = done.value
            _tell(outcome.events, log, watch)
            log.close(over=outcome.status == "ended")
            return Finished(outcome.status, outcome.place, outcome.look)
        _tell(turn.events, log, watch)
        ask.ahead = turn.ahead
        replies = await _answered(turn.requests, log, ask)
        await asyncio.sleep(0)  # actors that never wait would keep Ctrl-C from being heard


@dataclass(slots=True)
class _GameAnswers:
    """Gets the replies of one game, each with the seconds that it took; `ahead`: what will be asked next."""

    answer: Answer | None
    carry: Carry
    watch: Watch
    early: EarlyAnswers | None
    halting: bool
    ahead: Callable[[], tuple[Request, ...]] = tuple
    asked: int = 0

    async def __call__(self, request: Asking) -> tuple[Reply, float]:
        begun = time.perf_counter()
        if self.answer is None:
            raise NoAnswer(request)
        if isinstance(request, Request) and request.halts and self.halting and self.asked:
            raise ModelFailed("malformed", _undecided(request))
        self.asked += 1
        if isinstance(request, Errand):
            return cleaned(await self.carry(request)), time.perf_counter() - begun
        self.watch(request)
        if self.early is not None:
            self.early.begin(self.ahead)
            if arrived := await self.early.take(request):
                return arrived.reply, arrived.seconds
        return cleaned(await self.answer(request)), time.perf_counter() - begun


def _undecided(request: Request) -> Diagnostic:
    wanted = request.form.answer
    name = wanted.called if wanted is not None else ""
    return diagnose.undecided_question(Span("", 0, 0), speaker=request.speaker, name=name)


def _tell(events: Sequence[Event], log: ReplayLog, watch: Watch) -> None:
    log.tell(events)
    for event in events:
        watch(event)


async def _answered(requests: tuple[Asking, ...], log: ReplayLog, ask: Ask) -> tuple[Reply, ...]:
    """Replies in the order of the requests; those asked at once come in any order and are recorded as they come."""
    replies = log.recall(requests)
    missing = [index for index, reply in enumerate(replies) if reply is None]

    async def answered(index: int) -> None:
        request = requests[index]
        begun = time.perf_counter()
        try:
            reply, seconds = await ask(request)
        except ModelFailed as error:
            log.failed(request, error.kind, time.perf_counter() - begun)
            raise
        await log.record(request, reply, seconds)
        replies[index] = reply

    if len(missing) == 1:
        await answered(missing[0])
    elif missing:
        try:
            async with asyncio.TaskGroup() as group:
                for index in missing:
                    group.create_task(answered(index))
        except BaseExceptionGroup as failed:  # the first says why; answers that came are recorded
            raise failed.exceptions[0] from None
    return tuple(reply for reply in replies if reply is not None)


def ignore(_: Event | Request) -> None:
    """Watch nothing."""


def replayed(game: Game, log: ReplayLog, watch: Watch = ignore) -> Finished | Asking:
    """The log alone played again: how it stands, or the request that it has no answer to."""
    try:
        return asyncio.run(play_through(game, log, None, watch))
    except NoAnswer as waiting:
        return waiting.request
