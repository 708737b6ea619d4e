"""`X drives Y, Z`: one person goes through a checklist and calls whom he likes."""

from __future__ import annotations

from typing import ClassVar

from ..actors import Actor
from ..branches import BranchKind
from ..immutable import immutable
from ..plan import NUMBER_HOLE, ROLE_HOLE, Step, TokenUse, TurnSlot


@immutable
class Drive(Step):
    """The driver goes through a checklist, calling one participant at a time, until it says `close` or `limit` turns.

    `call` has a `{role}` hole; `done`, with a `{n}` hole, says that an item was done. The closing reply may be a
    document.
    """

    driver: Actor
    participants: tuple[Actor, ...]
    checklist: str
    call: str
    done: str
    close: str
    limit: int
    produces: str

    ACTS: ClassVar = ("drive", "reply", "draft")

    @property
    def turn_slots(self) -> tuple[TurnSlot, ...]:
        writing = (TurnSlot("draft", (self.driver,), self.produces, aloud=False),) if self.produces else ()
        return (TurnSlot("drive", (self.driver,), self.produces), TurnSlot("reply", self.participants), *writing)

    @property
    def leader(self) -> Actor:
        return self.driver

    @property
    def token_uses(self) -> tuple[TokenUse, ...]:
        return (TokenUse(self.call, ROLE_HOLE), TokenUse(self.done, NUMBER_HOLE), TokenUse(self.close))

    @property
    def checklist_name(self) -> str:
        return self.checklist

    @property
    def most_turns(self) -> int:
        return self.limit

    @property
    def branch_kinds(self) -> tuple[BranchKind, ...]:
        return ("closed by token", "closed by budget")
