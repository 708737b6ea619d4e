"""What a command names as a procedure, opened: linked, with its templates, and checked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from ..files.digest import digest
from ..files.project_files import PACKAGE, Disk, Snapshot, find, name_of
from ..files.template_shelf import serve_templates
from ..language import diagnose
from ..language.link.linker import link
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.source import MemorySources, Sources, Span
from ..templates.template_set import TemplateSet
from .norm_sets import norm_files

Problems = tuple[Diagnostic, ...]
PROJECTS_KEPT = 8
"""Specs of stored runs that stay linked and checked while the process lives."""


@immutable
class Origin:
    """Where a procedure was read from. `folder`: that of the project, "" where the file came with the package; `only`:
    the project is the one that the package itself is run from, so that no other file could have been meant."""

    file: str
    folder: str
    only: bool


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

    @property
    def example(self) -> str:
        """The case that is played where none is named, as a command would name it; "" for none."""
        return name_of("cases", self.procedure.example) if self.procedure is not None else ""


def open_project(word: str, cwd: Path) -> Project | Diagnostic:
    """The procedure that `word` names. Its files are read once: a run is played from what was checked."""
    place = find("specs", word, cwd)
    if isinstance(place, Diagnostic):
        return place
    disk, path = place
    project = read_project(Snapshot(disk), path)
    if borrowed := _borrowed(project, disk):
        project = replace(project, procedure=None, problems=(*project.problems, *borrowed))
    if not project.problems and not disk.problems:
        return project
    if any(one.severity == "error" for one in disk.problems):  # it would be taken from elsewhere, or left out
        project = replace(project, procedure=None)
    return replace(project, problems=located((*project.problems, *disk.problems), disk, cwd))


def origin_named(word: str, cwd: Path) -> Origin | None:
    """Where the procedure that a word names is read from; None where it names none."""
    place = find("specs", word, cwd)
    return None if isinstance(place, Diagnostic) else origin_of(*place)


def origin_of(disk: Disk, path: str) -> Origin:
    """Where a file of a project was read from."""
    root = disk.root if disk.root is not None and not disk.built_in(path) else None
    return Origin(path, str(root or ""), root is not None and root.resolve() == PACKAGE.resolve())


def _borrowed(project: Project, disk: Disk) -> Problems:
    """Why a procedure of one's own may not have the name of a built-in one: whatever wording it does not bring along
    would be that of the other. A copy of the built-in file is no other procedure."""
    procedure, origin = project.procedure, origin_of(disk, project.path)
    if procedure is None or not origin.folder or origin.only:
        return ()
    shipped = Disk(None)
    if shipped.read(project.path) == project.sources.read(project.path):
        return ()
    own = re.compile(rf"(prompts|documents)/[^/]+/{re.escape(procedure.name)}/")
    lent = tuple(home for home in project.templates.homes if own.match(home) and disk.built_in(home))
    if not lent:
        return ()
    return (diagnose.borrowed_wording(project.path, name=procedure.name, count=len(lent), example=lent[0]),)


def located(problems: Problems, disk: Disk, cwd: Path) -> Problems:
    """Problems with their files named as a person in `cwd` would name them."""

    def there(span: Span) -> Span:
        return replace(span, file=disk.shown(span.file, cwd))

    return tuple(replace(fault, span=there(fault.span), also=tuple(map(there, fault.also))) for fault in problems)


def read_project(sources: Sources, path: str) -> Project:
    """Link and check the procedure at a path of some sources."""
    serve_templates()
    linked = link(sources, path)
    procedure = linked.procedure
    templates = TemplateSet.of(sources, procedure) if procedure is not None else TemplateSet(sources)
    problems = linked.problems
    if procedure is not None:
        from ..checking.check import check, check_apart  # what cannot be linked is said before the rules are loaded

        if linked.usable:  # after an error, what is unused would only follow from it
            problems = (*problems, *check(procedure, templates))
        else:
            problems = (*problems, *check_apart(procedure, templates, problems))
    usable = procedure is not None and not any(problem.severity == "error" for problem in problems)
    return Project(sources, path, procedure if usable else None, templates, problems)


@immutable
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
    """Every text that a run may need again: the spec's files, its templates, its document forms, its norms."""
    assert project.procedure is not None
    paths = (
        *project.procedure.files,
        *project.templates.homes,
        *project.templates.tables,
        *norm_files(project.sources, project.procedure),
    )
    texts = {path: text for path in paths if (text := project.sources.read(path)) is not None}
    return SpecCopy(digest(texts), project.path, texts)


def full_title(procedure: Procedure, role: str) -> str:
    """A role's title with that of whom it represents: 原告代理律师."""
    above = procedure.roles.get(procedure.roles[role].represents)
    own = procedure.roles[role].title
    return procedure.marks.of(above.title, own) if above is not None and above.title else own
