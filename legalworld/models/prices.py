"""What calls cost, by litellm's bundled price list or as a command says; and how many tokens a text is likely to be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..model.events import Reply
from ..model.immutable import immutable
from .wire import quiet_litellm

PER_CHARACTER: Final = (0.3, 0.6)  # tokens of an ASCII character and of any other, as DeepSeek's documentation has it


@immutable
class Price:
    """US dollars for a token of a prompt, of the part of it that the provider had kept, and of a completion."""

    prompt: float
    cached: float
    completion: float

    def of(self, prompt: int, cached: int, completion: int) -> float:
        """US dollars; `cached` is a part of `prompt`."""
        return (prompt - cached) * self.prompt + cached * self.cached + completion * self.completion


@immutable
class Spent:
    """What was spent; `dollars` of the calls that have a price."""

    calls: int = 0
    prompt: int = 0
    cached: int = 0
    completion: int = 0
    dollars: float = 0.0

    @property
    def tokens(self) -> int:
        return self.prompt + self.completion

    def __add__(self, other: Spent) -> Spent:
        return Spent(
            self.calls + other.calls,
            self.prompt + other.prompt,
            self.cached + other.cached,
            self.completion + other.completion,
            self.dollars + other.dollars,
        )


NOTHING: Final = Spent()


def likely_tokens(text: str) -> float:
    """An estimate; nothing is downloaded for it."""
    plain = len(text.encode("ascii", "ignore"))
    return plain * PER_CHARACTER[0] + (len(text) - plain) * PER_CHARACTER[1]


def route_of(model: str) -> tuple[str, str, str | None, str | None] | None:
    """The provider's own name of a model, the provider, key and address as litellm reads them; None for no provider."""
    litellm = quiet_litellm()
    try:
        route: tuple[str, str, str | None, str | None] = litellm.get_llm_provider(model)
    except litellm.BadRequestError:
        return None
    return route


def price_of(model: str, answered: str = "", named: Mapping[str, Price] | None = None) -> Price | None:
    """The price of a model, as `named` has it or else the list; None where neither knows it.

    `answered`: what the server called itself. Prices that grow with the length of a prompt are taken at their lowest.
    """
    if named and model in named:
        return named[model]
    if (route := route_of(model or answered)) is None:
        return None
    asked, provider, _, _ = route
    known = quiet_litellm().model_cost
    for name in (f"{provider}/{answered}", answered, f"{provider}/{asked}", asked):
        entry = known.get(name, {})
        if entry.get("litellm_provider") == provider and entry.get("input_cost_per_token") is not None:
            prompt = float(entry["input_cost_per_token"])
            cached = entry.get("cache_read_input_token_cost")
            completion = float(entry.get("output_cost_per_token") or 0.0)
            return Price(prompt, float(cached) if cached is not None else prompt, completion)
    return None


def cost_of(reply: Reply, model: str = "", named: Mapping[str, Price] | None = None) -> float | None:
    """US dollars, an estimate; None where the model has no price or the reply no token counts.

    `model` is the endpoint's name, which says the provider.
    """
    if reply.prompt_tokens is None or reply.completion_tokens is None:
        return None
    price = price_of(model, reply.model, named)
    return price.of(reply.prompt_tokens, reply.cached_tokens, reply.completion_tokens) if price is not None else None


def cost(model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
    """US dollars; None for a model that the list does not have."""
    try:
        prices = quiet_litellm().cost_per_token(
            model=model, prompt_tokens=prompt_tokens, completion_tokens=completion_tokens
        )
    except Exception:  # whatever litellm raises for a name that it does not know
        return None
    return float(sum(prices))
