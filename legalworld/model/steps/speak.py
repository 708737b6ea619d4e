"""`X states`, `X asks Y`, `X presents item`: everybody named speaks once, and who is spoken to answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Final, Literal

from ..actors import Actor
from ..branches import BranchKind
from ..immutable import immutable
from ..plan import Answer, Step, TokenUse, TurnSlot

VERB_ACTS: Final[Mapping[str, str]] = {
    "asks": "ask",
    "announces": "announce",
    "states": "state",
    "responds": "respond",
    "presents": "present",
    "notes": "note",
}
"""Verb of a step -> the act that its templates and rules of conduct are named by."""


@immutable
class Speak(Step):
    """One utterance by each actor; with `to`, each of those answers in turn. `notes` are heard by nobody."""

    verb: Literal["asks", "announces", "states", "responds", "presents", "notes"]
    actors: tuple[Actor, ...]
    to: tuple[Actor, ...]
    item: str
    pass_token: str
    answer: Answer | None

    ACTS: ClassVar = (*VERB_ACTS.values(), "answer")

    @property
    def act(self) -> str:
        return VERB_ACTS[self.verb]

    @property
    def turn_slots(self) -> tuple[TurnSlot, ...]:
        return (TurnSlot(self.act, self.actors, aloud=self.verb != "notes"), TurnSlot("answer", self.to))

    @property
    def token_uses(self) -> tuple[TokenUse, ...]:
        return (TokenUse(self.pass_token),)

    @property
    def answer_names(self) -> tuple[str, ...]:
        return (self.answer.name,) if self.answer is not None else ()

    @property
    def answerers(self) -> tuple[Actor, ...]:
        return self.to or self.actors

    @property
    def loop_variable(self) -> str:
        return self.item

    @property
    def presents_record(self) -> bool:
        return self.verb == "presents"

    @property
    def branch_kinds(self) -> tuple[BranchKind, ...]:
        return ("spoken", "passed") if self.pass_token else ()
