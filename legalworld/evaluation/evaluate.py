"""Evaluation of stored runs: opened without being played, scored by a rubric, and kept beside the run.

done = evaluate([Path("runs/civil-jiedai-1")], rubric, Settings("openai/judge"), watch)
RUN/scores/RUBRIC.GRADER.json                   # one Evaluation; `lw report` reads nothing else
"""

from __future__ import annotations

import asyncio
import gc
import signal
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..files.project_files import Disk, find_root, find_rubric, write_whole
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.procedure import Procedure
from ..model.source import Span
from ..models.litellm_client import ModelFailed
from ..runs.folder import RunFolder, plain_name
from ..runs.project import Problems, located
from ..templates.template_set import TemplateError, TemplateSet
from .grader import FOLDER, Grader, GraderSettings
from .grading import Question
from .offline_grader import NAME as OFFLINE
from .results import Evaluation
from .rubric.definition import Rubric
from .rubric.load import PROMPTS, fits, read_rubric
from .run_store import LoadedRun, RunStore
from .scoring import Scored, Scoring, score

SCORES = "scores"
AT_ONCE = 8  # questions that are out at the same time
MANY = 32  # runs, from which processes are worth starting
SHARE = 8  # runs that a process takes at a time
_GRADING = "grading"


@dataclass(frozen=True, slots=True)
class OpenRubric:
    """A rubric with the templates that its questions are rendered from."""

    rubric: Rubric
    templates: TemplateSet
    problems: Problems = ()


def rubrics_for(path: Path, cwd: Path) -> tuple[str, ...]:
    """The rubrics of the project that are for the procedure of a run, by name."""
    folder = RunFolder.open(path)
    return rubrics_named(folder.info.procedure, cwd) if isinstance(folder, RunFolder) else ()


def rubrics_named(procedure: str, cwd: Path) -> tuple[str, ...]:
    """The rubrics of the project that are for a procedure, by name."""
    disk = Disk(find_root(cwd))
    read = (read_rubric(disk, file).rubric for file in disk.names("rubrics") if file.endswith(".yaml"))
    known = (one for one in read if one is not None and not one.pairs)
    return tuple(one.name for one in known if procedure in one.procedures)


def open_rubric(word: str, cwd: Path, *, pairs: bool = False) -> OpenRubric | Problems:
    """The rubric that a word names, checked with its templates: one that scores runs, or (`pairs`) compares two."""
    found = find_rubric(word, cwd)
    if isinstance(found, Diagnostic):
        return (found,)
    disk, path = found
    read = read_rubric(disk, path)
    templates = TemplateSet(disk, procedure=PROMPTS)
    problems = list(read.problems)
    if read.rubric is not None:
        problems += _prompts(read.rubric, templates)
        if read.rubric.pairs is not pairs:
            problems.append(diagnose.unsuitable_rubric("--rubric", name=read.rubric.name))
    if read.rubric is None or any(problem.severity == "error" for problem in problems):
        return located((*problems, *disk.problems), disk, cwd)
    return OpenRubric(read.rubric, templates, located(tuple(problems), disk, cwd))


def _prompts(rubric: Rubric, templates: TemplateSet) -> Iterator[Diagnostic]:
    """What is wrong with the templates of a rubric's questions."""
    names = {f"ask/{ask.prompt}": ask.item.span for ask in rubric.asks.values()}
    who = "who/pair" if rubric.pairs else "who/grader"
    names |= {name: Span(rubric.file, 1, 1) for name in (who, "again/strict")} if names else {}
    for name, span in names.items():
        home = templates.find((name,))
        if home is None:
            yield diagnose.missing_template(span, name=name)
            continue
        yield from templates.check(home)
        for one in templates.reads(home):
            if one.path[0] != _GRADING:
                yield diagnose.unknown_grader_name(one.span, name=one.path[0])


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

    Where no model is asked, all is reckoning, and many runs are shared out among the processors. `as_drafted`: see
    `Stored`.
    """
    begun = _WorkerSetup(opened, settings, (cwd or Path.cwd()) / FOLDER, as_drafted)
    if len(paths) >= MANY and (settings.model == OFFLINE or not opened.rubric.asks):
        return _reckoned(paths, begun, watch)
    return asyncio.run(_all(paths, begun, watch))


@dataclass(frozen=True, slots=True)
class _WorkerSetup:
    """What every process that scores is told."""

    opened: OpenRubric
    settings: GraderSettings
    folder: Path
    as_drafted: bool

    def scorer(self) -> _Scorer:
        return _Scorer(self.opened, Grader(self.settings, self.folder), RunStore(self.as_drafted))


def _reckoned(paths: Sequence[Path], begun: _WorkerSetup, watch: Watch) -> tuple[EvaluationOutcome, ...]:
    from concurrent.futures import ProcessPoolExecutor

    outcomes: list[EvaluationOutcome] = []
    with ProcessPoolExecutor(initializer=_Worker.begin, initargs=(begun,)) as pool:
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
    def begin(cls, begun: _WorkerSetup) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process tells the others to stop
        cls.scorer, cls.loop = begun.scorer(), asyncio.new_event_loop()
        gc.freeze()  # the events of a run go when nobody holds them: looking for circles among them takes a tenth
        gc.set_threshold(50_000, 20, 20)

    @classmethod
    def score(cls, path: Path) -> EvaluationOutcome:
        return cls.loop.run_until_complete(cls.scorer.score(path))


async def _all(paths: Sequence[Path], begun: _WorkerSetup, watch: Watch) -> tuple[EvaluationOutcome, ...]:
    scorer = begun.scorer()
    if problems := scorer.grader.open():
        outcomes = tuple(EvaluationOutcome(path, None, problems) for path in paths)
        for outcome in outcomes[:1]:  # told once for all
            watch(outcome)
        return outcomes
    async with scorer.grader:

        async def one(path: Path) -> EvaluationOutcome:
            outcome = await scorer.score(path)
            watch(outcome)
            return outcome

        return tuple(await _few(one, paths))


async def _few(work: Callable[[Path], Awaitable[EvaluationOutcome]], paths: Sequence[Path]) -> list[EvaluationOutcome]:
    """At most `AT_ONCE` runs in memory at a time, in the order given."""
    results: dict[int, EvaluationOutcome] = {}
    left = iter(enumerate(paths))

    async def take() -> None:
        for number, path in left:
            results[number] = await work(path)

    await asyncio.gather(*(take() for _ in range(min(AT_ONCE, len(paths)))))
    return [results[number] for number in range(len(paths))]


@dataclass(slots=True)
class _Scorer:
    """Opens, scores and keeps runs, one rubric and one grader for all. A procedure is held against the rubric once."""

    opened: OpenRubric
    grader: Grader
    openings: RunStore = field(default_factory=RunStore)
    room: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(AT_ONCE))
    unfit: dict[int, Problems] = field(default_factory=dict)

    async def score(self, path: Path) -> EvaluationOutcome:
        found = self.openings.open(path)
        if isinstance(found, tuple):
            return EvaluationOutcome(path, None, found)
        stored = found.stored
        if problems := self._unfit(path, stored.procedure):
            return EvaluationOutcome(path, None, problems)
        name = self.grader.settings.model
        try:
            scored = await _driven(score(self.opened.rubric, stored, self.opened.templates, grader=name), self._reply)
            evaluation = _evaluation(found, self.opened.rubric, self.grader, scored)
            _keep(path, evaluation)
        except ModelFailed as error:
            return EvaluationOutcome(path, None, (error.at("--grader"),))
        except TemplateError as error:
            return EvaluationOutcome(path, None, error.problems)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            told = diagnose.unwritable_scores(str(path), path=str(path / SCORES), reason=reason)
            return EvaluationOutcome(path, None, (told,))
        warnings = () if stored.finished else (diagnose.unfinished_run(str(path)),)
        return EvaluationOutcome(path, evaluation, warnings)

    def _unfit(self, path: Path, procedure: Procedure) -> Problems:
        """Why runs of a procedure cannot be scored by the rubric."""
        rubric = self.opened.rubric
        if procedure.name not in rubric.procedures:
            return (
                diagnose.rubric_for_other_procedure(
                    str(path), rubric=rubric.name, procedure=procedure.name, known=rubric.procedures
                ),
            )
        if id(procedure) not in self.unfit:  # the openings hold it, so that no other gets its id
            self.unfit[id(procedure)] = fits(rubric, procedure)
        return self.unfit[id(procedure)]

    async def _reply(self, question: Question) -> str:
        async with self.room:
            return await self.grader.reply(question)


async def _driven(scoring: Scoring, reply: Callable[[Question], Awaitable[str]]) -> Scored:
    """Answer what a scoring asks until it is done."""
    try:
        questions = next(scoring)
        while True:
            replies = await asyncio.gather(*(reply(question) for question in questions))
            questions = scoring.send(tuple(replies))
    except StopIteration as done:
        scored: Scored = done.value
        return scored


def _evaluation(found: LoadedRun, rubric: Rubric, grader: Grader, scored: Scored) -> Evaluation:
    stored = found.stored
    told = {**grader.settings.recorded(), "versions": sorted(filter(None, grader.versions))}
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
        run_digest=found.chain,
        grader=told if rubric.asks else {},
        figures=scored.figures,
        passes=dict(scored.passes),
        scores=scored.scores,
    )


def _keep(path: Path, evaluation: Evaluation) -> None:
    """Write an evaluation beside its run, whole or not at all. Raises OSError."""
    model = str(evaluation.grader.get("model", "rules"))
    file = path / SCORES / f"{plain_name(evaluation.rubric)}.{plain_name(model)}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_whole(file, (evaluation.model_dump_json(indent=1) + "\n").encode("utf-8"))


def kept(path: Path, rubric: Rubric) -> Iterator[Evaluation | Diagnostic]:
    """The evaluations beside a run, of one rubric; a file that is none, or of an older wording, is a problem."""
    for found in all_kept(path):
        if isinstance(found, Diagnostic) or (found.rubric == rubric.name and found.rubric_digest == rubric.digest):
            yield found
        elif found.rubric == rubric.name:
            yield diagnose.outdated_scores(str(path), rubric=rubric.name)


def all_kept(path: Path) -> Iterator[Evaluation | Diagnostic]:
    """The evaluations beside a run, whatever wording of their rubrics made them."""
    for file in sorted((path / SCORES).glob("*.json")):
        yield read_evaluation(file)


def read_evaluation(file: Path) -> Evaluation | Diagnostic:
    """What `lw eval` wrote; a file that holds something else is a problem."""
    try:
        return Evaluation.model_validate_json(file.read_bytes())
    except (OSError, ValueError):
        return diagnose.unreadable_scores(str(file), path=str(file))
