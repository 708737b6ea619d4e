"""Answers that are refusals, by a field of the provider's alone: what a model says in words is speech."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from ..language import diagnose
from ..model.json_text import read_json
from .failures import Failure, shown
from .providers import tables
from .wire import Exchange

_MAPPED: Final = "content_filter"  # litellm's word for each of them that it knows
_TAIL: Final = 1 << 14  # bytes of a stream's end in which it says why it stopped
_NATIVE: Final = re.compile(rb'(?i)(?<!\\)"(?:finish_?|stop_?|done_|block_?)reason"\s*:\s*"([^"\\]{1,60})"')
_REFUSAL: Final = re.compile(rb'(?<!\\)"refusal"\s*:\s*"')
_EVENT: Final = re.compile(rb"^data:\s*(\{.*\})\s*$", re.MULTILINE)


def refused_in(answer: Any, exchange: Exchange) -> Failure | None:
    """Why an answer is none: its model or its provider refused, or its service gave up; None where it is one.

    What the refusal says is shown. Another attempt may go otherwise.
    """
    choice = answer.choices[0]
    apart = getattr(choice.message, "provider_specific_fields", None) or {}
    refusal = getattr(choice.message, "refusal", None) or (apart.get("refusal") if isinstance(apart, Mapping) else None)
    if isinstance(refusal, str) and refusal.strip():
        return _refused(refusal)
    if words := _refusal_sent(exchange):
        return _refused(words)
    told = getattr(choice, "provider_specific_fields", None) or {}
    native = str(told.get("native_finish_reason") or "").lower() if isinstance(told, Mapping) else ""
    stops = tables()["stops"]
    natives = [native] if native else _natives(exchange)
    if choice.finish_reason == _MAPPED or any(one in stops["refused"] for one in natives):
        return _refused(f"finish_reason: {(natives or [_MAPPED])[-1]}")
    broken = next((one for one in natives if one in stops["broken"]), None)
    if broken is not None:
        return Failure("malformed", diagnose.malformed_model_answer, f"finish_reason: {broken}", again=True)
    return None


def broken_off(answer: Any, exchange: Exchange) -> bool:
    """Whether an answer ends where there was no more room for it."""
    choice = answer.choices[0]
    return choice.finish_reason == "length" or any(one in tables()["stops"]["cut"] for one in _natives(exchange)[-1:])


def _refused(words: str) -> Failure:
    return Failure("silent", diagnose.refused_content, shown(words), again=True)


def _natives(exchange: Exchange) -> list[str]:
    """The reasons that the end of the answer gives, in the provider's words."""
    tail = b"".join(exchange.pieces[-40:])[-_TAIL:]
    return [found.decode("utf-8", "replace").lower() for found in _NATIVE.findall(tail)]


def _refusal_sent(exchange: Exchange) -> str:
    """The words of a field `refusal` in the answer as it was sent, which litellm leaves out of streams."""
    body = exchange.body
    if not _REFUSAL.search(body):
        return ""
    texts = _EVENT.findall(body) or [body]
    return "".join(word for text in texts for word in _refusal_words(text))


def _refusal_words(text: bytes) -> Iterator[str]:
    with suppress(ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        choice = read_json(text)["choices"][0]
        said = (choice.get("delta") or choice.get("message") or {}).get("refusal")
        if isinstance(said, str):
            yield said
