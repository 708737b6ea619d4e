"""What litellm is called with: the thread, the parameters as the model's server takes them, tools, thought, a form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final

from ..model.events import Message, Offer
from ..model.immutable import immutable
from ..model.procedure import ModelDefaults
from . import tool_calls
from .endpoint import Endpoint, parameters_of, thought_tokens
from .habits import Habits, Trial
from .prices import route_of
from .providers import takes_extra_as_parameters, thoughts_wanted, tool_id
from .thoughts_back import going_back, thinks_on
from .wire import quiet_litellm

LONG: Final = 8192  # tokens of an answer above which it is streamed: gateways give up a body that drips
_EFFORTS: Final = ((4096, "high"), (2048, "medium"))  # budgets at which litellm speaks of an effort
_STREAMED: Final = {"stream": True, "stream_options": {"include_usage": True}}


@immutable
class ChatRequest:
    """A call as it is to be made, whatever way. `provider`: "" where litellm knows none."""

    endpoint: Endpoint
    messages: tuple[Message, ...]
    defaults: ModelDefaults
    tools: tuple[Offer, ...]
    schema: Mapping[str, Any] | None
    provider: str
    thinking: Mapping[str, Any]

    def trial(self, habits: Habits) -> Trial:
        """The ways in which the call can be tried, beginning with what is known of the server."""
        parameters = {**parameters_of(self.endpoint, self.defaults), **self.thinking, **self.endpoint.extra}
        said = [message for message in self.messages if message.role == "assistant"]
        thread = self._thread(habits)
        return Trial(
            self.endpoint.called,
            habits.tried(),
            {**parameters, "stream_options": _STREAMED["stream_options"]},
            system=any(message.role == "system" for message in self.messages),
            thoughts=bool(said) and "reasoning_content" in thoughts_wanted(self.provider),
            lacking=any(one["role"] == "assistant" and "reasoning_content" not in one for one in thread),
            ids=frozenset(call["id"] for one in thread for call in one.get("tool_calls", ())),
        )

    def streams(self, habits: Habits, listening: bool) -> bool:
        """Whether the answer is streamed: as its server demands; else where somebody listens, or it may be long."""
        if habits.stream is not None:
            return habits.stream
        if self.endpoint.stream is not None:
            return self.endpoint.stream
        return listening or parameters_of(self.endpoint, self.defaults).get("max_tokens", 0) > LONG

    def arguments(self, habits: Habits, streamed: bool) -> dict[str, Any]:
        """The arguments of litellm's `acompletion`, but for those of the connection."""
        parameters = {**parameters_of(self.endpoint, self.defaults), **self.thinking}
        if "thinking" in parameters and "claude" in self.endpoint.model:  # takes neither beside its thoughts
            parameters = {name: value for name, value in parameters.items() if name not in ("temperature", "top_p")}
        form = {"name": "scores", "schema": self.schema, "strict": True}
        return {
            "model": self.endpoint.model,
            "messages": self._thread(habits),
            **habits.applied({**parameters, **(_STREAMED if streamed else {})}),
            "timeout": self.endpoint.deadline + 1,  # its own timeout must not come first: it misses a body that drips
            "num_retries": 0,  # both kinds of its retries: ours are counted, journalled and seeded
            "max_retries": 0,
            "drop_params": True,  # a parameter that a model does not have (temperature of some) is left out
            **({"tools": [tool_calls.offered(tool) for tool in self.tools]} if self.tools else {}),
            **body_extra(self.endpoint, habits.applied(self.endpoint.extra)),
            **(
                {"response_format": {"type": "json_schema", "json_schema": form}}
                if self.schema is not None and habits.form
                else {}
            ),
        }

    @property
    def thread(self) -> list[dict[str, Any]]:
        """The thread with the ids that calls have in the journal."""
        return tool_calls.sent(self.messages)

    def _thread(self, habits: Habits) -> list[dict[str, Any]]:
        ids = tool_id("mistral" if habits.short_ids else self.provider)
        back = partial(going_back, model=self.endpoint.model, provider=self.provider, habit=habits.thoughts)
        return tool_calls.sent(merged(self.messages) if habits.merged else self.messages, ids, back)


def merged(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return the messages with what the system's say at the head of the first one of the user."""
    orders = [message.content for message in messages if message.role == "system"]
    rest = [message for message in messages if message.role != "system"]
    if rest and rest[0].role == "user":
        orders.append(rest.pop(0).content)
    return (Message(role="user", content="\n\n".join(filter(None, orders))), *rest) if orders else tuple(messages)


def body_extra(endpoint: Endpoint, extra: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """What is put into the body of a request as it is: `extra`, or all of the endpoint's. For Anthropic litellm takes
    it for parameters of its own."""
    told = dict(endpoint.extra if extra is None else extra)
    name, provider = _route(endpoint.model)
    return {} if not told else told if takes_extra_as_parameters(provider, name) else {"extra_body": told}


@lru_cache(256)
def _route(model: str) -> tuple[str, str]:
    """The model's name at its provider, and the provider; "" where litellm knows none."""
    route = route_of(model)
    return route[:2] if route is not None else (model, "")


def chat_request(
    endpoint: Endpoint,
    messages: Sequence[Message],
    defaults: ModelDefaults,
    tools: Sequence[Offer] = (),
    *,
    schema: Mapping[str, Any] | None = None,
) -> ChatRequest:
    """A call to a model."""
    name, provider = _route(endpoint.model)
    if "claude" in name and provider == "vertex_ai":
        provider = "anthropic"
    budget = thought_tokens(endpoint, defaults)
    thinking = _thinking(name, provider, budget) if budget and thinks_on(messages, endpoint.model, provider) else {}
    thinking = {name: value for name, value in thinking.items() if name not in endpoint.parameters}
    return ChatRequest(endpoint, tuple(messages), defaults, tuple(tools), schema, provider, thinking)


def _thinking(name: str, provider: str, budget: int) -> dict[str, Any]:
    """What tells a reasoning model how long it may think: in tokens where its provider takes such a number, else as the
    effort that litellm holds to be worth as much; nothing where it takes neither."""
    if not provider:
        return {}
    taken = quiet_litellm().get_supported_openai_params(name, provider) or ()
    if "thinking" in taken:
        return {"thinking": {"type": "enabled", "budget_tokens": budget}}
    if "reasoning_effort" in taken:
        return {"reasoning_effort": next((effort for least, effort in _EFFORTS if budget >= least), "low")}
    return {}
