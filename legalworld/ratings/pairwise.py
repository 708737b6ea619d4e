"""Two runs of a case, compared: what a grader is asked of a pair, and how a verdict is read."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from ..evaluation.evaluate import AT_ONCE, answered
from ..evaluation.grader import FOLDER, Grader, GraderSettings
from ..evaluation.grading import (
    LONGEST_EVIDENCE,
    Graded,
    Question,
    ask_for,
    evidence_shown,
    metrics_shown,
    rendered,
    schema,
)
from ..evaluation.metrics.agreement import Preference
from ..evaluation.metrics.values import MissingScore, Reason
from ..evaluation.rubric.definition import Ask, Rubric
from ..evaluation.rubric.open import OpenRubric
from ..evaluation.stored_run import WHOLE, Stored
from ..model.diagnostics import Diagnostic
from ..model.events import Message
from ..model.source import Span
from ..models.litellm_client import ModelFailed
from ..runs.project import Problems
from ..templates.template_set import TemplateSet
from .plan import Key, RatingItem, turned_for

LABELS: Final = ("A", "B")

RunPair = tuple[Stored, Stored]
Verdicts = Mapping[str, Preference | MissingScore]
"""Item of the key -> which run is better, seen from the first; or why nobody can say."""


def preference(value: float, turned: bool) -> Preference:
    """A choice's value as preference, seen from the first run whichever was shown as the first."""
    shown = Preference.TIE if value == 0 else Preference.WIN if value > 0 else Preference.LOSE
    return shown.turned() if turned else shown


def question(rubric: Rubric, runs: RunPair, ask: Ask, templates: TemplateSet, turned: bool) -> Question:
    """What the grader is asked of two runs for one ask; `turned`: the second is shown as the first."""
    shown = {
        "rubric": rubric.title,
        "item": ask.item.title,
        "procedure": runs[0].procedure.title,
        "target": (),
        "others": False,
        "together": False,
        "metrics": metrics_shown(ask.metrics),
        "units": (),
        "records": tuple(
            {"label": label, "evidence": tuple(_record(ask, run))}
            for label, run in zip(LABELS, reversed(runs) if turned else runs, strict=True)
        ),
    }
    system = rendered(templates, ("who/pair",), shown)
    text = rendered(templates, (f"ask/{ask.prompt}", "ask/pair"), shown)
    messages = (Message(role="system", content=system), Message(role="user", content=text))
    name = f"{runs[0].name}/{runs[1].name}/{ask.item.name}"
    return Question(name, ask, (WHOLE,), messages, schema(ask, ("",)), shown)


def _record(ask: Ask, run: Stored) -> Iterator[Mapping[str, Any]]:
    """All that was said where the compared words were said; those are marked."""
    compared = run.evidence(ask.item, WHOLE)
    around = replace(ask.item, evidence=tuple(replace(each, who=()) for each in ask.item.evidence))
    yield from evidence_shown(run.evidence(around, WHOLE), compared, LONGEST_EVIDENCE // 2)


# ---- a grader --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Judge:
    """Who is asked to compare the pairs as the annotators were."""

    opened: OpenRubric
    settings: GraderSettings
    cwd: Path

    def grader(self) -> Grader:
        return Grader(self.settings, self.cwd / FOLDER)


def verdicts(key: Key, pairs: Mapping[str, RunPair], judge: Judge) -> tuple[Verdicts, Problems]:
    """What a grader says of the pairs (record -> runs), each shown in an order of the grader's own."""
    try:
        return asyncio.run(_verdicts(key, pairs, judge)), ()
    except ModelFailed as error:
        return {}, (Diagnostic(error.code, Span("--grader", 0, 0), error.values),)


async def _verdicts(key: Key, pairs: Mapping[str, RunPair], judge: Judge) -> Verdicts:
    opened = judge.opened
    turned = turned_for(key, f"grader {judge.settings.model}")
    open_items = {(item.record, item.ask) for item in key.things if item.settled is None}
    asked = {
        (label, name): question(opened.rubric, runs, ask, opened.templates, label in turned)
        for label, runs in pairs.items()
        for name, ask in opened.rubric.asks.items()
        if (label, name) in open_items
    }
    async with judge.grader() as grader:
        replies = await answered(ask_for(list(asked.values()), opened.templates), grader, asyncio.Semaphore(AT_ONCE))
    grades = {reply.question.id: reply.grades for reply in replies}
    return {
        item.id: _verdict(grades[asked[item.record, item.ask].id], item, item.record in turned)
        for item in key.things
        if (item.record, item.ask) in asked
    }


def _verdict(
    grades: Mapping[tuple[str, str], Graded] | str, item: RatingItem, turned: bool
) -> Preference | MissingScore:
    if isinstance(grades, str):
        return MissingScore(Reason.UNREADABLE, grades)
    return preference(grades[item.item, ""].value, turned)
