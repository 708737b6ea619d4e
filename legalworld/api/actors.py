"""Who plays which role, as a caller says it: names of models and callables, for one role or for all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from ..model.immutable import immutable
from ..model.text import plain_name
from ..runs.callables import PREFIX, Actor

Seat = str | Actor
"""A name of a model, as `--model` takes it (`offline`, `openai/gpt-4o`, a name of models.yaml), or a callable."""
Actors = Seat | Mapping[str, Seat]
"""Who plays every role, or each role by its id; `others` stands for all roles that are not named."""

OTHERS: Final = "others"


@immutable
class Seated:
    """`words`: as `--model` says it; `named`: name of a callable -> the callable."""

    words: tuple[str, ...]
    named: Mapping[str, Actor]


def seated(actors: Actors) -> Seated:
    """Who plays, with a name for each callable: its own, and a number behind it where two have the same."""
    seats = actors if isinstance(actors, Mapping) else {OTHERS: actors}
    named: dict[str, Actor] = {}
    words = []
    for role, seat in seats.items():
        name = seat if isinstance(seat, str) else PREFIX + _called(seat, named)
        words.append(name if role == OTHERS else f"{role}={name}")
    return Seated(tuple(sorted(words, key=lambda word: "=" in word)), named)


def _called(actor: Actor, named: dict[str, Actor]) -> str:
    """The name under which a callable is known in a run; it is noted among those that have one."""
    for name in _names(actor):
        if named.setdefault(name, actor) == actor:
            return name
    raise AssertionError


def _names(actor: Actor) -> Iterator[str]:
    own = getattr(actor, "__name__", "") or type(actor).__name__
    name = plain_name(own)
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1
