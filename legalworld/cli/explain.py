"""`lw explain`: what a diagnostic means and how what it names is mended."""

from __future__ import annotations

import click

from ..wording import locale
from . import options
from .help import Command
from .output import leave, wants_json, write_json


@click.command(cls=Command)
@click.argument("word", metavar="LWnnn")
@options.as_json
def explain(word: str) -> None:
    from ..wording.diagnostics import catalogue

    if word.upper() not in catalogue():
        _no_code(word)
    _code(word.upper())


def _code(code: str) -> None:
    """A diagnostic's sentence and its repair; what is filled in stands between brackets."""
    from ..wording.diagnostics import explanation

    found = explanation(code, locale())
    if wants_json():
        write_json(found)
    else:
        click.echo("\n".join(filter(None, (f"{code} {found['message']}", found["help"]))))


def _no_code(word: str) -> None:
    from ..language import diagnose
    from ..wording.diagnostics import catalogue

    leave((diagnose.unknown_code("lw explain", name=word, among=tuple(catalogue())),))
