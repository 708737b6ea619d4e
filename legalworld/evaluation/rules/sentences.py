"""The punishments of a verdict against those of the reference."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from typing import Final

from ...law.text.decision_verdicts import acquits
from ...law.text.decisions import regions
from ...law.text.lexicon import pattern
from ...law.text.numerals import fold
from ...law.text.punishments import Defendant, Sentence
from ...law.text.verdicts import verdict
from ...model.case import texts
from ...model.immutable import immutable
from ...model.source import Span
from ..metrics.matching import both_or_neither, exact_match
from ..metrics.numbers import WORST_DEVIATION, relative_error, verdict_deviation, within
from ..metrics.values import MissingScore, Reason, Value, mean_of
from ..rubric.definition import Selection
from .rule import REMEMBERED, RuleInput, RuleResult
from .texts import normal

_MONTHS: Final = re.compile(r"\s*(\d{1,4})\s*-\s*(\d{1,4})?\s*")
HERE: Final = Span("", 0, 0)


@immutable
class Punishment:
    """Of one defendant. Months are infinite for life and death; all are 0 where not imposed, fines in yuan."""

    months: float
    probation: float
    fine: float
    charges: frozenset[str]
    who: str = ""


@lru_cache(REMEMBERED)
def punishments(text: str) -> tuple[Punishment, ...]:
    """The punishments that a verdict imposes, defendant by defendant; none where the text is no verdict. Somebody
    without a name, whom nobody convicts of anything, is talk of punishments beside those who are sentenced."""
    every = [one for one in verdict(text).defendants if _decided(one)]
    sentenced = [one for one in every if one.who or any(count.charge for count in one.counts)]
    return tuple(map(_punishment, sentenced or every))


def _decided(defendant: Defendant) -> bool:
    """Whether a verdict says what becomes of somebody: reasons that name a crime are none."""
    return defendant.final.penalty is not None or any(
        count.sentence is not None and count.sentence.penalty is not None for count in defendant.counts
    )


def _punishment(defendant: Defendant) -> Punishment:
    final = defendant.final
    charges = frozenset(normal(count.charge) for count in defendant.counts if count.charge)
    if final.penalty and (acquits(final.penalty) or (not charges and not _lasting(final))):
        charges = frozenset((normal(final.penalty),))  # whatever it names, that is what the verdict says instead
    months = math.inf if final.life or final.death else _months(final.months, final.days)
    probation = _months(final.probation_months, final.probation_days)
    return Punishment(months, probation, float(final.fine or 0), charges, defendant.who or "")


def _lasting(final: Sentence) -> bool:
    return bool(final.months or final.days or final.life or final.death)


def _months(months: int | None, days: int | None) -> float:
    return float(months or 0) + float(days or 0) / 30


def sentence(case: RuleInput) -> RuleResult | MissingScore:
    """One figure of the punishments (`of: months | probation | fine | charge`), compared (`as`).

    equal: 1 or 0. both: whether both impose it or neither. log: capped deviation of the logarithms as a share, 1 the
    worst (J1-Eval, SEN, FINE). relative: |p - t| / t (SimCourt). hit: within the statutory range (SimCourt): arguments
    `low` and `high`, or those of each defendant in the field that `range` names. Of several defendants the mean, each
    against the one of the same name or place.
    """
    imposed, expected = punishments(_stated(case.text)), punishments(case.expected_text)
    if not expected:
        return MissingScore(Reason.NO_REFERENCE)
    if not imposed:
        return MissingScore(Reason.MISSING)
    known = frozenset(person.name for person in case.stored.persons.values() if person.name)
    values: list[Value] = []
    for place, truth in enumerate(expected):
        values.append(_figure(case, _of_same(truth, place, imposed, known), truth, place))
    mean = mean_of(values)
    if isinstance(mean, MissingScore):
        return next(value for value in values if isinstance(value, MissingScore))
    of = case.argument("of", "months")
    read = (
        [sorted(one.charges) if of == "charge" else getattr(one, of) for one in each] for each in (imposed, expected)
    )
    return RuleResult(mean, " / ".join(map(str, read)), truth=_truth(case, expected))


def _stated(text: str) -> str:
    """A judgment that gives its reasons and has no operative part states no verdict, whatever the reasons propose."""
    reasoned = pattern("decision", "opinion").search(fold(text)) is not None
    return "" if reasoned and regions(text).ordered is None else text


def _truth(case: RuleInput, expected: tuple[Punishment, ...]) -> str:
    """What the reference is, where it is one of a few things: the charges, or whether something is imposed at all."""
    of, how = case.argument("of", "months"), case.argument("as", "equal")
    if of == "charge":
        return "; ".join(", ".join(sorted(one.charges)) for one in expected)
    return "; ".join("yes" if getattr(one, of) > 0 else "no" for one in expected) if how == "both" else ""


def _of_same(
    truth: Punishment, place: int, imposed: tuple[Punishment, ...], known: frozenset[str]
) -> Punishment | None:
    """What is imposed on the person of the reference: by name, else by place, but never what another is punished by.

    By place go those whom one side does not name, or whom the reference calls otherwise than the case does (`known`).
    """
    named = next((one for one in imposed if one.who and one.who == truth.who), None)
    if named is not None or place >= len(imposed):
        return named
    guess = imposed[place]
    silent = not truth.who or not guess.who
    foreign = truth.who not in known and (guess.who in known or not known)
    return guess if silent or foreign else None


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
