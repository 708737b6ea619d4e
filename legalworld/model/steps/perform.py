"""`perform PART`: the steps of a part, with its parameters bound to the arguments."""

from __future__ import annotations

from ..immutable import immutable
from ..plan import Step


@immutable
class Perform(Step):
    body: tuple[Step, ...]

    @property
    def blocks(self) -> tuple[tuple[Step, ...], ...]:
        return (self.body,)
