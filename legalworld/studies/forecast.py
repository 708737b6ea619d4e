"""What a study will take, before it is played: runs by point, and calls, tokens, money and hours of those missing."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from ..batch.forecast import Lengths, forecast_batch
from ..batch.jobs import PlannedBatch, planned
from ..evaluation.grader import GraderSettings
from ..evaluation.grader_check import estimate
from ..evaluation.rubric.open import OpenRubric
from ..model.immutable import immutable, replace
from ..models.named.profile import prices_of
from ..models.prices import Price
from ..runs.call_costs import CallCost, CostSum, together
from .plan import PlannedPoint, StudyPlan
from .play import ended

SPEED: Final = 40.0
"""Tokens that a model is taken to write in a second, where nothing else is said."""
SAMPLE: Final = 2  # runs of a point that are played for its forecast


@immutable
class PointForecast:
    """`runs`: wanted; `missing`: of them, those that did not come to their end; `cost`: what these will take, None
    where nothing can be played or could be forecast. `free`: calls of them that no model answers; `seconds`: of one
    after another, what models write and what is reckoned here."""

    planned: PlannedPoint
    runs: int
    missing: int
    cost: CostSum | None = None
    seconds: float = 0.0
    free: float = 0.0

    def row(self) -> dict[str, Any]:
        """The point as JSON has it."""
        one = self.planned
        named = {"condition": one.point.condition, **one.point.facts, "cases": len(one.cases), "seeds": one.seeds}
        told = {"runs": self.runs, "missing": self.missing, "why": one.why, "what": one.what, "free": self.free}
        return named | told | {"cost": self.cost.as_data() if self.cost is not None else None}


def standing_of(plan: StudyPlan) -> tuple[PointForecast, ...]:
    """Return how many runs each point wants and has not; nothing is forecast."""
    found = []
    for point in plan.points:
        wanted = point.wanted
        found.append(PointForecast(point, len(wanted), sum(not ended(folder) for _, _, folder in wanted)))
    return tuple(found)


def forecast(
    plan: StudyPlan, prices: Mapping[str, Price], watch: Callable[[int], None], speed: float = SPEED
) -> tuple[PointForecast, ...]:
    """Return for each point what its missing runs will take, by a few of them played offline. Where several points
    share their runs, the first has what they take."""
    told: list[PointForecast] = []
    shared: set[Path] = set()
    for number, one in enumerate(standing_of(plan)):
        watch(len(plan.points) - number)
        if one.missing and one.planned.folder not in shared:
            one = _forecast(one, plan.opened.root, prices, speed)
            shared.add(one.planned.folder)
        elif one.missing:
            one = replace(one, cost=CostSum())
        told.append(one)
    return tuple(told)


def _forecast(one: PointForecast, root: Path, prices: Mapping[str, Price], speed: float) -> PointForecast:
    calls: list[CallCost] = []
    played = free = 0
    known = dict(prices)
    begun = time.monotonic()
    for request in one.planned.requests:
        plan = planned(request, root)
        if not isinstance(plan, PlannedBatch):
            return one
        known = {**prices_of(plan.calling.profiles), **known}
        found = forecast_batch(plan, Lengths(), SAMPLE, lambda _: None)
        played += len(found.played)
        calls += [call for run in found.played for call in run.calls]
        free += sum(run.free for run in found.played)
    if not played:
        return one
    own, factor = time.monotonic() - begun, one.missing / played
    cost = together(calls, lambda _: "", known).get("", CostSum()).times(factor)
    return replace(one, cost=cost, seconds=cost.completion / speed + own * factor, free=free * factor)


@immutable
class GradingForecast:
    """What scoring will take: `runs` of it that are there and unscored or scored, `wanted` in all; `dollars` None where
    there is no price, all None where no run is there to tell by."""

    scoring: str
    grader: str
    runs: int
    wanted: int
    questions: float | None = None
    tokens: float | None = None
    dollars: float | None = None


def grading(plan: StudyPlan, asked: Mapping[str, tuple[OpenRubric, GraderSettings]]) -> tuple[GradingForecast, ...]:
    """Return what each scoring will take, by the questions of runs that are there; of none nothing is known."""
    told = []
    for name, (opened, settings) in asked.items():
        of = plan.opened.study.scoring[name].of
        runs = [folder for one in plan.points if one.point.condition in of for _, _, folder in one.wanted]
        wanted = list(dict.fromkeys(runs))
        there = [folder for folder in wanted if ended(folder)][:SAMPLE]
        one = GradingForecast(name, settings.model, len(there), len(wanted))
        if there:
            found, _ = estimate(there, opened, settings, plan.opened.root)
            factor = len(wanted) / len(there)
            tokens = (found.prompt_tokens + found.completion_tokens) * factor
            dollars = None if found.dollars is None else found.dollars * factor
            one = replace(one, questions=found.questions * factor, tokens=tokens, dollars=dollars)
        told.append(one)
    return tuple(told)
