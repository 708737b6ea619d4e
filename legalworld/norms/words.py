"""The words of a set of norms: its files of facts and heads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from ..language import diagnose
from ..language.sentences.keywords import KEYWORDS
from ..language.sentences.norm_words import CLAIM_SIDES, FACT_TYPES, FORMULA_STARTS, VALUES_OF
from ..language.sentences.parser import terminals
from ..language.surface_reader import SurfaceReader, read_surface, text_of, texts_of
from ..language.surfaces import Text
from ..model.source import Sources, Span
from .definition import ClaimHead, Fact, Kind, Words
from .penal_words import column_words, plain_words
from .surfaces import FactsSurface, FactSurface, HeadsSurface

FACTS: Final = "facts.yaml"
HEADS: Final = "heads.yaml"
HOLE: Final = "{}"


def read_words(sources: Sources, folder: str, reader: SurfaceReader) -> Words | None:
    """The facts and heads of a folder of norms; None where a file is missing or cannot be read."""
    there = sources.names(folder)
    for file in (FACTS, HEADS):
        if f"{folder}/{file}" not in there:
            reader.report(diagnose.norms_without_words(Span(f"{folder}/{file}", 1, 1), folder=folder, file=file))
            return None
    facts, problems, _ = read_surface(FactsSurface, sources, f"{folder}/{FACTS}")
    heads, more, _ = read_surface(HeadsSurface, sources, f"{folder}/{HEADS}")
    reader.problems += [*problems, *more]
    if facts is None or heads is None:
        return None
    reader.version(facts.lw)
    reader.version(heads.lw)
    return Words(
        facts=_facts(facts.words, reader),
        heads=_heads(heads, reader),
        of_claim=_facts(facts.of_claim, SurfaceReader()),
        of_case=_facts(facts.of_case, SurfaceReader()),
        currency=text_of(facts.currency),
        denials=texts_of(heads.denials),
        forms=plain_words()["form"] | column_words("form", heads.forms, reader),
        orders=plain_words()["reviewed"] | column_words("reviewed", heads.orders, reader),
        laws={name: word.text for name, word in facts.laws.items()},
    )


def _facts(written: Mapping[str, FactSurface], reader: SurfaceReader) -> dict[str, Fact]:
    found: dict[str, Fact] = {}
    names: dict[str, Span] = {}
    for name, surface in written.items():
        keys = {key: _kind(word, reader) for key, word in surface.keys.items()}
        called = texts_of(surface.called)
        kind = _kind(surface.type, reader)
        said, measured = _said(surface.said, kind, reader), reader.truth(surface.measured)
        found[name] = Fact(name, surface.title.text, kind, called, keys, said, measured)
        for one in (name, *called):
            if one in names:
                reader.report(diagnose.duplicate_name(surface.span, name=one, also=(names[one],)))
            if one in _taken():
                reader.report(diagnose.reserved_name(surface.span, name=one))
            names.setdefault(one, surface.span)
    return found


def _said(word: Text | None, kind: Kind, reader: SurfaceReader) -> tuple[str, ...]:
    """How a fact is said: with one hole for its value, none where it has no value that is said."""
    if word is None:
        return ()
    parts = tuple(word.text.split(HOLE))
    if len(parts) != (1 if kind in ("yes", "events") else 2):
        reader.report(diagnose.said_without_value(word.span, said=word.text, kind=kind))
    return parts


def _kind(word: Text | None, reader: SurfaceReader) -> Kind:
    """The type of a fact; yes or no where it is not said."""
    if word is None:
        return "yes"
    if word.text not in FACT_TYPES:
        known = ", ".join(FACT_TYPES)
        reader.report(diagnose.unknown_norm_word(word.span, name=word.text, words=known, among=FACT_TYPES))
        return "yes"
    return cast(Kind, FACT_TYPES[word.text])


def _taken() -> frozenset[str]:
    """The words that formulas are made of: no fact can bear them."""
    kinds = {kind for start in FORMULA_STARTS for kind in terminals(start)}
    spellings = (word for kind in kinds & KEYWORDS.keys() for column in KEYWORDS[kind] for word in column)
    plain = (word if word.isascii() else word.replace(" ", "") for word in spellings)
    return frozenset((*plain, *VALUES_OF, *CLAIM_SIDES))


def _heads(surface: HeadsSurface, reader: SurfaceReader) -> dict[str, ClaimHead]:
    first: dict[str, Span] = {}
    for one in surface.words.values():
        for word in one.words:
            if word.text in first:
                reader.report(diagnose.duplicate_name(word.span, name=word.text, also=(first[word.text],)))
            first.setdefault(word.text, word.span)
    return {
        name: ClaimHead(name, one.title.text, texts_of(one.words), reader.truth(one.costs))
        for name, one in surface.words.items()
    }
