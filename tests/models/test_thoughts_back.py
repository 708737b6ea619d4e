"""What a provider gave with tool calls goes back to it as it wants, to nobody else, the same when it is resumed."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from imitated import Strict, ids, thoughts
from loopback import Answer, Call, Loopback, raw, say
from typed import lw

from legalworld.model.events import Call as ToolCall
from legalworld.model.events import Message, Offer, Reply
from legalworld.model.procedure import ModelDefaults
from legalworld.models import tool_calls
from legalworld.models.endpoint import Endpoint
from legalworld.models.limits import UNLIMITED, Gate
from legalworld.models.litellm_client import Models
from legalworld.models.providers import tool_id

pytestmark = pytest.mark.usefixtures("no_keys")
SECRET = "Qualmish-Hedgerow：底价是七十七。"
LOOK = ("read_memory", '{"field": "notes"}')
TOOLS = (Offer("read_memory", "reads", {"type": "object", "properties": {"field": {"type": "string"}}}),)
RULES = {  # how a server wants thoughts back -> how often a thread of three rounds is refused until it is known
    "with calls": (thoughts("calls", "Missing `{field}` in the message at index {number}. (see #tool-calls)"), 0),
    "always": (thoughts("every", "The {field} in the thinking mode must be passed back to the API."), 1),
    "never": (thoughts("none", "{field} must not be sent back"), 1),
    "in Chinese": (thoughts("none", "请勿回传 {field}"), 1),
    "as it comes": (lambda _: None, 0),
}
Serving = Callable[[Callable[[Call], Answer]], Loopback]


@pytest.fixture
def serving(monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    servers: list[Loopback] = []

    def begin(script: Callable[[Call], Answer]) -> Loopback:
        server = Loopback(script).__enter__()
        servers.append(server)
        for name in ("OPENAI", "DEEPSEEK", "HOSTED_VLLM", "MOONSHOT", "OPENROUTER", "ANTHROPIC", "GEMINI"):
            own = name in ("ANTHROPIC", "GEMINI")
            monkeypatch.setenv(f"{name}_API_BASE", server.url.removesuffix("/v1") if own else server.url)
            monkeypatch.setenv(f"{name}_API_KEY", "none-at-all")
        return server

    yield begin
    for server in servers:
        server.__exit__()


def thread_after(reply: Reply, before: tuple[Message, ...], *, data: str | None = None) -> tuple[Message, ...]:
    """The thread with a reply, the results of its calls and what somebody says next."""
    given = reply.provider_data if data is None else data
    said = Message(role="assistant", content=reply.text, calls=reply.calls, provider_data=given)
    results = tuple(Message(role="tool", content="民法典", call=call.id) for call in reply.calls)
    return (*before, said, *results, *(() if results else (Message(role="user", content="请继续。"),)))


def rounds(model: str, number: int = 4, *, thought: int = 0, hear: Any = None, gate: Gate | None = None) -> list[Reply]:
    """So many calls, each with all that was said before."""

    async def calls() -> list[Reply]:
        thread: tuple[Message, ...] = (Message(role="user", content="请开庭。"),)
        replies: list[Reply] = []
        async with Models(delay=0, gate=gate) as models:
            for _ in range(number):
                defaults = ModelDefaults(thought_tokens=thought)
                reply = await models.complete(Endpoint(model), thread, defaults, seed=1, tools=TOOLS, hear=hear)
                replies.append(reply)
                thread = thread_after(reply, thread)
        return replies

    return asyncio.run(calls())


def speaks_and_looks(call: Call) -> Answer:
    """Looks twice, speaks, looks again; thinks each time."""
    if call.body["messages"][-1]["role"] == "tool" and len(call.body["messages"]) > 4:
        return say("我方意见如下。", thought=SECRET)
    return say("", calls=[LOOK], thought=SECRET)


@pytest.mark.parametrize("model", ["openai/clerk", "deepseek/deepseek-v4-pro", "hosted_vllm/clerk", "openrouter/a/b"])
@pytest.mark.parametrize("rule", RULES)
def test_thoughts_go_back_as_each_server_wants_them(serving: Serving, rule: str, model: str) -> None:
    wants, refused = RULES[rule]
    strict = Strict([wants], speaks_and_looks)
    server = serving(strict)
    replies = rounds(model, 6)
    assert {bool(reply.calls) for reply in replies} == {True, False}
    assert strict.refused <= refused
    assert all(reply.thought == SECRET for reply in replies)
    for call in server.calls:
        for message in call.body["messages"]:  # in the field that it came in, and nowhere else
            elsewhere = {key: value for key, value in message.items() if key != "reasoning_content"}
            assert SECRET not in json.dumps(elsewhere, ensure_ascii=False)


@pytest.mark.parametrize("model", ["openai/clerk", "deepseek/deepseek-v4-pro"])
def test_thoughts_of_another_model_do_not_go_back(serving: Serving, model: str) -> None:
    server = serving(lambda call: say("好。"))
    data = json.dumps({"model": "openai/another", "reasoning_content": SECRET}, ensure_ascii=False)
    call = ToolCall(id="c1", name="read_memory", arguments="{}")
    thread = thread_after(Reply(text="", calls=(call,)), (Message(role="user", content="问"),), data=data)

    async def ask() -> None:
        async with Models() as models:
            await models.complete(Endpoint(model), thread, ModelDefaults(), seed=1, tools=TOOLS)

    asyncio.run(ask())
    assert SECRET not in json.dumps(server.calls[0].body, ensure_ascii=False)


@pytest.mark.parametrize("damaged", ["{", "[]", "null", '{"model": 3}', '"text"', "{}" * 9, "[" * 3000])
def test_damaged_data_of_a_provider_is_none(serving: Serving, damaged: str) -> None:
    server = serving(lambda call: say("好。"))
    call = ToolCall(id="c1", name="read_memory", arguments="{}")
    thread = thread_after(Reply(text="", calls=(call,)), (Message(role="user", content="问"),), data=damaged)

    async def ask() -> None:
        async with Models() as models:
            await models.complete(Endpoint("openai/clerk"), thread, ModelDefaults(), seed=1, tools=TOOLS)

    asyncio.run(ask())
    assert not {"role", "content", "tool_calls"} ^ {"content", *server.calls[0].body["messages"][1]}


# ---- Anthropic, Gemini, Google's other form --------------------------------------------------------------------------
BLOCKS = [
    {"type": "thinking", "thinking": SECRET, "signature": "c2lnbmVk"},
    {"type": "redacted_thinking", "data": "cmVk"},
]


def claude(call: Call) -> Answer:
    body, last = call.body, call.body["messages"][-1]["content"]
    thinking = body.get("thinking", {}).get("type") == "enabled"
    for message in body["messages"]:
        kinds = [part["type"] for part in message["content"]] if isinstance(message["content"], list) else []
        if thinking and message["role"] == "assistant" and "tool_use" in kinds:
            assert message["content"][: len(BLOCKS)] == BLOCKS  # first, and unchanged
    answered = isinstance(last, list) and any(part["type"] == "tool_result" for part in last)
    called = {"type": "tool_use", "id": f"toolu_{call.number}", "name": "read_memory", "input": {"field": "notes"}}
    content: list[Mapping[str, Any]] = [*(BLOCKS if thinking else ()), {"type": "text", "text": "好。"}]
    content += [] if answered and call.number % 3 == 0 else [called]
    stop = "tool_use" if content[-1] is called else "end_turn"
    if body.get("stream"):
        return _claude_stream(content, stop)
    usage = {"input_tokens": 7, "output_tokens": 3}
    said = {"id": "m", "type": "message", "role": "assistant", "model": "claude-x", "content": content}
    return raw(json.dumps({**said, "stop_reason": stop, "usage": usage}))


def _claude_stream(content: list[Mapping[str, Any]], stop: str) -> Answer:
    """The same in pieces."""
    start = {"id": "m", "type": "message", "role": "assistant", "model": "claude-x", "content": [], "stop_reason": None}
    events: list[Mapping[str, Any]] = [
        {"type": "message_start", "message": {**start, "usage": {"input_tokens": 7, "output_tokens": 0}}}
    ]
    for index, part in enumerate(content):
        empty = {"thinking": "", "signature": "", "text": "", "input": {}}
        block = {key: empty.get(key, value) for key, value in part.items()}
        events.append({"type": "content_block_start", "index": index, "content_block": block})
        pieces: list[Mapping[str, Any]] = []
        for key, kind in (("thinking", "thinking_delta"), ("text", "text_delta"), ("signature", "signature_delta")):
            step = 100 if key == "signature" else 3
            pieces += [{"type": kind, key: part[key][at : at + step]} for at in range(0, len(part.get(key, "")), step)]
        if "input" in part:
            pieces.append({"type": "input_json_delta", "partial_json": json.dumps(part["input"])})
        events += [{"type": "content_block_delta", "index": index, "delta": piece} for piece in pieces]
        events.append({"type": "content_block_stop", "index": index})
    events.append({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 3}})
    events.append({"type": "message_stop"})
    lines = "".join(f"event: {one['type']}\ndata: {json.dumps(one, ensure_ascii=False)}\n\n" for one in events)
    return Answer(lines.encode(), 200, {"Content-Type": "text/event-stream"})


@pytest.mark.parametrize("listening", [False, True])
def test_claude_goes_on_thinking_with_its_blocks_unchanged(serving: Serving, listening: bool) -> None:
    server = serving(claude)
    replies = rounds("anthropic/claude-sonnet-4-5", 5, thought=2000, hear=(lambda _: None) if listening else None)
    assert all(call.body["thinking"]["budget_tokens"] == 2000 for call in server.calls)
    assert all("temperature" not in call.body for call in server.calls)
    assert [reply.thought for reply in replies] == [SECRET] * 5
    kept = [json.loads(reply.provider_data)["thinking_blocks"] for reply in replies if reply.calls]
    assert kept == [BLOCKS] * len(kept)
    assert len(kept) >= 3


def test_claude_does_not_think_after_calls_whose_thoughts_are_not_there(serving: Serving) -> None:
    """As after a run that another model began; it thinks again when somebody has spoken and it has answered."""
    server = serving(claude)
    call = ToolCall(id="c1", name="read_memory", arguments="{}")
    thread = thread_after(Reply(text="", calls=(call,)), (Message(role="user", content="问"),))

    async def ask() -> None:
        async with Models() as models:
            for more in ((), (Message(role="assistant", content="答"), Message(role="user", content="再问"))):
                defaults = ModelDefaults(thought_tokens=2000)
                endpoint = Endpoint("anthropic/claude-sonnet-4-5")
                await models.complete(endpoint, (*thread, *more), defaults, seed=1, tools=TOOLS)

    server._script = lambda call: claude_lenient(call)
    asyncio.run(ask())
    assert ["thinking" in call.body for call in server.calls] == [False, True]


def claude_lenient(call: Call) -> Answer:
    content = [{"type": "text", "text": "好。"}]
    said = {"id": "m", "type": "message", "role": "assistant", "model": "claude-x", "content": content}
    return raw(json.dumps({**said, "stop_reason": "end_turn", "usage": {"input_tokens": 7, "output_tokens": 3}}))


def test_what_stands_beside_a_call_goes_back_with_it(serving: Serving) -> None:
    """Google's form of OpenAI's: the signature of a thought is extra content of the call."""

    def script(call: Call) -> Answer:
        for message in call.body["messages"]:
            for one in message.get("tool_calls", ()):
                assert one["extra_content"] == {"google": {"thought_signature": "c2ln"}}
        answer = json.loads(say(None, calls=[LOOK]).body)
        for one in answer["choices"][0]["message"]["tool_calls"]:
            one["extra_content"] = {"google": {"thought_signature": "c2ln"}}
        return raw(json.dumps(answer))

    server = serving(script)
    rounds("openai/gemini-3-pro", 3)
    assert len(server.calls) == 3


# ---- a whole run -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", ["native", "text"])
@pytest.mark.parametrize("rule", ["with calls", "never"])
def test_a_run_keeps_thoughts_to_their_thinker_and_resumes_to_the_same_bytes(
    rule: str, protocol: str, serving: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    wants, _ = RULES[rule]

    def script(call: Call) -> Answer:
        if call.number % 3 == 1 and call.body.get("tools"):
            return say("", calls=[LOOK], thought=SECRET)
        return say("请您把经过说一说。", thought=SECRET)

    server = serving(Strict([wants], script))
    words = ("--model", "target=openai/clerk", "--tools", f"target={protocol}", "--option", "memory=no")
    whole = lw("run", "civil", *words, "--until", "CD", "--out", "whole", "--json")
    assert (whole.code, whole.object()["status"]) == (0, "paused"), whole.err
    for call in server.calls:
        for message in call.body["messages"]:
            spoken = {key: value for key, value in message.items() if key != "reasoning_content"}
            assert SECRET not in json.dumps(spoken, ensure_ascii=False)
    assert SECRET not in lw("show", "whole").out
    assert SECRET not in lw("show", "whole", "--turn", "3", "--prompt").out
    journal = (tmp_path / "whole" / "journal.jsonl").read_bytes()
    assert lw("replay", "whole").code == 0
    half = b"".join(journal.splitlines(keepends=True)[: journal.count(b"\n") // 2])
    (tmp_path / "whole" / "journal.jsonl").write_bytes(half)
    sent = [json.dumps(call.body, sort_keys=True) for call in server.calls]
    server.calls.clear()
    assert lw("resume", "whole", "--until", "CD", "--json").code == 0
    again = [json.dumps(call.body, sort_keys=True) for call in server.calls]
    assert set(again) & set(sent)  # what a resumed run sends is what the first one sent


# ---- ids -------------------------------------------------------------------------------------------------------------

STRANGE = (
    "call_00_1",
    "x",
    "",
    "号码",
    "a" * 300,
    "call_1__thought__" + "c2ln" * 400,
    "abcdefghi",
    "a b",
    "toolu_01Ab",
)


@pytest.mark.parametrize("provider", ["mistral", "openai", "anthropic"])
def test_ids_fit_their_server_are_stable_and_stay_apart(provider: str) -> None:
    calls = tuple(ToolCall(id=one, name="x", arguments="{}") for one in STRANGE)
    thread = (
        Message(role="assistant", content="", calls=calls),
        *(Message(role="tool", content=str(number), call=one) for number, one in enumerate(STRANGE)),
    )
    first, again = (tool_calls.sent(thread, tool_id(provider)) for _ in range(2))
    assert first == again
    named = [call["id"] for call in first[0]["tool_calls"]]
    assert len(set(named)) == len(STRANGE)
    pattern = {"mistral": "[a-zA-Z0-9]{9}"}.get(provider, "[a-zA-Z0-9_-]{1,40}")
    assert all(re.fullmatch(pattern, one) for one in named)
    assert [one["tool_call_id"] for one in first[1:]] == named
    assert [one["content"] for one in first[1:]] == [str(number) for number in range(len(STRANGE))]
    kept = [one for one in STRANGE if re.fullmatch(pattern, one)]
    assert set(kept) <= set(named)


def test_a_relay_to_mistral_gets_short_ids_when_it_asks_for_them(serving: Serving) -> None:
    words = "Tool call id was {id} but must be a-z, A-Z, 0-9, with a length of 9."
    strict = Strict([ids(lambda one: re.fullmatch("[a-zA-Z0-9]{9}", one) is not None, words)], speaks_and_looks)
    server = serving(strict)
    gate = Gate(UNLIMITED)
    rounds("openai/mistral-small", 3, gate=gate)
    assert strict.refused == 1
    assert [call.id for call in rounds("openai/clerk", 1)[0].calls] == ["id-1"]  # of another model they stay
    assert len(server.calls) == 3 + 1 + 1
