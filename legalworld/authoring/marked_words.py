"""Which words of a file mean something, and what: of its sentences and keys, and of what a template's tags hold."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Final, Literal

from ..language.schema import PersonaSurface, SkillSurface, SpecSurface
from ..language.schema_of_tests import TEST_FILES, TestFileSurface
from ..language.sentences.keywords import KEYWORDS, MARKS
from ..language.surface_reader import read_node
from ..language.surfaces import Surface, written_keys
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.source import Span
from ..templates.syntax import placed_words
from .edits import LINE_END, line_starts
from .lookup import described
from .occurrences import names_of
from .picture import Picture

WordKind = Literal[
    "keyword", "key", "name", "role", "field", "document", "answer", "option", "kind", "stage", "marker", "number",
    "text", "sign", "comment", "filter",
]  # fmt: skip
_SECTIONS: Final[Mapping[str, WordKind]] = {
    "roles": "role",
    "case": "field",
    "documents": "document",
    "answers": "answer",
    "options": "option",
    "kinds": "kind",
    "stages": "stage",
}
_SHAPES: Final[Mapping[str, WordKind]] = {"TOKEN": "marker", "NUMBER": "number", "TEXT": "text", "QUOTED": "text"}
_FOLDERS: Final[Mapping[str, type[Surface]]] = {
    "specs": SpecSurface,
    "personas": PersonaSurface,
    "skills": SkillSurface,
}
_YAML, _TEMPLATE = (".yaml", ".yml"), ".j2"
# Words that stand at the beginning of a tag, or join what stands in one.
_TAG_WORDS: Final = frozenset(
    (
        *("if", "elif", "else", "endif", "for", "endfor", "in", "set", "include", "raw", "endraw"),
        *("and", "or", "not", "is", "true", "false", "none"),
    )
)
_REMARK: Final = re.compile(r"\{#.*?(?:#\}|\Z)", re.DOTALL)
_JINJA: Final[Mapping[str, WordKind]] = {"string": "text", "integer": "number", "float": "number", "operator": "sign"}


@immutable
class MarkedWord:
    """A word on one line. `declares`: it is where its name is declared."""

    span: Span
    kind: WordKind
    declares: bool = False


def marked_words(picture: Picture, path: str) -> tuple[MarkedWord, ...]:
    """The words of a file that mean something, in the order in which they stand; none lies within another."""
    text = picture.read(path)
    if text is None:
        return ()
    found = _in_template(path, text) if path.endswith(_TEMPLATE) else _in_spec(picture, path)
    ordered = sorted(found, key=lambda word: (word.span.line, word.span.column, -word.span.length))
    return tuple(_apart(ordered))


def _apart(words: list[MarkedWord]) -> Iterator[MarkedWord]:
    line, end = 0, 0
    for word in words:
        if word.span.length and (word.span.line, word.span.column) >= (line, end):
            line, end = word.span.line, word.span.column + word.span.length
            yield word


# ---- specs -----------------------------------------------------------------------------------------------------------


def _in_spec(picture: Picture, path: str) -> Iterator[MarkedWord]:
    """Names come before keys, so that a name that is also a word of the language is a name where it is declared."""
    home = picture.home(path) if path.endswith(_YAML) else None
    if home is not None:
        yield from _in_sentences(picture, home, path)
    model = TestFileSurface if path.endswith(TEST_FILES) else _FOLDERS.get(path.split("/")[0])
    node = read_node(picture, path)[0] if path.endswith(_YAML) and model is not None else None
    if node is not None and model is not None:
        yield from (MarkedWord(key.key.span, "key") for key in written_keys(model, node))


def _in_sentences(picture: Picture, home: str, path: str) -> Iterator[MarkedWord]:
    procedure, names = picture.linked(home).procedure, picture.read_names(home)[1]
    for one in names_of(picture, home).occurrences:
        if one.span.file == path:
            yield MarkedWord(one.span, _name_kind(procedure, one.name), one.declares)
    for sentence, parser in names.sentences.items():
        for word in parser.words(sentence) if sentence.span.file == path else ():
            kind = "keyword" if word.type in KEYWORDS else _SHAPES.get(word.type)
            if kind is None and word.type != "NAME":
                kind = "sign" if word.type in MARKS.values() else "keyword"
            if kind is not None:
                yield MarkedWord(word.span, kind)


def _name_kind(procedure: Procedure | None, name: str) -> WordKind:
    return _SECTIONS.get(described(procedure, name)[0], "name") if procedure is not None else "name"


# ---- templates -------------------------------------------------------------------------------------------------------


def _in_template(path: str, text: str) -> Iterator[MarkedWord]:
    starts = line_starts(text)
    plain = text.replace("\r\n", "\n\n").replace("\r", "\n")  # of the same length
    before = ""
    for offset, kind, word in placed_words(plain):
        yield from _placed(path, text, starts, (offset, word, _template_kind(kind, word, before)))
        before = word
    for remark in _REMARK.finditer(text):
        yield from _placed(path, text, starts, (remark.start(), remark[0], "comment"))


def _template_kind(kind: str, word: str, before: str) -> WordKind:
    if kind == "name":
        return "filter" if before == "|" else "keyword" if word in _TAG_WORDS and before != "." else "field"
    return _JINJA.get(kind, "sign")


def _placed(path: str, text: str, starts: list[int], word: tuple[int, str, WordKind]) -> Iterator[MarkedWord]:
    """A word at an offset, line by line where it goes over several."""
    offset, written, kind = word
    for piece in LINE_END.split(text[offset : offset + len(written)]):
        line = bisect_right(starts, offset)
        column = offset - starts[line - 1] + 1 if line else 1
        yield MarkedWord(Span(path, max(line, 1), column, len(piece)), kind)
        offset = starts[line] if line < len(starts) else len(text)
