"""The live backbone: a language model called through litellm, with our own attempts, deadline and failures.

    async with Models() as models:                      # asyncio.run only; leaving closes every connection
        reply = await models.complete(Endpoint("openai/clerk"), messages, defaults, seed=7)

litellm takes seconds and 160 MB to import: the first call imports it, nothing before. Keys come from the environment
variables that litellm documents (`OPENAI_API_KEY`, `DASHSCOPE_API_KEY`, ...), addresses from those that are named after
the provider (see `addresses`), else from those that litellm documents.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from hashlib import blake2b
from typing import Any, Self

from ..language import diagnose
from ..model.dialect import Dialect
from ..model.events import Message, Offer, Reply
from ..model.procedure import ModelDefaults
from .addresses import Access, is_address, is_loopback, named_addresses
from .answers import reply_of, unsaid
from .chat_request import ChatRequest, chat_request
from .content_parts import put_together
from .direct_call import UNAVAILABLE, Call, below, hooked, program_error
from .endpoint import Endpoint
from .failures import Failure, ModelFailed, failure_of
from .habits import Adjustment, Habits, Trial
from .limits import UNLIMITED, Gate
from .prices import likely_tokens, route_of
from .providers import passes_over_addresses
from .refusals import broken_off, refused_in
from .stream import NOTHING, Hear, heard, unheard
from .thoughts_back import given_with
from .wire import EXCHANGE, Exchange, http_client, litellm_version, quiet_litellm, replaying_client

Hearing = tuple[Hear | None, Dialect]  # who is told of the words as they come, and the marks in them
SDK_ROUTES = ("azure", "azure_text", "text-completion-openai", "text-completion-inception")  # take no client of ours
STRAYING = ("hosted_vllm", "lm_studio", "litellm_proxy", "ai21", "custom_openai")  # without an address: api.openai.com


def _too_late(endpoint: Endpoint, attempts: int) -> ModelFailed:
    model, seconds = endpoint.called, f"{endpoint.deadline:g}"
    return ModelFailed(
        "deadline", diagnose.model_deadline_exceeded(model, model=model, seconds=seconds, attempts=attempts)
    )


async def complete(endpoint: Endpoint, messages: Sequence[Message], defaults: ModelDefaults, *, seed: int) -> Reply:
    """One call with connections of its own. See `Models.complete`."""
    async with Models() as models:
        return await models.complete(endpoint, messages, defaults, seed=seed)


def refusal(endpoint: Endpoint) -> ModelFailed | None:
    """Why no request to this model can be made: no provider, no key, no address. Found without one."""
    try:
        access(endpoint)
    except ModelFailed as failed:
        return failed
    return None


class Models:
    """What the calls of one event loop share: connections and what was found out about each model.

    `delay`: seconds before the second attempt, doubled before the third; `patience`: most seconds that a provider's
    Retry-After is obeyed; `gate`: the limits that these calls keep to, together with those of others. `notice`: told
    once of each parameter that a model's server does not take as it was set.
    """

    def __init__(self, *, delay: float = 1.0, patience: float = 60.0, gate: Gate | None = None) -> None:
        self.notice: Callable[[Adjustment], None] = lambda _: None
        self._delay = delay
        self._gate = gate or Gate(UNLIMITED)
        self._patience = patience
        self._client: Any = None
        self._options: dict[str, dict[str, Any]] = {}
        self._noticed: set[tuple[str, str]] = set()
        self._indirect: dict[str, str] = {}  # model -> why litellm's public function is called for it

    @property
    def gate(self) -> Gate:
        """The limits that the calls keep to, and what they have taken."""
        return self._gate

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._client is not None:
            await self._client.close()
            self._client = None
            self._options.clear()
            await quiet_litellm().close_litellm_async_clients()  # those of providers that take no client of ours

    async def complete(
        self,
        endpoint: Endpoint,
        messages: Sequence[Message],
        defaults: ModelDefaults,
        *,
        seed: int,
        tools: Sequence[Offer] = (),
        schema: Mapping[str, Any] | None = None,
        hear: Hear | None = None,
    ) -> Reply:
        """The reply to a thread; of each message only what a model is to read is sent. `seed` spreads the pauses.

        `schema`: JSON Schema of the reply; a model whose server takes none is asked without. `hear`: told of the words
        as they come, again from the start with each attempt; a server that does not stream is heard at the end.

        Raises ModelFailed after `endpoint.attempts` transient failures, at once after any other, and when
        `endpoint.deadline` has passed, not counting the time for which limits had it wait; cancelling closes the
        connection. A request refused for what can be sent otherwise is made anew, which is no attempt.
        """
        request = chat_request(endpoint, messages, defaults, tools, schema=schema)
        trial = request.trial(self._gate.habits.setdefault(endpoint.called, Habits()))
        attempt = 0
        try:
            async with asyncio.timeout(endpoint.deadline) as limit:
                while True:
                    attempt += 1
                    streaming = (hear or unheard) if request.streams(trial.habits, hear is not None) else None
                    outcome = await self._admitted(request, trial.habits, streaming, limit)
                    if isinstance(outcome, Reply):
                        self._learn(request, trial)
                        return outcome
                    if _otherwise(endpoint, trial, outcome, streaming is not None):
                        attempt -= 1
                        continue
                    pause = self._pause(outcome, attempt, seed)
                    in_vain = asyncio.get_running_loop().time() + pause > (limit.when() or 0.0)
                    if not outcome.again or attempt >= endpoint.attempts or in_vain:
                        raise outcome.raised(endpoint.called, attempt)
                    await asyncio.sleep(pause)
                    if streaming is not None:
                        streaming(None)
        except TimeoutError:
            raise _too_late(endpoint, attempt) from None

    def _learn(self, request: ChatRequest, trial: Trial) -> None:
        """Keep what led to an answer, and tell of each parameter that is not sent as it was set."""
        habits, model = self._gate.habits[request.endpoint.called], request.endpoint.called
        adjusted = {**habits.adjusted, **trial.habits.adjusted}
        told = list(adjusted.values())
        if trial.habits.room is not None:
            told.append(Adjustment(model, "max_tokens", "at_most", trial.habits.room, trial.last))
        self._gate.habits[model] = replace(trial.habits, adjusted=adjusted, room=None)
        if (fault := self._indirect.get(model)) is not None and (model, "litellm") not in self._noticed:
            self._noticed.add((model, "litellm"))
            self.notice(Adjustment(model, "litellm", "called_publicly", litellm_version(), fault))
        for adjustment in told:
            key = (model, adjustment.parameter)
            sent = adjustment.parameter in trial.set_ or (adjustment.action == "merged" and trial.system)
            if sent and key not in self._noticed:
                self._noticed.add(key)
                self.notice(adjustment)

    async def _admitted(
        self, request: ChatRequest, habits: Habits, hear: Hear | None, limit: asyncio.Timeout
    ) -> Reply | Failure:
        """One attempt, when the limits allow it. A provider's Retry-After holds for all who call the model."""
        gate, loop, until = self._gate, asyncio.get_running_loop(), limit.when() or 0.0
        model, arguments = request.endpoint.called, request.arguments(habits, hear is not None)
        arguments |= self._option(request.endpoint)
        tokens = sum(likely_tokens(m["content"] or "") for m in arguments["messages"]) if gate.counts_tokens else 0.0
        begun = loop.time()
        limit.reschedule(None)
        async with gate.admitted(model, tokens) as call:
            limit.reschedule(until + loop.time() - begun)
            outcome = await self._attempt(request, arguments, hear)
            if isinstance(outcome, Reply):
                gate.spent(call, model, outcome)
            elif outcome.after:
                gate.rest(model, min(outcome.after, self._patience))
            return outcome

    async def _attempt(self, request: ChatRequest, arguments: dict[str, Any], hear: Hear | None) -> Reply | Failure:
        exchange = Exchange(address=arguments.get("api_base", ""))
        noted = EXCHANGE.set(exchange)
        try:
            answer = await self._answer(request, arguments, hear, exchange)
            if (said_no := refused_in(answer, exchange)) is not None:
                return said_no
            thread = request.thread
            reply = reply_of(answer, thread, request.endpoint.model, request.endpoint.marks)
            reply = reply.model_copy(update={"cut": broken_off(answer, exchange)})
            return unsaid(reply, answer, thread) or _kept_with(reply, answer, request)
        except Exception as error:  # a broken answer lets IndexError, KeyError and the like out of litellm
            return failure_of(error, exchange, request.endpoint.wordings)
        finally:
            EXCHANGE.reset(noted)

    async def _answer(
        self, request: ChatRequest, arguments: dict[str, Any], hear: Hear | None, exchange: Exchange
    ) -> Any:
        """The answer, streamed where somebody hears it, under litellm's names.

        Where litellm fails below its wrapper by an error of a program, its public function is given what the server
        answered, or makes the request that was not made: it tells whose fault that was.
        """
        model, public = request.endpoint.called, quiet_litellm().acompletion
        direct = None if model in self._indirect else self._direct(model, arguments)
        hearing = (hear, request.endpoint.marks)
        try:
            return await _answered(direct or public, arguments, hearing, exchange)
        except Exception as error:
            fault = program_error(error)
            if direct is None or exchange.strayed or fault is None:
                raise
            answer = await self._again(public, arguments, hearing, exchange)
            if answer is None:
                raise
            self._indirect[model] = fault
            return answer

    async def _again(self, public: Call, arguments: dict[str, Any], hearing: Hearing, exchange: Exchange) -> Any:
        """The answer by the public function, with no request beyond the one that was made; None where it has none."""
        client = replaying_client(exchange) if exchange.begun else arguments["client"]
        try:
            if hearing[0] is not None:
                hearing[0](None)
            return await _answered(public, {**arguments, "client": client}, hearing, exchange)
        except Exception:
            return None

    def _direct(self, model: str, arguments: Mapping[str, Any]) -> Call | None:
        """How litellm is called below its wrapper; None where it cannot be, or the wrapper is needed."""
        if "client" not in arguments or hooked():
            return None
        if (direct := below()) is None:
            self._indirect[model] = UNAVAILABLE
        return direct

    def _pause(self, failure: Failure, attempt: int, seed: int) -> float:
        """Seconds before the next attempt: exponential, 0.5 to 1.5 times by seed, no less than Retry-After."""
        digest = blake2b(f"{seed} {attempt}".encode(), digest_size=8).digest()
        share = 0.5 + int.from_bytes(digest) / 2**64
        backoff: float = self._delay * 2 ** (attempt - 1) * share
        return max(backoff, min(failure.after, self._patience))

    def _option(self, endpoint: Endpoint) -> dict[str, Any]:
        """What this model's calls need beside the request: our client, an address, a key."""
        called = endpoint.called
        if called not in self._options:
            way = access(endpoint)
            option: dict[str, Any] = way.options
            if self._client is None:
                self._client = http_client()
            if way.provider not in SDK_ROUTES:
                option["client"] = self._client
            self._options[called] = option
        return self._options[called]


async def _answered(call: Call, arguments: Mapping[str, Any], hearing: Hearing, exchange: Exchange) -> Any:
    """What a function of litellm's answers, put together where it comes in pieces."""
    hear, marks = hearing
    if hear is not None:
        async with aclosing(await call(**arguments)) as stream:
            return put_together(await heard(stream, hear, marks), exchange)
    try:
        return await call(**arguments)
    except Exception:
        if (answer := put_together(None, exchange)) is None:
            raise
        return answer


def _otherwise(endpoint: Endpoint, trial: Trial, outcome: Failure, streaming: bool) -> bool:
    """Whether the call is to be made in another way, because its server does not take this one.

    A server may also pass over that a stream was asked for, and answer in one piece.
    """
    if streaming and outcome.detail == NOTHING and trial.habits.stream is not False:
        trial.habits.stream = False
        return True
    said = outcome.complaint
    return said is not None and trial.otherwise(said, said.kind(endpoint.wordings), streaming)


def _kept_with(reply: Reply, answer: Any, request: ChatRequest) -> Reply:
    """The reply with what goes back to its model beside the calls."""
    ids = [call.id for call in reply.calls]
    given = given_with(answer.choices[0].message, ids, request.endpoint.model, request.provider)
    return reply.model_copy(update={"provider_data": given}) if given else reply


def native(model: str) -> bool:
    """Whether a model is to call tools by itself: as litellm's bundled table has it; where it does not know the model,
    whether the provider talks as OpenAI does. Only the table is asked: for Ollama, litellm would ask a server."""
    litellm = quiet_litellm()
    if (route := route_of(model)) is None:
        return False
    asked, provider, _, _ = route
    for name in (model, f"{provider}/{asked}", asked):
        known = litellm.model_cost.get(name, {})
        if str(known.get("litellm_provider", "")).startswith(provider):
            return bool(known.get("supports_function_calling"))
    return provider in ("openai", "custom_openai", *litellm.openai_compatible_providers)


def access(endpoint: Endpoint) -> Access:
    """How a model is reached. Raises ModelFailed(config) before any request."""
    model = endpoint.model
    if (route := route_of(model)) is None:
        raise ModelFailed("config", diagnose.unknown_provider(model, model=model))
    _, provider, key, found = route
    address = _address(endpoint, provider, found or "")
    if address and passes_over_addresses(provider):
        raise ModelFailed("config", diagnose.strayed_request(endpoint.called, model=endpoint.called, detail=provider))
    if endpoint.key_variable or endpoint.address:
        return Access(provider, _named_key(endpoint), address)
    variable = f"{provider.upper()}_API_KEY"
    value = os.environ.get(variable, "")
    if not (value.isascii() and value.isprintable()):
        raise ModelFailed("config", diagnose.invalid_api_key(model, model=model, variable=variable))
    missing = quiet_litellm().validate_environment(model)["missing_keys"]
    if variable in os.environ and not value.strip():
        missing = [variable]
    # Only where a key is all that it takes: other providers also accept roles, tokens or local accounts.
    if (key or "").strip() or not missing or not all(name.endswith("_API_KEY") for name in missing):
        return Access(provider, "", address)
    if is_loopback(address or found or ""):
        return Access(provider, "none", address)
    raise ModelFailed("config", diagnose.missing_api_key(model, model=model, variable=" / ".join(missing)))


def _address(endpoint: Endpoint, provider: str, found: str) -> str:
    """Where the requests must go, as the user says; "" where he says nothing and litellm knows an address."""
    name = endpoint.called
    if endpoint.address:
        if not is_address(endpoint.address):
            raise ModelFailed("config", diagnose.invalid_api_address(name, model=name, variable="address"))
        return endpoint.address
    named = named_addresses(endpoint.model, provider, found)
    if len(named) > 1:
        variables = " / ".join(named)
        raise ModelFailed("config", diagnose.conflicting_api_addresses(name, model=name, variable=variables))
    variable, address = next(iter(named.items()), (f"{provider.upper()}_API_BASE", ""))
    base = address if named else found
    if (named or base or provider in STRAYING) and not is_address(base):
        raise ModelFailed("config", diagnose.invalid_api_address(name, model=name, variable=variable))
    return address


def _named_key(endpoint: Endpoint) -> str:
    """The key that a person's own variable holds. To an address of his own no other key is sent."""
    name, variable = endpoint.called, endpoint.key_variable
    if not variable:
        return "none"
    value = os.environ.get(variable, "").strip()
    if not (value.isascii() and value.isprintable()):
        raise ModelFailed("config", diagnose.invalid_api_key(name, model=name, variable=variable))
    if not value:
        raise ModelFailed("config", diagnose.missing_api_key(name, model=name, variable=variable))
    return value
