"""Evaluation of stored runs: opened without being played, scored by a rubric, and kept beside the run.

outcomes = evaluate([Path("runs/civil-jiedai-1")], opened_rubric, GraderSettings("openai/judge"))
"""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from ..language import diagnose
from ..model.procedure import Procedure
from ..models.failures import ModelFailed
from ..runs.project import Problems
from ..templates.template_set import TemplateError
from .grader import FOLDER, Grader, GraderSettings
from .grading import Question
from .offline_grader import NAME as OFFLINE
from .results import Evaluation
from .rubric.definition import Rubric
from .rubric.open import OpenRubric, unsuitable
from .run_store import RunStore
from .score_files import SCORES, keep
from .scoring import Scored, score
from .stored_run import LoadedRun

AT_ONCE = 8  # questions that are out at the same time
MANY = 32  # runs, from which processes are worth starting
SHARE = 8  # runs that a process takes at a time

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class EvaluationOutcome:
    """What came of one run: its evaluation, or why there is none."""

    path: Path
    evaluation: Evaluation | None
    problems: Problems = ()


Watch = Callable[[EvaluationOutcome], None]


def silent(_: EvaluationOutcome) -> None:
    """Watch nothing."""


def evaluate(
    paths: Sequence[Path],
    opened: OpenRubric,
    settings: GraderSettings,
    watch: Watch = silent,
    *,
    cwd: Path | None = None,
    as_drafted: bool = False,
) -> tuple[EvaluationOutcome, ...]:
    """Score runs, several at once. Each is kept as soon as it is done; what fails leaves the others alone.

    Where no model is asked, all is computing, and many runs are shared out among the processors. `as_drafted`: see
    `Stored`.
    """
    setup = _Setup(opened, settings, (cwd or Path.cwd()) / FOLDER, as_drafted)
    if len(paths) >= MANY and (settings.model == OFFLINE or not opened.rubric.asks):
        return _in_processes(paths, setup, watch)
    return asyncio.run(_at_once(paths, setup, watch))


@dataclass(frozen=True, slots=True)
class _Setup:
    """What every process that scores needs."""

    opened: OpenRubric
    settings: GraderSettings
    folder: Path
    as_drafted: bool

    def scorer(self) -> _Scorer:
        return _Scorer(self.opened, Grader(self.settings, self.folder), RunStore(self.as_drafted))


def _in_processes(paths: Sequence[Path], setup: _Setup, watch: Watch) -> tuple[EvaluationOutcome, ...]:
    from concurrent.futures import ProcessPoolExecutor

    outcomes: list[EvaluationOutcome] = []
    with ProcessPoolExecutor(initializer=_Worker.begin, initargs=(setup,)) as pool:
        try:
            for outcome in pool.map(_Worker.score, paths, chunksize=SHARE):
                watch(outcome)
                outcomes.append(outcome)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    return tuple(outcomes)


class _Worker:
    """What a process that scores keeps from one run to the next."""

    scorer: _Scorer
    loop: asyncio.AbstractEventLoop

    @classmethod
    def begin(cls, setup: _Setup) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process tells the others to stop
        cls.scorer, cls.loop = setup.scorer(), asyncio.new_event_loop()
        gc.freeze()  # the events of a run go when nobody holds them: looking for circles among them takes a tenth
        gc.set_threshold(50_000, 20, 20)

    @classmethod
    def score(cls, path: Path) -> EvaluationOutcome:
        return cls.loop.run_until_complete(cls.scorer.score(path))


async def _at_once(paths: Sequence[Path], setup: _Setup, watch: Watch) -> tuple[EvaluationOutcome, ...]:
    """At most `AT_ONCE` runs in memory at a time; the outcomes in the order of the paths."""
    scorer = setup.scorer()
    if problems := scorer.grader.open():
        refused = tuple(EvaluationOutcome(path, None, problems) for path in paths)
        for outcome in refused[:1]:  # the same for all: the first stands for them
            watch(outcome)
        return refused
    outcomes: dict[int, EvaluationOutcome] = {}
    left = iter(enumerate(paths))

    async def take() -> None:
        for number, path in left:
            outcomes[number] = await scorer.score(path)
            watch(outcomes[number])

    async with scorer.grader:
        await asyncio.gather(*(take() for _ in range(min(AT_ONCE, len(paths)))))
    return tuple(outcomes[number] for number in range(len(paths)))


@dataclass(slots=True)
class _Scorer:
    """Opens, scores and keeps runs, one rubric and one grader for all. A procedure is held against the rubric once."""

    opened: OpenRubric
    grader: Grader
    runs: RunStore
    room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    checked: dict[int, Problems] = field(default_factory=dict)

    async def score(self, path: Path) -> EvaluationOutcome:
        loaded = self.runs.open(path)
        if isinstance(loaded, tuple):
            return EvaluationOutcome(path, None, loaded)
        stored, rubric = loaded.stored, self.opened.rubric
        if problems := self._unsuitable(path, stored.procedure):
            return EvaluationOutcome(path, None, problems)
        scoring = score(rubric, stored, self.opened.templates, grader=self.grader.settings.model)
        try:
            evaluation = _evaluation(loaded, rubric, self.grader, await answered(scoring, self.grader, self.room))
            keep(path, evaluation)
        except ModelFailed as error:
            return EvaluationOutcome(path, None, (error.at("--grader"),))
        except TemplateError as error:
            return EvaluationOutcome(path, None, error.problems)
        except OSError as error:
            return EvaluationOutcome(
                path,
                None,
                (
                    diagnose.unwritable_scores(
                        str(path), path=str(path / SCORES), reason=error.strerror or type(error).__name__
                    ),
                ),
            )
        return EvaluationOutcome(path, evaluation, loaded.warnings)

    def _unsuitable(self, path: Path, procedure: Procedure) -> Problems:
        """Why a run cannot be scored by the rubric."""
        if procedure.name not in self.opened.rubric.procedures:
            return unsuitable(self.opened.rubric, procedure, path)
        if id(procedure) not in self.checked:  # the store holds the procedure, so that no other gets its id
            self.checked[id(procedure)] = unsuitable(self.opened.rubric, procedure, path)
        return self.checked[id(procedure)]


async def answered(
    asking: Generator[tuple[Question, ...], tuple[str, ...], _Result], grader: Grader, room: asyncio.Semaphore
) -> _Result:
    """What a generator of questions comes to, when the grader answers them; `room` bounds the questions that are out
    at the same time. Raises ModelFailed, and what the generator raises."""

    async def reply(question: Question) -> str:
        async with room:
            return await grader.reply(question)

    try:
        questions = next(asking)
        while True:
            replies: Sequence[str] = await asyncio.gather(*map(reply, questions))
            questions = asking.send(tuple(replies))
    except StopIteration as done:
        result: _Result = done.value
        return result


def _evaluation(loaded: LoadedRun, rubric: Rubric, grader: Grader, scored: Scored) -> Evaluation:
    stored = loaded.stored
    recorded = {**grader.settings.recorded(), "versions": sorted(filter(None, grader.versions))}
    return Evaluation(
        run=stored.name,
        procedure=stored.procedure.name,
        case=stored.case.id,
        target=stored.target,
        model=stored.models.get(stored.target, "") or next(iter(stored.models.values()), ""),
        outcome=stored.outcome,
        finished=stored.finished,
        rubric=rubric.name,
        rubric_digest=rubric.digest,
        run_digest=loaded.chain,
        grader=recorded if rubric.asks else {},
        figures=scored.figures,
        passes=dict(scored.passes),
        scores=scored.scores,
    )
