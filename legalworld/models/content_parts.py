"""Words that come as a list of parts, thoughts among them, where OpenAI's form has one text.

litellm refuses such an answer whole, and leaves its words out of a stream: they are read off what the server sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final

from ..model.json_text import read_json
from .wire import Exchange, quiet_litellm

_EVENT: Final = re.compile(rb"^data:\s*(\{.*\})\s*$", re.MULTILINE)
_LIST: Final = re.compile(rb'"content"\s*:\s*\[')


def put_together(answer: Any, exchange: Exchange) -> Any:
    """The answer with the words of its parts; what litellm made of it is `answer`, None where it refused it.

    As it is, where its words came as a text.
    """
    if exchange.status != 200 or not _LIST.search(exchange.body):
        return answer
    told = list(_told(exchange.body))
    parts = [parted(part.get("content")) for part in told]
    words, thoughts = ("".join(texts) for texts in zip(*parts, strict=True)) if parts else ("", "")
    if not words and not thoughts:
        return answer
    if answer is None:
        whole = read_json(exchange.body)
        whole["choices"][0]["message"] |= {"content": words, "reasoning_content": thoughts or None}
        return quiet_litellm().ModelResponse(**whole)
    message = answer.choices[0].message
    message.content = words
    message.reasoning_content = getattr(message, "reasoning_content", None) or thoughts
    return answer


def _told(body: bytes) -> Iterator[Mapping[str, Any]]:
    """The message of an answer, or its pieces in a stream."""
    for text in _EVENT.findall(body) or [body]:
        with suppress(ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            choice = read_json(text)["choices"][0]
            part = choice.get("message") or choice.get("delta")
            if isinstance(part, Mapping):
                yield part


def parted(content: Any) -> tuple[str, str]:
    """The words of a content, and the thoughts beside them."""
    if not isinstance(content, list):
        return content if isinstance(content, str) else "", ""
    words: list[str] = []
    thoughts: list[str] = []
    for part in content:
        kind = part.get("type") if isinstance(part, Mapping) else None
        told = part.get(kind) if kind in ("text", "thinking", "reasoning") else ""
        inner = told if isinstance(told, list) else [{"text": told}]
        text = "".join(str(one.get("text") or "") for one in inner if isinstance(one, Mapping))
        (words if kind == "text" else thoughts).append(text)
    return "".join(words), "".join(thoughts)
