"""Whether a condition holds, and what stands at a reference: pure questions to the state and the case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import assert_never

from .case import MISSING, Case, Record, Sided, Value
from .procedure import (
    AllOf,
    Answered,
    AnyOf,
    Assigned,
    Condition,
    FieldRef,
    HasValue,
    Measures,
    Negation,
    OptionIs,
    Said,
    ValueIs,
    Wears,
)
from .state import CaseState, everyone, latest, wearers


@dataclass(frozen=True, slots=True)
class Circumstances:
    """All that a condition may look at. `said`: (person, token) of this loop; `hands`: loop variable -> record."""

    state: CaseState
    case: Case
    options: Mapping[str, str]
    said: frozenset[tuple[str, str]] = frozenset()
    hands: Mapping[str, Value] = MISSING  # type: ignore[assignment]


def holds(condition: Condition | None, now: Circumstances) -> bool:
    """Whether a condition holds; no condition always does."""
    match condition:
        case None:
            return True
        case AllOf(parts):
            return all(holds(part, now) for part in parts)
        case AnyOf(parts):
            return any(holds(part, now) for part in parts)
        case Negation(part):
            return not holds(part, now)
        case Said(actor, token):
            return any((person, token) in now.said for person in wearers(now.state, actor))
        case Answered(quantifier, name, value):
            given = latest(now.state.answers.get(name, ()))
            test = all if quantifier == "all" else any
            return bool(given) and test(one.value == (value or "yes") for one in given)
        case Wears(actor, other):
            return not set(everyone(now.state, (actor,))).isdisjoint(wearers(now.state, other))
        case Assigned(actor):
            return bool(wearers(now.state, actor))
        case OptionIs(option, value):
            return now.options.get(option) == value
        case ValueIs(where, value):
            return any(_plain(found) == value for found in values(where, now))
        case HasValue(where):
            return any(bool(found) for found in values(where, now))
        case Measures(left, comparison, right):
            return _measure(left, comparison, right, now)
        case _:
            assert_never(condition)


def _measure(left: FieldRef, comparison: str, right: float | FieldRef, now: Circumstances) -> bool:
    """Two numbers compared; a value that is no number compares as false."""
    one = _numbers(left, now)
    two = [right] if isinstance(right, float | int) else _numbers(right, now)
    if not one or not two:
        return False
    return one[-1] >= two[-1] if comparison == "at least" else one[-1] <= two[-1]


def _numbers(where: FieldRef, now: Circumstances) -> list[float]:
    found = []
    for value in values(where, now):
        try:
            found.append(float(_plain(value).replace(",", "")))
        except ValueError:
            continue
    return found


def _plain(value: Value) -> str:
    return value if isinstance(value, str) else ""


def values(where: FieldRef, now: Circumstances) -> tuple[Value, ...]:
    """What stands at a reference: one value, one per side, or the answers of that name; empty where there is none."""
    start: tuple[Value, ...]
    if where.name in now.hands:
        start = (now.hands[where.name],)
    elif where.name in now.state.answers:
        start = tuple(given.value for given in latest(now.state.answers[where.name]))
    elif where.name in now.case.fields:
        start = _of_field(now.case.fields[where.name], where, now)
    else:
        start = tuple(paper.text for paper in now.state.papers if paper.document == where.name)
    return tuple(found for value in start if (found := below(value, where.path)))


def _of_field(value: Value | Sided, where: FieldRef, now: Circumstances) -> tuple[Value, ...]:
    if not isinstance(value, Sided):
        return (value,)
    if where.of is None:
        return tuple(value.values.values())
    sides = {now.state.persons[person].side for person in wearers(now.state, where.of)}
    return tuple(found for side, found in value.values.items() if side in sides)


def below(value: Value, path: tuple[str, ...]) -> Value:
    """What stands at a path below a value; of a list, what stands there in each of its items."""
    if not path:
        return value
    match value:
        case Record():
            return below(value.get(path[0], MISSING), path[1:])
        case tuple():
            return tuple(found for each in value if (found := below(each, path)))
        case _:
            return MISSING
