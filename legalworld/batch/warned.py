"""The warnings of many cases as one list: counted by kind, with the first examples of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any, Final

from ..binding.idle import IdleRules
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.source import Span
from ..runs.project import Problems

EXAMPLES: Final = 3  # of each kind
ALLOWED: Final = "5%"  # of the cases may have odd values, unless a command says otherwise
ODD: Final = diagnose.codes_of(
    diagnose.odd_name,
    diagnose.long_claim,
    diagnose.court_words,
    diagnose.odd_shape,
    diagnose.decision_shown,
    diagnose.invalid_amount,
    diagnose.invalid_rate,
    diagnose.invalid_date,
    diagnose.impossible_date,
    diagnose.invalid_number,
    diagnose.ambiguous_value,
    diagnose.value_out_of_range,
    diagnose.foreign_currency,
    diagnose.invalid_choice_value,
)
"""Codes of warnings about a value that is not what it should be: a text of another shape, or none of its type."""
_IDLE: Final = diagnose.codes_of(diagnose.unmatched_binding_rule)
_LONGEST: Final = 60


@immutable
class CaseNotes:
    """What is to be told of a case that was bound: its warnings, and the rules of its binding that found nothing in it;
    None where that was not looked into."""

    problems: Problems = ()
    binding: str = ""
    idle: IdleRules | None = None


@dataclass(slots=True)
class WarningKind:
    """Warnings of one code about one field or rule. `first`: the first of them; `examples`: where, and what stood."""

    code: str
    subject: str
    first: Diagnostic
    count: int = 0
    examples: list[str] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        return {"code": self.code, "field": self.subject, "count": self.count, "examples": self.examples}


@dataclass(slots=True)
class _Idle:
    """Of a binding: how many cases were looked into, and the rules that found nothing in any of them; `absent`: those
    of which a case had no entry at all."""

    cases: int
    rules: Mapping[str, Span]
    absent: frozenset[str]


@dataclass(slots=True)
class WarningCounts:
    """`cases`: those that were bound; `odd`: of these, those with a value that hardly can be meant."""

    cases: int = 0
    odd: int = 0
    kinds: dict[tuple[str, str], WarningKind] = field(default_factory=dict)
    _seen: set[bytes] = field(default_factory=set)
    _idle: dict[str, _Idle] = field(default_factory=dict)

    @property
    def share(self) -> float:
        """How many of the cases are odd, of all: from 0 to 1."""
        return self.odd / self.cases if self.cases else 0.0

    def add(self, where: str, notes: CaseNotes) -> Problems:
        """Count a case, once however often it is played; the warnings that are the first of their kind."""
        key = blake2b(where.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        if key in self._seen:
            return ()
        self._seen.add(key)
        self.cases += 1
        self._note_idle(notes)
        told = [problem for problem in notes.problems if problem.code not in _IDLE]
        self.odd += any(problem.code in ODD for problem in told)
        return tuple(problem for problem in told if self._is_first(where, problem))

    def _is_first(self, where: str, problem: Diagnostic) -> bool:
        subject = str(problem.values.get("field") or problem.values.get("name") or "")
        kind = self.kinds.setdefault((problem.code, subject), WarningKind(problem.code, subject, problem))
        kind.count += 1
        if len(kind.examples) < EXAMPLES:
            seen = str(problem.values.get("text", ""))[:_LONGEST]
            kind.examples.append(f"{where}: {seen}" if seen else where)
        return kind.count == 1

    def _note_idle(self, notes: CaseNotes) -> None:
        if notes.idle is None:
            return
        rules, absent = notes.idle.nothing, frozenset(notes.idle.nothing) - notes.idle.unclear
        before = self._idle.get(notes.binding)
        if before is not None:
            rules = {name: span for name, span in before.rules.items() if name in rules}
            absent |= before.absent
        self._idle[notes.binding] = _Idle(before.cases + 1 if before is not None else 1, rules, absent)

    def idle(self) -> Problems:
        """A warning for each rule that found nothing in any of several cases, whether they came in one file or many."""
        return tuple(
            diagnose.unmatched_binding_rule(span, name=name, count=idle.cases, severity="warning")
            for idle in self._idle.values()
            if idle.cases > 1
            for name, span in idle.rules.items()
            if name in idle.absent and (": " not in name or name.partition(": ")[0] not in idle.rules)
        )

    def row(self) -> dict[str, Any]:
        """As records and JSON have it."""
        kinds: Sequence[WarningKind] = sorted(self.kinds.values(), key=lambda kind: -kind.count)
        idle = [str(problem.values["name"]) for problem in self.idle()]
        return {"cases": self.cases, "odd": self.odd, "warnings": [kind.row() for kind in kinds], "idle": idle}
