"""From what a command says of a stopped run to the change with which it is gone on with."""

from __future__ import annotations

from dataclasses import KW_ONLY
from pathlib import Path

from ..language import diagnose
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..models.named.catalogue import called_models
from ..models.named.variants import NOTHING_SET, root_of, settings_of, with_settings
from .actors import protocols
from .changes import LineUp, RunChange
from .plan import chosen_models, chosen_tools
from .project import Problems
from .run_info import NATIVE, TEXT


@immutable
class ChangeRequest:
    """What a command says of a change, word for word: `--model`, `--tools`, `--set-model`."""

    _: KW_ONLY
    models: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()

    @property
    def empty(self) -> bool:
        return not (self.models or self.tools or self.settings)


@immutable
class PlannedChange:
    """A change, and what is to be told of it: tools that are called otherwise though nobody asked for it."""

    change: RunChange
    remarks: Problems = ()


def plan_change(
    procedure: Procedure, target: str, now: LineUp, asked: ChangeRequest, cwd: Path
) -> PlannedChange | Problems:
    """The change of a line-up; else all that is wrong with what was asked."""
    named, problems = _named(procedure, target, asked.models)
    tools, more = chosen_tools(procedure, target, asked.tools)
    settings = settings_of(asked.settings)
    problems += (*more, *(settings if isinstance(settings, tuple) else ()))
    if problems or isinstance(settings, tuple):
        return problems
    calling = called_models(named.values(), cwd, "--model")
    if isinstance(calling, tuple):
        return calling
    names, known = with_settings({**now.models, **named}, {**now.profiles, **calling.profiles}, settings)
    stays = {role: now.protocol(role) for role, name in names.items() if root_of(name) == root_of(now.models[role])}
    found = protocols(procedure, names, {**stays, **tools}, known)
    changed = {role: how for role in names if (how := found.get(role, TEXT)) != now.protocol(role)}
    for role, how in changed.items():
        if role in stays:  # the same model, called otherwise: it has a name of its own
            of_role, known = with_settings({role: names[role]}, known, NOTHING_SET, how)
            names = {**names, **of_role}
    change = RunChange.model_validate(
        {
            "models": {role: name for role, name in names.items() if name != now.models[role]},
            "tools": changed,
            "endpoints": {name: one.recorded for name, one in known.items() if now.profiles.get(name) != one},
        }
    )
    told = tuple(_told(role, names[role], how) for role, how in changed.items() if role not in tools)
    return PlannedChange(change, (*calling.warnings, *told))


def _named(procedure: Procedure, target: str, words: tuple[str, ...]) -> tuple[dict[str, str], Problems]:
    """Role -> backbone, of the roles that words of `--model` name; all of them where a word names none."""
    chosen, problems = chosen_models(procedure, target, words)
    if any("=" not in word for word in words):
        return chosen, problems
    roles = {target if role == "target" else role for role in (word.partition("=")[0] for word in words)}
    return {role: name for role, name in chosen.items() if role in roles}, problems


def _told(role: str, name: str, how: str) -> Diagnostic:
    says = diagnose.tools_called_natively if how == NATIVE else diagnose.tools_called_in_words
    return says("--tools", role=role, name=name)
