"""Scoring one stored run by one rubric: a generator that yields questions for the grader and is sent its replies.

scoring = score(rubric, stored, templates)
try:
    questions = next(scoring)                       # all at once: they may be answered in any order
    while True:
        questions = scoring.send(replies)           # those that are asked once more, more strictly
except StopIteration as done:
    scores, figures, passes = done.value
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..templates.template_set import TemplateSet
from .grading import Graded, Question, graded, judged, question, stricter
from .metrics.values import MissingScore, Reason, Value
from .results import Figure, Score
from .rubric.definition import Ask, Cap, FormulaName, Measure, Rubric, RubricItem
from .rubric.formulas import Vector, evaluate
from .rules import RULES, RuleInput, RuleResult
from .stored_run import EvidencePiece, Stored, Unit


@dataclass(frozen=True, slots=True)
class Scored:
    scores: tuple[Score, ...]
    figures: tuple[Figure, ...]
    passes: Mapping[str, bool | None]


Scoring = Generator[tuple[Question, ...], tuple[str, ...], Scored]


def score(rubric: Rubric, stored: Stored, templates: TemplateSet, *, grader: str = "") -> Scoring:
    """All scores and figures of a run. `grader` is named with each score that it gave."""
    found: list[Score] = []
    for measure in rubric.measures.values():
        found += _measured(stored, measure)
    questions: list[Question] = []
    for ask in rubric.asks.values():
        asked, gaps = _asked(rubric, stored, ask, templates)
        questions += asked
        found += gaps
    found += yield from _graded(questions, templates, grader)
    order = {name: number for number, name in enumerate(_names(rubric))}
    scores = _capped(tuple(sorted(found, key=lambda one: order[one.item])), rubric.caps)
    return Scored(scores, *figures(rubric, scores))


def _names(rubric: Rubric) -> list[str]:
    return [*rubric.measures, *(metric.name for ask in rubric.asks.values() for metric in ask.metrics)]


# ---- rules -----------------------------------------------------------------------------------------------------------


def _measured(stored: Stored, measure: Measure) -> list[Score]:
    item = measure.item
    units = stored.units(item)
    if isinstance(units, MissingScore):
        return [_gap(item.name, "", item.title, units)]
    return [_by_rule(stored, measure, unit) for unit in units]


def _by_rule(stored: Stored, measure: Measure, unit: Unit) -> Score:
    item, rule = measure.item, RULES[measure.rule]
    evidence = stored.evidence(item, unit)
    reference = stored.reference(item, unit)
    outcome: RuleResult | MissingScore
    if rule.needs_reference and not reference:
        outcome = MissingScore(Reason.NO_REFERENCE)
    elif not rule.events and not _said(evidence):
        outcome = MissingScore(Reason.MISSING)
    else:
        outcome = rule.function(RuleInput(stored, unit, evidence, reference, measure.arguments))
    if isinstance(outcome, MissingScore):
        return _filled(_gap(item.name, unit.key, unit.title or item.title, outcome), item)
    found = Score(
        item=item.name,
        key=unit.key,
        title=unit.title or item.title,
        value=outcome.value,
        reason=outcome.reason,
        by=f"rule {measure.rule}",
        parts=dict(outcome.parts),
        **_rests(evidence),
    )
    return found if outcome.turns is None else found.model_copy(update={"turns": outcome.turns})


def _said(evidence: Sequence[EvidencePiece]) -> bool:
    return any(piece.text.strip() for piece in evidence)


def _rests(evidence: Sequence[EvidencePiece]) -> dict[str, tuple[int, ...] | tuple[str, ...]]:
    """The turns and documents that a score rests on."""
    return {
        "turns": tuple(dict.fromkeys(piece.turn for piece in evidence if piece.turn)),
        "documents": tuple(dict.fromkeys(piece.document for piece in evidence if piece.document)),
    }


def _gap(name: str, key: str, title: str, gap: MissingScore) -> Score:
    return Score(item=name, key=key, title=title, value=None, gap=gap.why, detail=gap.detail)


def _filled(one: Score, item: RubricItem) -> Score:
    """What is missing has the value that the rubric gives it, if it gives one; it stays marked."""
    if one.gap is Reason.MISSING and item.missing.policy == "value":
        return one.model_copy(update={"value": item.missing.value, "by": "rule missing"})
    return one


# ---- the grader ------------------------------------------------------------------------------------------------------


def _asked(rubric: Rubric, stored: Stored, ask: Ask, templates: TemplateSet) -> tuple[list[Question], list[Score]]:
    """The questions of an item, and the scores that need no question."""
    units = stored.units(ask.item)
    if isinstance(units, MissingScore):
        return [], [_gap(metric.name, "", metric.title, units) for metric in ask.metrics]
    ready, gaps = [], []
    for unit in units:
        evidence, reference = stored.evidence(ask.item, unit), stored.compared(ask.item, unit)
        gap = MissingScore(Reason.NO_REFERENCE) if ask.item.reference and not reference else None
        gap = (
            MissingScore(Reason.MISSING)
            if gap is None and (not _said(evidence) or _silent(stored, ask, evidence))
            else gap
        )
        if gap is None:
            ready.append((unit, evidence, reference))
        else:
            title = unit.title or ask.item.title
            gaps += [_filled(_gap(metric.name, unit.key, title, gap), ask.item) for metric in ask.metrics]
    groups = [ready] if ask.together and ready else [[one] for one in ready]
    return [question(rubric, stored, ask, group, templates) for group in groups], gaps


def _silent(stored: Stored, ask: Ask, evidence: Sequence[EvidencePiece]) -> bool:
    """Whether the target, whose words are graded among those of others, said nothing himself."""
    if not judged(ask) or not any(one.kind == "turns" and not one.who for one in ask.item.evidence):
        return False
    target = stored.who(("target",))
    return not any(piece.person in target and piece.text.strip() for piece in evidence)


def _graded(
    questions: Sequence[Question], templates: TemplateSet, grader: str
) -> Generator[tuple[Question, ...], tuple[str, ...], list[Score]]:
    """Ask; what cannot be read is asked once more, more strictly; what still cannot be read is no score."""
    found: list[Score] = []
    waiting = list(questions)
    for last in (False, True):
        if not waiting:
            break
        replies = yield tuple(waiting)
        again = []
        for asked, reply in zip(waiting, replies, strict=True):
            read = graded(asked, reply)
            if isinstance(read, str) and not last:
                again.append(replace(asked, messages=stricter(asked, reply, templates)))
            else:
                found += _scores(asked, read, reply, grader)
        waiting = again
    return found


def _scores(asked: Question, read: Mapping[tuple[str, str], Graded] | str, reply: str, grader: str) -> list[Score]:
    found = []
    shown = {unit["key"]: unit for unit in asked.shown["units"]}
    for unit in asked.units:
        evidence = shown[unit.key or "1"]["evidence"]
        turns = tuple(dict.fromkeys(piece["turn"] for piece in evidence if piece["turn"]))
        documents = tuple(dict.fromkeys(piece["document"] for piece in evidence if piece["document"]))
        for metric in asked.ask.metrics:
            title = unit.title or asked.ask.item.title
            if isinstance(read, str):
                gap = MissingScore(Reason.UNREADABLE, f"{read}: {reply[:200]}")
                found.append(_gap(metric.name, unit.key, title, gap).model_copy(update={"by": grader}))
                continue
            one = read[metric.name, unit.key]
            named = tuple(turn for turn in one.turns if turn in turns)
            found.append(
                Score(
                    item=metric.name,
                    key=unit.key,
                    title=title,
                    value=one.value,
                    reason=one.reason,
                    raw=one.raw,
                    turns=named or turns,
                    documents=documents,
                    by=grader,
                )
            )
    return found


# ---- caps and figures ------------------------------------------------------------------------------------------------


def _capped(scores: tuple[Score, ...], caps: Sequence[Cap]) -> tuple[Score, ...]:
    """A cap lowers a score where its condition's score for the same unit is true; the raw word stays."""
    by_name = {(one.item, one.key): one for one in scores}
    found = []
    for one in scores:
        for cap in caps:
            if cap.metric != one.item or one.value is None:
                continue
            flag = by_name.get((cap.when, one.key)) or by_name.get((cap.when, ""))
            true = flag is not None and flag.value is not None and (flag.value > 0) != cap.negated
            if true and one.value > cap.value:
                rule = f"{'not ' if cap.negated else ''}{cap.when}"
                one = one.model_copy(update={"value": cap.value, "capped": rule, "raw": one.raw or f"{one.value:g}"})
        found.append(one)
    return tuple(found)


def figures(rubric: Rubric, scores: Sequence[Score]) -> tuple[tuple[Figure, ...], Mapping[str, bool | None]]:
    """Every formula over the scores of one run, in the order of the rubric; and the pass conditions."""
    items: dict[str, dict[str, Score]] = {name: {} for name in _names(rubric)}
    for one in scores:
        items[one.item][one.key] = one
    vectors: dict[str, Vector | Value] = {
        name: {key: _value(one) for key, one in those.items()} for name, those in items.items()
    }
    for group, members in rubric.groups.items():
        vectors[group] = {f"{name}/{key}": value for name in members for key, value in _vector(vectors[name]).items()}

    def look(name: FormulaName) -> Vector | Value:
        if not name.part:
            return vectors[name.name]
        return {key: _part(one, name.part) for key, one in items[name.name].items()}

    found = []
    for formula in rubric.formulas.values():
        value: Value = evaluate(formula.expression, look)
        vectors[formula.name] = value
        gap = value if isinstance(value, MissingScore) else None
        found.append(
            Figure(
                formula=formula.name,
                value=None if isinstance(value, MissingScore) else value,
                gap=gap.why if gap is not None else None,
                detail=gap.detail if gap is not None else "",
            )
        )
    passes: dict[str, bool | None] = {}
    for name, expression in rubric.passes.items():
        verdict: Value = evaluate(expression, look)
        passes[name] = None if isinstance(verdict, MissingScore) else verdict > 0
    return tuple(found), passes


def _value(one: Score) -> Value:
    return one.value if one.value is not None else MissingScore(one.gap or Reason.EMPTY, one.detail)


def _part(one: Score, part: str) -> Value:
    """A further figure of a rule; what a rubric says a missing score is worth is worth it in every part."""
    if one.value is None or one.gap is not None:
        return _value(one)
    return one.parts[part] if part in one.parts else MissingScore(Reason.MISSING, part)


def _vector(value: Vector | Value) -> Vector:
    return value if isinstance(value, Mapping) else {"": value}
