"""A thread in which tools were called natively, as a server is sent it that takes none: calls and results in words.

What was said stays as it was said. A call is written as the protocol in words has it, so that the model goes on in the
form that it is told of; what results stand one behind the other are one message, for turns must alternate.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from ..engine.call_forms import in_own_form
from ..model.events import Message


def in_words(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages without native calls and results; the same where there are none."""
    if not any(message.calls or message.role == "tool" for message in messages):
        return tuple(messages)
    found: list[Message] = []
    names: dict[str, str] = {}
    resulting = False
    for message in messages:
        if message.calls:
            names |= {call.id: call.name for call in message.calls}
            words = "\n".join((*filter(None, (message.content,)), *map(in_own_form, message.calls)))
            message = Message(role="assistant", content=words)
        result = message.role == "tool"
        if result:
            message = Message(role="user", content=_resulted(names.get(message.call, ""), message.content))
        if found and found[-1].role == message.role == "user" and (result or resulting):
            found[-1] = Message(role="user", content=f"{found[-1].content}\n\n{message.content}")
        else:
            found.append(message)
        resulting = result
    return tuple(found)


def _resulted(name: str, text: str) -> str:
    return f"<tool_result>{json.dumps(name, ensure_ascii=False)}: {text}</tool_result>"
