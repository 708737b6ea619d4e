"""How a model behaves, as `lw models try` found: kept beside the models file, and used when the model is called.

`models.habits.yaml` is written by the program; words of people stand in `models.yaml` and come before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, field
from functools import cache
from io import StringIO
from typing import TYPE_CHECKING, Any, Final, Literal

from pydantic import ConfigDict, TypeAdapter, ValidationError

from ...language import diagnose
from ...language.yaml.nodes import MapNode
from ...language.yaml.reader import read
from ...model.diagnostics import Diagnostic
from ...model.immutable import immutable, replace
from ...model.source import Span
from .profile import ModelProfile
from .reader import as_json

if TYPE_CHECKING:
    from ...model.events import Reply

FILE: Final = "models.habits.yaml"
FORMAT: Final = 1
_HEAD: Final = "# lw models try\n"


@immutable
class TriedHabits:
    """What was found of a model; None, "" and () where nothing was.

    `model`: what the name stood for, `answered`: what the server called itself, `tried`: the day (ISO 8601). `tools`:
    the protocol in which calls come through; `rounds`: whether a second call follows a first one's result. `stream`:
    whether answers are streamed only, too, or never. `refused`: parameters that are not taken, `apart`: those not taken
    together. `thoughts`: marks that stood around a thought, `thought_apart`: whether thoughts come in a field of their
    own. `schema`: whether a JSON Schema is kept to, `counted`: whether tokens are told, `cut_told`: whether an answer
    that ends at its limit says so. `refusal`: how a refusal shows. `prompt`: characters of the longest prompt that was
    understood, `document`: of the document that was written.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    model: str
    tried: str
    answered: str = ""
    tools: Literal["", "native", "text", "none"] = ""
    rounds: bool | None = None
    stream: Literal["", "needed", "yes", "no"] = ""
    system: bool | None = None
    chinese: bool | None = None
    refused: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()
    thoughts: tuple[Mapping[str, str], ...] = ()
    thought_apart: bool | None = None
    schema: bool | None = None
    counted: bool | None = None
    cut_told: bool | None = None
    refusal: Literal["", "field", "stop", "words", "none"] = ""
    finishes: tuple[str, ...] = ()
    prompt: int = 0
    document: int = 0
    notes: tuple[str, ...] = field(default=())


@cache
def _entry() -> TypeAdapter[TriedHabits]:
    return TypeAdapter(TriedHabits)


def read_habits(path: str, text: str) -> tuple[dict[str, TriedHabits], tuple[Diagnostic, ...]]:
    """Return the habits by name; an entry or a file that cannot be read is told and left out."""
    node, problems = read(path, text)
    told = as_json(node) if isinstance(node, MapNode) else None
    if not isinstance(told, dict) or told.get("lw") != FORMAT or not isinstance(told.get("habits"), dict):
        return {}, (diagnose.damaged_habits(Span(path, 1, 1)),)
    found: dict[str, TriedHabits] = {}
    wrong: list[Diagnostic] = []
    for name, entry in told["habits"].items():
        try:
            found[name] = _entry().validate_python(entry)
        except ValidationError:
            wrong.append(diagnose.damaged_habits(problems[0].span if problems else Span(path, 1, 1)))
    return found, tuple(wrong[:1])


def habits_text(habits: Mapping[str, TriedHabits]) -> str:
    """Return the text of a file of habits."""
    from ruamel.yaml import YAML

    entries = {name: _said(asdict(one)) for name, one in sorted(habits.items())}
    yaml, text = YAML(), StringIO()
    yaml.width = 120
    yaml.dump({"lw": FORMAT, "habits": entries}, text)
    return _HEAD + text.getvalue()


def _said(entry: Mapping[str, Any]) -> dict[str, Any]:
    """What was found, as YAML has it."""
    found = {key: value for key, value in entry.items() if value not in (None, "", (), 0) or value is False}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in found.items()}


def with_habits(profile: ModelProfile, habits: TriedHabits | None) -> ModelProfile:
    """Return the profile as its model is to be called; what a person said of it stays as he said it."""
    if habits is None or habits.model != profile.model:
        return profile
    left_out = dict.fromkeys(name for name in habits.refused if name not in profile.parameters)
    if habits.apart and not any(name in profile.parameters for name in habits.apart):
        left_out |= dict.fromkeys(habits.apart[1:])
    stream = {"needed": True, "no": False}.get(habits.stream)
    return replace(
        profile,
        parameters={**profile.parameters, **left_out},
        tools=profile.tools or ("text" if habits.tools in ("text", "none") else habits.tools),
        stream=profile.stream if profile.stream is not None else stream,
        thoughts=profile.thoughts if profile.thoughts is not None else habits.thoughts or None,
    )


def misfit(name: str, place: str, habits: TriedHabits, profile: ModelProfile | None) -> Diagnostic | None:
    """Return why habits are of no use: the name is gone, or stands for another model now."""
    if profile is None:
        return diagnose.habits_of_no_model(place, name=name)
    if habits.model != profile.model:
        now, before, tried = profile.model, habits.model, habits.tried
        return diagnose.habits_of_other_model(place, name=name, before=before, now=now, tried=tried)
    return None


def other_model(name: str, place: str, habits: TriedHabits, reply: Reply) -> Diagnostic | None:
    """Return a warning where a server calls itself by another name than when it was tried."""
    if not habits.answered or not reply.model or reply.model == habits.answered:
        return None
    now, before, tried = reply.model, habits.answered, habits.tried
    return diagnose.other_model_answers(place, name=name, before=before, now=now, tried=tried)
