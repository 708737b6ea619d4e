"""Providers that talk as OpenAI does, each with rules of its own: OpenAI, Azure, DeepSeek, Qwen, Mistral, Kimi, vLLM.

A rule looks at the body of a request and raises what the provider would answer. Sources: the providers' API references
(platform.openai.com/docs, learn.microsoft.com/azure/ai-foundry/openai, api-docs.deepseek.com/guides/thinking_mode,
help.aliyun.com/zh/model-studio/deep-thinking, docs.mistral.ai/api, platform.moonshot.ai/docs, docs.vllm.ai) and the
sentences in which their users report the refusals.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from loopback import Answer, Call, streamed

from families.exchange import Asked, Family, Refusal, Said, Turn, body_of, text_of

Body = Mapping[str, Any]
Rule = Callable[[Body], None]
MESSAGE = {"role", "content", "name", "tool_calls", "tool_call_id"}
REQUEST = {"model", "messages", "max_tokens", "max_completion_tokens", "temperature", "top_p", "stream"}
REQUEST |= {"stream_options", "tools", "tool_choice", "response_format", "seed", "stop", "reasoning_effort"}


# ---- rules -----------------------------------------------------------------------------------------------------------


def known_fields(body: Body) -> None:
    for name in body.keys() - REQUEST:
        raise Refusal(f"Unrecognized request argument supplied: {name}", param=name, code="unknown_parameter")


def known_message_fields(body: Body) -> None:
    for number, message in enumerate(body["messages"]):
        for name in message.keys() - MESSAGE:
            raise Refusal(f"property 'messages.{number}.{name}' is unsupported", param=f"messages.{number}.{name}")


def completion_tokens(body: Body) -> None:
    if "max_tokens" in body:
        said = (
            "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
        )
        raise Refusal(said, param="max_tokens", code="unsupported_parameter")


def sampling_is_fixed(body: Body) -> None:
    for name in ("temperature", "top_p"):
        if body.get(name, 1) != 1:
            said = f"Unsupported value: '{name}' does not support {body[name]} with this model."
            raise Refusal(f"{said} Only the default (1) value is supported.", param=name, code="unsupported_value")


def one_temperature(body: Body) -> None:
    if body.get("temperature", 1) != 1:
        raise Refusal("invalid temperature: only 1 is allowed for this model")


def results_follow(body: Body) -> None:
    """Every call is answered before anybody else speaks, and nothing else is."""
    waiting: list[str] = []
    for message in body["messages"]:
        if message["role"] == "tool":
            if message.get("tool_call_id") not in waiting:
                raise Refusal("messages with role 'tool' must be a response to a preceding message with 'tool_calls'.")
            waiting.remove(message["tool_call_id"])
            continue
        if waiting:
            said = "An assistant message with 'tool_calls' must be followed by tool messages responding to each"
            raise Refusal(f"{said} 'tool_call_id'. The following did not have response messages: {', '.join(waiting)}")
        waiting = [call["id"] for call in message.get("tool_calls") or ()]
        for call in message.get("tool_calls") or ():
            _arguments(call)


def _arguments(call: Body) -> None:
    function = call["function"]
    if not re.fullmatch("[a-zA-Z0-9_-]{1,64}", function["name"]):
        raise Refusal("Invalid 'messages[].tool_calls[].function.name': string does not match pattern.")
    try:
        json.loads(function["arguments"])
    except ValueError:
        raise Refusal("Invalid 'messages[].tool_calls[].function.arguments': no JSON.") from None


def reasoning_comes_back(body: Body) -> None:
    for message in body["messages"]:
        if message.get("tool_calls") and not message.get("reasoning_content"):
            said = "The `reasoning_content` in the thinking mode must be passed back to the API."
            raise Refusal(said, code="invalid_request_error")


def reasoning_is_not_missing(body: Body) -> None:
    for number, message in enumerate(body["messages"]):
        if message.get("tool_calls") and not message.get("reasoning_content"):
            said = "thinking is enabled but reasoning_content is missing in assistant tool call message"
            raise Refusal(f"{said} at index {number}")


def no_reasoning(body: Body) -> None:
    if any("reasoning_content" in message for message in body["messages"]):
        raise Refusal("reasoning_content must not be sent back")


def nobody_is_silent(body: Body) -> None:
    for number, message in enumerate(body["messages"]):
        if not text_of(message.get("content")).strip() and not message.get("tool_calls"):
            raise Refusal(f"message at position {number} with role '{message['role']}' must not be empty")


def thinking_streams(body: Body) -> None:
    if body.get("enable_thinking", True) and not body.get("stream"):
        said = "parameter.enable_thinking must be set to false for non-streaming calls"
        raise Refusal(said, code="invalid_parameter_error")


def nine_characters(body: Body) -> None:
    for message in body["messages"]:
        for name in [call["id"] for call in message.get("tool_calls") or ()] + [message.get("tool_call_id")]:
            if name is not None and not re.fullmatch("[a-zA-Z0-9]{9}", name):
                said = f"Tool call id was {name} but must be a-z, A-Z, 0-9, with a length of 9."
                raise Refusal(said, type="invalid_function_call", code="3280")


def mistral_order(body: Body) -> None:
    roles = [message["role"] for message in body["messages"]]
    if roles[-1] not in ("user", "tool"):
        said = "Expected last role User or Tool (or Assistant with prefix True) for serving but got"
        raise Refusal(f"{said} {roles[-1]}", code="3230")
    for before, role in pairwise(roles):
        if (before, role) in (("tool", "user"), ("tool", "system")):
            raise Refusal(f"Unexpected role '{role}' after role '{before}'", code="3230")


def nothing_extra(body: Body) -> None:
    for number, message in enumerate(body["messages"]):
        for name in message.keys() - MESSAGE:
            raise Refusal(f"Extra inputs are not permitted: body.messages.{number}.{name}", 422)


def alternating(body: Body) -> None:
    """The template of many open models: one system message at the beginning, then both in turn, tools apart."""
    roles = [message["role"] for message in body["messages"]]
    if "system" in roles[1:]:
        raise Refusal("System message must be at the beginning.", type="BadRequestError")
    said = [message for message in body["messages"] if not message.get("tool_calls")]
    spoken = [message["role"] for message in said if message["role"] not in ("system", "tool")]
    expected = ["user", "assistant"] * len(spoken)
    if spoken != expected[: len(spoken)]:
        told = "Conversation roles must alternate user/assistant/user/assistant/..."
        raise Refusal(f"{told} got {roles}", type="BadRequestError")


# ---- reading and writing ---------------------------------------------------------------------------------------------


def reader(*rules: Rule, path: str = "/chat/completions") -> Callable[[Call], Asked]:
    def read(call: Call) -> Asked:
        if not call.path.partition("?")[0].endswith(path):
            raise Refusal(f"no such path: {call.path}", 404)
        body = call.body
        if not body.get("messages"):
            raise Refusal("'messages' is a required property")
        for rule in (results_follow, *rules):
            rule(body)
        tools = tuple(tool["function"]["name"] for tool in body.get("tools") or ())
        return Asked(tuple(_turns(body)), tools, bool(body.get("stream")), body.get("model", ""))

    return read


def _turns(body: Body) -> Iterator[Turn]:
    for message in body["messages"]:
        calls = tuple(call["function"]["name"] for call in message.get("tool_calls") or ())
        role = "system" if message["role"] == "developer" else message["role"]
        yield Turn(role, text_of(message.get("content")), calls)


def completion(said: Said, asked: Asked, identify: Callable[[int], str] = "call_{:020d}".format) -> dict[str, Any]:
    """A chat completion, whole."""
    message: dict[str, Any] = {"role": "assistant", "content": said.text or None}
    if said.thought:
        message["reasoning_content"] = said.thought
    if said.calls:
        message["tool_calls"] = [
            {
                "id": identify(said.number * 10 + number),
                "type": "function",
                "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
            }
            for number, call in enumerate(said.calls)
        ]
    choice = {"index": 0, "message": message, "finish_reason": said.finish}
    usage = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}
    head = {"id": f"chatcmpl-{said.number}", "object": "chat.completion", "created": 1, "model": asked.model}
    return {**head, "choices": [choice], "usage": usage}


def writer(identify: Callable[[int], str] = "call_{:020d}".format) -> Callable[[Said, Asked], Answer]:
    def write(said: Said, asked: Asked) -> Answer:
        answer = body_of(completion(said, asked, identify))
        return streamed(answer, piece=7) if asked.stream else answer

    return write


def azure(said: Said, asked: Asked) -> Answer:
    """What was filtered is told with every answer; a stream begins with that of the prompt, and no choice."""
    safe = {"violence": {"filtered": False, "severity": "safe"}}
    whole = completion(said, asked)
    whole["prompt_filter_results"] = [{"prompt_index": 0, "content_filter_results": safe}]
    whole["choices"][0]["content_filter_results"] = safe
    if not asked.stream:
        return body_of(whole)
    first = {"id": "", "object": "", "created": 0, "model": "", "choices": [], "prompt_filter_results": []}
    rest = streamed(body_of(whole), piece=7)
    return replace(rest, body=f"data: {json.dumps(first)}\n\n".encode() + rest.body)


def error(refusal: Refusal) -> Answer:
    """OpenAI's form of an error."""
    told = {"message": refusal.message, "type": "invalid_request_error", "param": None, "code": None}
    return body_of({"error": {**told, **refusal.fields}}, refusal.status)


def bare(refusal: Refusal) -> Answer:
    """Mistral's: not within `error`."""
    told = {"object": "error", "message": refusal.message, "type": "invalid_request_error", "param": None}
    return body_of({**told, "code": None, **refusal.fields, "raw_status_code": refusal.status}, refusal.status)


OPENAI = Family(
    "OpenAI",
    "openai/gpt-5-mini",
    {"OPENAI_API_BASE": "{url}/v1", "OPENAI_API_KEY": "sk-none"},
    reader(known_fields, known_message_fields, completion_tokens, sampling_is_fixed),
    writer(),
    error,
)
AZURE = Family(
    "Azure",
    "azure/gpt-4o",
    {"AZURE_API_BASE": "{url}", "AZURE_API_KEY": "none", "AZURE_API_VERSION": "2025-01-01-preview"},
    reader(known_fields, known_message_fields, path="/openai/deployments/gpt-4o/chat/completions"),
    azure,
    error,
)
DEEPSEEK = Family(
    "DeepSeek",
    "deepseek/deepseek-v4-pro",
    {"DEEPSEEK_API_BASE": "{url}", "DEEPSEEK_API_KEY": "sk-none"},
    reader(reasoning_comes_back),
    writer("call_00_{:020d}".format),
    error,
    thinks=True,
)
QWEN = Family(
    "Qwen",
    "dashscope/qwen3-32b",
    {"DASHSCOPE_API_BASE": "{url}/compatible-mode/v1", "DASHSCOPE_API_KEY": "sk-none"},
    reader(thinking_streams),
    writer(),
    error,
    thinks=True,
)
MISTRAL = Family(
    "Mistral",
    "mistral/mistral-large-latest",
    {"MISTRAL_AZURE_API_BASE": "{url}/v1", "MISTRAL_API_KEY": "none"},
    reader(nine_characters, mistral_order, nothing_extra, nobody_is_silent),
    writer("{:09d}".format),
    bare,
)
KIMI = Family(
    "Kimi",
    "moonshot/kimi-k2.6",
    {"MOONSHOT_API_BASE": "{url}/v1", "MOONSHOT_API_KEY": "sk-none"},
    reader(reasoning_is_not_missing, nobody_is_silent, one_temperature),
    writer("functions.lookup:{}".format),
    error,
    thinks=True,
)
VLLM = Family(
    "vLLM",
    "hosted_vllm/qwen3-8b",
    {"HOSTED_VLLM_API_BASE": "{url}/v1"},
    reader(alternating),
    writer("chatcmpl-tool-{:032x}".format),
    error,
    thinks=True,
)
