"""Tables that a set sometimes writes as a list of tables, put together into one: `merge: [$.first_instance]`.

Path after path, outer ones first, so that rules need to know one form only. A path that ends in `.*` leads to a table
of tables, such as exhibits by their numbers; a list there is left as it is unless its items are tables of tables.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from . import paths
from .paths import Every, Keys, Location, Match, Path

_AGAIN: Final = "{key} ({n})"
_EMPTY: Final[tuple[Any, ...]] = (None, "", [], {})
_SHOWN: Final = 40  # characters of a text that is told


@immutable
class Merge:
    """Where a record has a table, or a list of tables that stand for one. `nested`: a table of tables."""

    keys: tuple[str, ...]
    nested: bool


@immutable
class SecondValue:
    """An entry for which a list of tables has a second value, which is not taken; `taken`: how the first begins."""

    where: Location
    taken: str


def read_merge(text: str) -> Merge | None:
    """Return what a path of `merge` says; None where it does not go down by one name after another."""
    path = paths.read(text.strip())
    segments = path.segments if isinstance(path, Path) else ()
    nested = segments[-1:] == (Every(),)
    names = segments[:-1] if nested else segments
    keys = tuple(one.names[0] for one in names if isinstance(one, Keys) and len(one.names) == 1)
    return Merge(keys, nested) if keys and len(keys) == len(names) else None


def said_twice(place: Span, lost: SecondValue) -> Diagnostic:
    """Return the warning of a second value that is not taken."""
    return diagnose.value_said_twice(place, field=paths.spelled(lost.where), text=lost.taken)


def merged(record: Match, merges: Sequence[Merge]) -> tuple[Match, tuple[SecondValue, ...]]:
    """Return a record with its lists of tables put together, itself where it has none; and what it said twice."""
    value, lost = record.value, list[SecondValue]()
    for one in merges:
        value = _at(value, one.keys, one, record.where, lost)
    return (record if value is record.value else Match(record.where, value)), tuple(lost)


def _at(value: Any, keys: tuple[str, ...], one: Merge, where: Location, lost: list[SecondValue]) -> Any:
    """Return a value in which what stands at the keys is one table."""
    if not keys:
        return _together(value, where, lost) if _is_split(value, one.nested) else value
    if not isinstance(value, dict) or keys[0] not in value:
        return value
    below = _at(value[keys[0]], keys[1:], one, (*where, keys[0]), lost)
    return value if below is value[keys[0]] else {**value, keys[0]: below}


def _is_split(value: Any, nested: bool) -> bool:
    """Return whether a value is a list of tables that stand for one."""
    if not isinstance(value, list) or not value or not all(isinstance(one, dict) for one in value):
        return False
    inner = [each for one in value for each in one.values() if each not in _EMPTY]
    return not nested or (bool(inner) and all(isinstance(each, dict) for each in inner))


def _together(tables: Iterable[Mapping[str, Any]], where: Location, lost: list[SecondValue]) -> dict[str, Any]:
    """Return one table of several: lists one behind the other, tables both, of two texts the first that says a word."""
    found: dict[str, Any] = {}
    for key, value in (entry for table in tables for entry in table.items()):
        held = found.get(key)
        if held in _EMPTY:
            found[key] = value
        elif isinstance(held, list) and isinstance(value, list):
            found[key] = [*held, *value]
        elif isinstance(held, dict) and isinstance(value, dict) and held != value:
            found |= _beside(key, held, value, found)
        elif value not in _EMPTY and value != held:
            lost.append(SecondValue((*where, key), str(held)[:_SHOWN]))
    return found


def _beside(key: str, held: dict[str, Any], value: dict[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
    """Return two tables of one name as one, where they do not contradict each other; else each under a name."""
    if all(held[name] == value[name] for name in held.keys() & value.keys()):
        return {key: {**held, **value}}
    number = next(n for n in range(2, len(found) + 3) if _AGAIN.format(key=key, n=n) not in found)
    return {_AGAIN.format(key=key, n=number): value}
