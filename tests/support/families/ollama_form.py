"""Ollama's own chat interface (docs.ollama.com/api/chat): lines of JSON, arguments as objects, thoughts apart."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from loopback import Answer, Call

from families.exchange import Asked, Family, Refusal, Said, Turn, body_of, pieces

OPTIONS = {"temperature", "top_p", "num_predict", "num_ctx", "seed", "stop", "top_k", "min_p", "repeat_penalty"}


def _turns(body: Mapping[str, Any]) -> Iterator[Turn]:
    for message in body["messages"]:
        if not isinstance(message.get("content", ""), str):
            raise Refusal(
                "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string"
            )
        calls = message.get("tool_calls") or ()
        if any(not isinstance(call["function"]["arguments"], dict) for call in calls):
            raise Refusal("json: cannot unmarshal string into Go struct field ToolCallFunction.arguments of type map")
        yield Turn(message["role"], message.get("content", ""), tuple(call["function"]["name"] for call in calls))


def about(call: Call) -> Answer | None:
    """What litellm asks before it sends tools; it asks again and again."""
    if call.path != "/api/show":
        return None
    return body_of({"capabilities": ["completion", "tools", "thinking"], "template": "{{ .Tools }}", "model_info": {}})


def read(call: Call) -> Asked:
    if call.path != "/api/chat":
        raise Refusal("404 page not found", 404)
    body = call.body
    for name in body.get("options", {}).keys() - OPTIONS:
        raise Refusal(f"invalid option provided: {name}")
    tools = tuple(tool["function"]["name"] for tool in body.get("tools") or ())
    return Asked(tuple(_turns(body)), tools, body.get("stream", True), body["model"])


def write(said: Said, asked: Asked) -> Answer:
    calls = [{"function": {"name": call.name, "arguments": dict(call.arguments)}} for call in said.calls]
    head = {"model": asked.model, "created_at": "2026-01-01T00:00:00Z"}
    end = {"done": True, "done_reason": "stop", "prompt_eval_count": 7, "eval_count": 3}
    called = {"tool_calls": calls} if calls else {}
    if not asked.stream:
        thought = {"thinking": said.thought} if said.thought else {}
        return body_of({**head, "message": {"role": "assistant", "content": said.text, **thought, **called}, **end})
    messages = [
        *({"content": "", "thinking": piece} for piece in pieces(said.thought)),
        *({"content": piece} for piece in pieces(said.text)),
        *([{"content": "", **called}] if called else []),
    ]
    chunks = [{**head, "message": {"role": "assistant", **message}, "done": False} for message in messages]
    lines = [*chunks, {**head, "message": {"role": "assistant", "content": ""}, **end}]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    return Answer(text.encode(), 200, {"Content-Type": "application/x-ndjson"})


def error(refusal: Refusal) -> Answer:
    return body_of({"error": refusal.message}, refusal.status)


OLLAMA = Family("Ollama", "ollama_chat/qwen3", {"OLLAMA_API_BASE": "{url}"}, read, write, error, True, about)
