"""Two who take turns until one of them closes the conversation."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import procedure as p
from .cue import Cue
from .floor import Floor, Play
from .speaking import close, nobody, produce, spent
from .state import wearers


def converse(floor: Floor, step: p.Converse) -> Play:
    openers, partners = wearers(floor.state, step.opener), wearers(floor.state, step.partner)
    if not openers or not partners:
        return nobody(floor)
    document = floor.procedure.documents.get(step.produces)
    tokens = tuple(said.token for said in step.until)
    writing = Cue("draft", step.info, document=document, ending=tokens, aloud=False)
    spoken = dict.fromkeys((*openers, *partners), 0)
    turns = 0
    for person in _cycle((*openers, *partners)):
        if spent(floor, turns, step.limit):
            break
        spoken[person] += 1
        turns += 1
        ending = tuple(s.token for s in step.until if person in wearers(floor.state, s.actor))
        cue = Cue(
            "converse",
            step.info,
            partners if person in openers else openers,
            ending=ending,
            document=document if ending else None,
            turn=spoken[person],
            left=step.limit - turns,
        )
        parsed = yield from floor.give(person, cue)
        if parsed.ending:
            close(floor, "token", person, turns)
            if document is not None:
                yield from produce(floor, person, writing, parsed)
            return ""
    close(floor, "budget", "", turns)
    if document is not None:
        writer = next((w for said in step.until for w in wearers(floor.state, said.actor)), openers[0])
        yield from produce(floor, writer, writing, None)
    return ""


def _cycle(persons: tuple[str, ...]) -> Iterator[str]:
    while True:
        yield from persons
