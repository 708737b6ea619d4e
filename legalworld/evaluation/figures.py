"""Caps on scores, and the figures that the formulas of a rubric make of the scores of one run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from .metrics.values import MissingScore, Reason, Value
from .results import Figure, Score
from .rubric.definition import Cap, FormulaName, Rubric
from .rubric.formulas import Vector, evaluate, names_in

_LOSSES: Final = frozenset({Reason.UNREADABLE, Reason.UNDECIDED})


def scored_names(rubric: Rubric) -> list[str]:
    """Every measure and metric, in the order of the rubric."""
    return [*rubric.measures, *(metric.name for ask in rubric.asks.values() for metric in ask.metrics)]


def capped(scores: Sequence[Score], caps: Sequence[Cap]) -> tuple[Score, ...]:
    """A cap lowers a score where its condition's score for the same unit is true; the raw word stays."""
    by_unit = {(each.item, each.key): each for each in scores}
    lowered_scores = []
    for score in scores:
        for cap in caps:
            if cap.metric != score.item or score.value is None:
                continue
            flag = by_unit.get((cap.when, score.key)) or by_unit.get((cap.when, ""))
            true = flag is not None and flag.value is not None and (flag.value > 0) != cap.negated
            if true and score.value > cap.value:
                rule = f"{'not ' if cap.negated else ''}{cap.when}"
                lowered = {"value": cap.value, "capped": rule, "raw": score.raw or f"{score.value:g}"}
                score = score.model_copy(update=lowered)
        lowered_scores.append(score)
    return tuple(lowered_scores)


def figures(rubric: Rubric, scores: Sequence[Score]) -> tuple[tuple[Figure, ...], Mapping[str, bool | None]]:
    """Every formula over the scores of one run, in the order of the rubric; and the pass conditions."""
    items: dict[str, dict[str, Score]] = {name: {} for name in scored_names(rubric)}
    for score in scores:
        items[score.item][score.key] = score
    vectors: dict[str, Vector | Value] = {
        name: {key: score.outcome for key, score in units.items()} for name, units in items.items()
    }
    for group, members in rubric.groups.items():
        vectors[group] = {f"{name}/{key}": value for name in members for key, value in _vector(vectors[name]).items()}

    def look(name: FormulaName) -> Vector | Value:
        if not name.part:
            return vectors[name.name]
        return {key: _part(score, name.part) for key, score in items[name.name].items()}

    every = []
    behind = items_behind(rubric) if any(score.gap in _LOSSES for score in scores) else {}
    for formula in rubric.formulas.values():
        due = [score for name in behind.get(formula.name, ()) for score in items[name].values()]
        value: Value = _lost(due, rubric.needs) or evaluate(formula.expression, look)
        vectors[formula.name] = value
        if isinstance(value, MissingScore):
            every.append(Figure(formula=formula.name, value=None, gap=value.why, detail=value.detail))
        else:
            every.append(Figure(formula=formula.name, value=float(value)))
    passes: dict[str, bool | None] = {}
    for name, expression in rubric.passes.items():
        due = [
            score for one in names_in(expression) for item in behind.get(one.name, ()) for score in items[item].values()
        ]
        verdict: Value = _lost(due, rubric.needs) or evaluate(expression, look)
        passes[name] = None if isinstance(verdict, MissingScore) else verdict > 0
    return tuple(every), passes


def items_behind(rubric: Rubric) -> Mapping[str, frozenset[str]]:
    """Formula -> the items that it is made of, through groups and other formulas."""
    behind: dict[str, frozenset[str]] = {name: frozenset({name}) for name in scored_names(rubric)}
    behind |= {name: frozenset(members) for name, members in rubric.groups.items()}
    for formula in rubric.formulas.values():
        behind[formula.name] = frozenset().union(*(behind[one.name] for one in names_in(formula.expression)))
    return behind


def _lost(due: Sequence[Score], needs: float) -> MissingScore | None:
    """Say where what is left is not the figure but its easier part: too many replies could not be read, or something
    rests on a decision that leaves claims undecided, which is not averaged with what was decided."""
    undecided = sum(score.gap is Reason.UNDECIDED for score in due)
    if undecided:
        return MissingScore(Reason.UNDECIDED, f"{undecided} / {len(due)}")
    lost = sum(score.gap is Reason.UNREADABLE for score in due)
    there = sum(score.value is not None for score in due)
    if lost and there < needs * (there + lost):
        return MissingScore(Reason.INCOMPLETE, f"{there} / {there + lost}")
    return None


def _part(score: Score, part: str) -> Value:
    """A further figure of a rule; what a rubric says a missing score is worth is worth it in every part."""
    if score.value is None or score.gap is not None:
        return score.outcome
    return score.parts[part] if part in score.parts else MissingScore(Reason.MISSING, part)


def _vector(value: Vector | Value) -> Vector:
    return value if isinstance(value, Mapping) else {"": value}
