"""The fields of a case read as the types that the procedure declares: once, when the case is bound.

What cannot be read stays a text and is told; what refers to another record is looked for when all have been read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from ..language import diagnose
from ..language.spelling import nearest
from ..language.typed_values import SHOWN, Slot, read_value
from ..model.amendments import amending
from ..model.case import MISSING, Missing, Record, Sided, Typed, Value, as_written, texts
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, replace
from ..model.numbers import own_currency
from ..model.procedure import Field, Procedure
from ..model.source import Span
from ..model.text import BLANKS, folded
from ..model.value_types import ValueType

LISTED: Final = 12  # ids that are named where none was meant
_SEPARATORS: Final = re.compile("[,;\uff0c\uff1b\u3001]")
_CURRENCY: Final = re.compile(r"[^\d\s.-]+")


@immutable
class At:
    """Where a value of a field stands: of which side, and by which numbers and keys one comes to it."""

    field: str
    side: str
    path: tuple[str | int, ...] = ()

    def below(self, key: str | int) -> At:
        return At(self.field, self.side, (*self.path, key))


@immutable
class TypedKey:
    """A key of a field, or what stands below one; "" is the field itself."""

    field: Field
    key: str
    kind: ValueType

    @property
    def title(self) -> str:
        """What a value of it is called."""
        names = [self.field.titles.get(name, name) for name in self.key.split(".") if name]
        return " / ".join((self.field.title, *names))

    def is_list(self) -> bool:
        return self.kind.many or (not self.key and self.field.each)


Place = Callable[[At], Span]
Fields = Mapping[str, Value | Sided]
Read = Callable[[Value, At], Value]


def nowhere(at: At) -> Span:
    """For who has bound the case before and knows that nothing is to be told."""
    return Span(at.field, 0, 0)


def typed(
    procedure: Procedure, fields: Fields, place: Place, lacking: frozenset[str] = frozenset()
) -> tuple[dict[str, Value | Sided], tuple[tuple[Diagnostic, At], ...]]:
    """The fields with all values of a declared type read, and a problem for each that could not be, with its field.

    `lacking`: fields of which it has been told that they are not all there; what refers to them is not looked for.
    """
    reader = _TypeReader(procedure.locale, place)
    read: dict[str, Value | Sided] = dict(fields)
    keys = [TypedKey(one, key, kind) for one in procedure.case_fields.values() for key, kind in one.types.items()]
    for key in keys:
        if key.field.name in read and key.kind.kind != "reference":
            read[key.field.name] = _walked(key, read[key.field.name], partial(reader.value, key))
    for key in keys:
        if key.field.name in read and key.kind.kind == "reference" and lacking.isdisjoint(dict(key.kind.targets)):
            known = _identities(key.kind, read, procedure)
            read[key.field.name] = _walked(key, read[key.field.name], partial(reader.reference, key, known))
    for key in keys:
        reader.check(key, read)
    once = {(one.code, one.span): (one, at) for one, at in reversed(reader.problems)}  # two fields of one path
    return read, tuple(reversed(once.values()))


def as_warning(problem: Diagnostic, at: At, binding: Span) -> Diagnostic:
    """A problem with a value of foreign data, as a warning that names the field, by which such are counted."""
    keys = (at.field, at.side, *(key for key in at.path if isinstance(key, str)))
    told = {"field": ".".join(filter(None, keys)), "text": str(problem.values.get("found", ""))}
    also = problem.also or (binding,)
    return replace(problem, severity="warning", also=also, values={**told, **problem.values})


def _walked(key: TypedKey, value: Value | Sided, read: Read) -> Value | Sided:
    """A field in which every value of a key has been read."""

    def below(value: Value, path: tuple[str, ...], at: At) -> Value:
        if not path:
            return read(value, at)
        match value:
            case tuple():
                return tuple(below(one, path, at.below(number)) for number, one in enumerate(value))
            case Record() if value.get(path[0], MISSING) != MISSING:
                held = {name: value[name] for name in value if value[name] != MISSING}
                held[path[0]] = below(value[path[0]], path[1:], at.below(path[0]))
                return Record(held, tuple(value))
            case _:
                return value

    path = tuple(filter(None, key.key.split(".")))
    if isinstance(value, Sided):
        return Sided({side: below(one, path, At(key.field.name, side)) for side, one in value.values.items()})
    return below(value, path, At(key.field.name, ""))


@dataclass
class _TypeReader:
    """`seen`: every value that was read, by field and key, and where it stands."""

    locale: str
    place: Place
    problems: list[tuple[Diagnostic, At]] = field(default_factory=list)
    seen: dict[tuple[str, str], list[tuple[str, At]]] = field(default_factory=dict)

    def report(self, problem: Diagnostic, at: At) -> None:
        self.problems.append((problem, at))

    def value(self, key: TypedKey, value: Value, at: At) -> Value:
        """What stands at a key, each of several where it may have several."""
        match value:
            case Missing():
                return value
            case tuple() if key.is_list():
                return tuple(self.value(key, one, at.below(number)) for number, one in enumerate(value))
            case str():
                read = read_value(key.kind, as_written(value), self.locale, Slot(self.place(at), key.title))
                kept = self._kept(key, value, read, at)
                return (kept,) if key.kind.many and not _in_list(at) else kept
            case _:
                self.report(diagnose.expected_single_value(self.place(at), title=key.title), at)
                return value

    def reference(self, key: TypedKey, known: Mapping[str, str], value: Value, at: At) -> Value:
        """The ids that stand at a key, each as the record has it that it names."""
        match value:
            case str() if key.kind.many and _fold(value) not in known and len(parts := _parts(value)) > 1:
                return tuple(self.reference(key, known, part, at.below(0)) for part in parts)
            case str() if (name := known.get(_fold(value))) is not None:
                kept = self._kept(key, value, Typed(name, as_written(value)), at)
                return (kept,) if key.kind.many and not _in_list(at) else kept
            case str():
                near = nearest(value[:SHOWN], known.values())
                fields = ", ".join(dict.fromkeys(name for name, _ in key.kind.targets))
                listed = tuple(known.values())[:LISTED]
                self.report(
                    diagnose.unresolved_reference(
                        self.place(at), title=key.title, name=value[:SHOWN], field=fields, known=listed, nearest=near
                    ),
                    at,
                )
                return value
            case tuple() if key.is_list():
                read = [self.reference(key, known, one, at.below(number)) for number, one in enumerate(value)]
                return tuple(one for each in read for one in (each if isinstance(each, tuple) else (each,)))
            case Missing():
                return value
            case _:
                self.report(diagnose.expected_single_value(self.place(at), title=key.title), at)
                return value

    def _kept(self, key: TypedKey, value: str, read: Typed | Diagnostic, at: At) -> str:
        if isinstance(read, Diagnostic):
            self.report(read, at)
            return value
        self.seen.setdefault((key.field.name, key.key), []).append((read, at))
        return read

    def check(self, key: TypedKey, fields: Fields) -> None:
        """What is wrong with all values of a key together."""
        seen = self.seen.get((key.field.name, key.key), [])
        if key.kind.unique:
            self._repeated(key, seen)
        if key.kind.kind == "amount" and not key.kind.unit:
            self._currencies(key, seen)
        if any(name == key.field.name for name, _ in key.kind.targets):
            for at, chain in _circles(key, fields, seen):
                shown = " → ".join(chain)
                self.report(diagnose.circular_reference(self.place(at), title=key.title, chain=shown), at)

    def _repeated(self, key: TypedKey, seen: list[tuple[str, At]]) -> None:
        first: dict[str, At] = {}
        for text, at in seen:
            if first.setdefault(_fold(text), at) is not at:
                also = (self.place(first[_fold(text)]),)
                self.report(
                    diagnose.duplicate_value(self.place(at), title=key.title, found=text[:SHOWN], also=also), at
                )

    def _currencies(self, key: TypedKey, seen: list[tuple[str, At]]) -> None:
        """Two currencies in one field: what is added up would be of neither."""
        own = own_currency(self.locale)
        first = ""
        for text, at in seen:
            found = _CURRENCY.match(text)
            currency = found[0] if found is not None else own
            first = first or currency
            if currency and currency != first:
                told = diagnose.mixed_currencies(self.place(at), title=key.title, one=first, other=currency)
                self.report(told, at)
                return


def _identities(kind: ValueType, fields: Fields, procedure: Procedure) -> dict[str, str]:
    """Every id that a reference may name, as the record has it, by what it is compared by; also in amended values."""
    found: dict[str, str] = {}
    for name, key in kind.targets:
        amended = [field.name for field in amending(procedure) if field.amends == name]
        for text in (text for each in (name, *amended) for text in texts(fields.get(each), key)):
            found.setdefault(_fold(text), text)
    return found


def _circles(key: TypedKey, fields: Fields, seen: Iterable[tuple[str, At]]) -> Iterator[tuple[At, tuple[str, ...]]]:
    """Records of one field that refer to one another in a circle, each circle once."""
    identity = next(named for name, named in key.kind.targets if name == key.field.name)
    leads: dict[str, list[tuple[str, At]]] = {}
    for target, at in seen:
        owner = _record(fields[at.field], at).get(identity, "")
        leads.setdefault(str(owner), []).append((str(target), at))
    told: set[str] = set()
    done: set[str] = set()
    for start in leads:
        chain, ahead = [start], [iter(leads[start] if start not in done else ())]
        while ahead:
            step = next(ahead[-1], None)
            if step is None:
                ahead.pop()
                done.add(chain.pop())
            elif step[0] in chain:
                circle = (*chain[chain.index(step[0]) :], step[0])
                if not told.intersection(circle):
                    yield step[1], circle
                told.update(circle)
            elif step[0] not in done:
                chain.append(step[0])
                ahead.append(iter(leads.get(step[0], ())))


def _record(value: Value | Sided, at: At) -> Record:
    """The record of a field in which a value stands."""
    whole = value.values[at.side] if isinstance(value, Sided) else value
    first = at.path[0] if at.path else ""
    record = whole[first] if isinstance(whole, tuple) and isinstance(first, int) else whole
    return record if isinstance(record, Record) else Record({})


def _in_list(at: At) -> bool:
    return isinstance(at.path[-1] if at.path else "", int)


def _fold(text: str) -> str:
    """A text as ids are compared: no blanks, no letter case, one width."""
    return folded(text, BLANKS)


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part for word in _SEPARATORS.split(text) if (part := word.strip()))
