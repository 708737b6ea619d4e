"""`sample N of ...`: some items of a list are drawn by the seed of the run."""

from __future__ import annotations

from ..actors import FieldRef
from ..immutable import immutable
from ..plan import Step


@immutable
class Sample(Step):
    """`count` items of a list are drawn by the run's seed and kept as the answer `name`."""

    count: int
    where: FieldRef
    name: str

    @property
    def answer_names(self) -> tuple[str, ...]:
        return (self.name,) if self.name else ()

    @property
    def references(self) -> tuple[FieldRef, ...]:
        return (self.where,)

    @property
    def list_references(self) -> tuple[FieldRef, ...]:
        return (self.where,)
