"""What calls keep to: a minute's requests and tokens, calls at once, a budget, a provider's Retry-After."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest
from conftest import Serve
from loopback import Call, fail, say

from legalworld.batch.limit_words import limits_of
from legalworld.model.events import Message, Reply
from legalworld.model.procedure import ModelDefaults
from legalworld.models.endpoint import Endpoint
from legalworld.models.failures import ModelFailed
from legalworld.models.limits import MINUTE, Budget, Gate, Limits, RateLimit
from legalworld.models.litellm_client import Models
from legalworld.models.prices import Price, Spent, price_of


class Clock:
    """Time that passes when everybody sleeps, and not else."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleeping: list[tuple[float, int, asyncio.Future[None]]] = []

    async def sleep(self, seconds: float) -> None:
        waking: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleeping.append((self.now + seconds, len(self._sleeping), waking))
        await waking

    async def run(self, *work: Coroutine[Any, Any, None]) -> None:
        tasks = [asyncio.create_task(one) for one in work]
        while not all(task.done() for task in tasks):
            for _ in range(50):
                await asyncio.sleep(0)
            if self._sleeping and not all(task.done() for task in tasks):
                self._sleeping.sort(key=lambda one: one[:2])
                self.now, _, waking = self._sleeping.pop(0)
                waking.set_result(None)
        await asyncio.gather(*tasks)


Begin = Callable[..., tuple[Gate, Clock]]


@pytest.fixture
def begin() -> Begin:
    def made(**given: Any) -> tuple[Gate, Clock]:
        clock = Clock()
        return Gate(Limits(**given), now=lambda: clock.now, sleep=clock.sleep), clock

    return made


def test_no_minute_holds_more_requests_than_are_allowed(begin: Begin) -> None:
    times: list[float] = []

    async def all_calls() -> None:
        gate, clock = begin(rates={"openai": RateLimit(requests=7)})

        async def call() -> None:
            async with gate.admitted("openai/clerk"):
                times.append(clock.now)

        await clock.run(*(call() for _ in range(40)))

    asyncio.run(all_calls())
    assert len(times) == 40 and times == sorted(times)
    assert all(later - first >= MINUTE for first, later in zip(times, times[7:], strict=False))
    assert times[:7] == [0.0] * 7 and times[-1] == 5 * MINUTE  # and no slower than that


def test_tokens_are_counted_as_they_turn_out_to_be(begin: Begin) -> None:
    """Each call is taken for 400 tokens of output; the replies have 100: ten go through in a minute, not two."""
    times: list[float] = []

    async def all_calls() -> None:
        gate, clock = begin(rates={"": RateLimit(tokens=1000)})

        async def call() -> None:
            async with gate.admitted("openai/clerk", 0.0) as admitted:
                times.append(clock.now)
                gate.spent(admitted, "openai/clerk", Reply(text="x", prompt_tokens=0, completion_tokens=100))

        await clock.run(*(call() for _ in range(20)))

    asyncio.run(all_calls())
    assert [times.count(when) for when in dict.fromkeys(times)] == [10, 10]


def test_a_call_larger_than_the_limit_goes_alone(begin: Begin) -> None:
    times: list[float] = []

    async def all_calls() -> None:
        gate, clock = begin(rates={"": RateLimit(tokens=1000)})

        async def call(tokens: float) -> None:
            async with gate.admitted("openai/clerk", tokens):
                times.append(clock.now)

        await clock.run(call(100), call(5000), call(100))

    asyncio.run(all_calls())
    assert times == [0.0, MINUTE, 2 * MINUTE]


def test_calls_at_once_and_whom_a_limit_is_for(begin: Begin) -> None:
    most: dict[str, int] = {"openai/clerk": 0, "deepseek/chat": 0}

    async def all_calls() -> None:
        gate, clock = begin(rates={"openai": RateLimit(calls=3)})
        out = dict.fromkeys(most, 0)

        async def call(model: str) -> None:
            async with gate.admitted(model):
                out[model] += 1
                most[model] = max(most[model], out[model])
                await clock.sleep(1.0)
                out[model] -= 1

        await clock.run(*(call(model) for model in most for _ in range(12)))

    asyncio.run(all_calls())
    assert most == {"openai/clerk": 3, "deepseek/chat": 12}


def test_who_waits_for_a_provider_does_not_come_back_in_the_same_moment(begin: Begin) -> None:
    times: list[float] = []

    async def all_calls() -> None:
        gate, clock = begin()
        gate.rest("openai/clerk", 30.0)

        async def call() -> None:
            async with gate.admitted("openai/clerk"):
                times.append(clock.now)

        await clock.run(*(call() for _ in range(5)))

    asyncio.run(all_calls())
    assert len(set(times)) == 5 and all(30.0 <= when < 31.0 for when in times)


def test_a_spent_budget_lets_no_call_through() -> None:
    gate = Gate(Limits(budget=Budget(tokens=150)))

    async def call() -> None:
        async with gate.admitted("openai/clerk") as admitted:
            gate.spent(admitted, "openai/clerk", Reply(text="x", prompt_tokens=90, completion_tokens=10))

    asyncio.run(call())
    assert not gate.exhausted
    asyncio.run(call())
    assert gate.exhausted
    with pytest.raises(ModelFailed) as failed:
        asyncio.run(call())
    assert (failed.value.kind, failed.value.problem.code) == ("budget", "LW178")
    assert (gate.total.calls, gate.total.tokens) == (2, 200)


def test_shares_add_up_and_each_can_make_a_call() -> None:
    limits = Limits({"openai": RateLimit(requests=7, tokens=1000, calls=5)}, Budget(tokens=9))
    assert limits.widest == 5
    shares = [limits.share(number, 3).rates["openai"] for number in range(3)]
    assert [share.requests for share in shares] == [3, 2, 2]
    assert sum(share.tokens for share in shares) == 1000 and [share.calls for share in shares] == [2, 2, 1]


# ---- money -----------------------------------------------------------------------------------------------------------


def test_prices_come_from_the_list_or_the_command() -> None:
    known = price_of("openai/gpt-4o")
    assert known is not None
    assert known.of(1000, 0, 100) == pytest.approx(0.0035)
    assert known.of(1000, 1000, 0) == pytest.approx(0.00125)  # what the provider had kept is half the price
    assert price_of("openai/clerk") is None
    assert price_of("openai/clerk", named={"openai/clerk": Price(1.0, 0.5, 2.0)}) == Price(1.0, 0.5, 2.0)


def test_words_of_limits() -> None:
    limits = limits_of(
        ("openai=requests:60", "openai=tokens:1.5M", "calls:9"), ("dollars:0.5",), ("a/b=1/0.5/2", "c/d=1/3")
    )
    assert not isinstance(limits, tuple)
    assert limits.rates == {"openai": RateLimit(requests=60, tokens=1_500_000), "": RateLimit(calls=9)}
    assert limits.budget == Budget(dollars=0.5)
    assert limits.prices == {"a/b": Price(1e-6, 5e-7, 2e-6), "c/d": Price(1e-6, 1e-6, 3e-6)}


@pytest.mark.parametrize(
    "word", ["", "60", "requests:", "requests:0", "requests:-1", "rpm:60", "openai=60", "requests:1e9"]
)
def test_what_is_no_limit(word: str) -> None:
    found = limits_of((word,), (word,), ())
    assert isinstance(found, tuple) and [problem.code for problem in found] == ["LW507", "LW507"]


@pytest.mark.parametrize("word", ["", "a", "a=1", "a=1/x", "=1/2", "a=1/2/3/4", "a=1//2"])
def test_what_is_no_price(word: str) -> None:
    found = limits_of((), (), (word,))
    assert isinstance(found, tuple) and [problem.code for problem in found] == ["LW540"]


# ---- on the wire -----------------------------------------------------------------------------------------------------


def test_a_call_is_counted_with_what_the_provider_had_kept(serve: Serve, no_keys: None) -> None:
    import json

    body = json.loads(say("好").body)
    body["usage"] = {"prompt_tokens": 100, "completion_tokens": 5, "prompt_tokens_details": {"cached_tokens": 64}}
    from loopback import raw

    server = serve(lambda _: raw(json.dumps(body)))
    gate = Gate(Limits(prices={"openai/clerk": Price(1.0, 0.1, 2.0)}))

    async def call() -> Reply:
        async with Models(gate=gate) as models:
            message = (Message(role="user", content="?"),)
            return await models.complete(Endpoint("openai/clerk"), message, ModelDefaults(), seed=0)

    reply = asyncio.run(call())
    assert reply.cached_tokens == 64 and len(server.calls) == 1
    assert gate.total == Spent(1, 100, 64, 5, pytest.approx(36 + 6.4 + 10))  # type: ignore[arg-type]


def test_waiting_for_a_limit_is_no_part_of_the_deadline(serve: Serve, no_keys: None) -> None:
    """One call at once, each of 0.8 s, five of them, with a deadline of three seconds each: none is late."""
    from dataclasses import replace

    serve(lambda _: replace(say("好"), pause=0.8))
    gate = Gate(Limits({"": RateLimit(calls=1)}))

    async def calls() -> list[Reply]:
        async with Models(gate=gate) as models:
            message = (Message(role="user", content="?"),)
            endpoint = Endpoint("openai/clerk", deadline=3.0, attempts=1)
            await models.complete(Endpoint("openai/clerk"), message, ModelDefaults(), seed=0)  # litellm is imported
            calling = (models.complete(endpoint, message, ModelDefaults(), seed=0) for _ in range(5))
            return await asyncio.gather(*calling)

    assert [reply.text for reply in asyncio.run(calls())] == ["好"] * 5


def test_a_retry_after_holds_for_all_who_call_the_model(serve: Serve, no_keys: None) -> None:
    def script(call: Call) -> Any:
        return fail(429, headers={"Retry-After": "1"}) if call.number == 1 else say("好")

    server = serve(script)
    gate = Gate(Limits())
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)
        await asyncio.sleep(seconds)

    gate._sleep = sleep

    async def calls() -> None:
        async with Models(gate=gate, delay=0.0) as models:
            message = (Message(role="user", content="?"),)
            first = asyncio.create_task(models.complete(Endpoint("openai/clerk"), message, ModelDefaults(), seed=0))
            while not gate._resting:
                await asyncio.sleep(0.01)
            others = [models.complete(Endpoint("openai/clerk"), message, ModelDefaults(), seed=0) for _ in range(3)]
            await asyncio.gather(first, *others)

    asyncio.run(calls())
    assert len(server.calls) == 5 and len(waited) >= 3 and all(0 < seconds < 2.1 for seconds in waited)
