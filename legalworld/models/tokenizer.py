"""How many tokens a text has, by the tokenizer that litellm has for a model."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from .schemes import is_model
from .wire import quiet_litellm


def counter(model: str) -> Callable[[str], int] | None:
    """Counts the tokens of a text, each text once; None for a model that litellm does not know, and for a script."""
    if not model or not is_model(model):
        return None
    litellm = quiet_litellm()
    if model not in litellm.model_cost and model.partition("/")[2] not in litellm.model_cost:
        return None

    @cache
    def count(text: str) -> int:
        return int(litellm.token_counter(model=model, text=text))

    return count
