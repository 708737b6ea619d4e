"""Says every sentence of the program in the user's language: the text store, its loader, and the filling of holes."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, Literal

from .columns import visible

Locale = Literal["zh", "en"]
_COUNTED = re.compile(
    r"(?P<hole>\{(?P<name>\w+)(?:[:!][^{}]*)?\})(?P<between> (?:more|other|further))?"
    r"(?:(?: (?P<noun>[a-z]+s)\b)(?: (?P<verb>are|were|have|do|lack)\b)?|(?: (?P<only>are|were|have|do|lack)\b))"
)


_spoken: ContextVar[Locale | None] = ContextVar("spoken", default=None)


@contextmanager
def speaking(language: Locale) -> Iterator[None]:
    """Say everything within the block in a language, whatever the terminal's is: for readers who are elsewhere."""
    token = _spoken.set(language)
    try:
        yield
    finally:
        _spoken.reset(token)


def locale() -> Locale:
    """The language of messages: that of `speaking`, else LW_LANG, else the locale of the environment."""
    if (chosen := _spoken.get()) is not None:
        return chosen
    for name in ("LW_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if word := os.environ.get(name):
            return "zh" if word.lower().startswith("zh") else "en"
    return "en"


def say(key: str, language: str = "", /, **values: object) -> str:
    """The sentence `SECTION.NAME` of `zh.toml` or `en.toml`, filled; a name that is not there stands for itself.

    Without a language it is for the user's terminal: in his language, and what could move the cursor in a value is
    shown as a symbol. With one, it is for a file, and values stay as they are.
    """
    section, _, name = key.partition(".")
    sentence = str(read_toml(f"{_known(language or locale())}.toml")[section].get(name, name))
    if not values:
        return sentence
    return fill(sentence, values if language else {name: _shown(value) for name, value in values.items()})


def sentences(section: str, language: str = "") -> Callable[..., str]:
    """`say` for the sentences of one section, by their names alone."""
    return lambda name, /, **values: say(f"{section}.{name}", language, **values)


def fill(sentence: str, values: Mapping[str, object]) -> str:
    """A sentence with its `{holes}` filled. One without a value stays: a message with a hole is better than none.

    What is counted stands in the singular where there is one of it, in a language that has one.
    """
    ones = {name for name, value in values.items() if value == 1 or value == "1"}
    counted = _COUNTED.sub(lambda match: _of_one(match, ones), sentence) if ones else sentence
    return counted.format_map(_Holes(values))


def _of_one(match: re.Match[str], ones: set[str]) -> str:
    """`{count} runs are` where the count is one: `{count} run is`."""
    singular = read_toml("en.toml")["singular"]
    noun, verb = match["noun"], match["verb"] or match["only"]
    if match["name"] not in ones or (noun and noun not in singular):
        return match[0]
    words = (match["hole"] + (match["between"] or ""), singular.get(noun, ""), singular.get(verb, ""))
    return " ".join(filter(None, words))


@cache
def read_toml(path: str) -> dict[str, Any]:
    """A file of this room, parsed; `path` is relative to it."""
    import tomllib  # not importlib.resources: it takes longer to import than the whole help to print

    with open(os.path.join(os.path.dirname(__file__), path), "rb") as file:
        return tomllib.load(file)


class _Holes(dict[str, object]):
    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def _known(language: str) -> str:
    return language if language in ("zh", "en") else "en"


def _shown(value: object) -> object:
    """Numbers as they are, for the sentence may format them; text line by line."""
    return value if isinstance(value, int | float) else "\n".join(map(visible, str(value).split("\n")))
