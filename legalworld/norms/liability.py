"""Who must pay what a norm gives: by the first row of liability that holds, nobody whom no fact names."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.decision import Cite, Liability
from .definition import Norm
from .formula_values import Scope, holds


def liable(
    norm: Norm, scope: Scope, others: Sequence[str]
) -> tuple[tuple[str, ...], Liability, tuple[str, ...], tuple[Cite, ...]]:
    """Who pays, how, else which facts are missing, and by which articles: nobody whom no fact names, but the one
    there is."""
    missing: list[str] = []
    for row in norm.liability:
        when = holds(row.when, scope)
        named = [scope.named(term) for term in row.who]
        if when.value is not True or any(not isinstance(one.value, tuple) for one in named):
            missing += [*when.missing, *(name for one in named for name in one.missing)]
            continue
        persons = {name for one in named if isinstance(one.value, tuple) for name in one.value}
        who = tuple(person for person in others if person in persons)
        if who:
            return who, "jointly" if row.kind == "jointly" and len(who) > 1 else "one", (), row.cites
    if len(others) == 1:
        return tuple(others), "one", (), ()
    asked = [name.name for row in norm.liability for name in row.who]
    return (), "open", tuple(dict.fromkeys(missing or asked)), ()
