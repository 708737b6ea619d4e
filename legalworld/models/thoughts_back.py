"""What a provider gave with a message that calls tools and wants back with it: thoughts, their signatures.

It is kept with the reply, in the journal, and goes over the wire to the model that gave it; no prompt holds it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ..model.events import Message
from ..model.json_text import read_json
from .habits import Thoughts
from .providers import thoughts_wanted
from .tool_calls import BESIDE, clean

GIVER: Final = "model"  # who gave it: signatures of one model say nothing to another
BLANK: Final = " "  # what stands for thoughts that are not there: some servers take nothing shorter
LARGEST: Final = 2**20  # characters of it; a part would be no good


def given_with(message: Any, ids: Sequence[str], model: str, provider: str) -> str:
    """What goes back with a reply that calls tools, as JSON; "" where there is nothing. `ids`: of the calls, in order,
    as we have them."""
    if not ids:
        return ""
    fields = ((name, _field(message, name)) for name in thoughts_wanted(provider))
    found = dict([(name, value) for name, value in fields if value][:1])
    if beside := {
        name: value for name, call in zip(ids, message.tool_calls, strict=False) if (value := _field(call, BESIDE))
    }:
        found[BESIDE] = beside
    try:
        text = clean(json.dumps({GIVER: model, **found}, ensure_ascii=False, default=_plain)) if found else ""
    except (TypeError, ValueError, RecursionError, AttributeError):
        return ""
    return text if len(text) <= LARGEST else ""


def _own(message: Message, model: str) -> dict[str, Any]:
    """What this very model was given to keep with a message."""
    try:
        kept = read_json(message.provider_data or "{}")
    except (ValueError, RecursionError):
        return {}
    return kept if isinstance(kept, dict) and kept.get(GIVER) == model else {}


def _field(part: Any, name: str) -> Any:
    apart = getattr(part, "provider_specific_fields", None) or {}
    return getattr(part, name, None) or (apart.get(name) if isinstance(apart, Mapping) else None)


def _plain(value: Any) -> Any:
    return value.model_dump(exclude_none=True)


def going_back(message: Message, model: str, provider: str, habit: Thoughts) -> dict[str, Any]:
    """The fields that go to a model with an assistant's message."""
    own = _own(message, model)
    back = {BESIDE: own[BESIDE]} if BESIDE in own else {}
    wanted = thoughts_wanted(provider)
    if habit == "none" or not wanted or not (message.calls or habit == "every"):
        return back
    name = next((name for name in wanted if name in own), None)
    if name is not None:
        return {**back, name: own[name]}
    return {**back, "reasoning_content": BLANK} if habit == "every" and "reasoning_content" in wanted else back


def thinks_on(messages: Sequence[Message], model: str, provider: str) -> bool:
    """Whether a model may think: Anthropic's goes on where its thoughts before the last calls are there."""
    last = next((message for message in reversed(messages) if message.role == "assistant"), None)
    if last is None or not last.calls or thoughts_wanted(provider) != ("thinking_blocks",):
        return True
    return "thinking_blocks" in _own(last, model)
