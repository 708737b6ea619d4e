"""Where a name stands in prompts and forms: in the names of their files and in their tags; prose is never a name."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ..model.immutable import immutable
from ..model.source import Span
from ..templates.syntax import placed_words
from .edits import Edit, Region, line_starts

TEMPLATE: Final = ".j2"
TOLD: Final = frozenset({"case", "documents", "answers", "dates", "decisions"})
"""The sections whose names a role may be told of: rows of the matrix."""
STAGE: Final = frozenset({"stages"})
_PHASE: Final = frozenset({"phases"})
_PEOPLE: Final = frozenset({"roles", "kinds"})
_DOCUMENT: Final = frozenset({"documents"})
_NEVER: Final = frozenset[str]()

# The folder in which a template is looked for -> what each word of its name may be, up to a point.
_SLOTS: Final[Mapping[str, tuple[frozenset[str], ...]]] = {
    "who": (_PEOPLE, STAGE),
    "where": (STAGE, _PHASE),
    "know": (TOLD, STAGE),
    "act": (_NEVER, _PEOPLE, STAGE),
    "offline": (_NEVER, _PEOPLE, STAGE),
    "documents": (_DOCUMENT, STAGE),
}
_FREE: Final = frozenset({"grade", "intervene", "reflect"})  # whoever uses these says by which name
_ROOTS: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("own", "other", "known"), TOLD),
    "minutes": STAGE,
    "scene.options": frozenset({"options"}),
}
# What the words are with which a template compares a value.
_COMPARED: Final[Mapping[str, frozenset[str]]] = {
    "scene.stage": STAGE,
    "scene.phase": _PHASE,
    **dict.fromkeys(("me.role", "me.roles"), frozenset({"roles"})),
    "me.kind": frozenset({"kinds"}),
    "scene.amended": frozenset({"case"}),
    "step.document.name": _DOCUMENT,
    "step.answer.id": frozenset({"answers"}),
}
_NO_NAMES: Final = frozenset({"side", "act", "form", "kind"})  # what such a key says is a role, field or document never
_EQUAL: Final = ("==", "!=", "in")
_OPEN: Final = ("(", "[")
_TESTS: Final = ('"eq"', '"ne"', '"equalto"', '"in"', '"contains"', '"=="', '"!="')

Token = tuple[int, str, str]


@immutable
class NewName:
    """A name that is to become another one. `section`: the section of a procedure that declares it; `is_kind`: a kind
    of roles is called so too, and keeps the name."""

    old: str
    new: str
    section: str
    is_kind: bool = False

    def stands_in(self, text: str) -> bool:
        """Whether the name stands in a text as a word of its own."""
        return self.word.search(text) is not None

    @property
    def word(self) -> re.Pattern[str]:
        if not self.old.isascii():
            return re.compile(re.escape(self.old))
        return re.compile(rf"(?<![A-Za-z0-9_]){re.escape(self.old)}(?![A-Za-z0-9_])")


@immutable
class Elsewhere:
    """What a name's change does to a file outside its procedure. `unsure`: where nobody can tell what it means."""

    edits: tuple[Edit, ...] = ()
    move: str = ""
    unsure: tuple[Span, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.edits or self.move or self.unsure)


def in_template(path: str, text: str, wanted: NewName) -> Elsewhere:
    """The name in the file name of a template and in its tags. `move`: how the file is called then."""
    moved, strange = renamed_path(path, wanted)
    unsure = [Span(path, 1, 1)] if strange else []
    edits: list[Edit] = []
    starts, plain = line_starts(text), text.replace("\r\n", "\n\n").replace("\r", "\n")
    tokens = list(placed_words(plain))
    for index, (offset, kind, word) in enumerate(tokens):
        new = _changed(tokens, index, kind, word, wanted)
        if new == word:
            continue
        line = bisect_right(starts, offset)
        span = Span(path, line, offset - starts[line - 1] + 1, len(word))
        if new:
            edits.append(Edit(Region.of(span), new))
        else:
            unsure.append(span)
    return Elsewhere(tuple(edits), moved if moved != path else "", tuple(unsure))


def renamed_path(path: str, wanted: NewName) -> tuple[str, bool]:
    """How a template is called after the change; whether the name stands in it where nobody can tell what it means.

    Also of names as they are included: `act/ask.judge.j2`, `documents/complaint.j2`.
    """
    head, _, name = path.rpartition("/")
    above = head.split("/")
    folder = "documents" if above[0] == "documents" else above[-1]
    words = name.removesuffix(TEMPLATE).split(".")
    if wanted.old not in words:
        return path, False
    if _FREE.intersection(above) or words[0].startswith("_"):
        return path, False
    slots = _slots(folder, words)
    if slots is None:
        return path, True
    if wanted.is_kind:
        slots = tuple(_NEVER if slot is _PEOPLE else slot for slot in slots)  # found by the kind, as before
    asked = zip(words, slots, strict=False)
    made = [wanted.new if word == wanted.old and wanted.section in slot else word for word, slot in asked]
    ending = TEMPLATE if name.endswith(TEMPLATE) else ""
    return "/".join(filter(None, (head, ".".join((*made, *words[len(made) :])) + ending))), False


def _slots(folder: str, words: Sequence[str]) -> tuple[frozenset[str], ...] | None:
    slots = _SLOTS.get(folder)
    if folder == "where" and words[0] == "phase":
        return (_NEVER, _PHASE)
    if words[0] == "minutes" and slots is not None:
        return (_NEVER, STAGE)
    return slots


def _changed(tokens: Sequence[Token], index: int, kind: str, word: str, wanted: NewName) -> str:
    """What a word of a tag becomes: itself where it is not the name, "" where nobody can tell."""
    if kind == "name" and word == wanted.old:
        path = ".".join(_path(tokens, index)[:-1])
        return wanted.new if wanted.section in _ROOTS.get(path, _NEVER) else word
    if kind != "string" or wanted.old not in word:
        return word
    inner = word[1:-1]
    if inner.endswith(TEMPLATE):
        moved, strange = renamed_path(inner, wanted)
        return "" if strange else word[0] + moved + word[-1]
    if inner != wanted.old:
        return word
    meant = _compared(tokens, index)
    if meant is None:
        return ""
    return word[0] + wanted.new + word[-1] if wanted.section in meant else word


def _path(tokens: Sequence[Token], index: int) -> list[str]:
    """The words of a path `a.b.c` that ends with a token."""
    words = [tokens[index][2]]
    while index >= 2 and tokens[index - 1][2] == "." and tokens[index - 2][1] == "name":
        index -= 2
        words.insert(0, tokens[index][2])
    return words


def _compared(tokens: Sequence[Token], index: int) -> frozenset[str] | None:
    """The sections of which a text may be a name, by what it is compared with; None where that is not known."""
    key = _key(tokens, index)
    if key is None:
        return None
    if key.startswith("scene.options."):
        return _NEVER  # a value of an option is no name of one
    last = key.rpartition(".")[2]
    return _COMPARED.get(key, frozenset({"kinds"}) if last == "kind" else _NEVER if last in _NO_NAMES else None)


def _key(tokens: Sequence[Token], index: int) -> str | None:
    """The path with which a text is compared: `x == "a"`, `"a" == x`, `"a" in x`, `x in ["a", "b"]`,
    `selectattr("x", "eq", "a")`."""
    chosen = _attribute(tokens, index)
    if chosen is not None:
        return chosen
    start = index
    while start > 0 and (tokens[start - 1][1] == "string" or tokens[start - 1][2] in (",", *_OPEN)):
        start -= 1
    before = tokens[start - 1][2] if start else ""
    if before in _EQUAL:
        at = start - 2 - (start >= 2 and tokens[start - 2][2] == "not")
        return ".".join(_path(tokens, at)) if at >= 0 and tokens[at][1] == "name" else None
    behind = index + 1
    if behind < len(tokens) and tokens[behind][2] == "not":
        behind += 1
    words = tuple(_following(tokens, behind))
    return ".".join(words[1:]) if len(words) > 1 and words[0] in _EQUAL else None


def _attribute(tokens: Sequence[Token], index: int) -> str | None:
    """The attribute by which a filter chooses."""
    for back in range(index - 1, max(index - 24, 0), -1):
        word = tokens[back][2].replace("'", '"')
        if word in _TESTS and back >= 3 and tokens[back - 1][2] == "," and tokens[back - 3][2] == "(":
            return tokens[back - 2][2][1:-1]
        if tokens[back][1] == "name":
            return None
    return None


def _following(tokens: Sequence[Token], index: int) -> Iterator[str]:
    """The word at an index, and the path behind it."""
    if index < len(tokens):
        yield tokens[index][2]
    while index + 1 < len(tokens) and tokens[index + 1][1] == "name":
        yield tokens[index + 1][2]
        if index + 2 >= len(tokens) or tokens[index + 2][2] != ".":
            return
        index += 2
