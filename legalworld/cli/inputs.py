"""Opens what commands name: a procedure, a run, a rubric with its graders. The command ends where it cannot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ..language import diagnose
from ..wording import say
from .output import READS, as_json, got, here, leave, path_of, remark, warn

if TYPE_CHECKING:
    from pathlib import Path

    from ..evaluation.grader import GraderSettings
    from ..evaluation.rubric.open import OpenRubric
    from ..model.procedure import Procedure
    from ..runs.open_run import OpenRun
    from ..runs.project import Project


def say_origin(word: str) -> None:
    """Tell once from which project a procedure is read, and by which version of the package; in JSON under `reads`.

    Nothing is told where the package is run from that very project: no other file could have been meant.
    """
    from ..files.project_settings import read_settings
    from ..model.version import __version__
    from ..runs.project import origin_named

    context, origin = click.get_current_context(silent=True), origin_named(word, here())
    if origin is None or context is None or READS in context.meta:
        return
    folder = _from_here(origin.folder) if origin.folder else ""
    context.meta[READS] = {"file": origin.file, "project": folder or None, "version": __version__}
    settings = read_settings(path_of(origin.folder).absolute() if origin.folder else None)
    if any(problem.severity == "error" for problem in settings.problems):
        leave(settings.problems)
    if settings.problems:
        context.meta[READS]["warnings"] = as_json(settings.problems)
        warn(settings.problems)
    key = "run.reads_project" if folder else "run.reads_package"
    if not origin.only:
        remark(say(key, file=origin.file, folder=say("run.here") if folder == "." else folder, version=__version__))


def _from_here(folder: str) -> str:
    """A folder as a person names it from where he is: from there, or in full."""
    path = path_of(folder)
    return str(path.relative_to(here())) if path.is_relative_to(here()) else folder


def project_of(word: str) -> Project:
    """The procedure that a word names, without errors; what it is warned of is counted."""
    from ..runs.project import open_project

    say_origin(word)
    project = got(open_project(word, here()))
    if project.procedure is None:
        leave(project.problems, project)
    if project.problems:
        remark(say("run.spec_warned", warnings=len(project.problems), spec=word))
    return project


def run_of(folder: str, *, brief: bool = False) -> OpenRun:
    """A run folder, read with its own copies; `brief`: without what was sent to whom."""
    from ..runs.open_run import open_run

    return got(open_run(path_of(folder), brief=brief))


def rubric_of(word: str, *, pairs: bool = False) -> OpenRubric:
    """A rubric that scores runs, or (`pairs`) compares two."""
    from ..evaluation.rubric.open import open_rubric

    opened = got(open_rubric(word, here(), pairs=pairs))
    warn(opened.problems)
    return opened


def rubric_for_runs(word: str, paths: Sequence[Path]) -> OpenRubric:
    """The rubric that was named, else the only one of the project for the procedure of the first run."""
    from ..api.evaluation import rubric_for

    opened = got(rubric_for(word, paths, here()))
    warn(opened.problems)
    return opened


def rubric_for_procedure(word: str, procedure: Procedure) -> OpenRubric:
    """The rubric that was named, else the only one of the project for a procedure: it fits, before anything runs."""
    from ..evaluation.rubric.open import rubrics_serving, unsuitable

    opened = rubric_of(word or _only(rubrics_serving(procedure, here())))
    if problems := unsuitable(opened.rubric, procedure, procedure.name):
        leave(problems)
    return opened


def _only(names: Sequence[str]) -> str:
    if len(names) != 1:
        leave((diagnose.missing_rubric("--rubric", known=tuple(names)),))
    return names[0]


def graders_of(
    opened: OpenRubric, names: Sequence[str], deadline: float, repeat: int = 1, at_once: int = 8
) -> tuple[GraderSettings, ...]:
    """Each grader once, as the rubric wants graders to be asked; the offline one where none is named."""
    from ..api.evaluation import grader_for
    from ..model.immutable import replace

    chosen = dict.fromkeys(names) or ("offline",)
    found = (got(grader_for(opened, name, here(), deadline=deadline)) for name in chosen)
    return tuple(replace(one, repeat=repeat, at_once=at_once) for one in found)
