"""Values of a case that a condition asks for a yes or no, a number or one of some words, and that say none of these.

Without a declared type a value is text, and a text that is not what a condition asks for takes the other branch. So it
is told when the case is bound: by what the conditions ask, not by a list of spellings.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from ..language import diagnose
from ..language.dates import impossible_days, read_day
from ..language.sentences.keywords import truth
from ..language.sentences.quantities import says_nothing
from ..language.spelling import nearest
from ..language.typed_values import SHOWN
from ..language.values import number_in, same
from ..model.asked import asked_of_case
from ..model.case import Record, Sided, Value
from ..model.conditions import HasValue, Measures, ValueIs
from ..model.diagnostics import Diagnostic
from ..model.procedure import Procedure
from ..model.source import Span
from .typed_fields import At


@dataclass
class _AskedOfKey:
    """All that conditions ask of one key: the words that they compare it with, each with where it stands first."""

    words: dict[str, Span] = field(default_factory=dict)
    figures: list[Span] = field(default_factory=list)
    there: list[HasValue] = field(default_factory=list)

    @property
    def truths(self) -> list[Span]:
        return [span for word, span in self.words.items() if truth(word) is not None]


def unread_values(
    procedure: Procedure, fields: Mapping[str, Value | Sided], place: Callable[[At], Span]
) -> Iterator[tuple[Diagnostic, At]]:
    """Yield a problem for each value without a declared type that is not of the kind that conditions ask for.

    LW302: no yes or no where one is asked for. LW303: no number. LW304: none of the words that a key is compared with,
    where there are several, or nearly one. LW305: a word for nothing where it is asked whether there is something.
    """
    for (name, path), question in _questions(procedure).items():
        declared = procedure.case_fields[name]
        kind = declared.types.get(".".join(path))
        if kind is not None and kind.kind not in ("text", "anything"):
            continue
        titles = (declared.title, *(declared.titles.get(one, one) for one in path))
        for text, at in _texts(fields.get(name, ""), path, At(name, "")):
            told = _unread(question, text, procedure.locale, place(at), " / ".join(titles))
            if told is not None:
                yield told, at


def impossible_dates(
    procedure: Procedure, fields: Mapping[str, Value | Sided], place: Callable[[At], Span]
) -> Iterator[tuple[Diagnostic, At]]:
    """Yield LW309 for each day that a text of the case names and no calendar has: it would be printed."""
    dated = {(rule.field, rule.key) for rule in procedure.dates.values()}  # told with the calendar
    for name, declared in procedure.case_fields.items():
        for text, at in _all_texts(fields.get(name, ""), At(name, "")):
            keys = [key for key in at.path if isinstance(key, str)]
            if (name, ".".join(keys)) in dated:
                continue
            title = " / ".join((declared.title, *(declared.titles.get(key, key) for key in keys)))
            for found in impossible_days(text):
                yield diagnose.impossible_day_in_text(place(at), title=title, found=found), at


def _all_texts(value: Value | Sided, at: At) -> Iterator[tuple[str, At]]:
    """Every text of a field, with where it stands."""
    match value:
        case Record():
            for key in value:
                yield from _all_texts(value[key], at.below(key))
        case Sided(values=values):
            for side, one in values.items():
                yield from _all_texts(one, At(at.field, side))
        case tuple():
            for number, one in enumerate(value):
                yield from _all_texts(one, at.below(number))
        case str():
            yield value, at


def _questions(procedure: Procedure) -> dict[tuple[str, tuple[str, ...]], _AskedOfKey]:
    found: dict[tuple[str, tuple[str, ...]], _AskedOfKey] = defaultdict(_AskedOfKey)
    for asked in asked_of_case(procedure):
        question = found[asked.field, asked.path]
        match asked.condition:
            case ValueIs(where, value):
                question.words.setdefault(value, where.span)
            case Measures():
                question.figures.append(asked.where.span)
            case HasValue() as condition:
                question.there.append(condition)
    return found


def _texts(value: Value | Sided, path: tuple[str, ...], at: At) -> Iterator[tuple[str, At]]:
    """Every text below some keys, of each side and each record, with where it stands."""
    match value:
        case Sided(values=values):
            for side, one in values.items():
                yield from _texts(one, path, At(at.field, side))
        case tuple():
            for number, one in enumerate(value):
                yield from _texts(one, path, at.below(number))
        case Record() if path and path[0] in value:
            yield from _texts(value[path[0]], path[1:], at.below(path[0]))
        case str() if not path and value.strip():
            yield value, at


def _unread(question: _AskedOfKey, text: str, locale: str, span: Span, title: str) -> Diagnostic | None:
    """What is wrong with a text for those who ask; None where they can read it."""
    found, known = " ".join(text.split())[:SHOWN], tuple(question.words)
    if any(same(text, word, locale) for word in known):
        return None
    if question.truths:
        if truth(text) is not None:
            return None
        return diagnose.unread_truth(span, title=title, found=found, also=(question.truths[0],))
    figures = [*question.figures, *(at for word, at in question.words.items() if _is_figure(word, locale))]
    if figures and not _is_figure(text, locale):
        return diagnose.unread_figure(span, title=title, found=found, also=(figures[0],))
    if known and not figures:
        near = nearest(found, known)
        if near is not None or len(known) > 1:
            spans = tuple(question.words.values())
            return diagnose.unasked_word(span, title=title, found=found, known=known, nearest=near, also=spans[:1])
    asked = [one.where.span for one in question.there if not (one.bare and truth(text) is False)]
    if asked and (says_nothing(text) or truth(text) is False):
        return diagnose.word_for_nothing(span, title=title, found=found, also=(asked[0],))
    return None


def _is_figure(text: str, locale: str) -> bool:
    """Whether a text is a number or a day, and one alone."""
    return number_in(text, locale) is not None or read_day(text.strip()) is not None
