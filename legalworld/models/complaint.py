"""What a server says of a request that it did not take: status, codes, the field at fault, words; and its kind.

Servers and the relays before them wrap their errors in one another, as objects or as texts of them: all of it is read,
however deep. Nothing is taken from words alone that a field says.
"""

from __future__ import annotations

import json
import re
from ast import literal_eval
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from ..model.immutable import immutable
from .providers import KINDS, Kind, aliases, any_of, refusal_signs

DEEPEST: Final = 8  # errors within errors
LONGEST: Final = 20_000  # characters of one that are read
_CODES: Final = frozenset(("code", "type", "status", "reason", "statuscode", "error_code", "errorcode", "err_code"))
_WORDS: Final = frozenset(("message", "msg", "detail", "error", "error_msg", "errormessage", "raw", "reason", "title"))
_PLACES: Final = frozenset(("param", "loc", "parameter", "field"))
_NUMBER: Final = re.compile(r"(?<![\w.])\d{1,3}(?:,\d{3})+(?![\w.]*\d)|(?<![\w.])\d+(?![\w]|\.\d)")


@immutable
class Complaint:
    """`text`: all words of the error, the outermost first; `codes`: values of its fields that hold codes, lower case;
    `named`: what it names as the place at fault; `keys`: fields that hold anything; `numbers`: in `text`."""

    status: int
    text: str
    words: tuple[str, ...] = ()
    codes: frozenset[str] = frozenset()
    named: frozenset[str] = frozenset()
    keys: frozenset[str] = frozenset()
    numbers: tuple[int, ...] = ()

    def names(self, parameter: str) -> bool:
        """Whether a field of the error names the parameter."""
        wanted = {_plain(name) for name in aliases(parameter)}
        return any(_plain(name) in wanted or wanted & set(map(_plain, name.split("."))) for name in self.named)

    def mentions(self, parameter: str) -> bool:
        """Whether the words of the error hold the parameter's name, as a word of its own."""
        return any(_mention(name).search(self.text) for name in aliases(parameter))

    def kind(self, more: Mapping[str, Sequence[str]] | None = None) -> Kind | None:
        """The first kind whose patterns in `more` it fits; else the first that its structure shows; else the first that
        its words do."""
        for kind in KINDS:
            if (own := any_of(tuple((more or {}).get(kind, ())))) is not None and own.search(self.text):
                return kind
        signs = refusal_signs()
        for kind, sign in signs.items():
            named = any(name in sign.params or name.split(".")[0] in sign.params for name in self.named)
            if self.status in sign.status or self.codes & sign.codes or self.keys & sign.fields or named:
                return kind
        for kind in KINDS:
            if (pattern := signs[kind].words) is not None and pattern.search(self.text):
                return kind
        return None


def complaint(status: int, *sources: object) -> Complaint:
    """Read an error from all that is known of it: objects, and texts that may hold some."""
    words: dict[str, None] = {}
    codes, named, keys = set[str](), set[str](), set[str]()
    for key, value in (pair for source in sources for pair in _pairs(source, "", 0)):
        lower = key.lower()
        if lower in _CODES and isinstance(value, str | int) and value is not True:
            codes.add(str(value).lower())
        if lower in _PLACES and value:
            named.add(_place(value))
        if value:
            keys.add(key)
        if isinstance(value, str) and value.strip() and (not key or lower in _WORDS):
            words.setdefault(" ".join(value.split()))
    told = tuple(words)
    text = " ".join(told)
    numbers = tuple(int(found.replace(",", "")) for found in _NUMBER.findall(text)[:50] if len(found) < 16)
    return Complaint(status, text, told, frozenset(codes), frozenset(named), frozenset(keys), numbers)


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


def _mention(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9_]){re.escape(name)}(?![A-Za-z0-9_])", re.IGNORECASE)


def _place(value: object) -> str:
    """`["body", "temperature"]`, `body.temperature` and `temperature` say the same."""
    parts = [str(part) for part in value] if isinstance(value, list | tuple) else str(value).split(".")
    return ".".join(parts[1:] if parts[0] in ("body", "request") and len(parts) > 1 else parts)


def _pairs(node: object, key: str, depth: int) -> Iterator[tuple[str, Any]]:
    """Every field of an error with its value, however deep; objects within texts, too, and the texts around them."""
    if depth > DEEPEST:
        return
    if isinstance(node, Mapping):
        for name, value in node.items():
            if not isinstance(value, str):
                yield str(name), value
            if not (isinstance(value, list) and str(name).lower() in _PLACES):
                yield from _pairs(value, str(name), depth + 1)
    elif isinstance(node, list | tuple):
        for value in node[:100]:
            yield from _pairs(value, key, depth + 1)
    elif isinstance(node, str):
        before, found = _object_in(node[:LONGEST])
        yield key, before
        if found is not None:
            yield from _pairs(found, key, depth + 1)


def _object_in(text: str) -> tuple[str, object]:
    """The words before the first object that a text holds, and that object; all words and None where it holds none."""
    start = min((at for at in (text.find("{"), text.find("[{")) if at >= 0), default=-1)
    end = max(text.rfind("}"), text.rfind("}]") + 1) + 1
    if start < 0 or end <= start:
        return text, None
    for read in (json.loads, literal_eval):
        with suppress(ValueError, SyntaxError, RecursionError, MemoryError):
            return text[:start], read(text[start:end])
    return text, None
