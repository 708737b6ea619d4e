"""`X and Y converse`, `X, Y, Z discuss`: they take turns until one of them ends it."""

from __future__ import annotations

from typing import ClassVar

from ..actors import Actor, FieldRef
from ..branches import BranchKind
from ..conditions import TokenSaid
from ..immutable import immutable
from ..plan import NUMBER_HOLE, Step, TokenUse, Topics, TurnSlot


@immutable
class Converse(Step):
    """They take turns until one says an ending token, all topics are covered, or `limit` turns; the ending reply may be
    a document. Two talk to each other; of more, or of one role that several hold, each talks to all others."""

    opener: Actor
    partners: tuple[Actor, ...]
    until: tuple[TokenSaid, ...]
    limit: int
    produces: str
    topics: Topics | None = None

    ACTS: ClassVar = ("converse", "draft")

    @property
    def turn_slots(self) -> tuple[TurnSlot, ...]:
        talking = TurnSlot("converse", self.all_speakers, self.produces)
        if not self.produces:
            return (talking,)
        return (
            talking,
            TurnSlot("draft", tuple(said.actor for said in self.until) or (self.opener,), self.produces, aloud=False),
        )

    @property
    def all_speakers(self) -> tuple[Actor, ...]:
        return (self.opener, *self.partners)

    @property
    def token_uses(self) -> tuple[TokenUse, ...]:
        topic = (TokenUse(self.topics.token, NUMBER_HOLE),) if self.topics is not None else ()
        return (*topic, *(TokenUse(said.token) for said in self.until))

    @property
    def awaited_tokens(self) -> tuple[TokenSaid, ...]:
        return self.until

    @property
    def references(self) -> tuple[FieldRef, ...]:
        return (self.topics.where,) if self.topics is not None else ()

    @property
    def list_references(self) -> tuple[FieldRef, ...]:
        return self.references

    @property
    def raised_topics(self) -> tuple[Actor, Topics] | None:
        return (self.opener, self.topics) if self.topics is not None else None

    @property
    def most_turns(self) -> int:
        return self.limit

    @property
    def branch_kinds(self) -> tuple[BranchKind, ...]:
        token: tuple[BranchKind, ...] = ("closed by token",) if self.until else ()
        topics: tuple[BranchKind, ...] = ("closed as covered", "closed as empty") if self.topics is not None else ()
        return (*token, *topics, "closed by budget")
