"""Runs played at once in one event loop: each goes on from where its folder stands, and none touches another.

    done = play_jobs(jobs, Batch(at_once=20), tell)

All keep to the limits of one gate. `jobs` is read as workers become free, so a batch of any length is held in memory
only as far as it is being played.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import field, replace
from hashlib import blake2b
from pathlib import Path
from typing import Final, Protocol

from ..files.project_files import unreadable
from ..files.regular import Stamp
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.events import Event, Request
from ..model.immutable import immutable
from ..models.endpoint import DEADLINE
from ..models.limits import UNLIMITED, Gate, Limits
from ..models.prices import NOTHING, Spent
from ..models.scripted import NAMES
from ..runs import citation_check
from ..runs.costs import priced
from ..runs.damage import damage_of, is_damaged
from ..runs.folder import RunFolder
from ..runs.journal import standing
from ..runs.lifecycle import RunPlan, RunResult, replay, resumed, started
from ..runs.project import Problems
from .identity import differences
from .results import UNPLAYED, JobResult, Results
from .warned import CaseNotes, WarningCounts

ATTEMPTS: Final = 8  # of one call: a storm of errors is to cost waiting, not runs
UNSTORED: Final = diagnose.codes_of(diagnose.unstored_run, diagnose.unreachable_store)
OUTAGE: Final = 3  # runs in a row that could not be put where they are kept


@immutable
class Job:
    """A run that is to be there in the end; `plan.out` is its folder. `where`: the source of its case, and its profile;
    `case`: the source alone; `notes`: what is to be told of the case; `made`: its folder was made from another run, by
    somebody who sees to it that it is that of the plan."""

    plan: RunPlan
    where: str
    case: str = ""
    notes: CaseNotes = CaseNotes()
    made: bool = False


@immutable
class Unplayable:
    """A case of which no run can be made, and why."""

    where: str
    problems: Problems


@immutable
class Begun:
    """A run is being played from now on."""

    where: str
    folder: Path
    number: int


class Depot(Protocol):
    """Where runs are kept that are not to stay where they are played."""

    async def found(self, job: Job) -> JobResult | None:
        """How a job stands that needs no playing; None where it does, from where it stood."""

    async def kept(self, job: Job, result: JobResult) -> JobResult:
        """The result of a job when its run was put there."""


@immutable
class Batch:
    """How a batch is played: how many runs at once, the seconds that one call may take, and those of a run (0: any).

    `spent`: what counts against the budget before anything is played; `depot`: None where runs stay in their folders.
    """

    at_once: int = 8
    deadline: float = DEADLINE
    case_deadline: float = 0.0
    limits: Limits = UNLIMITED
    spent: Spent = NOTHING
    attempts: int = ATTEMPTS
    depot: Depot | None = None


@immutable
class BatchOutcome:
    """What came of a batch, in the order of its jobs. `exhausted`: it ended because its budget was spent; `unkept`: why
    its record could not be put where it is kept; `warned`: the warnings of its cases."""

    results: Results
    interrupted: bool
    exhausted: bool = False
    unkept: Problems = ()
    warned: WarningCounts = field(default_factory=WarningCounts)

    @property
    def folders(self) -> tuple[Path, ...]:
        """The runs that are there, finished or not."""
        return tuple(one.folder for one in self.results if one.folder is not None and one.status not in UNPLAYED)

    @property
    def problems(self) -> Problems:
        return tuple(problem for one in self.results for problem in one.problems)

    @property
    def unstored(self) -> bool:
        """Whether something could not be put where it is kept."""
        return bool(self.unkept) or any(problem.code in UNSTORED for problem in self.problems)


Tell = Callable[[JobResult], None]
Meter = Callable[[Begun | Spent], None]
"""Told of each run that begins, and of each call that was answered, with what it took."""
Warn = Callable[[Problems], None]
Numbered = Iterator[tuple[int, Job | Unplayable]]


@immutable
class Told:
    """Who is told of a batch: of each run that ends or stops, of each that begins and each call, of what is odd in the
    folder or on the machines."""

    result: Tell
    meter: Meter
    warn: Warn


def play_jobs(
    jobs: Iterable[Job | Unplayable], batch: Batch, tell: Tell, meter: Meter = lambda _: None
) -> BatchOutcome:
    """Play what is not played yet. Interrupted, the runs under way write what can be made from them and stop."""
    return asyncio.run(play_all(enumerate(only_once(jobs)), batch, gate_of(batch, meter), tell, meter))


def gate_of(batch: Batch, meter: Meter) -> Gate:
    """The limits that all runs of a batch keep to."""
    gate = Gate(batch.limits, meter, attempts=batch.attempts)
    gate.total = batch.spent
    return gate


class Outage:
    """Whether runs cannot be put where they are kept, so that more of them would only fill the disk."""

    def __init__(self) -> None:
        self._in_a_row = 0

    def note(self, result: JobResult) -> None:
        if any(problem.code in UNSTORED for problem in result.problems):
            self._in_a_row += 1
        elif not (result.before or self.lasts):  # what was there before says nothing of now
            self._in_a_row = 0

    @property
    def lasts(self) -> bool:
        return self._in_a_row >= OUTAGE


def only_once(jobs: Iterable[Job | Unplayable]) -> Iterator[Job | Unplayable]:
    """The jobs; one whose folder is that of an earlier one is refused, naming both sources. Of the folders only digests
    are kept."""
    taken: dict[bytes, str] = {}
    for job in jobs:
        if isinstance(job, Job) and job.plan.out is not None:
            key = blake2b(os.fsencode(job.plan.out), digest_size=8).digest()
            other = taken.setdefault(key, job.where)
            if other is not job.where:
                name = job.plan.matter.case.id
                yield Unplayable(job.where, (diagnose.case_named_twice(job.where, id=name, other=other),))
                continue
        yield job


async def play_all(numbered: Numbered, batch: Batch, gate: Gate, tell: Tell, meter: Meter) -> BatchOutcome:
    """The jobs with their numbers, `at_once` of them at a time."""
    results = Results()
    interrupted = False
    playing, outage = Playing(batch, gate, meter), Outage()

    async def work() -> None:
        while not gate.exhausted and not outage.lasts:
            number, job = next(numbered, (-1, None))  # the next that no other worker has taken
            if job is None:
                return
            result = replace(await playing.done(number, job), number=number)
            results.add(result)
            outage.note(result)
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
    return BatchOutcome(results, interrupted, gate.exhausted)


@immutable
class Playing:
    """What the runs of a batch share while it is played."""

    batch: Batch
    gate: Gate
    meter: Meter

    async def done(self, number: int, job: Job | Unplayable) -> JobResult:
        """One job, whatever befalls it; what fails here is told and leaves the others alone."""
        if isinstance(job, Unplayable):
            return JobResult(job.where, "refused", None, problems=job.problems)
        depot = self.batch.depot
        if depot is None:
            result = await self._here(number, job)
        else:
            result = await depot.found(job) or await depot.kept(job, await self._here(number, job))
        return replace(result, case=job.case or job.where, notes=job.notes)

    async def _here(self, number: int, job: Job) -> JobResult:
        """One job in its folder."""
        folder = job.plan.out
        assert folder is not None
        try:
            made = await self._in_time(number, job, folder)
        except OSError as error:
            problem = unreadable(str(error.filename or folder), error)
            begun = (folder / "run.yaml").is_file()  # what is there can be gone on with when the cause is gone
            return JobResult(job.where, "stopped" if begun else "refused", folder, problems=(problem,))
        except Exception as error:
            made = (diagnose.run_failed(str(folder), path=str(folder), error=f"{type(error).__name__}: {error}"[:300]),)
        if isinstance(made, RunResult):
            spent, _ = priced(made.spent, self.gate.limits.prices)
            counted = made.place, made.turns, made.tokens
            return JobResult(job.where, made.status, folder, *counted, problems=made.problems, spent=spent)
        if made is None:
            return JobResult(job.where, "ended", folder, before=True)
        return JobResult(job.where, "damaged" if is_damaged(made) else "refused", folder, problems=made)

    async def _in_time(self, number: int, job: Job, folder: Path) -> RunResult | Problems | None:
        """The run, stopped when it takes longer than a case may."""
        seconds = self.batch.case_deadline
        async with asyncio.timeout(seconds or None) as limit:
            made = await self._played(number, job, folder)
        if not limit.expired() or not isinstance(made, RunResult) or made.status != "interrupted":
            return made
        late = diagnose.case_timed_out(str(folder), path=str(folder), seconds=f"{seconds:g}")
        return replace(made, status="stopped", problems=(late,))

    async def _played(self, number: int, job: Job, path: Path) -> RunResult | Problems | None:
        """The run of a plan, begun or gone on with; None where it was over."""
        plan, deadline = job.plan, self.batch.deadline
        offline = {role for role, model in plan.models.items() if model in NAMES}

        def watch(event: Event | Request) -> None:
            if isinstance(event, Request) and event.role in offline:
                self.meter(Spent(calls=1))

        if not os.path.lexists(path / "run.yaml"):
            self.meter(Begun(job.where, path, number))
            return await started(plan, watch, deadline, gate=self.gate)
        folder = RunFolder.open(path)
        if not isinstance(folder, RunFolder):
            return folder
        other = () if job.made else differences(folder, plan)
        if isinstance(other, Diagnostic):
            return (other,)
        if other:
            return (diagnose.other_run_in_folder(str(path), path=str(path), what=other),)
        if problems := damage_of(path):
            return problems
        if standing(folder.journal).ended:
            return None if _is_written(folder) else await _rewritten(path)
        self.meter(Begun(job.where, path, number))
        project = None if job.made else plan.project
        return await resumed(folder, watch, plan.until, deadline, project=project, gate=self.gate)


def _is_written(folder: RunFolder) -> bool:
    """Whether what is made from a run that is over was written since its end, the last of it too: its process may have
    been killed before."""
    written, journal = Stamp.of(folder.path / citation_check.FILE), Stamp.of(folder.journal)
    return written != Stamp() and written.mtime >= journal.mtime


async def _rewritten(path: Path) -> RunResult | None:
    """What is made from a run that is over, written anew; None where it was, or the record is another version's."""
    made = await asyncio.to_thread(replay, path)  # which has a loop of its own
    return made if isinstance(made, RunResult) and made.status == "stopped" else None
