"""A batch on a Ray cluster: workers anywhere in it play what they are given, one actor holds the limits for all.

Every worker reads the same cases, and the runs lie where all of them can write. What a lost worker was playing is gone
on with by another from its journal; what was lost twice is played alone, and given up when it is lost once more.
"""

from __future__ import annotations

import asyncio
import platform
import time
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from ..language import diagnose
from ..model.version import __version__
from ..runs.project import Problems
from .jobs import BatchRequest, PlannedBatch, plan_batch
from .play import Batch, BatchOutcome, Job, Meter, Outage, Playing, Tell, Told, Unplayable, only_once
from .ray_connection import connected
from .ray_limits import Board, BoardGate
from .results import JobResult, Results

LOOK: Final = 0.5  # seconds between looks at what the workers tell, and at whether a folder was let go of
PATIENCE: Final = 60.0  # seconds in which a worker that was found lost must be gone from the folders of its runs
START: Final = 600.0  # seconds for the first worker to begin: a busy cluster has to make room, a growing one machines
LOST: Final = 3  # times that a run's worker may be lost before the run is given up
FAILED: Final = 3  # workers that are lost before they begin, until no more are asked for
UNHEARD: Final = 60  # looks in a row at which the board may be out of reach
AT_ONCE: Final = 20_000  # calls that the board hears at once: one for each call that waits, and some

_STILL_HELD: Final = diagnose.codes_of(diagnose.busy_run_folder, diagnose.folder_not_empty)


# ---- the process that plays ------------------------------------------------------------------------------------------


class RayPlayer:
    """The actor that plays: jobs are named by their numbers."""

    def __init__(self, asked: BatchRequest, cwd: Path, batch: Batch, board: Any, name: str) -> None:
        self._asked, self._cwd = asked, cwd
        gate = BoardGate(batch, board, name)
        self._playing = Playing(batch, gate, lambda event: board.tell.remote(event))
        self._tasks: set[asyncio.Task[JobResult]] = set()
        self._stopped = False
        self._jobs: Iterator[tuple[int, Job | Unplayable]] = iter(())
        self._next = -1

    async def begin(self, version: str) -> Problems:
        """What is in the way of playing here: another version of the program, or specs that are not here."""
        if version != __version__:
            reason = f"legalworld {__version__}, not {version}"
            return (diagnose.worker_not_started("--engine", where=platform.node(), reason=reason),)
        jobs = plan_batch(self._asked, self._cwd)
        return jobs if isinstance(jobs, tuple) else ()

    async def play(self, number: int, again: bool = False) -> JobResult | None:
        """How a job came out; None where there is none of the number. `again`: another worker was lost playing it."""
        job = self._job(number)
        if job is None:
            return None
        task = asyncio.create_task(self._played(number, job, again))
        self._tasks.add(task)
        if self._stopped:
            task.cancel()
        try:
            return replace(await task, number=number)
        except asyncio.CancelledError:  # before anything was played
            folder = job.plan.out if isinstance(job, Job) else None
            return JobResult(job.where, "interrupted", folder, number=number)
        finally:
            self._tasks.discard(task)

    async def _played(self, number: int, job: Job | Unplayable, again: bool) -> JobResult:
        """A job. A lost worker may still be dying, or cut off from the cluster only, and holds its folders until it is
        gone."""
        until = time.monotonic() + PATIENCE
        while True:
            result = await self._playing.done(number, job)
            held = any(problem.code in _STILL_HELD for problem in result.problems)
            if not (again and held and time.monotonic() < until):
                return result
            await asyncio.sleep(LOOK)

    async def stop(self) -> None:
        """Leave off: the runs under way write what can be made from them."""
        self._stopped = True
        for task in self._tasks:
            task.cancel()

    def _job(self, number: int) -> Job | Unplayable | None:
        if number < self._next or self._next < 0:
            jobs = plan_batch(self._asked, self._cwd)
            assert not isinstance(jobs, tuple)
            self._jobs, self._next = enumerate(only_once(jobs)), 0
        for found, job in self._jobs:
            self._next = found + 1
            if found == number:
                return job
        return None


# ---- the process that grants, counts and tells -----------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Seat:
    """The place of one worker. `begin`: its answer whether it can play, not heard yet; `out`: what it plays; `alone`:
    for what was lost twice."""

    name: str
    actor: Any
    room: int
    begin: Any
    alone: bool = False
    out: dict[Any, int] = field(default_factory=dict)


class _Cluster:
    def __init__(self, plan: PlannedBatch, batch: Batch, workers: int) -> None:
        self._ray = import_module("ray")
        errors = self._ray.exceptions
        self._lost_by = (errors.RayActorError, errors.WorkerCrashedError, errors.NodeDiedError, errors.OutOfMemoryError)
        self._plan, self._batch = plan, batch
        self._workers = workers
        self._board = self._ray.remote(Board).options(num_cpus=0, max_concurrency=AT_ONCE).remote(batch)
        self._seats: list[_Seat] = []
        self._made = self._next = 0
        self._over = self._exhausted = self._stopping = False
        self._again: deque[int] = deque()
        self._lost: Counter[int] = Counter()
        self._results = Results()
        self._outage = Outage()
        self._begun, self._failed, self._unheard = False, 0, 0
        self._unfit: Problems = ()

    def play(self, told: Told) -> BatchOutcome | Problems:
        interrupted = False
        try:
            for number in range(self._workers):
                room = self._batch.at_once // self._workers + (number < self._batch.at_once % self._workers)
                self._sit(max(1, room))
            until = time.monotonic() + START
            while True:
                try:
                    self._grant()
                    if self._done_with():
                        break
                    if not self._begun and time.monotonic() > until:
                        self._unfit += (diagnose.full_cluster("--engine", seconds=f"{START:g}"),)
                        break
                    self._hear(told.result, told.meter)
                except KeyboardInterrupt:
                    if interrupted:  # a second time: at once
                        break
                    interrupted = True
                    self._stop()
            self._news(told.meter)
            for actor in (*(seat.actor for seat in self._seats), self._board):
                self._ray.kill(actor)
        except self._ray.exceptions.RayError as error:  # not of one worker: those are heard
            self._unfit += (diagnose.lost_cluster("--engine", reason=_said(error)),)
        return self._outcome(interrupted, told)

    def _done_with(self) -> bool:
        if any(seat.out for seat in self._seats):
            return False
        begins = any(seat.begin is not None for seat in self._seats)
        return not begins or self._stopping or self._exhausted or (self._over and not self._again)

    def _outcome(self, interrupted: bool, told: Told) -> BatchOutcome | Problems:
        """What came of it. What the cluster could not play can be gone on with."""
        unfit, left = self._unfit, sorted({*self._again, *(n for seat in self._seats for n in seat.out.values())})
        if unfit and not self._results and not left and not interrupted:
            return unfit
        stuck = not (interrupted or self._exhausted or self._over) and not left
        for number in (*left, *((self._next,) if stuck else ())) if not interrupted else ():
            self._done(JobResult(f"#{number + 1}", "stopped", None, problems=unfit, number=number), told.result)
            unfit = ()
        told.warn(unfit)
        return BatchOutcome(self._results, interrupted, self._exhausted)

    def _sit(self, room: int, *, alone: bool = False) -> None:
        self._made += 1
        name = f"worker-{self._made}"
        made = self._ray.remote(RayPlayer).options(
            num_cpus=0 if alone else 1, max_concurrency=room + 10, scheduling_strategy="SPREAD"
        )
        actor = made.remote(self._plan.asked, self._plan.cwd, self._batch, self._board, name)
        self._seats.append(_Seat(name, actor, room, actor.begin.remote(__version__), alone))

    def _grant(self) -> None:
        """Fill the seats with what is to be played."""
        if self._stopping or self._exhausted:
            return
        for seat in [seat for seat in self._seats if seat.alone and not seat.out]:
            self._leave(seat)
        for lost in [number for number in self._again if self._lost[number] >= LOST - 1]:
            if not any(seat.alone for seat in self._seats):
                self._again.remove(lost)
                self._sit(1, alone=True)
                self._give(self._seats[-1], lost)
        for seat in self._seats:
            while seat.begin is None and not seat.alone and len(seat.out) < seat.room:
                number = self._wanted()
                if number is None:
                    break
                self._give(seat, number)

    def _wanted(self) -> int | None:
        """The number that is to be played next by anybody."""
        for number in self._again:
            if self._lost[number] < LOST - 1:
                self._again.remove(number)
                return number
        if self._over:
            return None
        self._next += 1
        return self._next - 1

    def _give(self, seat: _Seat, number: int) -> None:
        seat.out[seat.actor.play.remote(number, self._lost[number] > 0)] = number

    def _hear(self, tell: Tell, meter: Meter) -> None:
        """What the workers have to say within a moment."""
        waiting = {ref: seat for seat in self._seats for ref in (*seat.out, *filter(None, (seat.begin,)))}
        ready, _ = self._ray.wait(list(waiting), num_returns=len(waiting), timeout=LOOK)
        self._news(meter)
        for ref in ready:
            seat = waiting[ref]
            if seat not in self._seats:
                continue  # found lost just now
            try:
                result = self._ray.get(ref)
            except self._lost_by as error:
                self._gone(seat, tell, _said(error))
                continue
            if ref == seat.begin:
                self._begins(seat, result)
                continue
            del seat.out[ref]
            if result is None:
                self._over = True
            else:
                self._done(result, tell)

    def _begins(self, seat: _Seat, problems: Problems) -> None:
        seat.begin = None
        if problems and not seat.alone:
            self._unfit += tuple(problem for problem in problems if problem not in self._unfit)
            self._leave(seat)
        else:
            self._begun, self._failed = True, 0

    def _leave(self, seat: _Seat) -> None:
        self._seats.remove(seat)
        self._ray.kill(seat.actor)

    def _stop(self) -> None:
        self._stopping = True
        for seat in self._seats:
            seat.actor.stop.remote()

    def _done(self, result: JobResult, tell: Tell) -> None:
        self._results.add(result)
        self._outage.note(result)
        if self._outage.lasts and not self._stopping:
            self._stop()
        tell(result)

    def _news(self, meter: Meter) -> None:
        """What the board was told. On a busy machine it may be out of reach for a moment."""
        try:
            news, self._exhausted = self._ray.get(self._board.news.remote())
        except self._ray.exceptions.ActorUnavailableError:
            self._unheard += 1
            if self._unheard > UNHEARD:
                raise
            return
        self._unheard = 0
        for event in news:
            meter(event)

    def _gone(self, seat: _Seat, tell: Tell, reason: str) -> None:
        """A worker is lost: what it played is played again, and another takes its place."""
        lost, seat.out = list(seat.out.values()), {}
        for number in lost:  # first, so that they are not forgotten when the whole cluster turns out to be lost
            self._lost[number] += 1
            if self._lost[number] < LOST:
                self._again.append(number)
                continue
            died = diagnose.worker_crashed(f"#{number + 1}", path=f"#{number + 1}", how="Ray")
            self._done(JobResult(f"#{number + 1}", "refused", None, problems=(died,), number=number), tell)
        self._leave(seat)  # it may only be out of reach
        self._ray.get(self._board.forget.remote(seat.name))
        if seat.alone or self._stopping:
            return
        self._failed += seat.begin is not None
        if self._failed < FAILED:
            self._sit(seat.room)
        elif seat.begin is not None:
            self._unfit = (diagnose.worker_not_started("--engine", where="Ray", reason=reason),)


def _said(error: BaseException) -> str:
    """What Ray says of an error, in a line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[-1] if lines else type(error).__name__)[:300]


def play_on_ray(plan: PlannedBatch, batch: Batch, workers: int, told: Told) -> BatchOutcome | Problems:
    """As `play_jobs`, on the cluster that RAY_ADDRESS names, else on one of this machine made for it."""
    with connected(workers) as processors:
        if not isinstance(processors, int):
            return (processors,)
        workers = max(1, min(workers, batch.at_once, processors))
        return _Cluster(plan, batch, workers).play(told)
