"""A stored run, opened: the spec and the case that it was started with, and its journal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from ..engine.interpreter import interpret
from ..engine.settings import Intervention, ReadAnswer, Settings
from ..files.digest import digest
from ..language import diagnose
from ..model.amendments import amended_in, in_force
from ..model.case import Case
from ..model.diagnostics import Diagnostic
from ..model.events import Asked, Cleaned, Entered, Event, Message, Reply
from ..model.immutable import immutable, replace
from ..model.json_text import read_json
from ..model.outcome import Ended
from ..model.procedure import Procedure
from ..model.source import MemorySources, Span
from ..models.scripted import NAMES
from . import spec_copies
from .changes import LineUp, as_played, line_up
from .condition import run_id
from .folder import RunFolder
from .journal import AnswerLine, ChangeLine, EventLine, Line, Loaded, answers_in, changes_in, events_in, load
from .loop import Game
from .project import Problems, Project, SpecCopy, read_copy
from .read_parts import part_reader
from .run_info import RunInfo

CHANGES = "interventions.json"
"""The documents that a fork replaces; it lies among the copies of the spec, so that their digest covers it."""


@immutable
class OpenRun:
    """A run folder with what it holds. `home`: where the law library and the checks of a project are looked for."""

    folder: RunFolder
    project: Project
    procedure: Procedure
    case: Case
    settings: Settings
    loaded: Loaded
    home: Path = field(default_factory=Path.cwd)

    def game(self) -> Game:
        """The run from its beginning, to be sent the recorded replies or others."""
        reader = part_reader(self.procedure, self.case)
        return interpret(self.procedure, self.case, self.settings, self.project.templates, reader=reader)

    @property
    def events(self) -> tuple[Event, ...]:
        """All events in order."""
        return tuple(events_in(self.loaded.lines))

    @property
    def last_case(self) -> Case:
        """The case with all that was amended in the run."""
        return in_force(self.procedure, self.case, amended_in(self.events))

    @property
    def answers(self) -> dict[str, Reply]:
        """Request id -> reply; a call that was never answered has none."""
        return answers_in(self.loaded.lines)

    @property
    def kept(self) -> dict[str, Message]:
        """Request id -> the reply as its thread keeps it, which later calls of the thread are sent."""
        cleaned = {event.request: event.text for event in self.events if isinstance(event, Cleaned)}
        return {
            request: Message(role="assistant", content=cleaned.get(request, reply.text), calls=reply.calls)
            for request, reply in self.answers.items()
        }

    @property
    def line_up(self) -> LineUp:
        """Who plays from where the journal ends."""
        return line_up(self.folder.info, changes_in(self.loaded.lines))

    @property
    def run_id(self) -> str:
        """The key of the run in files of data."""
        return run_id(self.folder.info, changes_in(self.loaded.lines))

    @property
    def protocols(self) -> dict[str, str]:
        """Request id -> how tools were called in it."""
        return {asked.id: now.protocol(asked.role) for asked, now in calls_with(self.folder.info, self.loaded.lines)}

    @property
    def played(self) -> dict[str, str]:
        """Role -> who played it; `first + second` where several did."""
        by = {request: reply.by for request, reply in self.answers.items() if reply.by}
        return as_played(self.folder.info.models, self.events, by)

    @property
    def model_by_call(self) -> dict[str, str]:
        """Request id -> the name of who answered, or was to."""
        replies, models = self.answers, self.folder.info.models
        asked = (event for event in self.events if isinstance(event, Asked))
        return {
            call.id: (replies[call.id].by if call.id in replies else "") or models.get(call.role, "") for call in asked
        }

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
    folder: RunFolder,
    until: str = "",
    project: Project | None = None,
    *,
    brief: bool = False,
    interventions: tuple[Intervention, ...] = (),
    home: Path | None = None,
) -> OpenRun | Problems:
    """A run from its own copies. Its journal may be torn at the end, but not damaged.

    `project`: what a run was just started or opened with, so that its copies need not be linked and checked again;
    `interventions`: what is replaced in it.
    """
    changes = interventions
    if project is None:
        copies = folder.sources()
        if isinstance(copies, Diagnostic):
            return (copies,)
        try:
            project, changes = project_of(folder, copies), _interventions(copies)
        except (ValueError, TypeError):  # nobody but `lw` writes here
            return (diagnose.damaged_run_file(str(folder.path / spec_copies.NAME), name=CHANGES),)
    if project.procedure is None:
        return project.problems
    case, loaded = folder.case(project.procedure), load(folder.journal, brief=brief)
    sealed = folder.sealed_json() if folder.info.sealed_sum else ""
    problems = tuple(problem for problem in (case, sealed, loaded.problem) if isinstance(problem, Diagnostic))
    if problems or isinstance(case, Diagnostic):
        return problems
    if unnamed := _without_model(folder, project.procedure):
        return unnamed
    if misfit := _misfit(folder, loaded.lines):
        return (misfit,)
    info = folder.info
    more = {name: dict(told) for change in changes_in(loaded.lines) for name, told in change.endpoints.items()}
    if more:  # what the names of later models stand for is known like that of the first
        folder = RunFolder(folder.path, replace(info, endpoints={**info.endpoints, **more}))
    callers = line_up(info).native
    settings = Settings(info.target, info.seed, info.options, until, changes, callers, info.skip, info.without)
    settings = replace(settings, natively=_natively(info, loaded.lines))
    return OpenRun(folder, project, project.procedure, case, settings, loaded, home or Path.cwd())


def calls_with(info: RunInfo, lines: Iterable[Line]) -> Iterator[tuple[Asked, LineUp]]:
    """The calls of a run, each with who played then."""
    now = line_up(info)
    for line in lines:
        if isinstance(line, ChangeLine):
            now = now.after(line.change)
        elif isinstance(line, EventLine) and isinstance(line.event, Asked):
            yield line.event, now


def _natively(info: RunInfo, lines: Sequence[Line]) -> dict[str, frozenset[str]]:
    """Id of a request -> the roles that call tools by themselves from its answer on, where that changed."""
    found: dict[str, frozenset[str]] = {}
    answered, now = "", line_up(info)
    for line in lines:
        if isinstance(line, AnswerLine):
            answered = line.request
        elif isinstance(line, ChangeLine):
            now = now.after(line.change)
            found[answered] = now.native
    return found


def _without_model(folder: RunFolder, procedure: Procedure) -> Problems:
    """The roles that `run.yaml` gives to nobody."""
    roles = (role.id for role in procedure.roles.values() if not role.assigned and role.id not in folder.info.models)
    return tuple(diagnose.unplayed_role(str(folder.path / "run.yaml"), role=role) for role in roles)


def _misfit(folder: RunFolder, lines: Sequence[Line]) -> Diagnostic | None:
    """A reply of somebody else than `run.yaml` says: of a model where offline actors are named, or the other way round.

    What a fork has from its parent was played by the parent's; a recorded run may be of anybody.
    """
    info, roles = folder.info, {event.id: event.role for event in events_in(lines) if isinstance(event, Asked)}
    before = lines_before(lines, info.at) if info.at else ()
    for line in lines[len(before) :] if before is not None else ():
        if not isinstance(line, AnswerLine) or line.request not in roles:
            continue
        role, answered = roles[line.request], line.reply.model or "-"
        model = line.reply.by or info.models.get(role, "-")
        if answered != model and (model in NAMES or answered in NAMES) and not model.startswith("replay:"):
            place = Span(str(folder.journal), line.n, 1)
            return diagnose.model_against_record(place, role=role, model=model, n=line.n, answered=answered)
    return None


def lines_before(lines: Sequence[Line], place: str) -> Sequence[Line] | None:
    """The lines before a place is entered; None when it never is."""
    for index, line in enumerate(lines):
        if isinstance(line, EventLine) and isinstance(line.event, Entered) and line.event.place == place:
            return lines[:index]
    return None


def project_of(folder: RunFolder, copies: MemorySources) -> Project:
    """The project of a run. All runs of one spec share it, forks with replaced documents too."""
    texts = {path: text for path, text in copies.texts.items() if path != CHANGES}
    return read_copy(SpecCopy(digest(texts), folder.info.spec, texts))


def _interventions(copies: MemorySources) -> tuple[Intervention, ...]:
    """Raises ValueError, TypeError for what was not written here."""
    text = copies.read(CHANGES)
    return tuple(map(_intervention, read_json(text))) if text is not None else ()


def _intervention(change: dict[str, Any]) -> Intervention:
    """One of them; what a document says of a decision is left out where it states none."""
    read = [ReadAnswer(**{**part, "value": _value(part["value"])}) for part in change.pop("read", ())]
    found = Intervention(**change, read=tuple(read))
    names = (word for one in read for word in (one.name, one.about))
    if not all(isinstance(word, str) for word in (found.place, found.document, found.side, found.text, *names)):
        raise ValueError("no interventions")
    return found


def _value(said: object) -> str | tuple[str, ...]:
    if isinstance(said, str):
        return said
    if not isinstance(said, list) or not all(isinstance(entry, str) for entry in said):
        raise ValueError("no interventions")
    return tuple(said)


def interventions_text(changes: Iterable[Intervention]) -> str:
    """What stands in a fork's `interventions.json`."""
    rows = [{key: value for key, value in asdict(change).items() if key != "read" or value} for change in changes]
    return json.dumps(rows, ensure_ascii=False, indent=1)
