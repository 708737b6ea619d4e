"""Stored runs, opened without being played: what they tell, for those who score and report.

stored = open_stored(Path("runs/civil-jiedai-1"))      # a Stored run, or the problems
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from ..language import diagnose
from ..model.amendments import amended_in, in_force
from ..model.case import Case, texts
from ..model.diagnostics import Diagnostic
from ..model.procedure import Procedure
from ..model.source import Span
from ..runs.changes import as_played
from ..runs.condition import condition_of
from ..runs.folder import RunFolder
from ..runs.journal import changes_in, events_in, load
from ..runs.open_run import project_of
from ..runs.project import Problems, Project, spec_copy
from .rubric.definition import Selection
from .soundness.check_files import checks_of
from .stored_run import WHOLE, Stored


def runs_in(folders: Sequence[Path]) -> tuple[Path, ...]:
    """The run folders that are named, or that lie below a named folder; what is neither is kept, so that opening it
    says what is wrong. Hidden folders are passed over: a process that was killed leaves halves of runs in them."""
    return tuple(dict.fromkeys(run for folder in folders for run in each_run(folder)))


def each_run(folder: Path) -> Iterator[Path]:
    """Yield what `runs_in` finds in one folder, run by run and in order, without looking inside a run."""
    if os.path.lexists(folder / RUN):
        yield folder
        return
    found = False
    for run in _below(folder, linked=True):
        found = True
        yield run
    if not found:
        yield folder


def _below(folder: Path, *, linked: bool) -> Iterator[Path]:
    """The runs below a folder; `linked`: through links that lie in it, too, but through none that lie deeper."""
    try:
        with os.scandir(folder) as entries:
            inside = sorted(
                one.name for one in entries if not one.name.startswith(".") and one.is_dir(follow_symlinks=linked)
            )
    except OSError:  # it is gone, no folder, or nobody may look into it
        return
    for name in inside:
        below = folder / name
        if os.path.lexists(below / RUN):
            yield below
        else:
            yield from _below(below, linked=False)


RUN: Final = "run.yaml"
PROFILE: Final = "profile"  # what --by calls the profile by which the persons of a case were played


def open_stored(path: Path, *, as_drafted: bool = False, counts_given: bool = False) -> Stored | Problems:
    """A run, to be looked at. Nothing is written, nothing played. `as_drafted`, `counts_given`: see `Stored`."""
    folder = RunFolder.open(path)
    if not isinstance(folder, RunFolder):
        return folder
    project = _project(folder)
    if isinstance(project, Diagnostic):
        return (project,)
    if project.procedure is None:
        return project.problems
    case, journal = _case(folder, project.procedure), load(folder.journal, brief=True)
    problems = tuple(each for each in (case, journal.problem) if isinstance(each, Diagnostic))
    if problems or isinstance(case, Diagnostic):
        return problems
    info, events = folder.info, tuple(events_in(journal.lines))
    models = as_played(info.models, events, journal.stood_in)
    # Forks of the same name, made of several cases, are of one kind: `lw intervene` names them by what they were given.
    fork = f"{path.name} @ {info.at}" if info.parent else ""
    condition = condition_of(
        info,
        models,
        digest=spec_copy(project).digest if info.parent else "",
        fork=fork,
        changes=changes_in(journal.lines),
    )
    case = in_force(project.procedure, case, amended_in(events))
    opened = (path.as_posix(), project.procedure, case, info.target, events, models)
    return Stored(*opened, as_drafted, counts_given, journal.chain, condition, partial(checks_of, Path.cwd()))


MOST_PROJECTS: Final = 64
_projects: dict[tuple[str, str], Project] = {}  # by what `run.yaml` says of the copies


def _project(folder: RunFolder) -> Project | Diagnostic:
    """The project of a run. The copies are read and verified for the first run of a digest only: scoring opens many."""
    key = folder.info.digest, folder.info.spec
    if key not in _projects:
        copies = folder.sources()
        if isinstance(copies, Diagnostic):
            return copies
        if len(_projects) >= MOST_PROJECTS:
            _projects.clear()
        _projects[key] = project_of(folder, copies)
    return _projects[key]


MOST_CASES: Final = 64
_cases: dict[tuple[str, str, str, str], Case] = {}  # by their texts, and what is said of the spec


def _case(folder: RunFolder, procedure: Procedure) -> Case | Diagnostic:
    """The case of a run, with what is sealed. Runs of one case are many: its texts are verified each time, and made a
    case of once."""
    bound = folder.case_json(), folder.sealed_json()
    if isinstance(bound[0], Diagnostic) or isinstance(bound[1], Diagnostic):
        return folder.case(procedure, sealed=True)
    key = folder.info.digest, folder.info.spec, bound[0], bound[1]
    if key not in _cases:
        case = folder.case(procedure, sealed=True)
        if isinstance(case, Diagnostic):
            return case
        if len(_cases) >= MOST_CASES:
            _cases.clear()
        _cases[key] = case
    return _cases[key]


def labels(runs: Sequence[str], word: str, option: str = "--by") -> Mapping[str, str] | Diagnostic:
    """Run -> what a field of its case says (`matter.cause`), or the profile of its persons (`profile`); else ""."""
    name, *keys = word.split(".")
    at = Span(option, 0, 0)
    selection = Selection("field", at, name=name, keys=tuple(keys))
    by_run = {}
    for run in runs:
        stored = open_stored(Path(run))
        if isinstance(stored, tuple):
            continue
        fields = stored.procedure.fields
        if name in fields:
            words = (text.strip() for value in stored.field(selection, WHOLE) for text in texts(value))
            by_run[run] = next(filter(None, words), "")
        elif name == PROFILE:
            by_run[run] = stored.case.id.partition("@")[2]
        else:
            return diagnose.unknown_grouping_field(at, option=option, name=name, known=tuple(fields))
    return by_run
