"""Read the JSON objects that stand in a model's reply: where they stand, and whether they are its own words.

    found = json_in(reply)
    found.values        # every object that stands in no other, in order
    found.only()        # the one that the reply says, None where it says none, several or an unclear one

Nothing is repaired or guessed: a trailing comma makes no object. What encloses an object is not known from a list of
marks that were met so far: any bracket, quotation mark or tag that is opened before an object and not closed makes it
quoted, whatever its name is.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any, Final

from .immutable import immutable
from .text import clean_json

LONGEST: Final = 1_200_000  # characters that are looked at; what is longer is unfinished
TRIED: Final = 1_000  # places that look like an object and are none; after so many, a reply is unfinished
DEEPEST: Final = 64  # brackets within brackets that are told apart
TWICE: Final = ("a key that is given two values",)
"""Stands for the value of a key that one object has twice, with other values."""

_MARK: Final = re.compile(r"`{3,}|~{3,}|`{1,2}|[^\w\s]")
_BEGUN: Final = re.compile(r"\{\s*[\"}]")
_INFO: Final = re.compile(r"[^\S\n]*[\w.+-]*[^\S\n]*(?=\n|\{|\Z)")  # the word behind a fence: json
_BRACKETS: Final = r"<>\[\]【】〈〉《》＜＞"
_NAME: Final = rf"[^\s\d\"{{/{_BRACKETS}][^\"{{{_BRACKETS}\n]{{0,79}}"
_TAG: Final = re.compile(rf"([<\[【〈《＜])\s*(/?)\s*({_NAME})[>\]】〉》＞]")
_ENDING: Final = re.compile(rf"[<\[【〈《＜]\s*/\s*({_NAME})[>\]】〉》＞]")
_SHOUTED: Final = re.compile("[A-Z][A-Z_ ]*")  # [THINK], but not [a remark]
_VOID: Final = frozenset({"br", "hr", "wbr", "img"})  # tags of HTML that enclose nothing
_QUOTING_LINE: Final = re.compile(r"[^\S\n]*[>|＞│┃»]")
_WORD: Final = re.compile(r"\w")


@immutable
class JsonValue:
    """An object of a reply, at the characters from `start` to `end`. `quoted`: it stands in something else."""

    value: dict[str, Any]
    start: int
    end: int
    quoted: bool


@immutable
class JsonText:
    """The objects of a reply. `unfinished`: it ends within one. `bare`: the text with blanks for objects and fences."""

    values: tuple[JsonValue, ...]
    unfinished: bool
    bare: str

    def after(self, place: JsonValue) -> str:
        """What is said behind an object; "" where no word is."""
        rest = self.bare[place.end :]
        return " ".join(rest.split()) if _WORD.search(rest) else ""

    def only(self) -> dict[str, Any] | None:
        """The object that the reply says: one, or several that are equal, quoted nowhere, with nothing said behind."""
        values = self.values
        if self.unfinished or not values or any(one.quoted or one.value != values[0].value for one in values):
            return None
        return None if self.after(values[-1]) else values[-1].value


def json_in(text: str) -> JsonText:
    """Return the JSON objects of a text, their strings `clean`. Raises nothing."""
    return _Scanner(text[:LONGEST], len(text) > LONGEST).read()


def objects_in(text: str) -> Iterator[dict[str, Any]]:
    """Yield every JSON object of a text, those within others too, wherever they stand."""
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            yield from _nested(clean_json(value))
        at = text.find("{", end)


def _nested(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    for item in value if isinstance(value, list) else ():
        yield from _nested(item)


class _Scanner:
    """One pass over a text. `open`: what would close all that is open here, the innermost last."""

    def __init__(self, text: str, unfinished: bool) -> None:
        self._text = text
        self._tried = 0
        self._end = len(text.rstrip())
        self._unfinished = unfinished
        self._open: list[str] = []
        self._values: list[JsonValue] = []
        self._blank: list[tuple[int, int]] = []
        self._fence = ""
        self._fenced: list[int] = []  # the values of this fence, by number
        self._fence_begin, self._nested = 0, False
        self._closed_names = {found[1].strip() for found in _ENDING.finditer(text)}

    def read(self) -> JsonText:
        at = 0
        while not self._unfinished and (mark := _MARK.search(self._text, at)) is not None:
            at = self._after(mark)
        if self._fence:
            self._close_fence(len(self._text))
        return JsonText(tuple(self._values), self._unfinished, self._without(self._blank))

    def _after(self, mark: re.Match[str]) -> int:
        """Take in one mark; return where to look on."""
        sign, at = mark[0], mark.start()
        if sign == "{":
            return self._object(at)
        if len(sign) >= 3 or self._fence:
            return self._fenced_on(mark)
        if tag := _TAG.match(self._text, at):
            return self._tag(tag)
        self._bracket(sign)
        return mark.end()

    # ---- objects -----------------------------------------------------------------------------------------------------
    def _object(self, at: int) -> int:
        if not _BEGUN.match(self._text, at):  # asked first: an error of the decoder costs the time of all before it
            self._unfinished = at + 1 >= self._end
            self._bracket("{")
            return at + 1
        try:
            value, end = _DECODER.raw_decode(self._text, at)
        except json.JSONDecodeError as error:
            self._tried += 1
            ends = error.pos >= self._end or error.msg.startswith("Unterminated string")
            self._unfinished = ends or self._tried > TRIED
            self._bracket("{")
            return at + 1
        except (ValueError, RecursionError):  # a number of too many digits, or nested too deeply
            self._unfinished = True
            return at + 1
        self._fenced += [len(self._values)] if self._fence else []
        self._values.append(JsonValue(clean_json(value), at, end, bool(self._open) or self._in_quotation(at, end)))
        self._blank.append((at, end))
        return end

    def _in_quotation(self, start: int, end: int) -> bool:
        """Whether an object stands on a line that is marked as quoted, or between two single quotation marks."""
        line = self._text[self._text.rfind("\n", 0, start) + 1 : start]
        before, behind = self._text[:start].rstrip()[-1:], self._text[end : end + 40].lstrip()[:1]
        return bool(_QUOTING_LINE.match(line)) or before == behind == "'"

    # ---- fences ------------------------------------------------------------------------------------------------------
    def _fenced_on(self, mark: re.Match[str]) -> int:
        """A fence begins or ends; within one, nothing else counts."""
        sign = mark[0]
        if self._fence:
            if sign[0] == self._fence[0] and len(sign) >= len(self._fence):
                self._close_fence(mark.start())
                self._blank.append(mark.span())
            self._nested = self._nested or len(sign) >= 3
            return mark.end()
        info = _INFO.match(self._text, mark.end())
        end = info.end() if info is not None else mark.end()
        self._fence, self._fence_begin, self._nested = sign, end, False
        self._blank.append((mark.start(), end))
        return end

    def _close_fence(self, end: int) -> None:
        """What stands in a fence beside other words, or in a fence of its own there, was quoted with them."""
        inside = self._without(self._blank)[self._fence_begin : end]
        if self._nested or _WORD.search(inside):
            for number in self._fenced:
                one = self._values[number]
                self._values[number] = JsonValue(one.value, one.start, one.end, True)
        self._fence, self._fenced = "", []

    # ---- tags, brackets, quotation marks -----------------------------------------------------------------------------
    def _tag(self, tag: re.Match[str]) -> int:
        """A tag opens what only its own end closes; words in brackets are no tag unless something ends them."""
        sign, ends, name = tag[1], tag[2], tag[3].strip()
        around = self._text[tag.start() - 1 : tag.start()], self._text[tag.end() : tag.end() + 1]
        doubled = around[0] == sign or around[1] == tag[0][-1]
        word = name.split()[0]
        known = name in self._closed_names or word in self._closed_names
        if not known and (sign not in "<＜" and not (sign == "[" and _SHOUTED.fullmatch(name))):
            return tag.end()  # a word in brackets, which are closed
        if (doubled and not known) or word.rstrip("/") in _VOID or name.endswith("/"):
            return tag.end()
        if not ends:
            self._enter(f"/{word}")
        elif f"/{word}" in self._open:
            self._shut(f"/{word}")
        else:  # its beginning is not there: all before it was within
            self._values = [JsonValue(one.value, one.start, one.end, True) for one in self._values]
        return tag.end()

    def _bracket(self, sign: str) -> None:
        if sign in self._open:
            self._shut(sign)
        elif sign in ('"', "`", "``"):
            self._enter(sign)
        elif (closer := _closer(sign)) is not None:
            self._enter(closer)

    def _enter(self, closer: str) -> None:
        if len(self._open) < DEEPEST:
            self._open.append(closer)

    def _shut(self, closer: str) -> None:
        """Close the innermost of its kind, with all that was opened in it."""
        last = len(self._open) - 1 - self._open[::-1].index(closer)
        del self._open[last:]

    def _without(self, spans: list[tuple[int, int]]) -> str:
        """The text with blanks in the place of some spans, which are in order."""
        pieces, at = [], 0
        for start, end in spans:
            pieces += [self._text[at:start], " " * (end - start)]
            at = end
        return "".join((*pieces, self._text[at:]))


def _closer(sign: str) -> str | None:
    """What closes a bracket or an opening quotation mark, by its Unicode category; None for any other sign."""
    if unicodedata.category(sign) not in ("Ps", "Pi"):
        return None
    near = (chr(ord(sign) + step) for step in (1, 2, 16))
    return next((one for one in near if unicodedata.category(one) in ("Pe", "Pf")), sign)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object; a key with two values that differ has none that could be taken for it."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        found[key] = value if key not in found or found[key] == value else TWICE
    return found


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_object)
