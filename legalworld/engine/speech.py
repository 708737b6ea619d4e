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


def spent(scene: Scene, turns: int, limit: int) -> bool:
    """Whether a loop must close: its own limit, or the turns of its stage, ran out."""
    budget = scene.stage.budget if scene.stage is not None else 0
    return turns >= limit or bool(budget and scene.state.turns >= budget)


def following(persons: tuple[str, ...], person: str) -> str:
    """Who comes after a person, the first after the last."""
    return persons[(persons.index(person) + 1) % len(persons)]
