"""Several take turns until one of them closes the talk, or all that it was about is covered."""

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
    """Who is not in the room when his turn comes is passed over; who is left alone talks to nobody."""
    scene = walk.scene
    openers = scene.there(step.opener)
    partners = tuple(person for person in scene.there(*step.partners) if person not in openers)
    talking = (*openers, *partners)
    if not openers or len(talking) < 2 or (len(step.partners) == 1 and not partners):
        return nobody(walk, *step.all_speakers)
    agenda = _Agenda(scene, step.topics)
    spoken = dict.fromkeys(talking, 0)
    drafts: dict[str, str] = {}
    turns = Turns(scene, step.limit)
    reason: events.Reason | None = agenda.over
    for person in _cycle(talking):
        to = _others(scene, step, person, talking)
        reason = reason or (None if to else "left")
        if reason or turns.spent():
            break
        if person not in scene.there(*step.all_speakers):
            continue
        spoken[person] += 1
        turns.take()
        spec = _turn(scene, step, person, agenda.topics if person in openers else ())
        spec = replace(spec, to=to, turn=spoken[person], left=turns.left, earlier=drafts.get(person, ""))
        parsed = yield from give(walk, person, spec)
        agenda.heard(person, parsed)
        drafts |= {person: parsed.draft} if parsed.draft else {}
        if parsed.ending:
            close(walk, "token", person, turns.taken)
            yield from produce(walk, person, _writing(scene, step, drafts.get(person, "")), parsed)
            return ""
        reason = agenda.over if person == talking[-1] else None
    close(walk, reason or "budget", "", turns.taken)
    enders = tuple(said.actor for said in step.until)
    for writer in (*scene.there(*enders), *scene.there(*step.all_speakers))[:1]:
        yield from produce(walk, writer, _writing(scene, step, drafts.get(writer, "")), None)
    return ""


def _turn(scene: Scene, step: Converse, person: str, topics: tuple[Topic, ...]) -> TurnSpec:
    """What somebody may do when it is his turn: raise a topic, end the talk, hand in what comes of it."""
    ending = tuple(said.token for said in step.until if person in holders(scene.state, said.actor))
    document = scene.procedure.documents.get(step.produces) if ending else None
    leading = tuple(topic.token for topic in topics)
    return TurnSpec("converse", step.info, leading=leading, ending=ending, document=document, topics=topics)


def _writing(scene: Scene, step: Converse, earlier: str) -> TurnSpec:
    """What comes of a talk is asked for outright."""
    tokens = tuple(said.token for said in step.until)
    document = scene.procedure.documents.get(step.produces)
    return TurnSpec("draft", step.info, document=document, ending=tokens, aloud=False, earlier=earlier)


def _others(scene: Scene, step: Converse, person: str, talking: tuple[str, ...]) -> tuple[str, ...]:
    """To whom somebody talks: of two who converse, the other; of more, or of one role, all others who are there."""
    there = set(scene.there(*step.all_speakers))
    openers = set(holders(scene.state, step.opener))
    apart = len(step.partners) == 1
    return tuple(
        other
        for other in talking
        if other in there and other != person and not (apart and (other in openers) == (person in openers))
    )


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
