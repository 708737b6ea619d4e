"""Evaluation of stored runs: opened without being played, scored by a rubric, and kept beside the run.

outcomes = evaluate([Path("runs/civil-jiedai-1")], opened_rubric, GraderSettings("openai/judge"))
"""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..models.failures import ModelFailed
from ..runs.project import Problems
from ..templates.template_set import TemplateError
from .asked_questions import AskedQuestion, asked_question
from .grader import FOLDER, Grader, GraderSettings, GraderUsage
from .grading import Question
from .offline_grader import NAME as OFFLINE
from .results import Evaluation
from .rubric.definition import Rubric
from .rubric.open import OpenRubric, unsuitable
from .run_store import open_stored
from .score_files import SCORES_FOLDER, keep
from .scoring import Scored, score
from .stored_run import Stored

RUNS_AT_ONCE = 8  # runs in memory
MANY = 32  # runs, from which processes are worth starting
SHARE = 8  # runs that a process takes at a time

_Result = TypeVar("_Result")


@immutable
class EvaluationOutcome:
    """What came of one run: its evaluation, or why there is none."""

    path: Path
    evaluation: Evaluation | None
    problems: Problems = ()


Watch = Callable[[EvaluationOutcome], None]


def evaluate(
    paths: Sequence[Path],
    opened: OpenRubric,
    settings: GraderSettings,
    watch: Watch = lambda _: None,
    *,
    cwd: Path | None = None,
    as_drafted: bool = False,
    counts_given: bool = False,
    usage: GraderUsage | None = None,
) -> tuple[EvaluationOutcome, ...]:
    """Score runs, several at once. Each is kept as soon as it is done; what fails leaves the others alone.

    Where no model is asked, all is computing, and many runs are shared out among the processors. `as_drafted`,
    `counts_given`: see `Stored`; `usage` is added to.
    """
    begin = partial(_Scorer, opened, settings, (cwd or Path.cwd()) / FOLDER, as_drafted, counts_given, usage)
    if len(paths) >= MANY and (settings.model == OFFLINE or not opened.rubric.asks):
        return _in_processes(paths, begin, watch)
    return asyncio.run(_at_once(paths, begin(), watch))


def _in_processes(paths: Sequence[Path], begin: Callable[[], _Scorer], watch: Watch) -> tuple[EvaluationOutcome, ...]:
    from concurrent.futures import ProcessPoolExecutor

    outcomes: list[EvaluationOutcome] = []
    with ProcessPoolExecutor(initializer=_Worker.begin, initargs=(begin,)) as pool:
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
    def begin(cls, begin: Callable[[], _Scorer]) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process tells the others to stop
        cls.scorer, cls.loop = begin(), asyncio.new_event_loop()
        gc.freeze()  # the events of a run go when nobody holds them: looking for circles among them takes a tenth
        gc.set_threshold(50_000, 20, 20)

    @classmethod
    def score(cls, path: Path) -> EvaluationOutcome:
        return cls.loop.run_until_complete(cls.scorer.score(path))


async def _at_once(paths: Sequence[Path], scorer: _Scorer, watch: Watch) -> tuple[EvaluationOutcome, ...]:
    """At most `RUNS_AT_ONCE` runs in memory at a time; the outcomes in the order of the paths."""
    if problems := scorer.grader.open():
        refused = tuple(EvaluationOutcome(path, None, problems) for path in paths)
        for outcome in refused[:1]:  # the same for all: the first stands for them
            watch(outcome)
        return refused
    in_memory = asyncio.Semaphore(RUNS_AT_ONCE)

    async def take(path: Path) -> EvaluationOutcome:
        async with in_memory:
            outcome = await scorer.score(path)
            watch(outcome)
            return outcome

    async with scorer.grader.models:
        return tuple(await asyncio.gather(*map(take, paths)))


@dataclass
class _Scorer:
    """Opens, scores and keeps runs, one rubric and one grader for all."""

    opened: OpenRubric
    settings: GraderSettings
    folder: Path
    as_drafted: bool
    counts_given: bool = False
    usage: GraderUsage | None = None

    @cached_property
    def room(self) -> asyncio.Semaphore:
        return asyncio.Semaphore(self.settings.at_once)

    @cached_property
    def grader(self) -> Grader:
        return Grader(self.settings, self.folder, self.usage)

    async def score(self, path: Path) -> EvaluationOutcome:
        stored = open_stored(path, as_drafted=self.as_drafted, counts_given=self.counts_given)
        if isinstance(stored, tuple):
            return EvaluationOutcome(path, None, stored)
        rubric = self.opened.rubric
        if problems := unsuitable(rubric, stored.procedure, path):
            return EvaluationOutcome(path, None, problems)
        settings, templates = self.settings, self.opened.in_language(stored.procedure)
        tally = GraderUsage()
        scoring = score(rubric, stored, templates, grader=settings.model, repeat=settings.repeat)
        try:
            asked: list[AskedQuestion] = []
            scored = await answered(scoring, self.grader, self.room, tally, self._noting(asked))
            evaluation = _evaluation(stored, rubric, self.grader, scored, tally)
            keep(path, evaluation, asked)
        except ModelFailed as error:
            return EvaluationOutcome(path, None, (self._failed(error),))
        except TemplateError as error:
            return EvaluationOutcome(path, None, error.problems)
        except OSError as error:
            place, reason = str(path / SCORES_FOLDER), error.strerror or type(error).__name__
            problem = diagnose.unwritable_scores(str(path), path=place, reason=reason)
            return EvaluationOutcome(path, None, (problem,))
        return EvaluationOutcome(path, evaluation, stored.warnings)

    def _noting(self, asked: list[AskedQuestion]) -> Callable[[Question, str], None]:
        """What notes each question to a model; what goes by rule is asked of nobody."""
        if self.settings.model == OFFLINE:
            return lambda _question, _reply: None
        return lambda question, reply: asked.append(asked_question(question, reply))

    def _failed(self, error: ModelFailed) -> Diagnostic:
        """Why a grader gave no answer; of a budget, what was spent."""
        gate = self.grader.models.gate
        if error.kind != "budget":
            return error.at("--grader")
        tokens, dollars = f"{gate.total.tokens:,}", f"{gate.total.dollars:.6f}"
        return diagnose.grader_budget_spent("--budget", budget=gate.limits.budget.said, tokens=tokens, dollars=dollars)


async def answered(
    asking: Generator[tuple[Question, ...], tuple[str, ...], _Result],
    grader: Grader,
    room: asyncio.Semaphore,
    tally: GraderUsage | None = None,
    told: Callable[[Question, str], None] = lambda _question, _reply: None,
) -> _Result:
    """What a generator of questions comes to, when the grader answers them; `room` bounds the questions that are out
    at the same time, `tally` counts what all replies took, those too that were kept; `told` gets each question with its
    reply. Raises ModelFailed, and what the generator raises."""

    async def reply(question: Question) -> str:
        async with room:
            return await grader.reply(question, tally)

    try:
        questions = next(asking)
        while True:
            replies: Sequence[str] = await asyncio.gather(*map(reply, questions))
            for question, text in zip(questions, replies, strict=True):
                told(question, text)
            questions = asking.send(tuple(replies))
    except StopIteration as done:
        result: _Result = done.value
        return result


def _evaluation(stored: Stored, rubric: Rubric, grader: Grader, scored: Scored, tally: GraderUsage) -> Evaluation:
    recorded = {**grader.settings.recorded(), "versions": sorted(filter(None, grader.versions))}
    recorded |= {"adjusted": sorted(grader.adjusted)} if grader.adjusted else {}
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
        run_digest=stored.chain,
        grader=recorded if rubric.asks else {},
        figures=scored.figures,
        passes=dict(scored.passes),
        scores=scored.scores,
        made=dict(stored.condition.shared),
        own=dict(stored.condition.own),
        case_text=stored.condition.case_text,
        run_id=stored.condition.run_id,
        seed=stored.condition.seed,
        given=stored.counts_given,
        grading=tally.told(),
    )
