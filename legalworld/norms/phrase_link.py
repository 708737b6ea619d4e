"""Files of phrases, linked: by which words a text tells a fact, as patterns whose one hole is the value."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Final

from ..language import diagnose
from ..language.sentences.norm_words import PROSE_ANY, PROSE_DAY, PROSE_MOST, PROSE_NUMBER, PROSE_PERSONS
from ..language.surface_reader import texts_of
from ..language.surfaces import Text
from .definition import Fact, FactPhrase, Kind, Value
from .link import NormLinker
from .surfaces import PhraseSurface, ReadingSurface
from .values import scalar_value

HOLE: Final = "{}"
GAP: Final = "…"
_HOLES: Final[dict[Kind, str]] = {
    **dict.fromkeys(("money", "number", "percent"), PROSE_NUMBER),
    "day": PROSE_DAY,
}
_PERSONS: Final = {
    f"{{{side}}}": f"[{chr(first)}-{chr(first + PROSE_MOST - 1)}]" for side, first in PROSE_PERSONS.items()
}
_FEWEST: Final = 2
"""Characters that a phrase must have beside its hole: fewer stand in any text."""


def link_phrases(linker: NormLinker, written: Sequence[ReadingSurface]) -> tuple[FactPhrase, ...]:
    """The phrases of a folder, in the order in which they are tried."""
    return tuple(
        phrase
        for surface in written
        for name, rows in surface.words.items()
        for phrase in _of_fact(linker, name, rows, texts_of(surface.denials))
    )


def _of_fact(
    linker: NormLinker, name: str, rows: Sequence[PhraseSurface], denials: tuple[str, ...]
) -> Iterator[FactPhrase]:
    fact = linker.words.facts.get(name)
    if fact is None:
        for row in rows:
            linker.reader.report(diagnose.unknown_norm_name(row.told.span, name=name, among=linker.words.facts))
        return
    for row in rows:
        value = _value(linker, fact, row)
        wanted = 1 if value is None else 0
        bare = row.told.text.replace(HOLE, "").replace(GAP, "").strip()
        if row.told.text.count(HOLE) != wanted or (wanted and fact.kind not in _HOLES) or len(bare) < _FEWEST:
            linker.reader.report(diagnose.phrase_without_value(row.told.span, phrase=row.told.text, kind=fact.kind))
            continue
        for key, word in row.keys.items():
            if key not in fact.keys:
                linker.reader.report(diagnose.unknown_norm_name(word.span, name=key, among=fact.keys))
        keys = {key: word.text for key, word in row.keys.items() if HOLE not in word.text}
        within = {
            key: _pattern(word, fact.keys[key])
            for key, word in row.keys.items()
            if HOLE in word.text and fact.keys.get(key) in _HOLES
        }
        named = any(person in row.told.text for person in _PERSONS)
        pattern, factor = _pattern(row.told, fact.kind), linker.number(row.factor)
        yield FactPhrase(name, row.told.text, pattern, value, factor, keys, denials, within, named)


def _value(linker: NormLinker, fact: Fact, row: PhraseSurface) -> Value | None:
    """What a phrase without a hole says: yes, or what stands behind `is`."""
    if row.is_ is not None:
        found = scalar_value(row.is_.text, fact.kind)
        if found is None:
            said = row.is_.text
            linker.reader.report(diagnose.invalid_fact_value(row.is_.span, name=fact.id, kind=fact.kind, found=said))
        return found
    return True if fact.kind == "yes" else None


def _pattern(word: Text, kind: Kind) -> str:
    """A phrase as a regular expression: `…` is anything within a sentence."""
    holes = {HOLE: _HOLES.get(kind, ""), GAP: PROSE_ANY, **_PERSONS}
    parts = re.split(f"({'|'.join(map(re.escape, holes))})", word.text)
    return "".join(holes[one] if one in holes else re.escape(plain(one)) for one in parts)


def plain(text: str) -> str:
    """A text as phrases are looked for in it: no blanks, one width, small letters."""
    return "".join(unicodedata.normalize("NFKC", text).lower().split(" "))
