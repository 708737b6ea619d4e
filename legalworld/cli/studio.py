"""`lw studio`: runs looked at in a browser, served from this machine. `lw publish`: the same as files."""

from __future__ import annotations

import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path

import click

from ..language import diagnose
from ..wording import Locale, locale, say
from . import options
from .archive import named_runs
from .help import Command
from .output import DONE, WRONG, complain, got, leave, path_of, wants_json, write_json


@click.command(cls=Command)
@click.argument("folder", metavar="[DIR]", default="runs")
@click.option("--port", metavar="N", type=click.IntRange(0, 65535), default=8420)
@click.option("--host", metavar="NAME", default="127.0.0.1")
@click.option("--no-browser", is_flag=True)
@click.option("--renew", is_flag=True)
def studio(folder: str, port: int, host: str, no_browser: bool, renew: bool) -> None:
    from ..studio.serve import BoundStudio, bound, kept_token, served

    root, begin = _root_of(folder)
    place = bound(host, port, kept_token(root, renew=renew))
    if not isinstance(place, BoundStudio):
        leave((place,))
    address = place.address + begin

    def ready() -> None:
        click.echo(say("studio.address", address=address))
        click.echo(say("studio.address_note"), err=True)
        if place.open_:
            click.echo(say("studio.plain_http"), err=True)
        if not no_browser:
            webbrowser.open(address)

    def note(at: str, run: str) -> None:
        click.echo(say("studio.sealed_shown", at=at, run=run), err=True)

    served(root, place, ready, note)


@click.command(cls=Command)
@options.run_folders
@click.option("--out", metavar="DIR", required=True)
@click.option("--prompts", is_flag=True)
@click.option("--names", is_flag=True)
@click.option("--lang", "language", type=click.Choice(["zh", "en"]), default=None)
@options.as_json
def publish(folders: Sequence[str], out: str, prompts: bool, names: bool, language: Locale | None) -> None:
    from ..studio.publish import PublishChoices
    from ..studio.publish import publish as published

    choices = PublishChoices(prompts, names, language or locale(), language is not None)
    site = got(published(named_runs(folders), path_of(out), choices))
    if wants_json():
        problems = [problem.code for problem in site.problems]
        write_json({"out": out, "files": list(site.files), "runs": list(site.runs), "problems": problems})
    else:
        click.echo(say("studio.published", runs=len(site.runs), path=f"{out}/index.html"))
        for left_out in (["prompts"] if not prompts else []) + (["names"] if not names else []):
            click.echo(say(f"studio.left_out_{left_out}"))
        complain(site.problems)
    sys.exit(WRONG if site.problems else DONE)


def _root_of(folder: str) -> tuple[Path, str]:
    """The folder that is listed and the page to begin with; of a single run, the folder around it and its page."""
    path = path_of(folder)
    if not path.is_dir():
        leave((diagnose.no_folder_of_runs(folder, path=folder),))
    if (path / "run.yaml").exists():
        whole = path.resolve()
        from urllib.parse import quote

        return whole.parent, f"run/{quote(whole.name)}"
    return path.absolute(), "runs"
