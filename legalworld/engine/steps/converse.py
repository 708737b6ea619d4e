"""Two who take turns until one of them closes the conversation, or all that it was about is covered."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ...model import events, plan
from ..conditions import records
from ..replies import Parsed
from ..sampling import worded
from ..state import wearers
from ..turn import Topic, TurnSpec
from ..turn_runner import Floor, Play
from .speak import close, nobody, produce, spent


def converse(floor: Floor, step: plan.Converse) -> Play:
    openers, partners = wearers(floor.state, step.opener), wearers(floor.state, step.partner)
    if not openers or not partners:
        return nobody(floor)
    document = floor.procedure.documents.get(step.produces)
    tokens = tuple(said.token for said in step.until)
    writing = TurnSpec("draft", step.info, document=document, ending=tokens, aloud=False)
    agenda = _Agenda(floor, step.topics)
    spoken = dict.fromkeys((*openers, *partners), 0)
    turns = 0
    reason: events.Reason | None = agenda.over
    for person in _cycle((*openers, *partners)):
        if reason or spent(floor, turns, step.limit):
            break
        spoken[person] += 1
        turns += 1
        ending = tuple(s.token for s in step.until if person in wearers(floor.state, s.actor))
        cue = TurnSpec(
            "converse",
            step.info,
            partners if person in openers else openers,
            leading=agenda.tokens if person in openers else (),
            ending=ending,
            document=document if ending else None,
            turn=spoken[person],
            left=step.limit - turns,
            topics=agenda.topics if person in openers else (),
        )
        parsed = yield from floor.give(person, cue)
        agenda.heard(person, parsed)
        if parsed.ending:
            close(floor, "token", person, turns)
            if document is not None:
                yield from produce(floor, person, writing, parsed)
            return ""
        reason = agenda.over if person == partners[-1] else None
    close(floor, reason or "budget", "", turns)
    if document is not None:
        writer = next((w for said in step.until for w in wearers(floor.state, said.actor)), openers[0])
        yield from produce(floor, writer, writing, None)
    return ""


class _Agenda:
    """What a conversation is to cover, and what of it was raised; of a conversation without topics, nothing."""

    def __init__(self, floor: Floor, wanted: plan.Topics | None) -> None:
        self.floor = floor
        self.wanted = wanted
        found = records(wanted.where, floor.now) if wanted is not None else ()
        token = wanted.token if wanted is not None else ""
        self.topics = tuple(
            Topic(n, about, value, token.replace("{n}", str(n))) for n, (about, value) in enumerate(found, 1)
        )

    @property
    def tokens(self) -> tuple[str, ...]:
        return tuple(topic.token for topic in self.topics)

    @property
    def over(self) -> events.Reason | None:
        """Why there is nothing left to raise; None while there is."""
        if self.wanted is None or not all(topic.covered for topic in self.topics):
            return None
        return "covered" if self.topics else "empty"

    def heard(self, person: str, parsed: Parsed) -> None:
        """A topic counts as raised when its token stands at the start of an opener's words."""
        for topic in self.topics:
            if topic.token == parsed.leading and not topic.covered:
                self.topics = tuple(replace(one, covered=one.covered or one is topic) for one in self.topics)
                self.floor.tell(
                    events.Raised(
                        place=self.floor.state.place,
                        person=person,
                        speaker=self.floor.label(person),
                        n=topic.n,
                        value=worded(topic.value),
                    )
                )


def _cycle(persons: tuple[str, ...]) -> Iterator[str]:
    while True:
        yield from persons
