"""`if ...` and `else`: one way or the other."""

from __future__ import annotations

from ..conditions import Condition
from ..immutable import immutable
from ..plan import Step


@immutable
class If(Step):
    condition: Condition
    body: tuple[Step, ...]
    otherwise: tuple[Step, ...]

    @property
    def blocks(self) -> tuple[tuple[Step, ...], ...]:
        return (self.body, self.otherwise)

    @property
    def conditions(self) -> tuple[Condition, ...]:
        return (self.condition,)
