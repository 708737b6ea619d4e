"""What a batch keeps in memory of runs that are over: next to nothing, and nothing wrong."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from legalworld.batch.play import Job, only_once
from legalworld.batch.results import JobResult, KeptResult, Results
from legalworld.cli.batch_progress import BatchProgress
from legalworld.language import diagnose
from legalworld.model.case import Case
from legalworld.models.prices import Spent
from legalworld.runs.case_file import OpenedCase
from legalworld.runs.lifecycle import RunPlan

MANY = 4000
SPENT = Spent(10, 2000, 0, 300, 0.01)


def per_case(fill: Callable[[], Any]) -> float:
    """Bytes that our modules have allocated and that stay while what `fill` returns is held, for each of `MANY`."""
    tracemalloc.start()
    try:
        held = fill()
        assert held is not None
        ours = tracemalloc.take_snapshot().filter_traces([tracemalloc.Filter(True, "*legalworld*")])
        return sum(trace.size for trace in ours.traces) / MANY
    finally:
        tracemalloc.stop()


def result(number: int, name: str = "", **other: Any) -> JobResult:
    folder = Path("/where/batches/are/kept", name or f"case-{number}-0")
    return JobResult(
        f"cases.jsonl:{number}", "ended", folder, "talk.close", 9, 2300, spent=SPENT, number=number, **other
    )


def test_results_come_in_the_order_of_the_jobs_and_the_last_of_a_number_counts() -> None:
    problem = diagnose.run_failed("x", path="x", error="no")
    results = Results()
    assert not results and len(results) == 0 and list(results) == []
    results.add(replace(result(2, "行\n\udc80,2"), status="paused", before=True))
    results.add(replace(result(0), status="stopped", problems=(problem,)))
    results.add(JobResult("nowhere", "refused", None, problems=(problem,), number=1))
    results.add(result(0))
    assert results and len(results) == 3
    assert list(results) == [
        KeptResult("ended", result(0).folder, False, ()),
        KeptResult("refused", None, False, (problem,)),
        KeptResult("paused", result(2, "行\n\udc80,2").folder, True, ()),
    ]


def test_a_finished_run_takes_hardly_any_memory() -> None:
    def fill() -> Results:
        results = Results()
        for number in range(MANY):
            results.add(result(number))
        return results

    assert per_case(fill) < 120


def test_a_name_that_is_taken_takes_hardly_any_memory() -> None:
    plan = RunPlan(None, OpenedCase(Case("x", "", {}, {}), "", ""), "", {}, {})  # type: ignore[arg-type]

    def jobs() -> Iterator[Job]:
        for number in range(MANY):
            yield Job(replace(plan, out=result(number).folder), f"cases.jsonl:{number}")

    def fill() -> object:
        once = only_once(jobs())
        for _ in range(MANY):
            next(once)
        return once

    assert per_case(fill) < 150


def test_the_pace_of_a_batch_is_counted_and_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("legalworld.cli.batch_progress.time.monotonic", lambda: now)
    progress = BatchProgress(quiet=True)

    def fill() -> BatchProgress:
        nonlocal now
        for _ in range(MANY):
            now += 0.05  # 200 s in all
            progress.meter(Spent(calls=2))
        return progress

    assert per_case(fill) < 10
    (pace,) = list(progress.table().columns[3].cells)
    assert 39 <= float(str(pace)) <= 41
