"""The fixed words of studies in both languages, read from the table beside this module."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final

from ..language.surfaces import canonical
from ..model.immutable import immutable

FIELD: Final = "field"
MINUS: Final = "minus"
PARAMETER: Final = "parameter"
REPLACES: Final = "replaces"
DOCUMENT: Final = "document"
QUALITY: Final = "quality"
_FILE: Final = "words.toml"


@cache
def _table() -> Mapping[str, Any]:
    read: Mapping[str, Any] = tomllib.loads((files(__package__) / _FILE).read_text(encoding="utf-8"))
    return read


@cache
def _meant(kind: str) -> Mapping[str, str]:
    """Word as written -> what it stands for."""
    return {word: name for name, words in _table()[kind].items() for word in words}


def words_of(kind: str) -> tuple[str, ...]:
    """Return the words of a kind, to be named where another was written."""
    return tuple(_meant(kind))


def meant(kind: str, text: str) -> str | None:
    """Return what a word of a kind stands for; None where it is none."""
    return _meant(kind).get(" ".join(text.split()))


def matched(kind: str, text: str) -> re.Match[str] | None:
    """Return how a text is of a pattern; None where it is not."""
    return _pattern(kind).fullmatch(text.strip())


@cache
def _pattern(kind: str) -> re.Pattern[str]:
    return re.compile(_table()["patterns"][kind])


def fact_of(text: str) -> str | None:
    """Return the name of a fact in English, such as `model`, `option memory` or `field matter.cause`; None where the
    text names none."""
    plain = meant("facts", text)
    if plain is not None:
        return plain
    head, _, name = " ".join(text.split()).partition(" ")
    kind = meant("named_facts", head)
    name = canonical(name) if kind == PARAMETER else name  # 温度 is temperature
    return f"{kind} {name}" if kind is not None and name else None


def in_words(kind: str, name: str, locale: str) -> str:
    """Return how a name of a kind is written in a language: English first in the table, then Chinese."""
    head, _, own = name.partition(" ")
    words = _table()[kind].get(name) or ()
    if not words and own and head in _table()["named_facts"]:
        return f"{in_words('named_facts', head, locale)} {own}"
    return next(iter(words[1:] if locale == "zh" else words), name)


@immutable
class StudyFilter:
    """Lines whose `fact` is one of `values`, or (`negated`) none of them."""

    fact: str
    values: tuple[str, ...]
    negated: bool = False

    def takes(self, value: str) -> bool:
        """Return whether a value of the fact passes."""
        return (value in self.values) is not self.negated


def filter_of(text: str, *, of_cases: bool = False) -> StudyFilter | None:
    """Read `FACT is VALUE`, `FACT is not VALUE` or `FACT is one of VALUE, VALUE`; None where the text is none.
    `of_cases`: of a set of cases, where any name is that of a field."""
    found = matched("filter", text)
    if found is None:
        return None
    fact = fact_of(found["fact"])
    if of_cases:
        path = found["fact"] if fact is None else fact.removeprefix(f"{FIELD} ")
        fact = f"{FIELD} {path}"
    if fact is None:
        return None
    values = listed(found["values"]) if found["one"] else (found["values"].strip(),)
    return StudyFilter(fact, values, found["not"] is not None)


def listed(text: str) -> tuple[str, ...]:
    """Return the names of a list in one line."""
    return tuple(filter(None, (one.strip() for one in re.split("[,，、]", text))))
