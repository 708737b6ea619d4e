"""What a rule of a rubric is given, what it gives, and what is told of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from ...model.case import Value as Datum
from ...model.case import texts
from ...model.immutable import immutable
from ..metrics.values import MissingScore
from ..rubric.definition import Deed
from ..rubric.formulas import Range
from ..stored_run import EvidencePiece, Stored, Unit

INDENT: Final = " \t\u3000#*"  # what may stand before the first word of a line
REMEMBERED: Final = 64  # texts that are read once: the reference of a case is that of all its runs
Arguments = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class RuleInput:
    """What a rule is given for one unit."""

    stored: Stored
    unit: Unit
    evidence: tuple[EvidencePiece, ...]
    reference: tuple[Datum, ...]
    arguments: Arguments
    deeds: tuple[Deed, ...] = ()

    @cached_property
    def text(self) -> str:
        return self._kept("\n".join(piece.text for piece in self.evidence))

    @cached_property
    def expected(self) -> tuple[str, ...]:
        """The texts of the reference, one by one."""
        return tuple(text for those in self.expected_by_reference for text in those)

    @cached_property
    def expected_by_reference(self) -> tuple[tuple[str, ...], ...]:
        """The same, those of each reference together."""
        every = (map(self._kept, texts(value)) for value in self.reference)
        return tuple(tuple(text for text in those if text.strip()) for those in every)

    def _kept(self, text: str) -> str:
        """A text without the lines that begin with a word of `without`: costs and notices are no disposition."""
        without = self.arguments.get("without", ())
        if not without or not any(word in text for word in without):
            return text
        return "\n".join(line for line in text.splitlines() if not line.lstrip(INDENT).startswith(without))

    @cached_property
    def expected_text(self) -> str:
        """The same as one text."""
        return "\n".join(self.expected)

    def argument(self, name: str, default: str = "") -> str:
        return next(iter(self.arguments.get(name, ())), default)


@immutable
class RuleResult:
    """`turns`: those of the evidence that count, None: all of it. `truth`: what the reference is, where it is one of a
    few things: what a text that always says the most frequent of them would score is told beside the mean."""

    value: float
    reason: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)
    turns: tuple[int, ...] | None = None
    truth: str = ""


@immutable
class Rule:
    """`range`: of its value; `parts`: names of further figures; `events`: it reads what happened, not evidence.

    `shares`: the comparisons that give a share, of a rule that has others too.
    """

    function: Callable[[RuleInput], RuleResult | MissingScore]
    range: Range = (0.0, 1.0)
    parts: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    needs_reference: bool = True
    events: bool = False
    shares: tuple[str, ...] = ()

    def limits(self, arguments: Arguments) -> Range:
        """Of its value with some arguments: with a comparison (`as`) that gives a share, or with none, 0 to 1; with
        `most` from 0 to that."""
        if most := arguments.get("most"):
            return (0.0, float(most[0]))
        how = next(iter(arguments.get("as", ())), "")
        return (0.0, 1.0) if self.shares and (not how or how in self.shares) else self.range
