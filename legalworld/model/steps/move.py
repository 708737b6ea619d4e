"""`X leaves`, `X enters`: who is in the room changes."""

from __future__ import annotations

from ..actors import Actor
from ..immutable import immutable
from ..plan import Step


@immutable
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
