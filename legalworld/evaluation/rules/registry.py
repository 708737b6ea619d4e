"""The scoring rules that there are: those that ship, and those that other packages add (`legalworld.rules`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Final

from ...language.plugins import Plugged, plugged
from ..metrics.values import MissingScore, Reason
from .rule import Rule, RuleInput, RuleResult
from .table import RULES

GROUP: Final = "legalworld.rules"


@cache
def scoring_rules() -> Plugged[Rule]:
    """All rules by their names. One that another package adds gives a gap where it raises: nothing else is lost."""
    found = plugged(GROUP, RULES, lambda part: isinstance(part, Rule))
    parts = {name: _guarded(rule) if name in found.foreign else rule for name, rule in found.parts.items()}
    return Plugged(parts, found.foreign, found.problems)


def _guarded(rule: Rule) -> Rule:
    return replace(rule, function=_Guarded(rule.function))


class _Guarded:
    """A function of another package, whose errors and strange values are gaps."""

    def __init__(self, function: Callable[[RuleInput], RuleResult | MissingScore]) -> None:
        self._function = function

    def __call__(self, given: RuleInput) -> RuleResult | MissingScore:
        try:
            result: object = self._function(given)
        except Exception as error:
            return MissingScore(Reason.UNREADABLE, f"{type(error).__name__}: {error}")
        good = isinstance(result, RuleResult | MissingScore)
        return result if good else MissingScore(Reason.UNREADABLE, type(result).__name__)  # type: ignore[return-value]
