"""`assign ROLE: ...`: persons are given a role for a while."""

from __future__ import annotations

from dataclasses import dataclass

from ..plan import Actor, FieldRef, Step


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
class Assign(Step):
    role: str
    who: NamedIn | Opposing | Remaining | Actor

    @property
    def named_actors(self) -> tuple[Actor, ...]:
        match self.who:
            case NamedIn() | Remaining():
                return ()
            case Opposing(of):
                return (of,)
            case actor:
                return (actor,)

    @property
    def references(self) -> tuple[FieldRef, ...]:
        return (self.who.where,) if isinstance(self.who, NamedIn) else ()

    @property
    def assigned_role(self) -> str:
        return self.role
