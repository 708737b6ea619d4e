"""Paths of a binding that cannot go on in a record: by a name, where it has a list or a plain text.

Of one record nobody can say whether an entry is missing or called otherwise; what stands in another form was left.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from typing import Any, Final

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, replace
from ..model.source import Span
from . import paths
from .extraction import Extractor
from .paths import Every, Indices, Items, Keys, Location, Match, Path, Segment
from .rules import ROOT, Binding, RecordRule, Rule, ValueRule, reach

_MOST: Final = 100  # values that are followed: those of a long list are alike


@immutable
class DeadEnd:
    """Where a record has a list or a text, the first rule that would go on there by a name, and how many do."""

    where: Location
    rule: str
    span: Span
    count: int


def dead_ends(binding: Binding, taker: Extractor, record: Match, used: Set[Location]) -> tuple[DeadEnd, ...]:
    """All of them, by their place; of rules that read one place alone, or find nothing at all in the record.

    `used`: where something was taken from; what lies above that is no dead end.
    """
    passed = {where[:end] for where in used for end in range(len(where) + 1)}
    found: dict[Location, DeadEnd] = {}
    for name, rule, base in _leaves(binding):
        stops = {stop for path, _ in reach(rule, base, ()) for stop in _stops(path, record, taker.missing)} - passed
        if not stops or not (_plain(rule) or (base == ROOT and not taker.results(rule, record))):
            continue
        for where in sorted(stops, key=str):
            first = found.get(where, DeadEnd(where, name, rule.span, 0))
            found[where] = DeadEnd(where, first.rule, first.span, first.count + 1)
    return tuple(found.values())


def _plain(rule: Rule) -> bool:
    """Whether a rule has no other place to take its value from."""
    return isinstance(rule, ValueRule) and len(rule.places) == 1 and not rule.others and not rule.table


def stopped(binding: Binding, taker: Extractor, record: Match, used: Set[Location]) -> Iterator[Diagnostic]:
    """A warning for each."""
    for one in dead_ends(binding, taker, record, used):
        where = paths.spelled(one.where)
        place = taker.source.place(one.where)
        yield diagnose.path_stopped(place, where=where, field=one.rule, count=one.count, also=(one.span,))


def _leaves(binding: Binding) -> Iterator[tuple[str, Rule, Path]]:
    """Every rule that takes a value, by its name FIELD.SIDE.KEY, and from where: the record, or each of what it has."""

    def below(name: str, rule: Rule, base: Path) -> Iterator[tuple[str, Rule, Path]]:
        if isinstance(rule, RecordRule):
            for key, inner in rule.keys.items():
                yield from below(f"{name}.{key}", inner, base)
            return
        yield name, rule, base
        if isinstance(rule, ValueRule) and isinstance(rule.each, RecordRule):
            plain = replace(rule, each=None)
            for path, _ in reach(plain, base, ()) if _plain(plain) else ():
                yield from below(name, rule.each, path.then(Items()))

    for field, sides in binding.fields.items():
        for side, rule in sides.items():
            if rule is not None:
                yield from below(f"{field}.{side}" if side else field, rule, ROOT)


def _stops(path: Path, record: Match, missing: frozenset[str]) -> Iterator[Location]:
    """Where the path should go on by a name and cannot, though something stands there."""
    values: list[tuple[Location, Any]] = [(record.where, record.value)]
    every = False
    for at, segment in enumerate(path.segments):
        behind: list[tuple[Location, Any]] = []
        for where, value in values[:_MOST]:
            match segment:
                case Keys(names) if isinstance(value, dict) and every and _deeper(value, names):
                    yield where
                case Keys(names) if isinstance(value, dict):
                    behind += [((*where, name), value[name]) for name in names if name in value]
                case Keys(names) if where != record.where and (_holds(value, names) or _says(value, missing)):
                    yield where
                case Every() if _says(value, missing):
                    yield where
                case Indices() if where != record.where and _alone(value, path.segments[at + 1 :], missing):
                    yield where
                case Items() if isinstance(value, list):
                    behind += [((*where, number), one) for number, one in enumerate(value)]
                case Items():
                    behind.append((where, value))
                case Every() if isinstance(value, dict | list):
                    held = value.items() if isinstance(value, dict) else enumerate(value)
                    behind += [((*where, key), one) for key, one in held]
                case _:
                    pass
        values, every = behind, isinstance(segment, Every) or (every and isinstance(segment, Items))


def _holds(value: Any, names: tuple[str, ...]) -> bool:
    """Whether a list has one of the names in an item."""
    listed = value if isinstance(value, list) else ()
    return any(isinstance(one, dict) and not set(names).isdisjoint(one) for one in listed)


def _says(value: Any, missing: frozenset[str]) -> bool:
    """Whether a text says something."""
    return isinstance(value, str) and bool(value.strip()) and value.strip() not in missing


def _alone(value: Any, further: tuple[Segment, ...], missing: frozenset[str]) -> bool:
    """Whether a text or a table stands where one of a list was looked for, and says what was looked for in it."""
    if not isinstance(value, dict):
        return _says(value, missing)
    return any(_says(one, missing) or isinstance(one, list) for one in map(value.get, _names(further[:1])))


def _names(segments: tuple[Segment, ...]) -> Iterator[str]:
    return (name for segment in segments if isinstance(segment, Keys) for name in segment.names)


def _deeper(value: dict[str, Any], names: tuple[str, ...]) -> bool:
    """Whether a table has none of the names itself, and what is in it has."""
    held = any(isinstance(one, dict) and not set(names).isdisjoint(one) for one in value.values())
    return held and set(names).isdisjoint(value)
