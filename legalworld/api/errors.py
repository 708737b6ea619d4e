"""Errors of the door: exceptions that carry problems, each with its place and its repair, worded in two languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from ..files import regular
from ..language.charset import decoded
from ..model.diagnostics import Diagnostic
from ..runs.project import Problems
from ..wording import Locale, locale
from ..wording.diagnostics import render

MOST_SHOWN: Final = 32 << 20
"""Bytes of a file whose lines are shown."""

_ARGUMENTS: Final[Mapping[str, str]] = {
    **{"--model": "actors", "--set-model": "settings", "--set": "fields"},
    **{"--option": "options", "--answer": "answers", "--price": "prices"},
}
"""What the arguments of the door are called, where not as the options of the command line."""

ValueT = TypeVar("ValueT")


class LegalWorldError(Exception):
    """What was asked for cannot be done; `problems` say where, why, and how to mend it.

    `str(error)` words them in the language of the user's terminal, `error.render("zh")` in a given one.
    """

    def __init__(self, problems: Problems, home: Path | None = None) -> None:
        """`home`: the folder from which the files of the problems are named."""
        super().__init__(*(problem.code for problem in problems))
        self.problems = problems
        self._home = home or Path.cwd()

    def render(self, language: Locale | None = None) -> str:
        """All problems as people read them, each with the line of its file."""
        return worded(self.problems, language, home=self._home)

    def __str__(self) -> str:
        return self.render()


def worded(problems: Problems, language: Locale | None = None, *, home: Path | None = None) -> str:
    """Problems as people read them, each with its place, its line and its repair; "" for none.

    `language`: `zh` or `en`, that of the user's terminal where none is said; `home`: from where files are named.
    """
    text_of = partial(source_text, home=home or Path.cwd())
    return render(problems, text_of, language or locale()).rstrip("\n")


def source_text(path: str, home: Path) -> str | None:
    """The text of a file that a problem points to; None where it cannot be shown."""
    try:
        return decoded(regular.content(home / path, most=MOST_SHOWN)).text
    except (OSError, ValueError):
        return None


def got(value: ValueT | Diagnostic | Problems, home: Path | None = None) -> ValueT:
    """The value, which is no tuple itself. Raises LegalWorldError where there are problems in its place."""
    if isinstance(value, Diagnostic):
        raise LegalWorldError(in_python((value,)), home)
    if isinstance(value, tuple):
        raise LegalWorldError(in_python(value), home)
    return value


def in_python(problems: Problems) -> Problems:
    """Problems of options as problems of the arguments that stand for them: `--until` is `until`."""
    return tuple(replace(one, span=replace(one.span, file=_argument(one.span.file))) for one in problems)


def _argument(place: str) -> str:
    if not place.startswith("--"):
        return place
    return _ARGUMENTS.get(place, place.removeprefix("--").replace("-", "_"))
