"""What a provider refuses is told as what it is: by fields first, by words second, and never more than it says."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Mapping
from typing import Any

import pytest
from conftest import Serve
from imitated import WRAPPINGS, error
from loopback import Answer, Loopback, raw, say, streamed

from legalworld.model.events import Message, Offer, Reply
from legalworld.model.procedure import ModelDefaults
from legalworld.models.complaint import complaint
from legalworld.models.endpoint import Endpoint
from legalworld.models.failures import ModelFailed
from legalworld.models.litellm_client import Models
from legalworld.models.named.profile import from_record
from legalworld.models.named.reader import read_models_file

pytestmark = pytest.mark.usefixtures("no_keys")
THREAD = (Message(role="user", content="请开庭。"),)
TOOL = (Offer("look", "looks", {"type": "object", "properties": {}}),)
CONTENT, TOO_LONG, QUOTA, NO_TOOLS, REFUSED, SILENT = "LW168", "LW167", "LW177", "LW175", "LW169", "LW176"


def ask(endpoint: Endpoint | None = None, *, tools: bool = False, most: int = 4096) -> Reply | ModelFailed:
    async def call() -> Reply:
        async with Models(delay=0) as models:
            offers = TOOL if tools else ()
            asked = endpoint or Endpoint("openai/clerk", attempts=1)
            return await models.complete(asked, THREAD, ModelDefaults(max_tokens=most), seed=1, tools=offers)

    try:
        return asyncio.run(call())
    except ModelFailed as failed:
        return failed


def code(outcome: Reply | ModelFailed) -> str:
    assert isinstance(outcome, ModelFailed), outcome
    return outcome.problem.code


# ---- errors ----------------------------------------------------------------------------------------------------------

# Words, the code that stands beside them or None, what they mean. Each comes in every wrapping.
SAID: Mapping[str, tuple[str, str | None, str]] = {
    "DeepSeek's filter": ("Content Exists Risk", "invalid_request_error", CONTENT),
    "GLM's filter": ("系统检测到输入或生成内容可能包含不安全或敏感内容", "1301", CONTENT),
    "Qwen's filter": ("Input data may contain inappropriate content.", "data_inspection_failed", CONTENT),
    "Qwen's filter of output": ("<400> InternalError.Algo.DataInspectionFailed: Output data may ...", None, CONTENT),
    "Kimi's filter": ("The request was rejected because it was considered high risk", "content_filter", CONTENT),
    "Azure's filter": ("The prompt triggered Azure OpenAI's content management policy.", "content_filter", CONTENT),
    "a code alone": ("请求未被接受", "content_policy_violation", CONTENT),
    "vLLM, asked for": (
        "This model's maximum context length is 4096 tokens. However, you requested 9123 tokens (5027 in the messages, "
        "4096 in the completion). Please reduce the length of the messages or completion.",
        None,
        TOO_LONG,
    ),
    "vLLM, prompt": (
        "The decoder prompt (length 12034) is longer than the maximum model length of 4096.",
        None,
        TOO_LONG,
    ),
    "vLLM, no room": (
        "'max_tokens' is too large: 4096. This model's maximum context length is 4096 tokens and your request has 4000 "
        "input tokens (4096 > 4096 - 4000).",
        None,
        TOO_LONG,
    ),
    "sglang": ("The input (9000 tokens) is longer than the model's context length (8192 tokens).", None, TOO_LONG),
    "llama.cpp": (
        "request (14562 tokens) exceeds the available context size (8192 tokens), try increasing it",
        None,
        TOO_LONG,
    ),
    "Qwen's length": (
        "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]",
        None,
        TOO_LONG,
    ),
    "LM Studio": (
        "The number of tokens to keep from the initial prompt is greater than the context length.",
        None,
        TOO_LONG,
    ),
    "Anthropic's length": ("prompt is too long: 210000 tokens > 200000 maximum", None, TOO_LONG),
    "Gemini's length": (
        "The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).",
        None,
        TOO_LONG,
    ),
    "Chinese length": ("输入内容超过模型的上下文长度上限", None, TOO_LONG),
    "a code of length": ("too much", "context_length_exceeded", TOO_LONG),
    "balance": ("Insufficient Balance", None, QUOTA),
    "quota": ("You exceeded your current quota, please check your plan", "insufficient_quota", QUOTA),
    "Aliyun's account": ("Access denied, please make sure your account is in good standing.", "Arrearage", QUOTA),
    "no tools": ("gemma:latest does not support tools", None, NO_TOOLS),
    "vLLM's tools": ('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser', None, NO_TOOLS),
    "function calls": ("Function calling is not supported for this model", None, NO_TOOLS),
    "unknown field": ("Unrecognized request argument supplied: tools", None, NO_TOOLS),
    "something else": ("the moon is in the wrong place", None, REFUSED),
    "a link": ("Missing `x` in message 3. See https://example.test/guide#tool-calls for tools", None, REFUSED),
    "a word about tools": ("tool_call_id of message 4 has no preceding call", None, REFUSED),
    "a word about content": ("messages.2.content: Input should be a valid string", None, REFUSED),
    "a word about tokens": ("Invalid token in header", None, REFUSED),
    "policy of the company": ("the account manager must accept the new terms first", None, REFUSED),
}


@pytest.mark.parametrize("name", SAID)
def test_each_refusal_is_told_as_what_it_is_in_every_wrapping(serve: Serve, name: str) -> None:
    words, given, expected = SAID[name]
    answers = [
        error(400, wrap(words, None, given)) for key, wrap in WRAPPINGS.items() if given is None or key != "bare"
    ]
    if name.startswith("a code") or name == "Aliyun's account":  # the words alone do not say it
        answers = [
            error(400, WRAPPINGS[key](words, None, given)) for key in ("openai", "flat", "relay", "repr", "router")
        ]
    for answer in answers:
        server = serve(lambda call, answer=answer: answer)
        failed = ask(tools=True)
        assert code(failed) == expected, answer.body
        assert isinstance(failed, ModelFailed)
        assert words.split()[0].strip("'\"<")[:8] in failed.message or words[:4] in failed.message
        assert len(server.calls) <= 3


@pytest.mark.parametrize("status", [400, 403, 404, 413, 422])
def test_the_status_changes_nothing_where_the_code_is_clear(serve: Serve, status: int) -> None:
    for given, expected in (("data_inspection_failed", CONTENT), ("context_length_exceeded", TOO_LONG)):
        serve(lambda call, given=given: error(status, WRAPPINGS["openai"]("x", None, given)))
        assert code(ask()) == expected


@pytest.mark.parametrize("field", ["tools", "tool_choice", "functions", "tools.0.function"])
@pytest.mark.parametrize("wrapping", ["openai", "flat", "relay", "repr", "router", "fastapi"])
def test_tools_are_refused_where_a_field_names_them_whatever_the_words(serve: Serve, wrapping: str, field: str) -> None:
    for words in ("bad request", "参数错误", "temperature is wrong"):
        serve(lambda call, words=words: error(400, WRAPPINGS[wrapping](words, field, None)))
        assert code(ask(tools=True)) == NO_TOOLS


@pytest.mark.parametrize("kind", ["content", "overflow", "quota"])
def test_a_server_s_own_words_can_be_told_to_us(serve: Serve, kind: str) -> None:
    expected = {"content": CONTENT, "overflow": TOO_LONG, "quota": QUOTA}[kind]
    serve(lambda call: error(400, {"message": "Frobnicated: (E-77"}))
    assert code(ask()) == REFUSED
    for words in ("frobnicated", r"E-\d+", "(E-77"):  # the last is no pattern
        assert code(ask(Endpoint("openai/clerk", attempts=1, wordings={kind: (words,)}))) == expected


CODES = {"content": CONTENT, "overflow": TOO_LONG, "quota": QUOTA, "tools": NO_TOOLS}


@pytest.mark.parametrize("kind", CODES)
@pytest.mark.parametrize(("pattern", "said"), [("off the shelf", "Scroll is OFF THE SHELF"), (r"'E-\d+'", "see E-77")])
@pytest.mark.parametrize("known", ["", " The prompt is too long.", " Your balance: insufficient balance", " stream"])
def test_words_of_the_models_file_come_before_those_that_are_known(
    serve: Serve, kind: str, pattern: str, said: str, known: str
) -> None:
    found = read_models_file(
        "models.yaml", f"lw: 1\nmodels: {{a: {{model: openai/clerk, refusals: {{{kind}: {pattern}}}}}}}"
    )
    assert found.problems == ()
    serve(lambda call: error(400, {"message": said + known}))
    recorded = from_record("a", found.profiles["a"].recorded)
    assert recorded.differs(found.profiles["a"]) == ()
    assert code(ask(recorded.endpoint(attempts=1))) == CODES[kind]


@pytest.mark.parametrize("entry", ["overflow: ''", "overflow: 'x*'", "overflow: [ok, '']", "overlong: x", "[x]"])
def test_words_that_would_fit_everything_or_nothing_are_refused(entry: str) -> None:
    refusals = entry if entry.startswith("[") else f"{{{entry}}}"
    found = read_models_file("models.yaml", f"lw: 1\nmodels: {{a: {{model: openai/clerk, refusals: {refusals}}}}}")
    assert [problem.severity for problem in found.problems] == ["error"]


def test_any_error_at_all_is_read_without_harm() -> None:
    rng = random.Random(7)
    leaves: list[Any] = [None, "", "x", 0, -1, 3.5, True, "{", "}", "[{", '{"a":', "{'a': 1}", "\ud800", "1" * 400]
    keys = ["error", "message", "code", "param", "loc", "type", "detail", "metadata", "raw", "n_ctx", ""]

    def made(depth: int) -> Any:
        choice = rng.random()
        if depth == 0 or choice < 0.3:
            return rng.choice(leaves)
        if choice < 0.6:
            return {rng.choice(keys): made(depth - 1) for _ in range(3)}
        if choice < 0.8:
            return [made(depth - 1) for _ in range(3)]
        return json.dumps(made(depth - 1))

    for _ in range(500):
        read = complaint(400, json.dumps(made(5)), made(3))
        assert read.kind() in (None, "overflow")
        assert isinstance(read.text, str)


# ---- answers ---------------------------------------------------------------------------------------------------------


def changed(answer: Answer, finish: str | None = None, **message: Any) -> Answer:
    body = json.loads(answer.body)
    body["choices"][0]["message"] |= message
    if finish is not None:
        body["choices"][0]["finish_reason"] = finish
    return raw(json.dumps(body, ensure_ascii=False))


REFUSALS = {
    "OpenAI's field": (changed(say(None), refusal="I cannot assist with that request."), "I cannot assist"),
    "beside words": (changed(say("好的。"), refusal="I cannot assist with that."), "I cannot assist"),
    "filtered": (say("被告", finish="content_filter"), "content_filter"),
    "GLM": (say("被告", finish="sensitive"), "sensitive"),
    "a relay to Anthropic": (say("", finish="refusal"), "refusal"),
    "a relay to Gemini": (say("第一条", finish="RECITATION"), "recitation"),
    "safety": (say("第一条", finish="SAFETY"), "safety"),
}


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("name", REFUSALS)
def test_a_refusal_by_a_field_is_no_speech_and_its_words_are_shown(serve: Serve, name: str, stream: bool) -> None:
    answer, shown = REFUSALS[name]
    given = _streamed(answer) if stream else answer
    server = serve(lambda call: given)
    failed = ask(Endpoint("openai/clerk", attempts=2, stream=stream))
    assert code(failed) == CONTENT
    assert isinstance(failed, ModelFailed)
    assert (failed.kind, len(server.calls)) == ("silent", 2)
    assert shown in failed.message


def _streamed(answer: Answer) -> Answer:
    """As a stream, whose refusal comes in pieces as OpenAI's does."""
    refusal = json.loads(answer.body)["choices"][0]["message"].get("refusal")
    whole = streamed(answer)
    if refusal is None:
        return whole
    head = {"id": "answer", "object": "chat.completion.chunk", "created": 1, "model": "clerk-1"}
    chunks = [
        {**head, "choices": [{"index": 0, "delta": {"refusal": refusal[at : at + 4]}, "finish_reason": None}]}
        for at in range(0, len(refusal), 4)
    ]
    first, rest = whole.body.split(b"\n\n", 1)
    lines = b"".join(b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks)
    return Answer(first + b"\n\n" + lines + rest, 200, whole.headers)


SPEECH = (
    "抱歉，我方不能接受调解。",
    "抱歉，我无法协助处理这个请求。",
    "I'm sorry, but we cannot accept the offer.",
    "I can't assist with that.",
    '被告说：{"refusal": "I cannot", "finish_reason": "refusal"}',
    "finish_reason: content_filter",
    '"stop_reason":"refusal"',
)


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("words", SPEECH)
def test_words_alone_are_speech(serve: Serve, words: str, stream: bool) -> None:
    answer = streamed(say(words)) if stream else say(words)
    serve(lambda call: answer)
    reply = ask(Endpoint("openai/clerk", attempts=1, stream=stream))
    assert isinstance(reply, Reply)
    assert reply.text == words


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("reason", ["insufficient_system_resource", "network_error", "error"])
def test_an_answer_whose_service_gave_up_is_asked_for_again(serve: Serve, reason: str, stream: bool) -> None:
    answers = iter([say("本院认", finish=reason), say("本院认为如下。")])
    server = serve(lambda call: streamed(next(answers)) if stream else next(answers))
    reply = ask(Endpoint("openai/clerk", stream=stream))
    assert isinstance(reply, Reply)
    assert (reply.text, len(server.calls)) == ("本院认为如下。", 2)


def test_a_call_that_the_server_could_not_read_is_asked_for_again(serve: Serve) -> None:
    refusal = error(400, WRAPPINGS["openai"]("Failed to call a function.", None, "tool_use_failed"))
    answers = iter([refusal, say("好。")])
    serve(lambda call: next(answers))
    reply = ask(Endpoint("openai/clerk"), tools=True)
    assert isinstance(reply, Reply)


GEMINI = {
    "blocked prompt": {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}},
    "safety": {"candidates": [{"finishReason": "SAFETY", "index": 0}]},
    "recitation": {
        "candidates": [
            {"finishReason": "RECITATION", "index": 0, "content": {"role": "model", "parts": [{"text": "第一条"}]}}
        ]
    },
}


@pytest.mark.parametrize("name", GEMINI)
def test_gemini_and_claude_refuse_by_their_reasons(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    claude = {"id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": "refusal"}
    claude |= {"content": [{"type": "text", "text": "我"}], "usage": {"input_tokens": 5, "output_tokens": 1}}
    gemini = {**GEMINI[name], "usageMetadata": {"promptTokenCount": 5, "totalTokenCount": 5}}
    with Loopback(lambda call: raw(json.dumps(claude if "messages" in call.path else gemini))) as server:
        for provider in ("GEMINI", "ANTHROPIC"):
            monkeypatch.setenv(f"{provider}_API_BASE", server.url.removesuffix("/v1"))
            monkeypatch.setenv(f"{provider}_API_KEY", "none-at-all")
        for model in ("gemini/gemini-2.5-pro", "anthropic/claude-sonnet-4-5"):
            assert code(ask(Endpoint(model, attempts=1))) == CONTENT
