"""Words as they come: a stream put together to the answer that would have come in one piece.

What is told of the stream's words is a preview; the answer alone counts, and it is the same as without a stream.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..engine.reply_reader import ReplyReader, Told
from ..model.dialect import Dialect

Hear = Callable[[str | None], None]
"""Called with each piece of the words as it comes, untrusted and as it is; with None where they begin once more."""
NOTHING = (
    "stream: nothing came"  # a server may pass over that a stream is wanted: of its answer litellm makes an end alone
)


def unheard(_: str | None) -> None:
    """Hear nothing: an answer is streamed because its server wants it so."""


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
    extra_content: Any = None


@dataclass(slots=True)
class _Said:
    content: str = ""
    reasoning_content: str = ""
    tool_calls: list[_Call] = field(default_factory=list)
    thinking_blocks: list[dict[str, Any]] = field(default_factory=list)
    reasoning_details: list[dict[str, Any]] = field(default_factory=list)


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


async def heard(stream: Any, hear: Hear, marks: Dialect) -> Streamed:
    """The whole answer of a stream of litellm's, whose words `hear` is told of as they come, without what is thought.

    litellm ends every stream as if it were complete and reckons tokens that nobody counted: what the server itself said
    is asked for. Raises BrokenStream.
    """
    said: dict[str, list[str]] = {"content": [], "reasoning_content": []}
    calls: dict[int, _Call] = {}
    model, reader, begun, parts = "", ReplyReader(marks, calls=False), False, _Parts()
    async for chunk in stream:
        model = (getattr(chunk, "_hidden_params", None) or {}).get("provider_response_model") or model
        for choice in chunk.choices[:1]:
            begun = begun or getattr(choice.delta, "role", None) is not None
            for name, pieces in said.items():
                pieces.append(getattr(choice.delta, name, None) or "")
            _tell(reader.feed(said["content"][-1]), hear)
            parts.come(choice.delta)
            for part in choice.delta.tool_calls or ():
                _add(calls, part)
    # Gemini's last words and its end come in one piece, which litellm notes elsewhere.
    finish = stream.received_finish_reason or stream.intermittent_finish_reason
    if not finish:
        raise BrokenStream("stream: no finish_reason")
    if not begun and not calls and not any(map("".join, said.values())):
        raise BrokenStream(NOTHING)
    _tell(reader.close(), hear)
    message = _Said("".join(said["content"]), "".join(said["reasoning_content"]), [calls[n] for n in sorted(calls)])
    message.thinking_blocks, message.reasoning_details = parts.blocks, parts.details
    counted = [usage for one in stream.chunks if (usage := getattr(one, "usage", None)) is not None]
    return Streamed((_Choice(message, finish),), model, counted[-1] if counted else None)


def _tell(words: Told, hear: Hear) -> None:
    for piece in words:
        hear(piece)


class _Parts:
    """Thoughts as their provider wants them back, put together of the pieces that come."""

    def __init__(self) -> None:
        self.blocks: list[dict[str, Any]] = []
        self.details: list[dict[str, Any]] = []

    def come(self, delta: Any) -> None:
        for block in getattr(delta, "thinking_blocks", None) or ():
            last = self.blocks[-1] if self.blocks else {}
            if last.get("type") == block.get("type") == "thinking" and not last.get("signature"):
                self.blocks[-1] = _joined(last, block, ("thinking", "signature"))
            else:
                self.blocks.append(dict(block))
        for detail in getattr(delta, "reasoning_details", None) or ():
            last = self.details[-1] if self.details else {}
            if last and all(last.get(key) == detail.get(key) for key in ("type", "index", "id")):
                self.details[-1] = _joined(last, detail, ("text", "summary", "signature"))
            else:
                self.details.append(dict(detail))


def _joined(before: dict[str, Any], after: dict[str, Any], texts: tuple[str, ...]) -> dict[str, Any]:
    """Two pieces of one part: of a text both, of anything else the later."""
    together = {key: before[key] + after[key] for key in texts if before.get(key) and after.get(key)}
    return {**before, **{key: value for key, value in after.items() if value is not None and value != ""}, **together}


def _add(calls: dict[int, _Call], part: Any) -> None:
    """A piece of a tool call: its number says which; the id and the name come once, the arguments in pieces."""
    call = calls.setdefault(part.index, _Call())
    call.id = call.id or part.id or ""
    call.extra_content = call.extra_content or getattr(part, "extra_content", None)
    call.function.name += part.function.name or ""
    call.function.arguments += part.function.arguments or ""
