"""What a rubric can score by rule. Each rule looks at evidence, reference and its arguments; none knows a procedure.

    RULES["citations"].function(case) -> RuleResult(value=0.8, parts={"precision": 1.0, ...}) or a MissingScore

Sources: LongJud-Bench (exact fields, alignment), J1-Eval (FOR, PFS, VER), SimCourt (hit rate, errors), ASP2LJ (P/R/F1).
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

from ..law.text.amounts import amounts
from ..law.text.citations import citations
from ..law.text.money import Money
from ..law.text.punishments import Defendant
from ..law.text.verdicts import verdict
from ..model import events as e
from ..model.case import Value as Datum
from ..model.case import texts
from ..model.source import Span
from ..model.text import SIGNS, folded
from .metrics.compliance import form, procedure
from .metrics.matching import Overlap, both_or_neither, counted, exact_match, overlap, recall_at
from .metrics.numbers import WORST_DEVIATION, relative_error, verdict_deviation, within
from .metrics.values import MissingScore, Reason, Value, mean_of
from .rubric.definition import Selection
from .rubric.formulas import Range
from .sections import label_at
from .stored_run import EvidencePiece, Stored, Unit

Arguments = Mapping[str, tuple[str, ...]]
REMEMBERED: Final = 64  # texts that are read once: the reference of a case is that of all its runs


@dataclass(frozen=True)
class RuleInput:
    """What a rule is given for one unit."""

    stored: Stored
    unit: Unit
    evidence: tuple[EvidencePiece, ...]
    reference: tuple[Datum, ...]
    arguments: Arguments

    @cached_property
    def text(self) -> str:
        return "\n".join(piece.text for piece in self.evidence)

    @cached_property
    def expected(self) -> tuple[str, ...]:
        """The texts of the reference, one by one."""
        return tuple(text for value in self.reference for text in texts(value) if text.strip())

    @cached_property
    def expected_text(self) -> str:
        """The same as one text."""
        return "\n".join(self.expected)

    def argument(self, name: str, default: str = "") -> str:
        return next(iter(self.arguments.get(name, ())), default)


@dataclass(frozen=True, slots=True)
class RuleResult:
    """`turns`: those of the evidence that count, None: all of it."""

    value: float
    reason: str = ""
    parts: Mapping[str, float] = field(default_factory=dict)
    turns: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
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
        """Of its value with some arguments: with a comparison (`as`) that gives a share, or with none, 0 to 1."""
        how = next(iter(arguments.get("as", ())), "")
        return (0.0, 1.0) if self.shares and (not how or how in self.shares) else self.range


# ---- texts -----------------------------------------------------------------------------------------------------------

_NUMBERED: Final = re.compile(r"\w{1,4}\s*[.\u3001\uff0e]")
_MONTHS: Final = re.compile(r"\s*(\d{1,4})\s*-\s*(\d{1,4})?\s*")
HERE: Final = Span("", 0, 0)


def normal(text: str) -> str:
    """A text without signs, full-width forms or case: two fields that say the same are the same."""
    return folded(text, SIGNS)


def _stands(case: RuleInput) -> RuleResult | MissingScore:
    """1 when every reference text stands in the evidence, else 0; with `as: share`, the share that does."""
    text = normal(case.text)
    lacking = [expected for expected in case.expected if normal(expected) not in text]
    share = (len(case.expected) - len(lacking)) / len(case.expected)
    value = share if case.argument("as") == "share" else float(not lacking)
    return RuleResult(value, "; ".join(lacking)[:400])


def _equal(case: RuleInput) -> RuleResult | MissingScore:
    """1 when evidence and reference say the same, else 0. `last`: only the last piece of evidence counts."""
    text = case.evidence[-1].text if case.argument("last") else case.text
    return RuleResult(float(normal(text) in map(normal, case.expected)), text[:200])


def _labels(case: RuleInput) -> RuleResult | MissingScore:
    """Seq * Label (J1-Eval, FOR): the document's section labels, in order and all there; `labels` overrides them."""
    document = next((piece.document for piece in case.evidence if piece.document), "")
    declared = case.stored.procedure.documents.get(document)
    labels = case.arguments.get("labels") or (declared.sections if declared is not None else ())
    if not labels:
        return MissingScore(Reason.NO_REFERENCE, document)
    places = {label: place[0] for label in labels if (place := label_at(case.text, label)) is not None}
    ordered = sorted(places, key=places.__getitem__)
    score = form(ordered, tuple(dict.fromkeys(labels)))
    if isinstance(score, MissingScore):
        return score
    lacking = [label for label in labels if label not in places]
    return RuleResult(score.score, "; ".join(lacking), {"sequence": score.order, "labels": score.labels})


# ---- sets ------------------------------------------------------------------------------------------------------------


def _compared(sets: Overlap) -> RuleResult | MissingScore:
    """F1 and its parts; what has no precision, because nothing was given, has no part of that name."""
    if isinstance(sets.f1, MissingScore):
        return sets.f1
    figures = {"precision": sets.precision, "recall": sets.recall, "f1": sets.f1}
    parts = {name: value for name, value in figures.items() if not isinstance(value, MissingScore)}
    parts |= {"any": float(sets.right > 0), "all": float(sets.right == sets.expected)}
    return RuleResult(sets.f1, f"{sets.right} / {sets.given} / {sets.expected}", parts)


def _citations(case: RuleInput) -> RuleResult | MissingScore:
    """The articles cited, as (law, article): set-wise. `of: law` compares the laws alone."""
    whole = case.argument("of") != "law"
    return _compared(overlap(_articles(case.text, whole), _articles(case.expected_text, whole)))


@lru_cache(REMEMBERED)
def _articles(text: str, whole: bool) -> frozenset[tuple[str, str]]:
    return frozenset(
        (citation.law or "", (citation.article or "") if whole else "")
        for citation in citations(text)
        if citation.resolved and (citation.article or not whole)
    )


def _amounts(case: RuleInput) -> RuleResult | MissingScore:
    """The sums of money named, set-wise."""
    return _compared(overlap(_sums(case.text), _sums(case.expected_text)))


@lru_cache(REMEMBERED)
def _sums(text: str) -> frozenset[Hashable]:
    return frozenset(money.amount for money in amounts(text) if isinstance(money, Money))


SIMILAR: Final = 0.5
"""Dice coefficient of two texts' pairs of letters from which they are the same point, their numbers agreeing."""


def _entries(case: RuleInput) -> RuleResult | MissingScore:
    """The entries (lines, items) of evidence and reference, matched one to one, the most similar first."""
    entries = _items(case.text)
    expected = [line for text in case.expected for line in _items(text)]
    pairs = sorted(
        ((similarity(a, b), i, j) for i, a in enumerate(entries) for j, b in enumerate(expected)),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    left: set[int] = set()
    right: set[int] = set()
    for score, i, j in pairs:
        if score >= SIMILAR and i not in left and j not in right and _sums(entries[i]) == _sums(expected[j]):
            left.add(i)
            right.add(j)
    return _compared(counted(len(left), len(entries), len(expected)))


def _items(text: str) -> list[str]:
    """The numbered lines of a text, so that costs and notes below them are no entries; all lines where none is."""
    pieces = re.split(r"[\n；;]+", text)
    lines = [piece.strip() for piece in pieces if normal(piece)][:200]
    return [line for line in lines if _NUMBERED.match(line) and line[0].isnumeric()] or lines


def similarity(a: str, b: str) -> float:
    """Dice coefficient of the pairs of neighbouring letters, 0 to 1."""
    left, right = _pairs(a), _pairs(b)
    return 2 * len(left & right) / (len(left) + len(right)) if left or right else 0.0


def letter_pairs(text: str) -> set[str]:
    """The pairs of neighbouring letters, signs left out; none of a text of one letter."""
    plain = normal(text)
    return {plain[i : i + 2] for i in range(len(plain) - 1)}


def _pairs(text: str) -> set[str]:
    """The same; a single letter stands for itself."""
    return letter_pairs(text) or {normal(text)} - {""}


def _overlap(case: RuleInput) -> RuleResult | MissingScore:
    """How much of the reference's wording stands in the evidence: recall of its pairs of letters."""
    there, wanted = _pairs(case.text), _pairs(case.expected_text)
    return RuleResult(len(there & wanted) / len(wanted)) if wanted else MissingScore(Reason.NO_REFERENCE)


# ---- sentences -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Punishment:
    """Of one defendant. Months are infinite for life and death; all are 0 where not imposed, fines in yuan."""

    months: float
    probation: float
    fine: float
    charges: frozenset[str]
    who: str = ""


@lru_cache(REMEMBERED)
def punishments(text: str) -> tuple[Punishment, ...]:
    """The punishments that a verdict imposes, defendant by defendant; none where the text is no verdict."""
    return tuple(_punishment(defendant) for defendant in verdict(text).defendants)


def _punishment(defendant: Defendant) -> Punishment:
    final = defendant.final
    charges = frozenset(normal(count.charge) for count in defendant.counts if count.charge)
    months = math.inf if final.life or final.death else _months(final.months, final.days)
    probation = _months(final.probation_months, final.probation_days)
    return Punishment(months, probation, float(final.fine or 0), charges, defendant.who or "")


def _months(months: int | None, days: int | None) -> float:
    return float(months or 0) + float(days or 0) / 30


def _sentence(case: RuleInput) -> RuleResult | MissingScore:
    """One figure of the punishments (`of: months | probation | fine | charge`), compared (`as`).

    equal: 1 or 0. both: whether both impose it or neither. log: capped deviation of the logarithms as a share, 1 the
    worst (J1-Eval, SEN, FINE). relative: |p - t| / t (SimCourt). hit: within the statutory range (SimCourt): arguments
    `low` and `high`, or those of each defendant in the field that `range` names. Of several defendants the mean, each
    against the one of the same name or place.
    """
    imposed, expected = punishments(case.text), punishments(case.expected_text)
    if not expected:
        return MissingScore(Reason.NO_REFERENCE)
    if not imposed:
        return MissingScore(Reason.MISSING)
    by_name = {punishment.who: punishment for punishment in imposed if punishment.who}
    values: list[Value] = []
    for place, truth in enumerate(expected):
        guess = by_name.get(truth.who) or (imposed[place] if place < len(imposed) else None)
        values.append(_figure(case, guess, truth, place))
    mean = mean_of(values)
    if isinstance(mean, MissingScore):
        return next(value for value in values if isinstance(value, MissingScore))
    of = case.argument("of", "months")
    read = (
        [sorted(one.charges) if of == "charge" else getattr(one, of) for one in each] for each in (imposed, expected)
    )
    return RuleResult(mean, " / ".join(map(str, read)))


def _figure(case: RuleInput, guessed: Punishment | None, expected: Punishment, place: int) -> Value:
    of, how = case.argument("of", "months"), case.argument("as", "equal")
    if of == "charge":
        return exact_match(guessed.charges if guessed is not None else None, expected.charges)
    truth: float = getattr(expected, of)
    guess: float | None = getattr(guessed, of) if guessed is not None else None
    match how:
        case "both":
            return both_or_neither(guess > 0 if guess is not None else None, truth > 0)
        case "log":
            deviation = verdict_deviation(guess, truth)
            return deviation if isinstance(deviation, MissingScore) else deviation / WORST_DEVIATION
        case "relative":
            return relative_error(guess, truth)
        case "hit":
            return within(guess, *_span(case, place))
        case _:
            return exact_match(guess, truth)


def _span(case: RuleInput, place: int) -> tuple[float | None, float | None]:
    """The statutory range of the defendant at a place, in months: `36-120`, or `120-` without an end; None: untold."""
    low, high, path = (case.argument(name) for name in ("low", "high", "range"))
    if low or high:
        return float(low or 0), float(high or "inf")
    name, *keys = path.split(".")
    values = case.stored.field(Selection("field", HERE, name=name, keys=tuple(keys)), case.unit)
    ranges = [text for value in values for text in texts(value)]
    match = _MONTHS.fullmatch(ranges[place]) if place < len(ranges) else None
    return (float(match[1]), float(match[2] or "inf")) if match else (None, None)


# ---- what happened ---------------------------------------------------------------------------------------------------


def _performed(case: RuleInput) -> RuleResult | MissingScore:
    """A checklist that the driver of a hearing worked through (J1-Eval, PFS; `compliance.procedure`).

    Parts: act, sta, uni, and merged, the number of turns in which several items were done. `without`: stages that do
    not count.
    """
    name, without = case.argument("checklist"), case.arguments.get("without", ())
    tasks = [task for task in case.stored.procedure.checklists.get(name, ()) if task.stage not in without]
    if not tasks:
        return MissingScore(Reason.NO_REFERENCE, name)
    turns = [(event, turn) for event, turn in case.stored.timed(e.Performed) if event.checklist == name]
    stages: dict[str, tuple[int, ...]] = {}
    for task in tasks:
        stages[task.stage] = (*stages.get(task.stage, ()), task.n)
    score = procedure(stages, [event.items for event, _ in turns])
    if isinstance(score, MissingScore):
        return score
    done = {item for event, _ in turns for item in event.items}
    lacking = "; ".join(task.text for task in tasks if task.n not in done)
    parts = {"act": score.actions, "sta": score.stages, "uni": score.several_turns, "merged": float(len(score.merged))}
    return RuleResult(score.score, lacking[:400], parts, tuple(dict.fromkeys(turn for _, turn in turns)))


def _covered(case: RuleInput) -> RuleResult | MissingScore:
    """The share of topics that were raised, of as many as the reference has."""
    raised = {event.n: turn for event, turn in case.stored.timed(e.Raised)}
    count = sum(len(value) if isinstance(value, tuple) else 1 for value in case.reference)
    if not count:
        return MissingScore(Reason.NO_REFERENCE)
    return RuleResult(min(len(raised) / count, 1.0), f"{len(raised)} / {count}", turns=tuple(raised.values()))


def _reviewed(case: RuleInput) -> RuleResult | MissingScore:
    """The mean of what reviewers scored the heard drafts of the target in all (ASP2LJ, argument score)."""
    who = case.stored.who(("target",)) if case.argument("of") == "target" else None
    wanted = case.argument("score")
    reviews = [
        (event.scores.get(wanted, 0.0) if wanted else math.fsum(event.scores.values()), turn)
        for event, turn in case.stored.timed(e.Reviewed)
        if event.heard and event.scores and (who is None or event.person in who)
    ]
    if not reviews:
        return MissingScore(Reason.MISSING)
    value = math.fsum(score for score, _ in reviews) / len(reviews)
    return RuleResult(value, f"n={len(reviews)}", turns=tuple(turn for _, turn in reviews))


def _retrieved(case: RuleInput) -> RuleResult | MissingScore:
    """Recall@k (ASP2LJ): of the reference's articles, those among the first `k` that searches of the target brought."""
    expected = _articles(case.expected_text, True)
    if not expected:
        return MissingScore(Reason.NO_REFERENCE)
    calls = (event for event, _ in case.stored.timed(e.Called) if not event.refused)
    ranking = list(dict.fromkeys(article for event in calls for article in sorted(_articles(event.result, True))))
    share = recall_at(ranking, expected, int(case.argument("k", "100")))
    if isinstance(share, MissingScore):
        return share
    return RuleResult(share, f"{len(expected.intersection(ranking))} / {len(expected)}")


def _clean(case: RuleInput) -> RuleResult | MissingScore:
    """The share of the target's turns in which no rule of conduct or of form was broken."""
    stored = case.stored
    who = stored.who(("target",))
    asked = {event.id for event in stored.events if isinstance(event, e.Asked) and event.person in who}
    broken = {event.request: event.rule for event in stored.events if isinstance(event, e.Violated)}
    wrong = asked & broken.keys()
    if not asked:
        return MissingScore(Reason.MISSING)
    turns = tuple(sorted(stored.numbers[request] for request in wrong))
    return RuleResult(1 - len(wrong) / len(asked), "; ".join(sorted({broken[each] for each in wrong})), turns=turns)


def _happened(case: RuleInput) -> RuleResult | MissingScore:
    """1 when the run ended with one of the `outcomes`, or came to one of the `places`; else 0."""
    outcomes, places = case.arguments.get("outcomes", ()), case.arguments.get("places", ())
    hit = case.stored.outcome in outcomes or bool(case.stored.entered.intersection(places))
    return RuleResult(float(hit), case.stored.outcome)


_PRF: Final = ("precision", "recall", "f1", "any", "all")
_MANY: Final = 1e6

RULES: Final[Mapping[str, Rule]] = {
    "found": Rule(_stands, arguments=("as",)),
    "equal": Rule(_equal, arguments=("last",)),
    "labels": Rule(_labels, parts=("sequence", "labels"), arguments=("labels",), needs_reference=False),
    "citations": Rule(_citations, parts=_PRF, arguments=("of",)),
    "amounts": Rule(_amounts, parts=_PRF),
    "entries": Rule(_entries, parts=_PRF),
    "overlap": Rule(_overlap),
    "sentence": Rule(
        _sentence, (0.0, _MANY), arguments=("of", "as", "low", "high", "range"), shares=("equal", "both", "hit", "log")
    ),
    "performed": Rule(
        _performed,
        parts=("act", "sta", "uni", "merged"),
        arguments=("checklist", "without"),
        needs_reference=False,
        events=True,
    ),
    "covered": Rule(_covered, events=True),
    "reviewed": Rule(_reviewed, (0.0, _MANY), arguments=("of", "score"), needs_reference=False, events=True),
    "retrieved": Rule(_retrieved, arguments=("k",), events=True),
    "clean": Rule(_clean, needs_reference=False, events=True),
    "happened": Rule(_happened, arguments=("outcomes", "places"), needs_reference=False, events=True),
}
