"""A study opened from disk, and held against the project around it.

opened = open_study("small", Path.cwd())       # an OpenStudy, or the problems
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fnmatch import fnmatch
from functools import cached_property
from pathlib import Path
from typing import Final

from ..evaluation.rubric.definition import Rubric
from ..evaluation.rubric.load import read_rubric
from ..files.project_files import Disk, find, find_root
from ..language.link.linker import link
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, replace
from ..model.procedure import Procedure
from ..models.named.catalogue import open_catalogue
from ..models.scripted import NAMES
from ..runs.project import Problems, located
from ..study.file import Declared, open_interventions
from ..study.interventions import Interventions
from .definition import Study
from .project_check import project_problems
from .read_study import read_study

_WILD: Final = "*?["


class ProjectAround:
    """The project on disk, as the check of a study asks for it; each thing is read once. `bound`: names of models that
    a command binds."""

    def __init__(self, disk: Disk, cwd: Path) -> None:
        self.disk = disk
        self.cwd = cwd
        self._procedures: dict[str, Procedure | None] = {}
        self._rubrics: dict[str, Rubric | None] = {}

    def procedure(self, name: str) -> Procedure | None:
        """Return the procedure of a name, linked; None where there is none without errors."""
        if name not in self._procedures:
            there = name in self.names("specs")
            self._procedures[name] = link(self.disk, f"specs/{name}.yaml").procedure if there else None
        return self._procedures[name]

    def rubric(self, name: str) -> Rubric | None:
        """Return the rubric of a name; None where there is none without errors."""
        if name not in self._rubrics:
            there = name in self.names("rubrics")
            self._rubrics[name] = read_rubric(self.disk, f"rubrics/{name}.yaml")[0] if there else None
        return self._rubrics[name]

    def interventions(self, name: str, procedure: Procedure) -> Interventions | None:
        """Return the interventions of a name; None where there are none without errors."""
        found = open_interventions(name, procedure, self.disk.root or self.cwd)
        return found.interventions if isinstance(found, Declared) else None

    def names(self, folder: str) -> Collection[str]:
        """Return the names of the files of an expert folder."""
        files = (file for file in self.disk.names(folder) if file.endswith(".yaml"))
        return tuple(file.removeprefix(f"{folder}/").removesuffix(".yaml") for file in files)

    def text(self, path: str) -> str | None:
        """Return the text of a file of the project; None where there is none."""
        folder = path.partition("/")[0]
        return self.disk.read(path) if path in self.disk.names(folder) else None

    def file_there(self, pattern: str) -> bool:
        """Return whether a path, or any path of a pattern, is there: of the project, or from where the command is."""
        return bool(files_of(pattern, self.disk, self.cwd))

    def bound(self, model: str) -> bool:
        """Return whether a model can be called."""
        return model in NAMES or model.startswith("replay:") or "/" in model or model in self._named

    @cached_property
    def _named(self) -> Mapping[str, object]:
        return open_catalogue(self.cwd).profiles


def files_of(pattern: str, disk: Disk, cwd: Path) -> tuple[str, ...]:
    """Return the files of a pattern as commands take them: names of cases, paths of the project, paths from `cwd`."""
    root = disk.root or cwd
    if any(sign in pattern for sign in _WILD):
        found = sorted(path for path in root.glob(pattern) if path.is_file())
        folder = pattern.partition("/")[0]
        package = tuple(name for name in disk.names(folder) if fnmatch(name, pattern))
        return tuple(map(str, found)) or package
    if (root / pattern).exists():
        return (str(root / pattern),)
    return () if isinstance(find("cases", pattern, cwd), Diagnostic) else (pattern,)


@immutable
class OpenStudy:
    """A study with the files of its project. `problems`: warnings, and what only lacks."""

    study: Study
    disk: Disk
    around: ProjectAround
    problems: Problems = ()

    @property
    def root(self) -> Path:
        """Return the folder from which its files are named: that of the project, else where the command is."""
        return self.disk.root or self.around.cwd


def open_study(word: str, cwd: Path) -> OpenStudy | Problems:
    """Return the study that a word names, without errors; else all that is wrong with it."""
    found = find("studies", word, cwd)
    if isinstance(found, Diagnostic):
        return (found,)
    disk, path = found
    around = ProjectAround(disk, cwd)
    study, problems = read_study(disk, path)
    if study is not None:
        problems = _in_order((*problems, *project_problems(study, around)))
    problems = located((*problems, *disk.problems), disk, cwd)
    if study is None or any(problem.severity == "error" for problem in problems):
        return problems
    return OpenStudy(study, disk, around, problems)


def _in_order(problems: Problems) -> Problems:
    once = {(one.code, one.span): one for one in problems}
    return tuple(sorted(once.values(), key=lambda one: (one.span.line, one.span.column, one.code)))


def check_study(file: Path, cwd: Path) -> Problems:
    """Return all that is wrong with a file, and what only lacks."""
    root = find_root(file.parent) or file.parent
    opened = open_study(str(file), root if find_root(cwd) is None else cwd)
    return opened.problems if isinstance(opened, OpenStudy) else opened


def with_models(opened: OpenStudy, models: Mapping[str, str]) -> OpenStudy:
    """Return the study with other models behind some of its names."""
    words = {name: replace(word, text=models.get(name, word.text)) for name, word in opened.study.models.items()}
    return replace(opened, study=replace(opened.study, models=words))
