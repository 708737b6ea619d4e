"""`X drafts DOCUMENT`: somebody writes a document."""

from __future__ import annotations

from typing import ClassVar

from ..actors import Actor
from ..immutable import immutable
from ..plan import Step, TurnSlot


@immutable
class Draft(Step):
    actor: Actor
    document: str

    ACTS: ClassVar = ("draft",)

    @property
    def turn_slots(self) -> tuple[TurnSlot, ...]:
        return (TurnSlot("draft", (self.actor,), self.document, aloud=False),)
