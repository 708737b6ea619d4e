"""The memory step that closes a stage: those who took part write down what they keep of it.

No sentence of a spec says it; the linker adds it to each stage in which somebody of a kind with a memory may speak.
"""

from __future__ import annotations

from typing import ClassVar

from ..actors import Actor
from ..immutable import immutable
from ..plan import Step, TurnSlot


@immutable
class Remember(Step):
    """Those of the actors who took part in the stage are asked to write what they keep of it."""

    actors: tuple[Actor, ...]

    ACTS: ClassVar = ("remember",)

    @property
    def turn_slots(self) -> tuple[TurnSlot, ...]:
        return (TurnSlot("remember", self.actors, aloud=False),)

    @property
    def needs_presence(self) -> bool:
        return False
