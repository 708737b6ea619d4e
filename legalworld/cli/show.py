"""`lw show`: a look into a run. `lw view`, `lw prompt`: what a role would see or be sent at a place of a procedure."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from ..wording import say
from . import options
from .help import Command
from .inputs import run_of
from .output import complain, got, leave, remark, wants_json, write_json
from .runs import plan_of

if TYPE_CHECKING:
    from ..runs.show.preview import Show


@click.command(cls=Command)
@options.run_folder
@click.option("--turn", metavar="N", type=int, default=0)
@click.option("--prompt", is_flag=True)
@click.option("--view", is_flag=True)
@click.option("--tokens", is_flag=True)
@click.option("--violations", is_flag=True)
@click.option("--memory", metavar="PERSON", default="")
@click.option("--at", metavar="STAGE", default="")
@click.option("--as", "heard", metavar="PERSON", default="")
@click.option("--tools", is_flag=True)
@click.option("--citations", is_flag=True)
@click.option("--pairs", is_flag=True)
@click.option("--scores", is_flag=True)
@click.option("--checks", is_flag=True)
@click.option("--decision", "record", is_flag=True)
@click.option("--why", metavar="PART", default="")
@options.as_json
def show(folder: str, **given: Any) -> None:
    from ..runs.show.views import ShowRequest
    from .views import VIEWS

    opened = run_of(folder)
    shown = next(view for view in VIEWS if not view.options or any(given[option] for option in view.options))
    names = ("turn", "prompt", "view", "memory", "at", "heard", "why")
    asked = ShowRequest(**{name: given[name] for name in names})
    value, problems = shown.read(opened, asked)
    if value is None:
        leave(problems)
    if shown.text is not None and not wants_json():
        complain(problems)
        click.echo(shown.text(value, opened))
        return
    data = shown.data(value)
    for row in data if isinstance(data, list) else [data]:
        write_json(row)


@click.command(cls=Command)
@options.spec
@options.place
@options.case
def view(spec: str, role: str, **given: Any) -> None:
    from ..runs.show.preview import sight

    _show_at(sight, spec, role, given)


@click.command(cls=Command)
@options.spec
@options.place
@options.case
@click.option("--tools", "tools", metavar="[ROLE=]native|text", multiple=True)
def prompt(spec: str, role: str, **given: Any) -> None:
    from ..runs.show.preview import preview

    _show_at(preview, spec, role, given)


def _show_at(show: Show, spec: str, role: str, given: dict[str, Any]) -> None:
    """Print what a role sees or is sent at a place, for whichever target the case comes there where none is named."""
    from ..runs.show.preview import for_any_target

    named = bool(given.get("target"))
    plan = plan_of(spec, given, "--at")
    shown, target = (show(plan, role), "") if named else for_any_target(show, plan, role)
    if target:
        remark(say("run.other_target", target=target))
    click.echo(got(shown, plan.project))
