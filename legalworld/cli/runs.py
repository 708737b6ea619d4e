"""`lw run`, `lw resume`, `lw replay`, `lw fork`: play a case, go on, play again from the record, play on otherwise."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..wording import say
from . import options
from .help import Command
from .inputs import project_of, run_of
from .output import (
    DONE,
    INTERRUPTED,
    STOPPED,
    complain,
    got,
    here,
    leave,
    path_of,
    remark,
    wants_json,
    warn,
    write_json,
)
from .warned import code_with

if TYPE_CHECKING:
    from ..model.procedure import Procedure
    from ..models.limits import Limits
    from ..models.named.profile import ModelProfile
    from ..runs.changes import LineUp, RunChange
    from ..runs.fork import Replacement
    from ..runs.lifecycle import RunPlan, RunResult
    from ..runs.open_run import OpenRun
    from ..runs.project import Problems


def plan_of(spec: str, given: dict[str, Any], place_option: str = "--until") -> RunPlan:
    """The plan of a run from the options of a command; the command ends here when something is wrong with them."""
    from ..runs.plan import RunRequest, plan_run

    project = project_of(spec)
    out = given.pop("out", "")
    asked = RunRequest(spec=spec, out=path_of(out) if out else None, place_option=place_option, **given)
    plan = got(plan_run(project, asked, here()), project)
    warn((*plan.matter.problems, *plan.remarks), project)
    return plan


def limits_for(
    models: Mapping[str, str],
    profiles: Mapping[str, ModelProfile],
    budget: Sequence[str],
    prices: Sequence[str],
    *,
    option: str = "--budget",
) -> Limits:
    """What one run may spend, by an option; the command ends here when that is not said well, or nobody knows what a
    model costs."""
    from ..api.limits import limits_for as within

    return got(within(models, profiles, budget, prices, option=option))


@click.command(cls=Command)
@options.spec
@options.case
@options.models
@options.tools
@options.settings
@click.option("--skip", metavar="STAGE[/PHASE]", multiple=True)
@options.start
@options.until
@options.bounded
@options.out
@options.allow_odd
@options.live
def run(spec: str, deadline: float, follow: bool, allow_odd: float, **given: Any) -> None:
    from ..batch.warned import CaseNotes, WarningCounts
    from ..runs import lifecycle
    from ..runs.progress import Progress

    budget, prices = given.pop("budget"), given.pop("prices")
    plan = plan_of(spec, given)
    limits = limits_for(plan.models, plan.profiles, budget, prices)
    procedure = plan.project.procedure
    assert procedure is not None
    with Progress(procedure, plan.models, wants_json(), follow, profiles=plan.profiles) as progress:
        how: Any = {"listen": progress.listen, "overhear": progress.overhear, "limits": limits}
        result = lifecycle.start(plan, progress, deadline, **how)
    warned = WarningCounts()
    warned.add(plan.matter.file, CaseNotes(plan.matter.problems))
    _finish(result, procedure, progress.cost, lambda code: code_with(code, warned.row(), allow_odd))


def change_of(opened: OpenRun, now: LineUp, given: dict[str, Any]) -> RunChange:
    """With what a run is to be gone on with; the command ends here when something is wrong with that."""
    from ..runs.changes import NO_CHANGE
    from ..runs.plan_change import ChangeRequest, plan_change

    asked = ChangeRequest(**{name: given.pop(name) for name in ("models", "tools", "settings")})
    if asked.empty:
        return NO_CHANGE
    planned = got(plan_change(opened.procedure, opened.folder.info.target, now, asked, here()))
    warn(planned.remarks)
    return planned.change


@click.command(cls=Command)
@options.run_folder
@options.models
@options.tools
@options.settings
@options.until
@options.bounded
@options.live
def resume(folder: str, until: str, deadline: float, follow: bool, **given: Any) -> None:
    from ..runs import lifecycle
    from ..runs.plan import as_begun, known_place, known_reach
    from ..runs.progress import Progress

    opened = run_of(folder)
    if until and (problems := known_place(opened.procedure, until, "--until")):
        leave(problems)
    ahead = replace(opened.settings, until=until)
    if problems := known_reach(opened.procedure, opened.case, ahead, "--until"):
        leave(problems)
    over = opened.ended
    if over and any(given[name] for name in ("models", "tools", "settings")):
        leave((diagnose.change_of_ended_run(folder, path=folder),))
    warn(() if over else as_begun(opened.folder.info, here()))
    change = change_of(opened, opened.line_up, given)
    now = opened.line_up.after(change)
    limits = limits_for(now.models, now.profiles, given["budget"], given["prices"])
    if over:
        remark(say("run.nothing_to_do"))
    with Progress(opened.procedure, now.models, wants_json() or over, follow, profiles=now.profiles) as progress:
        how: Any = {"listen": progress.listen, "overhear": progress.overhear, "limits": limits, "change": change}
        result = lifecycle.resume(path_of(folder), progress, until, deadline, **how)
    _finish(result, opened.procedure, progress.cost)


@click.command(cls=Command)
@options.run_folder
@options.as_json
def replay(folder: str) -> None:
    from ..runs import lifecycle
    from ..runs.journal import AnswerLine, load
    from ..runs.show.outcome import outcome_data

    result = got(lifecycle.replay(path_of(folder)))
    if wants_json():
        write_json(outcome_data(result))
        sys.exit(_CODES[result.status])
    lines = load(path_of(folder) / "journal.jsonl").lines
    answers = sum(isinstance(line, AnswerLine) for line in lines)
    click.echo(say("run.replay_good", events=len(lines) - answers, answers=answers))
    complain(result.problems)  # its files could not be written
    sys.exit(_CODES[result.status])


@click.command(cls=Command)
@options.run_folder
@click.option("--at", metavar="PLACE", required=True)
@click.option("--replace", metavar="DOCUMENT[@SIDE]=FILE", default="")
@options.models
@options.tools
@options.settings
@options.bounded
@options.out
@options.live
def fork(folder: str, at: str, replace: str, **given: Any) -> None:
    from ..runs import lifecycle
    from ..runs.fork import fork_of, line_up_at
    from ..runs.plan import known_place
    from ..runs.progress import Progress

    opened = run_of(folder)
    what = _replacement(at, replace) if replace else at
    if problems := known_place(opened.procedure, at, "--at"):
        leave(problems)
    change = change_of(opened, line_up_at(opened, at), given)
    now = line_up_at(opened, at).after(change)
    limits = limits_for(now.models, now.profiles, given["budget"], given["prices"])
    made = got(fork_of(opened, what, path_of(given["out"]) if given["out"] else None, change))
    if isinstance(what, str):
        remark(say("run.forked_on", parent=folder, place=at))
    else:
        remark(say("run.forked", parent=folder, place=at, title=opened.procedure.documents[what.document].title))
    with Progress(opened.procedure, now.models, wants_json(), given["follow"], profiles=now.profiles) as progress:
        how: Any = {"listen": progress.listen, "overhear": progress.overhear, "limits": limits, "change": change}
        result = lifecycle.resume(made, progress, "", given["deadline"], **how)
    _finish(result, opened.procedure, progress.cost)


def _replacement(at: str, word: str) -> Replacement:
    """The document that a fork replaces; the command ends here where there is no such file."""
    from ..language.name_values import name_values
    from ..runs.fork import Replacement
    from ..runs.fork import document as document_in

    ((name, file),) = got(name_values((word,), "--replace")).items()
    document, _, side = name.partition("@")
    read = document_in(path_of(file))
    if isinstance(read, Diagnostic):
        leave((read,))
    warn(read.problems)
    return Replacement(at, document, side, read.text)


_CODES = {"ended": DONE, "paused": DONE, "stopped": STOPPED, "interrupted": INTERRUPTED}


def _finish(
    result: RunResult | Problems, procedure: Procedure, cost: float, code: Callable[[int], int] = int
) -> NoReturn:
    """Show how a run came out, and end the command by it; `code` has the last word on the code."""
    from ..runs.show.outcome import outcome_data, outcome_text

    ended = got(result)
    if wants_json():
        write_json(outcome_data(ended))
    else:
        warn(ended.problems)
        click.echo(outcome_text(ended, procedure, cost))
        if ended.status == "ended":
            _remark_on_decisions(ended, procedure)
    sys.exit(code(_CODES[ended.status]))


def _remark_on_decisions(ended: RunResult, procedure: Procedure) -> None:
    """Say how many claims were left undecided, and how many alarms the checks of its decisions raised, if any."""
    from ..evaluation.soundness.report import alarms_after
    from ..runs.undecided import undecided_claims

    open_ones, all_ones = undecided_claims(path_of(str(ended.folder)) / "journal.jsonl")
    if open_ones:
        remark(say("audit.undecided", count=open_ones, all=all_ones))
    if count := alarms_after(path_of(str(ended.folder)), procedure):
        remark(say("audit.remark", count=count, run=ended.folder))
