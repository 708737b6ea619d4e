"""The keys in `.env` of a project's folder. Only names are ever told; what the environment has already comes first.

Of all that a file may set only keys are taken, so that a folder from elsewhere cannot lead keys of this machine to
another address, or change how programs start.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Final

from ...files.project_files import Disk
from ...language import diagnose
from ...model.diagnostics import Diagnostic
from ...model.source import Span

FILE: Final = ".env"
CAP: Final = 1 << 16  # bytes
_KEY: Final = re.compile(r"[A-Z][A-Z0-9_]*_API_KEY")


def take_keys(root: Path, named: Collection[str], cwd: Path) -> tuple[Diagnostic, ...]:
    """Put the keys of a project's `.env` into the environment: those of providers, and those that are `named`.

    Return what is odd about the file; a line is told by its number alone.
    """
    disk = Disk(root, cap=CAP)
    text = disk.read(FILE)
    if text is None:
        return disk.problems
    problems = []
    shown = disk.shown(FILE, cwd)
    for line, name, value in _bindings(text):
        if name is None:
            problems.append(diagnose.unreadable_env_line(Span(shown, line, 1)))
        elif value and name not in os.environ and (name in named or _KEY.fullmatch(name)):
            os.environ[name] = value
    return tuple(problems)


def _bindings(text: str) -> Iterator[tuple[int, str | None, str]]:
    """Line, name and value of each assignment; a line that is none has no name."""
    from dotenv.parser import parse_stream  # no references are followed, and nothing is logged

    for found in parse_stream(io.StringIO(text.removeprefix("\ufeff"))):
        sound = found.key is not None and not found.error
        value = found.value or ""
        if found.error or (sound and not _usable(value)):
            yield found.original.line, None, ""
        elif sound:
            yield found.original.line, found.key, value.strip()


def _usable(value: str) -> bool:
    """Whether a value can stand in the environment."""
    return "\0" not in value and not any("\ud800" <= sign <= "\udfff" for sign in value)
