"""What a run spent on models, read from its journal: calls and tokens, by the model asked and the one that answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..model.events import Asked, Event, Reply
from ..models.prices import Price, Spent, price_of
from ..models.scripted import NAMES

Spending = Mapping[tuple[str, str], Spent]
"""(model as it was named, model that the server said it was) -> calls and tokens; no dollars."""


def spending(models: Mapping[str, str], events: Iterable[Event], replies: Mapping[str, Reply]) -> Spending:
    """Offline actors and recorded runs cost nothing and are left out. Calls that were answered in vain are not told
    of by the journal: what a provider bills can be more."""
    found: dict[tuple[str, str], Spent] = {}
    for event in events:
        if not isinstance(event, Asked) or (reply := replies.get(event.id)) is None:
            continue
        model = models[event.role]
        if model in NAMES or model.startswith("replay:"):
            continue
        who = model, reply.model
        took = Spent(1, reply.prompt_tokens or 0, reply.cached_tokens, reply.completion_tokens or 0)
        found[who] = found.get(who, Spent()) + took
    return found


def priced(spent: Spending, prices: Mapping[str, Price] | None = None) -> tuple[Spent, tuple[str, ...]]:
    """All of it together, in dollars too, and the models that have no price."""
    total, unknown = Spent(), []
    for (model, answered), took in spent.items():
        price = price_of(model, answered, prices)
        total += took
        if price is None:
            unknown.append(model)
        else:
            total += Spent(dollars=price.of(took.prompt, took.cached, took.completion))
    return total, tuple(dict.fromkeys(unknown))
