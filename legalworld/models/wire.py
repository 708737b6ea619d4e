"""litellm and the HTTP client that it is given: imported late, silent, and kept to the one request it was asked for."""

from __future__ import annotations

import json
import logging
import os
import warnings
from collections.abc import AsyncIterator, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from typing import Any

from ..model.json_text import read_json

BODY_LIMIT = 2**25  # bytes of a response, unpacked, so that a server that never stops cannot fill the memory
# Read by litellm at import, but for the last, which it reads at every call: it sends OpenAI-like requests without the
# openai SDK, whose transform costs time for every earlier message of the dialogue.
SETTINGS = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",  # else it downloads a price list
    "LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS": "True",  # else it downloads a list of headers
    "MAX_BASE64_LENGTH_FOR_LOGGING": "0",  # else it looks through every message for pictures to shorten in its logs
    "LITELLM_MODE": "PRODUCTION",  # else it loads any .env above its own folder into our environment
    "EXPERIMENTAL_OPENAI_BASE_LLM_HTTP_HANDLER": "true",
}
LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy")
PACKING = ("content-encoding", "content-length")
# With these alone a body is not signed, and may be written otherwise.
PLAIN_HEADERS = {
    "authorization",
    "content-type",
    "accept",
    "user-agent",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "anthropic-version",
    "anthropic-beta",
    "http-referer",
    "x-title",
    "openai-organization",
    "openai-project",
}


@dataclass(slots=True)
class Exchange:
    """What an attempt asked, and the server's own answer, of which litellm leaves some out.

    `address`: the only one that requests may go to ("": any); `strayed`: another, to which one was not sent; `begun`:
    whether a request was handed to the connection.
    """

    address: str = ""
    strayed: str = ""
    begun: bool = False
    status: int = 0
    headers: list[tuple[str, str]] = field(default_factory=list)
    pieces: list[bytes] = field(default_factory=list)  # as they come: a stream ends when it ends

    @property
    def body(self) -> bytes:
        return b"".join(self.pieces)


EXCHANGE: ContextVar[Exchange | None] = ContextVar("exchange", default=None)
"""Where an attempt has its exchange noted; litellm runs parts of a call in copies of its context."""


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


@cache
def litellm_version() -> str:
    """The version that is installed; read once, for it takes as long as writing the journal of a short case."""
    return metadata.version("litellm")


def exchange_of(url: Any) -> Exchange:
    """Return where a request is noted. Raises httpx.NetworkError for one to another server than it may go to."""
    import httpx

    exchange = EXCHANGE.get() or Exchange()
    meant = httpx.URL(exchange.address) if exchange.address else url
    if (url.scheme, url.netloc) != (meant.scheme, meant.netloc):
        exchange.strayed = url.host
        raise httpx.NetworkError(exchange.strayed)
    return exchange


def http_client() -> Any:
    """An HTTP client for litellm that sends a request once, to the named address only, and reads no endless body.

    litellm's handler answers a ConnectError or RemoteProtocolError with a second request of its own, retries off or
    not; the transport gives these errors another name.
    """
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler, get_ssl_configuration

    class Handler(AsyncHTTPHandler):  # type: ignore[misc]
        async def post(self, url: str, data: Any = None, *others: Any, **more: Any) -> Any:
            return await super().post(url, unescaped(data, more.get("headers")), *others, **more)

    tls = get_ssl_configuration()
    inner = AsyncHTTPHandler.create_aiohttp_transport(**({"ssl_verify": tls} if tls is False else {"ssl_context": tls}))
    inner.proxy_cache.update(dict.fromkeys(("localhost", "127.0.0.1", "::1")))  # this machine is not behind its proxy
    return Handler(transport=_wire(inner), follow_redirects=False)


def _wire(inner: Any) -> Any:
    """A transport that notes what it is answered in the exchange of the attempt, and sends by another one."""
    import httpx

    class Body(httpx.AsyncByteStream):
        def __init__(self, response: httpx.Response, pieces: list[bytes]) -> None:
            self._response = response
            self._pieces = pieces
            self.outer: httpx.Response | None = None  # what is read by litellm: let go when it is closed

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for part in self._response.aiter_bytes():  # unpacked: a small gzip body may be an endless one
                size += len(part)
                if size > BODY_LIMIT:
                    raise httpx.DecodingError(f"> {BODY_LIMIT} bytes")
                self._pieces.append(part)
                yield part

        async def aclose(self) -> None:
            try:
                await self._response.aclose()
            finally:
                if self.outer is not None:  # httpx makes each hold the other, with the request's whole body
                    self.outer.stream, self.outer = httpx.ByteStream(b""), None

    class Wire(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            exchange = exchange_of(request.url)
            exchange.begun = True
            try:
                response: httpx.Response = await inner.handle_async_request(request)
            except (httpx.ConnectError, httpx.RemoteProtocolError) as error:
                raise httpx.NetworkError(str(error)) from error
            headers = [item for item in response.headers.items() if item[0] not in PACKING]
            exchange.status, exchange.headers, exchange.pieces = response.status_code, headers, []
            body = Body(response, exchange.pieces)
            body.outer = httpx.Response(response.status_code, headers=headers, stream=body, request=request)
            return body.outer

        async def aclose(self) -> None:
            await inner.aclose()

    return Wire()


def replaying_client(exchange: Exchange) -> Any:
    """A client for litellm that sends nothing: it gives again what the server answered."""
    import httpx
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler

    status, headers, body = exchange.status, list(exchange.headers), exchange.body

    def again(_: httpx.Request) -> httpx.Response:
        return httpx.Response(status, headers=headers, content=body)

    return AsyncHTTPHandler(transport=httpx.MockTransport(again), follow_redirects=False)


def unescaped(data: Any, headers: Mapping[str, str] | None) -> Any:
    """Return a JSON text of ASCII characters alone as UTF-8, which is half as long for Chinese; all else as it is.

    A body that may be signed is not touched: one with any header that is not known to sign nothing.
    """
    if not isinstance(data, str) or "\\u" not in data:
        return data
    for name, value in (headers or {}).items():
        key = str(name).lower()
        if key not in PLAIN_HEADERS or (key == "authorization" and not str(value).startswith("Bearer ")):
            return data
    try:
        return json.dumps(read_json(data), ensure_ascii=False).encode()
    except ValueError:  # half a surrogate pair cannot be sent otherwise
        return data
