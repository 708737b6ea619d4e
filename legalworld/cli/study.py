"""`lw intervene`: what a better or worse document does to later stages."""

from __future__ import annotations

import sys
from typing import Any

import click

from ..wording import locale
from . import options
from .help import Command
from .inputs import graders_of, rubric_for_procedure, say_origin
from .output import WRONG, as_json, code_of, got, here, leave, path_of, remark, wants_json, warn, write_json
from .publications import all_in, sources_of
from .scores import evaluations_of, failed, score_runs


@click.command(cls=Command)
@options.spec
@options.cases
@options.binding
@options.listed("--documents", "NAME,...")
@options.listed("--qualities", "NAME,...")
@click.option("--interventions", metavar="NAME|FILE", default="")
@options.models
@options.settings
@click.option("--writer", metavar="NAME", default="")
@options.listed("--target", "ROLE,...")
@options.chosen
@options.seeds
@options.rubric
@options.graders
@options.needed_out
@options.deadline
@options.as_json
def intervene(spec: str, interventions: str, rubric: str, grader: tuple[str, ...], **given: Any) -> None:
    from ..runs.project import open_project
    from ..study.file import open_interventions
    from ..study.page import study_page
    from ..study.play import StudyRequest, play_study
    from ..study.report import as_json as study_data
    from ..study.report import compare, figures_there, terminal, write

    say_origin(spec)
    project = got(open_project(spec, here()))
    if project.procedure is None:
        leave(project.problems, project)
    declared = got(open_interventions(interventions, project.procedure, here()), project)
    opened = rubric_for_procedure(rubric, project.procedure)
    targets, out = given.pop("target"), path_of(given.pop("out"))
    given["options"] = options.values_of(given["options"])
    request = StudyRequest(project, targets=targets, out=out, **given)
    stages = [stage for document in declared.interventions.documents.values() for stage in document.stages]
    if problems := figures_there(opened.rubric, stages):
        leave(problems)
    played = got(play_study(request, declared, remark), project)
    warn(played.problems, project)
    graders = graders_of(opened, grader, given["deadline"])
    as_drafted = declared.interventions.as_drafted
    outcomes = score_runs(played.folders, opened, graders, name_each=False, as_drafted=as_drafted)
    done = evaluations_of(outcomes)
    compared = compare(played.arms, done, declared.interventions, (project.procedure, opened.rubric))
    files = write(compared, request.out)
    pages = all_in(request.out).write(lambda: study_page(compared, done, sources_of(), locale()))
    if wants_json():
        write_json({**study_data(compared), "failed": failed(outcomes), "problems": as_json(played.problems)})
    else:
        click.echo("\n".join((terminal(compared, locale()), "", *map(str, files), *pages)))
    sys.exit(WRONG if len(done) < len(outcomes) else code_of(played.problems))
