"""A model under a name of the user's: what the name stands for, and how the model is called.

    judge:
      model: deepseek/deepseek-v4-pro
      parameters: {temperature: 0.2}

A profile is plain data: `recorded` writes it into `run.yaml`, `from_record` reads it there, so that a run goes on as it
was begun whatever becomes of the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Any, Final

from ...model.events import Reply
from ...model.immutable import immutable, replace
from ...model.json_text import read_json
from ...model.source import Span
from ..added_marks import every_mark
from ..endpoint import ATTEMPTS, DEADLINE, Endpoint
from ..prices import Price, cost_of, price_of

if TYPE_CHECKING:
    from ..limits import Limits, RateLimit  # asyncio, which who only looks at a run need not pay for

MILLION: Final = 10**6
NOWHERE: Final = Span("", 0, 0)
_TEXTS: Final = ("model", "tools", "address", "key_variable")
_VALUES: Final = ("parameters", "extra", "thoughts", "call_forms", "refusals", "stream", "fallbacks")


@immutable
class ModelProfile:
    """What a name stands for. Of what is left empty the procedure, the provider or the program decides.

    `model`: as litellm names it. `parameters`: by OpenAI's names and `thought_tokens`, None leaves one out. `extra`:
    sent in the body as it is. `thoughts`: marks of what is thought, `call_forms`: notations of calls, as plain data
    (() = those that are known alone).
    `refusals`: kind of a refusal -> patterns of its server's words for it. `tools`: `native` or `text`. `address`: of
    the server, where it is not the provider's; then only the key that is named here is sent there. `key_variable`: the
    NAME of the environment variable that holds the key. `rate`: what the provider takes in a minute. `fallbacks`: names
    or models that answer when this one cannot be reached. `cutoff`: up to which day the model knows the world.
    """

    name: str
    model: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    thoughts: tuple[Mapping[str, str], ...] | None = None
    call_forms: tuple[Mapping[str, str], ...] | None = None
    refusals: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tools: str = ""
    stream: bool | None = None
    address: str = ""
    key_variable: str = ""
    price: Price | None = None
    rate: RateLimit | None = None
    fallbacks: tuple[str, ...] = ()
    cutoff: str = ""
    span: Span = field(default=NOWHERE, compare=False)

    @property
    def plain(self) -> bool:
        """Whether the name is the model's own, and nothing more is said of it."""
        return self == ModelProfile(self.model, self.model)

    @property
    def recorded(self) -> dict[str, str]:
        """What replies depend on, for `run.yaml`: texts, and JSON where something is no text; no key is in it."""
        told = {name: str(getattr(self, name)) for name in _TEXTS if getattr(self, name)}
        values = {name: self._said(name) for name in _VALUES}
        return told | {name: _json(value) for name, value in values.items() if value is not None}

    def _said(self, name: str) -> Any:
        """A value; None where nothing is said by it."""
        value = getattr(self, name)
        return None if value in ({}, (), "") else value

    def endpoint(self, deadline: float = DEADLINE, attempts: int = ATTEMPTS) -> Endpoint:
        """The model as it is to be called."""
        return Endpoint(
            self.model,
            deadline,
            attempts,
            name="" if self.name == self.model else self.name,
            parameters=self.parameters,
            extra=self.extra,
            stream=self.stream,
            address=self.address,
            key_variable=self.key_variable,
            wordings=self.refusals,
            marks=every_mark().extended(self.thoughts or (), self.call_forms or ()),
        )

    def cost(self, reply: Reply) -> float | None:
        """US dollars of a reply, an estimate; None where nobody knows."""
        return cost_of(reply, self.model, {self.model: self.price} if self.price is not None else None)

    def differs(self, other: ModelProfile) -> tuple[str, ...]:
        """In which keys another profile of the name gives other replies; prices give none."""
        names = (*_TEXTS, *_VALUES)
        return tuple(name.replace("_", " ") for name in names if self._said(name) != other._said(name))


def from_record(name: str, told: Mapping[str, str]) -> ModelProfile:
    """Return the profile that `run.yaml` tells of. Raises ValueError for anything that is none."""
    if not told.get("model") or not set(told) <= {*_TEXTS, *_VALUES}:
        raise ValueError(name)
    values: dict[str, Any] = {key: read_json(told[key]) for key in _VALUES if key in told}
    for key in ("thoughts", "call_forms", "fallbacks"):
        if key in values:
            values[key] = tuple(values[key])
    if "refusals" in values:
        values["refusals"] = {kind: tuple(words) for kind, words in dict(values["refusals"]).items()}
    values |= {key: told[key] for key in _TEXTS if key in told}
    profile = ModelProfile(name, **values)
    if not (isinstance(profile.parameters, dict) and isinstance(profile.extra, dict)):
        raise ValueError(name)
    return profile


def profile_of(word: str, profiles: Mapping[str, ModelProfile]) -> ModelProfile:
    """Return what a word stands for; one that is no name, for itself."""
    return profiles.get(word) or ModelProfile(word, word)


def prices_of(profiles: Mapping[str, ModelProfile]) -> dict[str, Price]:
    """Return name -> its price: its own, or that of the model that it stands for; one that nobody knows is left out."""
    found = {name: one.price or price_of(one.model) for name, one in profiles.items()}
    return {name: price for name, price in found.items() if price is not None}


def bounded(limits: Limits, profiles: Mapping[str, ModelProfile]) -> Limits:
    """Return limits with the rates and prices of profiles; those that a command named come first."""
    rates = {name: one.rate for name, one in profiles.items() if one.rate is not None}
    prices = {**prices_of(profiles), **limits.prices}
    names = {name: one.model for name, one in profiles.items()}
    return replace(limits, rates={**rates, **limits.rates}, prices=prices, names=names)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)
