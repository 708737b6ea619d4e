"""`X leaves`, `X enters`: who is in the room changes."""

from __future__ import annotations

from dataclasses import dataclass

from ..actors import Actor
from ..plan import Step


@dataclass(frozen=True, slots=True)
class Move(Step):
    """Persons go out of the room, or come into it (`inwards`), until the stage is over or they move again."""

    actors: tuple[Actor, ...]
    inwards: bool

    @property
    def named_actors(self) -> tuple[Actor, ...]:
        return self.actors

    @property
    def moved_actors(self) -> tuple[Actor, ...]:
        return self.actors
