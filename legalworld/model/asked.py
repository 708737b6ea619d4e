"""What the conditions of a procedure ask of the values of a case: of which field and keys, and in which condition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from .actors import ROW, Actor, FieldRef
from .conditions import Condition, HasValue, Measures, ValueIs, leaves
from .immutable import immutable
from .plan import Step
from .procedure import Procedure, roles_in
from .steps.for_each import ForEach


@immutable
class AskedValue:
    """A simple condition that reads the values below the keys `path` of every record of a field of the case."""

    field: str
    path: tuple[str, ...]
    condition: ValueIs | HasValue | Measures
    where: FieldRef


_Place = tuple[str, tuple[str, ...]]
_Loops = Mapping[str, tuple[_Place, ...]]
"""Variable of a loop -> the fields, and the keys below them, of which it may have a record in hand."""


def asked_of_case(procedure: Procedure) -> Iterator[AskedValue]:
    """Yield what every condition asks of values of the case: those of steps, stages, events, roles and the matrix.

    A name that a loop gives to what it has come to stands for the field that it goes through; what amends a field is
    asked for what the field is asked for.
    """
    for condition, loops in _conditions(procedure):
        for leaf in leaves(condition):
            match leaf:
                case ValueIs(where) | HasValue(where):
                    read = [where]
                case Measures(left, _, right, "value" | "sum"):
                    read = [one for one in (left, right) if isinstance(one, FieldRef)]
                case _:
                    continue
            for where in read:
                yield from (
                    AskedValue(name, (*path, *where.path), leaf, where)
                    for name, path in _fields(procedure, loops, where)
                )


def _fields(procedure: Procedure, loops: _Loops, where: FieldRef) -> Iterator[_Place]:
    for name, path in loops.get(where.name, ((where.name, ()),)):
        if name in procedure.case_fields:
            yield name, path
            yield from ((one.name, path) for one in procedure.case_fields.values() if one.amends == name)


def _conditions(procedure: Procedure) -> Iterator[tuple[Condition | None, _Loops]]:
    for role in procedure.roles.values():
        yield role.when, {}
        if role.absence is not None:
            yield role.absence.condition, {role.absence.variable: ((role.each, ()),)}
    for grant in procedure.grants:
        yield grant.condition, {ROW: ((grant.what, ()),)}
    for event in procedure.interruptions:
        yield from ((condition, {}) for condition in (event.whenever, event.when))
        yield from _looped(procedure, event.steps, {})
    for stage in procedure.stages:
        yield stage.when, {}
        yield from _looped(procedure, stage.closing, {})
        for phase in stage.phases:
            yield phase.when, {}
            if phase.off_record is not None:
                yield phase.off_record.condition, {}
            yield from _looped(procedure, (*phase.steps, *phase.closing), {})


def _looped(procedure: Procedure, steps: Iterable[Step], loops: _Loops) -> Iterator[tuple[Condition | None, _Loops]]:
    for step in steps:
        yield from ((condition, loops) for condition in (step.info.when, *step.conditions))
        within = {**loops, step.variable: _gone_through(procedure, step, loops)} if isinstance(step, ForEach) else loops
        for block in step.blocks:
            yield from _looped(procedure, block, within)


def _gone_through(procedure: Procedure, loop: ForEach, loops: _Loops) -> tuple[_Place, ...]:
    """The fields of which a loop has records in hand; () where it goes through what is no material of the case."""
    if loop.within is not None:
        found = loops.get(loop.within.name, ((loop.within.name, ()),))
        return tuple((name, (*path, *loop.within.path)) for name, path in found)
    return tuple((name, ()) for name in _lists(procedure, loop.persons))


def _lists(procedure: Procedure, persons: Iterable[Actor]) -> tuple[str, ...]:
    """The fields from which the roles are filled that persons hold; of all roles where none is named."""
    roles = [role for actor in persons for role in roles_in(actor)] or list(procedure.roles)
    return tuple(dict.fromkeys(procedure.roles[role].each for role in roles if procedure.roles[role].each))
