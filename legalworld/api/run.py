"""Runs as values: what they are, what was said and written in them, tables of them; and how one goes on."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypedDict, Unpack

from ..evaluation.results import Evaluation
from ..files import regular
from ..model.events import Event
from ..model.immutable import replace as replaced
from ..model.outcome import Ended
from ..models.endpoint import DEADLINE
from ..runs import lifecycle
from ..runs.callables import Actor, Callables
from ..runs.fork import Replacement, fork_of
from ..runs.lifecycle import RunResult
from ..runs.loop import Watch
from ..runs.open_run import OpenRun, open_run
from ..runs.plan import known_place, known_reach
from ..runs.project import Problems
from ..runs.transcript import documents
from .actors import Actors, seated
from .errors import LegalWorldError, got, in_python
from .evaluation import Evaluated, evaluated
from .event_loop import outside_loops
from .limits import Budget, limits_for
from .resumption import change_of
from .stream import Begin, EventStream
from .tables import RunTables


class ResumeOptions(TypedDict, total=False):
    """With what a run is gone on with; what is not said stays as it was.

    `actors`: other models, and the callables that played before: they are not part of the run. `until`: the place
    before which it pauses. `tools`: `native` or `text`, by role. `settings`: parameters of models. `budget`: `tokens`
    or `dollars`, `prices`: of models whose price nobody knows. `deadline`: seconds for one call.
    """

    actors: Actors
    until: str
    tools: Mapping[str, str]
    settings: Mapping[str, object]
    budget: Budget
    prices: Sequence[str]
    deadline: float


class Run(RunTables):
    """A run folder. It is read when something is asked of it; only `resume` and `evaluate` write.

    `folder`: where it lies; `warnings`: what was told when it was played just now. Reading raises LegalWorldError where
    the folder is no run, or is damaged.
    """

    def __init__(self, folder: Path | str, *, home: Path | None = None, warnings: Problems = ()) -> None:
        self.folder = Path(folder)
        self.warnings = warnings
        self._home = home or Path.cwd()
        self._read: tuple[tuple[int, int], OpenRun] | None = None

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r})"

    # ---- what it is --------------------------------------------------------------------------------------------------

    @property
    def opened(self) -> OpenRun:
        """All that the folder holds, read again when its journal has grown. For other rooms of the package: it is no
        part of what stays the same from version to version."""
        stamp = self._stamp()
        if self._read is None or self._read[0] != stamp:
            self._read = stamp, got(open_run(self.folder))
        return self._read[1]

    def _stamp(self) -> tuple[int, int]:
        try:
            status = os.stat(self.folder / "journal.jsonl")
        except OSError:
            return 0, 0
        return status.st_size, status.st_mtime_ns

    @property
    def paths(self) -> tuple[Path, ...]:
        return (self.folder,)

    @property
    def procedure(self) -> str:
        """The name of its procedure."""
        return self.opened.folder.info.procedure

    @property
    def case(self) -> str:
        """The id of its case."""
        return self.opened.case.id

    @property
    def seed(self) -> int:
        return self.opened.folder.info.seed

    @property
    def models(self) -> dict[str, str]:
        """Role -> who played it; `first + second` where several did."""
        return self.opened.played

    @property
    def events(self) -> tuple[Event, ...]:
        """All that happened, in order."""
        return self.opened.events

    @property
    def status(self) -> Literal["ended", "open"]:
        """Whether it has come to its end, or can be resumed."""
        return "ended" if self.opened.ended else "open"

    @property
    def outcome(self) -> str:
        """The procedure's word for how it ended; "" where it has not."""
        return next((event.outcome for event in reversed(self.events) if isinstance(event, Ended)), "")

    @property
    def documents(self) -> dict[str, str]:
        """File name -> text of each document that was written."""
        return documents(self.opened.procedure, self.events)

    @property
    def transcript(self) -> str:
        """The record as people read it, in Markdown."""
        try:
            return regular.text(self.folder / "transcript.md", self.folder)
        except OSError:  # it was never stopped in order: made anew from the journal
            self.replay()
            return regular.text(self.folder / "transcript.md", self.folder)

    def evaluate(
        self, rubric: str = "", *, grader: str = "offline", repeat: int = 1, given: bool = False
    ) -> Evaluation:
        """Score it by a rubric (the only one of the project for its procedure, where none is named) and keep the scores
        beside it. `given`: score what was put in place of a document too. Raises LegalWorldError."""
        came = evaluated((self.folder,), rubric, self._home, grader=grader, repeat=repeat, given=given)
        for problems in came.failed.values():
            raise LegalWorldError(problems, self._home)
        return came.evaluations[0]

    # ---- what becomes of it ------------------------------------------------------------------------------------------

    def replay(self) -> None:
        """Play the record again and compare each event; its files are made anew. Raises LegalWorldError where it
        comes out otherwise."""
        got(outside_loops(lambda: lifecycle.replay(self.folder)))

    def resume(self, **how: Unpack[ResumeOptions]) -> Run:
        """Play on to the end, or to `until`; what was answered is not asked again. `how`: see `ResumeOptions`.

        Raises LegalWorldError, RunStopped, RunInterrupted.
        """
        return self.resume_stream(**how).finish()

    async def resume_async(self, **how: Unpack[ResumeOptions]) -> Run:
        """The same, for who has an event loop. Cancelled, the run stops in order."""
        return await self.resume_stream(**how).finished()

    def resume_stream(self, **how: Unpack[ResumeOptions]) -> Stream:
        """The same, event by event."""
        opened, until = self.opened, how.get("until", "")
        seats, (change, now) = seated(how.get("actors", {})), change_of(opened, how, self._home)
        if until:
            wrong = known_place(opened.procedure, until, "--until")
            wrong = wrong or known_reach(
                opened.procedure, opened.case, replaced(opened.settings, until=until), "--until"
            )
            if wrong:
                raise LegalWorldError(in_python(wrong))
        limits = got(limits_for(now.models, now.profiles, how.get("budget", {}), how.get("prices", ())))
        deadline = how.get("deadline", DEADLINE)

        async def begin(watch: Watch, callables: Callables) -> RunResult | Problems:
            with_all: Any = {"limits": limits, "change": change, "callables": callables, "home": self._home}
            return await lifecycle.resumed_alone(self.folder, watch, until, deadline, **with_all)

        return Stream(begin, seats.named, self._home)

    def fork(self, at: str, *, replace: Mapping[str, str] | None = None, out: Path | str | None = None) -> Run:
        """A run of its own that began as this one did up to `at`, for `resume` to play on otherwise.

        `replace`: the document to put another text in place of, DOCUMENT or DOCUMENT@SIDE -> text; at most one.
        """
        opened = self.opened
        if wrong := known_place(opened.procedure, at, "--at"):
            raise LegalWorldError(in_python(wrong))
        what: Replacement | str = at
        for name, text in (replace or {}).items():
            document, _, side = name.partition("@")
            what = Replacement(at, document, side, text)
        made = got(fork_of(opened, what, Path(out) if out else None, called=False, home=self._home))
        return Run(made, home=self._home)


class RunStopped(LegalWorldError):
    """A run stopped before its end: an actor raised, a model gave no answer, a budget was spent. `run` can be
    resumed."""

    def __init__(self, problems: Problems, run: Run) -> None:
        super().__init__(problems)
        self.run = run


class RunInterrupted(KeyboardInterrupt):
    """A run was interrupted (Ctrl-C, the stop button of a notebook). What was answered is kept; `run` can be
    resumed."""

    def __init__(self, run: Run) -> None:
        super().__init__(str(run.folder))
        self.run = run


class Stream(EventStream[Run]):
    """The events of a run that is being played, each once: `for event in stream` or `async for event in stream`.

    The run waits while the reader looks at an event: the next question is asked when he wants the next event. Whoever
    leaves the loop before its end stops the run there. Afterwards `stream.run` is the run, which can be resumed.
    """

    def __init__(self, begin: Begin, named: Mapping[str, Actor], home: Path) -> None:
        super().__init__(begin, named)
        self._home = home

    @property
    def run(self) -> Run:
        """The run, when nobody plays it any more. Raises LegalWorldError where it could not be begun."""
        result = self.result
        return Run(result.folder, home=self._home, warnings=in_python(result.problems))

    def settled(self) -> Run:
        """The run. Raises RunStopped, RunInterrupted."""
        result = self.result
        if result.status == "stopped":
            wrong = tuple(one for one in result.problems if one.severity == "error")
            raise RunStopped(in_python(wrong), self.run) from self.cause
        if result.status == "interrupted":
            raise RunInterrupted(self.run)
        return self.run


class Runs(RunTables):
    """Several runs, to be read and put into tables together. One that is damaged is told of by whatever reads it."""

    def __init__(self, runs: Sequence[Run], *, home: Path | None = None) -> None:
        self._runs = tuple(runs)
        self._home = home or Path.cwd()

    def __len__(self) -> int:
        return len(self._runs)

    def __iter__(self) -> Iterator[Run]:
        return iter(self._runs)

    def __getitem__(self, number: int) -> Run:
        return self._runs[number]

    def evaluate(self, rubric: str = "", *, grader: str = "offline", repeat: int = 1, given: bool = False) -> Evaluated:
        """Score all of them, several at once; what is wrong with one leaves the others alone."""
        return evaluated(self.paths, rubric, self._home, grader=grader, repeat=repeat, given=given)

    @property
    def paths(self) -> tuple[Path, ...]:
        return tuple(run.folder for run in self._runs)
