"""What a procedure says of a decision: which documents state it, which answers hold its parts; and that they fell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Literal

from .frozen import FrozenModel
from .immutable import immutable
from .source import Span


@immutable
class DecisionParts:
    """What a court decides. `documents`: those that state it; in one run it is one of them.

    `claims`, `accused`, `exhibits`: the fields of what and of whom it decides, and by what. `below`: the decision that
    it reviews; `instance`: 1 or 2, 0 where that is not said. `findings`, `reasons`, `orders`: the answers in
    which these parts stand before the document is written; `results` the one about each claim, `verdicts` and
    `sentences` those about each of the accused; `outcomes`: outcome -> the choice that says it. `also`: other answers.
    Where the document is replaced, all of them are what is read in the new one.
    """

    name: str
    title: str
    documents: tuple[str, ...]
    span: Span
    claims: str = ""
    accused: str = ""
    findings: str = ""
    reasons: str = ""
    orders: str = ""
    results: str = ""
    verdicts: str = ""
    sentences: str = ""
    outcomes: Mapping[str, str] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    exhibits: tuple[str, ...] = ()
    below: str = ""
    instance: int = 0

    @property
    def answers(self) -> tuple[str, ...]:
        """All answers that hold a part of it."""
        told = (self.findings, self.reasons, self.results, self.verdicts, self.sentences, self.orders)
        return tuple(filter(None, (*told, *self.also)))


class Superseded(FrozenModel):
    """The answers that made a decision hold no more: its document was replaced, and what was read there follows."""

    kind: Literal["superseded"] = "superseded"
    place: str
    decision: str
    document: str
    answers: tuple[str, ...]
