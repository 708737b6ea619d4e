"""The live backbone: a language model called through litellm, with our own attempts, deadline and failures.

    async with Models() as models:                      # asyncio.run only; leaving closes every connection
        reply = await models.complete(Endpoint("openai/clerk"), messages, defaults, seed=7)

litellm takes seconds and 160 MB to import: the first call imports it, nothing before. Keys and addresses come from the
environment variables that litellm documents (`OPENAI_API_KEY`, `OPENAI_API_BASE`, `DASHSCOPE_API_KEY`, ...).
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import warnings
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import blake2b
from ipaddress import ip_address
from json import loads
from typing import Any, Final, Literal, Self
from urllib.parse import urlsplit

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.events import Message, Offer, Reply
from ..model.procedure import ModelDefaults
from ..model.source import Span
from . import tool_calls

DEADLINE = 600.0  # seconds of one call, with all attempts and pauses
TEXT_LIMIT = 2**20  # bytes of a reply's text in UTF-8; the rest is dropped
BODY_LIMIT = 2**25  # bytes of a response, unpacked, so that a server that never stops cannot fill the memory
DETAIL_LIMIT = 300  # characters of a provider's own words in a failure
DETAIL_SOURCE = 10_000  # characters of them that are looked through for keys

# Read by litellm at import, but for the last, which it reads at every call: it sends OpenAI-like requests without the
# openai SDK, whose transform costs time for every earlier message of the dialogue.
SETTINGS = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else it downloads a price list
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",  # else it downloads a list of headers
    "LITELLM_MODE": "PRODUCTION",  # else it loads any .env above its own folder into our environment
    "EXPERIMENTAL_OPENAI_BASE_LLM_HTTP_HANDLER": "true",
}
LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")
SDK_ROUTES = ("azure", "azure_text", "text-completion-openai", "text-completion-inception")  # take no client of ours
STRAYING = ("hosted_vllm", "lm_studio", "litellm_proxy", "ai21", "custom_openai")  # without an address: api.openai.com
PACKING = ("content-encoding", "content-length")
TOO_LONG = "context_length_exceeded"  # litellm knows some servers' sentences, not this code
POLICY = ("content_policy_violation", "content_filter", "data_inspection_failed")  # codes of a refusal by content
_SCHEMA = re.compile(r"response_?format|json_?schema|structured.?output", re.IGNORECASE)
# As which failure a server may say that it takes no tools.
TOOLS_REFUSED = (diagnose.unknown_model, diagnose.refused_request, diagnose.failed_service)
PASSING = (408, 409, 425, 429)  # 4xx that a later attempt may overcome

_REFUSED: Final[Mapping[int, diagnose.AnyKind]] = {
    401: diagnose.rejected_api_key,
    403: diagnose.rejected_api_key,
    404: diagnose.unknown_model,
}

Kind = Literal["transient", "refused", "deadline", "malformed", "config"]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A model as litellm names it (`openai/clerk`). `deadline`: seconds for all attempts and pauses together."""

    model: str
    deadline: float = DEADLINE
    attempts: int = 3


class ModelFailed(Exception):
    """No reply, as a `problem` of the model; `message` is the provider's words without keys.

    transient: worth another run later; refused: the provider said no; malformed: it did not answer as a chat model
    does; config: no request was made, or none can succeed before the user changes something.
    """

    def __init__(self, kind: Kind, problem: Diagnostic) -> None:
        self.kind = kind
        self.problem = problem
        self.message = str(problem.values.get("detail") or problem.values.get("variable") or "")
        self.attempts = int(str(problem.values.get("attempts", 0)))
        super().__init__(f"{problem.code} {kind}: {self.message}")

    def at(self, place: str) -> Diagnostic:
        """The problem, of the option or file that named the model."""
        return replace(self.problem, span=Span(place, 0, 0))


async def complete(endpoint: Endpoint, messages: Sequence[Message], defaults: ModelDefaults, *, seed: int) -> Reply:
    """One call with connections of its own. See `Models.complete`."""
    async with Models() as models:
        return await models.complete(endpoint, messages, defaults, seed=seed)


def refusal(model: str) -> ModelFailed | None:
    """Why no request to this model can be made: no provider, no key, no address. Found without one."""
    try:
        access(model)
    except ModelFailed as failed:
        return failed
    return None


class Models:
    """What the calls of one event loop share: connections and what was found out about each model.

    `delay`: seconds before the second attempt, doubled before the third; `patience`: most seconds that a provider's
    Retry-After is obeyed.
    """

    def __init__(self, *, delay: float = 1.0, patience: float = 60.0) -> None:
        self._delay = delay
        self._patience = patience
        self._client: Any = None
        self._options: dict[str, dict[str, Any]] = {}
        self._unheld: set[str] = set()

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
    ) -> Reply:
        """The reply to a thread; of each message only role, content and tool calls are sent. `seed` spreads the pauses.

        `schema`: JSON Schema of the reply; a model whose server takes none is asked without.

        Raises ModelFailed after `endpoint.attempts` transient failures, at once after any other, and when
        `endpoint.deadline` has passed; cancelling closes the connection.
        """
        request = {
            "model": endpoint.model,
            "messages": tool_calls.sent(messages),
            "temperature": defaults.temperature,
            "top_p": defaults.top_p,
            "max_tokens": defaults.max_tokens,
            "timeout": endpoint.deadline + 1,  # its own timeout must not come first: it misses a body that drips
            "num_retries": 0,  # both kinds of its retries: ours are counted, journalled and seeded
            "max_retries": 0,
            "drop_params": True,  # a parameter that a model does not have (temperature of some) is left out
            **self._option(endpoint.model),
        }
        if tools:
            request["tools"] = [tool_calls.offered(tool) for tool in tools]
        if schema is not None and endpoint.model not in self._unheld:
            request["response_format"] = {
                "type": "json_schema",
                "json_schema": {"name": "scores", "schema": schema, "strict": True},
            }
        attempt = 0
        try:
            async with asyncio.timeout(endpoint.deadline) as limit:
                while True:
                    attempt += 1
                    outcome = await self._attempt(endpoint, request)
                    if isinstance(outcome, Reply):
                        return outcome
                    if "response_format" in request and _takes_no_schema(outcome):
                        self._unheld.add(endpoint.model)  # the request itself says which JSON is wanted
                        del request["response_format"]
                        attempt -= 1
                        continue
                    pause = self._pause(outcome, attempt, seed)
                    in_vain = asyncio.get_running_loop().time() + pause > (limit.when() or 0.0)
                    if not outcome.again or attempt >= endpoint.attempts or in_vain:
                        raise outcome.raised(endpoint.model, attempt)
                    await asyncio.sleep(pause)
        except TimeoutError:
            model, seconds = endpoint.model, f"{endpoint.deadline:g}"
            told = diagnose.model_deadline_exceeded(model, model=model, seconds=seconds, attempts=attempt)
            raise ModelFailed("deadline", told) from None

    async def _attempt(self, endpoint: Endpoint, request: dict[str, Any]) -> Reply | Failure:
        try:
            return _reply(endpoint, await quiet_litellm().acompletion(**request), request["messages"])
        except Exception as error:  # a broken answer lets IndexError, KeyError and the like out of litellm
            failed = failure_of(error)
        if "tools" not in request or failed.says not in TOOLS_REFUSED:
            return failed
        no_tools = tool_calls.refused(failed.detail, plainly=failed.says is diagnose.refused_request)
        return replace(failed, kind="refused", says=diagnose.unsupported_tools, again=False) if no_tools else failed

    def _pause(self, failure: Failure, attempt: int, seed: int) -> float:
        """Seconds before the next attempt: exponential, 0.5 to 1.5 times by seed, no less than Retry-After."""
        digest = blake2b(f"{seed} {attempt}".encode(), digest_size=8).digest()
        share = 0.5 + int.from_bytes(digest) / 2**64
        backoff: float = self._delay * 2 ** (attempt - 1) * share
        return max(backoff, min(failure.after, self._patience))

    def _option(self, model: str) -> dict[str, Any]:
        """What this model's calls need beside the request: our client, a key for a server that wants none."""
        if model not in self._options:
            provider, key = access(model)
            option: dict[str, Any] = {"api_key": key} if key else {}
            if self._client is None:
                self._client = _client()
            if provider not in SDK_ROUTES:
                option["client"] = self._client
            self._options[model] = option
        return self._options[model]


def _takes_no_schema(failed: Failure) -> bool:
    """Whether a server that refused a request says that it was for the form in which the reply was wanted."""
    return failed.says in TOOLS_REFUSED and bool(_SCHEMA.search(failed.detail))


def native(model: str) -> bool:
    """Whether a model is to call tools by itself: as litellm's bundled table has it; where it does not know the model,
    whether the provider talks as OpenAI does. Only the table is asked: for Ollama, litellm would ask a server."""
    litellm = quiet_litellm()
    try:
        asked, provider, _, _ = litellm.get_llm_provider(model)
    except litellm.BadRequestError:
        return False
    for name in (model, f"{provider}/{asked}", asked):
        known = litellm.model_cost.get(name, {})
        if str(known.get("litellm_provider", "")).startswith(provider):
            return bool(known.get("supports_function_calling"))
    return provider in ("openai", "custom_openai", *litellm.openai_compatible_providers)


def cost(reply: Reply, model: str = "") -> float | None:
    """US dollars by litellm's bundled price list, None where it has no price or the reply no token counts.

    `model` is the endpoint's name, which says the provider. An estimate: cached tokens count in full.
    """
    if reply.prompt_tokens is None or reply.completion_tokens is None:
        return None
    litellm = quiet_litellm()
    try:
        asked, provider, _, _ = litellm.get_llm_provider(model or reply.model)
    except litellm.BadRequestError:
        return None
    for name in (f"{provider}/{reply.model}", reply.model, f"{provider}/{asked}", asked):
        if litellm.model_cost.get(name, {}).get("litellm_provider") == provider:
            tokens = {"prompt_tokens": reply.prompt_tokens, "completion_tokens": reply.completion_tokens}
            return float(sum(litellm.cost_per_token(model=name, custom_llm_provider=provider, **tokens)))
    return None


# ---- litellm ---------------------------------------------------------------------------------------------------------


@cache
def quiet_litellm() -> Any:
    """The module, imported now, silent and without downloads."""
    os.environ.update(SETTINGS)
    import litellm

    litellm.suppress_debug_info = True
    # Cancelled between its preparing a request in a thread and our awaiting it: nothing was sent, nothing to say.
    warnings.filterwarnings("ignore", r"coroutine 'BaseLLMHTTPHandler\.\w+' was never awaited", RuntimeWarning)
    for name in LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return litellm


def _client() -> Any:
    """An HTTP client for litellm that sends a request once, to the named host only, and reads no endless body.

    litellm's handler answers a ConnectError or RemoteProtocolError with a second request of its own, retries off or
    not; the transport gives these errors another name.
    """
    import httpx
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler, get_ssl_configuration

    class Body(httpx.AsyncByteStream):
        def __init__(self, response: httpx.Response) -> None:
            self._response = response

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for part in self._response.aiter_bytes():  # unpacked: a small gzip body may be an endless one
                size += len(part)
                if size > BODY_LIMIT:
                    raise httpx.DecodingError(f"> {BODY_LIMIT} bytes")
                yield part

        async def aclose(self) -> None:
            await self._response.aclose()

    class Wire(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            try:
                response: httpx.Response = await inner.handle_async_request(request)
            except (httpx.ConnectError, httpx.RemoteProtocolError) as error:
                raise httpx.NetworkError(str(error)) from error
            headers = [item for item in response.headers.items() if item[0] not in PACKING]
            return httpx.Response(response.status_code, headers=headers, stream=Body(response), request=request)

        async def aclose(self) -> None:
            await inner.aclose()

    tls = get_ssl_configuration()
    inner = AsyncHTTPHandler.create_aiohttp_transport(**({"ssl_verify": tls} if tls is False else {"ssl_context": tls}))
    inner.proxy_cache.update(dict.fromkeys(("localhost", "127.0.0.1", "::1")))  # this machine is not behind its proxy
    return AsyncHTTPHandler(transport=Wire(), follow_redirects=False)


def access(model: str) -> tuple[str, str]:
    """Provider, and the key to pass ("": litellm finds its own). Raises ModelFailed(config) before any request."""
    litellm = quiet_litellm()
    try:
        _, provider, key, base = litellm.get_llm_provider(model)
    except litellm.BadRequestError:
        raise ModelFailed("config", diagnose.unknown_provider(model, model=model)) from None
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
    missing = litellm.validate_environment(model)["missing_keys"]
    if variable in os.environ and not value.strip():
        missing = [variable]
    # Only where a key is all that it takes: other providers also accept roles, tokens or local accounts.
    if (key or "").strip() or not missing or not all(name.endswith("_API_KEY") for name in missing):
        return provider, ""
    if _is_loopback(base):
        return provider, "none"
    raise ModelFailed("config", diagnose.missing_api_key(model, model=model, variable=" / ".join(missing)))


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


def _reply(endpoint: Endpoint, answer: Any, sent: Sequence[Mapping[str, Any]]) -> Reply:
    """The first choice's text, empty for null; litellm counts zero tokens where the provider told none."""
    message = answer.choices[0].message
    ids = {call["id"] for one in sent for call in one.get("tool_calls", ())}
    text = tool_calls.clean(message.content or "")
    if len(text) > TEXT_LIMIT // 4:
        text = text.encode()[:TEXT_LIMIT].decode(errors="ignore")
    usage = getattr(answer, "usage", None)
    counts = (usage.prompt_tokens, usage.completion_tokens) if usage and usage.prompt_tokens else (None, None)
    return Reply(
        text=text,
        calls=tool_calls.taken(message, ids),
        model=answer.model or endpoint.model,
        prompt_tokens=counts[0],
        completion_tokens=counts[1],
    )


# ---- failures --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Failure:
    """One attempt's failure. `says` is told model, status, attempts and detail, whichever of them its sentence names.

    `again`: another attempt may succeed; `after`: seconds the provider asks to wait.
    """

    kind: Kind
    says: diagnose.AnyKind
    detail: str
    status: int = 0
    again: bool = False
    after: float = 0.0

    def raised(self, model: str, attempts: int) -> ModelFailed:
        told = {"model": model, "status": self.status, "attempts": attempts, "detail": self.detail}
        return ModelFailed(self.kind, self.says(model, **told))


def failure_of(error: Exception) -> Failure:
    """What an exception out of litellm means. Its own classes and statuses are not enough: it calls a refused
    connection a 500, and a 500 a status that no server sent."""
    import httpx

    causes = tuple(_causes(error))
    detail = _detail(error)
    if isinstance(causes[-1], ImportError) or "Provider config not found" in str(error):
        return Failure("config", diagnose.uncallable_model, detail)
    if any(isinstance(cause, httpx.TransportError) for cause in causes):
        return Failure("transient", diagnose.failed_connection, detail, again=True)
    status = getattr(error, "status_code", None)
    answered = any(isinstance(cause, httpx.HTTPStatusError) for cause in causes)
    if isinstance(status, int) and (answered or status not in (200, 500)):
        return _by_status(error, status, detail)
    if not type(error).__module__.startswith("litellm."):  # an IndexError from within: its text alone says nothing
        detail = f"{type(error).__name__}: {detail}"
    return Failure("malformed", diagnose.malformed_model_answer, detail, again=True)


def _by_status(error: Exception, status: int, detail: str) -> Failure:
    litellm = quiet_litellm()
    detail = detail or f"HTTP {status}"
    if status in PASSING or status >= 500:
        says = diagnose.rate_limited if status == 429 else diagnose.failed_service
        return Failure("transient", says, detail, status, again=True, after=_retry_after(error))
    if isinstance(error, litellm.ContextWindowExceededError) or TOO_LONG in str(error):
        refused: diagnose.AnyKind = diagnose.context_too_long
    elif isinstance(error, litellm.ContentPolicyViolationError) or any(code in str(error) for code in POLICY):
        refused = diagnose.refused_content
    else:
        refused = _REFUSED.get(status, diagnose.refused_request)
    return Failure("refused", refused, detail, status)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The exception and those it came from."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def _retry_after(error: Exception) -> float:
    """Seconds of a Retry-After header, 0 where there is none or it is a date."""
    for source in (error, getattr(error, "response", None)):
        headers = getattr(source, "litellm_response_headers", None) or getattr(source, "headers", None) or {}
        value = headers.get("retry-after")
        if value and re.fullmatch(r"\d+(\.\d+)?", value.strip()):
            return float(value)
    return 0.0


def _detail(error: Exception) -> str:
    """The provider's words on one line: no wrapping by litellm, no key, no address with a password or a query."""
    text = str(error).partition("Traceback (most recent call last)")[0]
    text = re.sub(r"^(litellm\.\w+: )*([\w :]{,80}Exception - )?", "", text).strip()
    try:
        body = loads(text)
        text = str(body["error"]["message"])
    except (ValueError, TypeError, KeyError):
        pass
    text = text[:DETAIL_SOURCE]
    for name, value in os.environ.items():
        if len(value) >= 8 and re.search(r"(KEY|TOKEN|SECRET|PASSWORD)$", name):
            text = text.replace(value, "***")
    text = re.sub(r"\b(sk|pk|key)-[\w*.-]{4,}", "***", text)
    text = re.sub(r"(?i)\b(bearer) \S+", r"\1 ***", text)
    text = re.sub(r"(://)[^/\s@]+@", r"\1", text)
    text = re.sub(r"(://[^\s?]+)\?\S*", r"\1", text)
    text = re.sub(r" ssl:<[^>]*>", "", text)  # the address of an object
    text = " ".join(text.split())
    return text[:DETAIL_LIMIT]
