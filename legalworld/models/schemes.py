"""Whom a name means: a script, a record or a callable of Python, by a scheme of ours; else a model of some provider."""

from __future__ import annotations

from typing import Final

OFFLINE, REPLAY, PYTHON = "offline", "replay", "python"
SCHEMES: Final = frozenset({OFFLINE, REPLAY, PYTHON})
UNPAID: Final = frozenset({OFFLINE, REPLAY})
"""Those that call nobody. What a callable of Python calls, nobody here knows."""


def scheme_of(name: str) -> str:
    """Return `offline`, `replay` or `python`; "" for a name of a model."""
    word = name.partition(":")[0]
    return word if word in SCHEMES else ""


def is_model(name: str) -> bool:
    """Return whether a name stands for a model, which litellm or a models file knows."""
    return not scheme_of(name)
