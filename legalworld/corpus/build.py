"""`lw corpus build`: the steps one after another, each from the file of the one before to its own.

A step whose files are whole, and were made from the same input by the same settings, is not done again.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from ..batch.cases import BatchCase
from ..batch.data_check import opened_for
from ..batch.record import HOLDER, LOCK
from ..batch.warned import WarningCounts
from ..binding.casefile import parse_line
from ..files import regular
from ..files.project_files import Disk, unreadable
from ..files.regular import write_whole
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..models.failures import ModelFailed
from ..models.litellm_client import refusal
from ..models.named.catalogue import NOBODY, called_models
from ..models.named.profile import ModelProfile, profile_of
from ..runs.case_file import CaseFile, OpenedCase, bound_case
from ..runs.project import Problems, Project, open_project
from ..wording.diagnostics import message
from . import duplicates
from .bands import with_bands, with_splits
from .bound import bound_cases
from .clean import clean
from .extract import extracted
from .identify import identify
from .masks import masked
from .model_reader import FOLDER, ModelReader
from .own_words import layout
from .pairs import paired
from .persona import cause_of, with_personas
from .questions import with_questions
from .records import WARNED, CorpusRequest, Dropped, Outcome, Records, Row, StepNotes, line_of
from .source import KINDS, files_of, judgments_of, records_in
from .step_files import StepDone, StepFiles, digest_of, file_digest

VERSION: Final = 2  # of what the steps make: a higher one has them all done again
REQUEST: Final = "corpus.json"
Tell = Callable[[StepDone, bool], None]  # a step that is done, and whether it was done before


@immutable
class CorpusStep:
    """`settings`: what of the request its result depends on."""

    name: str
    run: Callable[[Records, CorpusRequest, Project, StepNotes], Iterator[Outcome]]
    settings: Callable[[CorpusRequest], Any] = lambda asked: None


def _each(change: Callable[[Row], Outcome]) -> Callable[..., Iterator[Outcome]]:
    return lambda records, asked, project, notes: map(change, records())


def _reader(asked: CorpusRequest) -> ModelReader | None:
    """Who is asked for what rules do not find."""
    profile = _called(asked)
    return ModelReader(profile, asked.out / FOLDER, asked.deadline) if profile is not None else None


def _called(asked: CorpusRequest) -> ModelProfile | None:
    """What the name of the model stands for."""
    called = called_models((asked.model,), asked.cwd, "--model") if asked.model else NOBODY
    return None if not asked.model or isinstance(called, tuple) else profile_of(asked.model, called.profiles)


def _asked_of(asked: CorpusRequest) -> str:
    """What the steps that ask a model depend on: its name, and what the name stands for where that is another."""
    profile = _called(asked)
    return asked.model if profile is None or profile.plain else json.dumps([asked.model, profile.recorded])


def _sizes(asked: CorpusRequest) -> dict[str, tuple[int, int]]:
    return {"medium": asked.medium, "light": asked.light}


STEPS: Final = (
    CorpusStep(
        "read", lambda records, asked, project, notes: _read(asked, project, notes), lambda asked: asked.binding
    ),
    CorpusStep("clean", _each(clean)),
    CorpusStep("identify", _each(identify)),
    CorpusStep(
        "dedupe",
        lambda records, asked, project, notes: duplicates.once(records, asked.near, notes),
        lambda asked: asked.near,
    ),
    CorpusStep("pair", lambda records, asked, project, notes: paired(records, notes)),
    CorpusStep(
        "extract",
        lambda records, asked, project, notes: extracted(records(), _reader(asked), notes),
        _asked_of,
    ),
    CorpusStep("mask", _each(masked)),
    CorpusStep(
        "persona",
        lambda records, asked, project, notes: with_personas(records, asked.seed, notes),
        lambda asked: asked.seed,
    ),
    CorpusStep(
        "ask",
        lambda records, asked, project, notes: with_questions(records, _reader(asked), notes),
        _asked_of,
    ),
    CorpusStep("bands", lambda records, asked, project, notes: with_bands(records, notes)),
    CorpusStep(
        "splits",
        lambda records, asked, project, notes: with_splits(records, _sizes(asked), asked.seed, notes),
        lambda asked: [asked.seed, _sizes(asked)],
    ),
    CorpusStep("cases", lambda records, asked, project, notes: _checked(records, asked, project)),
)
NAMES: Final = tuple(step.name for step in STEPS)
# Steps that may be left out.
OPTIONAL: Final = frozenset(
    {"clean", "dedupe", "mask", "persona", "ask", "bands", "splits"}
)  # the others cannot be left out


def files_in(folder: Path) -> list[StepFiles]:
    return [StepFiles(folder, number, name) for number, name in enumerate(NAMES, 1)]


def build(asked: CorpusRequest, tell: Tell) -> list[StepDone] | Problems:
    """Do what is left to be done, up to the step that was asked for."""
    problems = _unfit(asked)
    project = problems or _project(asked)
    if isinstance(project, tuple):
        return project
    try:
        asked.out.mkdir(parents=True, exist_ok=True)
        return _steps(asked, project, tell)
    except ModelFailed as failed:
        return (failed.at("--model"),)
    except OSError as error:
        return (unreadable(str(error.filename or asked.out), error),)


def _unfit(asked: CorpusRequest) -> Problems:
    """Why nothing can be built."""
    for option, names in (("--until", (asked.until,) if asked.until else ()), ("--steps", asked.steps)):
        for name in names:
            if name not in NAMES:
                return (diagnose.unknown_corpus_step(option, name=name, known=NAMES),)
    missing = [word for word in asked.sources if not os.path.lexists(asked.cwd / word)]
    if missing and not asked.binding:
        return tuple(diagnose.missing_path(word) for word in missing)
    if asked.model:
        called = called_models((asked.model,), asked.cwd, "--model")
        if isinstance(called, tuple):
            return called
        if (failed := refusal(called.endpoint(asked.model, asked.deadline))) is not None:
            return (failed.at("--model"),)
    if asked.near:
        try:
            duplicates.library()
        except ImportError:
            return (diagnose.missing_extra("--near", library=duplicates.LIBRARY, extra="corpus"),)
    inside = [one.name for one in asked.out.iterdir() if one.name not in (LOCK, HOLDER)] if asked.out.exists() else []
    if inside and REQUEST not in inside:
        return (diagnose.folder_not_empty(str(asked.out), path=str(asked.out)),)
    return ()


def _project(asked: CorpusRequest) -> Project | Problems:
    """The procedure that the cases are for: that of the binding, else the one whose judgments are read."""
    if asked.binding:
        opened = opened_for(asked.binding, asked.cwd)
        if isinstance(opened, tuple):
            return opened
        name = opened.binding.name
        fits = opened.project.procedure is not None and layout().procedure in opened.project.procedure.names
        return opened.project if fits else (diagnose.binding_not_civil("--binding", binding=name),)
    project = open_project(layout().procedure, asked.cwd)
    if isinstance(project, Diagnostic):
        return (project,)
    return project if project.procedure is not None else project.problems


def _steps(asked: CorpusRequest, project: Project, tell: Tell) -> list[StepDone] | Problems:
    _remember(asked)
    steps: list[StepDone] = []
    before = Records(asked.out / "none")
    given = digest_of([(name, file_digest(path)) for name, path in files_of(asked.sources, asked.cwd)])
    for step, files in zip(STEPS, files_in(asked.out), strict=True):
        if asked.steps and step.name in OPTIONAL - {*asked.steps}:
            files.mark.unlink(missing_ok=True)
            continue
        settings = digest_of([VERSION, step.name, given, step.settings(asked)])
        done = files.done(settings)
        again = done is not None
        if done is None:
            notes = StepNotes()
            done = files.write(step.run(before, asked, project, notes), settings, notes)
        steps.append(done)
        tell(done, again)
        if step.name == NAMES[0] and (problems := _too_many(asked, done)):
            return problems
        if step.name == asked.until:
            break
        before, given = Records(files.kept), done.digest
    else:
        _publish(asked, before)
    return steps


def _remember(asked: CorpusRequest) -> None:
    told = {
        "sources": list(asked.sources),
        "binding": asked.binding,
        "model": asked.model,
        "licence": asked.licence,
        "near": asked.near,
        "steps": [name for name in NAMES if not asked.steps or name in asked.steps or name not in OPTIONAL],
        "seed": asked.seed,
        "splits": {name: list(size) for name, size in _sizes(asked).items()},
    }
    write_whole(asked.out / REQUEST, (json.dumps(told, ensure_ascii=False, indent=1) + "\n").encode("utf-8"))


def _too_many(asked: CorpusRequest, done: StepDone) -> Problems:
    """Whether more records could not be read than were allowed."""
    if not done.taken:
        sources = tuple(diagnose.no_readable_file(word, path=word, known=KINDS) for word in asked.sources)
        return sources or (diagnose.no_readable_file("--binding", path=asked.binding, known=KINDS),)
    failed = sum(done.fallen.values())
    if failed <= asked.allow_failed * done.taken:
        return ()
    return (
        diagnose.unreadable_records(
            str(asked.out), failed=failed, records=done.taken, allowed=f"{asked.allow_failed * 100:g}%"
        ),
    )


# ---- first and last step ---------------------------------------------------------------------------------------------


def _read(asked: CorpusRequest, project: Project, notes: StepNotes) -> Iterator[Outcome]:
    """The judgments of the sources, or the cases that a binding takes out of them; what it warns of is noted."""
    if asked.binding:
        warned = WarningCounts()
        for where, one in bound_cases(asked, project, warned):
            yield _failed(where, one.matter) if isinstance(one, BatchCase) else one  # type: ignore[arg-type]
        notes.values = {WARNED: warned.row()}
        return
    for name, path in files_of(asked.sources, asked.cwd):
        for where, record in records_in(name, path):
            found = record if isinstance(record, Diagnostic) else judgments_of(where, record)
            if isinstance(found, Diagnostic):
                yield _failed(where, (found,))
            else:
                yield from found


def _failed(where: str, problems: Iterable[Diagnostic]) -> Dropped:
    problem = next(iter(problems))
    return Dropped(where, problem.code, " / ".join((message(problem, "zh"), message(problem, "en"))))


def _checked(records: Records, asked: CorpusRequest, project: Project) -> Iterator[Outcome]:
    """The cases that the procedure takes, checked as any case file is; with the warnings that each has."""
    disk = Disk(None)
    known: dict[str, str] = {}
    for number, row in enumerate(records(), 1):
        name = str(row["case"]["case"])
        if known.setdefault(name, row["id"]) != row["id"]:
            yield Dropped(row["id"], "same_id", name, known[name])
            continue
        data, problems = parse_line(str(row["id"]), number, line_of(row["case"]))
        opened = (
            bound_case(project, CaseFile(disk, str(row["id"]), data, None), 1, {}, asked.cwd)
            if data is not None
            else problems
        )
        if not isinstance(opened, OpenedCase):
            yield _failed(row["id"], opened)
            continue
        warned = sorted({problem.code for problem in opened.problems})
        yield row | ({"warned": warned} if warned else {})


CASES: Final = "cases.jsonl"
INDEX: Final = "index.jsonl"


def _publish(asked: CorpusRequest, records: Records) -> None:
    """The cases as case files, one a line, and beside them what is known of each."""
    parts = [asked.out / f".{name}.part" for name in (CASES, INDEX)]
    with (
        regular.text_writer(parts[0]) as cases,
        regular.text_writer(parts[1]) as index,
    ):
        for row in records():
            cases.write(line_of(row["case"]))
            told = {key: value for key, value in row.items() if key not in ("case", "kind")}
            index.write(line_of({**told, "cause": cause_of(row["case"])}))
    for part, name in zip(parts, (CASES, INDEX), strict=True):
        regular.put(part, asked.out / name)
