"""What was sent with a call, put together from the increments of its thread and never rendered again."""

from __future__ import annotations

from collections.abc import Iterable

from ...model.events import Asked, Message, Reply
from ..lifecycle import OpenRun
from .views import calls_of, replies_of


def messages_of(opened: OpenRun, call: Asked) -> list[Message]:
    """All messages that were sent with a call: the increments of its thread up to it, each followed by its reply."""
    replies = replies_of(opened)
    sent: list[Message] = []
    for asked in calls_of(opened):
        if asked.thread != call.thread:
            continue
        sent += asked.added
        if asked.id == call.id:
            break
        reply = replies.get(asked.id, Reply(text=""))
        sent.append(Message(role="assistant", content=reply.text, calls=reply.calls))
    return sent


def messages_text(messages: Iterable[Message]) -> str:
    """Messages as a person reads them, above each part the file that it comes from."""
    lines = []
    for message in messages:
        lines.append(f"--- {message.role}")
        if message.parts:
            lines += [f"[{home}]\n{text}\n" for home, text in message.parts]
        else:
            lines += [message.content + "\n"] if message.content or not message.calls else []
        lines += [f"→ {call.name} {call.arguments}\n" for call in message.calls]
    return "\n".join(lines)
