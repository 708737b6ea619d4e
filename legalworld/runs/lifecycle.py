"""Runs are started, resumed and replayed; however one stops, the files that can be made from it are written."""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any, Literal

from ..binding.casefile import as_json, sealed_json
from ..engine import titles
from ..engine.casting import cast, first_holders
from ..engine.state import CaseState
from ..files.project_files import unreadable
from ..language import diagnose
from ..model.case import Case
from ..model.diagnostics import Diagnostic
from ..model.events import Entered, OutcomeStatus, Spoke
from ..model.immutable import immutable
from ..model.outcome import Ended
from ..model.procedure import Procedure
from ..model.remarks import breaches
from ..model.source import Span
from ..model.version import __version__
from ..models.endpoint import ATTEMPTS, DEADLINE
from ..models.failures import ModelFailed
from ..models.habits import Adjustment
from ..models.limits import UNLIMITED, Budget, Gate, Limits
from ..models.named.profile import ModelProfile, bounded
from ..models.wire import litellm_version
from ..templates.template_set import TemplateError
from . import citation_check
from .actors import Backbones, Listen, Unanswered, deaf, protocols
from .adjustments import adjustments
from .answers_given import NONE_GIVEN, AnswersGiven, recorded_answers, unused
from .callables import NO_CALLABLES, Callables
from .case_file import OpenedCase
from .changes import NO_CHANGE, RunChange, as_played, line_up
from .costs import Spending, answered_otherwise, priced, spending
from .early import EarlyAnswers
from .folder import RunFolder
from .foreign_parts import foreign_parts
from .gaps import Gap, gaps
from .journal import EventLine, Journal, Line, Session, Times, answers_in, before_change, events_in
from .loop import Diverged, Finished, ReplayLog, Watch, ignore, play_through, replayed
from .norm_bench import norm_bench
from .open_run import OpenRun, lines_before, open_run, reopen
from .play_remarks import told_of_play
from .preview import Overhear
from .project import Problems, Project, spec_copy
from .run_info import RunInfo
from .stand_ins import told_of_answers
from .tool_services import ToolServices
from .transcript import Present, documents, transcript

Status = Literal["ended", "paused", "stopped", "interrupted"]


@immutable
class RunPlan:
    """What a new run is to be.

    `tools`: role -> `native` or `text`, for those whose protocol was chosen; `skip`: stages and phases left out;
    `without`: operations for which the library holds nothing.
    `copies`: a folder in which runs of one spec share the copies of its files. `profiles`: what names of models stand
    for, where they are names of the models file. `answers`: given to the offline actors. `home`: the folder in which
    new runs and the law library lie, where that is not the one we are in.
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
    without: tuple[str, ...] = ()
    copies: Path | None = None
    profiles: Mapping[str, ModelProfile] = field(default_factory=dict)
    remarks: Problems = ()
    answers: AnswersGiven = NONE_GIVEN
    home: Path | None = None


@immutable
class RunResult:
    """How a run stands; `problems` say why it stopped. Tokens are None where no backbone counted them.

    `gaps`: file name -> what the document lacks, of those that are not complete.
    `cited`: the citations, `all` of them, those that are `wrong`, and those that nothing could tell of (`unknown`).
    `spent`: calls and tokens, by model; see `costs`. `answered`: model -> other models that answered for it.
    `adjusted`: parameters that were not sent as they were set. `ending`: the words of the step that ended the case.
    `missed`: the place where it was to stop, which cannot come any more; it is paused where that became clear.
    """

    status: Status
    folder: Path
    outcome: str
    place: str
    turns: int
    tokens: int | None
    documents: tuple[str, ...]
    violations: int
    problems: Problems
    cited: Mapping[str, int]
    gaps: Mapping[str, Gap] = field(default_factory=dict)
    spent: Spending = field(default_factory=dict)
    answered: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    adjusted: tuple[Adjustment, ...] = ()
    ending: str = ""
    missed: str = ""


# ---- start, resume, replay -------------------------------------------------------------------------------------------


def start(
    plan: RunPlan,
    watch: Watch = ignore,
    deadline: float = DEADLINE,
    *,
    listen: Listen = deaf,
    overhear: Overhear | None = None,
    limits: Limits = UNLIMITED,
) -> RunResult | Problems:
    """A new run in a new folder; nothing is written when a model that is named cannot be asked."""
    how: Any = {"listen": listen, "overhear": overhear, "limits": limits}
    return asyncio.run(started_alone(plan, watch, deadline, **how))


async def started_alone(
    plan: RunPlan, watch: Watch = ignore, deadline: float = DEADLINE, *, limits: Limits = UNLIMITED, **how: Any
) -> RunResult | Problems:
    """`start`, for who has an event loop: within `limits` of its own. `how`: as of `started`."""
    gate = Gate(bounded(limits, plan.profiles), attempts=ATTEMPTS)
    return _told(await started(plan, watch, deadline, gate=gate, **how), gate)


async def started(
    plan: RunPlan,
    watch: Watch = ignore,
    deadline: float = DEADLINE,
    *,
    listen: Listen = deaf,
    overhear: Overhear | None = None,
    gate: Gate | None = None,
    callables: Callables = NO_CALLABLES,
) -> RunResult | Problems:
    """`start`, beside other runs, within the limits of `gate`. Cancelled, it writes what can be made from the run and
    says `interrupted`."""
    templates, seed = plan.project.templates, plan.seed
    how: Any = {"listen": listen, "overhear": overhear, "gate": gate, "profiles": plan.profiles, "callables": callables}
    how |= {"decide": norm_bench(plan.project.procedure, plan.matter.case, templates), "given": plan.answers.answers}
    backbones = Backbones(plan.models, templates, seed, deadline, **how)
    if problems := backbones.open():
        return problems
    folder = _new_folder(plan)
    if isinstance(folder, Diagnostic):
        return (folder,)
    lock = folder.lock()
    if isinstance(lock, Diagnostic):
        return (lock,)
    with lock:
        opened = reopen(folder, plan.until, plan.project, home=plan.home)
        return opened if isinstance(opened, tuple) else await _play(opened, watch, backbones)


def _new_folder(plan: RunPlan) -> RunFolder | Diagnostic:
    case, texts = plan.matter.case, spec_copy(plan.project).texts
    files = {"case_json": as_json(case), "sealed_json": sealed_json(case)}
    return RunFolder.create(plan.out, info_of(plan), texts, **files, copies=plan.copies, home=plan.home)


def info_of(plan: RunPlan) -> RunInfo:
    """What `run.yaml` says of a run of this plan."""
    copy, procedure = spec_copy(plan.project), plan.project.procedure
    assert procedure is not None
    return RunInfo(
        procedure=procedure.name,
        spec=copy.path,
        digest=copy.digest,
        version=__version__,
        case=plan.matter.case.id,
        case_file=plan.matter.file,
        target=plan.target,
        seed=plan.seed,
        models=plan.models,
        options=plan.options,
        binding=plan.matter.binding,
        until=plan.until,
        tools=protocols(procedure, plan.models, plan.tools, plan.profiles),
        skip=plan.skip,
        without=plan.without,
        endpoints={name: one.recorded for name, one in plan.profiles.items()},
        answers=plan.answers.recorded,
        parts=foreign_parts(procedure, plan.models.values()),
    )


def resume(
    path: Path,
    watch: Watch = ignore,
    until: str = "",
    deadline: float = DEADLINE,
    *,
    listen: Listen = deaf,
    overhear: Overhear | None = None,
    limits: Limits = UNLIMITED,
    change: RunChange = NO_CHANGE,
) -> RunResult | Problems:
    """Go on with a run from its journal; finished calls are not repeated. What the run took before counts against the
    budget of `limits`."""
    how: Any = {"listen": listen, "overhear": overhear, "limits": limits, "change": change}
    return asyncio.run(resumed_alone(path, watch, until, deadline, **how))


async def resumed_alone(
    path: Path,
    watch: Watch = ignore,
    until: str = "",
    deadline: float = DEADLINE,
    *,
    limits: Limits = UNLIMITED,
    change: RunChange = NO_CHANGE,
    **how: Any,
) -> RunResult | Problems:
    """`resume`, for who has an event loop. `how`: as of `resumed`."""
    folder = RunFolder.open(path)
    if not isinstance(folder, RunFolder):
        return folder
    before = open_run(path)
    if not isinstance(before, OpenRun):
        return before
    gate = Gate(bounded(limits, before.line_up.after(change).profiles), attempts=ATTEMPTS)
    if limits.budget != Budget():
        gate.total, _ = priced(spending(before.folder.info.models, before.events, before.answers), gate.limits.prices)
    return _told(await resumed(folder, watch, until, deadline, gate=gate, change=change, **how), gate)


def _told(result: RunResult | Problems, gate: Gate) -> RunResult | Problems:
    """The result of a run that had a budget of its own: what it took is told where it stopped for that."""
    if not isinstance(result, RunResult) or not gate.exhausted:
        return result
    total, budget = gate.total, gate.limits.budget.said
    tokens, dollars, path = f"{total.tokens:,}", f"{total.dollars:.6f}", str(result.folder)
    says = diagnose.run_budget_spent("--budget", budget=budget, tokens=tokens, dollars=dollars, path=path)
    stopped = diagnose.code_of(diagnose.budget_spent)
    return replace(result, problems=tuple(says if one.code == stopped else one for one in result.problems))


async def resumed(
    folder: RunFolder,
    watch: Watch = ignore,
    until: str = "",
    deadline: float = DEADLINE,
    *,
    listen: Listen = deaf,
    overhear: Overhear | None = None,
    project: Project | None = None,
    gate: Gate | None = None,
    change: RunChange = NO_CHANGE,
    callables: Callables = NO_CALLABLES,
    home: Path | None = None,
) -> RunResult | Problems:
    """`resume`, beside other runs; `project`: that of the run's copies, where it is open already."""
    lock = folder.lock()
    if isinstance(lock, Diagnostic):
        return (lock,)
    with lock:
        opened = reopen(folder, until, project, home=home)
        if isinstance(opened, tuple):
            return opened
        if until and lines_before(opened.loaded.lines, until) is not None:
            return (diagnose.place_already_passed("--until", place=until),)
        now, info = opened.line_up.after(change), opened.folder.info
        how: Any = {"listen": listen, "overhear": overhear, "gate": gate, "profiles": now.profiles}
        how |= {"begun": line_up(info), "in_words": frozenset(now.models) - now.native}
        how |= {"decide": norm_bench(opened.procedure, opened.case, opened.project.templates), "callables": callables}
        how |= {"given": recorded_answers(opened.procedure, opened.case, info.answers)}
        backbones = Backbones(now.models, opened.project.templates, info.seed, deadline, **how)
        if problems := backbones.open():
            return problems
        changed = opened if change.empty else _changed(opened, change)
        return changed if isinstance(changed, tuple) else await _play(changed, watch, backbones)


def _changed(opened: OpenRun, change: RunChange) -> OpenRun | Problems:
    """A run with a change written behind its last answer. Replies that wait for their turn were given by those who
    played before, and are asked for anew."""
    folder = opened.folder
    try:
        loaded = before_change(opened.loaded, folder.journal)
        if loaded.problem is not None:
            return (loaded.problem,)
        folder.early.unlink(missing_ok=True)
        with Journal(folder.journal, after=loaded) as journal:
            journal.change(change)
    except OSError as error:
        return (_unwritten(folder.journal, error),)
    how: Any = {"interventions": opened.settings.interventions, "home": opened.home}
    return reopen(folder, opened.settings.until, opened.project, **how)


def replay(path: Path) -> RunResult | Problems:
    """The journal alone, played again and compared event by event; the files made anew from it."""
    opened = open_run(path)
    if isinstance(opened, tuple):
        return opened
    log = ReplayLog(opened.loaded.lines)
    try:
        waiting = replayed(opened.game(), log)
    except Diverged as error:
        return (_diverged(opened, error),)
    lines, recorded = log.lines, opened.loaded.lines
    if recorded and isinstance(recorded[-1], EventLine):  # it was stopped there, before what nobody need be asked for
        lines = lines[: len(recorded)]
    # Behind a reply more than is recorded: it has been read, and what came of it is not in the journal yet.
    over = isinstance(waiting, Finished) and len(lines) == len(log.lines)
    return _finish(opened, lines, "ended" if over else "paused")


async def _play(opened: OpenRun, watch: Watch, backbones: Backbones) -> RunResult | Problems:
    """Drive a run from its journal's end, and write what can be made from it, however it stops."""
    folder = opened.folder
    stopped: Status | Literal["missed"] = "stopped"
    problems: Problems = ()
    log: ReplayLog | None = None
    try:
        with Journal(folder.journal, after=opened.loaded) as journal, Times(folder.times, _session()) as times:
            log = ReplayLog(opened.loaded.lines, journal, times, aside=backbones.asks_models)
            backbones.live.notice = times.adjusted
            stopped = await _drive(opened, log, backbones, watch)
    except (asyncio.CancelledError, KeyboardInterrupt, BrokenPipeError):  # who read along may have gone
        stopped = "interrupted"
    except ModelFailed as error:
        problems = (error.at("--model"),)
    except Unanswered as error:
        problems = (diagnose.missing_recorded_reply(error.name, request=error.request),)
    except TemplateError as error:
        problems = error.problems
    except OSError as error:  # of the journal: what is in it stays, and is gone on from
        problems = (_unwritten(folder.journal, error),)
        if log is None:
            return problems
    except Diverged as error:
        return (_diverged(opened, error),)
    behind = log is None or log.replaying
    if stopped == "missed" and behind:  # it was missed before this command
        return (diagnose.place_missed("--until", place=opened.settings.until),)
    lines = opened.loaded.lines if log is None or behind else log.lines
    result = _finish(opened, lines, "paused" if stopped == "missed" else stopped, problems)
    return replace(result, missed=opened.settings.until, place=_place(lines)) if stopped == "missed" else result


def _unwritten(path: Path, error: OSError) -> Diagnostic:
    return unreadable(str(error.filename or path), error)


def _session() -> Session:
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Session(now, __version__, platform.python_version(), litellm_version())


async def _drive(opened: OpenRun, log: ReplayLog, backbones: Backbones, watch: Watch) -> OutcomeStatus:
    async with backbones.live:
        procedure, folder = opened.procedure, opened.folder
        whole = partial(folder.case, procedure, sealed=True)
        services = ToolServices(procedure, opened.case, opened.home, procedure.locale, whole)
        try:
            async with EarlyAnswers(backbones.answer, backbones.asks_a_model, folder.early) as answers:
                game, early = opened.game(), answers if backbones.asks_models else None
                return (await play_through(game, log, backbones.answer, watch, services.carry, early=early)).status
        finally:
            services.close()


def _diverged(opened: OpenRun, error: Diverged) -> Diagnostic:
    return diagnose.diverging_replay(Span(str(opened.folder.journal), error.n, 1), n=error.n)


# ---- what can be made from a run -------------------------------------------------------------------------------------


def people(procedure: Procedure, case: Case, options: Mapping[str, str] | None = None) -> tuple[Present, ...]:
    """Everybody who takes part, as they are called in the first stage; without options, everybody who could."""
    persons = cast(procedure, case, options)
    state = CaseState({person.id: person for person in persons}, first_holders(procedure, persons), "")
    return tuple(Present(person.id, titles.title(procedure, state, person.id), person.name) for person in persons)


def _finish(opened: OpenRun, lines: Sequence[Line], status: Status, problems: Problems = ()) -> RunResult:
    """Write the transcript, the documents and what was cited, and say how the run stands."""
    folder, procedure, events = opened.folder, opened.procedure, tuple(events_in(lines))
    written = documents(procedure, events)
    record = transcript(
        procedure, opened.case, people(procedure, opened.case, folder.info.options), _played(folder.info, lines), events
    )
    checked = citation_check.check(procedure, opened.case, events, opened.home)
    cited = citation_check.as_text(citation_check.as_json(checked))
    try:
        for name, text in {**written, "transcript.md": record, citation_check.FILE: cited}.items():
            folder.write_text(name, text)
    except OSError as error:  # they can be made anew from the journal, when there is room
        problems, status = (*problems, _unwritten(folder.path, error)), "stopped"
    replies = answers_in(lines)
    warnings, renamed = told_of_answers(folder.info, lines, replies, opened.home)
    problems = (*problems, *warnings, *told_of_play(procedure, opened.case, events))
    ended = [event for event in events if isinstance(event, Ended)]
    if ended and status == "paused":
        status = "ended"
    if status == "ended":
        problems = (*problems, *unused(folder.info.answers, replies.values()))
    place = opened.settings.until if status == "paused" else ""
    spent = spending(folder.info.models, events, replies)
    return RunResult(
        status=status,
        folder=folder.path,
        outcome=ended[-1].outcome if ended else "",
        ending=ended[-1].title if ended else "",
        place=place or _place(lines) or opened.procedure.stages[0].id,
        turns=sum(isinstance(event, Spoke) for event in events),
        tokens=sum((reply.prompt_tokens or 0) + (reply.completion_tokens or 0) for reply in replies.values()) or None,
        documents=tuple(written),
        violations=len(breaches(events)),
        problems=problems,
        cited=checked.counts,
        gaps=gaps(procedure, events),
        spent=spent,
        answered=answered_otherwise(spent, folder.info.model_of, renamed),
        adjusted=adjustments(folder.times),
    )


def _played(info: RunInfo, lines: Sequence[Line]) -> Mapping[str, str]:
    by = {request: reply.by for request, reply in answers_in(lines).items() if reply.by}
    return as_played(info.models, events_in(lines), by)


def _place(lines: Sequence[Line]) -> str:
    """The place that a run came to last; "" where it has not begun."""
    return next((event.place for event in events_in(reversed(lines)) if isinstance(event, Entered)), "")
