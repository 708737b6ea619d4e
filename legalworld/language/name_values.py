"""Words of a command in the form NAME=VALUE: read as a mapping, and never a name with two values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..model.diagnostics import Diagnostic
from ..model.text import clean
from . import diagnose

Problems = tuple[Diagnostic, ...]


def name_values(words: Sequence[str], option: str) -> dict[str, str] | Problems:
    """Return NAME=VALUE words as a mapping; else a problem for each without an equals sign, or with a second value."""
    wrong = tuple(diagnose.missing_equals_sign(option, word=word, option=option) for word in words if "=" not in word)
    if wrong:
        return wrong
    pairs = [(name.strip(), value.strip()) for name, _, value in (clean(word).partition("=") for word in words)]
    return said_once(pairs, option) or dict(pairs)


def said_once(pairs: Iterable[tuple[str, str]], option: str) -> Problems:
    """Return a problem for each name that is given two different values; the same value twice is no fault."""
    values: dict[str, dict[str, None]] = {}
    for name, value in pairs:
        values.setdefault(name, {})[value] = None
    return tuple(
        diagnose.repeated_name_value(option, option=option, name=name, values=tuple(several))
        for name, several in values.items()
        if len(several) > 1
    )
