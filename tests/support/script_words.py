"""The string literals of a script, as far as reading needs no parser: comments and patterns apart."""

from __future__ import annotations

import re

_PIECE = re.compile(
    r"""//[^\n]*|/\*.*?\*/          # comments
    |"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'
    |(?<=[(,=:\[!&|?{};+\n])/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*   # patterns
    |`""",
    re.VERBOSE | re.DOTALL,
)


def literals(script: str) -> list[str]:
    """Every string of a script as it is written there, those between the holes of templates too."""
    found, place = [], 0
    while piece := _PIECE.search(script, place):
        word = piece.group()
        if word == "`":
            texts, place = _template(script, piece.end())
            found += texts
            continue
        place = piece.end()
        if word[0] in "\"'":
            found.append(word[1:-1])
    return found


def _template(script: str, place: int) -> tuple[list[str], int]:
    """The texts of a template from behind its first mark, and where it is over."""
    texts, text = [], ""
    while place < len(script):
        mark = script[place]
        if mark == "\\":
            text, place = text + script[place : place + 2], place + 2
        elif mark == "`":
            return [*texts, text], place + 1
        elif script.startswith("${", place):
            inner, place = _hole(script, place + 2)
            texts, text = [*texts, text, *inner], ""
        else:
            text, place = text + mark, place + 1
    return [*texts, text], place


def _hole(script: str, place: int) -> tuple[list[str], int]:
    """The strings of a hole of a template, and where it is over."""
    found, depth = [], 1
    while place < len(script) and depth:
        mark = script[place]
        if mark in "\"'":
            whole = re.compile(rf"{mark}((?:\\.|[^{mark}\\\n])*){mark}").match(script, place)
            assert whole is not None
            found, place = [*found, whole[1]], whole.end()
        elif mark == "`":
            inner, place = _template(script, place + 1)
            found += inner
        else:
            depth += {"{": 1, "}": -1}.get(mark, 0)
            place += 1
    return found, place
