"""The tables beside this module: words, and patterns made of them.

A pattern is written in `re`'s verbose syntax; `{{name}}` in it is a fragment or a list of words of its own table,
`{{table:name}}` one of another table. Words become an alternation, the longest first.
"""

from __future__ import annotations

import pkgutil
import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Final

_HOLE: Final = re.compile(r"\{\{(?:(\w+):)?(\w+)\}\}")


@cache
def table(name: str) -> Mapping[str, Any]:
    """One file of `tables/` as TOML says it."""
    data = pkgutil.get_data(__package__, f"tables/{name}.toml")
    assert data is not None
    return tomllib.loads(data.decode())


def words(name: str, section: str) -> Mapping[str, str]:
    """A section of a table that maps text to text."""
    found: Mapping[str, str] = table(name).get(section, {})
    return found


@cache
def pattern(name: str, key: str) -> re.Pattern[str]:
    """The pattern `key` of a table, its holes filled."""
    return re.compile(_filled(name, table(name)["patterns"][key]), re.VERBOSE)


def alternation(these: Iterable[str]) -> str:
    """A pattern that matches the longest of some words."""
    return "(?:" + "|".join(map(re.escape, sorted(these, key=lambda word: (-len(word), word)))) + ")"


def _filled(name: str, text: str) -> str:
    def fill(hole: re.Match[str]) -> str:
        other = hole[1] or name
        found = table(other).get("fragments", {}).get(hole[2])
        if found is None:
            found = table(other)["words"][hole[2]]
        return _filled(other, found) if isinstance(found, str) else alternation(found)

    return _HOLE.sub(fill, text)
