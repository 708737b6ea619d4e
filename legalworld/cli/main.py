"""The program `lw`: the group of all commands, its start and its end."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn

import click

from ..language import diagnose
from ..language.extras import lacking_extra
from ..model.version import __version__
from .help import Group, short_help
from .output import DONE, INTERRUPTED, WRONG, complain

# Command -> the module that holds it and its function, in the order in which the help lists them: what one needs first
# comes first. A command's module is imported when it is called.
COMMANDS = {
    "run": ("runs", "run"),
    "resume": ("runs", "resume"),
    "replay": ("runs", "replay"),
    "fork": ("runs", "fork"),
    "show": ("show", "show"),
    "check": ("specs", "check"),
    "explain": ("explain", "explain"),
    "graph": ("graph", "graph"),
    "fmt": ("format", "fmt"),
    "rename": ("rename", "rename"),
    "diff": ("diff", "diff"),
    "view": ("show", "view"),
    "prompt": ("show", "prompt"),
    "watch": ("watch", "watch"),
    "lsp": ("lsp", "lsp"),
    "snapshot": ("snapshots", "snapshot"),
    "test": ("tests", "test"),
    "impact": ("impact", "impact"),
    "init": ("specs", "init"),
    "schema": ("specs", "schema"),
    "export": ("documents", "export"),
    "dataset": ("documents", "dataset"),
    "archive": ("archive", "archive"),
    "traces": ("traces", "traces"),
    "compare": ("documents", "compare"),
    "law": ("law", "law"),
    "specs": ("specs", "specs"),
    "coverage": ("specs", "coverage"),
    "parse": ("parse", "parse"),
    "case-library": ("law", "case_library"),
    "audit": ("audit", "audit"),
    "norms": ("norms", "norms"),
    "eval": ("scores", "evaluate"),
    "report": ("scores", "report"),
    "grader": ("grader", "grader"),
    "ratings": ("ratings", "ratings"),
    "batch": ("batch", "batch"),
    "cost": ("cost", "cost"),
    "models": ("models", "models"),
    "runs": ("run_list", "runs"),
    "studio": ("studio", "studio"),
    "publish": ("studio", "publish"),
    "bench": ("scores", "bench"),
    "study": ("studies", "study"),
    "intervene": ("study", "intervene"),
    "skills": ("skills", "skills"),
    "corpus": ("corpus", "corpus"),
}


class Program(Group):
    """All commands; each is imported when it is called, so that no command waits for the libraries of the others."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module, function = COMMANDS[name]
        command: click.Command = getattr(import_module(f".{module}", __package__), function)
        return command

    def short_helps(self, ctx: click.Context) -> list[tuple[str, str]]:
        return [(name, short_help(function)) for name, (_, function) in COMMANDS.items()]


@click.group(
    name="lw",
    cls=Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)
@click.version_option(__version__, prog_name="lw")
@click.pass_context
def lw(ctx: click.Context) -> None:
    """The program; the help of everything here stands in `wording/*.toml`."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


def main(words: Sequence[str] | None = None) -> NoReturn:
    """The entry of `lw`: an error that is ours is said in one line; LW_DEBUG=1 shows where."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    output = _Output.in_place()
    code = _exit_of(words)
    sys.exit(code if output is None else output.finished(code))


class _Output(io.FileIO):
    """The standard output, where no room on a disk ends no command: what it did is done, and the rest is told last."""

    failed: OSError | None = None

    @classmethod
    def in_place(cls) -> _Output | None:
        """This process's output from now on; None where it is none of the system's."""
        if sys.stdout is not sys.__stdout__ or not isinstance(sys.stdout, io.TextIOWrapper):
            return None
        output = cls(sys.stdout.fileno(), "wb", closefd=False)
        lines = sys.stdout.line_buffering
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(output), encoding="utf-8", errors="backslashreplace", line_buffering=lines
        )
        return output

    def write(self, data: Any, /) -> int:
        if self.failed is None:
            try:
                return super().write(data) or 0
            except BrokenPipeError:
                raise
            except OSError as error:
                self.failed = error
        return memoryview(data).nbytes

    def finished(self, code: int) -> int:
        """The code by which the command ends when all of its output is written, or could not be."""
        try:
            sys.stdout.flush()
        except BrokenPipeError:
            _to_nobody()
        if self.failed is None:
            return code
        complain((diagnose.unwritable_output("lw", reason=self.failed.strerror or str(self.failed)),))
        return code or WRONG


def _to_nobody() -> None:
    """Write what is left to where nobody reads it: who read it has gone."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _exit_of(words: Sequence[str] | None) -> int:
    try:
        return int(lw.main(words, prog_name="lw", standalone_mode=False) or DONE)
    except SystemExit as left:
        if type(sys.stdout).__name__.endswith(
            "PacifyFlushWrapper"
        ):  # click's word for a pipe that nobody reads any more
            _to_nobody()
            return DONE
        return left.code if isinstance(left.code, int) else DONE
    except click.UsageError as error:
        from .help import misuse

        complain((misuse(error),))
        return WRONG
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _to_nobody()
        return DONE
    except Exception as error:
        if isinstance(error, ExceptionGroup) and error.split(BrokenPipeError)[1] is None:
            _to_nobody()
            return DONE
        if os.environ.get("LW_DEBUG"):
            raise
        if (lacking := lacking_extra(error)) is not None:
            complain((lacking,))
            return WRONG
        if isinstance(error, OSError) and error.errno is not None:  # of the disk, and none of ours
            from ..files.project_files import unreadable

            complain((unreadable(str(error.filename or "lw"), error),))
            return WRONG
        complain((diagnose.internal_error("lw", error=f"{type(error).__name__}: {error}"[:300]),))
        return 1
