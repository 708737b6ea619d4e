"""A grader that compares the pairs as the annotators were asked to."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from ..evaluation.evaluate import answered
from ..evaluation.grader import FOLDER, Grader, GraderSettings
from ..evaluation.grader_replies import Grades, Unread, ask_for
from ..evaluation.metrics.agreement import Position, Preference, both_ways, position
from ..evaluation.metrics.values import MissingScore, Reason
from ..evaluation.rubric.open import OpenRubric
from ..model.immutable import immutable
from ..models.failures import ModelFailed
from ..runs.project import Problems
from .pairwise import RunPair, Verdicts, preference, question
from .plan import Key, RatingItem, turned_for


@immutable
class Judge:
    """Who is asked to compare the pairs as the annotators were. `both_orders`: each pair is shown both ways round, and
    only what is preferred both times wins."""

    opened: OpenRubric
    settings: GraderSettings
    cwd: Path
    both_orders: bool = False

    def grader(self) -> Grader:
        return Grader(self.settings, self.cwd / FOLDER)


@immutable
class Judged:
    """What a grader says of the pairs, seen from the first run; `position` where both orders were asked."""

    verdicts: Verdicts
    position: Position | None = None


def verdicts(key: Key, pairs: Mapping[str, RunPair], judge: Judge) -> tuple[Judged, Problems]:
    """What a grader says of the pairs (record -> runs), each shown in an order of the grader's own, or in both."""
    try:
        return asyncio.run(_judged(key, pairs, judge)), ()
    except ModelFailed as error:
        return Judged({}), (error.at("--grader"),)


async def _judged(key: Key, pairs: Mapping[str, RunPair], judge: Judge) -> Judged:
    turned = turned_for(key, f"grader {judge.settings.model}")
    orders = [turned, frozenset(pairs) - turned] if judge.both_orders else [turned]
    given = await _verdicts(key, pairs, judge, orders)
    if not judge.both_orders:
        return Judged(given[0])
    first, second = given
    straight = {item: (second if key.by_id[item].record in turned else first)[item] for item in first}
    other = {item: (first if key.by_id[item].record in turned else second)[item] for item in first}
    return Judged({item: both_ways(first[item], second[item]) for item in first}, position(straight, other))


async def _verdicts(
    key: Key, pairs: Mapping[str, RunPair], judge: Judge, orders: Sequence[frozenset[str]]
) -> list[Verdicts]:
    """For each order - the records that are shown the other way round - what is preferred, seen from the first run."""
    opened = judge.opened
    open_items = {(item.record, item.ask) for item in key.things if item.settled is None}
    templates = next((opened.in_language(runs[0].procedure) for runs in pairs.values()), opened.templates)
    asked = {
        (place, label, name): question(opened.rubric, runs, ask, templates, label in turned)
        for place, turned in enumerate(orders)
        for label, runs in pairs.items()
        for name, ask in opened.rubric.asks.items()
        if (label, name) in open_items
    }
    grader = judge.grader()
    async with grader.models:
        room = asyncio.Semaphore(judge.settings.at_once)
        replies = await answered(ask_for(list(asked.values()), templates), grader, room)
    grades = {place: reply.grades for place, reply in zip(asked, replies, strict=True)}
    return [
        {
            item.id: _verdict(grades[place, item.record, item.ask], item, item.record in turned)
            for item in key.things
            if (place, item.record, item.ask) in asked
        }
        for place, turned in enumerate(orders)
    ]


def _verdict(grades: Grades, item: RatingItem, turned: bool) -> Preference | MissingScore:
    grade = grades[item.item, ""]
    if isinstance(grade, Unread):
        return MissingScore(Reason.UNREADABLE, grade.detail)
    return preference(grade.value, turned)
