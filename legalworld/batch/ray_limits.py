"""The limits of a batch on a Ray cluster: one actor holds them for all, and each worker has a gate that asks it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from ..model.events import Reply
from ..models.failures import ModelFailed
from ..models.limits import Admitted, Gate
from ..models.prices import Spent
from .play import Batch, Begun, gate_of


@dataclass(slots=True)
class _Held:
    """A call that waits for its turn, or is being made: by which worker, and how it is let go."""

    worker: str
    task: Any
    context: AbstractAsyncContextManager[Admitted] | None = None
    call: Admitted | None = None


class Board:
    """The actor: who may call, what was spent, and what the workers tell. What a lost worker held is let go."""

    def __init__(self, batch: Batch) -> None:
        self._gate = gate_of(batch, self._spent)
        self._held: dict[str, _Held] = {}
        self._lost: set[str] = set()
        self._news: list[Begun | Spent] = []

    def _spent(self, took: Begun | Spent) -> None:
        self._news.append(took)

    async def enter(self, ticket: str, worker: str, model: str, tokens: float) -> bool:
        """Wait until a call may be made; whether it may be. It may not when the budget is spent, or the worker was
        given up: what it held would never be let go of."""
        if worker in self._lost:
            return False
        held = self._held[ticket] = _Held(worker, asyncio.current_task())
        context = self._gate.admitted(model, tokens)
        try:
            held.call = await context.__aenter__()
        except BaseException as error:
            self._held.pop(ticket, None)
            if isinstance(error, ModelFailed | asyncio.CancelledError):
                return False
            raise
        held.context, held.task = context, None
        return True

    async def leave(self, ticket: str) -> None:
        """A call is over, or nobody waits for it any more."""
        held = self._held.pop(ticket, None)
        if held is None:
            return
        if held.context is not None:
            await held.context.__aexit__(None, None, None)
        elif held.task is not None:
            held.task.cancel()

    async def spent(self, ticket: str, model: str, reply: Reply) -> None:
        held = self._held.get(ticket)
        self._gate.spent(held.call if held is not None and held.call is not None else Admitted(), model, reply)

    async def rest(self, model: str, seconds: float) -> None:
        self._gate.rest(model, seconds)

    async def forget(self, worker: str) -> None:
        """A worker is lost: its calls are over, and it makes no more, should it still be at work somewhere."""
        self._lost.add(worker)
        for ticket in [ticket for ticket, held in self._held.items() if held.worker == worker]:
            await self.leave(ticket)

    async def tell(self, event: Begun | Spent) -> None:
        self._news.append(event)

    async def news(self) -> tuple[list[Begun | Spent], bool]:
        """What was told since the last time, and whether nothing more may be spent."""
        news, self._news = self._news, []
        return news, self._gate.exhausted


class _Ticket(Admitted):
    """A call that the board admitted."""

    def __init__(self) -> None:
        super().__init__()
        self.name = uuid4().hex


class BoardGate(Gate):
    """The gate of a worker: it asks the board."""

    def __init__(self, batch: Batch, board: Any, worker: str, tell: Callable[[Spent], None] = lambda _: None) -> None:
        super().__init__(batch.limits, tell, attempts=batch.attempts)
        self._board, self._worker = board, worker

    @asynccontextmanager
    async def admitted(self, model: str, tokens: float = 0.0) -> AsyncIterator[Admitted]:
        ticket = _Ticket()
        try:
            if not await self._board.enter.remote(ticket.name, self._worker, model, tokens):
                self.closed = True
            self._within_budget(model)
            yield ticket
        finally:
            self._board.leave.remote(ticket.name)

    def spent(self, call: Admitted, model: str, reply: Reply) -> None:
        assert isinstance(call, _Ticket)
        self._board.spent.remote(call.name, model, reply)

    def rest(self, model: str, seconds: float) -> None:
        self._board.rest.remote(model, seconds)
