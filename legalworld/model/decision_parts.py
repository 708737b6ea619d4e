"""Decisions as a procedure declares them: which documents state one, as what its parts are kept; what came of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from typing import Any, Final, Literal

from pydantic import Field

from .decision import Decision
from .frozen import FrozenModel, left_out
from .immutable import immutable
from .source import Span

PARTS: Final = ("findings", "reasons", "results", "verdicts", "sentences", "orders", "costs")
"""The keys of the parts of a decision, in the order in which they are decided; others stand under `also`."""


@immutable
class DecisionParts:
    """What a court decides. `documents`: those that state it; in one run it is one of them.

    `claims`, `accused`, `exhibits`: the fields of what and of whom it decides, and by what. `below`: the decision that
    it reviews; `instance`: 1 or 2, 0 where that is not said. `findings`, `reasons`, `orders`, `costs`: the
    answers in which these parts stand before the document is written; `results` the one about each claim, `verdicts`
    and `sentences` those about each of the accused; `outcomes`: outcome -> the choice that says it. `ballots`: the
    answer in which the votes of a panel stand. `also`: other answers.
    Where the document is replaced, all of them are what is read in the new one.
    `norms`: the set of norms by which scripted actors decide it ("" for none); `material`: where in the case these find
    what they go by, each as (field, key): its cause, its days, what exhibits state, what is admitted and pleaded.
    `places`: where each answer of a part is named.
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
    costs: str = ""
    ballots: str = ""
    outcomes: Mapping[str, str] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    exhibits: tuple[str, ...] = ()
    below: str = ""
    instance: int = 0
    norms: str = ""
    norms_at: Span | None = None
    places: Mapping[str, Span] = field(default_factory=dict)
    material: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    @property
    def answers(self) -> tuple[str, ...]:
        """All answers that hold a part of it."""
        return (*filter(None, (getattr(self, key) for key in PARTS)), *self.also)

    @property
    def names(self) -> tuple[str, ...]:
        """All answers that it names: those of its parts, and the votes on it."""
        return (*self.answers, *filter(None, (self.ballots,)))

    def part_of(self, answer: str) -> str:
        """The key of the part that an answer holds."""
        return next((key for key in PARTS if getattr(self, key) == answer), "also")

    def outcome(self, choice: str) -> str:
        """The outcome that a choice says; "" where it says none."""
        return next((outcome for outcome, said in self.outcomes.items() if said == choice), "")


class PartDecided(FrozenModel):
    """A part of a decision was decided. `part`: its key; `about`: the record that it is about, "" for none.

    `by`: the number of the answer that says it, or the vote. `filled`: what of a `Decision` is told by it, as JSON
    without what is empty, with a gap for what cannot be read in it.
    """

    kind: Literal["decided"] = "decided"
    place: str
    decision: str
    part: str
    name: str
    about: str = ""
    by: Literal["answer", "vote"] = "answer"
    person: str = Field(default="", exclude_if=left_out)
    request: str = Field(default="", exclude_if=left_out)
    filled: dict[str, Any] = Field(default_factory=dict)


class Superseded(FrozenModel):
    """The answers that made a decision hold no more: its document was replaced, and what was read there follows."""

    kind: Literal["superseded"] = "superseded"
    place: str
    decision: str
    document: str
    answers: tuple[str, ...]


@immutable
class PartToRead:
    """What somebody decided, to be read: the part of which decision, the record that it is about, the value, and the
    words in which it was given. `amended`: the amending fields of the case that are in force."""

    decision: DecisionParts
    part: str
    about: str
    value: str | tuple[str, ...]
    words: str
    source: str
    amended: tuple[str, ...] = ()


@immutable
class PartRead:
    """What a part tells of a decision. `lacking`: what an order to pay does not say, each as ITEM and what is missing
    (payers, payees, amount)."""

    filled: Decision = field(default_factory=Decision)
    lacking: tuple[tuple[str, str], ...] = ()


PartReader = Callable[[PartToRead], PartRead]
"""Whoever reads legal text. Without one, a part says of itself no more than that it was decided."""


def unread(part: PartToRead) -> PartRead:
    """A part as it is where nobody reads it."""
    del part
    return PartRead()
