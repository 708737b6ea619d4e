"""What calls took, one by one, and put together by role or stage: of runs that were played, or are forecast.

calls, free = calls_of_run(opened)
by_role = together(calls, lambda call: call.role, prices)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from ..model.events import Asked
from ..model.immutable import immutable, names_of
from ..models.prices import Price, Spent, price_of
from ..models.scripted import NAMES
from .open_run import OpenRun

KeyT = TypeVar("KeyT")


@immutable
class CallCost:
    """A call of a model. `answered`: what the server called itself; `took`: its tokens, no dollars; `told`: whether
    the provider said how many they were."""

    stage: str
    role: str
    model: str
    answered: str
    took: Spent
    told: bool = True


@immutable
class CostSum:
    """Calls put together. `dollars`: of those that have a price; `uncached`: the same had the provider kept nothing.

    `unpriced`: calls that have no price; `silent`: calls of whose tokens the provider did not tell. Of forecasts all
    are means, so none need be a whole number.
    """

    calls: float = 0
    prompt: float = 0
    cached: float = 0
    completion: float = 0
    dollars: float = 0
    uncached: float = 0
    unpriced: float = 0
    silent: float = 0

    def __add__(self, other: CostSum) -> CostSum:
        return CostSum(*(getattr(self, name) + getattr(other, name) for name in names_of(CostSum)))

    def times(self, factor: float) -> CostSum:
        """The same so many times."""
        return CostSum(*(getattr(self, name) * factor for name in names_of(CostSum)))

    def as_data(self) -> dict[str, Any]:
        """As JSON: dollars are null where no call has a price, and nobody should read 0."""
        numbers = {name: round(getattr(self, name)) for name in ("calls", "prompt", "cached", "completion")}
        known = self.calls > self.unpriced or not self.calls
        money = {name: round(getattr(self, name), 6) if known else None for name in ("dollars", "uncached")}
        return {**numbers, **money, "unpriced": round(self.unpriced), "silent": round(self.silent)}


def costs_nothing(model: str) -> bool:
    """Whether nobody is called: an offline actor, or a run that was recorded."""
    return model in NAMES or model.startswith("replay:")


def calls_of_run(opened: OpenRun) -> tuple[list[CallCost], int]:
    """The calls of a run that models answered, and how many others there were.

    Calls that were answered in vain are not told of by the journal: what a provider bills can be more.
    """
    replies, models = opened.answers, opened.folder.info.models
    calls, free = [], 0
    for event in opened.events:
        if not isinstance(event, Asked) or (reply := replies.get(event.id)) is None:
            continue
        model = reply.by or models.get(event.role, "")
        if costs_nothing(model):
            free += 1
            continue
        told = None not in (reply.prompt_tokens, reply.completion_tokens)
        took = Spent(1, reply.prompt_tokens or 0, reply.cached_tokens, reply.completion_tokens or 0)
        calls.append(CallCost(event.place.partition("/")[0], event.role, model, reply.model, took, told))
    return calls, free


def priced_call(call: CallCost, prices: Mapping[str, Price] | None = None) -> CostSum:
    """What one call cost."""
    took, price = call.took, price_of(call.model, call.answered, prices)
    counted = (took.calls, took.prompt, took.cached, took.completion)
    silent = 0 if call.told else took.calls
    if price is None:
        return CostSum(*counted, unpriced=took.calls, silent=silent)
    dollars = price.of(took.prompt, took.cached, took.completion)
    return CostSum(*counted, dollars, price.of(took.prompt, 0, took.completion), silent=silent)


def together(
    calls: Iterable[CallCost], key: Callable[[CallCost], KeyT], prices: Mapping[str, Price] | None = None
) -> dict[KeyT, CostSum]:
    """Key -> what its calls took, in the order in which the keys first came."""
    found: dict[KeyT, CostSum] = {}
    for call in calls:
        found[key(call)] = found.get(key(call), CostSum()) + priced_call(call, prices)
    return found


def without_price(calls: Iterable[CallCost], prices: Mapping[str, Price] | None = None) -> tuple[str, ...]:
    """The models of which nobody knows what they cost, each once."""
    named = dict.fromkeys((call.model, call.answered) for call in calls)
    return tuple(dict.fromkeys(model for model, answered in named if price_of(model, answered, prices) is None))
