"""Conditions with all that they take over from others: what the runs of each have in common, and what it varies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..language import diagnose
from ..language.surface_reader import text_of
from ..language.yaml.nodes import Scalar
from ..model.source import Span
from .definition import FactWords, StudyCondition
from .names import NameReader
from .surfaces import StudyConditionSurface
from .words import DOCUMENT, MINUS, QUALITY, REPLACES, fact_of, matched, meant, words_of

_PLAIN: Final = ("procedure", "target", "model", "others", "profile", REPLACES, DOCUMENT, QUALITY)
_BY_NAME: Final = {"models": "model", "options": "option", "parameters": "parameter"}
_SHORT: Final = ("NAME minus THING, THING", "NAME with FACT = VALUE")
_SWEPT: Final = ("model", "others", "target", "profile", MINUS, "procedure", DOCUMENT, QUALITY)
_SWEPT_NAMED: Final = ("model", "option", "parameter")


class ConditionReader:
    """Resolves the conditions of a study one after another; what is wrong with one is told once."""

    def __init__(self, surfaces: Mapping[str, StudyConditionSurface], reader: NameReader) -> None:
        self.surfaces = surfaces
        self.reader = reader
        self._found: dict[str, StudyCondition] = {}
        self._path: list[str] = []

    def all(self) -> dict[str, StudyCondition]:
        """Return every condition by its name."""
        return {name: self._one(name, surface.span) for name, surface in self.surfaces.items()}

    def _one(self, name: str, span: Span) -> StudyCondition:
        """Return the condition of a name; an empty one where it comes back to itself."""
        if name in self._path:
            path = " > ".join((*self._path[self._path.index(name) :], name))
            self.reader.report(diagnose.study_circle(span, name=name, path=path))
            return StudyCondition(name, span)
        if name not in self._found:
            self._path.append(name)
            self._found[name] = self._resolved(name, self.surfaces[name])
            self._path.pop()
        return self._found[name]

    def _bases(self, words: tuple[Scalar, ...]) -> list[StudyCondition]:
        known = self.reader.listed(words, self.surfaces, "conditions")
        spans = {word.text: word.span for word in words}
        return [self._one(name, spans.get(name, words[0].span)) for name in known]

    def _resolved(self, name: str, surface: StudyConditionSurface) -> StudyCondition:
        if surface.as_ is not None:
            return self._short(name, surface, surface.as_)
        fixed: FactWords = {}
        swept: FactWords = {}
        cases, seeds, needs = surface.cases, 1, ""
        for base in self._bases(surface.extends):
            _lay_over(fixed, swept, base.fixed, base.swept)
            cases, needs = cases or base.cases, needs or base.needs
            seeds = base.seeds if base.seeds > 1 else seeds
        _lay_over(fixed, swept, _own(surface), self._swept(surface))
        seeds = self.reader.whole_number(surface.seeds, seeds)
        return StudyCondition(name, surface.span, fixed, swept, cases, seeds, text_of(surface.needs) or needs)

    def _swept(self, surface: StudyConditionSurface) -> FactWords:
        """What a condition varies; a fact that cannot be varied is told."""
        found: FactWords = {}
        for key, words in surface.each.items():
            fact = fact_of(key)
            head = (fact or "").partition(" ")[0]
            if fact is None or not (fact in _SWEPT or (fact != head and head in _SWEPT_NAMED)):
                at = words[0].span if words else surface.span
                self.reader.unreadable(Scalar(key, at), "each", words_of("facts"))
            elif words:
                found[fact] = words
        return found

    def _short(self, name: str, surface: StudyConditionSurface, word: Scalar) -> StudyCondition:
        """`NAME minus THING, THING` or `NAME with FACT = VALUE`."""
        found = matched("shorthand", word.text)
        if found is None:
            self.reader.unreadable(word, name, _SHORT)
            return StudyCondition(name, surface.span)
        bases = self._bases((Scalar(found["base"], word.span.shifted(found.start("base"), len(found["base"]))),))
        at = word.span.shifted(found.start("things"), len(found["things"]))
        new: FactWords = {}
        if meant("kinds", found["kind"]) == MINUS:
            new = {MINUS: _things(found["things"], at)}
        else:
            setting = matched("assignment", found["things"])
            fact = fact_of(setting["fact"]) if setting is not None else None
            if setting is None or fact is None:
                self.reader.unreadable(word, name, _SHORT)
            else:
                new = {fact: (Scalar(setting["value"].strip(), at),)}
        for base in bases:
            fixed, swept = dict(base.fixed), dict(base.swept)
            _lay_over(fixed, swept, new, {})
            return StudyCondition(name, surface.span, fixed, swept, base.cases, base.seeds, base.needs)
        return StudyCondition(name, surface.span)


def _things(text: str, span: Span) -> tuple[Scalar, ...]:
    """Return what is taken away, each thing where it stands."""
    found, at = [], 0
    for part in text.replace("，", ",").replace("、", ",").split(","):
        start = at + len(part) - len(part.lstrip())
        found.append(Scalar(part.strip(), span.shifted(start, len(part.strip()))))
        at += len(part) + 1
    return tuple(word for word in found if word.text)


def _own(surface: StudyConditionSurface) -> FactWords:
    """Return the facts that a condition says itself."""
    plain = {name: (word,) for name in _PLAIN if (word := getattr(surface, name)) is not None}
    away = {MINUS: surface.minus} if surface.minus else {}
    named = {
        fact_of(f"{fact} {name}") or name: (word,)
        for key, fact in _BY_NAME.items()
        for name, word in getattr(surface, key).items()
    }
    return {**plain, **away, **named}


def _lay_over(fixed: FactWords, swept: FactWords, new: FactWords, varied: FactWords) -> None:
    """Lay facts over those that are there: what is said later counts, be it one value or several."""
    for fact in (*new, *varied):
        fixed.pop(fact, None)
        swept.pop(fact, None)
    fixed |= new
    swept |= varied
