"""`take DOCUMENT as X`: the case supplies a document that somebody would have written."""

from __future__ import annotations

from ..actors import Actor
from ..immutable import immutable
from ..plan import Step, TurnSlot


@immutable
class Take(Step):
    """The document `document` as the case supplies it, filed by `actor`, rendered from its form."""

    document: str
    actor: Actor

    @property
    def turn_slots(self) -> tuple[TurnSlot, ...]:
        return (TurnSlot("take", (self.actor,), self.document, aloud=False),)

    @property
    def all_speakers(self) -> tuple[Actor, ...]:
        return ()

    @property
    def named_actors(self) -> tuple[Actor, ...]:
        return (self.actor,)

    @property
    def needs_presence(self) -> bool:
        return False
