"""Limits, budget and prices as a command says them: `--limit deepseek=requests:60`, `--budget dollars:20`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..language import diagnose
from ..language.name_values import said_once
from ..model.diagnostics import Diagnostic
from ..models.limits import Budget, Limits, RateLimit
from ..models.prices import Price
from ..runs.project import Problems

_RATES: Final = ("requests", "tokens", "calls")
_BUDGETS: Final = ("tokens", "dollars")
_TIMES: Final = {"": 1, "k": 1000, "K": 1000, "m": 10**6, "M": 10**6}
_NUMBER: Final = re.compile(r"(\d{1,15}(?:\.\d{1,6})?)([kKmM]?)")
_PRICE: Final = re.compile(r"\d{1,9}(?:\.\d{1,9})?")
MILLION: Final = 10**6


def limits_of(
    limits: Sequence[str], budget: Sequence[str], prices: Sequence[str], *, option: str = "--budget"
) -> Limits | Problems:
    """The limits that a command names, or all that is wrong with them; `option`: that of the budget."""
    problems: list[Diagnostic] = []
    rates: dict[str, RateLimit] = {}
    for word in limits:
        model, _, rest = word.rpartition("=")
        what, number = _said(rest, _RATES)
        if not what or number < 1:
            example = "deepseek=requests:60"
            problems.append(diagnose.invalid_limit("--limit", word=word, known=_RATES, example=example))
            continue
        rates[model] = replace(rates.get(model, RateLimit()), **{what: int(number)})
    bounds = Budget()
    for word in budget:
        what, amount = _said(word, _BUDGETS)
        if not what or (what == "tokens" and amount < 1):
            problems.append(diagnose.invalid_limit(option, word=word, known=_BUDGETS, example="dollars:20"))
        elif what == "tokens":
            bounds = replace(bounds, tokens=int(amount))
        else:
            bounds = replace(bounds, dollars=amount)
    named: dict[str, Price] = {}
    for word in prices:
        price = _price(word)
        if price is None:
            problems.append(diagnose.invalid_price("--price", word=word))
        else:
            named[word.rpartition("=")[0]] = price
    problems += _repeated("--limit", limits) + _repeated(option, budget) + _repeated("--price", prices)
    return tuple(problems) or Limits(rates, bounds, named)


def _repeated(option: str, words: Sequence[str]) -> tuple[Diagnostic, ...]:
    """What is limited or priced with two different numbers."""
    mark = "=" if option == "--price" else ":"
    halves = (word.rpartition(mark) for word in words)
    return said_once(((what.strip(), number.strip()) for what, _, number in halves), option)


def _said(text: str, words: Sequence[str]) -> tuple[str, float]:
    """What `WHAT:NUMBER` says; ("", 0) where it is none, or the number is not above 0."""
    what, _, number = text.partition(":")
    found = _NUMBER.fullmatch(number.strip().replace("_", ""))
    amount = float(found[1]) * _TIMES[found[2]] if found else 0.0
    name = what.strip()
    return (name, amount) if name in words and amount > 0 else ("", 0.0)


def _price(word: str) -> Price | None:
    model, _, numbers = word.rpartition("=")
    parts = [float(part) / MILLION for part in numbers.split("/") if _PRICE.fullmatch(part)]
    if not model or len(parts) != numbers.count("/") + 1 or len(parts) not in (2, 3):
        return None
    return Price(parts[0], parts[-2] if len(parts) == 3 else parts[0], parts[-1])
