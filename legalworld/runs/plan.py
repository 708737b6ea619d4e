"""From what a command says of a run to its plan: the target, models, options, case and places that it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY
from pathlib import Path

from ..engine.reach import Never, never
from ..engine.settings import Settings
from ..language import diagnose
from ..language.name_values import name_values
from ..language.sentences.keywords import as_choice
from ..language.spelling import nearest
from ..model.case import Case
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable, replace
from ..model.plan import walk
from ..model.procedure import Procedure, parts_of, places
from ..models.named.catalogue import called_models, is_called, open_catalogue
from ..models.named.profile import ModelProfile
from ..models.named.variants import settings_of, with_settings
from .actors import unsearchable
from .answers_given import OPTION, AnswersGiven, read_answers, told_of_models
from .case_file import OpenedCase, as_profile, open_case
from .foreign_parts import told_of_packages
from .later_start import known_start, lacking_documents, left_out
from .lifecycle import RunPlan
from .project import Problems, Project, full_title
from .run_info import RunInfo


@immutable
class RunRequest:
    """What a command says of a run, word for word; "" and () where it says nothing.

    `spec`: the word that named the procedure; `place_option`: the option that gave `until`.
    """

    _: KW_ONLY
    spec: str
    case: str
    binding: str
    target: str
    options: tuple[str, ...]
    fields: tuple[str, ...]
    profile: str
    seed: int
    models: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    start: str = ""
    until: str = ""
    out: Path | None = None
    place_option: str = "--until"
    answers: tuple[str, ...] = ()


def plan_run(project: Project, asked: RunRequest, cwd: Path) -> RunPlan | Problems:
    """The plan of a run; else all that is wrong with what was asked."""
    procedure = project.procedure
    assert procedure is not None
    values = name_values(asked.options, "--option")
    if isinstance(values, tuple):
        return values
    options, unknown_options = chosen_options(procedure, values)
    target, unknown_target = chosen_target(procedure, asked.target)
    models, unknown_models = chosen_models(procedure, target, asked.models)
    tools, unknown_tools = chosen_tools(procedure, target, asked.tools)
    problems = (*unknown_options, *unknown_target, *unknown_models, *unknown_tools)
    problems += known_place(procedure, asked.until, asked.place_option) if asked.until else ()
    skip = tuple(dict.fromkeys(asked.skip))
    problems += (*known_parts(procedure, skip, "--skip"), *known_start(procedure, asked.start))
    word = asked.case or project.example
    problems += () if word else (diagnose.missing_case("--case", spec=asked.spec),)
    if problems:
        return problems
    fields = name_values(asked.fields, "--set")
    if isinstance(fields, tuple):
        return fields
    matter = open_case(project, word, asked.binding, fields, cwd, start=asked.start)
    matter = matter if isinstance(matter, tuple) else as_profile(project, matter, asked.profile)
    if isinstance(matter, tuple):
        return matter
    settings = Settings(target, asked.seed, options, asked.until, skip=skip)
    if asked.start:
        skip = (*skip, *left_out(procedure, asked.start))
        settings = replace(settings, skip=skip)
        if lacking := lacking_documents(procedure, matter.case, settings):
            return lacking
    if asked.place_option == "--until" and (unreached := known_reach(procedure, matter.case, settings, "--until")):
        return unreached
    called, given = called_with(models, asked.settings, cwd), given_answers(procedure, matter, asked, models, target)
    if not isinstance(called, CalledWith):
        return called
    if not isinstance(given, GivenToActors):
        return given
    out, without = asked.out, unsearchable(procedure, models, cwd)
    plan = RunPlan(project, matter, target, called.models, options, asked.seed, asked.until, out, tools, skip, without)
    return replace(plan, profiles=called.profiles, remarks=(*called.warnings, *given.remarks), answers=given.answers)


@immutable
class GivenToActors:
    """The answers that are given to the offline actors, and what is to be told of them."""

    answers: AnswersGiven
    remarks: Problems = ()


def given_answers(
    procedure: Procedure, matter: OpenedCase, asked: RunRequest, models: Mapping[str, str], target: str
) -> GivenToActors | Problems:
    """The answers of the case and those of a command, which come before them; or what is wrong with the latter."""
    words = name_values(asked.answers, OPTION)
    read = read_answers(procedure, matter.case, words) if not isinstance(words, tuple) else words
    if isinstance(read, tuple):
        return read
    own = {one.word for one in read.answers}
    given = AnswersGiven((*(one for one in matter.answers.answers if one.word not in own), *read.answers))
    told = told_of_models(procedure, target, models, given)
    wrong = tuple(one for one in told if one.severity == "error")
    return wrong if wrong and asked.answers else GivenToActors(given, tuple(one for one in told if one not in wrong))


@immutable
class CalledWith:
    """Role -> the name that plays it, with what is set for it; the profiles that names stand for."""

    models: Mapping[str, str]
    profiles: Mapping[str, ModelProfile]
    warnings: Problems = ()


def called_with(models: Mapping[str, str], settings: Sequence[str], cwd: Path) -> CalledWith | Problems:
    """How models are called, by the files of models and KEY=VALUE settings; or what is wrong with either."""
    calling, set_for = called_models(models.values(), cwd, "--model"), settings_of(settings)
    if isinstance(calling, tuple):
        return calling
    if isinstance(set_for, tuple):
        return set_for
    warnings = (*told_of_packages(models.values()), *calling.warnings)
    return CalledWith(*with_settings(models, calling.profiles, set_for), warnings)


def as_begun(info: RunInfo, cwd: Path) -> Problems:
    """What is to be told when a run is gone on with: names that stand for something else by now. Its models play as it
    was begun; the keys of the project's `.env` are in the environment when this returns."""
    if not any(map(is_called, info.models.values())):
        return ()
    catalogue, before = open_catalogue(cwd), info.profiles
    now = catalogue.called(name for name in before if name in catalogue.profiles)
    changed = ((name, before[name].differs(one), one.span) for name, one in now.items() if name in before)
    told = tuple(diagnose.changed_model_entry(span, name=name, keys=keys) for name, keys, span in changed if keys)
    return (*catalogue.problems, *told)


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


def known_parts(procedure: Procedure, words: Sequence[str], option: str) -> Problems:
    """A problem for each word that is no stage (STAGE) and no phase (STAGE/PHASE)."""
    parts, stages = parts_of(procedure), tuple(stage.id for stage in procedure.stages)
    return tuple(
        diagnose.unknown_stage_or_phase(option, name=word, known=stages, among=parts)
        for word in words
        if word not in parts
    )


def known_place(procedure: Procedure, word: str, option: str) -> Problems:
    """Nothing when the word is a place of the procedure; what closes a stage is none that can be named."""
    closing = {id(step) for stage in procedure.stages for step in walk(stage.closing)}
    known = tuple(dict.fromkeys(place for place, part in places(procedure) if id(part) not in closing))
    if word.partition("#")[0] in known:
        return ()
    return (diagnose.unknown_place(option, name=word, among=known),)


def known_reach(procedure: Procedure, case: Case, settings: Settings, option: str) -> Problems:
    """Why a run never comes to the place where it is to stop, where that is decided before it begins."""
    word = settings.until
    found = never(procedure, case, settings, word) if word else None
    match found:
        case None:
            return ()
        case Never("asked"):
            return (diagnose.place_left_out(option, place=word, part=found.part),)
        case Never("condition"):
            where = f"{found.span.file}:{found.span.line}"
            return (diagnose.place_ruled_out(option, place=word, part=found.part, where=where),)
        case _:
            return (diagnose.place_comes_once(option, place=found.part, n=word.partition("#")[2]),)
