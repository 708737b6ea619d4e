"""The command line: click commands and nothing else. What they do is imported when they do it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import click

from .. import __version__
from ..wording import locale
from .documents import compare, export
from .help import Group, positive
from .law import case_library, law
from .output import DONE, INTERRUPTED, STOPPED, WRONG, complain, leave, path_of, tell, write_json
from .parse import parse
from .ratings import ratings
from .scores import bench, evaluate, intervene, report
from .specs import coverage, specs

if TYPE_CHECKING:
    from ..model.diagnostics import Diagnostic
    from ..model.procedure import Procedure
    from ..runs.lifecycle import OpenRun, RunPlan, RunResult
    from ..runs.project import Project


@click.group(
    name="lw",
    cls=Group,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="lw")
@click.pass_context
def lw(ctx: click.Context) -> None:
    """The program; the help of everything here stands in `ui/*.toml`."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


# ---- what commands are given -----------------------------------------------------------------------------------------

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def _together(*options: _Decorator) -> _Decorator:
    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


_spec = click.argument("spec", metavar="SPEC")
_folder = click.argument("folder", metavar="RUN")
_case = _together(
    click.option("--case", metavar="FILE[#N]", default=""),
    click.option("--binding", metavar="NAME|FILE", default=""),
    click.option("--target", metavar="ROLE", default=""),
    click.option("--option", "options", metavar="NAME=VALUE", multiple=True),
    click.option("--set", "fields", metavar="FIELD=VALUE", multiple=True),
    click.option("--profile", metavar="NAME", default=""),
    click.option("--seed", metavar="N", type=int, default=0),
)
_models = click.option("--model", "models", metavar="[ROLE=]NAME", multiple=True)
_tools = click.option("--tools", "tools", metavar="[ROLE=]native|text", multiple=True)
_out = click.option("--out", metavar="DIR", default="")
_skip = click.option("--skip", metavar="STAGE[/PHASE]", multiple=True)
_until = click.option("--until", metavar="PLACE", default="")
_as_json = click.option("--json", "as_json", is_flag=True)
_live = _together(
    click.option("--deadline", metavar="SECONDS", type=float, default=600.0, callback=positive),
    click.option("--follow", is_flag=True),
    _as_json,
)
_seen_from = _together(
    click.option("--as", "role", metavar="ROLE", required=True),
    click.option("--at", "until", metavar="PLACE", required=True),
)


def _pairs(words: tuple[str, ...], option: str, as_json: bool) -> dict[str, str]:
    """NAME=VALUE words as a mapping; a word without = ends the command."""
    from ..language import diagnose
    from ..runs.journal import clean

    wrong = tuple(diagnose.missing_equals_sign(option, word=word, option=option) for word in words if "=" not in word)
    if wrong:
        leave(wrong, None, as_json)
    return {name.strip(): value.strip() for name, _, value in (clean(word).partition("=") for word in words)}


def _project(word: str, as_json: bool = False) -> Project:
    """The procedure that was named; a command ends here when it cannot be used. Warnings are counted and passed."""
    from ..model.diagnostics import Diagnostic
    from ..runs.project import open_project

    project = open_project(word, path_of().absolute())
    if isinstance(project, Diagnostic):
        leave((project,), None, as_json)
    if project.procedure is None:
        leave(project.problems, project, as_json)
    if project.problems and not as_json:
        click.echo(tell("spec_warned", warnings=len(project.problems), spec=word), err=True)
    return project


def _plan(spec: str, given: dict[str, Any], place: str = "--until") -> RunPlan:
    """The plan of a run from a command's options; the command ends here when something is wrong with them."""
    from ..language import diagnose
    from ..runs.lifecycle import RunPlan
    from ..runs.project import (
        as_profile,
        chosen_models,
        chosen_options,
        chosen_target,
        chosen_tools,
        known_parts,
        known_place,
        open_case,
    )

    as_json = given.get("as_json", False)
    project = _project(spec, as_json)
    procedure = project.procedure
    assert procedure is not None
    options, problems = chosen_options(procedure, _pairs(given["options"], "--option", as_json))
    target, more = chosen_target(procedure, given["target"])
    problems += more
    models, more = chosen_models(procedure, target, given.get("models", ()))
    problems += more
    tools, more = chosen_tools(procedure, target, given.get("tools", ()))
    problems += more
    if given.get("until"):
        problems += known_place(procedure, given["until"], place)
    skip = tuple(dict.fromkeys(given.get("skip", ())))
    problems += known_parts(procedure, skip, "--skip")
    word = given["case"] or procedure.example
    if not word:
        problems += (diagnose.missing_case("--case", spec=spec),)
    if problems:
        leave(problems, project, as_json)
    matter = open_case(project, word, given["binding"], _pairs(given["fields"], "--set", as_json), path_of().absolute())
    if isinstance(matter, tuple):
        leave(matter, project, as_json)
    matter = as_profile(project, matter, given.get("profile", ""))
    if isinstance(matter, tuple):
        leave(matter, project, as_json)
    if matter.problems and not as_json:
        complain(matter.problems, project)
    out = path_of(given["out"]) if given.get("out") else None
    return RunPlan(project, matter, target, models, options, given["seed"], given.get("until", ""), out, tools, skip)


def _opened(folder: str, as_json: bool = False) -> OpenRun:
    """A run folder, read with its own copies."""
    from ..runs.lifecycle import open_run

    opened = open_run(path_of(folder))
    if isinstance(opened, tuple):
        leave(opened, None, as_json)
    return opened


# ---- runs ------------------------------------------------------------------------------------------------------------


@lw.command()
@_spec
@_case
@_models
@_tools
@_skip
@_until
@_out
@_live
def run(spec: str, **given: Any) -> None:
    from ..runs import lifecycle
    from ..runs.progress import Progress

    plan = _plan(spec, given)
    assert plan.project.procedure is not None
    with Progress(plan.project.procedure, plan.models, given["as_json"], given["follow"]) as progress:
        result = lifecycle.start(plan, progress, given["deadline"], listen=progress.listen)
    _report(result, plan.project.procedure, given["as_json"], progress.cost)


@lw.command()
@_folder
@_until
@_live
def resume(folder: str, until: str, deadline: float, follow: bool, as_json: bool) -> None:
    from ..runs import lifecycle
    from ..runs.progress import Progress
    from ..runs.project import known_place

    opened = _opened(folder, as_json)
    if until and (problems := known_place(opened.procedure, until, "--until")):
        leave(problems, None, as_json)
    over = lifecycle.ended(opened)
    if over and not as_json:
        click.echo(tell("nothing_to_do"), err=True)
    with Progress(opened.procedure, opened.folder.info.models, as_json or over, follow) as progress:
        result = lifecycle.resume(path_of(folder), progress, until, deadline, listen=progress.listen)
    _report(result, opened.procedure, as_json, progress.cost)


@lw.command()
@_folder
@_as_json
def replay(folder: str, as_json: bool) -> None:
    from ..runs import lifecycle
    from ..runs.journal import AnswerLine, load

    result = lifecycle.replay(path_of(folder))
    if isinstance(result, tuple):
        leave(result, None, as_json)
    if as_json:
        _report(result, None, True)
    lines = load(path_of(folder) / "journal.jsonl").lines
    answers = sum(isinstance(line, AnswerLine) for line in lines)
    click.echo(tell("replay_good", events=len(lines) - answers, answers=answers))


@lw.command()
@_folder
@click.option("--at", metavar="PLACE", required=True)
@click.option("--replace", metavar="DOCUMENT[@SIDE]=FILE", required=True)
@_models
@_out
@_live
def fork(folder: str, at: str, replace: str, models: tuple[str, ...], out: str, **given: Any) -> None:
    from ..language import diagnose
    from ..runs import lifecycle
    from ..runs.progress import Progress
    from ..runs.project import chosen_models, known_place

    as_json = given["as_json"]
    opened = _opened(folder, as_json)
    ((name, file),) = _pairs((replace,), "--replace", as_json).items()
    document, _, side = name.partition("@")
    chosen, problems = chosen_models(opened.procedure, opened.folder.info.target, models)
    problems += known_place(opened.procedure, at, "--at")
    text = lifecycle.document(path_of(file))
    if text is None:
        problems += (diagnose.unreadable_file(file, file=file),)
    if problems or text is None:
        leave(problems, None, as_json)
    change = lifecycle.Replacement(at, document, side, text)
    made = lifecycle.fork(path_of(folder), change, path_of(out) if out else None, chosen if models else None)
    if isinstance(made, tuple):
        leave(made, None, as_json)
    if not as_json:
        title = opened.procedure.documents[document].title
        click.echo(tell("forked", parent=folder, place=at, title=title), err=True)
    players = chosen if models else opened.folder.info.models
    with Progress(opened.procedure, players, as_json, given["follow"]) as progress:
        result = lifecycle.resume(made, progress, "", given["deadline"], listen=progress.listen)
    _report(result, opened.procedure, as_json, progress.cost)


def _report(
    result: RunResult | tuple[Diagnostic, ...], procedure: Procedure | None, as_json: bool, cost: float = 0.0
) -> NoReturn:
    """How a run stands, and the command's exit."""
    if isinstance(result, tuple):
        leave(result, None, as_json)
    if as_json:
        from ..language import diagnostics

        write_json(
            {
                "run": str(result.folder),
                "status": result.status,
                "outcome": result.outcome,
                "place": result.place,
                "turns": result.turns,
                "tokens": result.tokens,
                "documents": list(result.documents),
                "violations": result.violations,
                "citations": {name: getattr(result.cited, name) for name in ("all", "wrong", "unknown")},
                "problems": diagnostics.as_json(result.problems, locale()),
            }
        )
    else:
        from ..runs.show.turns import report

        if result.problems:
            complain(result.problems)
        click.echo(report(result, procedure, cost, locale()))
    sys.exit({"ended": DONE, "paused": DONE, "stopped": STOPPED, "interrupted": INTERRUPTED}[result.status])


# ---- looking ---------------------------------------------------------------------------------------------------------


def _scores(opened: OpenRun, as_json: bool) -> None:
    """Every score of a run: what it is for, why, and the turns that it rests on."""
    from ..evaluation.evaluate import all_kept
    from ..evaluation.report_output import explained
    from ..evaluation.run_store import said_in
    from ..language import diagnose
    from ..model.diagnostics import Diagnostic

    path = opened.folder.path
    kept = list(all_kept(path))
    found = [one for one in kept if not isinstance(one, Diagnostic)]
    wrong = tuple(one for one in kept if isinstance(one, Diagnostic))
    if not found:
        leave(wrong or (diagnose.unscored_run(str(path)),), None, as_json)
    if wrong and not as_json:
        complain(wrong)
    if as_json:
        write_json({"evaluations": [one.model_dump(mode="json") for one in found]})
    else:
        texts = said_in(path)
        click.echo("\n\n".join("\n".join(explained(one, texts, locale())) for one in found))


@lw.command()
@_folder
@click.option("--turn", metavar="N", type=int, default=0)
@click.option("--prompt", is_flag=True)
@click.option("--view", "seen", is_flag=True)
@click.option("--tokens", is_flag=True)
@click.option("--violations", is_flag=True)
@click.option("--memory", metavar="PERSON", default="")
@click.option("--at", metavar="STAGE", default="")
@click.option("--tools", is_flag=True)
@click.option("--citations", is_flag=True)
@click.option("--pairs", is_flag=True)
@click.option("--scores", is_flag=True)
@_as_json
def show(folder: str, turn: int, memory: str, at: str, as_json: bool, **which: bool) -> None:
    from ..runs.show import data, turns
    from ..runs.show import memory as recalling
    from ..wording.columns import columns

    opened = _opened(folder)
    prompt, seen = which["prompt"], which["seen"]
    if memory:
        kept = recalling.as_json(opened, memory, at) if as_json else recalling.memory(opened, memory, at, locale())
        if isinstance(kept, str):
            click.echo(kept)
        elif isinstance(kept, dict):
            write_json(kept)
        else:
            leave((kept,), None, as_json)
    elif which["citations"]:
        if as_json:
            write_json(turns.cited(opened))
        else:
            click.echo(turns.citations(opened, locale()))
    elif which["scores"]:
        _scores(opened, as_json)
    elif which["pairs"]:
        for pair in data.pairs(opened):
            write_json(pair)
    elif which["tools"]:
        write_json(data.tools(opened)) if as_json else click.echo(recalling.tools(opened, locale()))
    elif which["tokens"]:
        write_json(turns.shares(opened)) if as_json else click.echo(turns.tokens(opened, locale()))
    elif which["violations"]:
        write_json(data.violations(opened)) if as_json else click.echo(turns.violations(opened, locale()))
    elif turn or prompt or seen:
        how = {"prompt": prompt, "view": seen}
        found = data.turn(opened, turn or 1, **how) if as_json else ""
        found = found or turns.turn(opened, turn or 1, **how, locale=locale())
        if isinstance(found, str):
            click.echo(found)
        elif isinstance(found, dict):
            write_json(found)
        else:
            leave((found,), None, as_json)
    elif as_json:
        write_json(data.turns(opened))
    else:
        click.echo(turns.turns(opened, locale(), columns()))


@lw.command()
@_spec
@_as_json
def check(spec: str, as_json: bool) -> None:
    from ..model.diagnostics import Diagnostic
    from ..runs.project import open_project

    project = open_project(spec, path_of().absolute())
    if isinstance(project, Diagnostic):
        leave((project,), None, as_json)
    errors = sum(problem.severity == "error" for problem in project.problems)
    counts = {"errors": errors, "warnings": len(project.problems) - errors}
    if project.problems or as_json:
        complain(project.problems, project, as_json)
    if errors or project.procedure is None:
        if not as_json:
            click.echo("\n" + tell("check_bad", **counts), err=True)
        sys.exit(WRONG)
    if not as_json:
        from ..model.procedure import steps_of

        stages = project.procedure.stages
        steps = sum(1 for stage in stages for _ in steps_of(stage))
        size = {"stages": len(stages), "steps": steps, "templates": len(project.templates.homes)}
        key = "check_warned" if project.problems else "check_good"
        click.echo(tell(key, path=project.path, **size, **counts))


@lw.command()
@_spec
@_seen_from
@_case
def view(spec: str, role: str, **given: Any) -> None:
    from ..runs.show import turns

    plan = _plan(spec, given, "--at")
    text = turns.sight(plan, role, locale())
    if isinstance(text, tuple):
        leave(text, plan.project)
    click.echo(text)


@lw.command()
@_spec
@_seen_from
@_case
def prompt(spec: str, role: str, **given: Any) -> None:
    from ..runs.show import turns

    plan = _plan(spec, given, "--at")
    text = turns.preview(plan, role)
    if isinstance(text, tuple):
        leave(text, plan.project)
    click.echo(text)


@lw.command()
@click.argument("folder", metavar="DIR")
def init(folder: str) -> None:
    from ..files.project_files import init as copy
    from ..model.diagnostics import Diagnostic

    copied = copy(path_of(folder))
    if isinstance(copied, Diagnostic):
        leave((copied,))
    click.echo(tell("init_done", written=len(copied.written), same=len(copied.same), path=folder))
    if copied.kept:
        click.echo(tell("init_kept", files="\n".join(f"  {name}" for name in copied.kept)))


@lw.command()
def schema() -> None:
    import json

    from ..language.schema import SpecSurface, json_schema

    click.echo(json.dumps(json_schema(SpecSurface), ensure_ascii=False, indent=1))


lw.add_command(export)
lw.add_command(compare)
lw.add_command(law)
lw.add_command(specs)
lw.add_command(coverage)
lw.add_command(parse)
lw.add_command(case_library)
lw.add_command(evaluate)
lw.add_command(report)
lw.add_command(ratings)
lw.add_command(bench)
lw.add_command(intervene)


# ---- the program -----------------------------------------------------------------------------------------------------


def main(words: Sequence[str] | None = None) -> NoReturn:
    """The entry of `lw`: an error that is ours is said in one line; LW_DEBUG=1 shows where."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(_exit_of(words))


def _exit_of(words: Sequence[str] | None) -> int:
    from ..language import diagnose

    try:
        return int(lw.main(words, prog_name="lw", standalone_mode=False) or DONE)
    except click.UsageError as error:
        from .help import misuse

        complain((misuse(error),))
        return WRONG
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:
        if os.environ.get("LW_DEBUG"):
            raise

        complain((diagnose.internal_error("lw", error=f"{type(error).__name__}: {error}"[:300]),))
        return 1
