"""litellm and the HTTP client that it is given: imported late, silent, and kept to the one request it was asked for."""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import AsyncIterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache
from typing import Any

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


@dataclass(slots=True)
class Exchange:
    """What an attempt sent last, and the server's own answer, of which litellm leaves some out.

    `address`: the only one that requests may go to ("": any); `strayed`: another, to which one was not sent.
    """

    address: str = ""
    strayed: str = ""
    sent: bytes = b""
    status: int = 0
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
    import httpx
    from litellm.llms.custom_httpx.http_handler import AsyncHTTPHandler, get_ssl_configuration

    class Body(httpx.AsyncByteStream):
        def __init__(self, response: httpx.Response, pieces: list[bytes]) -> None:
            self._response = response
            self._pieces = pieces

        async def __aiter__(self) -> AsyncIterator[bytes]:
            size = 0
            async for part in self._response.aiter_bytes():  # unpacked: a small gzip body may be an endless one
                size += len(part)
                if size > BODY_LIMIT:
                    raise httpx.DecodingError(f"> {BODY_LIMIT} bytes")
                self._pieces.append(part)
                yield part

        async def aclose(self) -> None:
            await self._response.aclose()

    class Wire(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            exchange = exchange_of(request.url)
            try:
                response: httpx.Response = await inner.handle_async_request(request)
            except (httpx.ConnectError, httpx.RemoteProtocolError) as error:
                raise httpx.NetworkError(str(error)) from error
            exchange.sent, exchange.status, exchange.pieces = request.content, response.status_code, []
            headers = [item for item in response.headers.items() if item[0] not in PACKING]
            body = Body(response, exchange.pieces)
            return httpx.Response(response.status_code, headers=headers, stream=body, request=request)

        async def aclose(self) -> None:
            await inner.aclose()

    tls = get_ssl_configuration()
    inner = AsyncHTTPHandler.create_aiohttp_transport(**({"ssl_verify": tls} if tls is False else {"ssl_context": tls}))
    inner.proxy_cache.update(dict.fromkeys(("localhost", "127.0.0.1", "::1")))  # this machine is not behind its proxy
    return AsyncHTTPHandler(transport=Wire(), follow_redirects=False)
