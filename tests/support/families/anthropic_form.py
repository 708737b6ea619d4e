"""Anthropic's Messages API (docs.claude.com/en/api/messages, .../extended-thinking, .../implement-tool-use)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from loopback import Answer, Call

from families.exchange import Asked, Family, Refusal, Said, Turn, body_of, pieces, text_of

SIGNATURE = "c2lnbmVkIHRob3VnaHQ="


def _thinking(body: Mapping[str, Any]) -> bool:
    return (body.get("thinking") or {}).get("type") in ("enabled", "adaptive")


def _parameters(body: Mapping[str, Any]) -> None:
    if not body.get("max_tokens"):
        raise Refusal("max_tokens: Field required")
    if body.get("temperature") is not None and body.get("top_p") is not None:
        said = "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
        raise Refusal(said)
    if _thinking(body):
        if body.get("temperature", 1) != 1:
            raise Refusal("`temperature` may only be set to 1 when thinking is enabled.")
        budget = body["thinking"].get("budget_tokens", 1024)
        if not 1024 <= budget < body["max_tokens"]:
            raise Refusal("`max_tokens` must be greater than `thinking.budget_tokens`, which is at least 1024.")


def _blocks(message: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _order(body: Mapping[str, Any]) -> None:
    messages = body.get("messages") or []
    if not messages or messages[0]["role"] != "user":
        raise Refusal('messages: first message must use the "user" role')
    waiting: list[str] = []
    used: set[str] = set()
    for number, message in enumerate(messages):
        if message["role"] not in ("user", "assistant"):
            raise Refusal(f'messages.{number}.role: Input should be "user" or "assistant"')
        blocks = _blocks(message)
        answered = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        if sorted(answered) != sorted(waiting) or (waiting and blocks[0]["type"] != "tool_result"):
            said = f"messages.{number}: `tool_use` ids were found without `tool_result` blocks immediately after:"
            raise Refusal(f"{said} {', '.join(waiting)}")
        waiting = [block["id"] for block in blocks if block["type"] == "tool_use"]
        for name in waiting:
            if name in used or not re.fullmatch("[a-zA-Z0-9_-]+", name):
                raise Refusal(f"messages.{number}.tool_use.id: {name} is used twice or has other characters")
            used.add(name)
        _block_rules(body, number, message["role"], blocks)
    if waiting:
        raise Refusal("messages: `tool_use` ids were found without `tool_result` blocks")


def _block_rules(body: Mapping[str, Any], number: int, role: str, blocks: list[Mapping[str, Any]]) -> None:
    kinds = [block["type"] for block in blocks]
    if any(block["type"] == "text" and not block["text"].strip() for block in blocks):
        raise Refusal(f"messages.{number}: text content blocks must contain non-whitespace text")
    for block in blocks:
        if block["type"] == "thinking" and block.get("signature") != SIGNATURE:
            raise Refusal(f"messages.{number}: Invalid `signature` in `thinking` block")
    if _thinking(body) and role == "assistant" and "tool_use" in kinds and kinds[0] != "thinking":
        said = f"messages.{number}.content.0.type: Expected `thinking` or `redacted_thinking`, but found"
        raise Refusal(
            f"{said} `{kinds[0]}`. When `thinking` is enabled, a final `assistant` message must start with one"
        )


def _turns(body: Mapping[str, Any]) -> Iterator[Turn]:
    if body.get("system"):
        yield Turn("system", text_of(body["system"]))
    for message in body["messages"]:
        blocks = _blocks(message)
        results = "".join(text_of(block.get("content")) for block in blocks if block["type"] == "tool_result")
        if results or any(block["type"] == "tool_result" for block in blocks):
            yield Turn("tool", results)
        text = "".join(block["text"] for block in blocks if block["type"] == "text")
        calls = tuple(block["name"] for block in blocks if block["type"] == "tool_use")
        if text or calls:
            yield Turn(message["role"], text, calls)


def read(call: Call) -> Asked:
    if not call.path.endswith("/v1/messages"):
        raise Refusal(f"no such path: {call.path}", 404, type="not_found_error")
    for header in ("x-api-key", "anthropic-version"):
        if header not in call.headers:
            raise Refusal(f"{header}: header is required", 401, type="authentication_error")
    body = call.body
    _parameters(body)
    _order(body)
    tools = tuple(tool["name"] for tool in body.get("tools") or ())
    if not tools and any(turn.calls for turn in _turns(body)):
        raise Refusal("Requests which include `tool_use` or `tool_result` blocks must define tools.")
    return Asked(tuple(_turns(body)), tools, bool(body.get("stream")), body["model"])


def _content(said: Said) -> list[dict[str, Any]]:
    thought = [{"type": "thinking", "thinking": said.thought, "signature": SIGNATURE}] if said.thought else []
    text = [{"type": "text", "text": said.text}] if said.text else []
    calls = [
        {"type": "tool_use", "id": f"toolu_{said.number}_{number}", "name": call.name, "input": dict(call.arguments)}
        for number, call in enumerate(said.calls)
    ]
    return [*thought, *text, *calls]


def write(said: Said, asked: Asked) -> Answer:
    reason = "tool_use" if said.calls else "end_turn"
    head = {"id": f"msg_{said.number}", "type": "message", "role": "assistant", "model": asked.model}
    whole = {
        **head,
        "content": _content(said),
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": {"input_tokens": 7, "output_tokens": 3},
    }
    if not asked.stream:
        return body_of(whole)
    events = [
        {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        *(event for index, block in enumerate(whole["content"]) for event in _streamed(index, block)),
        {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": 3}},
        {"type": "message_stop"},
    ]
    lines = "".join(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n" for event in events)
    return Answer(lines.encode(), 200, {"Content-Type": "text/event-stream"})


def _streamed(index: int, block: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """A block begun empty, then in pieces; of a thought the signature comes last."""
    empty = {"text": {"text": ""}, "thinking": {"thinking": "", "signature": ""}, "tool_use": {"input": {}}}
    kind = block["type"]
    yield {"type": "content_block_start", "index": index, "content_block": {**block, **empty[kind]}}
    text = json.dumps(block["input"]) if kind == "tool_use" else block[kind]
    delta, name = {
        "text": ("text_delta", "text"),
        "thinking": ("thinking_delta", "thinking"),
        "tool_use": ("input_json_delta", "partial_json"),
    }[kind]
    for piece in pieces(text):
        yield {"type": "content_block_delta", "index": index, "delta": {"type": delta, name: piece}}
    if kind == "thinking":
        signed = {"type": "signature_delta", "signature": block["signature"]}
        yield {"type": "content_block_delta", "index": index, "delta": signed}
    yield {"type": "content_block_stop", "index": index}


def error(refusal: Refusal) -> Answer:
    told = {"type": "invalid_request_error", "message": refusal.message, **refusal.fields}
    return body_of({"type": "error", "error": told, "request_id": "req_1"}, refusal.status)


ANTHROPIC = Family(
    "Anthropic",
    "anthropic/claude-sonnet-4-5",
    {"ANTHROPIC_API_BASE": "{url}", "ANTHROPIC_API_KEY": "sk-ant-none"},
    read,
    write,
    error,
)
