"""What steps of speech share: the word given, a document made, a loop closed."""

from __future__ import annotations

from collections.abc import Generator

from ..model.events import Reason, Reply, Turn
from ..model.plan import ROLE_HOLE
from .replies import Parsed
from .review import reviewed
from .scene import Scene
from .titles import joined
from .turn import TurnSpec
from .walk import Signal, Walk

Speaking = Generator[Turn, tuple[Reply, ...], Parsed]


def give(walk: Walk, person: str, spec: TurnSpec) -> Speaking:
    """Give a person the word: he is asked, his words are reviewed where the step wants it, and recorded."""
    words = yield from walk.turns.formulate(person, spec)
    if spec.info.review is not None:
        words = yield from reviewed(walk.turns, words, spec, spec.info.review)
    walk.turns.utter(words, spec)
    return words.parsed


def produce(walk: Walk, writer: str, spec: TurnSpec, words: Parsed | None) -> Generator[Turn, tuple[Reply, ...], None]:
    """The document that a loop was for: the words that closed it, or else asked for outright."""
    assert spec.document is not None
    if words is None or not words.text:
        words = yield from give(walk, writer, spec)
    walk.scene.drafted(writer, spec.document, words.text, "reply")


def calls(scene: Scene, token: str, persons: tuple[str, ...]) -> dict[str, str]:
    """Token -> the one person whom it calls; no two persons share one."""
    found: dict[str, str] = {}
    for person in persons:
        name, word, number = scene.label(person), scene.label(person), 1
        while token.replace(ROLE_HOLE, word) in found:
            number += 1
            word = joined(name, str(number))
        found[token.replace(ROLE_HOLE, word)] = person
    return found


def nobody(walk: Walk) -> Signal:
    """A step that nobody is there to perform."""
    walk.scene.recorder.skipped("nobody")
    return ""


def close(walk: Walk, reason: Reason, by: str, turns: int) -> Signal:
    """The loop of the step that is being played is over."""
    walk.scene.recorder.closed(reason, by, turns)
    return ""


class Turns:
    """The turns of one loop: as many as its own limit and what its stage has left allow, known when it begins."""

    def __init__(self, scene: Scene, limit: int) -> None:
        budget = scene.stage.budget if scene.stage is not None else 0
        self._scene = scene
        self.most = min(limit, max(budget - scene.loop_turns, 0)) if budget else limit
        self.taken = 0

    def take(self) -> None:
        self.taken += 1
        self._scene.loop_turns += 1

    @property
    def left(self) -> int:
        return self.most - self.taken

    def spent(self) -> bool:
        return self.left <= 0


def following(persons: tuple[str, ...], person: str) -> str:
    """Who comes after a person, the first after the last."""
    return persons[(persons.index(person) + 1) % len(persons)]
