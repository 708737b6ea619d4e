"""What a run spent on models, read from its journal: calls and tokens, by the model asked and the one that answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from ..model.events import Asked, Event, Reply
from ..models.prices import Price, Spent, price_of
from ..models.scripted import NAMES

Spending = Mapping[tuple[str, str], Spent]
"""(model as it was named, model that the server said it was) -> calls and tokens; no dollars."""

_VERSION: Final = re.compile(r"(-latest|[-@:._]?v?\d[\d.-]*)?")


def spending(models: Mapping[str, str], events: Iterable[Event], replies: Mapping[str, Reply]) -> Spending:
    """Offline actors and recorded runs cost nothing and are left out. Calls that were answered in vain are not told
    of by the journal: what a provider bills can be more."""
    found: dict[tuple[str, str], Spent] = {}
    for event in events:
        if not isinstance(event, Asked) or (reply := replies.get(event.id)) is None:
            continue
        model = reply.by or models[event.role]
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


def answered_otherwise(
    spent: Spending, stood: Callable[[str], str], told: Collection[tuple[str, str]] = ()
) -> dict[str, tuple[str, ...]]:
    """Model -> the names by which its server called what answered, where that is no version of what was asked for.

    `stood`: the model that a name stood for; `told`: pairs of which a warning tells already. A version is the name with
    nothing but figures and dates behind it, or without the `-latest` that was asked for.
    """
    found: dict[str, list[str]] = {}
    for model, answered in spent:
        if answered and (model, answered) not in told and not _version_of(_plain(stood(model)), _plain(answered)):
            found.setdefault(model, []).append(answered)
    return {model: tuple(names) for model, names in found.items()}


def _plain(model: str) -> str:
    """The name without its provider, its maker and the letters' case."""
    return model.rpartition("/")[2].lower()


def _version_of(asked: str, answered: str) -> bool:
    return _VERSION.fullmatch(answered.removeprefix(asked.removesuffix("-latest"))) is not None
