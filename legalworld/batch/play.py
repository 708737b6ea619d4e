"""Runs played at once in one event loop: each goes on from where its folder stands, and none touches another.

    done = play_jobs(jobs, Batch(at_once=20), tell)

`jobs` is read as workers become free, so a batch of any length is held in memory only as far as it is being played.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from ..files.project_files import unreadable
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..models.litellm_client import DEADLINE
from ..runs.folder import RunFolder
from ..runs.journal import ended
from ..runs.lifecycle import RunPlan, RunResult, resumed, started
from ..runs.project import Problems
from .identity import differences

Status = Literal["ended", "paused", "stopped", "interrupted", "refused"]


@dataclass(frozen=True, slots=True)
class Job:
    """A run that is to be there in the end; `plan.out` is its folder. `where`: the source of its case."""

    plan: RunPlan
    where: str


@dataclass(frozen=True, slots=True)
class Unplayable:
    """A case of which no run can be made, and why."""

    where: str
    problems: Problems


@dataclass(frozen=True, slots=True)
class JobResult:
    """How a job came out. `before`: it was finished when the batch came to it, and nothing was played.

    `refused`: nothing was played, because of `problems`; `folder` is then None where none was meant yet.
    """

    where: str
    status: Status
    folder: Path | None
    place: str = ""
    turns: int = 0
    tokens: int | None = None
    before: bool = False
    problems: Problems = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """How a batch is played: how many runs at once, and the seconds that one call may take."""

    at_once: int = 8
    deadline: float = DEADLINE


@dataclass(frozen=True, slots=True)
class BatchOutcome:
    """What came of a batch, in the order of its jobs."""

    results: tuple[JobResult, ...]
    interrupted: bool

    @property
    def folders(self) -> tuple[Path, ...]:
        """The runs that are there, finished or not."""
        return tuple(one.folder for one in self.results if one.folder is not None and one.status != "refused")

    @property
    def problems(self) -> Problems:
        return tuple(problem for one in self.results for problem in one.problems)


Tell = Callable[[JobResult], None]


def play_jobs(jobs: Iterable[Job | Unplayable], batch: Batch, tell: Tell) -> BatchOutcome:
    """Play what is not played yet. Interrupted, the runs under way write what can be made from them and stop."""
    return asyncio.run(_all(_once(jobs), batch, tell))


def _once(jobs: Iterable[Job | Unplayable]) -> Iterator[Job | Unplayable]:
    """The jobs; one whose folder is that of an earlier one is refused, naming both sources."""
    taken: dict[Path, str] = {}
    for job in jobs:
        if isinstance(job, Job) and job.plan.out is not None:
            other = taken.setdefault(job.plan.out, job.where)
            if other is not job.where:
                name = job.plan.matter.case.id
                yield Unplayable(job.where, (diagnose.case_named_twice(job.where, id=name, other=other),))
                continue
        yield job


async def _all(jobs: Iterator[Job | Unplayable], batch: Batch, tell: Tell) -> BatchOutcome:
    results: dict[int, JobResult] = {}
    numbered = enumerate(jobs)
    interrupted = False

    async def work() -> None:
        for number, job in numbered:  # the next that no other worker has taken
            results[number] = result = await _done(job, batch)
            tell(result)
            if result.status == "interrupted":
                return
            await asyncio.sleep(0)  # where all are finished, nothing else would wait

    try:
        async with asyncio.TaskGroup() as group:
            for _ in range(batch.at_once):
                group.create_task(work())
    except (asyncio.CancelledError, KeyboardInterrupt):
        interrupted = True
    return BatchOutcome(tuple(results[number] for number in sorted(results)), interrupted)


async def _done(job: Job | Unplayable, batch: Batch) -> JobResult:
    """One job, whatever befalls it; what fails here is told and leaves the others alone."""
    if isinstance(job, Unplayable):
        return JobResult(job.where, "refused", None, problems=job.problems)
    folder = job.plan.out
    assert folder is not None
    try:
        made = await _played(job.plan, folder, batch)
    except OSError as error:
        made = (unreadable(str(error.filename or folder), error),)
    except Exception as error:
        made = (diagnose.run_failed(str(folder), path=str(folder), error=f"{type(error).__name__}: {error}"[:300]),)
    if isinstance(made, RunResult):
        counted = made.place, made.turns, made.tokens
        return JobResult(job.where, made.status, folder, *counted, problems=made.problems)
    if made is None:
        return JobResult(job.where, "ended", folder, before=True)
    return JobResult(job.where, "refused", folder, problems=made)


async def _played(plan: RunPlan, path: Path, batch: Batch) -> RunResult | Problems | None:
    """The run of a plan, begun or gone on with; None where it was over."""
    if not (path / "run.yaml").is_file():
        return await started(plan, deadline=batch.deadline)
    folder = RunFolder.open(path)
    if not isinstance(folder, RunFolder):
        return folder
    other = differences(folder, plan)
    if isinstance(other, Diagnostic):
        return (other,)
    if other:
        return (diagnose.other_run_in_folder(str(path), path=str(path), what=other),)
    if ended(folder.journal):
        return None
    return await resumed(folder, until=plan.until, deadline=batch.deadline, project=plan.project)
