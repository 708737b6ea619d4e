"""A batch in several processes, for where one processor is the limit: the first grants, counts and tells.

Every process reads the same cases and plays those whose numbers it was granted; each has a share of the rates, and the
budget is watched here. What a process that dies was playing is tried once more, one run at a time; a run whose process
dies again is recorded, and the others go on.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any, Final

from ..language import diagnose
from ..model.immutable import immutable
from ..models.limits import Gate
from ..models.prices import NOTHING, Spent
from ..models.wire import SETTINGS
from .jobs import BatchRequest, PlannedBatch, plan_batch
from .play import (
    Batch,
    BatchOutcome,
    Begun,
    Job,
    Meter,
    Numbered,
    Outage,
    Tell,
    Unplayable,
    gate_of,
    only_once,
    play_all,
)
from .results import JobResult, Results

LOOK: Final = 0.2  # seconds between looks at whether to stop, and between two reports of what was spent
NEXT, END = "next", "end"


@immutable
class _Switches:
    """What the first process tells all others. `stop`: leave off; `closed`: make no more calls."""

    stop: Any
    closed: Any


@immutable
class _Place:
    """Where the first process is: its working folder, and its environment as it is now, with the keys of models."""

    cwd: Path
    environment: Mapping[str, str] = field(repr=False)


# ---- the process that plays ------------------------------------------------------------------------------------------


def _work(asked: BatchRequest, place: _Place, batch: Batch, pipe: Connection, switches: _Switches) -> None:
    os.environ.clear()  # a fork has that of the time at which the first batch of the process began
    os.environ.update(place.environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process hears it and says what to do
    jobs = plan_batch(asked, place.cwd)
    assert not isinstance(jobs, tuple)
    with suppress(BrokenPipeError, EOFError, ConnectionError):
        asyncio.run(_Player(batch, pipe, switches).play(enumerate(only_once(jobs))))


class _Player:
    def __init__(self, batch: Batch, pipe: Connection, switches: _Switches) -> None:
        self._batch = batch
        self._pipe = pipe
        self._switches = switches
        self._spent = NOTHING
        self._number = -1

    async def play(self, numbered: Numbered) -> None:
        gate = gate_of(self._batch, self._meter)
        playing = asyncio.create_task(play_all(self._granted(numbered), self._batch, gate, self._tell, self._meter))
        looking = asyncio.create_task(self._look(gate, playing))
        try:
            await playing
        finally:
            looking.cancel()
            self._report()

    async def _look(self, gate: Gate, playing: asyncio.Task[BatchOutcome]) -> None:
        """Stop when the first process says so, or is gone."""
        parent = multiprocessing.parent_process()
        while True:
            await asyncio.sleep(LOOK)
            self._report()
            gate.closed = self._switches.closed.is_set()
            if self._switches.stop.is_set() or parent is None or not parent.is_alive():
                playing.cancel()
                return

    def _granted(self, numbered: Numbered) -> Iterator[tuple[int, Job | Unplayable]]:
        """The jobs that this process may play, asked for one by one."""
        while True:
            self._pipe.send(NEXT)
            wanted = self._pipe.recv()
            if wanted is None:
                return
            for number, job in numbered:
                if number == wanted:
                    yield number, job
                    break
            else:
                self._pipe.send((END, wanted))
                return

    def _tell(self, result: JobResult) -> None:
        self._report()
        self._pipe.send(result)

    def _meter(self, event: Begun | Spent) -> None:
        if isinstance(event, Spent):
            self._spent += event
        else:
            self._pipe.send(event)

    def _report(self) -> None:
        if self._spent.calls:
            spent, self._spent = self._spent, NOTHING
            self._pipe.send(spent)


# ---- the first process -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Slot:
    """The place of one process. `out`: numbers granted to it and not done; `again`: those that it alone is to try, one
    at a time, because another died of one of them."""

    number: int
    process: Any
    pipe: Connection
    again: deque[int] | None = None
    out: dict[int, str] = field(default_factory=dict)  # number -> folder, "" before it was begun


class _Crew:
    """The processes of a batch, and what came of it."""

    def __init__(self, asked: BatchRequest, batch: Batch, workers: int, cwd: Path, context: Any) -> None:
        self._asked, self._batch, self._workers, self._cwd = asked, batch, workers, cwd
        self._context = context
        self._switches = _Switches(self._context.Event(), self._context.Event())
        self._total = gate_of(batch, lambda _: None)
        self._outage = Outage()
        self._next = 0
        self._over = False
        self._results = Results()
        self._slots: list[_Slot] = []

    def play(self, tell: Tell, meter: Meter) -> BatchOutcome:
        interrupted = False
        for number in range(self._workers):
            self._start(number)
        while self._slots:
            try:
                ready = wait([slot.pipe for slot in self._slots], timeout=1.0)
                for slot in [slot for slot in self._slots if slot.pipe in ready]:
                    self._hear(slot, tell, meter)
            except KeyboardInterrupt:
                if interrupted:  # a second time: at once
                    for slot in self._slots:
                        slot.process.terminate()
                interrupted = True
                self._switches.stop.set()
        return BatchOutcome(self._results, interrupted, self._total.exhausted)

    def _start(self, number: int, again: deque[int] | None = None) -> None:
        """A process with its share of the rates and of the runs at once; alone with what is tried again, one run."""
        among = self._workers
        at_once = 1 if again else max(1, self._batch.at_once // among + (number < self._batch.at_once % among))
        share = replace(self._batch, at_once=at_once, limits=self._batch.limits.share(number, among), spent=NOTHING)
        ours, theirs = self._context.Pipe()
        place = _Place(self._cwd, dict(os.environ))
        process = self._context.Process(
            target=_work, args=(self._asked, place, share, theirs, self._switches), daemon=True
        )
        process.start()
        theirs.close()
        self._slots.append(_Slot(number, process, ours, again))

    def _hear(self, slot: _Slot, tell: Tell, meter: Meter) -> None:
        """One message of a process, or its end."""
        try:
            said = slot.pipe.recv()
        except (EOFError, OSError):
            self._ended(slot, tell)
            return
        match said:
            case str():
                slot.pipe.send(self._granted(slot))
            case (_, number):  # it has no job of this number: there are no more
                self._over = True
                slot.out.pop(number, None)
            case Spent():
                self._total.total += said
                if self._total.exhausted:
                    self._switches.closed.set()
                meter(said)
            case Begun():
                slot.out[said.number] = str(said.folder)
                meter(said)
            case JobResult():
                slot.out.pop(said.number, None)
                self._results.add(said)
                self._outage.note(said)
                if self._outage.lasts:
                    self._switches.stop.set()
                tell(said)

    def _granted(self, slot: _Slot) -> int | None:
        """The number that a process may play next."""
        if self._total.exhausted or self._switches.stop.is_set():
            return None
        if slot.again is not None:
            number = slot.again.popleft() if slot.again else None
        else:
            number, self._next = (None, self._next) if self._over else (self._next, self._next + 1)
        if number is not None:
            slot.out[number] = ""
        return number

    def _ended(self, slot: _Slot, tell: Tell) -> None:
        """A process is gone: another takes its place where there is something left to do."""
        slot.process.join()
        slot.pipe.close()
        self._slots.remove(slot)
        again = deque(slot.again or ())
        if slot.out and slot.again is not None:  # alone, and for the second time
            for number, folder in slot.out.items():
                died = diagnose.worker_crashed(folder, path=folder, how=_how(slot.process.exitcode))
                result = JobResult(folder, "refused", Path(folder) if folder else None, problems=(died,), number=number)
                self._results.add(result)
                tell(result)
        else:
            again.extend(sorted(slot.out))
        if self._switches.stop.is_set() or self._total.exhausted:
            return
        if again:
            self._start(slot.number, again)
        elif not self._over:
            self._start(slot.number)


def _how(code: int | None) -> str:
    """How a process ended: by which signal, or with which code."""
    if code is not None and code < 0:
        with suppress(ValueError):
            return signal.Signals(-code).name
    return f"exit {code}"


def play_in_processes(plan: PlannedBatch, batch: Batch, workers: int, tell: Tell, meter: Meter) -> BatchOutcome:
    """As `play_jobs`, in several processes."""
    return _Crew(plan.asked, batch, workers, plan.cwd, _context(bool(plan.live))).play(tell, meter)


def _context(live: bool) -> Any:
    """How processes begin: where the system can, as forks of one that has imported what all need. To import litellm
    takes seconds and 160 MB, for each process again or for all of them once."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    os.environ.update(SETTINGS if live else {})
    context.set_forkserver_preload([__name__, *(["litellm"] if live else [])])
    return context
