"""The live backbone against a real server on loopback: what is sent, what comes back, what fails and how often."""

from __future__ import annotations

import asyncio
import gzip
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from time import perf_counter

import pytest
from loopback import Answer, Call, Loopback, dead_url, fail, raw, say, streamed
from places import HANG, ROOT

from legalworld.model import events
from legalworld.model.events import Message, Reply
from legalworld.model.procedure import ModelDefaults
from legalworld.models import litellm_client as module
from legalworld.models.answers import TEXT_LIMIT
from legalworld.models.endpoint import Endpoint
from legalworld.models.failures import Failure, ModelFailed
from legalworld.models.litellm_client import Models
from legalworld.models.prices import cost_of
from legalworld.models.stream import Hear

CATALOGUE = tomllib.loads((ROOT / "legalworld/wording/diagnostics/models.toml").read_text(encoding="utf-8"))
THREAD = (
    Message(role="system", content="你是审判长。", parts=(("who/judge", "你是审判长。"),)),
    Message(role="user", content="请开庭。", parts=(("act/announce", "请开庭。"),)),
)


pytestmark = pytest.mark.usefixtures("no_keys")


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Loopback]]:
    """Loopback, with OPENAI_API_BASE leading to it."""

    class Serving(Loopback):
        def __enter__(self) -> Loopback:
            super().__enter__()
            monkeypatch.setenv("OPENAI_API_BASE", self.url)
            return self

    yield Serving


def ask(endpoint: Endpoint | None = None, *, delay: float = 0.0, patience: float = 60.0) -> Reply:
    async def call() -> Reply:
        async with Models(delay=delay, patience=patience) as models:
            return await models.complete(endpoint or Endpoint("openai/clerk"), THREAD, ModelDefaults(), seed=7)

    return asyncio.run(call())


def refuse(endpoint: Endpoint | None = None, *, patience: float = 60.0) -> ModelFailed:
    """The failure of a call, whose catalogue entry must fit its values."""
    with pytest.raises(ModelFailed) as caught:
        ask(endpoint, patience=patience)
    entry = CATALOGUE[caught.value.problem.code]
    for key in ("zh", "en", "help_zh", "help_en"):
        assert entry[key].format(**caught.value.problem.values)
    return caught.value


# ---- a reply ---------------------------------------------------------------------------------------------------------


def test_reply_and_request(serve: type[Loopback]) -> None:
    with serve([say("现在开庭。")]) as server:
        assert ask() == Reply(text="现在开庭。", model="clerk-1", prompt_tokens=7, completion_tokens=3)
    (call,) = server.calls
    assert call.path == "/v1/chat/completions"
    assert call.body == {
        "model": "clerk",
        "messages": [{"role": message.role, "content": message.content} for message in THREAD],
        "max_tokens": 4096,
    }


def test_one_call_alone(serve: type[Loopback]) -> None:
    with serve([say("好。")]):
        reply = asyncio.run(module.complete(Endpoint("openai/clerk"), THREAD, ModelDefaults(), seed=1))
    assert reply.text == "好。"


TEXTS = {
    "nul stays for the parser to judge": (say("a\0b"), "a\0b"),
    "lone surrogate": (say("a\ud800b"), "a\ufffdb"),
    "pair": (raw(say("X").body.replace(b"X", b"\\ud83d\\ude00")), "😀"),
    "cut off by the provider": (say("本院认", finish="length"), "本院认"),
    "five megabytes": (say("x" * 5_000_000), "x" * TEXT_LIMIT),
    "no half characters": (say("中" * TEXT_LIMIT), "中" * (TEXT_LIMIT // 3)),
}


THOUGHTS = {
    "apart": (say("同意。", thought="先想一想。"), "先想一想。", "同意。", False),
    "before the words": (say("<think>\n先想一想。\n</think>\n\n同意。"), "先想一想。", "同意。", False),
    "begun in the prompt": (say("先想一想。</think>同意。"), "先想一想。", "同意。", False),
    "words about the mark": (say("原告说“<think>”一词。"), "", "原告说“<think>”一词。", False),
    "cut words": (say("本院认", finish="length"), "", "本院认", True),
}


@pytest.mark.parametrize(("answer", "thought", "text", "cut"), THOUGHTS.values(), ids=THOUGHTS)
def test_thought_is_kept_apart(serve: type[Loopback], answer: Answer, thought: str, text: str, cut: bool) -> None:
    with serve([answer]):
        reply = ask()
    assert (reply.thought, reply.text, reply.cut) == (thought, text, cut)


SILENCE = {
    "null": (say(None), "LW176"),
    "empty": (say(""), "LW176"),
    "blanks": (say(" \n"), "LW176"),
    "all its tokens on thought": (say("<think>先想一想，再想", finish="length"), "LW176"),
    "filtered": (say("被告", finish="content_filter"), "LW168"),
}


@pytest.mark.parametrize(("answer", "code"), SILENCE.values(), ids=SILENCE)
def test_silence_is_no_speech(serve: type[Loopback], answer: Answer, code: str) -> None:
    with serve([answer, say("好。")]) as server:
        assert ask().text == "好。"
    assert len(server.calls) == 2
    with serve([answer]) as server:
        assert refuse().problem.code == code
    assert len(server.calls) == 3


def test_after_a_tool_there_may_be_nothing_to_say(serve: type[Loopback]) -> None:
    called = Message(role="assistant", content="", calls=(events.Call(id="c1", name="note", arguments="{}"),))
    thread = (*THREAD, called, Message(role="tool", content="ok", call="c1"))

    async def call() -> Reply:
        async with Models() as models:
            return await models.complete(Endpoint("openai/clerk"), thread, ModelDefaults(), seed=7)

    with serve([say("")]) as server:
        assert asyncio.run(call()).text == ""
    assert len(server.calls) == 1


@pytest.mark.parametrize(("answer", "text"), TEXTS.values(), ids=TEXTS)
def test_text(serve: type[Loopback], answer: Answer, text: str) -> None:
    with serve([answer]) as server:
        assert ask().text == text
    assert len(server.calls) == 1


def test_tokens_that_nobody_counted_are_unknown(serve: type[Loopback]) -> None:
    with serve([say("好。", tokens=None)]):
        reply = ask()
    assert (reply.prompt_tokens, reply.completion_tokens) == (None, None)


def test_many_at_once(serve: type[Loopback]) -> None:
    async def calls() -> list[Reply]:
        async with Models() as models:
            async with asyncio.TaskGroup() as group:
                tasks = [
                    group.create_task(models.complete(Endpoint("openai/clerk"), THREAD, ModelDefaults(), seed=seed))
                    for seed in range(50)
                ]
            return [task.result() for task in tasks]

    with serve(lambda call: Answer(say(str(call.number)).body, pause=0.05)) as server:
        texts = {reply.text for reply in asyncio.run(calls())}
    assert texts == {str(number) for number in range(1, 51)}
    assert len(server.calls) == 50


# ---- failures --------------------------------------------------------------------------------------------------------

FAILURES = {
    "500": (fail(500), "transient", "LW170", 3),
    "502 html": (Answer(b"<html>bad gateway", 502, {"Content-Type": "text/html"}), "transient", "LW170", 3),
    "503": (fail(503), "transient", "LW170", 3),
    "408": (fail(408), "transient", "LW170", 3),
    "429": (fail(429, headers={"Retry-After": "0"}), "transient", "LW171", 3),
    "429 without any quota": (fail(429, "exceeded", code="insufficient_quota"), "refused", "LW177", 1),
    "reset before the answer": (Answer(cut=-1), "transient", "LW172", 3),
    "reset amid the body": (Answer(b"{" + b" " * 100, cut=30), "transient", "LW172", 3),
    "no JSON": (raw("hello", content_type="text/plain"), "malformed", "LW174", 3),
    "no UTF-8": (raw(b'{"choices": "\xff"}'), "malformed", "LW174", 3),
    "empty body": (raw(""), "malformed", "LW174", 3),
    "a list": (raw("[]"), "malformed", "LW174", 3),
    "empty choices": (raw('{"choices": []}'), "malformed", "LW174", 3),
    "no message": (raw('{"choices": [{"message": null}]}'), "malformed", "LW174", 3),
    "a number for text": (say(5), "malformed", "LW174", 3),  # type: ignore[arg-type]
    "an error of 502 in a 200": (raw('{"error": {"message": "upstream", "code": 502}}'), "transient", "LW170", 3),
    "an error of 401 in a 200": (raw('{"error": {"message": "key", "code": 401}}'), "refused", "LW165", 1),
    "400": (fail(400), "refused", "LW169", 1),
    "401": (fail(401), "refused", "LW165", 1),
    "403": (fail(403), "refused", "LW165", 1),
    "404": (fail(404), "refused", "LW166", 1),
    "context": (fail(400, "maximum context length is 10", code="context_length_exceeded"), "refused", "LW167", 1),
    "content": (fail(400, "inappropriate", code="data_inspection_failed"), "refused", "LW168", 1),
    "redirect is not followed": (Answer(b"", 307, {"Location": "/v1/elsewhere"}), "refused", "LW169", 1),
}


@pytest.mark.parametrize(("answer", "kind", "code", "requests"), FAILURES.values(), ids=FAILURES)
def test_failure(serve: type[Loopback], answer: Answer, kind: str, code: str, requests: int) -> None:
    with serve([answer]) as server:
        failure = refuse()
    assert (failure.kind, failure.problem.code, failure.attempts, len(server.calls)) == (kind, code, requests, requests)
    assert "\n" not in failure.message and "Traceback" not in failure.message


def test_nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_BASE", dead_url())
    failure = refuse()
    assert (failure.kind, failure.problem.code, failure.attempts) == ("transient", "LW172", 3)
    assert "0x" not in failure.message


def test_passing_failures_are_overcome(serve: type[Loopback]) -> None:
    with serve([fail(500), Answer(cut=-1), say("好。")]) as server:
        assert ask().text == "好。"
    assert len(server.calls) == 3


def test_attempts_are_the_endpoint_s(serve: type[Loopback]) -> None:
    with serve([fail(500)]) as server:
        assert refuse(Endpoint("openai/clerk", attempts=1)).attempts == 1
    assert len(server.calls) == 1


@pytest.mark.parametrize("packed", [False, True])
def test_a_body_without_end_is_not_read(serve: type[Loopback], packed: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("legalworld.models.wire.BODY_LIMIT", 1 << 20)  # 32 MB are held several times
    body = say("好。").body + b" " * (1 << 20)  # but for its length a good answer
    answer = Answer(gzip.compress(body, 1), 200, {"Content-Encoding": "gzip"}) if packed else raw(body)
    with serve([answer]):
        assert refuse(Endpoint("openai/clerk", attempts=1)).kind == "malformed"


# ---- pauses and deadlines --------------------------------------------------------------------------------------------


def test_pauses_are_exponential_and_follow_the_seed() -> None:
    failure = Failure("transient", "LW170", "", again=True)
    pauses = [[Models(delay=1)._pause(failure, attempt, seed) for attempt in (1, 2, 3)] for seed in range(20)]
    assert pauses == [[Models(delay=1)._pause(failure, attempt, seed) for attempt in (1, 2, 3)] for seed in range(20)]
    assert len({first for first, *_ in pauses}) == 20
    assert all(0.5 <= pause / 2**number <= 1.5 for row in pauses for number, pause in enumerate(row))


def test_retry_after_is_obeyed(serve: type[Loopback]) -> None:
    with serve([fail(429, headers={"Retry-After": "0.3"}), say("好。")]):
        start = perf_counter()
        assert ask().text == "好。"
    assert perf_counter() - start >= 0.3


def test_retry_after_is_capped(serve: type[Loopback]) -> None:
    with serve([fail(429, headers={"Retry-After": "3600"}), say("好。")]):
        assert ask(patience=0.05).text == "好。"


def test_a_wait_beyond_the_deadline_is_not_begun(serve: type[Loopback]) -> None:
    with serve([fail(429, headers={"Retry-After": f"{2 * HANG}"})]) as server:
        failure = refuse(Endpoint("openai/clerk", deadline=HANG), patience=2 * HANG)
    assert (failure.kind, failure.attempts, len(server.calls)) == ("transient", 1, 1)


SLOW = {"drips": Answer(say("好。").body, drip=10), "never begins": Answer(say("好。").body, pause=2 * HANG)}


@pytest.mark.parametrize("answer", SLOW.values(), ids=SLOW)
def test_deadline(serve: type[Loopback], answer: Answer) -> None:
    with serve([say("好。"), answer]) as server:
        ask()  # what litellm imports at its first call is no part of the second
        failure = refuse(Endpoint("openai/clerk", deadline=1))
        assert (failure.kind, failure.problem.code, len(server.calls)) == ("deadline", "LW173", 2)
        assert server.calls[1].left.wait(HANG)


def test_cancelling_closes_the_connection(serve: type[Loopback]) -> None:
    async def call(server: Loopback) -> bool:
        async with Models() as models:
            task = asyncio.create_task(models.complete(Endpoint("openai/clerk"), THREAD, ModelDefaults(), seed=1))
            while not server.calls:
                await asyncio.sleep(0.01)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            return await asyncio.to_thread(server.calls[0].left.wait, HANG)

    with serve([Answer(pause=2 * HANG)]) as server:
        assert asyncio.run(call(server))


# ---- keys and addresses ----------------------------------------------------------------------------------------------


def test_a_loopback_server_needs_no_key(serve: type[Loopback]) -> None:
    with serve([say("好。")]) as server:
        ask()
    assert server.calls[0].headers["authorization"] == "Bearer none"


def test_a_key_is_used(serve: type[Loopback], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-proj-0123456789")
    with serve([say("好。")]) as server:
        ask()
    assert server.calls[0].headers["authorization"] == "Bearer sk-proj-0123456789"


def test_loopback_is_not_behind_the_proxy(serve: type[Loopback], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", dead_url())
    with serve([say("好。")]):
        assert ask().text == "好。"


CONFIG = {
    "no key": ("openai/gpt-4o", {}, "LW160", "OPENAI_API_KEY"),
    "no key for another address": (
        "openai/clerk",
        {"OPENAI_API_BASE": "http://192.0.2.1/v1"},
        "LW160",
        "OPENAI_API_KEY",
    ),
    "no key, another provider": ("dashscope/qwen-max", {}, "LW160", "DASHSCOPE_API_KEY"),
    "blank key": ("deepseek/deepseek-chat", {"DEEPSEEK_API_KEY": " "}, "LW160", "DEEPSEEK_API_KEY"),
    "no such provider": ("审判长", {}, "LW161", ""),
    "a placeholder for a key": ("openai/gpt-4o", {"OPENAI_API_KEY": "您的密钥"}, "LW162", "OPENAI_API_KEY"),
    "no scheme": ("openai/clerk", {"OPENAI_API_BASE": "127.0.0.1:8000/v1"}, "LW164", "OPENAI_API_BASE"),
    "no port": ("openai/clerk", {"OPENAI_API_BASE": "http://127.0.0.1:99999/v1"}, "LW164", "OPENAI_API_BASE"),
    "an own server without address": ("hosted_vllm/qwen", {}, "LW164", "HOSTED_VLLM_API_BASE"),  # not api.openai.com
    "password": ("openai/clerk", {"OPENAI_API_BASE": "http://u:geheim@127.0.0.1/v1"}, "LW164", "OPENAI_API_BASE"),
}


@pytest.mark.parametrize(("model", "environment", "code", "variable"), CONFIG.values(), ids=CONFIG)
def test_config(
    monkeypatch: pytest.MonkeyPatch, model: str, environment: dict[str, str], code: str, variable: str
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    failure = refuse(Endpoint(model))
    assert (failure.kind, failure.problem.code, failure.attempts) == ("config", code, 0)
    assert failure.problem.values.get("variable", "") == variable
    assert "geheim" not in f"{failure} {failure.problem.values}"


def test_a_provider_that_the_direct_route_does_not_know(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XINFERENCE_API_BASE", dead_url())
    failure = refuse(Endpoint("xinference/qwen"))
    assert (failure.kind, failure.problem.code, failure.attempts) == ("config", "LW163", 1)


def test_no_key_in_a_failure(serve: type[Loopback], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "geheim-0123456789")
    words = "key geheim-0123456789 (or sk-abcdef0123, Bearer xyz) at https://u:pw@host.test/v1?key=pw2 is wrong"
    with serve([fail(401, words)]):
        failure = refuse()
    assert failure.message == "key *** (or ***, Bearer *** at https://host.test/v1 is wrong"


# ---- the process -----------------------------------------------------------------------------------------------------

CHILD = """
import os, sys

strange = []  # names looked up, connections elsewhere than loopback, files and folders made, processes started


def watch(event, args):
    if event == "socket.connect" and args[1][0] != "127.0.0.1":
        strange.append((event, args[1]))
    elif event == "socket.getaddrinfo" and args[0] not in ("127.0.0.1", b"127.0.0.1"):
        strange.append((event, args[0]))
    elif event == "subprocess.Popen" and args[1] != ["uname", "-p"]:  # the openai SDK asks what machine this is
        strange.append((event, args[1]))
    elif event == "os.mkdir" and not str(args[0]).endswith("__pycache__"):
        strange.append((event, args[0]))
    elif event == "open" and args[2] & (os.O_WRONLY | os.O_RDWR) and ".pyc" not in str(args[0]):
        if args[0] != os.devnull and os.path.dirname(str(args[0])) != probed:
            strange.append((event, args[0]))


import tempfile

probed = tempfile.gettempdir()  # to find it, Python itself tries to write there
sys.addaudithook(watch)
import asyncio

from legalworld.model.events import Message
from legalworld.models.failures import ModelFailed
from legalworld.models.endpoint import Endpoint
from legalworld.models.litellm_client import Models
from legalworld.model.procedure import ModelDefaults

assert "litellm" not in sys.modules and "httpx" not in sys.modules


async def calls(first):
    thread = [Message(role="user", content="请开庭。")]
    async with Models(delay=0) as models:
        for number, name in enumerate(("openai", "openai", "openai", "hosted_vllm", "azure", "nobody")):
            deadline = 1 if number == 1 and first else 600  # of the call that is never answered
            endpoint = Endpoint(f"{name}/clerk", deadline=deadline, attempts=2)
            try:
                print((await models.complete(endpoint, thread, ModelDefaults(), seed=1)).text)
            except ModelFailed as failure:
                print(failure.kind)
        for pause in range(20):
            task = asyncio.create_task(models.complete(Endpoint("openai/clerk"), thread, ModelDefaults(), seed=1))
            await asyncio.sleep(pause * 0.0002)
            task.cancel()
            await asyncio.wait([task])


for first in (True, False):
    asyncio.run(calls(first))
print(strange)
"""


def test_a_process_ends_cleanly_and_says_nothing(serve: type[Loopback]) -> None:
    def script(call: Call) -> Answer:
        return {1: say("ok"), 2: Answer(pause=2 * HANG), 3: raw("?"), 4: raw("?")}.get(call.number, say("fine"))

    with serve(script) as server:
        azure = {"AZURE_API_BASE": server.url, "AZURE_API_KEY": "none", "AZURE_API_VERSION": "2024-10-21"}
        environment = {**os.environ, **azure, "HOSTED_VLLM_API_BASE": server.url}
        command = [sys.executable, "-c", CHILD]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=HANG)
    assert (done.returncode, done.stderr) == (0, "")
    first, second = ["ok", "deadline", "malformed"], ["fine"] * 3
    assert done.stdout.split() == [*first, "fine", "fine", "config", *second, "fine", "fine", "config", "[]"]


# ---- catalogue and prices --------------------------------------------------------------------------------------------


def test_the_room_of_models_alone_makes_their_problems() -> None:
    sources = "".join(file.read_text("utf-8") for file in (ROOT / "legalworld/models").glob("*.py"))
    assert set(re.findall(r"diagnose\.([a-z_]+)", sources)) == {entry["name"] for entry in CATALOGUE.values()}
    assert all(int(code[2:]) in (*range(160, 180), 301, 698, 699) for code in CATALOGUE)


def test_cost() -> None:
    counted = Reply(text="", model="gpt-4o-2024-08-06", prompt_tokens=1000, completion_tokens=100)
    assert cost_of(counted, "openai/gpt-4o") == pytest.approx(0.0035)
    assert cost_of(counted.model_copy(update={"model": "clerk-1"}), "openai/clerk") is None
    assert cost_of(counted.model_copy(update={"model": ""}), "nobody/clerk") is None
    assert cost_of(counted.model_copy(update={"prompt_tokens": None}), "openai/gpt-4o") is None


# ---- thought ---------------------------------------------------------------------------------------------------------

THINKING = {
    "openai/clerk": {"reasoning_effort": "medium"},  # as litellm passes a budget on to those who know efforts alone
    "deepseek/deepseek-reasoner": {"thinking": {"type": "enabled"}},
    "hosted_vllm/clerk": {"reasoning_effort": "medium"},
    "openai/gpt-4o": {},
}


@pytest.mark.parametrize(("model", "told"), THINKING.items())
def test_thought_has_a_budget_of_its_own(
    serve: type[Loopback], monkeypatch: pytest.MonkeyPatch, model: str, told: dict[str, object]
) -> None:
    """The words have the room that they always have, and the model is told how long it may think, if it can be."""
    with serve([say("同意。", thought="先想一想。")]) as server:
        for provider in ("OPENAI", "DEEPSEEK", "HOSTED_VLLM"):
            monkeypatch.setenv(f"{provider}_API_BASE", server.url)
            monkeypatch.setenv(f"{provider}_API_KEY", "none-at-all")

        async def call() -> Reply:
            async with Models() as models:
                return await models.complete(
                    Endpoint(model), THREAD, ModelDefaults(max_tokens=100, thought_tokens=3000), seed=7
                )

        reply = asyncio.run(call())
    (call_,) = server.calls
    assert call_.body["max_tokens"] == 3100
    assert {key: call_.body[key] for key in ("thinking", "reasoning_effort") if key in call_.body} == told
    assert (reply.thought, reply.text) == ("先想一想。", "同意。")


def test_without_a_budget_nothing_is_said_of_thought(serve: type[Loopback]) -> None:
    with serve([say("好。")]) as server:
        ask()
    assert not {"thinking", "reasoning_effort"} & set(server.calls[0].body)


# ---- streams ---------------------------------------------------------------------------------------------------------

STREAMS = {
    "words": say("现在开庭，请坐下。"),
    "thought": say("同意。", thought="先想一想。"),
    "thought in the words": say("<think>先想一想。</think>\n同意。"),
    "calls": say("看一看。", calls=[("look", '{"field": "notes"}'), ("look", "{}")]),
    "calls alone": say(None, calls=[("look", '{"field": "notes"}')]),
    "cut": say("本院认", finish="length"),
    "surrogate": say("a\ud800b"),
    "no tokens counted": say("好。", tokens=None),
}


@pytest.mark.parametrize("model", ["openai/clerk", "deepseek/deepseek-chat", "hosted_vllm/clerk", "dashscope/qwen-max"])
@pytest.mark.parametrize("answer", STREAMS.values(), ids=STREAMS)
def test_a_stream_gives_the_same_reply(
    serve: type[Loopback], monkeypatch: pytest.MonkeyPatch, answer: Answer, model: str
) -> None:
    pieces: list[str | None] = []

    async def call(hear: Hear | None) -> Reply:
        async with Models() as models:
            return await models.complete(Endpoint(model), THREAD, ModelDefaults(), seed=7, hear=hear)

    with serve(lambda call: streamed(answer) if call.body.get("stream") else answer) as server:
        for provider in ("OPENAI", "DEEPSEEK", "HOSTED_VLLM", "DASHSCOPE"):
            monkeypatch.setenv(f"{provider}_API_BASE", server.url)
            monkeypatch.setenv(f"{provider}_API_KEY", "none-at-all")
        whole = asyncio.run(call(None))
        assert asyncio.run(call(pieces.append)) == whole
    assert [bool(call.body.get("stream")) for call in server.calls] == [False, True]
    if "\ud800" not in "".join(piece or "" for piece in pieces):
        assert "".join(piece or "" for piece in pieces) == whole.text


def test_a_server_that_passes_over_the_stream_is_asked_without_from_then_on(serve: type[Loopback]) -> None:
    async def calls() -> list[str]:
        async with Models() as models:
            endpoint = Endpoint("openai/clerk")
            heard = [await models.complete(endpoint, THREAD, ModelDefaults(), seed=7, hear=print) for _ in range(2)]
            return [reply.text for reply in heard]

    with serve(lambda call: say("现在开庭。")) as server:
        assert asyncio.run(calls()) == ["现在开庭。"] * 2
    assert [bool(call.body.get("stream")) for call in server.calls] == [True, False, False]
