"""Which parameters are sent: those that somebody set, and no others, whoever the provider is."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from loopback import Answer, Call, Loopback, raw, say

from legalworld.model.events import Message
from legalworld.model.procedure import ModelDefaults
from legalworld.models.endpoint import Endpoint
from legalworld.models.litellm_client import Models

pytestmark = pytest.mark.usefixtures("no_keys")
THREAD = (Message(role="user", content="请开庭。"),)
PROVIDERS = {
    "openai/clerk": "OPENAI",
    "deepseek/deepseek-chat": "DEEPSEEK",
    "dashscope/qwen-max": "DASHSCOPE",
    "hosted_vllm/clerk": "HOSTED_VLLM",
    "anthropic/claude-sonnet-4-5": "ANTHROPIC",
    "ollama_chat/clerk": "OLLAMA",
}


def _answer(call: Call) -> Answer:
    """As each provider puts it."""
    if call.path.endswith("/messages"):
        content = [{"type": "text", "text": "好。"}]
        usage = {"input_tokens": 7, "output_tokens": 3}
        said = {"id": "m", "type": "message", "role": "assistant", "model": "m", "content": content, "usage": usage}
        return raw(json.dumps({**said, "stop_reason": "end_turn"}))
    if call.path.startswith("/api/"):
        message = {"role": "assistant", "content": "好。"}
        return raw(json.dumps({"model": "m", "message": message, "done": True, "done_reason": "stop"}))
    return say("好。")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    with Loopback(_answer) as server:
        for provider in PROVIDERS.values():
            own = provider in ("ANTHROPIC", "OLLAMA")
            monkeypatch.setenv(f"{provider}_API_BASE", server.url.removesuffix("/v1") if own else server.url)
            monkeypatch.setenv(f"{provider}_API_KEY", "none-at-all")
        yield server


def sent(server: Loopback, endpoint: Endpoint, defaults: ModelDefaults) -> dict[str, Any]:
    """The body of the one chat request that was made."""

    async def call() -> None:
        async with Models(delay=0) as models:
            await models.complete(endpoint, THREAD, defaults, seed=1)

    before = len(server.calls)
    asyncio.run(call())
    (body,) = [one.body for one in server.calls[before:] if one.path != "/api/show"]
    return {**body, **body.pop("options", {})}


@pytest.mark.parametrize("model", PROVIDERS)
@pytest.mark.parametrize(("in_spec", "in_file"), product((False, True), repeat=2))
def test_only_what_somebody_set_is_sent(server: Loopback, model: str, in_spec: bool, in_file: bool) -> None:
    defaults = ModelDefaults(temperature=0.3, top_p=0.8) if in_spec else ModelDefaults()
    parameters = {"temperature": 0.9, "top_p": None} if in_file else {}
    body = sent(server, Endpoint(model, parameters=parameters), defaults)
    expected = {"temperature": 0.3, "top_p": 0.8} if in_spec else {}
    expected = {"temperature": 0.9} if in_file else expected
    assert {name: body[name] for name in ("temperature", "top_p") if name in body} == expected


@pytest.mark.parametrize("model", PROVIDERS)
def test_what_is_extra_is_sent_as_it_is(server: Loopback, model: str) -> None:
    extra = {"enable_thinking": False, "chat_template_kwargs": {"thinking": [1, None, "否"]}}
    body = sent(server, Endpoint(model, extra=extra), ModelDefaults())
    assert {name: body.get(name) for name in extra} == extra
    assert "extra_body" not in body


@pytest.mark.parametrize(
    ("parameters", "most"),
    [({}, 150), ({"max_tokens": 7}, 57), ({"thought_tokens": 0}, 100), ({"max_tokens": None}, None)],
)
def test_room_is_that_of_words_and_of_thought(server: Loopback, parameters: dict[str, Any], most: int | None) -> None:
    endpoint = Endpoint("openai/clerk", parameters=parameters)
    body = sent(server, endpoint, ModelDefaults(max_tokens=100, thought_tokens=50))
    assert body.get("max_tokens") == most
    assert "thought_tokens" not in body
