"""A card tried: cases that it was made from and cases held out, each played without it and with it.

gain = s * reflected + (1 - s) * held-out, s the share of the cases that were reflected on (LegalWorld, table 4)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from ..batch.play import BatchOutcome
from ..evaluation.metrics.intervals import Bounds
from ..evaluation.metrics.statistics import Difference, Mean, adjusted, by_cluster, difference, mean, origin
from ..evaluation.metrics.values import MissingScore, Reason, Value, number
from ..evaluation.rubric.definition import Formula
from ..language import diagnose
from ..model.immutable import immutable
from ..model.source import Span
from ..runs.project import Problems, Project
from .card import GrownCard, as_markdown
from .equipped import equipped
from .grow import (
    Grown,
    Growth,
    MatterRun,
    Tell,
    case_digest,
    common_words,
    figures,
    grow,
    matters_of,
    played,
    scored,
    traces_of,
)
from .session import BASE, HELD_OUT, WITH

ROWS: Final = ("reflected", "held_out", "together")


@immutable
class CaseFigure:
    """A case without the card and with it, as the rubric shows its figures; None where there is none."""

    group: str
    case: str
    base: float | None
    card: float | None

    @property
    def delta(self) -> float | None:
        return None if self.base is None or self.card is None else self.card - self.base


@immutable
class GroupEffect:
    """A row of the table: `reflected`, `held_out`, or both `together`. `delta`: with the card minus without it.

    `adjusted`: its p as one of those of `reflected` and `held_out`; that of both together stands by itself.
    """

    group: str
    base: Mean
    card: Mean
    delta: Difference
    adjusted: float | None
    left_out: int


@immutable
class CardTrial:
    """What came of a card. `share`: of the cases that were reflected on; `gain`: see `gain`."""

    card: GrownCard
    formula: Formula
    cases: tuple[CaseFigure, ...]
    effects: tuple[GroupEffect, ...]
    share: float | None
    gain: Value
    offline: bool
    grader: str


def gain(share: float, reflected: Value, held_out: Value) -> Value:
    """s * reflected + (1 - s) * held-out, in the unit of the figures; missing where a part that counts is missing."""
    if isinstance(reflected, MissingScore) or isinstance(held_out, MissingScore):
        return MissingScore(Reason.EMPTY)
    return share * reflected + (1 - share) * held_out


def trial(growth: Growth, card: GrownCard, cases: Sequence[CaseFigure]) -> CardTrial:
    """The figures of cases put together."""
    bounds = _bounds(growth.formula)
    rows = [_effect(group, [one for one in cases if group in (one.group, ROWS[-1])], bounds) for group in ROWS]
    p_values = adjusted({row.group: row.delta.p for row in rows[:2]})
    effects = tuple(
        GroupEffect(row.group, row.base, row.card, row.delta, p_values.get(row.group, row.delta.p), row.left_out)
        for row in rows
    )
    counts = [row.delta.n for row in effects[:2]]
    share = counts[0] / sum(counts) if sum(counts) else None
    parts = [row.delta.value if row.delta.n else MissingScore(Reason.EMPTY) for row in effects[:2]]
    total = gain(share, parts[0], parts[1]) if share is not None else MissingScore(Reason.EMPTY)
    asked = growth.asked
    offline = all(word.rpartition("=")[2].startswith("offline") for word in asked.models)
    return CardTrial(card, growth.formula, tuple(cases), effects, share, total, offline, asked.grader)


def _bounds(formula: Formula) -> Bounds | None:
    """The least and greatest figure, as it is shown."""
    return (formula.lowest * formula.scale, formula.highest * formula.scale) if formula.bounded else None


def _effect(group: str, cases: Sequence[CaseFigure], bounds: Bounds | None) -> GroupEffect:
    whole = [one for one in cases if one.base is not None and one.card is not None]
    base: dict[str, Value] = {f"{one.group} {one.case}": one.base for one in whole if one.base is not None}
    card: dict[str, Value] = {f"{one.group} {one.case}": one.card for one in whole if one.card is not None}
    without, tried = (mean(by_cluster(one, origin).values(), bounds) for one in (base, card))
    return GroupEffect(group, without, tried, difference(card, base, bounds, origin), None, len(cases) - len(whole))


# ---- playing it ------------------------------------------------------------------------------------------------------


@immutable
class TriedCard:
    """What came of a comparison; `trial` is None where it is to be gone on with, or there is no card."""

    trial: CardTrial | None
    grown: Grown
    problems: Problems
    interrupted: bool = False


def compare(growth: Growth, held_out: Sequence[str], tell: Tell) -> TriedCard | Problems:
    """Finish the session where it is not finished, then play the held-out cases. Raises OSError."""
    reflected, problems = matters_of(growth, growth.asked.cases)
    others, wrong = matters_of(growth, held_out)
    if wrong := (*wrong, *_both(reflected, others)):
        return wrong
    grown = grow(growth, tell)
    if isinstance(grown, tuple):
        return grown
    if grown.card is None or grown.interrupted:
        return TriedCard(None, grown, grown.problems, interrupted=grown.interrupted)
    if telling := _telling(growth, grown.card, others):
        return telling
    text = as_markdown(_untried(grown.card))
    project = equipped(growth.project, grown.card.name, text)
    assert isinstance(project, Project)  # it was linked when it was kept
    cases: list[CaseFigure] = []
    problems = grown.problems
    for group, matters, folder in (("reflected", reflected, growth.out), ("held_out", others, growth.out / HELD_OUT)):
        outcomes = [
            played(growth, growth.project, matters, folder / BASE, tell),
            played(growth, project, matters, folder / WITH, tell),
        ]
        if any(map(_stopped, outcomes)):
            stops = tuple(problem for outcome in outcomes for problem in outcome.problems)
            return TriedCard(None, grown, (*problems, *stops), interrupted=True)
        sides: list[Mapping[str, Value]] = []
        for outcome in outcomes:
            evaluations, unscored = scored(growth, outcome)
            problems += (*outcome.problems, *unscored)
            sides.append(figures(growth, evaluations, matters))
        base, card = sides
        names = [one.matter.case.id for one in matters]
        cases += [CaseFigure(group, name, number(base.get(name)), number(card.get(name))) for name in names]
    return TriedCard(trial(growth, grown.card, cases), grown, tuple(dict.fromkeys(problems)))


def _stopped(outcome: BatchOutcome) -> bool:
    return outcome.interrupted or any(one.status in ("stopped", "interrupted") for one in outcome.results)


def _untried(card: GrownCard) -> GrownCard:
    """The version as it was played: without the figures that came of it."""
    return replace(card, before=None, after=None)


def _both(reflected: Sequence[MatterRun], others: Sequence[MatterRun]) -> Problems:
    """A problem for each case that is said to be held out and was reflected on, by its name or by what it says."""
    known = {one.matter.case.id: one.where for one in reflected}
    known |= {case_digest(one.matter): one.where for one in reflected}
    found = ((one, known.get(one.matter.case.id) or known.get(case_digest(one.matter))) for one in others)
    return tuple(
        diagnose.reflected_case_held_out(Span(one.where, 0, 0), id=one.matter.case.id, other=other)
        for one, other in found
        if other is not None
    )


def _telling(growth: Growth, card: GrownCard, others: Sequence[MatterRun]) -> Problems:
    """A problem for each held-out case of which the card says something: it would not be held out."""
    traces = traces_of(growth, others, common_words(growth, others))
    return tuple(
        diagnose.card_tells_of_case(str(growth.out), card=card.id, id=one.matter.case.id, words=fault.words)
        for one, case in zip(others, traces, strict=True)
        for fault in case.found(card.said)[:1]
    )
