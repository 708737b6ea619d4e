"""A batch on a Ray cluster: workers anywhere in it play what they are given, one actor holds the limits for all.

Every worker reads the same cases, and the runs lie where all of them can write. What a lost worker was playing is gone
on with by another from its journal; what was lost twice is played alone, and given up when it is lost once more.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from .jobs import BatchRequest, PlannedBatch, plan_batch
from .play import Batch, BatchOutcome, Job, JobResult, Meter, Playing, Tell, Unplayable, only_once
from .ray_limits import Board, BoardGate

LOOK: Final = 0.5  # seconds between looks at what the workers tell
LOST: Final = 3  # times that a run's worker may be lost before the run is given up
AT_ONCE: Final = 20_000  # calls that the board hears at once: one for each call that waits, and some


def lacking_ray(option: str) -> Diagnostic | None:
    """What is to be installed, where it is not."""
    try:
        import_module("ray")
    except ImportError:
        return diagnose.missing_optional_library(option, library="ray", extra="ray")
    return None


# ---- the process that plays ------------------------------------------------------------------------------------------


class RayPlayer:
    """The actor that plays: jobs are named by their numbers."""

    def __init__(self, asked: BatchRequest, cwd: Path, batch: Batch, board: Any, name: str) -> None:
        self._asked, self._cwd = asked, cwd
        gate = BoardGate(batch, board, name)
        self._playing = Playing(batch, gate, lambda event: board.tell.remote(event))
        self._tasks: set[asyncio.Task[JobResult]] = set()
        self._jobs: Iterator[tuple[int, Job | Unplayable]] = iter(())
        self._next = -1

    async def play(self, number: int) -> JobResult | None:
        """How a job came out; None where there is none of the number."""
        job = self._job(number)
        if job is None:
            return None
        task = asyncio.create_task(self._playing.done(number, job))
        self._tasks.add(task)
        try:
            return replace(await task, number=number)
        finally:
            self._tasks.discard(task)

    async def stop(self) -> None:
        """Leave off: the runs under way write what can be made from them."""
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
    """The place of one worker. `out`: what it plays; `alone`: for what was lost twice."""

    name: str
    actor: Any
    room: int
    alone: bool = False
    out: dict[Any, int] = field(default_factory=dict)


class _Cluster:
    def __init__(self, plan: PlannedBatch, batch: Batch, workers: int) -> None:
        self._ray = import_module("ray")
        self._plan, self._batch = plan, batch
        self._workers = workers
        self._board = self._ray.remote(Board).options(num_cpus=0, max_concurrency=AT_ONCE).remote(batch)
        self._seats: list[_Seat] = []
        self._made = self._next = 0
        self._over = self._exhausted = self._stopping = False
        self._again: deque[int] = deque()
        self._lost: Counter[int] = Counter()
        self._results: dict[int, JobResult] = {}

    def play(self, tell: Tell, meter: Meter) -> BatchOutcome:
        for number in range(self._workers):
            room = self._batch.at_once // self._workers + (number < self._batch.at_once % self._workers)
            self._sit(max(1, room))
        interrupted = False
        while True:
            try:
                self._grant()
                if not any(seat.out for seat in self._seats):
                    break
                self._hear(tell, meter)
            except KeyboardInterrupt:
                if interrupted:  # a second time: at once
                    break
                interrupted = self._stopping = True
                for seat in self._seats:
                    seat.actor.stop.remote()
        self._news(meter)
        for actor in (*(seat.actor for seat in self._seats), self._board):
            self._ray.kill(actor)
        results = tuple(self._results[number] for number in sorted(self._results))
        return BatchOutcome(results, interrupted, self._exhausted)

    def _sit(self, room: int, *, alone: bool = False) -> None:
        self._made += 1
        name = f"worker-{self._made}"
        made = self._ray.remote(RayPlayer).options(
            num_cpus=0 if alone else 1, max_concurrency=room + 10, scheduling_strategy="SPREAD"
        )
        actor = made.remote(self._plan.asked, self._plan.cwd, self._batch, self._board, name)
        self._seats.append(_Seat(name, actor, room, alone))

    def _grant(self) -> None:
        """Fill the seats with what is to be played."""
        if self._stopping or self._exhausted:
            return
        for seat in [seat for seat in self._seats if seat.alone and not seat.out]:
            self._ray.kill(seat.actor)
            self._seats.remove(seat)
        for lost in [number for number in self._again if self._lost[number] >= LOST - 1]:
            if not any(seat.alone for seat in self._seats):
                self._again.remove(lost)
                self._sit(1, alone=True)
                self._give(self._seats[-1], lost)
        for seat in self._seats:
            while not seat.alone and len(seat.out) < seat.room and (number := self._wanted()) is not None:
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
        seat.out[seat.actor.play.remote(number)] = number

    def _hear(self, tell: Tell, meter: Meter) -> None:
        waiting = {ref: seat for seat in self._seats for ref in seat.out}
        ready, _ = self._ray.wait(list(waiting), num_returns=len(waiting), timeout=LOOK)
        self._news(meter)
        for ref in ready:
            seat = waiting[ref]
            if ref not in seat.out:
                continue  # of a seat that was found lost just now
            try:
                result = self._ray.get(ref)
            except self._ray.exceptions.RayActorError:
                self._gone(seat, tell)
                continue
            del seat.out[ref]
            if result is None:
                self._over = True
            else:
                self._done(result, tell)

    def _done(self, result: JobResult, tell: Tell) -> None:
        self._results[result.number] = result
        tell(result)

    def _news(self, meter: Meter) -> None:
        news, self._exhausted = self._ray.get(self._board.news.remote())
        for event in news:
            meter(event)

    def _gone(self, seat: _Seat, tell: Tell) -> None:
        """A worker is lost: what it played is played again, and another takes its place."""
        self._seats.remove(seat)
        self._ray.get(self._board.forget.remote(seat.name))
        lost, seat.out = list(seat.out.values()), {}
        for number in lost:
            self._lost[number] += 1
            if self._lost[number] < LOST:
                self._again.append(number)
                continue
            died = diagnose.worker_crashed(f"#{number + 1}", path=f"#{number + 1}", how="Ray")
            self._done(JobResult(f"#{number + 1}", "refused", None, problems=(died,), number=number), tell)
        if not seat.alone and not self._stopping:
            self._sit(seat.room)


def play_on_ray(plan: PlannedBatch, batch: Batch, workers: int, tell: Tell, meter: Meter) -> BatchOutcome:
    """As `play_jobs`, on the cluster that RAY_ADDRESS names, else on one of this machine made for it."""
    ray = import_module("ray")
    ours = not ray.is_initialized()
    if ours:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        address = os.environ.get("RAY_ADDRESS")
        where = {"address": address} if address else {"include_dashboard": False, "num_cpus": workers}
        ray.init(log_to_driver=False, logging_level="error", **where)
    try:
        workers = max(1, min(workers, batch.at_once, int(ray.cluster_resources().get("CPU", workers))))
        return _Cluster(plan, batch, workers).play(tell, meter)
    finally:
        if ours:
            ray.shutdown()
