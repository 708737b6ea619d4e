"""`X moderates Y, Z`: a chair calls one speaker at a time."""

from __future__ import annotations

from typing import ClassVar

from ..actors import Actor
from ..branches import BranchKind
from ..immutable import immutable
from ..plan import ROLE_HOLE, Step, TokenUse, TurnSlot


@immutable
class Moderate(Step):
    """The chair calls speakers with `call` (a token with a `{role}` hole) until it says `close` or `limit` turns."""

    chair: Actor
    speakers: tuple[Actor, ...]
    call: str
    close: str
    limit: int

    ACTS: ClassVar = ("moderate", "reply")

    @property
    def turn_slots(self) -> tuple[TurnSlot, ...]:
        return (TurnSlot("moderate", (self.chair,)), TurnSlot("reply", self.speakers))

    @property
    def leader(self) -> Actor:
        return self.chair

    @property
    def token_uses(self) -> tuple[TokenUse, ...]:
        return (TokenUse(self.call, ROLE_HOLE), TokenUse(self.close))

    @property
    def most_turns(self) -> int:
        return self.limit

    @property
    def branch_kinds(self) -> tuple[BranchKind, ...]:
        return ("closed by token", "closed by budget")
