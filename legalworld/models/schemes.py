"""Whom a name means: a script, a record, a callable, an adapter, each by its scheme; else a model of a provider."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final

from ..language.plugins import Plugged, plugged

OFFLINE, REPLAY, PYTHON = "offline", "replay", "python"
SCHEMES: Final = frozenset({OFFLINE, REPLAY, PYTHON})
ADAPTED: Final = "adapted"
UNPAID: Final = frozenset({OFFLINE, REPLAY})
"""Those that call nobody. What a callable of Python or an adapter calls, nobody here knows."""

GROUP: Final = "legalworld.models"


@cache
def model_adapters() -> Plugged[Callable[[str], Any]]:
    """All adapters by their names. One is called with what stands behind the colon of `NAME:MODEL`, and returns an
    actor as the Python door takes it."""
    return plugged(GROUP, {}, callable, taken={*SCHEMES, ADAPTED})


def scheme_of(name: str) -> str:
    """Return `offline`, `replay` or `python`, `adapted` where a package adapts it; "" for a name of a model."""
    word, colon, _ = name.partition(":")
    if word in SCHEMES:
        return word
    return ADAPTED if colon and "/" not in word and word in model_adapters().parts else ""


def is_model(name: str) -> bool:
    """Return whether a name stands for a model, which litellm or a models file knows."""
    return not scheme_of(name)
