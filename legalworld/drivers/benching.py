"""Models by cases: every run played, or gone on with where it stopped; then it is for evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from ..adapters.runfolder import plain_name
from ..model.source import Problem
from .project import Matter, Problems, as_profile, chosen_models, chosen_options, chosen_target, open_case, open_project
from .running import Plan, Result, resume, start

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Bench:
    """What is to be played. `models` play the target, `others` everybody else; each case with `seeds` seeds, and once
    for each of `profiles`, with its persons as the profile describes."""

    spec: str
    cases: tuple[str, ...]
    binding: str
    models: tuple[str, ...]
    others: str
    target: str
    options: Mapping[str, str]
    profiles: tuple[str, ...]
    seeds: int
    out: Path
    deadline: float


@dataclass(frozen=True, slots=True)
class Played:
    """The run folders, finished or not, and why some are not."""

    folders: tuple[Path, ...]
    problems: Problems = ()
    interrupted: bool = False


def play_all(asked: Bench, tell: Tell) -> Played | Problems:
    """Play what is not played yet. A run that stops leaves the others alone; the same command goes on with it."""
    project = open_project(asked.spec, Path.cwd())
    if isinstance(project, Problem):
        return (project,)
    if project.procedure is None:
        return project.problems
    options, problems = chosen_options(project.procedure, asked.options)
    target, more = chosen_target(project.procedure, asked.target)
    if problems or more:
        return (*problems, *more)
    folders: list[Path] = []
    stopped: list[Problem] = []
    for case, profile in product(asked.cases or (project.procedure.example,), asked.profiles or ("",)):
        matter = open_case(project, case, asked.binding, {}, Path.cwd())
        matter = as_profile(project, matter, profile) if isinstance(matter, Matter) else matter
        if not isinstance(matter, Matter):
            stopped += matter
            continue
        for model in asked.models:
            for seed in range(asked.seeds):
                folder = asked.out / plain_name(model) / f"{plain_name(matter.case.id)}-{seed}"
                given = (asked.others, f"{target}={model}") if target else (model,)
                models, wrong = chosen_models(project.procedure, target, given)
                if wrong:
                    return wrong
                plan = Plan(project, matter, target, models, options, seed, out=folder)
                result = _played(plan, folder, asked.deadline)
                if isinstance(result, Result):
                    folders.append(folder)
                    stopped += result.problems
                    tell(f"{folder}  {result.status}")
                    if result.status == "interrupted":
                        return Played(tuple(folders), tuple(stopped), interrupted=True)
                else:
                    stopped += result
    return Played(tuple(folders), tuple(stopped))


def _played(plan: Plan, folder: Path, deadline: float) -> Result | Problems:
    if (folder / "run.yaml").is_file():
        return resume(folder, deadline=deadline)
    return start(plan, deadline=deadline)
