"""`for each X in ...`: the steps inside, once per record or person."""

from __future__ import annotations

from ..actors import Actor, FieldRef
from ..immutable import immutable
from ..plan import Step


@immutable
class ForEach(Step):
    """The body once per record of a field of the persons of `of` (or once per person of `persons`)."""

    variable: str
    within: FieldRef | None
    persons: tuple[Actor, ...]
    body: tuple[Step, ...]

    @property
    def named_actors(self) -> tuple[Actor, ...]:
        of = self.within.of if self.within is not None else None
        return (*self.persons, of) if of is not None else self.persons

    @property
    def blocks(self) -> tuple[tuple[Step, ...], ...]:
        return (self.body,)

    @property
    def references(self) -> tuple[FieldRef, ...]:
        return (self.within,) if self.within is not None else ()
