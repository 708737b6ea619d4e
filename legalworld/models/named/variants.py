"""A model called otherwise than its name says: `--set-model temperature=0`, and tools called in another way.

What is called otherwise has a name of its own, `openai/clerk [temperature=0]`: nothing counts it with the other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from ...language.name_values import name_values
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable, replace
from ...model.json_text import read_json
from ...model.source import Span
from .catalogue import is_called
from .profile import ModelProfile, profile_of
from .reader import read_models_file

OPTION: Final = "--set-model"
_EXTRA: Final = "extra."
_OPENING: Final = " ["


@immutable
class ModelSettings:
    """What is set for models, by OpenAI's names; None unsets. `extra`: of the request's body, as it is."""

    parameters: Mapping[str, Any]
    extra: Mapping[str, Any]

    @property
    def empty(self) -> bool:
        return not (self.parameters or self.extra)


NOTHING_SET: Final = ModelSettings({}, {})


def settings_of(words: Sequence[str]) -> ModelSettings | tuple[Diagnostic, ...]:
    """Return what KEY=VALUE words say (an empty value or null unsets), read as the models file is; else all that is
    wrong with them. `extra.KEY` is put into the request as it is."""
    if not words:
        return NOTHING_SET
    pairs = name_values(words, OPTION)
    if isinstance(pairs, tuple):
        return pairs
    ours = {key: value for key, value in pairs.items() if not key.startswith(_EXTRA)}
    extra = {key.removeprefix(_EXTRA): value for key, value in pairs.items() if key.startswith(_EXTRA)}
    text = "lw: 1\nmodels:\n  set:\n    model: openai/set\n" + _section("parameters", ours) + _section("extra", extra)
    read = read_models_file(OPTION, text)
    if read.problems:
        return tuple(dict.fromkeys(replace(one, span=Span(OPTION, 0, 0), also=()) for one in read.problems))
    profile = read.profiles["set"]
    return ModelSettings(profile.parameters, profile.extra)


def _section(name: str, pairs: Mapping[str, str]) -> str:
    lines = (f"      {json.dumps(key, ensure_ascii=False)}: {_value(value)}\n" for key, value in pairs.items())
    return f"    {name}:\n{''.join(lines)}" if pairs else ""


def _value(text: str) -> str:
    """A value as JSON has it; a text that is none is a text."""
    if not text:
        return "null"
    try:
        return json.dumps(read_json(text, constant=str), ensure_ascii=False)
    except ValueError:
        return json.dumps(text, ensure_ascii=False)


def varied(
    names: Sequence[str], profiles: Mapping[str, ModelProfile], settings: ModelSettings, tools: str = ""
) -> dict[str, ModelProfile]:
    """Return name -> the profile by which it is called now, its name included; nothing for what is no model, and for
    what stays as it is."""
    found: dict[str, ModelProfile] = {}
    for name in dict.fromkeys(names):
        if is_called(name):
            profile = _varied(profile_of(name, profiles), profiles, settings, tools)
            if profile.name != name:
                found[name] = profile
    return found


def with_settings(
    models: Mapping[str, str], profiles: Mapping[str, ModelProfile], settings: ModelSettings, tools: str = ""
) -> tuple[dict[str, str], dict[str, ModelProfile]]:
    """Role -> name, and what the names stand for, where models are called otherwise than their names say."""
    others = varied(list(models.values()), profiles, settings, tools)
    names = {role: others[name].name if name in others else name for role, name in models.items()}
    return names, {**profiles, **{one.name: one for one in others.values()}}


def _varied(
    profile: ModelProfile, profiles: Mapping[str, ModelProfile], settings: ModelSettings, tools: str
) -> ModelProfile:
    root = profile_of(profile.name.partition(_OPENING)[0], profiles)
    parameters = {**profile.parameters, **settings.parameters}
    extra = {**profile.extra, **settings.extra}
    made = replace(profile, parameters=dict(sorted(parameters.items())), extra=extra, tools=tools or profile.tools)
    told = [
        f"{name}={_said(value)}"
        for mine, others in ((made.parameters, root.parameters), (made.extra, root.extra))
        for name, value in mine.items()
        if name not in others or others[name] != value
    ]
    told += [f"tools={made.tools}"] if made.tools != root.tools else []
    return replace(made, name=f"{root.name}{_OPENING}{', '.join(told)}]" if told else root.name)


def _said(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        return f"{value:.0f}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def root_of(name: str) -> str:
    """Return the name of the model that is called otherwise by this one."""
    return name.partition(_OPENING)[0]
