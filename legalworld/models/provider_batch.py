"""Many requests handed to a provider at once, to be answered within a day and mostly at half the price.

    async with ProviderBatches(endpoint) as provider:
        async for batch, names in provider.hand_in({"q1": request(endpoint, messages, defaults, schema)}): ...
        state = await provider.look_up(batch)          # state.over: the replies are there

Requests are lines of a file in OpenAI's form, which litellm uploads; only providers that take that form are asked.
"""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import field, replace
from typing import Any, Final, Self

from ..language import diagnose
from ..model.events import Message, Reply
from ..model.immutable import immutable
from ..model.json_text import read_json
from ..model.procedure import ModelDefaults
from .answers import reply_of
from .endpoint import Endpoint, parameters_of
from .failures import ModelFailed, failure_of
from .litellm_client import access
from .prices import route_of
from .wire import quiet_litellm

PROVIDERS: Final = ("openai", "azure", "hosted_vllm", "litellm_proxy", "mistral", "xai")
MOST: Final = 50_000  # requests of one batch, as OpenAI has it
LARGEST: Final = 100 * 2**20  # bytes of its file
CLOSING: Final = 5.0  # seconds for connections to close
_PATH: Final = "/v1/chat/completions"
_RUNNING: Final = ("validating", "in_progress", "finalizing", "cancelling")


@immutable
class BatchState:
    """How a batch stands. `over`: no reply will come any more; then `replies` by request, without those that failed."""

    status: str
    total: int
    done: int
    replies: Mapping[str, Reply] = field(default_factory=dict)

    @property
    def over(self) -> bool:
        return self.status not in _RUNNING


def refused(endpoint: Endpoint) -> ModelFailed | None:
    """Why no batch can be handed in for a model: no key or address, or a provider that takes none in this form."""
    try:
        provider = access(endpoint).provider
    except ModelFailed as failed:
        return failed
    if provider in PROVIDERS:
        return None
    return ModelFailed("config", diagnose.no_provider_batches(endpoint.called, model=endpoint.called, known=PROVIDERS))


def request(
    endpoint: Endpoint, messages: Sequence[Message], defaults: ModelDefaults, schema: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The body of one request, with the parameters that this model takes, by the names that its provider gives them."""
    name, provider = _route(endpoint.model)
    given: dict[str, Any] = parameters_of(endpoint, defaults)
    if schema is not None:
        form = {"name": "scores", "schema": schema, "strict": True}
        given["response_format"] = {"type": "json_schema", "json_schema": form}
    taken = quiet_litellm().get_optional_params(model=name, custom_llm_provider=provider, drop_params=True, **given)
    taken.pop("extra_body", None)
    said = [{"role": one.role, "content": one.content} for one in messages]
    return {"model": name, "messages": said, **taken, **endpoint.extra}


class ProviderBatches:
    """The batches of one model's provider. Leaving the context closes the connections."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        """litellm makes a client for each call and leaves it to the garbage collector, which closes it in the loop that
        runs: it must be this one. Its other tasks are its log, which has no end."""
        gc.collect()
        if closing := [task for task in asyncio.all_tasks() if getattr(task.get_coro(), "__name__", "") == "aclose"]:
            await asyncio.wait(closing, timeout=CLOSING)

    async def hand_in(self, requests: Mapping[str, Mapping[str, Any]]) -> AsyncIterator[tuple[str, tuple[str, ...]]]:
        """Requests, by names of our own: each batch when it is made, with its requests. Raises ModelFailed."""
        litellm, options = quiet_litellm(), self._options()
        for lines in _files(requests):
            async with self._within_the_deadline():
                named = ("questions.jsonl", b"".join(lines.values()))
                file = await litellm.acreate_file(file=named, purpose="batch", **options)
                asked = {"completion_window": "24h", "endpoint": _PATH, "input_file_id": file.id}
                made = await litellm.acreate_batch(**asked, **options)
            yield str(made.id), tuple(lines)

    async def look_up(self, batch: str) -> BatchState:
        """How a batch stands, with its replies where it is over. Raises ModelFailed."""
        litellm, options = quiet_litellm(), self._options()
        async with self._within_the_deadline():
            found = await litellm.aretrieve_batch(batch_id=batch, **options)
            counts = found.request_counts
            state = BatchState(str(found.status), counts.total if counts else 0, counts.completed if counts else 0)
            if not state.over or not found.output_file_id:
                return state
            content = await litellm.afile_content(file_id=found.output_file_id, **options)
            return replace(state, replies=_replies(self._endpoint, bytes(content.content)))

    @asynccontextmanager
    async def _within_the_deadline(self) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(self._endpoint.deadline):
                yield
        except Exception as error:
            raise failure_of(error).raised(self._endpoint.model, 1) from None

    def _options(self) -> dict[str, Any]:
        """What each of litellm's calls needs beside what it is about."""
        way = access(self._endpoint)
        wait = {"timeout": self._endpoint.deadline + 1, "max_retries": 0}
        return {"custom_llm_provider": way.provider, **wait, **way.options}


def _files(requests: Mapping[str, Mapping[str, Any]]) -> list[dict[str, bytes]]:
    """The lines of each file, by request: no more of them, and no more bytes, than a provider takes."""
    files: list[dict[str, bytes]] = [{}]
    size = 0
    for name, body in requests.items():
        asked = {"custom_id": name, "method": "POST", "url": _PATH, "body": body}
        line = json.dumps(asked, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        if len(files[-1]) == MOST or (files[-1] and size + len(line) > LARGEST):
            files.append({})
            size = 0
        files[-1][name] = line
        size += len(line)
    return [lines for lines in files if lines]


def _replies(endpoint: Endpoint, content: bytes) -> dict[str, Reply]:
    """The replies of a result file, by the names of their requests; a line that holds none is left out."""
    found: dict[str, Reply] = {}
    for line in content.splitlines():
        try:
            told = read_json(line)
            answer = quiet_litellm().ModelResponse(**told["response"]["body"])
            reply = reply_of(answer, (), endpoint.model, endpoint.marks)
            name = told["custom_id"]
        except (ValueError, KeyError, TypeError, IndexError, AttributeError):
            continue
        if isinstance(name, str) and reply.text.strip():
            found[name] = reply
    return found


def _route(model: str) -> tuple[str, str]:
    route = route_of(model)
    assert route is not None, "access() has found a provider"
    return route[0], route[1]
