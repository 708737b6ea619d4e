"""From what a command says of a batch to its runs: line-ups by cases, profiles and seeds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Final

from ..engine.settings import Settings
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..models.named.catalogue import NOBODY, CalledModels, called_models
from ..models.named.profile import ModelProfile
from ..models.named.variants import settings_of, with_settings
from ..models.schemes import is_model
from ..runs.case_file import OpenedCase, as_profile
from ..runs.later_start import known_start, lacking_documents, left_out
from ..runs.lifecycle import RunPlan
from ..runs.plan import chosen_models, chosen_options, chosen_target, known_parts
from ..runs.project import Problems, Project, open_project
from .cases import cases_in
from .identity import folder_name
from .play import Job, Unplayable

COPIES: Final = ".copies"
"""The folder in that of a batch where its runs share the copies of their spec."""


@immutable
class Lineup:
    """Who plays: `others`, as `--model` says it, and `tested` the role under test ("" = one of the others).

    Runs of a line-up with a `tested` lie in a folder of its name below that of the batch. Where a procedure tests no
    role, `tested` plays them all.
    """

    others: tuple[str, ...]
    tested: str = ""

    def words(self, target: str) -> tuple[str, ...]:
        """The line-up as `--model` says it."""
        if not self.tested:
            return self.others
        return (*self.others, f"{target}={self.tested}") if target else (self.tested,)


@immutable
class BatchRequest:
    """What a command says of a batch, word for word. Each case is played by every line-up with `seeds` seeds, and once
    for each of `profiles`, with its persons as the profile describes. `settings`: as `--set-model` says them; `start`:
    the stage that runs begin at, "" for the first; `skip`: stages and phases that are left out."""

    spec: str
    cases: tuple[str, ...]
    binding: str
    lineups: tuple[Lineup, ...]
    target: str
    options: Mapping[str, str]
    profiles: tuple[str, ...]
    seeds: int
    out: Path
    settings: tuple[str, ...] = ()
    start: str = ""
    skip: tuple[str, ...] = ()


@immutable
class PlannedBatch:
    """What is the same for all runs of a batch. `models`: of each line-up, role -> backbone; `calling`: what their
    names stand for."""

    asked: BatchRequest
    cwd: Path
    project: Project
    target: str
    options: Mapping[str, str]
    models: tuple[Mapping[str, str], ...]
    calling: CalledModels = NOBODY

    @property
    def live(self) -> tuple[str, ...]:
        """The models that are called, each once."""
        names = dict.fromkeys(name for models in self.models for name in models.values())
        return tuple(name for name in names if is_model(name))

    def jobs(self) -> Iterator[Job | Unplayable]:
        """Case by case, as they are asked for. What is wrong with a case or a profile is told once for all its runs."""
        project, asked = self.project, self.asked
        assert project.procedure is not None
        words = asked.cases or (project.example,)
        for found in cases_in(project, words, asked.binding, self.cwd, start=asked.start):
            for profile in asked.profiles or ("",):
                matter = found.matter
                matter = as_profile(project, matter, profile) if isinstance(matter, OpenedCase) else matter
                where = f"{found.where} {profile}".rstrip()
                if isinstance(matter, OpenedCase):
                    for job in self._runs_of(matter, where):
                        if isinstance(job, Job):
                            job = replace(job, case=found.where, notes=found.notes)
                        yield job
                else:
                    yield Unplayable(where, matter)

    def _runs_of(self, matter: OpenedCase, where: str) -> Iterator[Job | Unplayable]:
        asked = self.asked
        later, lacking = self._begun(matter)
        skip = (*asked.skip, *(part for part in later if part not in asked.skip))
        if lacking:
            yield Unplayable(where, lacking)
            return
        for (lineup, models), seed in product(zip(asked.lineups, self.models, strict=True), range(asked.seeds)):
            folder = asked.out / folder_name(lineup.tested) if lineup.tested else asked.out
            folder /= f"{folder_name(matter.case.id)}-{seed}"
            plan = RunPlan(self.project, matter, self.target, models, self.options, seed, out=folder, skip=skip)
            plan = replace(plan, answers=matter.answers)
            yield Job(replace(plan, copies=asked.out / COPIES, profiles=self._profiles(models)), where)

    def _begun(self, matter: OpenedCase) -> tuple[tuple[str, ...], Problems]:
        """The stages that the runs of a case leave out, and what they would lack."""
        procedure = self.project.procedure
        if not self.asked.start or procedure is None:
            return (), ()
        skip = left_out(procedure, self.asked.start)
        return skip, lacking_documents(procedure, matter.case, Settings(self.target, 0, self.options, skip=skip))

    def _profiles(self, models: Mapping[str, str]) -> Mapping[str, ModelProfile]:
        """Those of one line-up, with their fallbacks."""
        found: dict[str, ModelProfile] = {}
        waiting = [*models.values()]
        while waiting:
            name = waiting.pop()
            if name in self.calling.profiles and name not in found:
                found[name] = self.calling.profiles[name]
                waiting += found[name].fallbacks
        return dict(sorted(found.items()))


def planned(asked: BatchRequest, cwd: Path) -> PlannedBatch | Problems:
    """A batch whose spec, options and models are known to be in order; else all that is wrong with them."""
    project = open_project(asked.spec, cwd)
    if isinstance(project, Diagnostic):
        return (project,)
    if project.procedure is None:
        return project.problems
    options, problems = chosen_options(project.procedure, asked.options)
    target, more = chosen_target(project.procedure, asked.target)
    problems += (*more, *known_start(project.procedure, asked.start))
    problems += known_parts(project.procedure, asked.skip, "--skip")
    models: list[Mapping[str, str]] = []
    for lineup in asked.lineups if not more else ():
        chosen, wrong = chosen_models(project.procedure, target, lineup.words(target))
        problems += wrong
        models.append(chosen)
    set_for = settings_of(asked.settings)
    if problems or isinstance(set_for, tuple):
        return (*problems, *(set_for if isinstance(set_for, tuple) else ()))
    calling = called_models((name for chosen in models for name in chosen.values()), cwd, "--model")
    if isinstance(calling, tuple):
        return calling
    known: dict[str, ModelProfile] = dict(calling.profiles)
    for number, lineup_models in enumerate(models):
        models[number], known = with_settings(lineup_models, known, set_for)
    calling = CalledModels(known, calling.warnings)
    return PlannedBatch(asked, cwd, project, target, options, tuple(models), calling)


def plan_batch(asked: BatchRequest, cwd: Path) -> Iterator[Job | Unplayable] | Problems:
    """The runs of a batch, made one by one as they are asked for; else all that is wrong with what was said of all."""
    plan = planned(asked, cwd)
    return plan.jobs() if isinstance(plan, PlannedBatch) else plan
