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

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..templates.template_set import TemplateSet
from .grading import GradedReply, Question, ask_for, question
from .metrics.values import MissingScore, Reason, Value
from .results import Figure, Score
from .rubric.definition import Ask, Cap, FormulaName, Measure, Rubric, RubricItem
from .rubric.formulas import Vector, evaluate
from .rules import RULES, RuleInput, RuleResult
from .stored_run import EvidencePiece, Stored, Unit


@dataclass(frozen=True, slots=True)
class Scored:
    """All that a rubric says of a run. `passes`: pass condition -> whether it holds, None where it cannot be told."""

    scores: tuple[Score, ...]
    figures: tuple[Figure, ...]
    passes: Mapping[str, bool | None]


Scoring = Generator[tuple[Question, ...], tuple[str, ...], Scored]


def score(rubric: Rubric, stored: Stored, templates: TemplateSet, *, grader: str = "") -> Scoring:
    """All scores and figures of a run. `grader` is named with each score that it gave."""
    scores = [each for measure in rubric.measures.values() for each in _measured(stored, measure)]
    questions: list[Question] = []
    for ask in rubric.asks.values():
        to_ask, missing = _asked(rubric, stored, ask, templates)
        questions += to_ask
        scores += missing
    for reply in (yield from ask_for(questions, templates)):
        scores += _graded(reply, grader)
    order = {name: number for number, name in enumerate(_names(rubric))}
    capped = _capped(sorted(scores, key=lambda each: order[each.item]), rubric.caps)
    return Scored(capped, *figures(rubric, capped))


def _names(rubric: Rubric) -> list[str]:
    return [*rubric.measures, *(metric.name for ask in rubric.asks.values() for metric in ask.metrics)]


def _missing(name: str, key: str, title: str, missing: MissingScore, item: RubricItem) -> Score:
    """A score that could not be made. What has no evidence has the value that the rubric gives it, if it gives one; it
    stays marked as missing."""
    score = Score(item=name, key=key, title=title, value=None, gap=missing.why, detail=missing.detail)
    if missing.why is Reason.MISSING and item.missing is not None:
        return score.model_copy(update={"value": item.missing, "by": "rule missing"})
    return score


def _rests_on(places: Iterable[tuple[int, str]]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The turns and the documents of the evidence, each once."""
    every = list(places)
    turns = dict.fromkeys(turn for turn, _ in every if turn)
    return tuple(turns), tuple(dict.fromkeys(document for _, document in every if document))


# ---- rules -----------------------------------------------------------------------------------------------------------


def _measured(stored: Stored, measure: Measure) -> list[Score]:
    item = measure.item
    units = stored.units(item)
    if isinstance(units, MissingScore):
        return [_missing(item.name, "", item.title, units, item)]
    return [_by_rule(stored, measure, unit) for unit in units]


def _by_rule(stored: Stored, measure: Measure, unit: Unit) -> Score:
    item, rule = measure.item, RULES[measure.rule]
    evidence = stored.evidence(item, unit)
    reference = stored.reference(item, unit)
    title = unit.title or item.title
    result: RuleResult | MissingScore
    if rule.needs_reference and not reference:
        result = MissingScore(Reason.NO_REFERENCE)
    elif not rule.events and not _said(evidence):
        result = MissingScore(Reason.MISSING)
    else:
        result = rule.function(RuleInput(stored, unit, evidence, reference, measure.arguments))
    if isinstance(result, MissingScore):
        return _missing(item.name, unit.key, title, result, item)
    turns, documents = _rests_on((piece.turn, piece.document) for piece in evidence)
    return Score(
        item=item.name,
        key=unit.key,
        title=title,
        value=result.value,
        reason=result.reason,
        turns=turns if result.turns is None else result.turns,
        documents=documents,
        by=f"rule {measure.rule}",
        parts=dict(result.parts),
    )


def _said(evidence: Sequence[EvidencePiece]) -> bool:
    return any(piece.text.strip() for piece in evidence)


# ---- the grader ------------------------------------------------------------------------------------------------------


def _asked(rubric: Rubric, stored: Stored, ask: Ask, templates: TemplateSet) -> tuple[list[Question], list[Score]]:
    """The questions of an item, and the scores that need no question."""
    item = ask.item
    units = stored.units(item)
    if isinstance(units, MissingScore):
        return [], [_missing(metric.name, "", metric.title, units, item) for metric in ask.metrics]
    ready, scores = [], []
    for unit in units:
        evidence, reference = stored.evidence(item, unit), stored.compared(item, unit)
        if item.reference and not reference:
            reason = Reason.NO_REFERENCE
        elif not _said(evidence) or _silent(stored, ask, evidence):
            reason = Reason.MISSING
        else:
            ready.append((unit, evidence, reference))
            continue
        title, missing = unit.title or item.title, MissingScore(reason)
        scores += [_missing(metric.name, unit.key, title, missing, item) for metric in ask.metrics]
    groups = [ready] if ask.together and ready else [[each] for each in ready]
    return [question(rubric, stored, ask, group, templates) for group in groups], scores


def _silent(stored: Stored, ask: Ask, evidence: Sequence[EvidencePiece]) -> bool:
    """Whether the target, whose words are graded among those of others, said nothing himself."""
    if not ask.judged or not any(each.kind == "turns" and not each.who for each in ask.item.evidence):
        return False
    target = stored.who(("target",))
    return not any(piece.person in target and piece.text.strip() for piece in evidence)


def _graded(reply: GradedReply, grader: str) -> list[Score]:
    """The scores that came of a question; none of them has a value where the reply could not be read."""
    scores = []
    item = reply.question.ask.item
    shown = {unit["key"]: unit for unit in reply.question.shown["units"]}
    for unit in reply.question.units:
        evidence = shown[unit.key or "1"]["evidence"]
        turns, documents = _rests_on((piece["turn"], piece["document"]) for piece in evidence)
        for metric in reply.question.ask.metrics:
            title = unit.title or item.title
            if isinstance(reply.grades, str):
                missing = MissingScore(Reason.UNREADABLE, f"{reply.grades}: {reply.text[:200]}")
                scores.append(_missing(metric.name, unit.key, title, missing, item).model_copy(update={"by": grader}))
                continue
            grade = reply.grades[metric.name, unit.key]
            scores.append(
                Score(
                    item=metric.name,
                    key=unit.key,
                    title=title,
                    value=grade.value,
                    reason=grade.reason,
                    raw=grade.raw,
                    turns=tuple(turn for turn in grade.turns if turn in turns) or turns,
                    documents=documents,
                    by=grader,
                )
            )
    return scores


# ---- caps and figures ------------------------------------------------------------------------------------------------


def _capped(scores: Sequence[Score], caps: Sequence[Cap]) -> tuple[Score, ...]:
    """A cap lowers a score where its condition's score for the same unit is true; the raw word stays."""
    by_unit = {(each.item, each.key): each for each in scores}
    capped = []
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
        capped.append(score)
    return tuple(capped)


def figures(rubric: Rubric, scores: Sequence[Score]) -> tuple[tuple[Figure, ...], Mapping[str, bool | None]]:
    """Every formula over the scores of one run, in the order of the rubric; and the pass conditions."""
    items: dict[str, dict[str, Score]] = {name: {} for name in _names(rubric)}
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
    for formula in rubric.formulas.values():
        value: Value = evaluate(formula.expression, look)
        vectors[formula.name] = value
        if isinstance(value, MissingScore):
            every.append(Figure(formula=formula.name, value=None, gap=value.why, detail=value.detail))
        else:
            every.append(Figure(formula=formula.name, value=value))
    passes: dict[str, bool | None] = {}
    for name, expression in rubric.passes.items():
        verdict: Value = evaluate(expression, look)
        passes[name] = None if isinstance(verdict, MissingScore) else verdict > 0
    return tuple(every), passes


def _part(score: Score, part: str) -> Value:
    """A further figure of a rule; what a rubric says a missing score is worth is worth it in every part."""
    if score.value is None or score.gap is not None:
        return score.outcome
    return score.parts[part] if part in score.parts else MissingScore(Reason.MISSING, part)


def _vector(value: Vector | Value) -> Vector:
    return value if isinstance(value, Mapping) else {"": value}
