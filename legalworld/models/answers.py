"""What a model's answer says: the words, the thought and the calls in it, wherever its server has put them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..engine.reply_reader import Segment, holds_marks, read
from ..language import diagnose
from ..model.dialect import Dialect
from ..model.events import Call, Reply
from ..model.text import parse_json
from . import tool_calls
from .failures import Failure
from .prices import route_of

OURS = ("<tool_call>", "</tool_call>")  # as tools.j2 has it
TEXT_LIMIT = 2**20  # bytes of a reply's text in UTF-8; the rest is dropped


def reply_of(answer: Any, sent: Sequence[Mapping[str, Any]], asked: str, marks: Dialect) -> Reply:
    """The first choice's text, empty for null; litellm counts zero tokens where the provider told none.

    `asked`: the model, where the answer does not name one; `marks`: those of its thoughts. Calls that stand in the
    words stay in them.
    """
    message = answer.choices[0].message
    ids = {call["id"] for earlier in sent for call in earlier.get("tool_calls", ())}
    said = read(tool_calls.clean(message.content or ""), marks, calls=False)
    apart = tool_calls.clean(str(getattr(message, "reasoning_content", None) or "")).strip()
    usage = getattr(answer, "usage", None)
    cached = getattr(getattr(usage, "prompt_tokens_details", None), "cached_tokens", None)
    counts = (usage.prompt_tokens, usage.completion_tokens) if usage and usage.prompt_tokens else (None, None)
    return Reply(
        text=_kept(said.text.lstrip() if apart else said.text),
        thought=_kept("\n".join(filter(None, (apart, said.thought)))),
        cut=answer.choices[0].finish_reason == "length",
        calls=tool_calls.taken(message, ids),
        model=_named(answer.model, asked),
        prompt_tokens=counts[0],
        completion_tokens=counts[1],
        cached_tokens=cached or 0 if counts[0] else 0,
    )


def unsaid(reply: Reply, answer: Any, sent: Sequence[Mapping[str, Any]]) -> Failure | None:
    """Why an answer says nothing: its words were filtered, or it has none. After the result of a tool there may be
    nothing left to say."""
    reason = answer.choices[0].finish_reason
    if reason == "content_filter":
        return Failure("silent", diagnose.refused_content, "finish_reason: content_filter", again=True)
    silent = not reply.text.strip() and not getattr(answer.choices[0].message, "tool_calls", None)
    if silent and sent[-1]["role"] != "tool":
        return Failure("silent", diagnose.empty_model_answer, f"finish_reason: {reason}", again=True)
    return None


def _named(model: str | None, asked: str) -> str:
    """The model's name as the server gave it. Where it gave none, litellm or we put in the one that was asked for, now
    with its provider, now without: always without, so that a stream is recorded as a whole answer is."""
    if model and model != asked:
        return model
    route = route_of(asked)
    return asked if route is None else route[0]


def _kept(text: str) -> str:
    """As much of a text as a reply may hold."""
    return text.encode()[:TEXT_LIMIT].decode(errors="ignore") if len(text) > TEXT_LIMIT // 4 else text


def with_calls_as_told(reply: Reply, marks: Dialect) -> Reply:
    """The reply with the calls in its words written as the prompts tell to write them, whatever the model's own way is.

    Who plays the run again needs no table of ways, and the model reads in its history what it was told to write.
    """
    if not holds_marks(reply.text, marks):
        return reply
    reader = read(reply.text, marks)
    if all(segment.kind == "words" for segment in reader.segments):
        return reply
    parts = [_as_told(segment) for segment in reader.segments if segment.kind in ("words", "call")]
    thought = "\n".join(filter(None, (reply.thought, reader.thought)))
    return reply.model_copy(update={"text": _kept("".join(parts).strip()), "thought": _kept(thought)})


def _as_told(segment: Segment) -> str:
    """Words as they are, a call as a JSON object in our mark; what nothing could read stays in it as it was written."""
    if segment.kind == "words":
        return segment.raw
    return "\n".join(call if call.startswith(OURS[0]) else call.join(OURS) for call in map(_written, segment.calls))


def _written(call: Call) -> str:
    if not call.name:
        return call.arguments
    try:
        arguments = parse_json(call.arguments)
    except ValueError:
        arguments = call.arguments
    return json.dumps({"name": call.name, "arguments": arguments}, ensure_ascii=False)
