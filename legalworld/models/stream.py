"""Words as they come: a stream put together to the answer that would have come in one piece.

What is told of the stream's words is a preview; the answer alone counts, and it is the same as without a stream.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Hear = Callable[[str | None], None]
"""Called with each piece of the words as it comes, untrusted and as it is; with None where they begin once more."""
_THOUGHT = ("<think>", "</think>")
NOTHING = (
    "stream: nothing came"  # a server may pass over that a stream is wanted: of its answer litellm makes an end alone
)


class BrokenStream(Exception):
    """A stream that stopped before it said that it was at its end."""


@dataclass(slots=True)
class _Function:
    name: str = ""
    arguments: str = ""


@dataclass(slots=True)
class _Call:
    id: str = ""
    function: _Function = field(default_factory=_Function)


@dataclass(slots=True)
class _Said:
    content: str = ""
    reasoning_content: str = ""
    tool_calls: list[_Call] = field(default_factory=list)


@dataclass(slots=True)
class _Choice:
    message: _Said
    finish_reason: str = ""


@dataclass(slots=True)
class Streamed:
    """As much of an answer as `litellm_client` reads, under litellm's names."""

    choices: tuple[_Choice]
    model: str = ""
    usage: Any = None


class _Words:
    """The pieces of the words, without what a model thought before them, where a server leaves both in one text."""

    def __init__(self, hear: Hear) -> None:
        self._hear = hear
        self._kept = ""  # what may still turn out to be thought
        self._spoken = False

    def come(self, piece: str) -> None:
        if not self._spoken:
            self._kept += piece
            begun, (opening, closing) = self._kept.lstrip(), _THOUGHT
            if begun.startswith(opening) and closing in begun:
                piece = begun.partition(closing)[2].lstrip()
            elif begun.startswith(opening) or opening.startswith(begun):
                return
            else:
                piece = self._kept
            self._spoken, self._kept = True, ""
        if piece:
            self._hear(piece)


async def heard(stream: Any, hear: Hear) -> Streamed:
    """The whole answer of a stream of litellm's, whose words `hear` is told of as they come.

    litellm ends every stream as if it were complete and reckons tokens that nobody counted: what the server itself said
    is asked for. Raises BrokenStream.
    """
    said: dict[str, list[str]] = {"content": [], "reasoning_content": []}
    calls: dict[int, _Call] = {}
    model, words, begun = "", _Words(hear), False
    async for chunk in stream:
        model = (getattr(chunk, "_hidden_params", None) or {}).get("provider_response_model") or model
        for choice in chunk.choices[:1]:
            begun = begun or getattr(choice.delta, "role", None) is not None
            for name, pieces in said.items():
                pieces.append(getattr(choice.delta, name, None) or "")
            words.come(said["content"][-1])
            for part in choice.delta.tool_calls or ():
                _add(calls, part)
    if not stream.received_finish_reason:
        raise BrokenStream("stream: no finish_reason")
    if not begun and not calls and not any(map("".join, said.values())):
        raise BrokenStream(NOTHING)
    message = _Said("".join(said["content"]), "".join(said["reasoning_content"]), [calls[n] for n in sorted(calls)])
    counted = [usage for one in stream.chunks if (usage := getattr(one, "usage", None)) is not None]
    return Streamed((_Choice(message, stream.received_finish_reason),), model, counted[-1] if counted else None)


def _add(calls: dict[int, _Call], part: Any) -> None:
    """A piece of a tool call: its number says which; the id and the name come once, the arguments in pieces."""
    call = calls.setdefault(part.index, _Call())
    call.id = call.id or part.id or ""
    call.function.name += part.function.name or ""
    call.function.arguments += part.function.arguments or ""
