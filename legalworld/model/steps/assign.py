"""`assign ROLE: ...`: persons are given a role, or several, for a while."""

from __future__ import annotations

from dataclasses import dataclass

from ..actors import Actor, FieldRef
from ..plan import Step
from ..source import Span


@dataclass(frozen=True, slots=True)
class NamedIn:
    where: FieldRef


@dataclass(frozen=True, slots=True)
class Opposing:
    of: Actor


@dataclass(frozen=True, slots=True)
class Remaining:
    """Parties to whom no `assign` of the stage has given a role yet."""


@dataclass(frozen=True, slots=True)
class GaveAnswer:
    """Those whose last answer `name` was `value`."""

    name: str
    value: str
    span: Span


Assignee = NamedIn | Opposing | Remaining | GaveAnswer | Actor


@dataclass(frozen=True, slots=True)
class Assign(Step):
    """All of `roles` are given to all of `who`."""

    roles: tuple[str, ...]
    who: tuple[Assignee, ...]

    @property
    def named_actors(self) -> tuple[Actor, ...]:
        return tuple(actor for one in self.who if (actor := _actor(one)) is not None)

    @property
    def references(self) -> tuple[FieldRef, ...]:
        return tuple(one.where for one in self.who if isinstance(one, NamedIn))

    @property
    def assigned_roles(self) -> tuple[str, ...]:
        return self.roles


def _actor(one: Assignee) -> Actor | None:
    match one:
        case NamedIn() | Remaining() | GaveAnswer():
            return None
        case Opposing(of):
            return of
        case actor:
            return actor
