"""What an imitated provider understands of a request, and what it is told to answer: the same for every family."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from loopback import Answer, Call


@dataclass(frozen=True, slots=True)
class Turn:
    """One message as the provider reads it. `role`: system, user, assistant or tool; `calls`: of tools."""

    role: str
    text: str
    calls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Asked:
    """A request that the provider accepts."""

    turns: tuple[Turn, ...]
    tools: tuple[str, ...] = ()
    stream: bool = False
    model: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Said:
    """What the model is to say. `number`: which answer of the server it is, for ids that differ."""

    text: str
    thought: str = ""
    calls: tuple[ToolCall, ...] = ()
    number: int = 0

    @property
    def finish(self) -> str:
        return "tool_calls" if self.calls else "stop"


class Refusal(Exception):
    """The provider takes no such request: status, its words, and what else its error holds."""

    def __init__(self, message: str, status: int = 400, **fields: Any) -> None:
        self.message, self.status, self.fields = message, status, fields
        super().__init__(f"{status} {message}")


Script = Callable[[Asked], Said]


@dataclass(frozen=True, slots=True)
class Family:
    """One provider. `environment`: the variables by which litellm finds it, `{url}` the server's address without path.

    `read` understands a request or raises Refusal; `write` is an answer in its form, streamed where that was asked for.
    `thinks`: its answers hold thoughts though nobody asked for them. `about`: its answer to what asks no model.
    """

    name: str
    model: str
    environment: Mapping[str, str]
    read: Callable[[Call], Asked]
    write: Callable[[Said, Asked], Answer]
    refuse: Callable[[Refusal], Answer]
    thinks: bool = False
    about: Callable[[Call], Answer | None] = field(default=lambda call: None)


@dataclass(slots=True)
class Provider:
    """A family at work, as the script of a `Loopback`.

    `accepted`: the requests that a model was asked; `refusals`: what the provider did not take; both in order.
    """

    family: Family
    script: Script
    accepted: list[Asked] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)

    def __call__(self, call: Call) -> Answer:
        if (told := self.family.about(call)) is not None:
            return told
        try:
            asked = self.family.read(call)
            self.accepted.append(asked)
            return self.family.write(self.script(asked), asked)
        except Refusal as refusal:
            self.refusals.append(refusal)
            return self.family.refuse(refusal)


def body_of(value: Any, status: int = 200) -> Answer:
    return Answer(json.dumps(value, ensure_ascii=False).encode(), status, {"Content-Type": "application/json"})


def pieces(text: str, size: int = 7) -> list[str]:
    """A text as it comes in a stream; the size is odd, so that marks and characters are cut anywhere."""
    return [text[start : start + size] for start in range(0, len(text), size)]


def text_of(content: Any) -> str:
    """The words of a message's content: a text, or a list of parts that hold one."""
    if isinstance(content, str):
        return content
    if content is None:
        return ""
    if not isinstance(content, list):
        raise Refusal("content: should be a string or a list")
    return "".join(part.get("text", "") for part in content)
