"""What commands say to the user: sentences, problems, JSON - and the codes by which they end."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ..wording import locale, say

if TYPE_CHECKING:
    from pathlib import Path

    from ..model.diagnostics import Diagnostic
    from ..runs.project import Project

DONE, WRONG, STOPPED, INTERRUPTED = 0, 2, 3, 130


def path_of(word: str = ".") -> Path:
    """A word of the command line as a path. Help does without pathlib, which takes a sixth of its time to import."""
    from pathlib import Path

    return Path(word)


def save(path: str, data: bytes, as_json: bool = False) -> None:
    """A file that was asked for, whole or not at all; the command ends here where it cannot be written."""
    from ..files.project_files import write_whole
    from ..language import diagnose

    try:
        write_whole(path_of(path), data)
    except OSError as error:
        leave(
            (diagnose.unwritable_file(path, path=path, reason=error.strerror or type(error).__name__),), None, as_json
        )


def tell(key: str, **values: object) -> str:
    """One sentence in the user's language."""
    return say(locale(), "run", key, **values)


def complain(problems: tuple[Diagnostic, ...], project: Project | None = None, as_json: bool = False) -> None:
    """Show problems: as text on the error stream, or as JSON on the output."""
    from ..language import diagnostics

    if as_json:
        errors = sum(problem.severity == "error" for problem in problems)
        counts = {"errors": errors, "warnings": len(problems) - errors}
        write_json({**counts, "problems": diagnostics.as_json(problems, locale())})
        return

    def text_of(path: str) -> str | None:
        try:
            return path_of(path).read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return project.sources.read(path) if project is not None else None

    click.echo(diagnostics.render(problems, text_of, locale()), err=True, nl=False)


def leave(problems: tuple[Diagnostic, ...], project: Project | None = None, as_json: bool = False) -> NoReturn:
    """Show problems and end the command."""
    complain(problems, project, as_json)
    sys.exit(WRONG)


def write_json(value: dict[str, Any]) -> None:
    """One JSON object on the output."""
    import json

    click.echo(json.dumps(value, ensure_ascii=False))
