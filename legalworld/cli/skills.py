"""`lw skills`: cards that the role under test writes after its runs: grown, listed, tried on other cases."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from ..language import diagnose
from ..wording import locale, say
from . import options
from .batch_progress import BatchProgress
from .help import Command, Group
from .inputs import project_of, rubric_for_procedure, rubric_of
from .output import (
    DONE,
    INTERRUPTED,
    STOPPED,
    WRONG,
    as_json,
    code_of,
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

if TYPE_CHECKING:
    from ..model.diagnostics import Diagnostic
    from ..skills.grow import Growth


@click.group(cls=Group)
def skills() -> None:
    """Cards that grow; the help stands in `wording/*.toml`."""


_grader = click.option("--grader", metavar="NAME", default="offline")


@skills.command(name="grow", cls=Command)
@options.spec
@click.option("--card", metavar="NAME", required=True)
@options.cases
@options.binding
@options.models
@options.settings
@options.target
@click.option("--reflect", "reflector", metavar="NAME", default="")
@options.chosen
@options.seeds
@options.rubric
@click.option("--figure", metavar="NAME", default="")
@_grader
@click.option("--by", metavar="FIELD", default="")
@options.needed_out
@options.at_once
@options.deadline
@options.as_json
def skills_grow(spec: str, rubric: str, out: str, at_once: int, deadline: float, **given: Any) -> None:
    from ..skills.grow import Growth, grow, session_of
    from ..skills.report import grown_json, grown_text

    project = project_of(spec)
    assert project.procedure is not None
    opened = rubric_for_procedure(rubric, project.procedure)
    given["options"] = options.values_of(given["options"])
    asked = got(session_of(project, opened, {"spec": spec, **given}), project)
    growth = Growth(asked, project, opened, path_of(out), at_once, deadline)
    with BatchProgress(quiet=wants_json()) as counting:
        grown = got(grow(growth, counting.result), project)
    warn(grown.problems)
    if wants_json():
        write_json({**grown_json(grown), "problems": as_json(grown.problems)})
    elif not grown.interrupted:
        click.echo(grown_text(grown, locale()))
    _leave(grown.interrupted, grown.problems)


@skills.command(name="list", cls=Command)
@click.argument("places", metavar="[DIR|FILE]...", nargs=-1)
@options.as_json
def skills_list(places: tuple[str, ...]) -> None:
    from ..skills.cards import cards_in
    from ..skills.report import list_text

    cards, problems = cards_in(places, here())
    if wants_json():
        write_json({"cards": [one.row() for one in cards], "problems": as_json(problems)})
    else:
        complain(problems)
        click.echo(list_text(cards, locale()))
    sys.exit(code_of(problems))


@skills.command(name="compare", cls=Command)
@click.argument("folder", metavar="DIR")
@options.listed("--held-out", "FILE[#N],...", required=True)
@options.at_once
@options.deadline
@options.as_json
def skills_compare(folder: str, held_out: tuple[str, ...], at_once: int, deadline: float) -> None:
    from ..skills.compare import compare
    from ..skills.report import grown_text, trial_json, trial_text, write

    growth = _opened(folder, at_once, deadline)
    with BatchProgress(quiet=wants_json()) as counting:
        tried = got(compare(growth, held_out, counting.result), growth.project)
    warn(tried.problems)
    if tried.trial is None and not tried.interrupted:
        click.echo(grown_text(tried.grown, locale()), err=True)
        leave((*tried.problems, diagnose.no_card_grown(folder, path=folder)))
    if tried.trial is not None:
        file = write(tried.trial, growth.out)
        if wants_json():
            write_json({**trial_json(tried.trial), "problems": as_json(tried.problems)})
        else:
            click.echo("\n".join((trial_text(tried.trial, locale()), "", str(file))))
    _leave(tried.interrupted, tried.problems)


def _opened(folder: str, at_once: int, deadline: float) -> Growth:
    """The session of a folder, with the procedure and the rubric that it was begun with."""
    from ..runs.project import spec_copy
    from ..skills.grow import Growth
    from ..skills.session import read_session

    asked = got(read_session(path_of(folder)))
    project = project_of(asked.spec)
    opened = rubric_of(asked.rubric)
    now = {"digest": spec_copy(project).digest, "rubric_digest": opened.rubric.digest}
    different = tuple(key for key, value in now.items() if getattr(asked, key) != value)
    if different:
        leave((diagnose.conflicting_growth_session(folder, path=folder, keys=different),))
    return Growth(asked, project, opened, path_of(folder), at_once, deadline)


def _leave(interrupted: bool, problems: tuple[Diagnostic, ...]) -> None:
    """The end of a command that can be gone on with: stopped by a model, by a person, or done."""
    if interrupted:
        remark(say("skills.go_on"))
        sys.exit(STOPPED if problems else INTERRUPTED)
    sys.exit(WRONG if code_of(problems) else DONE)
