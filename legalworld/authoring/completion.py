"""What may stand at a cursor: words of the sentence that is being written, declared names, keys of a mapping."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ..language.schema import SpecSurface
from ..language.sentences.keywords import KEYWORDS
from ..language.sentences.parser import SentenceText
from ..language.surfaces import keys_at
from ..language.yaml.reader import read
from ..language.yaml_keys import YAML_KEYS
from ..model.immutable import immutable
from ..model.procedure import Procedure
from .edits import LINE_END, Cursor, Edit, Region
from .lookup import described
from .names_reader import NamesReader
from .picture import Picture

MOST: Final = 200
_HERE: Final = "lw__here"
_PARTIAL: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$|[^\W\dA-Za-z_]+$")
_ZH: Final = {en: zh for zh, en in YAML_KEYS.items()}


@immutable
class Candidate:
    """A word that may stand there. `kind`: keyword, name, or key."""

    text: str
    kind: str
    edit: Edit


def completion(picture: Picture, cursor: Cursor) -> tuple[Candidate, ...]:
    """What may stand at a cursor, what begins with what is written there; nothing where that is not known."""
    lines = LINE_END.split((picture.read(cursor.path) or "").removeprefix("\ufeff"))
    if not (0 < cursor.line <= len(lines) and 0 < cursor.column <= len(lines[cursor.line - 1]) + 1):
        return ()
    before = lines[cursor.line - 1][: cursor.column - 1]
    match = _PARTIAL.search(before)
    partial = match[0] if match else ""
    region = Region(cursor.path, (cursor.line, cursor.column - len(partial)), (cursor.line, cursor.column))
    found: dict[str, str] = {}
    home = picture.home(cursor.path)
    if home is not None:
        found |= dict(
            _in_sentence(
                picture.linked(home).procedure, picture.read_names(home)[1], (cursor, partial, lines[cursor.line - 1])
            )
        )
    if not before[: len(before) - len(partial)].strip(" -"):
        found |= dict(_keys(cursor, lines))
    words = ((text, kind) for text, kind in found.items() if text.startswith(partial) and text != partial)
    return tuple(Candidate(text, kind, Edit(region, text)) for text, kind in sorted(words)[:MOST])


def _in_sentence(
    procedure: Procedure | None, names: NamesReader, place: tuple[Cursor, str, str]
) -> Iterator[tuple[str, str]]:
    """What the grammar and the declarations let stand behind the words before the cursor."""
    cursor, partial, line = place
    for sentence, parser in names.sentences.items():
        if _within(sentence, cursor, line):
            written = line[sentence.span.column - 1 : cursor.column - 1 - len(partial)]
            terminals = parser.accepted(SentenceText(sentence.start, written, sentence.span))
            for terminal in terminals & KEYWORDS.keys():
                yield from ((word, "keyword") for word in (*KEYWORDS[terminal].en, *KEYWORDS[terminal].zh))
            if "NAME" in terminals:
                before = parser.words(SentenceText(sentence.start, written, sentence.span))
                wanted = _wanted(sentence.start, [word.type for word in before])
                yield from ((name, "name") for name in parser.names() if _fits(procedure, name, wanted))
            return
    for value, known in names.values.values():
        if cursor.within(value.span):
            yield from ((name, "name") for name in known)


_PEOPLE: Final = frozenset({"roles", "kinds"})
_ASSIGNED: Final = frozenset({"assigned"})
_OF_FIELDS: Final = frozenset(
    {"FOREACH", "ABOUT", "IN", "FROM", "SAMPLE", "RECORD", "READS", "IF", "DECIDES", "PRESENTS"}
)
_BEHIND: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("DRAFTS", "TAKE", "WITH"), frozenset({"documents"})),
    **dict.fromkeys(("ASSIGN",), _ASSIGNED),
    **dict.fromkeys(("PERFORM",), frozenset[str]()),
    **dict.fromkeys(("REOPEN",), frozenset({"phases"})),
    **dict.fromkeys(("CONTINUE",), frozenset({"phases", "stages"})),
    **dict.fromkeys(("ASKS", "TOWARD", "TO", "MODERATES", "DRIVES", "AS", "ONBEHALF", "AND", "COMMA", "OF"), _PEOPLE),
}


def _wanted(start: str, before: Sequence[str]) -> frozenset[str] | None:
    """The sections of which a name may be, behind words of these types; None where it may be of any."""
    if start in ("actor", "actors", "assignees"):
        return _PEOPLE
    if before and before[-1] == "OF" and start != "reckoning":
        return _PEOPLE | {"answers"}  # a minority is of a vote
    if start != "head" or _OF_FIELDS.intersection(before):
        return None
    return _BEHIND.get(before[-1]) if before else _PEOPLE


def _fits(procedure: Procedure | None, name: str, wanted: frozenset[str] | None) -> bool:
    """Whether a name is of one of these sections; one that no section declares (a title, a parameter) may be."""
    if procedure is None or wanted is None:
        return True
    if wanted is _ASSIGNED:
        return any(role.assigned and name in (role.id, role.title) for role in procedure.roles.values())
    section = described(procedure, name)[0]
    return not section or section in wanted


def _within(sentence: SentenceText, cursor: Cursor, line: str) -> bool:
    """Whether a cursor stands in the text of a sentence, or behind it with nothing but blanks between."""
    start = sentence.span
    if (start.file, start.line) != (cursor.path, cursor.line) or cursor.column < start.column:
        return False
    return not line[start.column - 1 + len(sentence.text) : cursor.column - 1].strip()


def _keys(cursor: Cursor, lines: list[str]) -> Iterator[tuple[str, str]]:
    """The keys that may stand on the cursor's line, in both languages."""
    line = lines[cursor.line - 1]
    lead = line[: len(line) - len(line.lstrip(" -"))]
    asked = [*lines[: cursor.line - 1], f"{lead}{_HERE}: x", *lines[cursor.line :]]
    node, _ = read(cursor.path, "\n".join(asked))
    for key in keys_at(SpecSurface, node, _HERE) if node is not None else ():
        yield from ((word, "key") for word in (key, _ZH.get(key, key)))
