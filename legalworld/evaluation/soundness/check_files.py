"""The files of checks of a project, read once in a process."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from ...files.project_files import Disk
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable
from .definition import CheckFile
from .load import FOLDER, read_checks


@immutable
class CheckFiles:
    """The files of checks of a project, and what is wrong with those that could not be read."""

    files: tuple[CheckFile, ...]
    problems: tuple[Diagnostic, ...]


def check_files(disk: Disk) -> CheckFiles:
    """Every file of checks of a project, in order of name."""
    files: list[CheckFile] = []
    problems: list[Diagnostic] = []
    for path in sorted(disk.names(FOLDER)):
        if not path.endswith((".yaml", ".yml")):
            continue
        found, wrong = read_checks(disk, path)
        problems += wrong
        if found is not None:
            files.append(found)
    return CheckFiles(tuple(files), tuple(problems))


@lru_cache(maxsize=4)
def checks_of(cwd: Path) -> tuple[CheckFile, ...]:
    """The checks of the project in a folder, without those that could not be read."""
    return check_files(Disk(cwd)).files
