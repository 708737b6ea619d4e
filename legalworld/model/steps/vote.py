"""`X, Y vote`: a panel or a jury decides by votes that nobody hears before all have voted."""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from ..actors import Actor
from ..branches import BranchKind
from ..immutable import immutable
from ..plan import Answer, Step, TurnSlot

Reveals = Literal["nothing", "count", "names"]
Average = Literal["median", "mean"]
CarriedBy = Literal["most", "all"] | Average | int
AVERAGES: Final[tuple[Average, ...]] = ("median", "mean")


@immutable
class Vote(Step):
    """Each of the voters gives the answer; the value with enough votes is the result.

    `carried_by`: so many votes, or all, or more than half; of numbers also their median or mean, which every vote
    makes. `tie`: the result where no value has enough: a value ("" =
    none), or the vote of somebody. `reveals`: what those present are told beside the result.
    """

    voters: tuple[Actor, ...]
    answer: Answer
    reveals: Reveals
    carried_by: CarriedBy
    tie: str | Actor

    ACTS: ClassVar = ("vote",)

    @property
    def turn_slots(self) -> tuple[TurnSlot, ...]:
        return (TurnSlot("vote", self.voters),)

    @property
    def named_actors(self) -> tuple[Actor, ...]:
        return self.voters if isinstance(self.tie, str) else (*self.voters, self.tie)

    @property
    def answer_names(self) -> tuple[str, ...]:
        return (self.answer.name,)

    @property
    def answerers(self) -> tuple[Actor, ...]:
        return self.voters

    @property
    def branch_kinds(self) -> tuple[BranchKind, ...]:
        return ("carried", "rejected", "undecided") if self.answer.form == "yes or no" else ("carried", "undecided")
