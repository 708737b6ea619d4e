"""Runs of a study in which a document is another one: forks of base runs, made once and gone on with like others."""

from __future__ import annotations

from collections.abc import Iterator

from ..batch.play import Batch, BatchOutcome, Job, Told, play_jobs
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, replace
from ..runs.case_file import OpenedCase, open_case
from ..runs.costs import priced, spending
from ..runs.lifecycle import RunPlan
from ..runs.open_run import has_ended, open_run
from ..runs.project import Problems, Project, open_project
from ..study.file import Declared, open_interventions
from ..study.forks import Forks
from ..study.variants import Sight, Writer, drafted_in
from .case_sets import StudyCase
from .open import OpenStudy
from .plan import PlannedPoint
from .words import DOCUMENT, QUALITY, REPLACES


@immutable
class OpenInterventions:
    """What is replaced in the forks of a point, and the project that they are played by."""

    project: Project
    declared: Declared


def opened_for(opened: OpenStudy, point: PlannedPoint) -> OpenInterventions | Problems:
    """Return the interventions of a point, or what is wrong with them."""
    project = open_project(point.point.facts["procedure"], opened.root)
    if isinstance(project, Diagnostic):
        return (project,)
    if project.procedure is None:
        return project.problems
    declared = open_interventions(point.point.facts[REPLACES], project.procedure, opened.root)
    return OpenInterventions(project, declared) if isinstance(declared, Declared) else declared


def as_drafted(opened: OpenStudy, point: PlannedPoint) -> bool:
    """Return whether the forks of a point are scored against the documents as they were drafted."""
    found = opened_for(opened, point)
    return isinstance(found, OpenInterventions) and found.declared.interventions.as_drafted


def play_forks(opened: OpenStudy, point: PlannedPoint, batch: Batch, told: Told) -> BatchOutcome | Problems:
    """Make the forks of a point whose base runs came to their end, and play them. Where nobody drafted the document
    there is none."""
    found = opened_for(opened, point)
    if not isinstance(found, OpenInterventions):
        return found
    problems: list[Diagnostic] = []
    jobs = list(_jobs(opened, point, found, problems))
    if problems and not jobs:
        return tuple(dict.fromkeys(problems))
    spent = batch.spent
    for job in jobs:
        run = open_run(job.plan.out) if job.plan.out is not None else ()
        if not isinstance(run, tuple):
            spent += priced(spending(run.folder.info.models, run.events, run.answers), batch.limits.prices)[0]
    outcome = play_jobs(jobs, replace(batch, spent=spent), told.result, told.meter)
    return replace(outcome, unkept=(*outcome.unkept, *dict.fromkeys(problems)))


def _jobs(opened: OpenStudy, point: PlannedPoint, how: OpenInterventions, problems: list[Diagnostic]) -> Iterator[Job]:
    project, declared = how.project, how.declared
    facts = point.point.facts
    forks = Forks(declared, Writer("", 0.0), problems)
    quality = declared.interventions.qualities[facts[QUALITY]]
    making = declared.interventions.documents[facts[DOCUMENT]].makings.get(facts[QUALITY])
    for case, seed, folder in point.wanted:
        base = point.base_run(case, seed)
        run = open_run(base) if (base / "run.yaml").is_file() else ()
        if making is None or isinstance(run, tuple) or not has_ended(run.loaded.lines):
            continue
        drafted = drafted_in(run, facts[DOCUMENT], run.folder.info.target)
        if drafted is None or not forks.made(Sight(run, drafted), (quality, making), folder):
            continue
        matter = open_case(project, case.word, case.binding, {}, opened.root)
        if isinstance(matter, OpenedCase):
            info = run.folder.info
            plan = RunPlan(project, matter, info.target, info.models, info.options, seed, out=folder)
            yield Job(plan, f"{case.word} {facts[DOCUMENT]} {facts[QUALITY]}", made=True)


def undrafted(point: PlannedPoint, case: StudyCase, seed: int) -> bool:
    """Return whether a fork is not to be had: its base run came to its end, and nobody drafted the document in it."""
    base = point.base_run(case, seed)
    if not point.forked or not (base / "run.yaml").is_file():
        return False
    run = open_run(base)
    if isinstance(run, tuple) or not has_ended(run.loaded.lines):
        return False
    return drafted_in(run, point.point.facts[DOCUMENT], run.folder.info.target) is None
