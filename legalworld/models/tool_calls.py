"""Tool calls as OpenAI-like servers write them: messages to send, tools to offer, calls to take from a reply.

What a model writes is untrusted and goes back to the server with the next message: names that no server accepts and
arguments that are no JSON object would have the whole thread refused for ever, so those are not sent as they came.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from hashlib import blake2b
from itertools import count
from json import loads
from string import ascii_letters, digits
from typing import Any

from ..model.events import Call, Message, Offer

MOST_CALLS = 64  # of one reply that are taken
ARGUMENTS_LIMIT = 70_000  # characters of the arguments of one; a whole document fits
ALL_ARGUMENTS_LIMIT = 280_000  # characters of the arguments of all calls of a reply
NAME_LIMIT = 200
ID_LIMIT = 10_000  # some providers keep a signature of the model's thoughts in it

BESIDE = "extra_content"  # of a call: what Google wants back beside it, where it talks as OpenAI does
_LETTERS = digits + ascii_letters
_NAME = re.compile("[a-zA-Z0-9_-]{1,64}")
_UUID = re.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")  # made up by litellm where a server gave no id


def sent(
    messages: Sequence[Message],
    ids: re.Pattern[str] | None = None,
    back: Callable[[Message], dict[str, Any]] = lambda _: {},
) -> list[dict[str, Any]]:
    """A thread in OpenAI's form: every call is followed by its result, an empty one where it was left unanswered.

    `ids`: what the id of a call must be; `back`: what goes back with an assistant's message besides.
    """
    thread: list[dict[str, Any]] = []
    open_calls: list[str] = []
    for message in messages:
        if message.role == "tool":
            open_calls = [call for call in open_calls if call != message.call]
        else:
            thread += map(_unanswered, open_calls)
            open_calls = [call.id for call in message.calls]
        given = back(message) if message.role == "assistant" else {}
        thread.append(_message(message, given))
    thread += map(_unanswered, open_calls)
    return _with_ids(thread, ids) if ids is not None else thread


def _unanswered(call: str) -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": call, "content": ""}


def _message(message: Message, given: Mapping[str, Any]) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.call, "content": message.content}
    if not message.calls:
        return {"role": message.role, "content": message.content, **given}
    beside = given.get(BESIDE, {})
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": _sendable(call.name), "arguments": _well_formed(call)},
            **({BESIDE: beside[call.id]} if call.id in beside else {}),
        }
        for call in message.calls
    ]
    others = {name: value for name, value in given.items() if name != BESIDE}
    return {"role": message.role, "content": message.content or None, "tool_calls": calls, **others}


def _with_ids(thread: list[dict[str, Any]], ids: re.Pattern[str]) -> list[dict[str, Any]]:
    """The thread with ids that its server takes; one that it does not is another, always the same."""
    named = [call["id"] for message in thread for call in message.get("tool_calls", ())]
    strange = [name for name in dict.fromkeys(named) if not ids.fullmatch(name)]
    if not strange:
        return thread
    taken, other = set(named), dict[str, str]()
    for name in strange:
        other[name] = next(new for n in count() if (new := _short(name, n)) not in taken)
        taken.add(other[name])
    for message in thread:
        for call in message.get("tool_calls", ()):
            call["id"] = other.get(call["id"], call["id"])
        if "tool_call_id" in message:
            message["tool_call_id"] = other.get(message["tool_call_id"], message["tool_call_id"])
    return thread


def _short(name: str, number: int) -> str:
    """Nine letters and digits for an id."""
    value = int.from_bytes(blake2b(f"{name}\0{number}".encode("utf-8", "replace"), digest_size=8).digest())
    return "".join(_LETTERS[value // len(_LETTERS) ** place % len(_LETTERS)] for place in range(9))


def _sendable(name: str) -> str:
    """The name of a called tool, as servers accept it: a thread with any other name in it is refused for ever."""
    return name if _NAME.fullmatch(name) else re.sub("[^a-zA-Z0-9_-]+", "_", name)[:64] or "_"


def _well_formed(call: Call) -> str:
    """The arguments, if they are a JSON object: servers refuse a thread that holds anything else."""

    def no_number(word: str) -> None:
        raise ValueError(word)

    try:
        return call.arguments if isinstance(loads(call.arguments, parse_constant=no_number), dict) else "{}"
    except (ValueError, RecursionError):
        return "{}"


def offered(tool: Offer) -> dict[str, Any]:
    """A tool in OpenAI's form."""
    function = {"name": tool.name, "description": tool.description, "parameters": dict(tool.schema)}
    return {"type": "function", "function": function}


def taken(message: Any, ids: set[str]) -> tuple[Call, ...]:
    """The tool calls of a message, as many and as long as we take; `ids`: those that none of them may have.

    An id is the server's; where it gave none, the same twice or a very long one, it is made of the call's number, so
    that the same reply is recorded in the same words.
    """
    calls: list[Call] = []
    room = ALL_ARGUMENTS_LIMIT
    for call in (getattr(message, "tool_calls", None) or ())[:MOST_CALLS]:
        function = getattr(call, "function", None)
        name, arguments = (clean(str(getattr(function, key, None) or "")) for key in ("name", "arguments"))
        arguments = arguments[: min(ARGUMENTS_LIMIT, room)]
        room -= len(arguments)
        identity = clean(str(getattr(call, "id", None) or ""))
        if not identity or identity in ids or len(identity) > ID_LIMIT or _UUID.fullmatch(identity):
            identity = next(new for n in count(len(ids) + 1) if (new := f"call_{n}") not in ids)
        ids.add(identity)
        calls.append(Call(id=identity, name=name[:NAME_LIMIT], arguments=arguments))
    return tuple(calls)


def clean(text: str) -> str:
    """The text without lone surrogates, which pydantic refuses."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)
