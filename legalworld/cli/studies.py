"""`lw study`: a study from one file: checked, planned, played and scored, its tables made."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from ..wording import locale, say
from . import completion, options
from .batch_progress import BatchProgress
from .help import Command, Group
from .output import (
    DONE,
    INTERRUPTED,
    STOPPED,
    WRONG,
    code_of,
    complain,
    counted,
    got,
    here,
    leave,
    path_of,
    remark,
    wants_json,
    warn,
    write_json,
)
from .publications import all_in

if TYPE_CHECKING:
    from pathlib import Path

    from ..evaluation.rubric.definition import Rubric
    from ..runs.project import Problems
    from ..studies.forecast import PointForecast
    from ..studies.open import OpenStudy
    from ..studies.plan import StudyPlan


LEAST_HOURS = 0.1


@click.group(cls=Group)
def study() -> None:
    """A study from one file; the help stands in `wording/*.toml`."""


_file = click.argument("word", metavar="STUDY", shell_complete=completion.named("studies"))
_shared = options.together(
    click.option("--model", "models", metavar="NAME=MODEL", multiple=True),
    click.option("--small", metavar="N", type=click.IntRange(1, 100_000), default=None),
    click.option("--out", metavar="DIR", default="", callback=options.here),
)
_tables = options.listed("--only", "TABLE,...")


@study.command(name="check", cls=Command)
@_file
@options.as_json
def study_check(word: str) -> None:
    from ..studies.open import OpenStudy, open_study

    opened = open_study(word, here())
    problems = opened.problems if isinstance(opened, OpenStudy) else opened
    counts = counted(problems)
    if wants_json():
        write_json(counts)
    else:
        complain(problems)
        key = "study.bad" if counts["errors"] else "study.good"
        told = {"study": word, "errors": counts["errors"], "warnings": counts["warnings"]}
        click.echo(say(key, **told, **(_counts(opened) if isinstance(opened, OpenStudy) else {})))
    sys.exit(code_of(problems))


def _counts(opened: OpenStudy) -> dict[str, int]:
    """How many conditions, combinations and tables a study has."""
    found = opened.study
    combinations = sum(len(one.points) for one in found.conditions.values())
    return {"conditions": len(found.conditions), "combinations": combinations, "tables": len(found.tables)}


def _planned(word: str, models: Sequence[str], small: int | None, out: str) -> tuple[StudyPlan, Path]:
    """The plan of a study, its models bound as the command says, and its folder."""
    from ..language import diagnose
    from ..studies.open import open_study, with_models
    from ..studies.plan import plan_study

    opened = got(open_study(word, here()))
    bound, known = options.values_of(models, "--model"), tuple(opened.study.models)
    if strange := [name for name, to in bound.items() if name not in known or not to]:
        leave((diagnose.unknown_study_model("--model", name=strange[0], known=known, among=known),))
    folder = path_of(out) if out else path_of("runs") / "studies" / opened.study.name
    return plan_study(with_models(opened, bound), folder.absolute(), small or 0), folder.absolute()


@study.command(name="plan", cls=Command)
@_file
@_shared
@options.at_once
@options.prices
@click.option("--speed", metavar="N", type=click.FloatRange(0.1, 100_000), default=40.0)
@options.as_json
def study_plan(word: str, models: tuple[str, ...], small: int | None, out: str, **given: Any) -> None:
    from ..batch.limit_words import limits_of
    from ..studies.forecast import SAMPLE, forecast, grading
    from ..studies.play import graders, score_study
    from ..studies.power import power_lines, power_texts
    from ..studies.report import runs_of, words_for

    prices = got(limits_of((), (), given["prices"])).prices
    plan, _ = _planned(word, models, small, out)
    warn(plan.problems)
    told = forecast(plan, prices, lambda left: remark(say("study.playing", left=left)), given["speed"])
    asked = got(graders(plan, 600.0))
    scorings = grading(plan, asked)
    runs = runs_of(plan, score_study(plan, asked, lambda _: None, None).evaluations)
    power = power_lines(plan, runs, _rubrics(plan))
    if wants_json():
        scored = [{"scoring": one.scoring, "grader": one.grader, "runs": one.wanted} for one in scorings]
        told_of = [{**row, "asked": one.questions} for row, one in zip(scored, scorings, strict=True)]
        head = {"study": plan.opened.study.name, "combinations": [one.row() for one in told]}
        write_json(head | {"grading": told_of, "power": [one.row() for one in power]})
        sys.exit(DONE)
    from ..wording.columns import table

    click.echo("\n".join(table(_plan_rows(told, given["at_once"]), frozenset(range(2, 11)))))
    for why in dict.fromkeys(_why(one) for one in told if one.planned.why):
        click.echo(why)
    missing = [one for one in told if one.missing]
    if missing and all(one.cost is not None and not one.cost.calls for one in missing):
        click.echo(say("study.unpaid", calls=f"{sum(one.free for one in told):,.0f}"))
    for one in scorings:
        numbers = {"asked": f"{one.questions or 0:,.0f}", "tokens": f"{one.tokens or 0:,.0f}"}
        dollars = say("study.unknown") if one.dollars is None else f"US$ {one.dollars:,.2f}"
        key = "study.grading" if one.questions is not None else "study.grading_unknown"
        told_of_it = {"scoring": one.scoring, "grader": one.grader, "wanted": one.wanted}
        click.echo(say(key, **told_of_it, **numbers, dollars=dollars))
    for sentence in power_texts(power, words_for(locale())):
        click.echo(sentence)
    click.echo(say("study.forecast_rests", sample=SAMPLE, speed=f"{given['speed']:g}", at_once=given["at_once"]))


def _why(one: PointForecast) -> str:
    why = say(f"study.gap_{one.planned.why}", what=one.planned.what)
    return f"{one.planned.point.condition}: " + say("study.lacking", why=why)


def _plan_rows(told: Sequence[PointForecast], at_once: int) -> list[list[str]]:
    """A line for each combination, and their sum."""
    heads = ("condition", "facts", "cases", "seeds", "runs", "missing", "calls", "free", "tokens", "dollars", "hours")
    rows = [[say(f"study.{head}") for head in heads]]
    for one in told:
        point = one.planned.point
        facts = ", ".join(f"{fact}={value}" for fact, value in point.facts.items() if fact != "procedure")
        numbers = [str(number) for number in (len(one.planned.cases), one.planned.seeds, one.runs, one.missing)]
        rows.append([point.condition, facts, *numbers, *_cost(one, at_once)])
    return rows


def _cost(one: PointForecast, at_once: int) -> list[str]:
    """Calls, tokens, money and hours of what is missing; nothing is told where it could not be forecast."""
    if not one.missing:
        return ["-"] * 5
    if one.cost is None:
        return [say("study.unknown")] * 5
    cost = one.cost
    money = "-" if not cost.calls else say("study.unknown") if cost.unpriced else f"{cost.dollars:,.2f}"
    hours = one.seconds / 3600 / max(1, min(at_once, one.missing))
    time = f"{hours:,.1f}" if hours >= LEAST_HOURS else f"< {LEAST_HOURS}"
    return [f"{cost.calls:,.0f}", f"{one.free:,.0f}", f"{cost.prompt + cost.completion:,.0f}", money, time]


@study.command(name="run", cls=Command)
@_file
@_shared
@_tables
@options.at_once
@options.workers
@options.limits
@options.deadline
@options.as_json
def study_run(word: str, models: tuple[str, ...], small: int | None, out: str, **given: Any) -> None:
    from ..batch.limit_words import limits_of
    from ..batch.play import Batch, Told
    from ..evaluation.grader import GraderUsage
    from ..language import diagnose
    from ..studies.play import PlayedStudyBatch, graders, owned, play_points, score_study

    limits = got(limits_of(given["limits"], given["budget"], given["prices"]))
    plan, folder = _planned(word, models, small, out)
    only = _known_tables(plan, given["only"])
    warn(plan.problems)
    if not any(point.requests for point in plan.points):
        leave((diagnose.study_without_runs(word),))
    asked = got(graders(plan, given["deadline"]))
    if problems := owned(plan, folder):
        leave(problems)
    batch = Batch(given["at_once"], given["deadline"], given["case_deadline"] or 0.0, limits)
    played: list[PlayedStudyBatch] = []
    with BatchProgress(quiet=wants_json()) as progress:
        told = Told(progress.result, progress.meter, progress.warn)
        for one in play_points(plan, batch, told, given["workers"]):
            played.append(one)
            warn(one.problems)
            if one.cut:
                sys.exit(INTERRUPTED if one.interrupted else STOPPED)
    scored = score_study(plan, asked, lambda outcome: warn(outcome.problems), GraderUsage())
    warn(scored.of_sheets)
    problems = _reported(plan, (scored.evaluations, only), folder)
    sys.exit(_code(played, (*scored.problems, *problems)))


def _code(played: Iterable[Any], problems: Sequence[object]) -> int:
    wrong = problems or any(one.wrong for one in played)
    return WRONG if wrong else STOPPED if any(one.stopped for one in played) else DONE


def _known_tables(plan: StudyPlan, names: Sequence[str]) -> tuple[str, ...]:
    from ..language import diagnose

    known = tuple(plan.opened.study.tables)
    if strange := [name for name in names if name not in known]:
        leave((diagnose.unknown_study_table("--only", name=strange[0], known=known, among=known),))
    return tuple(names)


@study.command(name="report", cls=Command)
@_file
@_shared
@_tables
@options.as_json
def study_report(word: str, models: tuple[str, ...], small: int | None, out: str, only: tuple[str, ...]) -> None:
    from ..language import diagnose
    from ..studies.play import ended, graders, score_study

    plan, folder = _planned(word, models, small, out)
    names = _known_tables(plan, only)
    if not any(ended(run) for point in plan.points for _, _, run in point.wanted):
        leave((diagnose.unplayed_study(str(folder), path=str(folder)),))
    scored = score_study(plan, got(graders(plan, 600.0)), lambda _: None, None)
    warn(scored.of_sheets)
    problems = _reported(plan, (scored.evaluations, names), folder)
    sys.exit(code_of((*scored.of_sheets, *problems)))


def _reported(plan: StudyPlan, scored: tuple[Any, tuple[str, ...]], folder: Path) -> Problems:
    """Write the tables of a study and what it has to train on, and print them; what is wrong with the latter."""
    from ..studies.report import as_json, report_study, study_page, terminal, write
    from ..studies.training_data import write_training

    evaluations, only = scored
    report = report_study(plan, evaluations, _rubrics(plan), only)
    write(report, folder)
    training = tuple(write_training(report, folder))
    problems = tuple(problem for one in training for problem in one.problems)
    warn(problems)
    files = all_in(folder).write(lambda: study_page(report, locale()))
    if wants_json():
        write_json(as_json(report))
    else:
        lines = [say("study.trained", name=one.name, runs=one.runs, lines=_counts_of(one.lines)) for one in training]
        click.echo("\n".join((terminal(report, locale()), *lines, *files)))
    return problems


def _counts_of(lines: Mapping[str, int]) -> str:
    return ", ".join(f"{form} {count:,}" for form, count in lines.items()) or "-"


def _rubrics(plan: StudyPlan) -> dict[str, Rubric]:
    """Scoring -> its rubric, where that is there."""
    rubrics = {name: plan.opened.around.rubric(one.rubric.text) for name, one in plan.opened.study.scoring.items()}
    return {name: rubric for name, rubric in rubrics.items() if rubric is not None}
