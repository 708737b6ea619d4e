"""What commands write: a result as text or JSON, problems, and the codes by which they end."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeVar

import click

from ..wording import locale

if TYPE_CHECKING:
    from pathlib import Path

    from ..model.diagnostics import Diagnostic
    from ..runs.project import Project

DONE, WRONG, STOPPED, ODD, INTERRUPTED = 0, 2, 3, 4, 130
JSON = "legalworld.json"  # where the context of a command notes that it was asked for JSON
READS = "legalworld.reads"  # where it notes which procedure it reads, from where

ValueT = TypeVar("ValueT")
_SHOWN_FILE: Final = 32 << 20  # bytes of a file whose lines are shown


def path_of(word: str = ".") -> Path:
    """A word of the command line as a path. Help does without pathlib, which takes a sixth of its time to import."""
    from pathlib import Path

    return Path(word)


def here() -> Path:
    """The folder in which the command was typed, from the root."""
    return path_of().absolute()


def wants_json() -> bool:
    """Whether the command that runs was asked for JSON."""
    context = click.get_current_context(silent=True)
    return context is not None and context.meta.get(JSON, False)


def write_json(value: Any) -> None:
    """One JSON value on a line of the output. An object also says which procedure was read, from where."""
    context = click.get_current_context(silent=True)
    if isinstance(value, dict) and context is not None and READS in context.meta:
        value = {**value, "reads": context.meta[READS]}
    click.echo(json_line(value))


def json_line(value: Any) -> str:
    """A value as JSON on one line; what a terminal obeys, or nobody sees, is escaped."""
    import json
    from unicodedata import category

    text = json.dumps(value, ensure_ascii=False)
    hidden = {sign for sign in set(text) if not sign.isprintable() and category(sign) != "Zs"} if text else set()
    return text.translate({ord(sign): json.dumps(sign)[1:-1] for sign in hidden}) if hidden else text


def complain(problems: Sequence[Diagnostic], project: Project | None = None) -> None:
    """Show problems as text on the error stream, each with its line of the source."""
    if not problems:
        return
    from ..wording import diagnostics

    def text_of(path: str) -> str | None:
        from ..files import regular
        from ..language.charset import decoded

        try:
            return decoded(regular.content(path_of(path), most=_SHOWN_FILE)).text
        except regular.Irregular:
            return None
        except (OSError, ValueError):
            return project.sources.read(path) if project is not None else None

    click.echo(diagnostics.render(problems, text_of, locale()), err=True, nl=False)


def remark(text: str) -> None:
    """A line on the error stream about what goes on; nothing where JSON was asked for."""
    if not wants_json():
        click.echo(text, err=True)


def warn(problems: Sequence[Diagnostic], project: Project | None = None) -> None:
    """Show problems that do not end the command; nothing where JSON was asked for."""
    if not wants_json():
        complain(problems, project)


def as_json(problems: Sequence[Diagnostic]) -> list[dict[str, object]]:
    """Problems as JSON has them."""
    from ..wording import diagnostics

    return diagnostics.as_json(problems, locale())


def counted(problems: Sequence[Diagnostic]) -> dict[str, Any]:
    """Problems as JSON, headed by how many of them are errors and warnings."""
    errors = sum(problem.severity == "error" for problem in problems)
    return {"errors": errors, "warnings": len(problems) - errors, "problems": as_json(problems)}


def leave(problems: Sequence[Diagnostic], project: Project | None = None) -> NoReturn:
    """Show problems, as JSON where that was asked for, and end the command."""
    if wants_json():
        write_json(counted(problems))
    else:
        complain(problems, project)
    sys.exit(WRONG)


def got(value: ValueT | Diagnostic | tuple[Diagnostic, ...], project: Project | None = None) -> ValueT:
    """The value, which is no tuple itself; the command ends here where there are problems in its place."""
    from ..model.diagnostics import Diagnostic

    if isinstance(value, Diagnostic):
        leave((value,), project)
    if isinstance(value, tuple):
        leave(value, project)
    return value


def code_of(problems: Sequence[Diagnostic]) -> int:
    """The code by which a command ends that did what it could: whether any problem is an error."""
    return WRONG if any(problem.severity == "error" for problem in problems) else DONE


def tell_damaged(count: int) -> None:
    """Say how many runs were left out because they are not what was written."""
    if count:
        from ..wording import say

        remark(say("run.damaged", count=count))


def save(path: str, data: bytes | Iterable[bytes]) -> None:
    """A file that was asked for, whole or not at all; `-` is the output, and a device is written to. The command ends
    here where it cannot be written."""
    from ..files import regular
    from ..files.project_files import unreadable
    from ..language import diagnose

    try:
        regular.write_named(path_of("/dev/stdout" if path == "-" else path), data)
    except BrokenPipeError:
        raise
    except regular.Irregular as error:
        leave((unreadable(path, error),))
    except OSError as error:
        leave((diagnose.unwritable_file(path, path=path, reason=error.strerror or type(error).__name__),))


def written(files: Iterable[str]) -> None:
    """Name the files that were written, on a line each; what went to the output is not named in it."""
    from ..files.regular import stream_of

    for file in files:
        if file != "-" and stream_of(file) is None:
            click.echo(file)
