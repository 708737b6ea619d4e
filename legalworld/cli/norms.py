"""`lw norms`: the norms by which a court decides, with their articles, since when, and whether they were checked."""

from __future__ import annotations

import sys

import click

from ..wording import locale
from . import options
from .help import Command
from .output import as_json, code_of, complain, here, wants_json, write_json


@click.command(cls=Command)
@options.as_json
def norms() -> None:
    from ..files.project_files import Disk, find_root
    from ..runs.norm_list import listed_norms, norms_text

    found, problems = listed_norms(Disk(find_root(here())), here())
    if wants_json():
        write_json({"norms": [one.row() for one in found], "problems": as_json(problems)})
    else:
        complain(problems)
        click.echo(norms_text(found, locale()))
    sys.exit(code_of(problems))
