"""What resolving a spec goes by: the declared names, the parser of sentences, and what holds around one step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from ...model import plan
from ...model.actors import Actor
from ...model.immutable import immutable
from ...model.source import Span
from ..sentences.parser import Parser
from ..surface_reader import SurfaceReader
from .declarations import DeclaredNames


@immutable
class Bound:
    """What a part's parameter stands for: an actor, the name of a field or document, or a number or text as written.

    `span`: where the argument is written.
    """

    name: str
    actor: Actor | None
    value: str | None = None
    span: Span | None = None

    @property
    def at(self) -> tuple[Span, ...]:
        """Where the argument is written, for problems that name it elsewhere."""
        return (self.span,) if self.span is not None else ()

    @property
    def words(self) -> str:
        """What it stands for, as its author would say it."""
        written = self.actor.written if self.actor is not None else None
        return self.name or self.value or (written.text if written is not None else "…")


@immutable
class Context:
    """`reader`, `answers` (by name), `voted` (those of votes) and `performed` (how often each part) gather what is
    found; the others hold at one place.

    `locale`: of the procedure. `removed`: names that a child has taken out of what it extends. `parameters` are those
    of the part being expanded, `variables` those of the loops around, `loop_persons` those of them that are persons,
    with over whom the loop goes, `loop_fields` the fields whose records the others are, `ids` those of the phase,
    `prefix` that of the block, `performing` the parts around, the innermost last.
    """

    names: DeclaredNames
    parser: Parser
    reader: SurfaceReader
    answers: dict[str, plan.Answer] = field(default_factory=dict)
    voted: set[str] = field(default_factory=set)
    performed: dict[str, int] = field(default_factory=dict)
    removed: frozenset[str] = frozenset()
    locale: str = "zh"
    parameters: Mapping[str, Bound] = field(default_factory=dict)
    variables: tuple[str, ...] = ()
    loop_persons: Mapping[str, tuple[Actor, ...]] = field(default_factory=dict)
    loop_fields: Mapping[str, str] = field(default_factory=dict)
    ids: dict[str, Span] = field(default_factory=dict)
    prefix: str = ""
    performing: tuple[str, ...] = ()
