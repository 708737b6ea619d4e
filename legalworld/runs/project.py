"""What a command names, opened: the procedure with its templates, and the case."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..checking.check import check
from ..engine.casting import cast, unknown_names
from ..engine.interruptions import unknown_places
from ..files.project_files import Disk, Snapshot, find
from ..language import diagnose
from ..language.link.linker import link
from ..model.case import Case
from ..model.diagnostics import Diagnostic
from ..model.procedure import Procedure, places
from ..model.source import MemorySources, Sources, Span
from ..templates.template_set import TemplateSet
from .folder import digest

if TYPE_CHECKING:
    from ..binding.casefile import Data
    from ..binding.rules import Binding

Problems = tuple[Diagnostic, ...]
PROJECTS_KEPT = 8
"""Specs of stored runs that stay linked and checked while the process lives."""


@dataclass(frozen=True, slots=True, eq=False)
class Project:
    """A procedure that was found, linked and checked. `problems` may hold warnings; errors leave no procedure.

    Two are the same only when they are one: what was read twice may have changed between.
    """

    sources: Sources
    path: str
    procedure: Procedure | None
    templates: TemplateSet
    problems: Problems


def open_project(word: str, cwd: Path) -> Project | Diagnostic:
    """The procedure that `word` names. Its files are read once: a run is played from what was checked."""
    place = find("specs", word, cwd)
    if isinstance(place, Diagnostic):
        return place
    disk, path = place
    project = read_project(Snapshot(disk), path)
    return replace(project, problems=located((*project.problems, *disk.problems), disk, cwd))


def located(problems: Problems, disk: Disk, cwd: Path) -> Problems:
    """Problems with their files named as a person in `cwd` would name them."""

    def there(span: Span) -> Span:
        return replace(span, file=disk.shown(span.file, cwd))

    return tuple(replace(fault, span=there(fault.span), also=tuple(map(there, fault.also))) for fault in problems)


def read_project(sources: Sources, path: str) -> Project:
    """Link and check the procedure at a path of some sources."""
    linked = link(sources, path)
    procedure = linked.procedure
    templates = TemplateSet.of(sources, procedure) if procedure is not None else TemplateSet(sources)
    problems = linked.problems
    if procedure is not None and linked.usable:  # after an error, what is unused would only follow from it
        problems = (*problems, *check(procedure, templates))
    usable = procedure is not None and not any(problem.severity == "error" for problem in problems)
    return Project(sources, path, procedure if usable else None, templates, problems)


@dataclass(frozen=True, slots=True)
class SpecCopy:
    """The texts that a run was started with; two copies are equal when their digests are."""

    digest: str
    path: str
    texts: Mapping[str, str] = field(compare=False)


@lru_cache(maxsize=PROJECTS_KEPT)
def read_copy(copy: SpecCopy) -> Project:
    """The project of a stored run; many runs of one spec share it."""
    return read_project(MemorySources(copy.texts), copy.path)


@lru_cache(maxsize=PROJECTS_KEPT)
def spec_copy(project: Project) -> SpecCopy:
    """Every text that a run may need again: the spec's files, its templates, its document forms."""
    assert project.procedure is not None
    paths = (*project.procedure.files, *project.templates.homes, *project.templates.tables)
    texts = {path: text for path in paths if (text := project.sources.read(path)) is not None}
    return SpecCopy(digest(texts), project.path, texts)


@dataclass(frozen=True, slots=True)
class OpenedCase:
    """A case that was opened: with the bare name of its file, and of the binding it was read by ("" = none).

    `problems` are warnings.
    """

    case: Case
    file: str
    binding: str
    problems: Problems = ()


@dataclass(frozen=True, slots=True)
class CaseFile:
    """A case file that was read: its data, and the binding by which it is a case (None: the project's own format)."""

    disk: Disk
    path: str
    data: Data
    binding: Binding | None
    problems: Problems = ()


def open_case(
    project: Project, word: str, binding: str, settings: Mapping[str, str], cwd: Path
) -> OpenedCase | Problems:
    """The case that `word` names (`FILE` or `FILE#N`), bound to the procedure."""
    name, mark, number = word.partition("#")
    if mark and not number.isdecimal():
        return (diagnose.invalid_record_number(word, word=word),)
    file = open_case_file(project, name, binding, cwd)
    return file if isinstance(file, tuple) else bound_case(project, file, int(number) if mark else None, settings, cwd)


def open_case_file(project: Project, name: str, binding: str, cwd: Path) -> CaseFile | Problems:
    """The file that `name` names, read whole, with the binding that fits it."""
    from ..binding.casefile import parse_data  # `lw check` needs no case

    place = find("cases", name, cwd)
    if isinstance(place, Diagnostic):
        return (place,)
    disk, path = place
    text = disk.read(path)
    if text is None:
        return disk.problems
    data, problems = parse_data(path, text)
    if data is None:
        return located(problems, disk, cwd)
    chosen = chosen_binding(project, binding, data, cwd)
    return chosen if isinstance(chosen, tuple) else CaseFile(disk, path, data, chosen, problems)


def bound_case(
    project: Project, file: CaseFile, record: int | None, settings: Mapping[str, str], cwd: Path
) -> OpenedCase | Problems:
    """One record of a case file, bound to the procedure; `record` is its number from 1, None for the only one."""
    from ..binding.bind import bind

    procedure, path = project.procedure, file.path
    assert procedure is not None
    case, more = bind(procedure, file.data, record=record, binding=file.binding, settings=settings)
    problems = located((*file.problems, *more), file.disk, cwd)
    if case is None or any(problem.severity == "error" for problem in problems):
        return problems
    unknown = unknown_names(procedure, case)
    if unknown:
        known = tuple(who.name or who.id for who in cast(procedure, case) if who.side and not who.represents)
        where = file.data.place(()) if file.data.line else path
        return tuple(diagnose.unknown_party(where, field=field, name=name, known=known) for field, name in unknown)
    misplaced = unknown_places(procedure, case)
    if misplaced:
        among = tuple(place for place, _ in places(procedure))
        where = file.data.place(()) if file.data.line else path
        return tuple(diagnose.unknown_place(where, name=name, among=among) for name in misplaced)
    return OpenedCase(case, path.rpartition("/")[2], file.binding.name if file.binding is not None else "", problems)


def as_profile(project: Project, matter: OpenedCase, name: str) -> OpenedCase | Problems:
    """The case with its persons as a profile of their persona describes; without a name, as it is."""
    from ..binding.overrides import profiled

    assert project.procedure is not None
    if not name:
        return matter
    case = profiled(project.procedure, matter.case, name)
    return (case,) if isinstance(case, Diagnostic) else replace(matter, case=case)


def chosen_binding(project: Project, word: str, data: object, cwd: Path) -> Binding | Problems | None:
    """The binding that was named, else the only one that fits, else none (a case in the project's own format)."""
    from ..binding.bind import detect
    from ..binding.file import load_binding

    procedure = project.procedure
    assert procedure is not None
    if word:
        return binding_named(project, word, cwd)
    if isinstance(data, Mapping) and "lw" in data:
        return None
    known = []
    for path in project.sources.names("bindings"):
        if path.endswith((".yaml", ".yml")):
            loaded, _ = load_binding(project.sources, path, procedure)
            known += [loaded] if loaded is not None else []
    fitting = detect(known, data)
    if len(fitting) > 1:
        return (diagnose.ambiguous_binding("--binding", names=tuple(b.name for b in fitting)),)
    return fitting[0] if fitting else None


def binding_named(project: Project, word: str, cwd: Path) -> Binding | Problems:
    """The binding that a word names, read for the procedure."""
    from ..binding.file import load_binding

    assert project.procedure is not None
    place = find("bindings", word, cwd)
    if isinstance(place, Diagnostic):
        return (place,)
    loaded, problems = load_binding(place[0], place[1], project.procedure)
    return loaded if loaded is not None else located(problems, place[0], cwd)


def full_title(procedure: Procedure, role: str) -> str:
    """A role's title with that of whom it represents: 原告代理律师."""
    above = procedure.roles.get(procedure.roles[role].represents)
    own = procedure.roles[role].title
    return procedure.marks.of(above.title, own) if above is not None and above.title else own
