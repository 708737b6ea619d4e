"""A model as it is to be called: its name, how long and how often it is asked, what is sent with every request."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Final

from ..model.dialect import Dialect
from ..model.immutable import immutable
from ..model.procedure import ModelDefaults
from .added_marks import every_mark

DEADLINE: Final = 600.0  # seconds of one call, with all attempts and pauses
ATTEMPTS: Final = 3


@immutable
class Endpoint:
    """A model as litellm names it (`openai/clerk`). `deadline`: seconds for all attempts and pauses together.

    `name`: what the user calls it ("": as litellm does). `parameters`: of every request, before the procedure's;
    `temperature`, `top_p`, `max_tokens`, `thought_tokens`, or any other by OpenAI's name; None leaves one out. `extra`:
    sent in the request's body as it is. `stream`: whether answers are streamed though nobody listens (None: where a
    server demands it, or an answer may be long). `address`: of the server, where it is not the provider's; only the key
    that `key_variable` names is sent there. `key_variable`: the environment variable that holds the key. `wordings`: a
    kind of refusal (`providers.KINDS`) -> patterns of this server's words for it, before those that we know. `marks`:
    those by which it sets its thoughts apart in its words.
    """

    model: str
    deadline: float = DEADLINE
    attempts: int = ATTEMPTS
    name: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    extra: Mapping[str, Any] = field(default_factory=dict)
    stream: bool | None = None
    address: str = ""
    key_variable: str = ""
    wordings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    marks: Dialect = field(default_factory=every_mark)

    @property
    def called(self) -> str:
        """What the user calls it."""
        return self.name or self.model


def thought_tokens(endpoint: Endpoint, defaults: ModelDefaults) -> int:
    """How many tokens a reasoning model may think besides its words; 0 where nobody says."""
    return int(endpoint.parameters.get("thought_tokens", defaults.thought_tokens) or 0)


def parameters_of(endpoint: Endpoint, defaults: ModelDefaults) -> dict[str, Any]:
    """The parameters that somebody set, by OpenAI's names: the endpoint's before those of the procedure."""
    said = {"temperature": defaults.temperature, "top_p": defaults.top_p, "max_tokens": defaults.max_tokens}
    given = {**said, **endpoint.parameters}
    given.pop("thought_tokens", None)
    if given["max_tokens"] is not None:
        given["max_tokens"] += thought_tokens(endpoint, defaults)  # providers count both as one
    return {name: value for name, value in given.items() if value is not None}
