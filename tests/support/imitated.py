"""Servers on loopback that take requests as particular providers do: what they refuse, in which words and wrapping.

    with Loopback(Strict([refusing("top_p", "'{name}' is not allowed")])) as server: ...

A rule looks at the body of a request and gives the answer that refuses it, or None.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from loopback import Answer, Call, say, streamed

Rule = Callable[[Mapping[str, Any]], Answer | None]


def error(status: int, body: object) -> Answer:
    """An error with any body at all."""
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    return Answer(text.encode(), status, {"Content-Type": "application/json"})


# How servers and the relays before them wrap an error: message, parameter at fault or None, code -> body.
WRAPPINGS: Mapping[str, Callable[[str, str | None, str | None], object]] = {
    "openai": lambda words, name, code: {"error": {"message": words, "type": "error", "param": name, "code": code}},
    "flat": lambda words, name, code: {"object": "error", "message": words, "param": name, "code": code or 400},
    "anthropic": lambda words, name, code: {"type": "error", "error": {"type": code or "bad", "message": words}},
    "text": lambda words, name, code: {"error": words},
    "fastapi": lambda words, name, code: {"detail": [{"loc": ["body", name or "?"], "msg": words, "type": code}]},
    "relay": lambda words, name, code: {
        "error": {"message": "upstream: " + json.dumps({"error": {"message": words, "param": name, "code": code}})}
    },
    "repr": lambda words, name, code: {
        "error": {"message": f"Error code: 400 - { ({'error': {'message': words, 'param': name, 'code': code}})!r}"}
    },
    "router": lambda words, name, code: {
        "error": {
            "message": "Provider returned error",
            "code": 400,
            "metadata": {"raw": json.dumps({"error": {"message": words, "param": name, "code": code}})},
        }
    },
    "bare": lambda words, name, code: words,
}


def refusing(name: str, words: str, wrapping: str = "openai", status: int = 400, *, named: bool = False) -> Rule:
    """Refuses a parameter wherever it stands in the body. `named`: a field of the error says which."""

    def rule(body: Mapping[str, Any]) -> Answer | None:
        if body.get(name) is None:
            return None
        said = words.format(name=name, value=body[name])
        return error(status, WRAPPINGS[wrapping](said, name if named else None, None))

    return rule


def at_most(name: str, most: float, words: str, wrapping: str = "openai") -> Rule:
    """Refuses a number that is too large."""

    def rule(body: Mapping[str, Any]) -> Answer | None:
        if (body.get(name) or 0) <= most:
            return None
        return error(400, WRAPPINGS[wrapping](words.format(name=name, value=body[name], most=most), None, None))

    return rule


def not_both(first: str, second: str, words: str) -> Rule:
    def rule(body: Mapping[str, Any]) -> Answer | None:
        both = body.get(first) is not None and body.get(second) is not None
        return error(400, WRAPPINGS["openai"](words, None, None)) if both else None

    return rule


def streaming(wanted: bool, words: str, wrapping: str = "openai") -> Rule:
    """Answers streams only, or none."""

    def rule(body: Mapping[str, Any]) -> Answer | None:
        return None if bool(body.get("stream")) == wanted else error(400, WRAPPINGS[wrapping](words, None, None))

    return rule


def thoughts(on: str, words: str, field: str = "reasoning_content") -> Rule:
    """`on`: with which of an assistant's messages thoughts must come back: calls, every; none: they must not."""

    def rule(body: Mapping[str, Any]) -> Answer | None:
        for number, message in enumerate(body["messages"]):
            wanted = message["role"] == "assistant" and (on == "every" or (on == "calls" and "tool_calls" in message))
            wrong = bool(message.get(field)) if on == "none" else wanted and not message.get(field)
            if wrong:
                return error(400, WRAPPINGS["openai"](words.format(field=field, number=number), None, None))
        return None

    return rule


def ids(fits: Callable[[str], bool], words: str) -> Rule:
    def rule(body: Mapping[str, Any]) -> Answer | None:
        for message in body["messages"]:
            for call in message.get("tool_calls", ()):
                if not fits(call["id"]):
                    return error(400, WRAPPINGS["openai"](words.format(id=call["id"]), None, None))
        return None

    return rule


class Strict:
    """A server that answers what breaks no rule: by `script`, as a stream where one is asked for."""

    def __init__(self, rules: Sequence[Rule], script: Callable[[Call], Answer] = lambda _: say("好。")) -> None:
        self.rules = rules
        self.script = script
        self.refused = 0

    def __call__(self, call: Call) -> Answer:
        for rule in self.rules:
            if (answer := rule(call.body)) is not None:
                self.refused += 1
                return answer
        answer = self.script(call)
        return streamed(answer) if call.body.get("stream") else answer
