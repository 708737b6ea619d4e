"""The program `lw`: the group of all commands, its start and its end."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from .. import __version__
from ..language import diagnose
from .batch import batch
from .documents import compare, dataset, export
from .grader import grader
from .help import Group
from .law import case_library, law
from .output import DONE, INTERRUPTED, WRONG, complain
from .parse import parse
from .ratings import ratings
from .run_list import runs
from .runs import fork, replay, resume, run
from .scores import bench, evaluate, report
from .show import prompt, show, view
from .skills import skills
from .specs import check, coverage, init, schema, specs
from .study import intervene


@click.group(
    name="lw",
    cls=Group,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="lw")
@click.pass_context
def lw(ctx: click.Context) -> None:
    """The program; the help of everything here stands in `wording/*.toml`."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


# In the order in which the help lists them: what one needs first comes first.
COMMANDS = (
    *(run, resume, replay, fork, show, check, view, prompt, init, schema, export, dataset, compare),
    *(law, specs, coverage, parse, case_library, evaluate, report, grader, ratings, batch, runs, bench),
    *(intervene, skills),
)
for _command in COMMANDS:
    lw.add_command(_command)


def main(words: Sequence[str] | None = None) -> NoReturn:
    """The entry of `lw`: an error that is ours is said in one line; LW_DEBUG=1 shows where."""
    gc.set_threshold(50_000, 20, 20)  # syntax trees and events live to the end: looking through them finds nothing
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    sys.exit(_exit_of(words))


def _exit_of(words: Sequence[str] | None) -> int:
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
