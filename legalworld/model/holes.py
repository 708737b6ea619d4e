"""Holes in the cue of a step: `{charge.text}` stands for what a loop around has come to."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

_HOLE: Final = re.compile(r"\{\s*(?P<name>[^\W\d]\w*)(?P<path>(?:\.\w+)*)\s*\}")


def holes(cue: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The holes of a cue: the variable of a loop, and the path below what it has come to."""
    return tuple(_read(found) for found in _HOLE.finditer(cue))


def filled(cue: str, word: Callable[[str, tuple[str, ...]], str | None]) -> str:
    """The cue with its holes filled; a hole for which there is no word stays as it is."""

    def one(found: re.Match[str]) -> str:
        said = word(*_read(found))
        return found[0] if said is None else said

    return _HOLE.sub(one, cue)


def around(cue: str, name: str, path: tuple[str, ...]) -> tuple[str, str]:
    """What stands before and behind the first of these holes in a cue."""
    found = next((one for one in _HOLE.finditer(cue) if _read(one) == (name, path)), None)
    return ("", "") if found is None else (cue[: found.start()], cue[found.end() :])


def _read(found: re.Match[str]) -> tuple[str, tuple[str, ...]]:
    return found["name"], tuple(found["path"].split(".")[1:])
