"""`X decides PART in DECISION`: a part of what a court decides, by one person or as a panel has voted."""

from __future__ import annotations

from typing import ClassVar

from ..actors import Actor
from ..immutable import immutable
from ..plan import Answer, Step, TurnSlot


@immutable
class Decide(Step):
    """`actors` formulate a part of a decision, heard by nobody; the first of them who is there does it.

    `part`: its key; `item`: the loop whose record it is about, "" for the innermost. `ballots`: the answer in which
    those who voted just before gave their votes, then nobody speaks and what they came to is put down.
    """

    decision: str
    part: str
    answer: Answer
    actors: tuple[Actor, ...]
    item: str = ""
    ballots: str = ""

    ACTS: ClassVar = ("note",)

    @property
    def turn_slots(self) -> tuple[TurnSlot, ...]:
        return (TurnSlot("note", self.actors, aloud=False),) if not self.ballots else ()

    @property
    def answer_names(self) -> tuple[str, ...]:
        return (self.answer.name,)

    @property
    def answerers(self) -> tuple[Actor, ...]:
        return self.actors if not self.ballots else ()

    @property
    def loop_variable(self) -> str:
        return self.item
