"""The answers on which the way of a procedure depends: one that nobody gives stops a run, it is never made up."""

from __future__ import annotations

from collections.abc import Iterator

from ..model.actors import ChosenIn, FieldRef
from ..model.conditions import AllOf, Answered, AnyOf, Condition, HasValue, Measures, Negation, SameAnswers, ValueIs
from ..model.procedure import Interruption, Phase, Procedure, Stage, all_steps, places
from ..model.steps.assign import Assign, GaveAnswer
from ..model.steps.vote import Vote


def deciding(procedure: Procedure) -> frozenset[str]:
    """The names of the answers that a condition, a loop, an office, a vote or who acts depends on, and of rulings."""
    found: set[str] = set()
    for condition in _conditions(procedure):
        found |= {where.name for where in _read_by(condition)}
    for step in all_steps(procedure):
        found |= {where.name for where in step.references}
        if isinstance(step, Vote):
            found.add(step.answer.name)
        if isinstance(step, Assign):
            found |= {one.name for one in step.who if isinstance(one, GaveAnswer)}
        found |= {one.name for one in step.named_actors if isinstance(one, ChosenIn)}
        if step.info.objection is not None:
            found.add(step.info.objection.ruling.name)
    return frozenset(found & set(procedure.answers))


def _conditions(procedure: Procedure) -> Iterator[Condition | None]:
    """All conditions that say what happens; not those of the matrix, which say who may see it."""
    for _, part in places(procedure):
        if isinstance(part, Interruption):
            yield part.whenever
        if isinstance(part, Stage | Phase | Interruption):
            yield part.when
    for step in all_steps(procedure):
        yield step.info.when
        yield from step.conditions
    for role in procedure.roles.values():
        yield role.when
        if role.absence is not None:
            yield role.absence.condition


def _read_by(condition: Condition | None) -> Iterator[FieldRef]:
    match condition:
        case AllOf(parts) | AnyOf(parts):
            for part in parts:
                yield from _read_by(part)
        case Negation(part):
            yield from _read_by(part)
        case Answered(answer=where) | SameAnswers(answer=where) | ValueIs(where=where) | HasValue(where=where):
            yield where
        case Measures(left, _, right):
            yield from (left, right) if isinstance(right, FieldRef) else (left,)
        case _:
            return
