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
from dataclasses import replace

from ..model.immutable import immutable
from ..templates.template_set import TemplateSet
from .figures import capped, figures, scored_names
from .grader_replies import Graded, GradedReply, Unread, ask_for
from .grading import Question, Ready, question
from .metrics.values import MissingScore, Reason
from .results import Figure, Score
from .rubric.definition import Ask, Measure, Rubric, RubricItem
from .rules.registry import scoring_rules
from .rules.rule import RuleInput, RuleResult
from .stored_run import EvidencePiece, Stored, Unit
from .undecided import left_undecided
from .units import units


@immutable
class Scored:
    """All that a rubric says of a run. `passes`: pass condition -> whether it holds, None where it cannot be told."""

    scores: tuple[Score, ...]
    figures: tuple[Figure, ...]
    passes: Mapping[str, bool | None]


Scoring = Generator[tuple[Question, ...], tuple[str, ...], Scored]


def score(rubric: Rubric, stored: Stored, templates: TemplateSet, *, grader: str = "", repeat: int = 1) -> Scoring:
    """All scores and figures of a run. `grader` is named with each score that it gave; `repeat`: how often each
    question is asked; the median counts."""
    scores = [each for measure in rubric.measures.values() for each in _measured(stored, measure)]
    questions: list[Question] = []
    for ask in rubric.asks.values():
        to_ask, missing = _asked(rubric, stored, ask, templates)
        questions += to_ask
        scores += missing
    every = [replace(asked, repeat=n) for n in range(repeat) for asked in questions]
    replies = yield from ask_for(every, templates)
    for place in range(len(questions)):
        scores += _graded(replies[place :: len(questions)], grader)
    order = {name: number for number, name in enumerate(scored_names(rubric))}
    lowered = capped(sorted(scores, key=lambda each: order[each.item]), rubric.caps)
    return Scored(lowered, *figures(rubric, lowered))


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
    found = units(stored, item)
    if isinstance(found, MissingScore):
        return [_missing(item.name, "", item.title, found, item)]
    return [_by_rule(stored, measure, unit) for unit in found]


def _by_rule(stored: Stored, measure: Measure, unit: Unit) -> Score:
    item, rule = measure.item, scoring_rules().parts[measure.rule]
    evidence = stored.evidence(item, unit)
    reference = stored.reference(item, unit)
    title = unit.title or item.title
    result: RuleResult | MissingScore
    if rule.needs_reference and not reference:
        result = MissingScore(Reason.NO_REFERENCE)
    elif not rule.events and (gap := _nothing(evidence)):
        result = MissingScore(gap)
    elif undecided := left_undecided(stored, item, unit):
        result = undecided
    else:
        result = rule.function(RuleInput(stored, unit, evidence, reference, measure.arguments, measure.deeds))
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
        truth=result.truth,
    )


def _nothing(evidence: Sequence[EvidencePiece]) -> Reason | None:
    """Why there is nothing to be scored: nobody said or wrote anything, or what there is was put in from outside."""
    if evidence and all(piece.given for piece in evidence):
        return Reason.GIVEN
    return None if any(piece.text.strip() for piece in evidence) else Reason.MISSING


# ---- the grader ------------------------------------------------------------------------------------------------------


def _asked(rubric: Rubric, stored: Stored, ask: Ask, templates: TemplateSet) -> tuple[list[Question], list[Score]]:
    """The questions of an item, and the scores that need no question."""
    item = ask.item
    found = units(stored, item)
    if isinstance(found, MissingScore):
        return [], [_missing(metric.name, "", metric.title, found, item) for metric in ask.metrics]
    ready, scores = [], []
    for unit in found:
        evidence, reference = stored.evidence(item, unit), stored.compared(item, unit)
        reason = _nothing(evidence)
        if item.reference and not reference:
            reason = Reason.NO_REFERENCE
        elif _silent(stored, ask, evidence):
            reason = Reason.MISSING
        missing = MissingScore(reason) if reason is not None else left_undecided(stored, item, unit)
        if missing is None:
            ready.append(Ready(unit, evidence, stored.background(item, unit), reference))
            continue
        title = unit.title or item.title
        scores += [_missing(metric.name, unit.key, title, missing, item) for metric in ask.metrics]
    groups = [ready] if ask.together and ready else [[each] for each in ready]
    return [question(rubric, stored, ask, group, templates) for group in groups], scores


def _silent(stored: Stored, ask: Ask, evidence: Sequence[EvidencePiece]) -> bool:
    """Whether the target, whose words are graded among those of others, said nothing himself."""
    if not ask.judged or not any(each.kind == "turns" and not each.who for each in ask.item.evidence):
        return False
    target = stored.who(("target",))
    return not any(piece.person in target and piece.text.strip() for piece in evidence)


def _graded(replies: Sequence[GradedReply], grader: str) -> list[Score]:
    """The scores that came of a question, the medians of those that could be read where it was asked several times; one
    that never could be has no value."""
    scores = []
    reply = replies[0]
    item = reply.question.ask.item
    shown = {unit["key"]: unit for unit in reply.question.shown["units"]}
    for unit in reply.question.units:
        evidence = shown[unit.key or "1"]["evidence"]
        turns, documents = _rests_on((piece["turn"], piece["document"]) for piece in evidence)
        left = sum(piece["left"] for piece in (*evidence, *shown[unit.key or "1"]["background"]))
        for metric in reply.question.ask.metrics:
            title = unit.title or item.title
            grades = [one.grades[metric.name, unit.key] for one in replies]
            read = sorted((one for one in grades if isinstance(one, Graded)), key=lambda one: one.value)
            if not read:
                detail = next(one.detail for one in grades if isinstance(one, Unread))
                missing = MissingScore(Reason.UNREADABLE, f"{detail}: {reply.text[:200]}")
                scores.append(_missing(metric.name, unit.key, title, missing, item).model_copy(update={"by": grader}))
                continue
            grade = read[(len(read) - 1) // 2]  # the lower of two in the middle: a value of the scale, with its reason
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
                    left_out=left,
                    repeats=tuple(one.value for one in grades if isinstance(one, Graded)) if len(replies) > 1 else (),
                )
            )
    return scores
