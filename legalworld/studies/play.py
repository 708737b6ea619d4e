"""A study played and scored: its batches one after another, by the engine of `lw batch`; what is there is not touched.

OUT/study.json says whose folder it is. A batch that cannot be played leaves the others alone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from ..batch.jobs import BatchRequest
from ..batch.play import Batch, BatchOutcome, Told
from ..batch.results import UNPLAYED
from ..batch.run import run_batch
from ..evaluation.evaluate import EvaluationOutcome, evaluate
from ..evaluation.grader import GraderSettings, GraderUsage, grader_settings
from ..evaluation.results import Evaluation
from ..evaluation.rubric.open import OpenRubric, open_rubric
from ..evaluation.score_files import kept
from ..files import regular
from ..files.project_files import unreadable
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, replace
from ..model.json_text import read_json
from ..runs.journal import standing
from ..runs.project import Problems
from .definition import StudyScoring
from .forks import as_drafted, play_forks
from .open import files_of
from .people import rated
from .plan import PlannedPoint, StudyPlan

FILE: Final = "study.json"


def owned(plan: StudyPlan, out: Path) -> Problems:
    """Write down whose folder this is; a problem where it is another study's."""
    study = plan.opened.study
    try:
        there = read_json(regular.text(out / FILE))
    except FileNotFoundError:
        there = {}
    except (OSError, ValueError):
        there = {"study": "?"}
    name = there.get("study", study.name) if isinstance(there, dict) else "?"
    if name != study.name:
        return (diagnose.foreign_study_folder(str(out), path=str(out), name=str(name)),)
    told = {"study": study.name, "digest": study.digest, "file": study.path}
    try:
        out.mkdir(parents=True, exist_ok=True)
        regular.write_whole(out / FILE, (json.dumps(told, ensure_ascii=False) + "\n").encode("utf-8"))
    except OSError as error:
        return (unreadable(str(error.filename or out), error),)
    return ()


@immutable
class PlayedStudyBatch:
    """How one batch of a study came out."""

    point: PlannedPoint
    outcome: BatchOutcome | Problems

    @property
    def problems(self) -> Problems:
        """Return why nothing of it could be played."""
        return self.outcome if isinstance(self.outcome, tuple) else self.outcome.unkept

    @property
    def interrupted(self) -> bool:
        """Whether somebody stopped it."""
        return isinstance(self.outcome, BatchOutcome) and self.outcome.interrupted

    @property
    def cut(self) -> bool:
        """Whether those after it are not to be played: somebody stopped it, or the budget is spent."""
        return isinstance(self.outcome, BatchOutcome) and (self.outcome.interrupted or self.outcome.exhausted)

    @property
    def wrong(self) -> bool:
        """Whether some of its runs cannot be played."""
        return isinstance(self.outcome, tuple) or any(one.status in UNPLAYED for one in self.outcome.results)

    @property
    def stopped(self) -> bool:
        """Whether some of its runs did not come to their end, and the same command goes on with them."""
        return isinstance(self.outcome, BatchOutcome) and any(one.status == "stopped" for one in self.outcome.results)


def play_points(plan: StudyPlan, batch: Batch, told: Told, workers: int) -> Iterator[PlayedStudyBatch]:
    """Play what is missing, batch by batch; each outcome is given out when it is there. Batches that several points
    share are played once."""
    yield from _bases(plan, batch, told, workers)
    for point in plan.points:
        if point.forked and point.requests:
            yield PlayedStudyBatch(point, play_forks(plan.opened, point, batch, told))


def _bases(plan: StudyPlan, batch: Batch, told: Told, workers: int) -> Iterator[PlayedStudyBatch]:
    """The runs that are no forks of others, and those of which others are forks."""
    done: set[tuple[Path, tuple[str, ...], str]] = set()
    root = plan.opened.root
    for point in plan.points:
        for request in point.requests:
            key = (request.out, request.cases, request.binding)
            if key in done or not request.cases:
                continue
            done.add(key)
            seeds = max(one.seeds for one in plan.points if one.folder == request.out)
            asked = replace(request, seeds=seeds)
            yield PlayedStudyBatch(point, run_batch(asked, batch, root, told, workers=workers, words=_words(asked)))


def _words(asked: BatchRequest) -> dict[str, Any]:
    """The batch as its record says it, so that `lw batch status` can tell of it."""
    words = asdict(asked)
    words["lineups"] = [asdict(one) for one in asked.lineups]
    words["options"] = [f"{name}={value}" for name, value in asked.options.items()]
    return {**words, "out": str(asked.out), "cases": list(asked.cases)}


def ended(folder: Path) -> bool:
    """Return whether a run is there and came to its end."""
    return (folder / "run.yaml").is_file() and standing(folder / "journal.jsonl").ended


# ---- scored ----------------------------------------------------------------------------------------------------------


@immutable
class ScoredStudy:
    """Evaluations by scoring and folder; `problems`: why others are not there; `of_sheets`: those of people's sheets,
    which nobody was told of while they were scored."""

    evaluations: dict[tuple[str, Path], Evaluation]
    problems: Problems = ()
    of_sheets: Problems = ()


def graders(plan: StudyPlan, deadline: float) -> dict[str, tuple[OpenRubric, GraderSettings]] | Problems:
    """Return scoring -> its rubric and who grades; of a scoring that needs something, nothing."""
    found: dict[str, tuple[OpenRubric, GraderSettings]] = {}
    root = plan.opened.root
    for name, scoring in plan.opened.study.scoring.items():
        if scoring.needs or scoring.sheets is not None or not plan.opened.around.rubric(scoring.rubric.text):
            continue
        opened = open_rubric(scoring.rubric.text, root)
        if not isinstance(opened, OpenRubric):
            return opened
        model = _grader_of(plan, scoring)
        if model and not plan.opened.around.bound(model):
            continue
        settings = grader_settings(model or "offline", root, deadline=deadline)
        if not isinstance(settings, GraderSettings):
            return settings
        wanted = opened.rubric.grader
        temperature, tokens = float(wanted.get("temperature", "0")), int(wanted.get("max tokens", "4096"))
        settings = replace(settings, repeat=scoring.repeats, temperature=temperature, max_tokens=tokens)
        found[name] = (opened, settings)
    return found


def _grader_of(plan: StudyPlan, scoring: StudyScoring) -> str:
    """Who grades: what stands behind the name of the study's model."""
    if scoring.grader is None:
        return ""
    word = plan.opened.study.models.get(scoring.grader.text)
    return (word.text if word is not None else "") or scoring.grader.text


def score_study(
    plan: StudyPlan,
    asked: dict[str, tuple[OpenRubric, GraderSettings]],
    watch: Callable[[EvaluationOutcome], None],
    usage: GraderUsage | None,
) -> ScoredStudy:
    """Score every run that came to its end; what is scored already is taken as it is. Without `usage` nothing is
    scored, and what is there is read."""
    evaluations: dict[tuple[str, Path], Evaluation] = {}
    problems: list[Diagnostic] = []
    for name, (opened, settings) in asked.items():
        scoring = plan.opened.study.scoring[name]
        folders = list(_folders(plan.points, scoring))
        for folder in folders:
            found = _kept(folder, opened, settings)
            if found is not None:
                evaluations[name, folder] = found
        missing = [folder for folder in folders if (name, folder) not in evaluations]
        if usage is None or not missing:
            continue
        for outcome in _evaluated(plan, missing, (opened, settings), (watch, usage)):
            if outcome.evaluation is None:
                problems += outcome.problems
            else:
                evaluations[name, outcome.path] = outcome.evaluation
    of_sheets: list[Diagnostic] = []
    for name, scoring in plan.opened.study.scoring.items():
        by_people, wrong = _by_people(plan, scoring)
        evaluations |= {(name, folder): one for folder, one in by_people.items()}
        of_sheets += wrong
    return ScoredStudy(evaluations, tuple(dict.fromkeys((*problems, *of_sheets))), tuple(dict.fromkeys(of_sheets)))


def _evaluated(
    plan: StudyPlan,
    missing: Sequence[Path],
    how: tuple[OpenRubric, GraderSettings],
    told: tuple[Callable[[EvaluationOutcome], None], GraderUsage],
) -> Iterator[EvaluationOutcome]:
    """Runs, scored; forks as their interventions say: against the documents as they were drafted, or as they are."""
    drafted: dict[Path, bool] = {}
    for point in plan.points:
        if point.forked:
            drafted |= dict.fromkeys((run for _, _, run in point.wanted), as_drafted(plan.opened, point))
    watch, usage = told
    for against in (False, True):
        mine = [folder for folder in missing if drafted.get(folder, False) is against]
        if mine:
            yield from evaluate(mine, *how, watch, cwd=plan.opened.root, as_drafted=against, usage=usage)


def _by_people(plan: StudyPlan, scoring: StudyScoring) -> tuple[Mapping[Path, Evaluation], Problems]:
    """What people scored, where a scoring is theirs and their sheets are there."""
    rubric = plan.opened.around.rubric(scoring.rubric.text)
    if scoring.sheets is None or scoring.needs or rubric is None:
        return {}, ()
    files = files_of(scoring.sheets.text, plan.opened.disk, plan.opened.root)
    folders = _folders(plan.points, scoring)
    return rated(scoring.sheets, map(Path, files), rubric, folders) if files else ({}, ())


def _folders(points: Sequence[PlannedPoint], scoring: StudyScoring) -> Iterable[Path]:
    """The runs that a scoring scores, each once."""
    wanted = (run for point in points if point.point.condition in scoring.of for run in point.wanted)
    return dict.fromkeys(folder for _, _, folder in wanted if ended(folder))


def _kept(folder: Path, opened: OpenRubric, settings: GraderSettings) -> Evaluation | None:
    """The evaluation beside a run, by this rubric in its present wording and by this grader."""
    grader = settings.model if opened.rubric.asks else ""
    for one in kept(folder, opened.rubric):
        if isinstance(one, Diagnostic):
            continue
        same = one.graded_by == grader and int(one.grader.get("repeat", 1)) == settings.repeat
        if same and not one.given:
            return one
    return None
