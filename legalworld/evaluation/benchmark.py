"""Models by cases: every run played, or gone on with where it stopped; then it is for evaluation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from ..model.diagnostics import Diagnostic
from ..runs.folder import plain_name
from ..runs.lifecycle import RunPlan, RunResult, resume, start
from ..runs.plan import chosen_models, chosen_options, chosen_target
from ..runs.project import OpenedCase, Problems, as_profile, open_case, open_project

Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Benchmark:
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
class PlayedBenchmark:
    """The run folders, finished or not, and why some are not."""

    folders: tuple[Path, ...]
    problems: Problems = ()
    interrupted: bool = False


def play_benchmark(asked: Benchmark, tell: Tell) -> PlayedBenchmark | Problems:
    """Play what is not played yet. A run that stops leaves the others alone; the same command goes on with it."""
    project = open_project(asked.spec, Path.cwd())
    if isinstance(project, Diagnostic):
        return (project,)
    if project.procedure is None:
        return project.problems
    options, problems = chosen_options(project.procedure, asked.options)
    target, more = chosen_target(project.procedure, asked.target)
    if problems or more:
        return (*problems, *more)
    folders: list[Path] = []
    stopped: list[Diagnostic] = []
    for case, profile in product(asked.cases or (project.procedure.example,), asked.profiles or ("",)):
        matter = open_case(project, case, asked.binding, {}, Path.cwd())
        matter = as_profile(project, matter, profile) if isinstance(matter, OpenedCase) else matter
        if not isinstance(matter, OpenedCase):
            stopped += matter
            continue
        for model in asked.models:
            for seed in range(asked.seeds):
                folder = asked.out / plain_name(model) / f"{plain_name(matter.case.id)}-{seed}"
                given = (asked.others, f"{target}={model}") if target else (model,)
                models, wrong = chosen_models(project.procedure, target, given)
                if wrong:
                    return wrong
                plan = RunPlan(project, matter, target, models, options, seed, out=folder)
                result = _played(plan, folder, asked.deadline)
                if isinstance(result, RunResult):
                    folders.append(folder)
                    stopped += result.problems
                    tell(f"{folder}  {result.status}")
                    if result.status == "interrupted":
                        return PlayedBenchmark(tuple(folders), tuple(stopped), interrupted=True)
                else:
                    stopped += result
    return PlayedBenchmark(tuple(folders), tuple(stopped))


def _played(plan: RunPlan, folder: Path, deadline: float) -> RunResult | Problems:
    if (folder / "run.yaml").is_file():
        return resume(folder, deadline=deadline)
    return start(plan, deadline=deadline)
