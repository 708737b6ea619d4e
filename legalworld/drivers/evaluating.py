"""Evaluation of stored runs: opened without being played, scored by a rubric, and kept beside the run.

done = evaluate([Path("runs/civil-jiedai-1")], rubric, Settings("openai/judge"), watch)
RUN/scores/RUBRIC.GRADER.json                   # one Evaluation; `lw report` reads nothing else
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..adapters.files import Disk, find_root, find_rubric, write_whole
from ..adapters.grader import FOLDER, Grader, Settings
from ..adapters.journal import EventLine, load
from ..adapters.models import ModelFailed
from ..adapters.runfolder import RunFolder, plain_name
from ..binding.bind import from_json
from ..model.procedure import Procedure
from ..model.source import Problem, Span
from ..score.grading import Question
from ..score.reading import PROMPTS, fits, read_rubric
from ..score.results import Evaluation
from ..score.rubric import Rubric
from ..score.scoring import Scored, Scoring, score
from ..score.stored import Stored
from ..templates.template_set import TemplateError, TemplateSet
from .project import Problems, located, read_project

SCORES = "scores"
AT_ONCE = 8  # questions that are out at the same time
_GRADING = "grading"


@dataclass(frozen=True, slots=True)
class Opened:
    """A rubric with the templates that its questions are rendered from."""

    rubric: Rubric
    templates: TemplateSet
    problems: Problems = ()


def rubrics_for(path: Path, cwd: Path) -> tuple[str, ...]:
    """The rubrics of the project that are for the procedure of a run, by name."""
    folder = RunFolder.open(path)
    if not isinstance(folder, RunFolder):
        return ()
    disk = Disk(find_root(cwd))
    read = (read_rubric(disk, file).rubric for file in disk.names("rubrics") if file.endswith(".yaml"))
    return tuple(one.name for one in read if one is not None and folder.info.procedure in one.procedures)


def runs_in(folders: Sequence[Path]) -> tuple[Path, ...]:
    """The run folders that are named, or that lie below a named folder; what is neither is kept, for complaint."""
    found: list[Path] = []
    for folder in folders:
        if (folder / "run.yaml").is_file():
            found.append(folder)
        else:
            found += sorted(one.parent for one in folder.glob("*/**/run.yaml")) or [folder]
    return tuple(dict.fromkeys(found))


def said_in(path: Path) -> Mapping[int, str]:
    """Turn -> what was said or written in it; empty for what is no run."""
    found = Openings().open(path)
    if isinstance(found, tuple):
        return {}
    stored = found.stored
    pieces = [*stored.utterances, *(piece for _, piece in stored.documents)]
    return {piece.turn: f"{piece.speaker} | {piece.text}" for piece in pieces if piece.turn}


def open_rubric(word: str, cwd: Path) -> Opened | Problems:
    """The rubric that a word names, checked with its templates."""
    found = find_rubric(word, cwd)
    if isinstance(found, Problem):
        return (found,)
    disk, path = found
    read = read_rubric(disk, path)
    templates = TemplateSet(disk, procedure=PROMPTS)
    problems = list(read.problems)
    if read.rubric is not None:
        problems += _prompts(read.rubric, templates)
    if read.rubric is None or any(problem.severity == "error" for problem in problems):
        return located((*problems, *disk.problems), disk, cwd)
    return Opened(read.rubric, templates, located(tuple(problems), disk, cwd))


def _prompts(rubric: Rubric, templates: TemplateSet) -> Iterator[Problem]:
    """What is wrong with the templates of a rubric's questions."""
    names = {f"ask/{ask.prompt}": ask.item.span for ask in rubric.asks.values()}
    names |= {name: Span(rubric.file, 1, 1) for name in ("who/grader", "again/strict")} if names else {}
    for name, span in names.items():
        home = templates.find((name,))
        if home is None:
            yield Problem("LW114", span, {"name": name})
            continue
        yield from templates.check(home)
        for one in templates.reads(home):
            if one.path[0] != _GRADING:
                yield Problem("LW325", one.span, {"name": one.path[0]})


@dataclass(frozen=True, slots=True)
class Chained:
    """A run, and the sum of its journal's last line, which is of all of it."""

    stored: Stored
    chain: str


@dataclass(slots=True)
class Openings:
    """Opens run folders for scoring; a procedure that many runs were played by is read once."""

    procedures: dict[tuple[str, str], Procedure] = field(default_factory=dict)

    def open(self, path: Path) -> Chained | Problems:
        """A run, to be looked at. Nothing is written, nothing played."""
        folder = RunFolder.open(path)
        if not isinstance(folder, RunFolder):
            return folder
        procedure = self._procedure(folder)
        if not isinstance(procedure, Procedure):
            return procedure
        case, sealed, loaded = folder.case_json(), folder.sealed_json(), load(folder.journal)
        problems = [one for one in (case, sealed, loaded.problem) if isinstance(one, Problem)]
        if problems or isinstance(case, Problem) or isinstance(sealed, Problem):
            return tuple(problems)
        events = tuple(line.event for line in loaded.lines if isinstance(line, EventLine))
        info = folder.info
        bound = from_json(case, sealed, procedure)
        return Chained(Stored(path.as_posix(), procedure, bound, info.target, events, info.models), loaded.chain)

    def _procedure(self, folder: RunFolder) -> Procedure | Problems:
        key = folder.info.digest, folder.info.spec
        if key not in self.procedures:
            sources = folder.sources()
            if isinstance(sources, Problem):
                return (sources,)
            project = read_project(sources, folder.info.spec)
            if project.procedure is None:
                return project.problems
            self.procedures[key] = project.procedure
        return self.procedures[key]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one run: its evaluation, or why there is none."""

    path: Path
    evaluation: Evaluation | None
    problems: Problems = ()


Watch = Callable[[Outcome], None]


def silent(_: Outcome) -> None:
    """Watch nothing."""


def evaluate(
    paths: Sequence[Path], opened: Opened, settings: Settings, watch: Watch = silent, *, cwd: Path | None = None
) -> tuple[Outcome, ...]:
    """Score runs, several at once. Each is kept as soon as it is done; what fails leaves the others alone."""
    return asyncio.run(_all(paths, opened, Grader(settings, (cwd or Path.cwd()) / FOLDER), watch))


async def _all(paths: Sequence[Path], opened: Opened, grader: Grader, watch: Watch) -> tuple[Outcome, ...]:
    if problems := grader.open():
        return tuple(Outcome(path, None, problems) for path in paths)
    openings = Openings()
    room = asyncio.Semaphore(AT_ONCE)
    async with grader:

        async def one(path: Path) -> Outcome:
            outcome = await _one(path, openings, opened, _Asking(grader, room))
            watch(outcome)
            return outcome

        return tuple(await _few(one, paths))


async def _few(work: Callable[[Path], Awaitable[Outcome]], paths: Sequence[Path]) -> list[Outcome]:
    """At most `AT_ONCE` runs in memory at a time, in the order given."""
    results: dict[int, Outcome] = {}
    left = iter(enumerate(paths))

    async def take() -> None:
        for number, path in left:
            results[number] = await work(path)

    await asyncio.gather(*(take() for _ in range(min(AT_ONCE, len(paths)))))
    return [results[number] for number in range(len(paths))]


@dataclass(frozen=True, slots=True)
class _Asking:
    grader: Grader
    room: asyncio.Semaphore

    async def __call__(self, question: Question) -> str:
        async with self.room:
            return await self.grader.reply(question)


async def _one(path: Path, openings: Openings, opened: Opened, asking: _Asking) -> Outcome:
    """Open, score and keep one run."""
    found = openings.open(path)
    if isinstance(found, tuple):
        return Outcome(path, None, found)
    stored, chain = found.stored, found.chain
    rubric = opened.rubric
    if stored.procedure.name not in rubric.procedures:
        values = {"rubric": rubric.name, "procedure": stored.procedure.name, "known": rubric.procedures}
        return Outcome(path, None, (Problem("LW326", Span(str(path), 0, 0), values),))
    if problems := fits(rubric, stored.procedure):
        return Outcome(path, None, problems)
    try:
        scored = await _driven(score(rubric, stored, opened.templates, grader=asking.grader.settings.model), asking)
    except ModelFailed as error:
        return Outcome(path, None, (Problem(error.code, Span("--grader", 0, 0), error.values),))
    except TemplateError as error:
        return Outcome(path, None, error.problems)
    evaluation = _evaluation(stored, chain, rubric, asking.grader.settings, scored)
    _keep(path, evaluation)
    warnings = () if stored.finished else (Problem("LW327", Span(str(path), 0, 0), {}, severity="warning"),)
    return Outcome(path, evaluation, warnings)


async def _driven(scoring: Scoring, asking: _Asking) -> Scored:
    """Answer what a scoring asks until it is done."""
    try:
        questions = next(scoring)
        while True:
            replies = await asyncio.gather(*(asking(question) for question in questions))
            questions = scoring.send(tuple(replies))
    except StopIteration as done:
        scored: Scored = done.value
        return scored


def _evaluation(stored: Stored, chain: str, rubric: Rubric, settings: Settings, scored: Scored) -> Evaluation:
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
        run_digest=chain,
        grader=dict(settings.recorded()) if rubric.asks else {},
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


def kept(path: Path, rubric: str = "") -> Iterator[Evaluation | Problem]:
    """The evaluations beside a run, of one rubric or all; a file that is none is a problem."""
    for file in sorted((path / SCORES).glob("*.json")):
        try:
            found = Evaluation.model_validate_json(file.read_bytes())
        except (OSError, ValueError):
            yield Problem("LW328", Span(str(file), 0, 0), {"path": str(file)})
            continue
        if rubric in ("", found.rubric):
            yield found


__all__ = ["Opened", "Outcome", "Settings", "evaluate", "kept", "open_rubric", "rubrics_for", "runs_in", "said_in"]
