"""What a run may spend, as callers and commands say it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..batch.limit_words import limits_of
from ..language import diagnose
from ..models.limits import Limits
from ..models.named.profile import ModelProfile, bounded
from ..models.prices import price_of
from ..runs.call_costs import costs_nothing
from ..runs.project import Problems

Budget = Mapping[str, float]
"""`tokens`, `dollars` or both -> at most how many of them."""


def limits_for(
    models: Mapping[str, str],
    profiles: Mapping[str, ModelProfile],
    budget: Budget | Sequence[str],
    prices: Sequence[str],
    *,
    option: str = "--budget",
) -> Limits | Problems:
    """What one run may spend: `budget` by name or as words (`dollars:20`), `prices` as MODEL=IN/OUT for a million
    tokens. Problems where that is not said well, or nobody knows what a model costs."""
    words = [f"{name}:{_plain(amount)}" for name, amount in budget.items()] if isinstance(budget, Mapping) else budget
    limits = limits_of((), words, prices, option=option)
    if not isinstance(limits, Limits):
        return limits
    named = bounded(limits, profiles).prices
    called = [name for name in dict.fromkeys(models.values()) if limits.budget.dollars and not costs_nothing(name)]
    unknown = [name for name in called if price_of(name, named=named) is None]
    return tuple(diagnose.unknown_price(option, model=name) for name in unknown) or limits


def _plain(amount: float) -> str:
    """A number without an exponent."""
    return f"{amount:.6f}".rstrip("0").rstrip(".")
