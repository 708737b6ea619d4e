"""`lw corpus`: from raw judgments to cases, step by step; and what fell out at each."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ..wording import locale, say
from . import options
from .help import Command, Group
from .output import DONE, as_json, code_of, got, here, path_of, remark, wants_json, warn, write_json
from .warned import Warned, code_with, tell_warned

if TYPE_CHECKING:
    from ..corpus.step_files import StepDone


@click.group(cls=Group)
def corpus() -> None:
    """Raw judgments to cases; the help stands in `wording/*.toml`."""


def _near(context: click.Context, param: click.Parameter, value: float) -> float:
    """0, or a likeness that still means something."""
    if value and not 0.5 <= value <= 1:
        raise click.BadParameter(f"'{value:g}'", context, param)
    return value


@corpus.command(name="build", cls=Command)
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@options.binding
@options.needed_out
@options.listed("--steps", "STEP,...")
@click.option("--until", metavar="STEP", default="")
@click.option("--near", metavar="SHARE", type=float, default=0.85, callback=_near)
@click.option("--seed", metavar="N", type=int, default=20251217)
@click.option("--model", metavar="NAME", default="")
@click.option("--licence", metavar="TEXT", default="")
@options.deadline
@options.allow_failed
@options.allow_odd
@options.as_json
def corpus_build(out: str, allow_odd: float, **given: Any) -> None:
    from ..batch.record import held
    from ..corpus.build import build
    from ..corpus.records import WARNED, CorpusRequest
    from ..corpus.report import report_of, write_card

    asked = CorpusRequest(out=path_of(out), cwd=here(), **given)
    with got(held(asked.out)):
        got(build(asked, _tell))
        report = got(report_of(asked.out))
        write_card(asked.out, report)
    if wants_json():
        write_json({"out": out, **report.row()})
    elif report.steps[-1].name == "cases":
        click.echo(say("corpus.built", cases=report.steps[-1].kept, out=out))
    warned: Warned = next((step.notes[WARNED] for step in report.steps if WARNED in step.notes), {})
    tell_warned(warned)
    sys.exit(code_with(DONE, warned, allow_odd))


@corpus.command(name="report", cls=Command)
@options.batch_folder
@options.as_json
def corpus_report(folder: str) -> None:
    from ..corpus.report import report_of, report_text

    report = got(report_of(path_of(folder)))
    if wants_json():
        write_json({**report.row(), "problems": as_json(report.problems)})
    else:
        click.echo(report_text(report, locale()))
    warn(report.problems)
    sys.exit(code_of(report.problems))


def _tell(done: StepDone, again: bool) -> None:
    """One line for each step, as soon as it is done."""
    name = say(f"corpus.step_{done.name}")
    remark(say("corpus.was_done" if again else "corpus.step", name=name, kept=done.kept, taken=done.taken))
