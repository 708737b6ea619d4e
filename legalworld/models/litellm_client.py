"""The live backbone: a language model called through litellm, with our own attempts, deadline and failures.

    async with Models() as models:                      # asyncio.run only; leaving closes every connection
        reply = await models.complete(Endpoint("openai/clerk"), messages, defaults, seed=7)

litellm takes seconds and 160 MB to import: the first call imports it, nothing before. Keys and addresses come from the
environment variables that litellm documents (`OPENAI_API_KEY`, `OPENAI_API_BASE`, `DASHSCOPE_API_KEY`, ...).
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from dataclasses import replace
from hashlib import blake2b
from ipaddress import ip_address
from typing import Any, Self
from urllib.parse import urlsplit

from ..language import diagnose
from ..model.events import Message, Offer, Reply
from ..model.procedure import ModelDefaults
from . import tool_calls
from .answers import reply_of, unsaid
from .endpoint import Endpoint, parameters_of, thought_tokens
from .failures import Failure, ModelFailed, failure_of
from .limits import UNLIMITED, Gate
from .prices import likely_tokens, route_of
from .stream import NOTHING, Hear, heard
from .wire import http_client, quiet_litellm

SDK_ROUTES = ("azure", "azure_text", "text-completion-openai", "text-completion-inception")  # take no client of ours
STRAYING = ("hosted_vllm", "lm_studio", "litellm_proxy", "ai21", "custom_openai")  # without an address: api.openai.com
_STREAM = re.compile(r"\bstream", re.IGNORECASE)
_STREAMED = {"stream": True, "stream_options": {"include_usage": True}}
_EFFORTS = ((4096, "high"), (2048, "medium"))  # budgets at which litellm speaks of an effort
_SCHEMA = re.compile(r"response_?format|json_?schema|structured.?output", re.IGNORECASE)
# As which failure a server may say that it takes no tools, or no form of the reply.
_KEYWORDS = ("anthropic", "bedrock")  # providers for which litellm would send `extra_body` under that name
REFUSALS = (diagnose.unknown_model, diagnose.refused_request, diagnose.failed_service)


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
    Retry-After is obeyed; `gate`: the limits that these calls keep to, together with those of others.
    """

    def __init__(self, *, delay: float = 1.0, patience: float = 60.0, gate: Gate | None = None) -> None:
        self._delay = delay
        self._gate = gate or Gate(UNLIMITED)
        self._patience = patience
        self._client: Any = None
        self._options: dict[str, dict[str, Any]] = {}
        self._unheld: set[str] = set()
        self._unstreamed: set[str] = set()

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
        """The reply to a thread; of each message only role, content and tool calls are sent. `seed` spreads the pauses.

        `schema`: JSON Schema of the reply; a model whose server takes none is asked without. `hear`: told of the words
        as they come, again from the start with each attempt; a server that does not stream is heard at the end.

        Raises ModelFailed after `endpoint.attempts` transient failures, at once after any other, and when
        `endpoint.deadline` has passed, not counting the time for which limits had it wait; cancelling closes the
        connection.
        """
        request = self._request(endpoint, messages, defaults, tools)
        if schema is not None and endpoint.called not in self._unheld:
            form = {"name": "scores", "schema": schema, "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": form}
        attempt = 0
        try:
            async with asyncio.timeout(endpoint.deadline) as limit:
                while True:
                    attempt += 1
                    streaming = hear if endpoint.called not in self._unstreamed else None
                    outcome = await self._admitted(endpoint, request, streaming, limit)
                    if isinstance(outcome, Reply):
                        return outcome
                    if self._makes_do(endpoint, request, outcome, streaming):
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

    def _request(
        self, endpoint: Endpoint, messages: Sequence[Message], defaults: ModelDefaults, tools: Sequence[Offer]
    ) -> dict[str, Any]:
        """What litellm is called with, but for the form of the reply."""
        return {
            "model": endpoint.model,
            "messages": tool_calls.sent(messages),
            **parameters_of(endpoint, defaults),
            "timeout": endpoint.deadline + 1,  # its own timeout must not come first: it misses a body that drips
            "num_retries": 0,  # both kinds of its retries: ours are counted, journalled and seeded
            "max_retries": 0,
            "drop_params": True,  # a parameter that a model does not have (temperature of some) is left out
            **({"tools": [tool_calls.offered(tool) for tool in tools]} if tools else {}),
            **self._option(endpoint),
            **_thinking(endpoint.model, messages, thought_tokens(endpoint, defaults)),
            **body_extra(endpoint),
        }

    def _makes_do(self, endpoint: Endpoint, request: dict[str, Any], outcome: Failure, hear: Hear | None) -> bool:
        """Whether a server refused a form of the reply or a stream, without which it is to be asked from now on.

        A server may also pass over that a stream was asked for, and answer in one piece.
        """
        if hear is not None and outcome.detail == NOTHING:
            self._unstreamed.add(endpoint.called)
            return True
        if outcome.says not in REFUSALS:
            return False
        if "response_format" in request and _SCHEMA.search(outcome.detail):
            self._unheld.add(endpoint.called)  # the request itself says which JSON is wanted
            del request["response_format"]
            return True
        if hear is not None and _STREAM.search(outcome.detail):
            self._unstreamed.add(endpoint.called)
            return True
        return False

    async def _admitted(
        self, endpoint: Endpoint, request: dict[str, Any], hear: Hear | None, limit: asyncio.Timeout
    ) -> Reply | Failure:
        """One attempt, when the limits allow it. A provider's Retry-After holds for all who call the model."""
        gate, loop, until = self._gate, asyncio.get_running_loop(), limit.when() or 0.0
        tokens = sum(likely_tokens(m["content"] or "") for m in request["messages"]) if gate.counts_tokens else 0.0
        begun = loop.time()
        limit.reschedule(None)
        async with gate.admitted(endpoint.called, tokens) as call:
            limit.reschedule(until + loop.time() - begun)
            outcome = await self._attempt(endpoint, request, hear)
            if isinstance(outcome, Reply):
                gate.spent(call, endpoint.called, outcome)
            elif outcome.after:
                gate.rest(endpoint.called, min(outcome.after, self._patience))
            return outcome

    async def _attempt(self, endpoint: Endpoint, request: dict[str, Any], hear: Hear | None) -> Reply | Failure:
        try:
            if hear is not None:
                async with aclosing(await quiet_litellm().acompletion(**request, **_STREAMED)) as stream:
                    answer = await heard(stream, hear, endpoint.marks)
            else:
                answer = await quiet_litellm().acompletion(**request)
            reply = reply_of(answer, request["messages"], endpoint.model, endpoint.marks)
            return unsaid(reply, answer, request["messages"]) or reply
        except Exception as error:  # a broken answer lets IndexError, KeyError and the like out of litellm
            failed = failure_of(error)
        if "tools" not in request or failed.says not in REFUSALS:
            return failed
        no_tools = tool_calls.refused(failed.detail, plainly=failed.says is diagnose.refused_request)
        return replace(failed, kind="refused", says=diagnose.unsupported_tools, again=False) if no_tools else failed

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
            provider, key = access(endpoint)
            option: dict[str, Any] = {"api_key": key} if key else {}
            if endpoint.address:
                option["api_base"] = endpoint.address
            if self._client is None:
                self._client = http_client()
            if provider not in SDK_ROUTES:
                option["client"] = self._client
            self._options[called] = option
        return self._options[called]


def body_extra(endpoint: Endpoint) -> dict[str, Any]:
    """What is put into the body of a request as it is. For Anthropic litellm takes it for parameters of its own."""
    route = route_of(endpoint.model)
    keywords = route is not None and (route[1] in _KEYWORDS or ("claude" in route[0] and route[1] == "vertex_ai"))
    return {} if not endpoint.extra else dict(endpoint.extra) if keywords else {"extra_body": dict(endpoint.extra)}


def _thinking(model: str, messages: Sequence[Message], budget: int) -> dict[str, Any]:
    """What tells a reasoning model how long it may think: in tokens where its provider takes such a number, else as the
    effort that litellm holds to be worth as much; nothing where it takes neither.

    Not after the result of a tool: Anthropic would have the thoughts before it sent back, and nobody is sent thoughts.
    Nor does it take a temperature beside them.
    """
    litellm = quiet_litellm()
    if not budget or (route := route_of(model)) is None or messages[-1].role == "tool":
        return {}
    taken = litellm.get_supported_openai_params(route[0], route[1]) or ()
    if "thinking" in taken:
        ours = {"temperature": None, "top_p": None} if "claude" in model else {}
        return {"thinking": {"type": "enabled", "budget_tokens": budget}, **ours}
    if "reasoning_effort" in taken:
        return {"reasoning_effort": next((effort for least, effort in _EFFORTS if budget >= least), "low")}
    return {}


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


def access(endpoint: Endpoint) -> tuple[str, str]:
    """Provider, and the key to pass ("": litellm finds its own). Raises ModelFailed(config) before any request."""
    model = endpoint.model
    if (route := route_of(model)) is None:
        raise ModelFailed("config", diagnose.unknown_provider(model, model=model))
    _, provider, key, base = route
    if endpoint.key_variable or endpoint.address:
        return provider, _named_key(endpoint)
    if provider == "openai":
        base = base or os.environ.get("OPENAI_BASE_URL") or os.environ.get("OPENAI_API_BASE")
    base = base or ""
    if not _is_address(base) if base else provider in STRAYING:
        variable = f"{provider.upper()}_API_BASE"
        raise ModelFailed("config", diagnose.invalid_api_address(model, model=model, variable=variable))
    variable = f"{provider.upper()}_API_KEY"
    value = os.environ.get(variable, "")
    if not (value.isascii() and value.isprintable()):
        raise ModelFailed("config", diagnose.invalid_api_key(model, model=model, variable=variable))
    missing = quiet_litellm().validate_environment(model)["missing_keys"]
    if variable in os.environ and not value.strip():
        missing = [variable]
    # Only where a key is all that it takes: other providers also accept roles, tokens or local accounts.
    if (key or "").strip() or not missing or not all(name.endswith("_API_KEY") for name in missing):
        return provider, ""
    if _is_loopback(base):
        return provider, "none"
    raise ModelFailed("config", diagnose.missing_api_key(model, model=model, variable=" / ".join(missing)))


def _named_key(endpoint: Endpoint) -> str:
    """The key that a person's own variable holds. To an address of his own no other key is sent."""
    name, variable = endpoint.called, endpoint.key_variable
    if endpoint.address and not _is_address(endpoint.address):
        raise ModelFailed("config", diagnose.invalid_api_address(name, model=name, variable="address"))
    if not variable:
        return "none"
    value = os.environ.get(variable, "").strip()
    if not (value.isascii() and value.isprintable()):
        raise ModelFailed("config", diagnose.invalid_api_key(name, model=name, variable=variable))
    if not value:
        raise ModelFailed("config", diagnose.missing_api_key(name, model=name, variable=variable))
    return value


def _is_address(url: str) -> bool:
    """Whether a request can go there: scheme, host, a port in range; a name and password would clash with the key."""
    try:
        parts = urlsplit(url)
        return (
            parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0 and "@" not in parts.netloc
        )
    except ValueError:
        return False


def _is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
