"""A project folder and its procedures: checked, and played by models or by callables."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict, Unpack

from ..evaluation.run_store import RUN, runs_in
from ..files.project_files import unreadable
from ..model.immutable import immutable, replace
from ..models.endpoint import DEADLINE
from ..runs import catalogue, lifecycle
from ..runs.callables import Callables
from ..runs.lifecycle import RunPlan, RunResult
from ..runs.loop import Watch
from ..runs.plan import RunRequest, plan_run
from ..runs.project import Problems
from ..runs.project import open_project as opened_procedure
from .actors import Actors, Seated, seated
from .errors import LegalWorldError, got
from .limits import Budget, limits_for
from .run import Run, Runs, Stream


class PlayOptions(TypedDict, total=False):
    """How a case is played; each may be left out.

    `actors`: who plays, by role; the offline actors where nobody is named. `target`: the role under test. `options`:
    of the procedure. `fields`: fields of the case that are set otherwise. `answers`: given to the offline actors.
    `seed`, `until` (the place before which it pauses), `start` (the stage to begin with), `skip` (stages and phases
    that are left out), `profile`, `binding`. `out`: the folder of the run, `runs/PROCEDURE-CASE-N` of the project
    otherwise. `tools`: `native` or `text`, by role. `settings`: parameters of models. `budget`: `tokens` or `dollars`;
    `prices`: MODEL=IN/OUT. `deadline`: seconds for one call.
    """

    actors: Actors
    target: str
    options: Mapping[str, object]
    fields: Mapping[str, object]
    answers: Mapping[str, object]
    seed: int
    until: str
    start: str
    skip: Sequence[str]
    profile: str
    binding: str
    out: Path | str
    tools: Mapping[str, str]
    settings: Mapping[str, object]
    budget: Budget
    prices: Sequence[str]
    deadline: float


class Project:
    """A folder with `specs/` and the other folders of experts; behind it stand the files that come with the package."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __repr__(self) -> str:
        return f"Project({str(self.folder)!r})"

    @property
    def procedures(self) -> tuple[str, ...]:
        """The names of all procedures that can be played here, its own and those of the package."""
        return tuple(entry.name for entry in catalogue.catalogue(self.folder))

    def procedure(self, name: str) -> Procedure:
        """The procedure of that name, or at that path. Raises LegalWorldError where there is none, or it has errors."""
        project = got(opened_procedure(name, self.folder), self.folder)
        if project.procedure is None:
            raise LegalWorldError(project.problems, self.folder)
        entry = got(catalogue.named(name, self.folder), self.folder)
        return Procedure(self, name, catalogue.as_json(entry), project.problems)

    def check(self, word: str = ".") -> Problems:
        """All that is wrong with a procedure by its name, or with every expert file at a path; () where nothing is.

        Problems are values: `code`, `span`, `severity`; `lw.worded(problems, home=project.folder)` says them.
        """
        from ..authoring.expert_files import checked  # what opens every kind of file
        from ..authoring.procedure_problems import example_problems, tests_problems

        if word != "." and not (self.folder / word).exists():
            project = got(opened_procedure(word, self.folder), self.folder)
            tests = tests_problems(word, self.folder, project) if project.procedure is not None else ()
            return (*project.problems, *example_problems(project, self.folder), *tests)
        return tuple(problem for file in checked(word, self.folder) for problem in file.problems)

    def run(self, folder: Path | str) -> Run:
        """The run in a folder, named from the project's. Raises LegalWorldError where there is none."""
        run = Run(self.folder / folder, home=self.folder)
        _ = run.opened
        return run

    def runs(self, folder: Path | str = "runs") -> Runs:
        """All runs below a folder of the project."""
        below = self.folder / folder
        found = runs_in((below,)) if below.is_dir() else ()
        return Runs([Run(path, home=self.folder) for path in found if (path / RUN).exists()], home=self.folder)


@immutable
class Procedure:
    """A procedure without errors. `facts`: what `lw specs --json` says of it: roles, stages, options, what its cases
    must hold; `warnings`: what is odd about it."""

    project: Project
    name: str
    facts: Mapping[str, Any]
    warnings: Problems = ()

    @property
    def title(self) -> str:
        return str(self.facts["title"])

    @property
    def roles(self) -> dict[str, str]:
        """Id of each role that somebody plays -> how it is called."""
        return {role["id"]: role["title"] for role in self.facts["roles"]}

    @property
    def stages(self) -> dict[str, str]:
        """Id of each stage -> its title."""
        return {stage["id"]: stage["title"] for stage in self.facts["stages"]}

    @property
    def options(self) -> dict[str, tuple[str, ...]]:
        """What can be chosen: the name of each option -> its choices."""
        return {option["name"]: tuple(option["choices"]) for option in self.facts["options"]}

    def play(self, case: str = "", **how: Unpack[PlayOptions]) -> Run:
        """Play a case to its end, or to `until`: the example of the procedure, or the case of a name or file. `how`:
        see `PlayOptions`.

        Raises LegalWorldError where nothing can be played, RunStopped where the run stopped (an actor raised, a model
        gave no answer), RunInterrupted for Ctrl-C; the last two carry the run, which can be resumed.
        """
        return self.stream(case, **how).finish()

    async def play_async(self, case: str = "", **how: Unpack[PlayOptions]) -> Run:
        """The same, for who has an event loop. Cancelled, the run stops in order."""
        return await self.stream(case, **how).finished()

    def stream(self, case: str = "", **how: Unpack[PlayOptions]) -> Stream:
        """The same, event by event; it begins when the first event is asked for."""
        seats = seated(how.get("actors", {}))
        plan = got(_planned(self, case, how, seats), self.project.folder)
        limits = got(limits_for(plan.models, plan.profiles, how.get("budget", {}), how.get("prices", ())))
        deadline = how.get("deadline", DEADLINE)

        async def begin(watch: Watch, callables: Callables) -> RunResult | Problems:
            return await lifecycle.started_alone(plan, watch, deadline, limits=limits, callables=callables)

        return Stream(begin, seats.named, self.project.folder)


def _planned(procedure: Procedure, case: str, how: PlayOptions, seats: Seated) -> RunPlan | Problems:
    """The plan of a run; or all that is wrong with what was asked."""
    home = procedure.project.folder
    project = got(opened_procedure(procedure.name, home), home)
    if project.procedure is None:
        return project.problems
    given: Mapping[str, Any] = how
    words: Any = {name: _words(given.get(name, {})) for name in ("options", "fields", "answers", "tools", "settings")}
    texts: Any = {name: given.get(name, "") for name in ("target", "until", "start", "profile", "binding")}
    out = home / how["out"] if "out" in how else None
    asked = RunRequest(
        spec=procedure.name,
        case=case,
        models=seats.words,
        seed=how.get("seed", 0),
        skip=tuple(how.get("skip", ())),
        out=out,
        **words,
        **texts,
    )
    plan = plan_run(project, asked, home)
    if isinstance(plan, tuple):
        return plan
    return replace(plan, home=home)


def _words(values: Mapping[str, object]) -> tuple[str, ...]:
    """NAME=VALUE, as options of the command line say it."""
    return tuple(f"{name}={value}" for name, value in values.items())


def open_project(folder: Path | str = ".") -> Project:
    """The project in a folder; where it has no `specs/`, the procedures of the package can be played in it.

    Raises LegalWorldError where there is no such folder.
    """
    path = Path(folder).absolute()
    if not path.is_dir():
        number = errno.ENOTDIR if path.exists() else errno.ENOENT
        raise LegalWorldError((unreadable(str(folder), OSError(number, os.strerror(number))),))
    return Project(path)
