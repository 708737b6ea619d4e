"""The tables of `providers.toml`: how providers say no, and what differs from one to the next."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from ..model.immutable import immutable

Kind = Literal["quota", "content", "overflow", "tools", "form", "stream", "passing"]
KINDS: Final[tuple[Kind, ...]] = ("quota", "content", "overflow", "tools", "form", "stream", "passing")
ELSE: Final = "else"


@immutable
class RefusalSigns:
    """By what a kind of refusal is known; see `providers.toml`."""

    status: frozenset[int]
    codes: frozenset[str]
    fields: frozenset[str]
    params: frozenset[str]
    words: re.Pattern[str] | None


@cache
def tables() -> Mapping[str, Any]:
    return tomllib.loads((files(__package__) / "providers.toml").read_text("utf-8"))


@cache
def refusal_signs() -> Mapping[Kind, RefusalSigns]:
    """The signs of each kind, in the order in which they are looked for."""
    found = tables()["refusals"]
    return {kind: _signs(found[kind]) for kind in KINDS}


def _signs(told: Mapping[str, Any]) -> RefusalSigns:
    return RefusalSigns(
        frozenset(told.get("status", ())),
        frozenset(told.get("codes", ())),
        frozenset(told.get("fields", ())),
        frozenset(told.get("params", ())),
        any_of(tuple(told.get("words", ()))),
    )


@cache
def any_of(words: tuple[str, ...]) -> re.Pattern[str] | None:
    """One pattern for several, upper or lower case; None for none. A pattern that is none is taken for plain words."""
    return re.compile("|".join(f"(?:{_pattern(word)})" for word in words), re.IGNORECASE) if words else None


def _pattern(word: str) -> str:
    try:
        re.compile(word)
    except re.error:
        return re.escape(word)
    return word


@cache
def aliases(parameter: str) -> tuple[str, ...]:
    """A parameter's names on the wire and in errors, our own first."""
    return (parameter, *tables()["parameters"]["names"].get(parameter, ()))


@cache
def ranges() -> tuple[re.Pattern[str], ...]:
    """How errors say between which numbers a parameter must be: groups `low`, `high`."""
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in tables()["parameters"]["ranges"])


@cache
def refusing_words() -> re.Pattern[str]:
    """Words that say that something is not taken, whatever it is."""
    found = any_of(tuple(tables()["parameters"]["words"]))
    assert found is not None, "the table has them"
    return found


@cache
def thoughts_wanted(provider: str) -> tuple[str, ...]:
    """The fields of an assistant's message that a provider wants back beside the tools that it called."""
    table = tables()["thoughts"]
    return tuple(table.get(provider, table[ELSE]))


@cache
def tool_id(provider: str) -> re.Pattern[str]:
    """What the id of a tool call must be for a provider."""
    table = tables()["tool_ids"]
    return re.compile(table.get(provider, table[ELSE]))


def takes_extra_as_parameters(provider: str, model: str) -> bool:
    """Whether litellm would send its `extra_body` under that name."""
    return provider in tables()["extra"]["as_parameters"] or (provider == "vertex_ai" and "claude" in model)


def passes_over_addresses(provider: str) -> bool:
    """Whether its requests go to its own hosts, whatever address litellm is given."""
    return provider in tables()["addresses"]["passed_over"]
