"""What steps of speech share: the word given, a document made, a loop closed."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from ..model.actors import Actor
from ..model.events import Reason, Reply, Turn
from ..model.immutable import replace
from ..model.plan import ROLE_HOLE
from ..model.procedure import Document
from ..model.punctuation import joined
from .objections import exposed
from .parsed import Parsed
from .review import reviewed
from .scene import Scene
from .state import everyone
from .turn import TurnSpec
from .walk import Leaving, Signal, Walk

Speaking = Generator[Turn, tuple[Reply, ...], Parsed]


def give(walk: Walk, person: str, spec: TurnSpec, then: Sequence[tuple[str, TurnSpec]] = ()) -> Speaking:
    """Give a person the word: he is asked, his words are reviewed and open to objection as the step wants it,
    and recorded. `then`: as `TurnRunner.formulate` has it.

    An event that he raises comes at once. Who raised it in place of what was expected of him has the word again.
    """
    while True:
        if spec.aloud:
            spec = replace(spec, events=walk.interruptions.raisable(person))
        words = yield from walk.turns.formulate(person, spec, then)
        if spec.info.review is not None:
            words = yield from reviewed(walk.turns, words, spec, spec.info.review)
        if spec.info.objection is not None and spec.aloud:
            words = yield from exposed(walk.turns, words, spec, spec.info.objection)
        if not words.parsed.struck:
            walk.turns.utter(words, spec)
        yield from _interrupted(walk, person, words.parsed, spec)
        if not words.parsed.unmet:
            return words.parsed


def _interrupted(walk: Walk, person: str, parsed: Parsed, spec: TurnSpec) -> Generator[Turn, tuple[Reply, ...], None]:
    """What a turn has raised: an event by its token, or by a condition that has come to hold."""
    raised = next((one for one in spec.events or () if one.token == parsed.raised), None)
    signal = (yield from walk.interrupt(raised.event, person)) if raised is not None else ""
    signal = signal or (yield from walk.look_around())
    if signal:
        raise Leaving(signal)


def produce(walk: Walk, writer: str, spec: TurnSpec, words: Parsed | None) -> Generator[Turn, tuple[Reply, ...], None]:
    """The document that a loop was for, if any: the words that closed it, or else asked for outright."""
    if spec.document is None:
        return
    if words is None or not words.document:
        words = yield from give(walk, writer, spec)
    walk.scene.drafted(writer, spec.document, words.document, "reply", cut=words.broken_off)


def authors(scene: Scene, document: Document, writers: tuple[str, ...]) -> tuple[str, ...]:
    """Who writes a document, of those who are to: the first of them; of what each side has, the first of each side."""
    if not document.sided:
        return writers[:1]
    first: dict[str, str] = {}
    for writer in writers:
        first.setdefault(scene.state.persons[writer].side, writer)
    return tuple(first.values())


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


def nobody(walk: Walk, *meant: Actor) -> Signal:
    """A step that nobody is there to perform; `meant`: who could, were he in the room."""
    scene = walk.scene
    away = everyone(scene.state, meant) != scene.there(*meant)
    scene.recorder.skipped("absent" if away else "nobody")
    return ""


def close(walk: Walk, reason: Reason, by: str, turns: int) -> Signal:
    """The loop of the step that is being played is over."""
    walk.scene.recorder.closed(reason, by, turns)
    return ""


def presiding(scene: Scene, chair: Actor, others: tuple[Actor, ...]) -> tuple[str, tuple[str, ...]]:
    """Who leads a talk, and whom he may call: all others, not himself. "" where nobody is there to lead it."""
    leader = next(iter(scene.there(chair)), "")
    return leader, tuple(person for person in scene.there(*others) if person != leader)


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
    """Who comes after a person, the first after the last and after somebody who is not among them."""
    return persons[(persons.index(person) + 1) % len(persons)] if person in persons else persons[0]
