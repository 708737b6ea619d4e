"""`lw eval`: stored runs, scored. `lw report`: scores put together. `lw bench`: models by cases, played and scored.

`lw intervene`: what a better or worse document does to later stages.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..wording import locale, say
from .help import Command, positive
from .output import INTERRUPTED, WRONG, complain, leave, path_of, save, write_json

if TYPE_CHECKING:
    from pathlib import Path

    from ..evaluation.evaluate import EvaluationOutcome, OpenRubric
    from ..evaluation.grader import GraderSettings
    from ..evaluation.report import Report
    from ..evaluation.results import Evaluation
    from ..runs.project import Project
    from ..study.play import StudyRequest

_rubric = click.option("--rubric", metavar="NAME|FILE", default="")
_grader = click.option("--grader", metavar="NAME", default="offline")
_json = click.option("--json", "as_json", is_flag=True)
_deadline = click.option("--deadline", metavar="SECONDS", type=float, default=600.0, callback=positive)


def _tell(key: str, **values: object) -> str:
    return say(locale(), "score", key, **values)


@click.command(name="eval", cls=Command)
@click.argument("folders", metavar="RUN...", nargs=-1, required=True)
@_rubric
@_grader
@_deadline
@_json
def evaluate(folders: Sequence[str], rubric: str, grader: str, deadline: float, as_json: bool) -> None:
    from ..evaluation.run_store import runs_in

    paths = runs_in([path_of(folder) for folder in folders])
    opened = _opened(rubric or _fitting(paths, as_json), as_json)
    outcomes = _scored(paths, opened, _settings(opened, grader, deadline), as_json)
    done = [one.evaluation for one in outcomes if one.evaluation is not None]
    if as_json:
        write_json({"evaluations": [one.model_dump(mode="json") for one in done], "failed": _failed(outcomes)})
    elif done:
        click.echo(_shown(_together(opened, done)))
    sys.exit(WRONG if len(done) < len(outcomes) else 0)


def _fitting(paths: Sequence[Path], as_json: bool) -> str:
    """The rubric of the first run's procedure, when the project has one only that is for it."""
    from ..evaluation.evaluate import rubrics_for
    from ..language import diagnose

    found = rubrics_for(paths[0], path_of().absolute()) if paths else ()
    if len(found) != 1:
        leave((diagnose.missing_rubric("--rubric", known=found),), None, as_json)
    return found[0]


def _opened(word: str, as_json: bool) -> OpenRubric:
    from ..evaluation.evaluate import open_rubric

    found = open_rubric(word, path_of().absolute())
    if isinstance(found, tuple):
        leave(found, None, as_json)
    if found.problems and not as_json:
        complain(found.problems)
    return found


def _settings(opened: OpenRubric, graders: str, deadline: float) -> tuple[GraderSettings, ...]:
    """Of each grader that is named, as the rubric wants graders to be asked."""
    from ..evaluation.grader import GraderSettings

    told = opened.rubric.grader
    temperature, tokens = float(told.get("temperature", "0")), int(told.get("max tokens", "4096"))
    names = dict.fromkeys(_words(graders) or ("offline",))
    return tuple(GraderSettings(one, temperature, tokens, deadline) for one in names)


def _scored(
    paths: Sequence[Path],
    opened: OpenRubric,
    graders: Iterable[GraderSettings],
    as_json: bool,
    *,
    tell: bool = True,
    as_drafted: bool = False,
) -> tuple[EvaluationOutcome, ...]:
    """Score runs by each grader; what is wrong with one leaves the others alone. `tell`: each run as it is done."""
    from ..evaluation.evaluate import evaluate as score

    def watch(outcome: EvaluationOutcome) -> None:
        if as_json:
            return
        if outcome.problems and (tell or outcome.evaluation is None):
            complain(outcome.problems)
        if outcome.evaluation is not None and tell and len(paths) > 1:
            click.echo(_tell("scored", run=outcome.path), err=True)

    return tuple(found for one in graders for found in score(paths, opened, one, watch, as_drafted=as_drafted))


def _failed(outcomes: Iterable[EvaluationOutcome]) -> list[dict[str, Any]]:
    from ..language.diagnostics import as_json

    return [
        {"run": str(one.path), "problems": as_json(one.problems, locale())}
        for one in outcomes
        if one.evaluation is None
    ]


def _together(opened: OpenRubric, evaluations: Sequence[Evaluation], groups: Mapping[str, str] | None = None) -> Report:
    from ..evaluation.report import report as put_together

    return put_together(opened.rubric, evaluations, groups)


def _shown(report: Report) -> str:
    """The best of a column bold, the second underlined, where it is a terminal that reads it."""
    from ..evaluation.report_output import terminal
    from ..wording.columns import columns

    text = terminal(report, locale(), columns())
    text = re.sub(r"(\d[\d.]*)\*", lambda found: click.style(found[0], bold=True), text)
    return re.sub(r"(\d[\d.]*)°", lambda found: click.style(found[0], underline=True), text)


@click.command(cls=Command)
@click.argument("folders", metavar="RUN...", nargs=-1, required=True)
@_rubric
@click.option("--by", metavar="FIELD", default="")
@click.option("--html", "page", metavar="FILE", default="")
@click.option("--csv", "sheet", metavar="FILE", default="")
@_json
def report(folders: Sequence[str], rubric: str, by: str, page: str, sheet: str, as_json: bool) -> None:
    from ..evaluation.evaluate import kept
    from ..evaluation.run_store import labels, runs_in
    from ..language import diagnose
    from ..model.diagnostics import Diagnostic

    paths = runs_in([path_of(folder) for folder in folders])
    opened = _opened(rubric or _fitting(paths, as_json), as_json)
    found = [one for path in paths for one in kept(path, opened.rubric)]
    problems = tuple(one for one in found if isinstance(one, Diagnostic))
    evaluations = [one for one in found if not isinstance(one, Diagnostic)]
    if problems:
        complain(problems)
    if not evaluations:
        leave((diagnose.missing_rubric_scores(folders[0], rubric=opened.rubric.name),), None, as_json)
    groups = labels([one.run for one in evaluations], by) if by else None
    if isinstance(groups, Diagnostic):
        leave((groups,), None, as_json)
    together = _together(opened, evaluations, groups)
    _written(together, page, sheet)
    if as_json:
        from ..evaluation.report import as_json as data

        write_json(data(together))
    else:
        click.echo(_shown(together))
        for file in filter(None, (page, sheet)):
            click.echo(file)


def _written(found: Report, page: str, sheet: str) -> None:
    """The page and the sheet, where they were asked for."""
    from ..evaluation.report_output import csv_text, html
    from ..evaluation.run_store import said_in

    if page:
        texts = {one.run: said_in(path_of(one.run)) for one in found.evaluations}
        save(page, html(found, texts, locale()).encode("utf-8"))
    if sheet:
        save(sheet, csv_text(found).encode("utf-8-sig"))


@click.command(cls=Command)
@click.argument("spec", metavar="SPEC")
@click.option("--cases", metavar="FILE[#N],...", default="")
@click.option("--binding", metavar="NAME|FILE", default="")
@click.option("--models", metavar="NAME,...", required=True)
@click.option("--others", metavar="NAME", default="offline")
@click.option("--target", metavar="ROLE", default="")
@click.option("--option", "options", metavar="NAME=VALUE", multiple=True)
@click.option("--profiles", metavar="NAME,...", default="")
@click.option("--seeds", metavar="N", type=click.IntRange(1, 100), default=1)
@_rubric
@_grader
@click.option("--out", metavar="DIR", required=True)
@_deadline
@_json
def bench(spec: str, **given: Any) -> None:
    from ..evaluation.benchmark import Benchmark, play_benchmark

    asked = Benchmark(
        spec,
        _words(given["cases"]),
        given["binding"],
        _words(given["models"]),
        given["others"],
        given["target"],
        dict(word.partition("=")[::2] for word in given["options"]),
        _words(given["profiles"]),
        given["seeds"],
        path_of(given["out"]),
        given["deadline"],
    )
    as_json = bool(given["as_json"])

    def watch(words: str) -> None:
        if not as_json:
            click.echo(words, err=True)

    _gradable(given, as_json)
    played = play_benchmark(asked, watch)
    if isinstance(played, tuple):
        leave(played, None, as_json)
    if played.problems and not as_json:
        complain(played.problems)
    if played.interrupted:  # half a table would tell of other cases for one model than for another
        click.echo(_tell("interrupted"), err=True)
        sys.exit(INTERRUPTED)
    rubric = given["rubric"] or _fitting(played.folders, as_json)
    opened = _opened(rubric, as_json)
    settings = _settings(opened, given["grader"], given["deadline"])
    outcomes = _scored(played.folders, opened, settings, as_json, tell=False)
    done = [one.evaluation for one in outcomes if one.evaluation is not None]
    together = _together(opened, done) if done else None
    if together is not None:
        _written(together, str(asked.out / "report.html"), str(asked.out / "report.csv"))
    if as_json:
        write_json({"runs": [str(one) for one in played.folders], "failed": _failed(outcomes)})
    elif together is not None:
        click.echo(_shown(together))
        click.echo(str(asked.out / "report.html"))
    sys.exit(WRONG if played.problems or len(done) < len(outcomes) else 0)


@click.command(cls=Command)
@click.argument("spec", metavar="SPEC")
@click.option("--cases", metavar="FILE[#N],...", default="")
@click.option("--binding", metavar="NAME|FILE", default="")
@click.option("--documents", metavar="NAME,...", default="")
@click.option("--qualities", metavar="NAME,...", default="")
@click.option("--interventions", metavar="NAME|FILE", default="")
@click.option("--model", "models", metavar="[ROLE=]NAME", multiple=True)
@click.option("--writer", metavar="NAME", default="")
@click.option("--target", metavar="ROLE,...", default="")
@click.option("--option", "options", metavar="NAME=VALUE", multiple=True)
@click.option("--seeds", metavar="N", type=click.IntRange(1, 100), default=1)
@_rubric
@_grader
@click.option("--out", metavar="DIR", required=True)
@_deadline
@_json
def intervene(spec: str, **given: Any) -> None:
    from ..language.diagnostics import as_json as problems_as_json
    from ..model.diagnostics import Diagnostic
    from ..runs.project import open_project
    from ..study.play import Declared, open_interventions, play_study
    from ..study.report import as_json, compare, figures_there, terminal, write

    silent = bool(given["as_json"])
    project = open_project(spec, path_of().absolute())
    if isinstance(project, Diagnostic):
        leave((project,), None, silent)
    if project.procedure is None:
        leave(project.problems, project, silent)
    declared = open_interventions(given["interventions"], project.procedure, path_of().absolute())
    if not isinstance(declared, Declared):
        leave(declared, project, silent)
    opened = _opened(given["rubric"] or _only(project.procedure.name, silent), silent)
    asked = _study(project, given)
    stages = [stage for one in declared.interventions.documents.values() for stage in one.stages]
    if problems := figures_there(opened.rubric, stages):
        leave(problems, None, silent)

    def watch(words: str) -> None:
        if not silent:
            click.echo(words, err=True)

    played = play_study(asked, declared, watch)
    if isinstance(played, tuple):
        leave(played, project, silent)
    if played.problems and not silent:
        complain(played.problems, project)
    settings = _settings(opened, given["grader"], given["deadline"])
    as_drafted = declared.interventions.as_drafted
    outcomes = _scored(played.folders, opened, settings, silent, tell=False, as_drafted=as_drafted)
    done = [one.evaluation for one in outcomes if one.evaluation is not None]
    found = compare(played.arms, done, declared.interventions, (project.procedure, opened.rubric))
    files = write(found, asked.out)
    if silent:
        stopped = problems_as_json(played.problems, locale())
        write_json({**as_json(found), "failed": _failed(outcomes), "problems": stopped})
    else:
        click.echo("\n".join((terminal(found, locale()), "", *map(str, files))))
    failed = any(one.severity == "error" for one in played.problems) or len(done) < len(outcomes)
    sys.exit(WRONG if failed else 0)


def _study(project: Project, given: Mapping[str, Any]) -> StudyRequest:
    from ..study.play import StudyRequest

    return StudyRequest(
        project,
        _words(given["cases"]),
        given["binding"],
        given["models"],
        _words(given["target"]),
        dict(word.partition("=")[::2] for word in given["options"]),
        given["seeds"],
        _words(given["documents"]),
        _words(given["qualities"]),
        given["writer"],
        path_of(given["out"]),
        given["deadline"],
    )


def _only(procedure: str, as_json: bool) -> str:
    """The rubric for a procedure, when the project has one only that is for it."""
    from ..evaluation.evaluate import rubrics_named
    from ..language import diagnose

    found = rubrics_named(procedure, path_of().absolute())
    if len(found) != 1:
        leave((diagnose.missing_rubric("--rubric", known=found),), None, as_json)
    return found[0]


def _gradable(given: Mapping[str, Any], as_json: bool) -> None:
    """Leave before anything is played where the rubric cannot be read or nobody can grade by it."""
    from ..evaluation.grader import Grader, GraderSettings

    if given["rubric"]:
        _opened(given["rubric"], as_json)
    for name in _words(given["grader"]):
        if problems := Grader(GraderSettings(name), path_of()).open():
            leave(problems, None, as_json)


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())
