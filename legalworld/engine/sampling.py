"""Chance as a function of the run's seed and a place: the same run draws the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b

from ..model import events, plan
from ..model.case import Record, Value
from .conditions import in_hand, records
from .turn_runner import Floor


def dice(seed: int, *words: str) -> Callable[[int], int]:
    """A die that depends on nothing but the seed and the words: `dice(...)(6)` is 0 to 5."""

    def throw(sides: int) -> int:
        digest = blake2b("\x1f".join((str(seed), *words)).encode(), digest_size=8).digest()
        return int.from_bytes(digest) % sides

    return throw


def draw(count: int, total: int, seed: int, place: str) -> tuple[int, ...]:
    """Which of `total` things are drawn, in their order; all of them where there are no more."""
    left = list(range(total))
    drawn = [left.pop(dice(seed, place, str(turn))(len(left))) for turn in range(min(count, total))]
    return tuple(sorted(drawn))


def sample(floor: Floor, step: plan.Sample) -> None:
    """Some items of a list, kept under a name; what they are called is the value, and the records go with it."""
    found = list(records(step.where, floor.now))
    drawn = [found[n] for n in draw(step.count, len(found), floor.settings.seed, floor.state.place)]
    hand = in_hand("", floor.hands)
    floor.tell(
        events.Captured(
            request="",
            place=floor.state.place,
            person="",
            speaker="",
            name=step.name,
            value=tuple(worded(record) for _, record in drawn),
            about=hand.about if hand is not None else "",
            source="sample",
            drawn=tuple(about for about, _ in drawn),
        )
    )


def worded(value: Value) -> str:
    """A record in one line of text."""
    return " ".join(_texts(value))


def _texts(value: Value) -> Iterator[str]:
    """All that a record says, in the order of its keys."""
    match value:
        case str():
            yield value
        case tuple():
            for each in value:
                yield from _texts(each)
        case Record():
            for key in value:
                yield from _texts(value[key])
        case _:
            return
