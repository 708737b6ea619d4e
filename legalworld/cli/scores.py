"""`lw eval`: stored runs, scored. `lw report`: scores put together. `lw bench`: models by cases, played and scored."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NoReturn, cast

import click

from ..model.immutable import replace
from ..wording import locale, say
from . import options
from .batch import batch_played
from .help import Command
from .inputs import graders_of, project_of, rubric_for_procedure, rubric_for_runs
from .output import (
    DONE,
    INTERRUPTED,
    STOPPED,
    WRONG,
    as_json,
    complain,
    got,
    here,
    leave,
    path_of,
    remark,
    save,
    tell_damaged,
    wants_json,
    warn,
    write_json,
)
from .output import written as tell_written
from .publications import Wanted, all_in, cutoffs_of, published, sources_of
from .runs import limits_for
from .stores import STORED, away_of, brought, kept
from .warned import code_with, tell_warned

if TYPE_CHECKING:
    from pathlib import Path

    from ..evaluation.evaluate import EvaluationOutcome
    from ..evaluation.grader import GraderSettings, GraderUsage
    from ..evaluation.report import Report, Unfinished
    from ..evaluation.report_page import ReportSources
    from ..evaluation.results import Evaluation
    from ..evaluation.rubric.open import OpenRubric


@click.command(name="eval", cls=Command)
@options.run_folders
@options.rubric
@options.graders
@options.repeat
@options.asked_at_once
@options.bounded
@click.option("--estimate", "only_estimate", is_flag=True)
@click.option("--batch", "in_batches", is_flag=True)
@click.option("--given", "counts_given", is_flag=True)
@options.deadline
@options.as_json
def evaluate(folders: Sequence[str], rubric: str, grader: tuple[str, ...], **given: Any) -> None:
    from ..evaluation.report import report as put_together
    from ..evaluation.run_store import runs_in

    paths = runs_in([path_of(folder) for folder in folders])
    opened = rubric_for_runs(rubric, paths)
    settings = graders_of(opened, grader, given["deadline"], given["repeat"], given["at_once"])
    settings = _within(settings, given["budget"], given["prices"])
    if given["only_estimate"]:
        _estimated(paths, opened, settings, given["counts_given"])
    if given["in_batches"]:
        _in_batches(paths, opened, settings, given["counts_given"])
    outcomes = score_runs(paths, opened, settings, counts_given=given["counts_given"])
    done = evaluations_of(outcomes)
    if wants_json():
        write_json({"evaluations": [scored.model_dump(mode="json") for scored in done], "failed": failed(outcomes)})
    elif done:
        click.echo(_shown(put_together(opened.rubric, done, None, "kept")))
    tell_damaged(sum(one["status"] == "damaged" for one in failed(outcomes)))
    sys.exit(WRONG if len(done) < len(outcomes) else 0)


def _within(
    graders: Iterable[GraderSettings], budget: Sequence[str], prices: Sequence[str], option: str = "--budget"
) -> tuple[GraderSettings, ...]:
    """The graders, each with what it may take."""
    settings = tuple(graders)
    profiles = {one.model: one.called for one in settings}
    limits = limits_for({name: name for name in profiles}, profiles, budget, prices, option=option)
    return tuple(replace(one, limits=limits) for one in settings)


def score_runs(
    paths: Sequence[Path],
    opened: OpenRubric,
    graders: Iterable[GraderSettings],
    *,
    name_each: bool = True,
    as_drafted: bool = False,
    counts_given: bool = False,
) -> tuple[EvaluationOutcome, ...]:
    """Score runs by each grader; what is wrong with one leaves the others alone. Last, what the graders took.

    `name_each`: name each run as it is done, with what it is warned of; else only those that fail.
    """
    from ..evaluation.evaluate import evaluate as score
    from ..evaluation.grader import GraderUsage

    def watch(outcome: EvaluationOutcome) -> None:
        if name_each or outcome.evaluation is None:
            warn(outcome.problems)
        if outcome.evaluation is not None and name_each and len(paths) > 1:
            remark(say("score.scored", run=outcome.path))

    outcomes: list[EvaluationOutcome] = []
    for grader in graders:
        usage = GraderUsage()
        outcomes += score(paths, opened, grader, watch, as_drafted=as_drafted, counts_given=counts_given, usage=usage)
        if usage.asked:
            remark(usage_told(usage))
    return tuple(outcomes)


def usage_told(usage: GraderUsage) -> str:
    """Replies, tokens and money of a grader."""
    counts = {"asked": usage.asked, "kept": usage.kept, "prompt": usage.prompt_tokens, "back": usage.completion_tokens}
    return say("score.usage" if usage.unpriced else "score.usage_priced", **counts, dollars=f"{usage.dollars:.4f}")


def _estimated(
    paths: Sequence[Path], opened: OpenRubric, graders: Iterable[GraderSettings], counts_given: bool
) -> NoReturn:
    """What grading would take, of each grader; nothing is asked."""
    from ..evaluation.grader_check import estimate

    rows = []
    for settings in graders:
        found, problems = estimate(paths, opened, settings, here(), counts_given=counts_given)
        warn(problems)
        rows.append({"grader": settings.model, **asdict(found)})
    if wants_json():
        write_json({"estimates": rows})
    else:
        for row in rows:
            dollars = say("score.no_price") if row["dollars"] is None else f"US$ {row['dollars']:.4f}"
            click.echo(say("score.estimate", **{**row, "dollars": dollars}))
    sys.exit(0)


def _in_batches(
    paths: Sequence[Path], opened: OpenRubric, graders: Iterable[GraderSettings], counts_given: bool
) -> None:
    """Fetch and hand in the questions of each grader; does not come back while replies are to be waited for."""
    from ..evaluation.grader import GraderUsage
    from ..evaluation.grader_batches import batch_round

    rows, over = [], True
    for settings in graders:
        usage = GraderUsage()
        found = got(batch_round(paths, opened, settings, here(), usage, counts_given=counts_given))
        warn(found.problems)
        over = over and found.over
        rows.append({"grader": settings.model, "fetched": found.fetched, "failed": found.failed})
        rows[-1] |= {
            "handed_in": found.handed_in,
            "waiting": {name: asdict(one) for name, one in found.waiting.items()},
        }
        if usage.asked:
            remark(usage_told(usage))
        if found.fetched or found.failed:
            remark(say("score.batch_fetched", grader=settings.model, fetched=found.fetched, failed=found.failed))
        for name, state in found.waiting.items():
            remark(say("score.batch_waiting", batch=name, status=state.status, done=state.done, total=state.total))
        if found.handed_in:
            remark(say("score.batch_handed_in", grader=settings.model, count=found.handed_in))
    if not over:
        if wants_json():
            write_json({"batches": rows})
        sys.exit(STOPPED)


def evaluations_of(outcomes: Iterable[EvaluationOutcome]) -> list[Evaluation]:
    """The evaluations of the runs that could be scored."""
    return [outcome.evaluation for outcome in outcomes if outcome.evaluation is not None]


def failed(outcomes: Iterable[EvaluationOutcome]) -> list[dict[str, Any]]:
    """The runs that could not be scored, as JSON."""
    from ..runs.damage import is_damaged

    return [
        {
            "run": str(run.path),
            "status": "damaged" if is_damaged(run.problems) else "failed",
            "problems": as_json(run.problems),
        }
        for run in outcomes
        if run.evaluation is None
    ]


def _shown(report: Report) -> str:
    """The best of a column bold, the second underlined, where it is a terminal that reads it."""
    from ..evaluation.report_text import terminal
    from ..wording.columns import columns

    text = terminal(report, locale(), columns())
    text = re.sub(r"(\d[\d.]*)\*", lambda figure: click.style(figure[0], bold=True), text)
    return re.sub(r"(\d[\d.]*)°", lambda figure: click.style(figure[0], underline=True), text)


@click.command(cls=Command)
@options.run_folders
@options.rubric
@options.listed("--grader", "NAME,...")
@click.option("--by", metavar="FIELD", default="")
@click.option("--overall", "group", metavar="GROUP", default="")
@options.listed("--average-over", "NAME,...")
@options.unfinished
@published
@options.sheet
@click.option("--cutoff", "cutoffs", metavar="MODEL=DAY", multiple=True)
@options.listed("--judged", "FIELD,...")
@options.as_json
def report(folders: Sequence[str], rubric: str, grader: tuple[str, ...], by: str, **given: Any) -> None:
    from ..evaluation.conditions import fact_names
    from ..evaluation.report import as_json as data
    from ..evaluation.report import report as put_together
    from ..evaluation.run_facts import sent_otherwise
    from ..evaluation.run_store import labels, runs_in
    from ..evaluation.score_files import kept
    from ..language import diagnose
    from ..model.diagnostics import Diagnostic
    from ..runs.adjustments import counted_data as adjusted_data
    from ..runs.adjustments import counted_text as adjusted_text
    from ..runs.damage import is_damaged

    paths = runs_in([path_of(folder) for folder in folders])
    if group := given.pop("group"):
        _overall(paths, group, grader, cast("Unfinished", given["unfinished"]))
    opened = rubric_for_runs(rubric, paths)
    stored = [evaluation for path in paths for evaluation in kept(path, opened.rubric)]
    complain([evaluation for evaluation in stored if isinstance(evaluation, Diagnostic)])
    damaged = len({one.span.file for one in stored if isinstance(one, Diagnostic) and is_damaged([one])})
    tell_damaged(damaged)
    evaluations = [evaluation for evaluation in stored if not isinstance(evaluation, Diagnostic)]
    graders = tuple(dict.fromkeys(evaluation.graded_by for evaluation in evaluations))
    if unknown := [name for name in grader if name not in graders and graders != ("",)]:
        leave((diagnose.unknown_report_grader("--grader", name=unknown[0], known=graders, among=graders),))
    evaluations = [each for each in evaluations if not grader or each.graded_by in ("", *grader)]
    if not evaluations:
        leave((diagnose.missing_rubric_scores(folders[0], rubric=opened.rubric.name),))
    runs = [evaluation.run for evaluation in evaluations]
    for field in given["judged"]:
        got(labels(runs[:1], field, "--judged"))
    sources = sources_of(cutoffs_of(given.pop("cutoffs"), [each.model for each in evaluations]), given.pop("judged"))
    groups = got(labels(runs, by)) if by else None
    over, known = frozenset(given.pop("average_over")), tuple(fact_names(evaluations))
    if strange := sorted(over - {*known}):
        leave((diagnose.unknown_condition_fact("--average-over", name=strange[0], known=known),))
    together = put_together(opened.rubric, evaluations, groups, cast("Unfinished", given.pop("unfinished")), over)
    files = _write(together, sources, given.pop("sheet"), Wanted(**given))
    otherwise = sent_otherwise(runs)
    if wants_json():
        write_json(data(together) | {"damaged": damaged} | adjusted_data(otherwise))
    else:
        click.echo("\n".join((_shown(together), *adjusted_text(otherwise, len({*runs})))))
        tell_written(files)


def _overall(paths: Sequence[Path], group: str, graders: Sequence[str], unfinished: Unfinished) -> NoReturn:
    """A benchmark of several rubrics as one figure. What cannot be averaged in a rubric is not averaged over all."""
    from ..evaluation.overall import as_json as data
    from ..evaluation.overall import members, overall, terminal
    from ..evaluation.report import report as put_together
    from ..evaluation.score_files import kept
    from ..language import diagnose
    from ..model.diagnostics import Diagnostic

    reports = []
    for rubric in members(group, here()):
        stored = [evaluation for path in paths for evaluation in kept(path, rubric)]
        complain([one for one in stored if isinstance(one, Diagnostic)])
        evaluations = [one for one in stored if not isinstance(one, Diagnostic)]
        wanted = [one for one in evaluations if not graders or one.graded_by in ("", *graders)]
        reports.append(put_together(rubric, wanted, None, unfinished))
        if apart := reports[-1].parts:
            leave((diagnose.mixed_overall("--overall", rubric=rubric.name, apart=tuple(apart)),))
    if not any(one.models for one in reports):
        leave((diagnose.missing_rubric_scores("--overall", rubric=group),))
    rows = overall(reports, group)
    if wants_json():
        write_json(data(rows, group))
    else:
        click.echo(terminal(rows, group, locale()))
    sys.exit(0)


def _write(report: Report, sources: ReportSources, sheet: str, wanted: Wanted) -> tuple[str, ...]:
    """The page, its tables and figures, and the sheet, where they were asked for; what was written."""
    from ..evaluation.report import csv_rows
    from ..evaluation.report_page import report_page
    from ..files.spreadsheet import csv_text

    written = wanted.write(lambda: report_page(report, sources, locale()))
    if sheet:
        save(sheet, csv_text(csv_rows(report)).encode("utf-8-sig"))
    return tuple(filter(None, (*written, sheet)))


@click.command(cls=Command)
@options.spec
@options.cases
@options.binding
@options.listed("--models", "NAME,...", required=True)
@click.option("--others", metavar="NAME", default="offline")
@options.settings
@options.target
@options.chosen
@options.profiles
@options.seeds
@options.start
@options.rubric
@options.graders
@click.option("--grader-budget", metavar="WHAT:NUMBER", multiple=True)
@options.batch_out
@options.at_once
@options.workers
@options.engine
@options.limits
@options.deadline
@options.trace
@options.allow_odd
@options.as_json
def bench(spec: str, rubric: str, grader: tuple[str, ...], deadline: float, allow_odd: float, **given: Any) -> None:
    from ..batch.jobs import Lineup
    from ..evaluation.report import report as put_together

    models, others = given.pop("models"), given.pop("others")
    opened = _rubric_of(rubric, spec)
    graders = _within(
        graders_of(opened, grader, deadline), given.pop("grader_budget"), given["prices"], "--grader-budget"
    )
    _check_graders(opened, graders)
    lineups = tuple(Lineup((others,), model) for model in models)
    away = away_of(given["out"], *(given.pop(name) for name in STORED), needed=True)
    out = path_of(given["out"]) if away is None else away.scratch
    played = batch_played(spec, lineups, deadline=deadline, away=away, **given)
    if played.interrupted:  # half a table would tell of other cases for one model than for another
        click.echo(say("score.interrupted"), err=True)
        sys.exit(INTERRUPTED)
    if played.exhausted:
        click.echo(say("batch.exhausted"), err=True)
        sys.exit(STOPPED)
    if played.unstored:  # as above: the batch was cut short
        complain(played.unkept)
        sys.exit(STOPPED)
    brought(away, played.folders)
    warned = played.warned.row()
    outcomes = score_runs(played.folders, opened, graders, name_each=False)
    done = evaluations_of(outcomes)
    together = put_together(opened.rubric, done, None) if done else None
    wanted = all_in(out)
    if together is not None:
        _write(together, sources_of(), str(out / "report.csv"), wanted)
    unkept, name = kept(away, played.folders), str if away is None else away.shown
    if wants_json():
        damaged = sum(one.status == "damaged" for one in played.results)
        runs = [name(folder) for folder in played.folders]
        write_json({"runs": runs, "failed": failed(outcomes), "damaged": damaged, "warned": warned})
    elif together is not None:
        click.echo(_shown(together))
        click.echo(name(path_of(wanted.html)))
    complain(unkept)
    tell_warned(warned)
    code = WRONG if played.problems or len(done) < len(outcomes) else STOPPED if unkept else DONE
    sys.exit(code_with(code, warned, allow_odd))


def _rubric_of(word: str, spec: str) -> OpenRubric:
    """The rubric of a bench, known before anything is played."""
    procedure = project_of(spec).procedure
    assert procedure is not None
    return rubric_for_procedure(word, procedure)


def _check_graders(opened: OpenRubric, graders: Iterable[GraderSettings]) -> None:
    """Leave before anything is played where somebody who is to grade cannot be reached: he is asked one word."""
    from ..evaluation.grader import Grader

    for settings in graders if opened.rubric.asks else ():
        if problems := Grader(settings, path_of()).reached():
            leave(problems)
