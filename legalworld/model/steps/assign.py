"""`assign ROLE: ...`: persons are given a role, or several, for a while."""

from __future__ import annotations

from ..actors import Actor, FieldRef
from ..immutable import immutable
from ..plan import Step
from ..source import Span


@immutable
class NamedIn:
    where: FieldRef


@immutable
class Opposing:
    of: Actor


@immutable
class Remaining:
    """Parties to whom no `assign` of the stage has given a role yet."""


@immutable
class GaveAnswer:
    """Those whose last answer `name` was `value`."""

    name: str
    value: str
    span: Span


Assignee = NamedIn | Opposing | Remaining | GaveAnswer | Actor


@immutable
class Assign(Step):
    """All of `roles` are given to all of `who`; where `most` is not 0, to the first so many of them who have
    not left."""

    roles: tuple[str, ...]
    who: tuple[Assignee, ...]
    most: int = 0

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
