"""The study of how later stages depend on earlier documents: base runs, and forks in which a document is another one.

OUT/TARGET/CASE-SEED/base                    a run like any other; nothing of the study is written into it
OUT/TARGET/CASE-SEED/DOCUMENT.QUALITY        its fork, with `intervention.md` and `.json`: what was replaced by what

The same command goes on with what stopped. A fork whose document would be made differently now is refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..files import regular
from ..files.regular import write_whole
from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.json_text import read_json
from ..model.procedure import Procedure
from ..model.text import plain_name
from ..models.named.variants import settings_of
from ..runs.case_file import OpenedCase, open_case
from ..runs.journal import load
from ..runs.lifecycle import RunPlan, RunResult, resume, start
from ..runs.open_run import has_ended, open_run
from ..runs.plan import CalledWith, called_with, chosen_models, chosen_options, chosen_target
from ..runs.project import Problems, Project
from .file import Declared
from .forks import Forks
from .interventions import Quality, Replaced
from .variants import Sight, Writer, drafted_in

Tell = Callable[[str], None]
STUDY = "study.json"


@immutable
class StudyRequest:
    """What is to be studied. `targets`, `documents`, `qualities`: empty for all; `seeds` runs of each case.

    `writer`: a model that rewrites each version ("" = none); `settings`: KEY=VALUE, of those that play.
    """

    project: Project
    cases: tuple[str, ...]
    binding: str
    models: tuple[str, ...]
    targets: tuple[str, ...]
    options: Mapping[str, str]
    seeds: int
    documents: tuple[str, ...]
    qualities: tuple[str, ...]
    writer: str
    out: Path
    deadline: float
    settings: tuple[str, ...] = ()


@immutable
class Arm:
    """One replaced document: the base run and its fork, which is to be scored at `stages`."""

    target: str
    case: str
    seed: int
    document: str
    quality: str
    stages: tuple[str, ...]
    base: Path
    folder: Path


@immutable
class PlayedStudy:
    """The arms that were played to their end, and why others were not."""

    arms: tuple[Arm, ...]
    problems: Problems = ()

    @property
    def folders(self) -> tuple[Path, ...]:
        """Every run folder, base runs first among their forks."""
        return tuple(dict.fromkeys(folder for arm in self.arms for folder in (arm.base, arm.folder)))


# ---- the study -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Study:
    """A study while it is played: what is asked, and what has come of it so far."""

    asked: StudyRequest
    declared: Declared
    documents: tuple[Replaced, ...]
    qualities: tuple[Quality, ...]
    writer: Writer
    tell: Tell
    arms: list[Arm] = field(default_factory=list)
    problems: list[Diagnostic] = field(default_factory=list)


def play_study(asked: StudyRequest, declared: Declared, tell: Tell) -> PlayedStudy | Problems:
    """Play what is not played yet. A run that stops leaves the others alone; the same command goes on with it."""
    procedure = asked.project.procedure
    assert procedure is not None
    interventions = declared.interventions
    options, problems = chosen_options(procedure, asked.options)
    targets, more = _targets(procedure, asked.targets)
    writer = Writer(asked.writer, asked.deadline)
    set_for = settings_of(asked.settings)
    problems = (*problems, *more, *writer.problems(declared), *(set_for if isinstance(set_for, tuple) else ()))
    problems += _undeclared("--documents", asked.documents, interventions.documents)
    problems += _undeclared("--qualities", asked.qualities, interventions.qualities)
    problems = problems or _another(asked, declared, options)
    if problems:
        return problems
    documents = (one for name, one in interventions.documents.items() if name in (asked.documents or (name,)))
    qualities = (
        one
        for name, one in interventions.qualities.items()
        if name in asked.qualities or not (asked.qualities or one.on_demand)
    )
    study = _Study(asked, declared, tuple(documents), tuple(qualities), writer, tell)
    for target in targets:
        models, wrong = chosen_models(procedure, target, asked.models)
        if wrong:
            return wrong
        called = called_with(models, asked.settings, Path.cwd())
        if not isinstance(called, CalledWith):
            return called
        for word in asked.cases or (asked.project.example,):
            matter = open_case(asked.project, word, asked.binding, {}, Path.cwd())
            if not isinstance(matter, OpenedCase):
                study.problems += matter
                continue
            for seed in range(asked.seeds):
                plan = RunPlan(asked.project, matter, target, called.models, options, seed, profiles=called.profiles)
                _play_case(study, plan)
    return PlayedStudy(tuple(study.arms), _once(study.problems))


def _once(problems: list[Diagnostic]) -> Problems:
    """Each problem once: a template that is wrong is wrong for every case."""
    return tuple(one for index, one in enumerate(problems) if one not in problems[:index])


def _undeclared(option: str, names: tuple[str, ...], known: Mapping[str, object]) -> Problems:
    """A problem for each name of an option that the file does not have."""
    unknown = (name for name in names if name not in known)
    return tuple(diagnose.undeclared_intervention(option, name=name, known=tuple(known)) for name in unknown)


def _targets(procedure: Procedure, words: tuple[str, ...]) -> tuple[tuple[str, ...], Problems]:
    """The roles under test, each in a study of its own; all that the procedure allows when none is named."""
    chosen = [chosen_target(procedure, word) for word in words or procedure.targets]
    return tuple(dict.fromkeys(role for role, _ in chosen)), tuple(one for _, problems in chosen for one in problems)


def _another(asked: StudyRequest, declared: Declared, options: Mapping[str, str]) -> Problems:
    """Why the folder is not this study's: who plays, options, writer and file are those that it was begun with."""
    mine = {
        "procedure": asked.project.procedure.name if asked.project.procedure is not None else "",
        "models": list(asked.models),
        "options": dict(options),
        "interventions": declared.interventions.name,
        "writer": asked.writer,
        **({"settings": list(asked.settings)} if asked.settings else {}),
    }
    file = asked.out / STUDY
    try:
        there = read_json(regular.text(file))
    except FileNotFoundError:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, _json(mine))
        return ()
    except ValueError:
        there = {}
    there = there if isinstance(there, dict) else {}
    different = tuple(key for key in {**mine, **there} if mine.get(key) != there.get(key))
    return (diagnose.conflicting_study_folder(str(asked.out), keys=different),) if different else ()


def _play_case(study: _Study, plan: RunPlan) -> None:
    """One case by one target with one seed: the base run, then every fork of it."""
    case = plan.matter.case.id
    here = study.asked.out / plain_name(plan.target) / f"{plain_name(case)}-{plan.seed}"
    base = here / "base"
    if not _ended(study, base, replace(plan, out=base)):
        return
    opened = open_run(base)
    if isinstance(opened, tuple):
        study.problems += opened
        return
    for replaced in study.documents:
        point = drafted_in(opened, replaced.document, plan.target)
        if point is None:
            continue
        sight = Sight(opened, point)
        for quality in study.qualities:
            making = replaced.makings.get(quality.name)
            folder = here / f"{plain_name(replaced.document)}.{plain_name(quality.name)}"
            forks = Forks(study.declared, study.writer, study.problems)
            if making is not None and forks.made(sight, (quality, making), folder) and _ended(study, folder):
                arm = (replaced.document, quality.name, replaced.stages, base, folder)
                study.arms.append(Arm(plan.target, case, plan.seed, *arm))


def _ended(study: _Study, folder: Path, plan: RunPlan | None = None) -> bool:
    """Whether a run has come to its end, after it was played as far as it goes; one that has is not touched. With a
    plan, a run that is not there yet is begun."""
    deadline = study.asked.deadline
    if plan is not None and not (folder / "run.yaml").is_file():
        result = start(plan, deadline=deadline)
    elif has_ended(load(folder / "journal.jsonl").lines):
        return True
    else:
        result = resume(folder, deadline=deadline)
    if not isinstance(result, RunResult):
        study.problems += result
        return False
    if result.status == "interrupted":
        raise KeyboardInterrupt
    study.problems += result.problems
    study.tell(f"{folder}  {result.status}")
    return result.status == "ended"


def _json(data: Mapping[str, Any]) -> bytes:
    return (json.dumps(data, ensure_ascii=False, indent=1) + "\n").encode("utf-8")
