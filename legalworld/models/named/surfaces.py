"""What an author may write in `models.yaml`."""

from __future__ import annotations

from dataclasses import field
from typing import ClassVar

from ...language.surfaces import Surface, Text, Texts
from ...language.yaml.nodes import Node


class ParametersSurface(Surface):
    temperature: Text | None = None
    top_p: Text | None = None
    max_tokens: Text | None = None
    thought_tokens: Text | None = None
    seed: Text | None = None
    presence_penalty: Text | None = None
    frequency_penalty: Text | None = None
    reasoning_effort: Text | None = None
    stop: Texts | None = None


class ThoughtSurface(Surface):
    """The marks around what a model thinks aloud. `where`: `start` or `anywhere`; `letter_case`: `exact` or `any`."""

    opening: Text
    closing: Text
    letter_case: Text | None = None
    where: Text | None = None


class CallSurface(Surface):
    """How a model writes a call among its words: text with holes, and that of a parameter (model/dialect.toml)."""

    SHORT: ClassVar[str] = "form"

    form: Text
    parameter: Text | None = None


class RefusalsSurface(Surface):
    """How its server words a refusal, by kind (`providers.KINDS`): patterns of the text, upper or lower case."""

    quota: Texts = ()
    content: Texts = ()
    overflow: Texts = ()
    tools: Texts = ()
    form: Texts = ()
    stream: Texts = ()
    passing: Texts = ()


class PriceSurface(Surface):
    """US dollars for a million tokens."""

    in_: Text
    out: Text
    cached: Text | None = None


class LimitsSurface(Surface):
    """In any 60 seconds; `calls` at once."""

    requests: Text | None = None
    tokens: Text | None = None
    calls: Text | None = None


class ModelEntrySurface(Surface):
    """What a name stands for. `key_variable`: the name of an environment variable, never a key."""

    SHORT: ClassVar[str] = "model"

    model: Text
    address: Text | None = None
    key_variable: Text | None = None
    parameters: ParametersSurface | None = None
    extra: Node | None = None
    thoughts: tuple[ThoughtSurface, ...] | None = None
    call_forms: tuple[CallSurface, ...] | None = None
    refusals: RefusalsSurface | None = None
    tools: Text | None = None
    stream: Text | None = None
    price: PriceSurface | None = None
    limits: LimitsSurface | None = None
    fallbacks: Texts = ()
    cutoff: Text | None = None


class ModelsSurface(Surface):
    """`models.yaml`: names, and sets of them (role -> name)."""

    lw: Text
    models: dict[str, ModelEntrySurface] = field(default_factory=dict)
    sets: dict[str, dict[str, Text]] = field(default_factory=dict)
