"""From what a command says of a run to its plan: the target, models, options, case and places that it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..language import diagnose
from ..model.text import clean
from .lifecycle import RunPlan
from .project import (
    Problems,
    Project,
    as_profile,
    chosen_models,
    chosen_options,
    chosen_target,
    chosen_tools,
    known_parts,
    known_place,
    open_case,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """What a command says of a run, word for word; "" and () where it says nothing.

    `spec`: the word that named the procedure; `place_option`: the option that gave `until`.
    """

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
    skip: tuple[str, ...] = ()
    until: str = ""
    out: Path | None = None
    place_option: str = "--until"


def plan_run(project: Project, asked: RunRequest, cwd: Path) -> RunPlan | Problems:
    """The plan of a run; else all that is wrong with what was asked."""
    procedure = project.procedure
    assert procedure is not None
    given = name_values(asked.options, "--option")
    if isinstance(given, tuple):
        return given
    options, problems = chosen_options(procedure, given)
    target, more = chosen_target(procedure, asked.target)
    problems += more
    models, more = chosen_models(procedure, target, asked.models)
    problems += more
    tools, more = chosen_tools(procedure, target, asked.tools)
    problems += more
    problems += known_place(procedure, asked.until, asked.place_option) if asked.until else ()
    skip = tuple(dict.fromkeys(asked.skip))
    problems += known_parts(procedure, skip, "--skip")
    word = asked.case or procedure.example
    problems += () if word else (diagnose.missing_case("--case", spec=asked.spec),)
    if problems:
        return problems
    fields = name_values(asked.fields, "--set")
    if isinstance(fields, tuple):
        return fields
    matter = open_case(project, word, asked.binding, fields, cwd)
    matter = matter if isinstance(matter, tuple) else as_profile(project, matter, asked.profile)
    if isinstance(matter, tuple):
        return matter
    return RunPlan(project, matter, target, models, options, asked.seed, asked.until, asked.out, tools, skip)


def name_values(words: Sequence[str], option: str) -> dict[str, str] | Problems:
    """NAME=VALUE words as a mapping; a problem for each without an equals sign."""
    wrong = tuple(diagnose.missing_equals_sign(option, word=word, option=option) for word in words if "=" not in word)
    return wrong or {name.strip(): value.strip() for name, _, value in (clean(word).partition("=") for word in words)}
