"""Two take turns until one of them closes the conversation, or all that it was about is covered."""

from __future__ import annotations

from collections.abc import Iterator

from ...model import events
from ...model.immutable import replace
from ...model.plan import Topics
from ...model.steps.converse import Converse
from ..conditions import records
from ..parsed import Parsed
from ..sampling import worded
from ..scene import Scene
from ..speech import Turns, close, give, nobody, produce
from ..state import holders
from ..turn import Topic, TurnSpec
from ..walk import Play, Walk


def play(walk: Walk, step: Converse) -> Play:
    scene = walk.scene
    openers = scene.there(step.opener)
    partners = tuple(person for person in scene.there(step.partner) if person not in openers)
    if not openers or not partners:
        return nobody(walk, step.opener, step.partner)
    document = scene.procedure.documents.get(step.produces)
    tokens = tuple(said.token for said in step.until)
    writing = TurnSpec("draft", step.info, document=document, ending=tokens, aloud=False)
    agenda = _Agenda(scene, step.topics)
    spoken = dict.fromkeys((*openers, *partners), 0)
    drafts: dict[str, str] = {}
    turns = Turns(scene, step.limit)
    reason: events.Reason | None = agenda.over
    for person in _cycle((*openers, *partners)):
        if reason or turns.spent():
            break
        spoken[person] += 1
        turns.take()
        ending = tuple(said.token for said in step.until if person in holders(scene.state, said.actor))
        spec = TurnSpec(
            "converse",
            step.info,
            partners if person in openers else openers,
            leading=agenda.tokens if person in openers else (),
            ending=ending,
            document=document if ending else None,
            turn=spoken[person],
            left=turns.left,
            topics=agenda.topics if person in openers else (),
            earlier=drafts.get(person, ""),
        )
        parsed = yield from give(walk, person, spec)
        agenda.heard(person, parsed)
        drafts |= {person: parsed.draft} if parsed.draft else {}
        if parsed.ending:
            close(walk, "token", person, turns.taken)
            yield from produce(walk, person, replace(writing, earlier=drafts.get(person, "")), parsed)
            return ""
        reason = agenda.over if person == partners[-1] else None
    close(walk, reason or "budget", "", turns.taken)
    writer = next((holder for said in step.until for holder in scene.there(said.actor)), openers[0])
    yield from produce(walk, writer, replace(writing, earlier=drafts.get(writer, "")), None)
    return ""


class _Agenda:
    """What a conversation is to cover, and what of it was raised; of a conversation without topics, nothing."""

    def __init__(self, scene: Scene, wanted: Topics | None) -> None:
        self.scene = scene
        self.wanted = wanted
        items = records(wanted.where, scene.now) if wanted is not None else ()
        token = wanted.token if wanted is not None else ""
        self.topics = tuple(
            Topic(n, about, value, token.replace("{n}", str(n))) for n, (about, value) in enumerate(items, 1)
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
                self.topics = tuple(replace(other, covered=other.covered or other is topic) for other in self.topics)
                self.scene.recorder.tell(
                    events.Raised(
                        place=self.scene.state.place,
                        person=person,
                        speaker=self.scene.label(person),
                        n=topic.n,
                        value=worded(topic.value),
                    )
                )


def _cycle(persons: tuple[str, ...]) -> Iterator[str]:
    while True:
        yield from persons
