"""Chance as a function of the run's seed and a place: the same run draws the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b

from ..model.case import Record, Value


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
