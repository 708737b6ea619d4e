"""Calls of tools as models write them in their words, read by the forms of a dialect. Nothing is mended or guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, NamedTuple

from ..model.dialect import CallForm, Dialect
from ..model.events import Call
from ..model.json_text import read_loose
from ..model.text import parse_json

MOST_PARAMETERS: Final = 100
OWN_CALL: Final = "<tool_call>{"  # how a call begins that is written as prompts ask for it
_HOLE: Final = re.compile(r"\{(name|calls|arguments|parameters|python|number|any|key|value)\}")
_ANY_HOLE: Final = re.compile(r"\{\w+\}")
_NAME: Final = re.compile(r"[^\s<>\[\](){}\"'|｜=:`,]{1,200}")
_BLANK: Final = re.compile(r"\s*")
_STRING: Final = re.compile(r"\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*'|-?\d+(?:\.\d+)?|True|False|None", re.DOTALL)
_FENCE: Final = re.compile(r"`{3,}[\w-]*\s*")


class FormParts(NamedTuple):
    """A form as literals and holes in turn, its parameter likewise."""

    form: tuple[tuple[str, str], ...]
    parameter: tuple[tuple[str, str], ...] = ()


class Found(NamedTuple):
    """The calls that stand at a place, and where they end."""

    calls: tuple[Call, ...]
    end: int


class _Filled:
    """What the holes of a form hold in one text."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.name = ""
        self.arguments: Any = None
        self.calls: tuple[Call, ...] = ()
        self.key = self.value = ""

    def made(self) -> tuple[Call, ...]:
        if self.calls:
            return self.calls
        return (Call(name=self.name, arguments=json.dumps(self.arguments or {}, ensure_ascii=False)),)


def in_own_form(call: Call) -> str:
    """Return a call as prompts ask for it."""
    try:
        arguments = parse_json(call.arguments)
    except ValueError:
        arguments = call.arguments
    told = json.dumps({"name": call.name, "arguments": arguments}, ensure_ascii=False)
    return f"<tool_call>{told}</tool_call>"


def call_at(text: str, at: int, dialect: Dialect, *, alone: bool = False) -> Found | None:
    """The calls that a form of the dialect reads at a place, by the first form that fits."""
    for form in dialect.calls:
        if form.alone == alone and (found := _read(text, at, form, dialect)) is not None:
            return found
    return None


def opens(text: str, at: int, dialect: Dialect) -> tuple[CallForm, ...]:
    """The forms whose opening stands at a place."""
    return tuple(form for form in dialect.calls if not form.alone and _literal(text, at, form.opening) is not None)


def json_call_at(text: str, at: int, dialect: Dialect) -> tuple[Found | None, int]:
    """A call that is a JSON object without marks, in a fence or bare, and where the JSON ends (-1: it is none).

    It holds a name and arguments and nothing else: any other object may be what was asked for.
    """
    fence = _FENCE.match(text, at)
    begin = _BLANK.match(text, fence.end() if fence else at).end()  # type: ignore[union-attr]
    value, end = _json(text, begin)
    if end < 0:
        return None, -1
    if fence and (closing := _FENCE.match(text, _skip(text, end))) is not None:
        end = closing.end()
    calls = tuple(_calls(value, dialect, bare=True))
    return (Found(calls, end) if calls else None), end


def readable_form(form: str, parameter: str) -> bool:
    """Whether a notation can be read: marks before its first hole that are no words, and holes that make a call."""
    holes, inner = _HOLE.findall(form), _HOLE.findall(parameter)
    opening = form.partition("{")[0].strip()
    marked = len(opening) > 1 and not opening.replace("_", "").replace(" ", "").isalnum()
    named = "name" in holes and ("arguments" in holes or "parameters" in holes)
    paired = ("parameters" in holes) == bool(parameter) and (not parameter or {"key", "value"} <= {*inner})
    left = _HOLE.sub("", form) + _HOLE.sub("", parameter)
    return marked and (named or "calls" in holes or "python" in holes) and paired and not _ANY_HOLE.search(left)


@lru_cache(maxsize=512)
def _parts(form: CallForm) -> FormParts:
    return FormParts(_split(form.form), _split(form.parameter) if form.parameter else ())


def _split(form: str) -> tuple[tuple[str, str], ...]:
    pieces = _HOLE.split(form)
    return tuple(("hole" if number % 2 else "literal", piece) for number, piece in enumerate(pieces) if piece.strip())


def _read(text: str, at: int, form: CallForm, dialect: Dialect) -> Found | None:
    holes, parts = _Filled(dialect), _parts(form)
    end = _fit(text, at, parts, holes)
    whole = holes.calls or (holes.name and holes.arguments is not None)
    return Found(holes.made(), end) if end is not None and whole else None


def _fit(text: str, at: int, parts: FormParts, holes: _Filled) -> int | None:
    """Where a form that begins at a place ends; what its holes hold is noted."""
    for number, (kind, word) in enumerate(parts.form):
        following = parts.form[number + 1][1] if number + 1 < len(parts.form) else ""
        if kind == "literal":
            end = _literal(text, at, word)
        elif word == "parameters":
            end = _parameters(text, at, parts.parameter, holes)
        else:
            end = _hole(text, at, word, following, holes)
        if end is None:
            return None
        at = end
    return at


def _hole(text: str, at: int, word: str, following: str, holes: _Filled) -> int | None:
    match word:
        case "name" | "key":
            found = _NAME.match(text, _skip(text, at))
            setattr(holes, word, found[0] if found else "")
            return found.end() if found else None
        case "number":
            at = _skip(text, at)
            return next((n for n in range(at, len(text)) if not text[n].isdecimal()), len(text))
        case "calls":
            value, end = _json(text, at)
            holes.calls = tuple(_calls(value, holes.dialect, bare=False))
            return end if end >= 0 and holes.calls else None
        case "arguments":
            holes.arguments, end = _json(text, at)
            return end if end >= 0 and isinstance(holes.arguments, dict) else None
        case "python":
            return _python(text, at, holes)
        case _:
            until = _until(text, at, following)
            holes.value = text[at:until].removeprefix("\n").removesuffix("\n")
            return until


def _until(text: str, at: int, following: str) -> int | None:
    """Where the literal behind a hole begins; the end of the text where there is none behind it."""
    word = next(iter(_tokens(following)), "")
    end = text.find(word, at) if word else len(text)
    return end if end >= 0 else None


def _parameters(text: str, at: int, parameter: tuple[tuple[str, str], ...], holes: _Filled) -> int:
    """Where the parameters that begin at a place end; there may be none."""
    holes.arguments = {}
    for _ in range(MOST_PARAMETERS):
        one = _Filled(holes.dialect)
        end = _fit(text, at, FormParts(parameter), one)
        if end is None:
            return at
        holes.arguments[one.key] = one.value
        at = end
    return at


def _literal(text: str, at: int, word: str) -> int | None:
    """Where a literal that begins at a place ends, blanks and case of letters apart."""
    for part in _tokens(word):
        at = _skip(text, at)
        if text[at : at + len(part)].casefold() != part.casefold():
            return None
        at += len(part)
    return at


@lru_cache(maxsize=512)
def _tokens(word: str) -> tuple[str, ...]:
    """The parts of a literal between which there may be blanks."""
    return tuple(part for part in re.split(r"\s+|(?<=[>`])(?=<)", word) if part)


def _skip(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return found.end() if found is not None else at


# ---- JSON ------------------------------------------------------------------------------------------------------------


def _json(text: str, at: int) -> tuple[Any, int]:
    """A JSON object or list at a place, and where it ends (-1: there is none)."""
    at = _skip(text, at)
    if text[at : at + 1] not in ("{", "["):
        return None, -1
    try:
        return read_loose(text, at)
    except ValueError:
        return None, -1


def _calls(value: Any, dialect: Dialect, *, bare: bool) -> Iterator[Call]:
    """The calls that a JSON value is; none where any part of it is no call."""
    if isinstance(value, dict) and set(value) == {"tool_calls"}:
        value = value["tool_calls"]
    items = value if isinstance(value, list) else [value]
    calls = [_call(item, dialect, bare=bare) for item in items]
    if calls and None not in calls:
        yield from (call for call in calls if call is not None)


def _call(value: Any, dialect: Dialect, *, bare: bool) -> Call | None:
    if not isinstance(value, dict):
        return None
    inner = value.get("function")
    if isinstance(inner, dict):
        return _call(inner, dialect, bare=bare)
    name = next((key for key in dialect.name_keys if isinstance(value.get(key), str)), "")
    given = next((key for key in dialect.argument_keys if key in value), "")
    if not name or (bare and (not given or set(value) - {name, given, *dialect.other_keys})):
        return None
    arguments = value.get(given, {}) if given else {}
    if bare and not isinstance(arguments, dict) and not _is_object(arguments):
        return None
    text = arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)
    return Call(name=value[name], arguments=text)


def _is_object(value: Any) -> bool:
    if not isinstance(value, str):
        return False
    found, end = _json(value, 0)
    return isinstance(found, dict) and not value[end:].strip()


# ---- calls as a program would write them -----------------------------------------------------------------------------


def _python(text: str, at: int, holes: _Filled) -> int | None:
    """`name(key="value", ...)`, several separated by commas or lines; where they end."""
    calls: list[Call] = []
    while (found := re.compile(r"[\s,]*([A-Za-z_][\w.]*)\(").match(text, at)) is not None:
        arguments, end = _keywords(text, found.end())
        if end < 0:
            break
        calls.append(Call(name=found[1], arguments=json.dumps(arguments, ensure_ascii=False)))
        at = end
    holes.calls = tuple(calls)
    return at if calls else None


def _keywords(text: str, at: int) -> tuple[dict[str, Any], int]:
    """The arguments by name up to the closing bracket, and where they end (-1: they are none)."""
    given: dict[str, Any] = {}
    while (found := re.compile(r"[\s,]*([A-Za-z_]\w*)\s*=\s*").match(text, at)) is not None:
        value = _STRING.match(text, found.end())
        if value is None:
            given[found[1]], at = _json(text, found.end())
        else:
            given[found[1]], at = _unquoted(value[0]), value.end()
        if at < 0:
            return {}, -1
    closing = re.compile(r"\s*\)").match(text, at)
    return (given, closing.end()) if closing is not None else ({}, -1)


def _unquoted(word: str) -> str:
    if word[0] not in "\"'":
        return word
    return re.sub(r"\\(.)", lambda found: {"n": "\n", "t": "\t"}.get(found[1], found[1]), word[1:-1], flags=re.DOTALL)
