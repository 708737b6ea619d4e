"""What is told of a procedure beside what its project says: its example, its tests, a strict check."""

from __future__ import annotations

from pathlib import Path

from ..checking.strict import strict
from ..files.project_files import Disk, find, find_root
from ..model.diagnostics import Diagnostic
from ..runs.case_file import open_case
from ..runs.project import Problems, Project, located
from .find_tests import open_tests, tests_of_procedure


def example_problems(project: Project, cwd: Path) -> Problems:
    """Why the example of a procedure is no case of it; nothing where it names none."""
    case = open_case(project, project.example, "", {}, cwd) if project.example else ()
    return case if isinstance(case, tuple) else ()


def strict_problems(project: Project, cwd: Path) -> Problems:
    """What a strict check tells of a procedure beside the others."""
    if project.procedure is None:
        return ()
    return located(strict(project.procedure), Disk(find_root(cwd)), cwd)


def tests_problems(word: str, cwd: Path, project: Project) -> Problems:
    """What is wrong with the tests of a procedure, in its file and beside it: they name what is not there. `project`:
    what was opened by this word."""
    place = find("specs", word, cwd)
    if isinstance(place, Diagnostic):
        return ()
    known = (place[0], project)
    return tuple(problem for file in tests_of_procedure(*place) for problem in of_tests(file, cwd, known))


def of_tests(file: Path, cwd: Path, known: tuple[Disk, Project] | None = None) -> Problems:
    """What is wrong with the tests in a file; `known`: the project of their procedure, where it is open."""
    opened = open_tests(file, cwd, known)
    return opened if isinstance(opened, tuple) else opened.warnings
