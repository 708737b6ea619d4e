"""A grader that compares the pairs as the annotators were asked to."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from ..evaluation.evaluate import AT_ONCE, answered
from ..evaluation.grader import FOLDER, Grader, GraderSettings
from ..evaluation.grader_replies import Grades, Unread, ask_for
from ..evaluation.metrics.agreement import Preference
from ..evaluation.metrics.values import MissingScore, Reason
from ..evaluation.rubric.open import OpenRubric
from ..models.failures import ModelFailed
from ..runs.project import Problems
from .pairwise import RunPair, Verdicts, preference, question
from .plan import Key, RatingItem, turned_for


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
        return {}, (error.at("--grader"),)


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
    grader = judge.grader()
    async with grader.models:
        replies = await answered(ask_for(list(asked.values()), opened.templates), grader, asyncio.Semaphore(AT_ONCE))
    grades = {reply.question.id: reply.grades for reply in replies}
    return {
        item.id: _verdict(grades[asked[item.record, item.ask].id], item, item.record in turned)
        for item in key.things
        if (item.record, item.ask) in asked
    }


def _verdict(grades: Grades, item: RatingItem, turned: bool) -> Preference | MissingScore:
    grade = grades[item.item, ""]
    if isinstance(grade, Unread):
        return MissingScore(Reason.UNREADABLE, grade.detail)
    return preference(grade.value, turned)
