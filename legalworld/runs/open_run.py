"""A stored run, opened: the spec and the case that it was started with, and its journal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ..engine.interpreter import interpret
from ..engine.settings import Intervention, Settings
from ..files.digest import digest
from ..model.case import Case
from ..model.diagnostics import Diagnostic
from ..model.events import Ended, Event, Reply
from ..model.procedure import Procedure
from ..model.source import MemorySources
from .folder import NATIVE, RunFolder
from .journal import Line, Loaded, answers_in, events_in, load
from .loop import Game
from .project import Problems, Project, SpecCopy, read_copy

CHANGES = "interventions.json"
"""The documents that a fork replaces; it lies among the copies of the spec, so that their digest covers it."""


@dataclass(frozen=True, slots=True)
class OpenRun:
    """A run folder with what it holds."""

    folder: RunFolder
    project: Project
    procedure: Procedure
    case: Case
    settings: Settings
    loaded: Loaded

    def game(self) -> Game:
        """The run from its beginning, to be sent the recorded replies or others."""
        return interpret(self.procedure, self.case, self.settings, self.project.templates)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events in order."""
        return tuple(events_in(self.loaded.lines))

    @property
    def answers(self) -> dict[str, Reply]:
        """Request id -> reply; a call that was never answered has none."""
        return answers_in(self.loaded.lines)

    @property
    def ended(self) -> bool:
        """Whether the run has come to its end."""
        return has_ended(self.loaded.lines)


def has_ended(lines: Sequence[Line]) -> bool:
    """Whether a journal tells of the end of its run."""
    return any(isinstance(event, Ended) for event in events_in(lines[-8:]))


def open_run(path: Path, *, brief: bool = False) -> OpenRun | Problems:
    """The run in a folder, to be looked at: nothing is written, so no lock is held. `brief`: see `journal.load`."""
    folder = RunFolder.open(path)
    return reopen(folder, brief=brief) if isinstance(folder, RunFolder) else folder


def reopen(
    folder: RunFolder, until: str = "", project: Project | None = None, *, brief: bool = False
) -> OpenRun | Problems:
    """A run from its own copies. Its journal may be torn at the end, but not damaged.

    `project`: what a new run was just started with, so that its copies need not be linked and checked again.
    """
    changes: tuple[Intervention, ...] = ()
    if project is None:
        copies = folder.sources()
        if isinstance(copies, Diagnostic):
            return (copies,)
        project, changes = project_of(folder, copies), _interventions(copies)
    if project.procedure is None:
        return project.problems
    case, loaded = folder.case(project.procedure), load(folder.journal, brief=brief)
    problems = tuple(problem for problem in (case, loaded.problem) if isinstance(problem, Diagnostic))
    if problems or isinstance(case, Diagnostic):
        return problems
    info = folder.info
    callers = frozenset(role for role, protocol in info.tools.items() if protocol == NATIVE)
    settings = Settings(info.target, info.seed, info.options, until, changes, callers, info.skip)
    return OpenRun(folder, project, project.procedure, case, settings, loaded)


def project_of(folder: RunFolder, copies: MemorySources) -> Project:
    """The project of a run. All runs of one spec share it, forks with replaced documents too."""
    texts = {path: text for path, text in copies.texts.items() if path != CHANGES}
    return read_copy(SpecCopy(digest(texts), folder.info.spec, texts))


def _interventions(copies: MemorySources) -> tuple[Intervention, ...]:
    text = copies.read(CHANGES)
    return tuple(Intervention(**change) for change in json.loads(text)) if text is not None else ()


def interventions_text(changes: Iterable[Intervention]) -> str:
    """What stands in a fork's `interventions.json`."""
    return json.dumps([asdict(change) for change in changes], ensure_ascii=False, indent=1)
