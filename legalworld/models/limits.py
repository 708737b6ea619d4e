"""How much models are called: requests and tokens a minute, calls at once, and what may be spent in all.

    gate = Gate(limits)
    async with gate.admitted("deepseek/deepseek-chat", tokens=900) as call:     # waits for its turn
        ...
        gate.spent(call, "deepseek/deepseek-chat", reply)

A minute is any 60 seconds, as providers count it; a bucket that fills as it leaks would let nearly twice as many
through in the first one. Who waits is served in the order of asking.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from ..language import diagnose
from ..model.events import Reply
from ..model.immutable import immutable
from .failures import ModelFailed
from .habits import Habits
from .prices import Price, Spent, price_of

MINUTE: Final = 60.0
OUTPUT: Final = 400  # tokens that a reply is taken to have before any reply was seen
_SPREAD: Final = 0.618  # of a second between callers who waited for the same Retry-After


@immutable
class RateLimit:
    """What one provider or model takes: `requests` and `tokens` in any 60 seconds, `calls` at once; 0: no limit."""

    requests: int = 0
    tokens: int = 0
    calls: int = 0


@immutable
class Budget:
    """What may be spent in all; 0: no bound. When it is reached, calls under way are finished and no other is made."""

    tokens: int = 0
    dollars: float = 0.0

    @property
    def said(self) -> str:
        """The bounds as people read them."""
        what = f"{self.tokens:,} tokens" if self.tokens else ""
        return " / ".join(filter(None, (what, f"${self.dollars:g}" if self.dollars else ""))) or "-"


@immutable
class Limits:
    """`rates`: by model, by provider, or "" for all models together; all that fit a model hold for it.

    `prices`: of models that litellm's list has not, or has wrong. `names`: what the user calls a model -> what litellm
    does, whose limits hold for it, too.
    """

    rates: Mapping[str, RateLimit] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    prices: Mapping[str, Price] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def widest(self) -> int:
        """Among how many processes the rates can be shared, so that each may make a call; 0: any number."""
        numbers = (number for rate in self.rates.values() for number in (rate.requests, rate.tokens, rate.calls))
        return min(filter(None, numbers), default=0)

    def share(self, number: int, among: int) -> Limits:
        """What one of several processes has of the rates; the shares add up to them. The budget is the parent's."""

        def part(whole: int) -> int:
            return whole // among + (number < whole % among)

        rates = {
            name: RateLimit(part(rate.requests), part(rate.tokens), part(rate.calls))
            for name, rate in self.rates.items()
        }
        return replace(self, rates=rates, budget=Budget())


def spent_on(reply: Reply, model: str, prices: Mapping[str, Price]) -> Spent:
    """What one reply took."""
    prompt, completion = reply.prompt_tokens or 0, reply.completion_tokens or 0
    price = price_of(model, reply.model, prices) if prompt or completion else None
    dollars = price.of(prompt, reply.cached_tokens, completion) if price is not None else 0.0
    return Spent(1, prompt, reply.cached_tokens, completion, dollars)


UNLIMITED: Final = Limits()


class _Window:
    """At most `most` in any 60 seconds. What is more than that by itself goes through when nothing else did."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._taken: deque[list[float]] = deque()  # [when, how many]

    def pause(self, amount: float, now: float) -> float:
        """Seconds until so many more may go through."""
        while self._taken and self._taken[0][0] <= now - MINUTE:
            self._taken.popleft()
        over = sum(count for _, count in self._taken) + amount - self.most
        leaves = now
        for when, count in self._taken:
            if over <= 0:
                break
            over -= count
            leaves = when + MINUTE
        return leaves - now

    def take(self, amount: float, now: float) -> list[float]:
        entry = [now, amount]
        self._taken.append(entry)
        return entry


class _Door:
    """One limit as it stands. `line`: those who wait, in their order."""

    def __init__(self, rate: RateLimit) -> None:
        self.line = asyncio.Lock()
        self.room = asyncio.Semaphore(rate.calls) if rate.calls else None
        self.requests = _Window(rate.requests) if rate.requests else None
        self.tokens = _Window(rate.tokens) if rate.tokens else None

    def pause(self, tokens: float, now: float) -> float:
        return max(
            self.requests.pause(1, now) if self.requests else 0.0,
            self.tokens.pause(tokens, now) if self.tokens else 0.0,
        )

    def take(self, tokens: float, now: float) -> list[list[float]]:
        """The entries of tokens, to be corrected when it is known how many they were."""
        if self.requests:
            self.requests.take(1, now)
        return [self.tokens.take(tokens, now)] if self.tokens else []


@dataclass(slots=True)
class Admitted:
    """A call that may be made. `entries`: where its tokens are counted."""

    entries: list[list[float]] = field(default_factory=list)


class Gate:
    """What the calls of one event loop keep to. `tell`: called with what each reply took.

    `attempts`: of one call. `now` and `sleep` are the clock, for tests.
    """

    def __init__(
        self,
        limits: Limits,
        tell: Callable[[Spent], None] = lambda _: None,
        *,
        attempts: int = 3,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.limits = limits
        self.attempts = attempts
        self.total = Spent()
        self.closed = False
        self._tell = tell
        self._now = now
        self._sleep = sleep
        self._doors = {name: _Door(rate) for name, rate in limits.rates.items()}
        self._resting: dict[str, float] = {}  # model -> when it takes calls again
        self._waited = 0
        self.habits: dict[str, Habits] = {}  # of models: what one call finds out the others need not
        self._outputs: dict[str, Spent] = {}

    @property
    def counts_tokens(self) -> bool:
        """Whether anybody needs to know how long a request is before it is made."""
        return any(door.tokens for door in self._doors.values())

    @property
    def exhausted(self) -> bool:
        """Whether nothing more may be spent."""
        budget = self.limits.budget
        over_tokens = bool(budget.tokens) and self.total.tokens >= budget.tokens
        return self.closed or over_tokens or (bool(budget.dollars) and self.total.dollars >= budget.dollars)

    @asynccontextmanager
    async def admitted(self, model: str, tokens: float = 0.0) -> AsyncIterator[Admitted]:
        """Wait until a call of so many tokens may be made. Raises ModelFailed where the budget is spent."""
        self._within_budget(model)
        known = {model, self.limits.names.get(model, model)}
        doors = [door for name, door in self._doors.items() if any(_fits(name, one) for one in known)]
        if not doors and model not in self._resting:
            yield Admitted()
            return
        tokens += self._output(model)
        async with AsyncExitStack() as rooms:
            for door in doors:
                if door.room is not None:
                    await rooms.enter_async_context(door.room)
            async with AsyncExitStack() as lines:
                for door in doors:
                    await lines.enter_async_context(door.line)
                while (pause := self._pause(model, doors, tokens)) > 0:
                    await self._sleep(pause)
                now = self._now()
                entries = [entry for door in doors for entry in door.take(tokens, now)]
            self._within_budget(model)
            yield Admitted(entries)

    def spent(self, call: Admitted, model: str, reply: Reply) -> None:
        """Count what a reply took, in place of what it was thought to take."""
        took = spent_on(reply, model, self.limits.prices)
        self.total += took
        self._outputs[model] = self._outputs.get(model, Spent()) + took
        if took.tokens:
            for entry in call.entries:
                entry[1] = took.tokens
        self._tell(took)

    def rest(self, model: str, seconds: float) -> None:
        """No call to this model for so many seconds: its provider asked for them."""
        self._resting[model] = max(self._resting.get(model, 0.0), self._now() + seconds)

    def _pause(self, model: str, doors: list[_Door], tokens: float) -> float:
        now = self._now()
        pause = max((door.pause(tokens, now) for door in doors), default=0.0)
        until = self._resting.get(model)
        if until is None:
            return pause
        if until <= now:
            del self._resting[model]
            return pause
        self._waited += 1  # not all in the same moment
        return max(pause, until - now + (self._waited * _SPREAD) % 1.0)

    def _output(self, model: str) -> float:
        seen = self._outputs.get(model)
        return seen.completion / seen.calls if seen is not None else OUTPUT

    def _within_budget(self, model: str) -> None:
        if self.exhausted:
            raise ModelFailed("budget", diagnose.budget_spent("--budget", budget=self.limits.budget.said))


def _fits(name: str, model: str) -> bool:
    return not name or model == name or model.startswith(f"{name}/")
