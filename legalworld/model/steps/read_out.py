"""`clerk reads PHASE to X`: the record of a phase is read to those who missed it; no model is asked."""

from __future__ import annotations

from ..actors import Actor
from ..immutable import immutable
from ..plan import Step
from ..source import Span


@immutable
class ReadMinutes(Step):
    """What was said in an earlier phase of the stage, as far as the record is open to each of those it is read to."""

    reader: Actor
    phase: str
    to: tuple[Actor, ...]
    phase_span: Span

    @property
    def named_actors(self) -> tuple[Actor, ...]:
        return (self.reader, *self.to)
