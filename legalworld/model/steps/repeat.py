"""`repeat N rounds`: the steps inside, several times."""

from __future__ import annotations

from ..branches import BranchKind
from ..conditions import Condition
from ..immutable import immutable
from ..plan import Step


@immutable
class Repeat(Step):
    """`until`: no further round after one in which it holds."""

    rounds: int
    until: Condition | None
    body: tuple[Step, ...]

    @property
    def blocks(self) -> tuple[tuple[Step, ...], ...]:
        return (self.body,)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return (self.until,) if self.until is not None else ()

    @property
    def most_turns(self) -> int:
        return self.rounds

    @property
    def branch_kinds(self) -> tuple[BranchKind, ...]:
        return ("closed by condition", "closed by budget") if self.until is not None else ()
