"""One record of a case file, read by rules: the values found, the shapes they should have, and where they came from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Final

from ..language import diagnose
from ..model.case import MISSING, Record, Value, called
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Field
from ..model.source import Span
from . import paths
from .casefile import Data, clean
from .paths import Location, Match
from .rules import Numbered, RecordRule, Rule, ValueRule
from .shapes import masked

Total = Callable[[str, str], str]
_UNWRITTEN: Final = "{constant}"  # where a text stands that the data does not say
_NUMBER: Final = "{n}"  # in a text of the binding: the number of the item
_ANY: Final = "{}"  # in a table: whatever the text is; in what replaces it: the text itself


@immutable
class Fallback:
    """A text that is to be told, and the rule: a name by number where the data had none, or one that no table lists.
    `key`: of its record, "" for none."""

    text: str
    span: Span
    key: str = ""


def no_sums(text: str, currency: str) -> str:
    """Who binds a case that has no sums to be read need not know how they are written."""
    raise ValueError(f"{currency}: nobody reads sums here")


@dataclass(slots=True)
class Extractor:
    """`missing`: texts that stand for nothing. `strict`: a wrong shape is an error, for its author can mend the file.

    `total`: the sum that a text comes to, in a currency, as it is written in cases; "" for none.
    `title`: of the field in hand; `used`: where its values were taken from;
    `kept`: where its records, or it itself, stand; `fallbacks`: texts that the data does not say;
    `unlisted`: texts that should choose where a value is read and stand in no table.
    """

    source: Data
    missing: frozenset[str]
    strict: bool
    total: Total
    title: str = ""
    problems: list[Diagnostic] = field(default_factory=list)
    used: set[Location] = field(default_factory=set)
    kept: tuple[Location, ...] = ()
    fallbacks: list[Fallback] = field(default_factory=list)
    unlisted: list[Fallback] = field(default_factory=list)

    def no_text(self, where: Location) -> None:
        self._report(diagnose.expected_text(self.source.place(where), title=self.title, where=paths.spelled(where)))

    def no_record(self, where: Location, known: tuple[str, ...]) -> None:
        place, spelled = self.source.place(where), paths.spelled(where)
        lost = self.source.lost_entry(where)
        self._report(lost or diagnose.expected_record(place, title=self.title, where=spelled, known=known))

    def _report(self, problem: Diagnostic) -> None:
        self.problems.append(problem if self.strict else replace(problem, severity="warning"))

    # ---- fields ------------------------------------------------------------------------------------------------------

    def value(self, declared: Field, rule: Rule, scope: Match) -> Value:
        """The value of a field. A text that was found in several places is joined line by line."""
        self.title = declared.title
        results = self.results(rule, scope)
        if declared.each:
            items = [item for one in results for item in paths.items(one)]
            held = [(value, item.where) for item in items if (value := self._shaped(declared, item)) != MISSING]
            self.kept = tuple(where for _, where in held)
            return tuple(value for value, _ in held) if results else MISSING
        if not self.strict and not declared.keys and not declared.evaluation_only:
            results = [item for one in results for item in paths.items(one)]
        found = [value for one in results if (value := self._shaped(declared, one)) != MISSING]
        self.kept = tuple(one.where for one in results[:1])
        if len(found) <= 1:
            return found[0] if found else MISSING
        if declared.keys and not declared.evaluation_only:
            return self._first_record(found)
        texts = [value for value in found if isinstance(value, str)]
        return "\n".join(texts) if len(texts) == len(found) else tuple(found)

    def _first_record(self, found: list[Value]) -> Value:
        """The first of several records in a field that holds one; the others are told by name."""
        first, *others = found
        if told := list(dict.fromkeys(name for one in others if (name := called(one)) != called(first))):
            place = self.source.place(self.kept[0] if self.kept else ())
            self._report(diagnose.further_records(place, title=self.title, first=called(first), others=tuple(told)))
        return first

    def _shaped(self, declared: Field, found: Match) -> Value:
        """What was found as the field declares it: a record of its keys, or a text; anything where nobody looks."""
        raw = found.value
        if self.is_missing(raw):
            return MISSING
        if declared.keys:
            return self._keyed(declared, found)
        if isinstance(raw, (dict, list, Record)) and not declared.evaluation_only:
            self.no_text(found.where)
            return MISSING
        if not isinstance(raw, Record):
            self.used.add(found.where)
        return self.frozen(raw)

    def _keyed(self, declared: Field, found: Match) -> Value:
        raw = found.value
        if isinstance(raw, Record):
            return Record(dict(raw), declared.keys)
        if not isinstance(raw, dict):
            self.no_record(found.where, declared.keys)
            return MISSING
        values = {key: self._below(one) for key, one in raw.items() if key in declared.keys}
        given = {key: value for key, value in values.items() if value != MISSING}
        self.used.update((*found.where, key) for key in given)
        return Record(given, declared.keys) if given else MISSING

    def _below(self, raw: Any) -> Value:
        """The value of a key. In a file that its author can mend an empty record says that there is nothing to say."""
        return Record({}) if self.strict and raw == {} else self.frozen(raw)

    # ---- values ------------------------------------------------------------------------------------------------------

    def frozen(self, raw: Any) -> Value:
        """Plain data as a value. Nested at most as deep as `casefile.is_deep` lets pass."""
        match raw:
            case Record():
                return raw
            case dict():
                values = {str(key): value for key, one in raw.items() if (value := self.frozen(one)) != MISSING}
                return Record(values) if values else MISSING
            case list():
                return tuple(value for one in raw if (value := self.frozen(one)) != MISSING)
            case None:
                return MISSING
            case bool():
                return "true" if raw else "false"
            case _:
                text = clean(str(raw))
                nothing = text in self.missing or (not self.strict and masked(text))
                return text if text and not nothing else MISSING

    def is_missing(self, raw: Any) -> bool:
        return raw is None or (isinstance(raw, str) and self.frozen(raw) == MISSING)

    def text(self, found: Match) -> str:
        """The text there; "" with a report for a table or list."""
        value = self.frozen(found.value)
        if isinstance(value, str):
            return value
        if value != MISSING or isinstance(found.value, list):
            self.no_text(found.where)
        return ""

    # ---- rules -------------------------------------------------------------------------------------------------------

    def results(self, rule: Rule, scope: Match, number: int = 0) -> list[Match]:
        """What a rule finds below `scope`, missing values left out: plain data, or records that were put together."""
        match rule:
            case Numbered(text):
                return [Match((*scope.where, _UNWRITTEN), text.replace(_NUMBER, str(number)))]
            case RecordRule():
                record = self._record(rule, scope, number)
                return [] if record is None else [Match(scope.where, record)]
            case ValueRule():
                found = self._found(rule, scope, number)
                if not rule.text.idle or rule.table or rule.named is not None:
                    found = self._replaced(rule, found, scope, number)
                if rule.each is None:
                    return [one for _, one in found]
                return self._each(rule.each, found)

    def _found(self, rule: ValueRule, scope: Match, number: int) -> list[tuple[int, Match]]:
        if rule.all_of:
            every = (
                item for other in rule.others for one in self.results(other, scope, number) for item in paths.items(one)
            )
            return [(0, one) for one in _once(every)]
        before = len(self.problems)
        for other in rule.others:
            if results := self.results(other, scope, number):
                if isinstance(other, Numbered) and _NUMBER in other.text and other is not rule.others[0]:
                    self.fallbacks.append(Fallback(results[0].value, other.span))
                return [(0, one) for one in results]
        if any(self._says_nothing(other, scope) for other in rule.others):
            del self.problems[before:]  # the entry is there and empty; of the others nothing was expected
        return [
            (n, Match(scope.where + one.where, one.value))
            for n, path in rule.places
            for one in paths.find(path, scope.value)
            if not self.is_missing(one.value)
        ]

    def _says_nothing(self, rule: Rule, scope: Match) -> bool:
        """Whether a record has an entry at a path of a rule that says nothing."""
        places = rule.places if isinstance(rule, ValueRule) else ()
        return any(self.is_missing(one.value) for _, path in places for one in paths.find(path, scope.value))

    def _each(self, form: RecordRule, found: list[tuple[int, Match]]) -> list[Match]:
        items = [(n, item) for n, one in found for item in paths.items(one) if not self.is_missing(item.value)]
        records = []
        for position, (n, item) in enumerate(items, 1):
            record = self._record(form, item, n or position)
            if record is not None:
                records.append(Match(item.where, record))
            elif not isinstance(item.value, dict):
                self.no_record(item.where, tuple(form.keys))
        return records

    def _record(self, form: RecordRule, scope: Match, number: int) -> Record | None:
        """The record of a form; None where nothing but its number could be given."""
        values: dict[str, Value] = {}
        for key, rule in form.keys.items():
            before = len(self.fallbacks)
            value = self._leaf(rule, self.results(rule, scope, number))
            self.fallbacks[before:] = [replace(one, key=one.key or key) for one in self.fallbacks[before:]]
            if value != MISSING:
                values[key] = value
        given = any(not isinstance(form.keys[key], Numbered) for key in values)
        return Record(values) if given else None

    def _leaf(self, rule: Rule, results: list[Match]) -> Value:
        """A key's value: the text that was found, or all of them where the rule asks for a list or finds several."""
        if not isinstance(rule, Numbered):
            self.used.update(one.where for one in results if not isinstance(one.value, Record))
        values = [self.frozen(one.value) for one in results]
        if len(values) == 1 and not (isinstance(rule, ValueRule) and rule.many):
            return values[0]
        flat = [value for one in values for value in (one if isinstance(one, tuple) else (one,)) if value != MISSING]
        return tuple(flat) if flat else MISSING

    def _replaced(
        self, rule: ValueRule, found: list[tuple[int, Match]], scope: Match, number: int
    ) -> list[tuple[int, Match]]:
        """What the texts there come to: worked on, whom they name, mapped."""
        worked = [(n, piece) for n, one in found for piece in self._worked(rule, one)]
        if rule.named is not None and worked:
            label = rule.named.label([one.value for _, one in worked if isinstance(one.value, str)], scope.value)
            worked = [(n, Match(one.where, label)) for n, one in worked[:1]] if label else worked
        return [(n, one) for n, piece in worked for one in self._mapped(rule, piece, scope, number)]

    def _worked(self, rule: ValueRule, found: Match) -> Iterator[Match]:
        """The pieces of the texts there, cut and matched. A text that no pattern fits is nothing."""
        for item in paths.items(found):
            text = self.text(item)
            for piece in rule.text.pieces(text):
                if text:
                    self.used.add(item.where)
                kept = rule.text.holes(piece)
                value = self.frozen(kept if len(kept) != 1 else next(iter(kept.values())))
                if isinstance(value, str) and rule.text.sum:
                    value = self.frozen(self.total(value, rule.text.sum))
                if value != MISSING:
                    yield Match(item.where, value)

    def _mapped(self, rule: ValueRule, piece: Match, scope: Match, number: int) -> list[Match]:
        """What stands for a text in the table of a rule; a record stays one."""
        word = piece.value
        if not isinstance(word, str):
            return [piece]
        instead = rule.table.get(word, rule.table.get(_ANY))
        if isinstance(instead, tuple):
            return [Match(piece.where, text.replace(_ANY, word)) for text in instead]
        if instead is not None:
            return self.results(instead, scope, number)
        if any(not isinstance(value, tuple) for value in rule.table.values()):
            self.unlisted.append(Fallback(word, rule.span))
            return []
        return [Match(piece.where, word)]


def _once(found: Iterable[Match]) -> Iterator[Match]:
    """All that was found, each text once."""
    seen: set[str] = set()
    for one in found:
        if not isinstance(one.value, str):
            yield one
        elif one.value not in seen:
            seen.add(one.value)
            yield one
