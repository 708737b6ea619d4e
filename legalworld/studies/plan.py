"""From the points of a study to batches: what is played of each, where its runs lie, and why others cannot be played.

A folder of runs is called after all that makes them but case and seed: conditions that say the same share their runs,
and what is still wanted after a change of the file stays.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from hashlib import blake2b
from pathlib import Path
from typing import Final, Literal

from ..batch.identity import folder_name
from ..batch.jobs import BatchRequest, Lineup
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..runs.project import Problems, Project, open_project
from .case_sets import CaseFinder, FoundCases, StudyCase, related
from .definition import StudyCondition, StudyPoint
from .open import OpenStudy, files_of
from .project_check import taken_away
from .words import DOCUMENT, MINUS, QUALITY, REPLACES, listed, meant

RUNS: Final = "runs"
Why = Literal["", "needs", "procedure", "model", "cases"]


@immutable
class PlannedPoint:
    """A point with its cases. `sets`: case id -> the sets that it is of; `requests`: the batches that play it; `why`:
    in a word why nothing is played, `what`: what is lacking."""

    point: StudyPoint
    seeds: int
    folder: Path = Path()
    cases: tuple[StudyCase, ...] = ()
    sets: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    requests: tuple[BatchRequest, ...] = ()
    why: Why = ""
    what: str = ""
    problems: Problems = ()

    @property
    def wanted(self) -> tuple[tuple[StudyCase, int, Path], ...]:
        """Return every run that it is to have: its case, its seed, and its folder."""
        return tuple((one, seed, self.run(one, seed)) for one in self.cases for seed in range(self.seeds))

    @property
    def forked(self) -> bool:
        """Whether its runs are forks of others, in which a document is another one."""
        return REPLACES in self.point.facts

    def run(self, one: StudyCase, seed: int) -> Path:
        """Return the folder of a run."""
        base, facts = self.base_run(one, seed), self.point.facts
        if not self.forked:
            return base
        home = self.folder.with_name(f"{self.folder.name}.{folder_name(facts[REPLACES])}")
        return home / base.relative_to(self.folder) / folder_name(f"{facts[DOCUMENT]}.{facts[QUALITY]}")

    def base_run(self, one: StudyCase, seed: int) -> Path:
        """Return the folder of the run as it is without another document."""
        profile = self.point.facts.get("profile", "")
        case = f"{one.case.id}@{profile}" if profile else one.case.id
        tested = self.requests[0].lineups[0].tested if self.requests else ""
        home = self.folder / folder_name(tested) if tested else self.folder
        return home / f"{folder_name(case)}-{seed}"


@immutable
class StudyPlan:
    """What a study plays. `problems`: what is to be told of its cases; `sets`: gives all cases of a set, whatever is
    played of it."""

    opened: OpenStudy
    points: tuple[PlannedPoint, ...]
    problems: Problems = ()
    sets: Callable[[str], FoundCases] = lambda _: FoundCases()


class _Planner:
    """Plans the points of a study; `most`: cases of a set at most, 0 for all."""

    def __init__(self, opened: OpenStudy, out: Path, most: int) -> None:
        self.opened = opened
        self.out = out
        self.most = most
        self.root = opened.root
        self._projects: dict[str, Project | None] = {}
        self._finders: dict[str, CaseFinder] = {}

    def points(self) -> Iterator[PlannedPoint]:
        for condition in self.opened.study.conditions.values():
            for point in condition.points:
                yield self._planned(condition, point)

    def _planned(self, condition: StudyCondition, point: StudyPoint) -> PlannedPoint:
        if condition.needs:
            return PlannedPoint(point, condition.seeds, why="needs", what=condition.needs)
        name = point.facts["procedure"]
        project = self._project(name)
        if project is None or project.procedure is None:
            return PlannedPoint(point, condition.seeds, why="procedure", what=name)
        lacking = next((one for one in _models_of(point) if not self._bound(one)), "")
        if lacking:
            return PlannedPoint(point, condition.seeds, why="model", what=lacking)
        finder = self._finders.setdefault(name, self._finder(project))
        found = {word.text: self._first(finder.cases(word.text)) for word in condition.cases}
        needs = next((one.needs for one in found.values() if one.needs), "")
        if needs:
            return PlannedPoint(point, condition.seeds, why="cases", what=needs)
        return self._whole(condition, point, found, project.procedure)

    def all_cases(self, name: str) -> FoundCases:
        """Return the cases of a set, bound for a procedure that is played with them, with a set that is made of the
        same ones, or with one that is read by the same binding; else for the first of the study whose cases they are.
        """
        sets = self.opened.study.cases
        binding = sets[name].binding
        alike = frozenset(
            one.name for one in sets.values() if binding and one.binding and one.binding.text == binding.text
        )
        for names in (related(name, sets), alike):
            for finder in self._finders_of(names):
                return finder.cases(name)
        every = [finder.cases(name) for finder in self._finders_of(None)]
        whole = (found for found in every if found.cases and all(one.severity != "error" for one in found.problems))
        return next(whole, FoundCases(needs=name))

    def _finders_of(self, names: frozenset[str] | None) -> Iterator[CaseFinder]:
        """Of each procedure that is played with one of these sets (None: with any), what reads cases for it."""
        for condition in self.opened.study.conditions.values():
            word = condition.word("procedure")
            if word is None or (names is not None and not names.intersection(each.text for each in condition.cases)):
                continue
            project = self._project(word.text)
            if project is not None and project.procedure is not None:
                yield self._finders.setdefault(word.text, self._finder(project))

    def _first(self, found: FoundCases) -> FoundCases:
        return FoundCases(found.cases[: self.most or None], found.problems, found.needs)

    def _whole(
        self, condition: StudyCondition, point: StudyPoint, found: Mapping[str, FoundCases], procedure: Procedure
    ) -> PlannedPoint:
        cases: dict[str, StudyCase] = {}
        sets: dict[str, tuple[str, ...]] = {}
        for name, part in found.items():
            for one in part.cases:
                cases.setdefault(one.case.id, one)
                sets[one.case.id] = (*sets.get(one.case.id, ()), name)
        bindings = dict.fromkeys(one.binding for one in cases.values())
        words = {name: [one.word for one in cases.values() if one.binding == name] for name in bindings}
        requests = tuple(
            self._request(point, procedure, condition.seeds, (name, those)) for name, those in words.items()
        )
        problems = tuple(problem for part in found.values() for problem in part.problems)
        folder = requests[0].out if requests else Path()
        return PlannedPoint(point, condition.seeds, folder, tuple(cases.values()), sets, requests, problems=problems)

    def _request(
        self, point: StudyPoint, procedure: Procedure, seeds: int, cases: tuple[str, Sequence[str]]
    ) -> BatchRequest:
        facts = point.facts
        options = _named(facts, "option")
        away, skip = taken_away(procedure, [one for one in listed(facts.get(MINUS, "")) if not meant("nothing", one)])
        roles = tuple(f"{role}={self._backbone(one)}" for role, one in _named(facts, "model").items())
        whole = facts.get("others", facts.get("model", ""))
        others = ((self._backbone(whole),) if whole else ()) + roles
        tested = self._backbone(facts["model"]) if "model" in facts and "others" in facts else ""
        settings = tuple(f"{name}={value}" for name, value in _named(facts, "parameter").items())
        binding, words = cases
        profiles = (facts["profile"],) if "profile" in facts else ()
        told = [facts["procedure"], others, tested, facts.get("target", ""), sorted({**options, **away}.items())]
        key = json.dumps([*told, settings, skip, profiles], ensure_ascii=False)
        digest = blake2b(key.encode("utf-8", "surrogatepass"), digest_size=4).hexdigest()
        return BatchRequest(
            facts["procedure"],
            tuple(words),
            binding,
            (Lineup(others, tested),),
            facts.get("target", ""),
            {**options, **away},
            profiles,
            seeds,
            self.out / RUNS / f"{folder_name(facts['procedure'])}-{digest}",
            settings,
            skip=skip,
        )

    def _backbone(self, name: str) -> str:
        """What plays under a name of the study."""
        word = self.opened.study.models.get(name)
        return (word.text if word is not None else "") or name

    def _bound(self, name: str) -> bool:
        return self.opened.around.bound(self._backbone(name))

    def _project(self, name: str) -> Project | None:
        if name not in self._projects:
            found = open_project(name, self.root)
            self._projects[name] = None if isinstance(found, Diagnostic) else found
        return self._projects[name]

    def _finder(self, project: Project) -> CaseFinder:
        disk = self.opened.disk
        return CaseFinder(self.opened.study, project, disk, lambda word: files_of(word, disk, self.root))


def plan_study(opened: OpenStudy, out: Path, most: int = 0) -> StudyPlan:
    """Return what a study plays, and of what nothing can be played; nothing is called and nothing written."""
    planner = _Planner(opened, out, most)
    points = tuple(planner.points())
    problems = dict.fromkeys(problem for point in points for problem in point.problems)
    return StudyPlan(opened, points, tuple(problems), planner.all_cases)


def _models_of(point: StudyPoint) -> tuple[str, ...]:
    named = [value for fact, value in point.facts.items() if fact == "others" or fact.partition(" ")[0] == "model"]
    return tuple(dict.fromkeys(named))


def _named(facts: Mapping[str, str], kind: str) -> dict[str, str]:
    """The facts of a kind that have names, by these: `option memory` is the option `memory`."""
    return {fact.removeprefix(f"{kind} "): value for fact, value in facts.items() if fact.startswith(f"{kind} ")}
