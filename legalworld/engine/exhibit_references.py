"""Find what a document names as an exhibit and the case does not list: by number, by name, item by item.

What exhibits are called and how they are numbered is read off the case and the titles that the procedure gives them.
What is found is told of as not listed, and nothing more: whether there is such an exhibit, nobody here knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from ..language.sentences.keywords import NEGATIONS
from ..language.sentences.references import (
    ARTICLE,
    ENUMERATOR,
    HEAD,
    IN_A_ROW,
    QUOTED,
    called,
    numbered,
    references_by,
    references_called,
    short_for,
    spread,
)
from ..model.case import MISSING, Case, Record, Sided, Value, texts
from ..model.immutable import immutable
from ..model.procedure import Document, Procedure
from .nearest import plain

MOST: Final = 20  # that are told of one document
_LONGEST: Final = 120  # characters of one
_SHORTEST: Final = 5  # characters of a line without a number that can name something
_SPREAD: Final = 5  # numbers of a range that are told one by one
_COLONS: Final = ("：", ":")
_DRESS: Final = "#*《》【】:： \u3000\t"


@immutable
class Listed:
    """The exhibits of a case as a document may refer to them.

    `words`: what they are called; `numbers`: beginning of an id -> the numbers behind it; `most`: how many a side has;
    `names`, `said`: their names, and all that the case says of them, without blanks and marks; `labels`: titles of
    keys.
    """

    words: tuple[str, ...]
    numbers: Mapping[str, frozenset[int]]
    most: int
    names: frozenset[str]
    said: str
    labels: tuple[str, ...]


def listed(procedure: Procedure, case: Case, document: Document) -> Listed | None:
    """Return the exhibits that a document may refer to; None where it is not said that it refers to any."""
    fields = [procedure.fields[name] for name in document.refers_to if name in procedure.fields]
    if not fields:
        return None
    sides = [part for field in fields for part in _parts(case.fields.get(field.name, MISSING))]
    items = [*chain(*sides)]
    numbers: dict[str, set[int]] = {}
    for item in items:
        beginning, number = numbered(str(item.get("id", "")) if isinstance(item, Record) else "")
        if number:
            numbers.setdefault(beginning, set()).add(number)
    named = (str(item.get("name", "")) if isinstance(item, Record) else str(item) for item in items)
    return Listed(
        tuple(dict.fromkeys(field.title for field in fields)),
        {beginning: frozenset(found) for beginning, found in numbers.items() if beginning},
        max((len(side) for side in sides), default=0),
        frozenset(short for name in named for short in (plain(name), plain(HEAD.split(name)[0])) if len(short) > 1),
        "\n".join(plain(text) for item in items for text in texts(item)),
        tuple(title for field in fields for title in field.titles.values() if title),
    )


def _parts(value: Value | Sided) -> Iterator[tuple[Value, ...]]:
    for part in value.values.values() if isinstance(value, Sided) else (value,):
        if part:
            yield part if isinstance(part, tuple) else (part,)


def unlisted(document: Document, text: str, known: Listed) -> tuple[str, ...]:
    """Return what a document names and the case does not list, in the words of the document, each once.

    A part of the document whose name has the title of the exhibits in it is read line by line: what names none of them
    is named. Everywhere, numbers beyond those listed, and names in quotation marks that are said to be exhibits.
    """
    lines = tuple(_lines_of(document.sections, text, known.words))
    found = [line for line in lines if not _accounted(line, known)]
    rest = text
    for line in found:
        rest = rest.replace(line, "\n", 1)
    found += _numbers(rest, known)
    found += _names(rest, known)
    found = sorted(dict.fromkeys(found), key=lambda one: text.find(one) if one in text else len(text))
    return tuple(one[:_LONGEST] for one in found[:MOST])


# ---- the part that lists them ----------------------------------------------------------------------------------------


def _lines_of(sections: Sequence[str], text: str, words: Sequence[str]) -> Iterator[str]:
    """The lines of the parts that list exhibits; what ends with a colon only begins them."""
    inside = False
    for line in text.splitlines():
        bare = ENUMERATOR.sub("", line).strip(_DRESS)
        heading = next((one for one in sections if bare.startswith(one)), "")
        if heading:
            inside = any(word in heading for word in words)
            rest = bare.removeprefix(heading).strip("*# ")
            bare = rest.lstrip("：: ") if rest.startswith(_COLONS) else ""  # else the heading only goes on
            line = bare
        if inside and bare and not line.rstrip().endswith(_COLONS):
            yield line.strip()


def _accounted(line: str, known: Listed) -> bool:
    """Whether a line names an exhibit that is listed, says more of the one above, or names nothing."""
    item = ENUMERATOR.sub("", line)
    letters = plain(item)
    if any(item.startswith(beyond) for beyond in _numbers(item, known)):
        return False
    if any(item.startswith(label) for label in known.labels):
        return True
    if len(letters) < _SHORTEST and item == line:
        return True
    if item.startswith(NEGATIONS) and any(word in item for word in known.words) and len(HEAD.split(item.strip())) <= 2:
        return True  # there is none
    if any(number in known.numbers[beginning] for beginning, number in _each(line, known)):
        return True
    first = plain(HEAD.split(item)[0])
    return any(name in letters for name in known.names) or (len(first) > 1 and first in known.said)


def _each(text: str, known: Listed) -> Iterator[tuple[str, int]]:
    for beginning in known.numbers:
        for match in references_by(beginning).finditer(text):
            yield from ((beginning, number) for number in spread(match[1]))


# ---- numbers ---------------------------------------------------------------------------------------------------------


def _numbers(text: str, known: Listed) -> Iterator[str]:
    for beginning, there in known.numbers.items():
        for match in references_by(beginning).finditer(text):
            yield from _beyond(match[0], beginning, [one for one in spread(match[1]) if one and one not in there])
    anywhere = {*range(1, known.most + 1), *chain(*known.numbers.values())}
    for word in known.words:
        for match in references_called(word).finditer(text):
            said = match[1] or short_for(match[2])
            yield from _beyond(match[0], "", [one for one in spread(said) if one and one not in anywhere])


def _beyond(said: str, beginning: str, numbers: Sequence[int]) -> Iterator[str]:
    """What is told of a reference: the numbers that are not listed, or all its words where they do not stand apart."""
    apart = beginning and len(spread(said)) > len(numbers) and len(numbers) <= _SPREAD
    if numbers:
        yield from (f"{beginning}{number}" for number in numbers) if apart else (said.strip(),)


# ---- names -----------------------------------------------------------------------------------------------------------


def _names(text: str, known: Listed) -> Iterator[str]:
    """Names in quotation marks that stand in a row with one that is listed, or are said to be exhibits."""
    row: list[re.Match[str]] = []
    for match in QUOTED.finditer(text):
        if row and not IN_A_ROW.fullmatch(text, row[-1].end(), match.start()):
            yield from _of_row(row, text, known)
            row = []
        row.append(match)
    yield from _of_row(row, text, known)


def _of_row(row: Sequence[re.Match[str]], text: str, known: Listed) -> Iterator[str]:
    if not row:
        return
    behind, before = text[row[-1].end() :], text[: row[0].start()]
    said = any(called(word, before, behind) for word in known.words)
    strange = [match for match in row if plain(match[0]) not in known.said]
    if behind.startswith(ARTICLE):  # an article of what is named last
        strange = [match for match in strange if match is not row[-1]]
    if said or 0 < len(strange) < len(row):
        yield from (match[0] for match in strange)
