"""Sums in two currencies in conditions, found when a run is over: no condition on them holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..engine.conditions import below, two_currencies
from ..engine.polls import step_of
from ..language import diagnose
from ..model.actors import FieldRef
from ..model.captured import Captured
from ..model.case import Case, Sided, Value
from ..model.conditions import Condition, Measures, leaves
from ..model.diagnostics import Diagnostic
from ..model.events import Event
from ..model.plan import Step
from ..model.procedure import Procedure
from ..model.steps.for_each import ForEach
from ..model.steps.repeat import Repeat

_Loops = tuple[ForEach | Repeat, ...]


def mixed_sums(procedure: Procedure, case: Case, events: Sequence[Event]) -> Iterator[Diagnostic]:
    """Yield a warning for each `sum of` in a condition whose values are of two currencies."""
    told = set()
    for where, loops in _sums(procedure):
        if where.span in told:
            continue
        for values in _added(where, loops, case, events):
            if found := two_currencies(values, procedure.locale):
                name = ".".join((where.name, *where.path))
                yield diagnose.sum_of_two_currencies(where.span, name=name, one=found[0], other=found[1])
                told.add(where.span)
                break


def _sums(procedure: Procedure) -> Iterator[tuple[FieldRef, _Loops]]:
    """What conditions of steps and of the matrix add up, with the loops around, the outer first."""
    phases = [phase for stage in procedure.stages for phase in stage.phases]
    blocks = [block for phase in phases for block in (phase.steps, phase.closing)]
    blocks += [one.closing for one in procedure.stages] + [one.steps for one in procedure.interruptions]
    for block in blocks:
        yield from _in_steps(block, ())
    asked = [stage.when for stage in procedure.stages] + [phase.when for phase in phases]
    asked += [role.when for role in procedure.roles.values()] + [one.condition for one in procedure.grants]
    asked += [condition for event in procedure.interruptions for condition in (event.when, event.whenever)]
    yield from ((where, ()) for where in _summed(asked))


def _in_steps(steps: Iterable[Step], loops: _Loops) -> Iterator[tuple[FieldRef, _Loops]]:
    for step in steps:
        yield from ((where, loops) for where in _summed((step.info.when, *step.conditions)))
        inside = (*loops, step) if isinstance(step, ForEach | Repeat) else loops
        for block in step.blocks:
            yield from _in_steps(block, inside)


def _summed(conditions: Iterable[Condition | None]) -> Iterator[FieldRef]:
    found = (leaf for condition in conditions for leaf in leaves(condition))
    return (leaf.left for leaf in found if isinstance(leaf, Measures) and leaf.measure == "sum")


def _added(where: FieldRef, loops: _Loops, case: Case, events: Sequence[Event]) -> list[list[Value]]:
    """The values that are added up together: those of an item, a field, each side where one is meant, each question."""
    items = _items_of(where.name, loops, case)
    if items is not None:
        return [[below(item, where.path)] for item in items]
    field = case.fields.get(where.name)
    if field is not None:
        values = [below(value, where.path) for value in _sides(field)]
        return [[value] for value in values] if where.of is not None else [values]
    asked: dict[tuple[str, tuple[int, ...]], list[Value]] = {}
    for event in events:
        if isinstance(event, Captured) and event.name == where.name:
            asked.setdefault((step_of(event.place), event.rounds[: len(loops)]), []).append(event.value)
    return list(asked.values())


def _items_of(variable: str, loops: _Loops, case: Case) -> list[Value] | None:
    """All that a loop around comes to, if one has this variable; nothing of persons and of what was answered."""
    for number, loop in reversed(list(enumerate(loops))):
        if isinstance(loop, ForEach) and loop.variable == variable:
            return _records(loop.within, loops[:number], case) if loop.within is not None else []
    return None


def _records(where: FieldRef, loops: _Loops, case: Case) -> list[Value]:
    field = case.fields.get(where.name)
    outer = _items_of(where.name, loops, case)
    held = outer if outer is not None else _sides(field) if field is not None else []
    lists = (below(value, where.path) for value in held)
    return [item for one in lists if isinstance(one, tuple) for item in one]


def _sides(field: Value | Sided) -> list[Value]:
    return list(field.values.values()) if isinstance(field, Sided) else [field]
