"""What a rubric can score by rule. Each rule looks at evidence, reference and its arguments; none knows a procedure.

    RULES["citations"].function(given) -> Result(value=0.8, parts={"precision": 1.0, ...}, reason="...") or a Gap

Sources: LongJud-Bench (exact fields, alignment), J1-Eval (FOR, PFS, VER), SimCourt (hit rate, errors), ASP2LJ (P/R/F1).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Hashable, Mapping, Sequence
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
from .metrics.compliance import form, procedure
from .metrics.matching import Overlap, both_or_neither, counted, exact_match, overlap, recall_at
from .metrics.numbers import WORST_DEVIATION, relative_error, verdict_deviation, within
from .metrics.values import MissingScore, Reason, Value, average
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

_SIGNS: Final = re.compile(r"[\W_]+")
_NUMBERED: Final = re.compile(r"\w{1,4}\s*[.\u3001\uff0e]")
_MONTHS: Final = re.compile(r"\s*(\d{1,4})\s*-\s*(\d{1,4})?\s*")
HERE: Final = Span("", 0, 0)


def normal(text: str) -> str:
    """A text without signs, full-width forms or case: two fields that say the same are the same."""
    return _SIGNS.sub("", unicodedata.normalize("NFKC", text)).casefold()


def _found(given: RuleInput) -> RuleResult | MissingScore:
    """1 when every reference text stands in the evidence, else 0; with `as: share`, the share that does."""
    text = normal(given.text)
    there = [one for one in given.expected if normal(one) in text]
    lacking = [one for one in given.expected if one not in there]
    share = len(there) / len(given.expected)
    value = share if given.argument("as") == "share" else float(not lacking)
    return RuleResult(value, "; ".join(lacking)[:400])


def _equal(given: RuleInput) -> RuleResult | MissingScore:
    """1 when evidence and reference say the same, else 0. `last`: only the last piece of evidence counts."""
    text = given.evidence[-1].text if given.argument("last") else given.text
    return RuleResult(float(any(normal(text) == normal(one) for one in given.expected)), text[:200])


def _labels(given: RuleInput) -> RuleResult | MissingScore:
    """Seq * Label (J1-Eval, FOR): the document's section labels, in order and all there; `labels` overrides them."""
    document = next((piece.document for piece in given.evidence if piece.document), "")
    declared = given.stored.procedure.documents.get(document)
    labels = given.arguments.get("labels") or (declared.sections if declared is not None else ())
    if not labels:
        return MissingScore(Reason.NO_REFERENCE, document)
    places = {label: place[0] for label in labels if (place := label_at(given.text, label)) is not None}
    found = form([label for label, _ in sorted(places.items(), key=lambda one: one[1])], tuple(dict.fromkeys(labels)))
    if isinstance(found, MissingScore):
        return found
    lacking = [label for label in labels if label not in places]
    return RuleResult(found.score, "; ".join(lacking), {"sequence": found.order, "labels": found.labels})


# ---- sets ------------------------------------------------------------------------------------------------------------


def _compared(found: Overlap) -> RuleResult | MissingScore:
    """F1 and its parts; what has no precision, because nothing was given, has no part of that name."""
    if isinstance(found.f1, MissingScore):
        return found.f1
    parts = {"precision": found.precision, "recall": found.recall, "f1": found.f1}
    known = {name: value for name, value in parts.items() if not isinstance(value, MissingScore)}
    shares = {"any": float(found.right > 0), "all": float(found.right == found.expected)}
    return RuleResult(found.f1, f"{found.right} / {found.given} / {found.expected}", {**known, **shares})


def _citations(given: RuleInput) -> RuleResult | MissingScore:
    """The articles cited, as (law, article): set-wise. `of: law` compares the laws alone."""
    whole = given.argument("of") != "law"
    found = _articles(given.text, whole)
    expected = _articles("\n".join(given.expected), whole)
    return _compared(overlap(found, expected))


@lru_cache(REMEMBERED)
def _articles(text: str, whole: bool) -> frozenset[tuple[str, str]]:
    return frozenset(
        (one.law or "", (one.article or "") if whole else "")
        for one in citations(text)
        if one.resolved and (one.article or not whole)
    )


def _amounts(given: RuleInput) -> RuleResult | MissingScore:
    """The sums of money named, set-wise."""
    found, expected = (_sums(text) for text in _both(given))
    return _compared(overlap(found, expected))


@lru_cache(REMEMBERED)
def _sums(text: str) -> frozenset[Hashable]:
    return frozenset(one.amount for one in amounts(text) if isinstance(one, Money))


def _both(given: RuleInput) -> tuple[str, str]:
    return given.text, "\n".join(given.expected)


SIMILAR: Final = 0.5
"""Dice coefficient of two texts' pairs of letters from which they are the same point, their numbers agreeing."""


def _entries(given: RuleInput) -> RuleResult | MissingScore:
    """The entries (lines, items) of evidence and reference, matched one to one, the most similar first."""
    found = _items(given.text)
    expected = [line for text in given.expected for line in _items(text)]
    pairs = sorted(
        ((similarity(a, b), i, j) for i, a in enumerate(found) for j, b in enumerate(expected)),
        key=lambda pair: (-pair[0], pair[1], pair[2]),
    )
    left: set[int] = set()
    right: set[int] = set()
    for score, i, j in pairs:
        if score >= SIMILAR and i not in left and j not in right and _sums(found[i]) == _sums(expected[j]):
            left.add(i)
            right.add(j)
    return _compared(counted(len(left), len(found), len(expected)))


def _items(text: str) -> list[str]:
    """The numbered lines of a text, so that costs and notes below them are no entries; all lines where none is."""
    lines = _lines(text)
    return [line for line in lines if _NUMBERED.match(line) and line[0].isnumeric()] or lines


def _lines(text: str) -> list[str]:
    pieces = re.split(r"[\n；;]+", text)
    return [piece.strip() for piece in pieces if normal(piece)][:200]


def similarity(a: str, b: str) -> float:
    """Dice coefficient of the pairs of neighbouring letters, 0 to 1."""
    left, right = _pairs(a), _pairs(b)
    return 2 * len(left & right) / (len(left) + len(right)) if left or right else 0.0


def _pairs(text: str) -> set[str]:
    plain = normal(text)
    return {plain[i : i + 2] for i in range(len(plain) - 1)} or ({plain} if plain else set())


def _overlap(given: RuleInput) -> RuleResult | MissingScore:
    """How much of the reference's wording stands in the evidence: recall of its pairs of letters."""
    there, wanted = _pairs(given.text), _pairs("\n".join(given.expected))
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
    return tuple(_punishment(one) for one in verdict(text).defendants)


def _punishment(one: Defendant) -> Punishment:
    final = one.final
    charges = frozenset(normal(count.charge) for count in one.counts if count.charge)
    months = math.inf if final.life or final.death else _months(final.months, final.days)
    probation = _months(final.probation_months, final.probation_days)
    return Punishment(months, probation, float(final.fine or 0), charges, one.who or "")


def _months(months: int | None, days: int | None) -> float:
    return float(months or 0) + float(days or 0) / 30


def _sentence(given: RuleInput) -> RuleResult | MissingScore:
    """One figure of the punishments (`of: months | probation | fine | charge`), compared (`as`).

    equal: 1 or 0. both: whether both impose it or neither. log: capped deviation of the logarithms as a share, 1 the
    worst (J1-Eval, SEN, FINE). relative: |p - t| / t (SimCourt). hit: within the statutory range (SimCourt): arguments
    `low` and `high`, or those of each defendant in the field that `range` names. Of several defendants the mean, each
    against the one of his name or place.
    """
    found, expected = (punishments(text) for text in _both(given))
    if not expected:
        return MissingScore(Reason.NO_REFERENCE)
    if not found:
        return MissingScore(Reason.MISSING)
    by_name = {one.who: one for one in found if one.who}
    values: list[Value] = []
    for index, wanted in enumerate(expected):
        one = by_name.get(wanted.who) or (found[index] if index < len(found) else None)
        values.append(_figure(given, one, wanted, index))
    mean = average(values)
    if isinstance(mean.value, MissingScore):
        return next(one for one in values if isinstance(one, MissingScore))
    return RuleResult(mean.value, _told(given, found, expected))


def _told(given: RuleInput, found: Sequence[Punishment], expected: Sequence[Punishment]) -> str:
    of = given.argument("of", "months")
    if of == "charge":
        return f"{[sorted(one.charges) for one in found]} / {[sorted(one.charges) for one in expected]}"
    return f"{[getattr(one, of) for one in found]} / {[getattr(one, of) for one in expected]}"


def _figure(given: RuleInput, one: Punishment | None, wanted: Punishment, place: int) -> Value:
    of, how = given.argument("of", "months"), given.argument("as", "equal")
    if of == "charge":
        return exact_match(one.charges if one is not None else None, wanted.charges)
    truth: float = getattr(wanted, of)
    guess: float | None = getattr(one, of) if one is not None else None
    match how:
        case "both":
            return both_or_neither(guess > 0 if guess is not None else None, truth > 0)
        case "log":
            deviation = verdict_deviation(guess, truth)
            return deviation if isinstance(deviation, MissingScore) else deviation / WORST_DEVIATION
        case "relative":
            return relative_error(guess, truth)
        case "hit":
            return within(guess, *_span(given, place))
        case _:
            return exact_match(guess, truth)


def _span(given: RuleInput, place: int) -> tuple[float | None, float | None]:
    """The statutory range of the defendant at a place, in months: `36-120`, or `120-` without an end; None: untold."""
    low, high, path = (given.argument(name) for name in ("low", "high", "range"))
    if low or high:
        return float(low or 0), float(high or "inf")
    name, *keys = path.split(".")
    found = given.stored.field(Selection("field", HERE, name=name, keys=tuple(keys)), given.unit)
    ranges = [text for value in found for text in texts(value)]
    match = _MONTHS.fullmatch(ranges[place]) if place < len(ranges) else None
    return (float(match[1]), float(match[2] or "inf")) if match else (None, None)


# ---- what happened ---------------------------------------------------------------------------------------------------


def _performed(given: RuleInput) -> RuleResult | MissingScore:
    """A checklist that the driver of a hearing worked through (J1-Eval, PFS; `following.procedure`).

    Parts: act, sta, uni, and merged, the number of turns in which several items were done. `without`: stages that do
    not count.
    """
    name = given.argument("checklist")
    tasks = [
        one
        for one in given.stored.procedure.checklists.get(name, ())
        if one.stage not in given.arguments.get("without", ())
    ]
    if not tasks:
        return MissingScore(Reason.NO_REFERENCE, name)
    turns = [(event, turn) for event, turn in given.stored.timed(e.Performed) if event.checklist == name]
    stages: dict[str, tuple[int, ...]] = {}
    for task in tasks:
        stages[task.stage] = (*stages.get(task.stage, ()), task.n)
    found = procedure(stages, [event.items for event, _ in turns])
    if isinstance(found, MissingScore):
        return found
    done = {item for event, _ in turns for item in event.items}
    lacking = "; ".join(task.text for task in tasks if task.n not in done)
    parts = {
        "act": found.actions,
        "sta": found.stages,
        "uni": found.several_turns,
        "merged": float(len(found.merged)),
    }
    return RuleResult(found.score, lacking[:400], parts, tuple(dict.fromkeys(turn for _, turn in turns)))


def _covered(given: RuleInput) -> RuleResult | MissingScore:
    """The share of topics that were raised, of as many as the reference has."""
    raised = {event.n: turn for event, turn in given.stored.timed(e.Raised)}
    count = sum(len(value) if isinstance(value, tuple) else 1 for value in given.reference)
    if not count:
        return MissingScore(Reason.NO_REFERENCE)
    return RuleResult(min(len(raised) / count, 1.0), f"{len(raised)} / {count}", turns=tuple(raised.values()))


def _reviewed(given: RuleInput) -> RuleResult | MissingScore:
    """The mean of what reviewers scored the heard drafts of the target in all (ASP2LJ, argument score)."""
    who = given.stored.who(("target",)) if given.argument("of") == "target" else None
    wanted = given.argument("score")
    found = []
    turns = []
    for event, turn in given.stored.timed(e.Reviewed):
        if not event.heard or not event.scores:
            continue
        if who is None or event.person in who:
            found.append(event.scores.get(wanted, 0.0) if wanted else math.fsum(event.scores.values()))
            turns.append(turn)
    return (
        RuleResult(math.fsum(found) / len(found), f"n={len(found)}", turns=tuple(turns))
        if found
        else MissingScore(Reason.MISSING)
    )


def _retrieved(given: RuleInput) -> RuleResult | MissingScore:
    """Recall@k (ASP2LJ): of the reference's articles, those among the first `k` that searches of the target brought."""
    limit = int(given.argument("k", "100"))
    expected = _articles("\n".join(given.expected), True)
    if not expected:
        return MissingScore(Reason.NO_REFERENCE)
    found: list[tuple[str, str]] = []
    for event, _ in given.stored.timed(e.Called):
        if not event.refused:
            found += sorted(_articles(event.result, True))
    share = recall_at(list(dict.fromkeys(found)), expected, limit)
    return (
        share
        if isinstance(share, MissingScore)
        else RuleResult(share, f"{len(set(found) & expected)} / {len(expected)}")
    )


def _clean(given: RuleInput) -> RuleResult | MissingScore:
    """The share of the target's turns in which no rule of conduct or of form was broken."""
    who = given.stored.who(("target",))
    asked = {event.id for event in given.stored.events if isinstance(event, e.Asked) and event.person in who}
    broken = {event.request: event.rule for event in given.stored.events if isinstance(event, e.Violated)}
    wrong = asked & broken.keys()
    if not asked:
        return MissingScore(Reason.MISSING)
    turns = tuple(sorted(given.stored.numbers[request] for request in wrong))
    return RuleResult(1 - len(wrong) / len(asked), "; ".join(sorted({broken[one] for one in wrong})), turns=turns)


def _happened(given: RuleInput) -> RuleResult | MissingScore:
    """1 when the run ended with one of the `outcomes`, or came to one of the `places`; else 0."""
    outcomes, places = given.arguments.get("outcomes", ()), given.arguments.get("places", ())
    hit = given.stored.outcome in outcomes or bool(given.stored.entered.intersection(places))
    return RuleResult(float(hit), given.stored.outcome)


_PRF: Final = ("precision", "recall", "f1", "any", "all")
_MANY: Final = 1e6

RULES: Final[Mapping[str, Rule]] = {
    "found": Rule(_found, arguments=("as",)),
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
