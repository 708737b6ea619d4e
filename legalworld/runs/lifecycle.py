"""Runs: started, resumed, replayed, forked - one game on one tape, and the files that can be made from it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from .. import __version__
from ..binding.casefile import as_json, from_json, sealed_json
from ..engine import titles
from ..engine.casting import cast, first_holders
from ..engine.interpreter import interpret
from ..engine.settings import Intervention, Settings
from ..engine.state import CaseState
from ..language import diagnose
from ..language.diagnostics import nearest
from ..model.case import Case
from ..model.diagnostics import Diagnostic
from ..model.events import Asked, Drafted, Ended, Entered, Event, Request, Spoke, Violated
from ..model.procedure import Procedure
from ..model.source import Sources, Span
from ..models.litellm_client import ModelFailed, native
from ..templates.template_set import TemplateError
from .actors import Backbones, Listen, Unanswered, deaf
from .folder import PROTOCOLS, RunFolder, RunInfo, digest
from .journal import AnswerLine, EventLine, Journal, Line, Loaded, Times, clean, load
from .loop import Diverged, Finished, Game, ReplayLog, Watch, ignore, play_through, replayed
from .project import OpenedCase, Problems, Project, read_project, used
from .tool_services import ToolServices
from .transcript import Present, documents, transcript

DEADLINE = 600.0
Status = Literal["ended", "paused", "stopped", "interrupted"]


@dataclass(frozen=True, slots=True)
class RunPlan:
    """What a new run is to be.

    `tools`: role -> `native` or `text`, for those whose way was chosen; `skip`: stages and phases that are left out.
    """

    project: Project
    matter: OpenedCase
    target: str
    models: Mapping[str, str]
    options: Mapping[str, str]
    seed: int = 0
    until: str = ""
    out: Path | None = None
    tools: Mapping[str, str] = field(default_factory=dict)
    skip: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationCounts:
    """The citations of a run: all, those that are wrong, those that nothing could tell of."""

    all: int = 0
    wrong: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class RunResult:
    """How a run stands; `problems` say why it stopped. Tokens are None where no backbone counted them."""

    status: Status
    folder: Path
    outcome: str
    place: str
    turns: int
    tokens: int | None
    documents: tuple[str, ...]
    violations: int
    problems: Problems = ()
    cited: CitationCounts = CitationCounts()


@dataclass(slots=True)
class RunLog:
    """The events of a run as they come, and what has been counted of them."""

    watch: Watch = ignore
    events: list[Event] = field(default_factory=list)

    def __call__(self, event: Event | Request) -> None:
        if not isinstance(event, Request):
            self.events.append(event)
        self.watch(event)


@dataclass(frozen=True, slots=True)
class OpenRun:
    """A run folder with what it holds: its own copies of spec and case."""

    folder: RunFolder
    project: Project
    procedure: Procedure
    case: Case
    settings: Settings
    loaded: Loaded

    def game(self) -> Game:
        return interpret(self.procedure, self.case, self.settings, self.project.templates)


def start(
    plan: RunPlan, watch: Watch = ignore, deadline: float = DEADLINE, *, listen: Listen = deaf
) -> RunResult | Problems:
    """A new run in a new folder; nothing is written when a model that is named cannot be asked."""
    if problems := Backbones(plan.models, plan.project.templates, plan.seed, deadline).open():
        return problems
    texts = used(plan.project)
    info = RunInfo(
        procedure=plan.project.procedure.name if plan.project.procedure else "",
        spec=plan.project.path,
        digest=digest(texts),
        version=__version__,
        case=plan.matter.case.id,
        case_file=plan.matter.file,
        target=plan.target,
        seed=plan.seed,
        models=plan.models,
        options=plan.options,
        binding=plan.matter.binding,
        until=plan.until,
        tools=_protocols(plan.project.procedure, plan.models, plan.tools),
        skip=plan.skip,
    )
    folder = RunFolder.create(
        plan.out, info, texts, case_json=as_json(plan.matter.case), sealed_json=sealed_json(plan.matter.case)
    )
    if isinstance(folder, Diagnostic):
        return (folder,)
    return resume(folder.path, watch, until=plan.until, deadline=deadline, listen=listen)


NATIVE, TEXT = PROTOCOLS


def _protocols(procedure: Procedure | None, models: Mapping[str, str], chosen: Mapping[str, str]) -> Mapping[str, str]:
    """The roles whose models call tools by themselves: as chosen, else those that are known to. The rest has words.

    For a recorded run it is as it was then: its replies hold calls of the one kind or the other.
    """
    if procedure is None or not procedure.tools:
        return {}
    can = {name: native(name) for name in set(models.values()) if name.partition(":")[0] not in ("offline", "replay")}
    ways = {role: chosen.get(role) or _protocol(role, name, can.get(name, False)) for role, name in models.items()}
    return {role: way for role, way in ways.items() if way == NATIVE}


def _protocol(role: str, name: str, can: bool) -> str:
    recorded = RunFolder.open(Path(name.removeprefix("replay:"))) if name.startswith("replay:") else None
    if isinstance(recorded, RunFolder):
        return recorded.info.tools.get(role, TEXT)
    return NATIVE if can else TEXT


def resume(
    path: Path, watch: Watch = ignore, until: str = "", deadline: float = DEADLINE, *, listen: Listen = deaf
) -> RunResult | Problems:
    """Go on with a run from its journal; finished calls are not repeated."""
    folder = RunFolder.open(path)
    if not isinstance(folder, RunFolder):
        return folder
    lock = folder.lock()
    if isinstance(lock, Diagnostic):
        return (lock,)
    with lock:
        opened = reopen(folder, until)
        if isinstance(opened, tuple):
            return opened
        if until and _until(opened.loaded.lines, until) is not None:
            return (diagnose.place_already_passed("--until", place=until),)
        backbones = Backbones(folder.info.models, opened.project.templates, folder.info.seed, deadline, listen=listen)
        return backbones.open() or _play(opened, watch, backbones)


def open_run(path: Path) -> OpenRun | Problems:
    """The run in a folder, to be looked at; nothing is written, so no lock is held."""
    folder = RunFolder.open(path)
    return reopen(folder) if isinstance(folder, RunFolder) else folder


def reopen(folder: RunFolder, until: str = "") -> OpenRun | Problems:
    """A run from its own copies. Its journal may be torn at the end, but not damaged."""
    sources = folder.sources()
    if isinstance(sources, Diagnostic):
        return (sources,)
    project = read_project(sources, folder.info.spec)
    if project.procedure is None:
        return project.problems
    case_text = folder.case_json()
    problems = [case_text] if isinstance(case_text, Diagnostic) else []
    loaded = load(folder.journal)
    problems += [loaded.problem] if loaded.problem is not None else []
    changes = interventions(sources)
    if problems or isinstance(case_text, Diagnostic):
        return tuple(problems)
    case = from_json(case_text, None, project.procedure)
    info = folder.info
    native = frozenset(role for role, how in info.tools.items() if how == NATIVE)
    settings = Settings(info.target, info.seed, info.options, until, changes, native, info.skip)
    return OpenRun(folder, project, project.procedure, case, settings, loaded)


def ended(opened: OpenRun) -> bool:
    """Whether a run has come to its end."""
    return over(opened.loaded.lines)


def over(lines: Sequence[Line]) -> bool:
    """Whether a journal tells of the end."""
    return any(isinstance(line, EventLine) and isinstance(line.event, Ended) for line in lines[-8:])


CHANGES = "interventions.json"  # among a fork's copies, so that its digest covers them


def interventions(sources: Sources) -> tuple[Intervention, ...]:
    """The replaced documents of a fork."""
    text = sources.read(CHANGES)
    return tuple(Intervention(**each) for each in json.loads(text)) if text is not None else ()


def _play(opened: OpenRun, watch: Watch, backbones: Backbones) -> RunResult | Problems:
    """Drive a run from its journal's end, and write what can be made from it, however it stops."""
    folder, log = opened.folder, RunLog(watch)
    status: Status = "stopped"
    problems: Problems = ()
    with Journal(folder.journal, after=opened.loaded) as journal, Times(folder.times) as times:
        tape = ReplayLog(opened.loaded.lines, journal, times)
        try:
            status = asyncio.run(_driven(opened, tape, backbones, log))
        except KeyboardInterrupt:
            status = "interrupted"
        except ModelFailed as error:
            problems = (error.at("--model"),)
        except Unanswered as error:
            problems = (diagnose.missing_recorded_reply(error.name, request=error.request),)
        except TemplateError as error:
            problems = error.problems
        except Diverged as error:
            return (diagnose.diverging_replay(Span(str(folder.journal), error.n, 1), n=error.n),)
    return finish(opened, log.events, status, problems)


async def _driven(opened: OpenRun, tape: ReplayLog, backbones: Backbones, log: RunLog) -> Status:
    game = opened.game()
    async with backbones:
        errands = ToolServices(opened.procedure, opened.case, Path.cwd(), opened.procedure.locale)
        try:
            finished = await play_through(game, tape, backbones.answer, log, errands.carry)
        finally:
            errands.close()
    return finished.status


# ---- what can be made from a run -------------------------------------------------------------------------------------


def people(procedure: Procedure, case: Case) -> tuple[Present, ...]:
    """Everybody who takes part, as they are called in the first stage."""
    persons = cast(procedure, case)
    state = CaseState({person.id: person for person in persons}, first_holders(procedure, persons), "")
    return tuple(Present(person.id, titles.title(procedure, state, person.id), person.name) for person in persons)


def finish(opened: OpenRun, events: Sequence[Event], status: Status, problems: Problems = ()) -> RunResult:
    """Write the transcript, the documents and what was cited, and say how the run stands."""
    from . import citation_check  # brings the law library along, which only a run that was played needs

    folder, procedure = opened.folder, opened.procedure
    papers = documents(procedure, events)
    for name, text in papers.items():
        folder.write_text(name, text)
    record = transcript(procedure, opened.case.title, people(procedure, opened.case), folder.info.models, events)
    folder.write_text("transcript.md", record)
    checked = citation_check.check(procedure, opened.case, events, Path.cwd())
    folder.write_text(citation_check.FILE, citation_check.as_text(citation_check.as_json(checked)))
    entered = [event.place for event in events if isinstance(event, Entered)]
    ended = [event.outcome for event in events if isinstance(event, Ended)]
    if ended and status == "paused":
        status = "ended"
    place = opened.settings.until if status == "paused" else ""
    return RunResult(
        status=status,
        folder=folder.path,
        outcome=ended[-1] if ended else "",
        place=place or (entered[-1] if entered else ""),
        turns=sum(isinstance(event, Spoke) for event in events),
        tokens=_tokens(folder.journal),
        documents=tuple(papers),
        violations=sum(isinstance(event, Violated) for event in events),
        problems=problems,
        cited=CitationCounts(**checked.counts),
    )


def _tokens(journal: Path) -> int | None:
    """All tokens that the backbones counted; None when none did."""
    replies = [line.reply for line in load(journal).lines if isinstance(line, AnswerLine)]
    counts = [(reply.prompt_tokens or 0) + (reply.completion_tokens or 0) for reply in replies]
    return sum(counts) or None


# ---- replay and fork -------------------------------------------------------------------------------------------------


def replay(path: Path, watch: Watch = ignore) -> RunResult | Problems:
    """The journal alone, played again and compared event by event; the files made anew from it."""
    opened = open_run(path)
    if isinstance(opened, tuple):
        return opened
    folder, log = opened.folder, RunLog(watch)
    try:
        waiting = replayed(opened.game(), opened.loaded.lines, log)
    except Diverged as error:
        return (diagnose.diverging_replay(Span(str(folder.journal), error.n, 1), n=error.n),)
    return finish(opened, log.events, "ended" if isinstance(waiting, Finished) else "paused")


@dataclass(frozen=True, slots=True)
class Replacement:
    """A fork's intervention: `document` (of `side`, "" for the only one) replaced by `text` just before `at`."""

    at: str
    document: str
    side: str
    text: str

    def meets(self, line: Line) -> bool:
        """Whether the line tells of the document that is to be replaced."""
        event = line.event if isinstance(line, EventLine) else None
        return isinstance(event, Drafted) and event.document == self.document and self.side in ("", event.side)


def document(path: Path) -> str | None:
    """The text of a document that a person wrote; None where no UTF-8 text is to be read."""
    try:
        return clean(path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError):
        return None


def fork(path: Path, change: Replacement, out: Path | None, models: Mapping[str, str] | None = None) -> Path | Problems:
    """A run of its own that begins as another did, up to a place, with a document replaced there."""
    opened = open_run(path)
    return opened if isinstance(opened, tuple) else fork_of(opened, change, out, models)


def fork_of(
    opened: OpenRun, change: Replacement, out: Path | None, models: Mapping[str, str] | None = None
) -> Path | Problems:
    """The same of a run that is open already."""
    folder = opened.folder
    prefix = _until(opened.loaded.lines, change.at)
    if prefix is None:
        return (diagnose.unreached_place("--at", place=change.at),)
    if not any(map(change.meets, prefix)):
        return (_nothing_to_replace(opened.procedure, change),)
    models = models or folder.info.models
    if problems := Backbones(models, opened.project.templates, folder.info.seed, DEADLINE).open():
        return problems
    texts = dict(used(opened.project))
    made = [*opened.settings.interventions, Intervention(change.at, change.document, change.side, change.text)]
    texts[CHANGES] = json.dumps([_plain(each) for each in made], ensure_ascii=False, indent=1)
    sealed = folder.sealed_json()
    if isinstance(sealed, Diagnostic):
        return (sealed,)
    parent = opened.loaded.chain
    tools = _protocols(opened.procedure, models, _settled(folder.info, models, prefix))
    info = replace(folder.info, digest=digest(texts), parent=parent, at=change.at, until="", models=models, tools=tools)
    created = RunFolder.create(out, info, texts, case_json=as_json(opened.case), sealed_json=sealed)
    if isinstance(created, Diagnostic):
        return (created,)
    with Journal(created.journal) as journal:
        copy(prefix, journal)
    return created.path


def _settled(info: RunInfo, models: Mapping[str, str], prefix: Sequence[Line]) -> dict[str, str]:
    """The protocols that a fork keeps: of those who were asked before it, in words that stand now, or whose model it
    does not change."""
    asked = {line.event.role for line in prefix if isinstance(line, EventLine) and isinstance(line.event, Asked)}
    kept = asked | {role for role, name in info.models.items() if models.get(role) == name}
    return {role: info.tools.get(role, TEXT) for role in kept}


def _nothing_to_replace(procedure: Procedure, change: Replacement) -> Diagnostic:
    """The document is none of the procedure's, or has not been written by then."""
    place = Span("--replace", 0, 0)
    if change.document not in procedure.documents:
        near = nearest(change.document, procedure.documents)
        return diagnose.unknown_replaced_document(
            place, name=change.document, known=tuple(procedure.documents), nearest=near
        )
    name = f"{change.document}@{change.side}" if change.side else change.document
    return diagnose.document_not_yet_written(place, name=name, place=change.at)


def _plain(change: Intervention) -> dict[str, str]:
    return {"place": change.place, "document": change.document, "side": change.side, "text": change.text}


def _until(lines: Sequence[Line], place: str) -> Sequence[Line] | None:
    """The lines before a place is entered; None when it never is."""
    for index, line in enumerate(lines):
        if isinstance(line, EventLine) and isinstance(line.event, Entered) and line.event.place == place:
            return lines[:index]
    return None


def copy(lines: Sequence[Line], journal: Journal) -> None:
    """Write recorded lines into another journal."""
    waiting: list[Event] = []
    for line in lines:
        if isinstance(line, EventLine):
            waiting.append(line.event)
        else:
            journal.write(waiting, (line.request, line.reply))
            waiting = []
    journal.write(waiting)
