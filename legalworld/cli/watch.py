"""`lw watch`: what a role is sent at a place, again whenever a file is saved, with what has changed in it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..language import diagnose
from ..wording import say
from . import options
from .help import Command
from .inputs import project_of
from .output import here, leave, path_of, warn
from .runs import plan_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..authoring.watch import Mark

_COLOURS = {"+": "green", "-": "red"}


@click.command(cls=Command)
@options.spec
@options.place
@options.case
@click.option("--priced", metavar="MODEL", default="")
def watch(spec: str, role: str, priced: str, **given: Any) -> None:
    from ..authoring.watch import marked, saved, stamps

    root = _root_of(spec)
    known = stamps(root)  # before the first look: what is saved meanwhile is seen
    shown = _looked(spec, role, given)
    if shown is not None:
        click.echo(shown)
        click.echo(_cost(shown, "", priced))
    click.echo(say("watch.waiting", folder=str(root)), err=True)
    for files in saved(root, known):
        click.echo("\n" + say("watch.saved", files=", ".join(files[:5]), count=len(files)))
        now = _looked(spec, role, given)
        if now is None:
            continue
        if now == shown:
            click.echo(say("watch.same"))
        else:
            for line in _lines(marked(shown or "", now)):
                click.echo(line)
        click.echo(_cost(now, shown or "", priced))
        shown = now


def _root_of(spec: str) -> Path:
    """The folder of the project whose files are watched; the command ends here where there is none."""
    from ..files.project_files import find_root

    file = path_of(spec)
    root = find_root(file.absolute().parent if file.is_file() else here())
    if root is None:
        leave((diagnose.nothing_to_watch(spec, path=str(here())),))
    return root


def _looked(spec: str, role: str, given: dict[str, Any]) -> str | None:
    """What the role is sent; None, and what is wrong is told, where a file has errors or the place is not come to."""
    from ..runs.show.preview import for_any_target, preview

    try:
        warn(project_of(spec).problems)
        plan = plan_of(spec, dict(given), "--at")
        found, _ = (preview(plan, role), "") if given.get("target") else for_any_target(preview, plan, role)
        if not isinstance(found, str):
            leave(found, plan.project)
    except SystemExit:
        return None
    return found


def _lines(pieces: Iterator[tuple[Mark, str]]) -> Iterator[str]:
    for mark, line in pieces:
        text = say("watch.unchanged", count=line) if mark == "…" else f"{mark} {line}"
        yield click.style(text, fg=_COLOURS.get(mark), dim=mark == "…")


def _cost(now: str, before: str, model: str) -> str:
    """How long the prompt is, how much longer than before, and what that costs."""
    from ..models.prices import likely_tokens, price_of

    tokens, then = likely_tokens(now), likely_tokens(before)
    told = say("watch.tokens", tokens=round(tokens))
    if before:
        told += say("watch.more", more=f"{round(tokens) - round(then):+d}")
    if model:
        price = price_of(model)
        dollars = "" if price is None else f"{price.of(round(tokens), 0, 0):.6f}"
        told += say("watch.dollars", model=model, dollars=dollars) if dollars else say("watch.unpriced", model=model)
    return told
