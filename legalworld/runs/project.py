"""What a command names, opened: the procedure with its templates, the case, the options of a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..checking.check import check
from ..engine.casting import cast, unknown_names
from ..files.project_files import Disk, Snapshot, find
from ..language import diagnose
from ..language.link.linker import link
from ..language.sentences.keywords import as_choice
from ..language.spelling import nearest
from ..model.case import Case
from ..model.diagnostics import Diagnostic
from ..model.procedure import Procedure, steps_in
from ..model.source import MemorySources, Sources, Span
from ..templates.template_set import TemplateSet

if TYPE_CHECKING:
    from ..binding.rules import Binding

Problems = tuple[Diagnostic, ...]
PROJECTS_KEPT = 8
"""Specs of stored runs that stay linked and checked while the process lives."""


@dataclass(frozen=True, slots=True)
class Project:
    """A procedure that was found, linked and checked. `problems` may hold warnings; errors leave no procedure."""

    sources: Sources
    path: str
    procedure: Procedure | None
    templates: TemplateSet
    problems: Problems


def open_project(word: str, cwd: Path) -> Project | Diagnostic:
    """The procedure that `word` names. Its files are read once: a run is played from what was checked."""
    found = find("specs", word, cwd)
    if isinstance(found, Diagnostic):
        return found
    disk, path = found
    project = read_project(Snapshot(disk), path)
    return replace(project, problems=located((*project.problems, *disk.problems), disk, cwd))


def located(problems: Problems, disk: Disk, cwd: Path) -> Problems:
    """Problems with their files named as a person in `cwd` would name them."""

    def there(span: Span) -> Span:
        return replace(span, file=disk.shown(span.file, cwd))

    return tuple(replace(one, span=there(one.span), also=tuple(map(there, one.also))) for one in problems)


def read_project(sources: Sources, path: str) -> Project:
    """Link and check the procedure at a path of some sources."""
    linked = link(sources, path)
    procedure = linked.procedure
    templates = TemplateSet(
        sources, locale=procedure.locale if procedure else "zh", procedure=procedure.name if procedure else ""
    )
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


def used_texts(project: Project) -> dict[str, str]:
    """Path -> every text that a run may need again: the spec's files, its templates, its document forms."""
    assert project.procedure is not None
    paths = (*project.procedure.files, *project.templates.homes)
    return {path: text for path in paths if (text := project.sources.read(path)) is not None}


@dataclass(frozen=True, slots=True)
class OpenedCase:
    """A case that was opened: with the bare name of its file, and of the binding it was read by ("" = none).

    `problems` are warnings.
    """

    case: Case
    file: str
    binding: str
    problems: Problems = ()


def open_case(
    project: Project, word: str, binding: str, settings: Mapping[str, str], cwd: Path
) -> OpenedCase | Problems:
    """The case that `word` names (`FILE` or `FILE#N`), bound to the procedure."""
    from ..binding.bind import bind
    from ..binding.casefile import parse_data  # `lw check` needs no case

    assert project.procedure is not None
    name, mark, number = word.partition("#")
    if mark and not number.isdecimal():
        return (diagnose.invalid_record_number(word, word=word),)
    found = find("cases", name, cwd)
    if isinstance(found, Diagnostic):
        return (found,)
    disk, path = found
    text = disk.read(path)
    if text is None:
        return disk.problems
    data, problems = parse_data(path, text)
    if data is None:
        return located(problems, disk, cwd)
    chosen = _binding(project, project.procedure, binding, data, cwd)
    if isinstance(chosen, tuple):
        return chosen
    case, more = bind(project.procedure, data, record=int(number) if mark else None, binding=chosen, settings=settings)
    problems = located((*problems, *more), disk, cwd)
    if case is None or any(problem.severity == "error" for problem in problems):
        return problems
    unknown = unknown_names(project.procedure, case)
    if unknown:
        known = tuple(one.name or one.id for one in cast(project.procedure, case) if one.side and not one.represents)
        return tuple(diagnose.unknown_party(path, field=field, name=name, known=known) for field, name in unknown)
    return OpenedCase(case, path.rpartition("/")[2], chosen.name if chosen is not None else "", problems)


def as_profile(project: Project, matter: OpenedCase, name: str) -> OpenedCase | Problems:
    """The case with its persons as a profile of their persona describes; without a name, as it is."""
    from ..binding.overrides import profiled

    assert project.procedure is not None
    if not name:
        return matter
    case = profiled(project.procedure, matter.case, name)
    return (case,) if isinstance(case, Diagnostic) else replace(matter, case=case)


def _binding(project: Project, procedure: Procedure, word: str, data: object, cwd: Path) -> Binding | Problems | None:
    """The binding that was named, else the only one that fits, else none (a case in the project's own format)."""
    from ..binding.bind import detect
    from ..binding.file import load_binding

    if word:
        found = find("bindings", word, cwd)
        if isinstance(found, Diagnostic):
            return (found,)
        loaded, problems = load_binding(found[0], found[1], procedure)
        return loaded if loaded is not None else located(problems, found[0], cwd)
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


def chosen_options(procedure: Procedure, given: Mapping[str, str]) -> tuple[dict[str, str], Problems]:
    """Every option of the procedure with its value: the default, or what was given."""
    values = {name: option.default for name, option in procedure.options.items()}
    problems: list[Diagnostic] = []
    for name, value in given.items():
        option = procedure.options.get(name)
        if option is None:
            problems.append(diagnose.unknown_option("--option", name=name, known=tuple(procedure.options)))
        elif as_choice(value, option.choices) not in option.choices:
            problems.append(
                diagnose.unknown_option_choice(
                    "--option", name=name, value=value, known=option.choices, nearest=nearest(value, option.choices)
                )
            )
        else:
            values[name] = as_choice(value, option.choices)
    return values, tuple(problems)


def chosen_target(procedure: Procedure, word: str) -> tuple[str, Problems]:
    """The role under test: the first that the procedure allows, or the one that was named by id or title."""
    if not word:
        return (procedure.targets[0] if procedure.targets else ""), ()
    for role in procedure.targets:
        if word in (role, full_title(procedure, role)):
            return role, ()
    known = procedure.targets
    return "", (diagnose.invalid_target("--target", name=word, known=known, among=procedure.targets),)


def full_title(procedure: Procedure, role: str) -> str:
    """A role's title with that of whom it represents: 原告代理律师."""
    above = procedure.roles.get(procedure.roles[role].represents)
    return (above.title if above else "") + procedure.roles[role].title


def chosen_models(
    procedure: Procedure, target: str, given: tuple[str, ...], option: str = "--model"
) -> tuple[dict[str, str], Problems]:
    """Role -> backbone. `NAME` is for every role, `ROLE=NAME` for one; `target=NAME` for the role under test."""
    default, special = "offline", {}
    problems: list[Diagnostic] = []
    roles = tuple(role.id for role in procedure.roles.values() if not role.assigned)
    for word in given:
        role, equals, name = word.partition("=")
        role = target if equals and role == "target" else role
        if not equals:
            default = word
        elif role in roles:
            special[role] = name
        else:
            problems.append(diagnose.unknown_model_role(option, name=role, known=(*roles, "target")))
    return {role: special.get(role, default) for role in roles}, tuple(problems)


def chosen_tools(procedure: Procedure, target: str, given: tuple[str, ...]) -> tuple[dict[str, str], Problems]:
    """Role -> `native` or `text`; `HOW` is for every role, `ROLE=HOW` for one."""
    chosen, problems = chosen_models(procedure, target, given, "--tools")
    ways = ("native", "text")
    wrong = [how for how in dict.fromkeys(word.rpartition("=")[2] for word in given) if how not in ways]
    problems += tuple(diagnose.unknown_tool_mode("--tools", name=how, known=ways) for how in wrong)
    return {role: how for role, how in chosen.items() if how in ways}, problems


def places(procedure: Procedure) -> tuple[str, ...]:
    """Every place a run may come to, without occurrence numbers."""
    found: list[str] = []
    for stage in procedure.stages:
        found.append(stage.id)
        for phase in stage.phases:
            base = f"{stage.id}/{phase.id}" if phase.id else stage.id
            found += [base] if phase.id else []
            found += [f"{base}/{step.info.id}" for step in steps_in(phase)]
    return tuple(dict.fromkeys(found))


def known_parts(procedure: Procedure, words: Sequence[str], option: str) -> Problems:
    """A problem for each word that is no stage (STAGE) and no phase (STAGE/PHASE)."""
    known = [stage.id for stage in procedure.stages]
    known += [f"{stage.id}/{phase.id}" for stage in procedure.stages for phase in stage.phases if phase.id]
    return tuple(
        diagnose.unknown_stage_or_phase(option, name=word, known=tuple(s.id for s in procedure.stages), nearest=near)
        for word in words
        if word not in known
        for near in (nearest(word, known),)
    )


def known_place(procedure: Procedure, word: str, option: str) -> Problems:
    """Nothing when the word is a place of the procedure."""
    known = places(procedure)
    if word.partition("#")[0] in known:
        return ()
    return (diagnose.unknown_place(option, name=word, among=known),)
