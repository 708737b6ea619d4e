"""`lw lsp`: help while typing, for editors that speak the Language Server Protocol."""

from __future__ import annotations

import sys

import click

from .help import Command


@click.command(cls=Command)
def lsp() -> None:
    from ..lsp.server import serve

    sys.exit(serve())
