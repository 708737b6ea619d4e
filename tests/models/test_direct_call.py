"""litellm called below its client wrapper: the same replies and failures, and the public function where that fails."""

from __future__ import annotations

import asyncio
import gc
import json
from collections.abc import Callable
from typing import Any

import pytest
from loopback import Answer, Loopback, fail, raw, say, streamed

from legalworld.model.events import Message, Reply
from legalworld.model.procedure import ModelDefaults
from legalworld.models import direct_call, litellm_client, wire
from legalworld.models.endpoint import Endpoint
from legalworld.models.failures import ModelFailed
from legalworld.models.habits import Adjustment
from legalworld.models.litellm_client import Models
from legalworld.models.stream import Hear

pytestmark = pytest.mark.usefixtures("no_keys")

THREAD = (Message(role="system", content="你是审判长。\\u4e2d“引”"), Message(role="user", content="请开庭\n😀"))
ANSWERS: dict[str, Answer] = {
    "words": say("现在开庭。"),
    "thought": say("同意。", thought="先想一想。"),
    "calls": say(None, calls=[("search", '{"words": "利息"}')]),
    "no usage": say("好。", tokens=None),
    "cut": say("本院认", finish="length"),
    "filtered": say("", finish="content_filter"),
    "silent": say(""),
    "no key": fail(401),
    "unknown": fail(404, "no such model"),
    "too long": fail(400, "maximum context length is 10 tokens"),
    "busy": fail(503),
    "no JSON": raw("<html>"),
    "no choices": raw('{"choices": []}'),
    "a list": raw("[]"),
    "null": raw("null"),
}


def asked(answer: Answer, *, stream: bool = False) -> tuple[object, list[object], list[Adjustment], str]:
    """What comes of one call: the reply or the failure, the bodies sent, what was told, the words as they came."""
    told: list[Adjustment] = []
    words: list[str | None] = []
    hear: Hear | None = words.append if stream else None

    async def call(url: str) -> Reply:
        async with Models(delay=0.0) as models:
            models.notice = told.append
            endpoint = Endpoint("openai/clerk", attempts=1, address=url)
            return await models.complete(endpoint, THREAD, ModelDefaults(), seed=1, hear=hear)

    with Loopback([streamed(answer) if stream and answer.body.startswith(b'{"id"') else answer]) as server:
        came: object
        try:
            came = asyncio.run(call(server.url))
        except ModelFailed as failed:
            came = (failed.kind, failed.problem.code, failed.message.replace(server.url, ""))
        since = len(words) - words[::-1].index(None) if None in words else 0
        return came, [one.body for one in server.calls], told, "".join(filter(None, words[since:]))


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", ANSWERS)
def test_same_as_public_function(name: str, stream: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    direct = asked(ANSWERS[name], stream=stream)
    monkeypatch.setattr(litellm_client, "hooked", lambda: True)
    assert asked(ANSWERS[name], stream=stream) == direct
    assert direct[2] == []  # a server's fault is not said to be litellm's


def _without(_: Any) -> None:
    return None


def _refused_setup(found: Any) -> Any:
    def setup(*_: object, **__: object) -> Any:
        raise TypeError("function_setup() takes 2 arguments")

    return direct_call._Below(found.call, setup, found.rules)


def _early(found: Any) -> Any:
    async def call(**arguments: Any) -> Any:
        raise AttributeError(f"no {sorted(arguments)[0]}")

    return direct_call._Below(call, found.setup, found.rules)


def _late(found: Any) -> Any:
    async def call(**arguments: Any) -> Any:
        answer = await found.call(**arguments)
        if arguments.get("stream"):
            return _Breaking(answer)
        raise KeyError("metadata")

    return direct_call._Below(call, found.setup, found.rules)


class _Breaking:
    """A stream that fails within litellm after some pieces."""

    def __init__(self, stream: Any) -> None:
        self._stream, self._left = stream, 3

    def __aiter__(self) -> _Breaking:
        return self

    async def __anext__(self) -> Any:
        self._left -= 1
        if not self._left:
            raise AttributeError("llm_caching_handler")
        return await self._stream.__anext__()

    async def aclose(self) -> None:
        async for _ in self._stream:  # all of it has come
            pass


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("broken", [_without, _refused_setup, _early, _late])
def test_other_litellm(broken: Callable[[Any], Any], stream: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever of it another version has not: the same reply by one request, and it is told once."""
    right = asked(ANSWERS["words"], stream=stream)
    found = broken(direct_call.below())
    monkeypatch.setattr(litellm_client, "below", lambda: found)
    reply, bodies, told, words = asked(ANSWERS["words"], stream=stream)
    assert (reply, bodies) == right[:2] and len(bodies) == 1
    assert words == right[3]
    (one,) = told
    assert (one.model, one.parameter, one.action) == ("openai/clerk", "litellm", "called_publicly")
    assert one.value == wire.litellm_version() and one.words


def test_hooks_of_users_are_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits for what litellm's wrapper tells is told."""
    import litellm

    heard: list[str] = []
    monkeypatch.setattr(litellm, "success_callback", [lambda *_: heard.append("success")])
    assert direct_call.hooked()
    reply, bodies, told, _ = asked(ANSWERS["words"])
    assert isinstance(reply, Reply) and len(bodies) == 1 and told == []
    monkeypatch.undo()
    assert not direct_call.hooked()


# ---- bodies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text", ["中", "\\u4e2d", "\\\\u", "\\", '"', "😀", "\u2028", "\x7f\x1f", "é", "a\\ud83d", "￿"]
)
def test_body_means_the_same(text: str) -> None:
    data = json.dumps({"messages": [{"content": text + "中"}], "n": 1.5e300, "m": 12345678901234567890})
    sent = wire.unescaped(data, {"Authorization": "Bearer x", "Content-Type": "application/json"})
    assert isinstance(sent, bytes) and json.loads(sent) == json.loads(data) and len(sent) <= len(data)
    assert b"\\u4e2d" not in sent.replace(b"\\\\u4e2d", b"")


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "AWS4-HMAC-SHA256 Credential=x"},
        {"x-amz-content-sha256": "x"},
        {"Digest": "x"},
        {"X-New": "x"},
    ],
)
def test_signed_body_is_not_touched(headers: dict[str, str]) -> None:
    data = json.dumps({"a": "中"})
    assert wire.unescaped(data, headers) is data


@pytest.mark.parametrize(
    "data", [None, b'{"a": "\\u4e2d"}', {"a": "中"}, '{"a": "x"}', '{"a": "\\ud800中"}', "a\\u=中"]
)
def test_other_bodies_are_not_touched(data: object) -> None:
    assert wire.unescaped(data, None) is data


def test_a_call_leaves_no_circle() -> None:
    """What a call held goes with it, and does not wait for a collection: the whole body of its request is in it."""
    left: list[object] = []

    async def calls(url: str) -> None:
        async with Models() as models:
            for number in range(4):
                for hear in (None, lambda _: None):
                    if number == 2 and hear is None:
                        gc.collect()
                        gc.disable()
                        gc.set_debug(gc.DEBUG_SAVEALL)
                    await models.complete(
                        Endpoint("openai/clerk", address=url), THREAD, ModelDefaults(), seed=1, hear=hear
                    )
            gc.collect()
            left.extend(one for one in gc.garbage if type(one).__name__ in ("Request", "Response", "ByteStream"))

    try:
        with Loopback(lambda call: streamed(say("好。")) if call.body.get("stream") else say("好。")) as server:
            asyncio.run(calls(server.url))
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert left == []
