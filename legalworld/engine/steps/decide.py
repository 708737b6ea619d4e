"""A part of what a court decides is formulated, or put down as a vote came out, and read at once."""

from __future__ import annotations

from ...model import events
from ...model.decision_parts import PartDecided, PartToRead
from ...model.steps.decide import Decide
from ..conditions import about_of, current_item, within_of
from ..parsed import Faults, Parsed
from ..polls import CapturedAnswer
from ..speech import give, nobody
from ..turn import TurnSpec
from ..walk import Play, Walk

INCOMPLETE = "order_incomplete"


def play(walk: Walk, step: Decide) -> Play:
    """The first of those who are there decides; what an order to pay does not say he is asked for once more."""
    scene, item = walk.scene, current_item(step.item, walk.scene.loop_items)
    about = about_of(item, "", scene.loop_items)
    if step.ballots:
        _as_voted(walk, step, about)
        return ""
    there = scene.there(*step.actors)
    if not there:
        return nobody(walk, *step.actors)
    number = scene.state.asked

    def lacks(parsed: Parsed) -> Faults:
        """What the orders of a reply do not say, as faults of it."""
        if parsed.value is None:
            return ()
        read = scene.reader(_part(walk, step, about, (parsed.value, parsed.text)))
        return tuple((INCOMPLETE, f"{where}/{what}") for where, what in read.lacking)

    spec = TurnSpec("note", step.info, answer=step.answer, loop_item=item, aloud=False, lacks=lacks)
    parsed = yield from give(walk, there[0], spec)
    given = next((one for one in scene.state.answers.get(step.answer.name, ()) if one.number > number), None)
    if given is not None and not given.silent:
        _tell(walk, step, given, parsed.text)
    return ""


def _as_voted(walk: Walk, step: Decide, about: str) -> None:
    """The result of the vote just before is what is decided; where it had none, nothing is."""
    scene = walk.scene
    votes = [one for one in scene.state.votes.get(step.ballots, ()) if one.about == about]
    result = votes[-1].result if votes else ""
    if not result:
        scene.recorder.skipped("condition")
        return
    scene.recorder.tell(
        events.Captured(
            request="",
            place=scene.state.place,
            person="",
            speaker="",
            name=step.answer.name,
            value=result,
            about=about,
            within=within_of(about, "", scene.loop_items),
            source="record",
            rounds=scene.rounds,
        )
    )
    given = scene.state.answers[step.answer.name][-1]
    _tell(walk, step, given, "")


def _tell(walk: Walk, step: Decide, given: CapturedAnswer, words: str) -> None:
    """What was decided, with all that can be read in it."""
    scene = walk.scene
    read = scene.reader(_part(walk, step, given.about, (given.value, words)))
    scene.recorder.tell(
        PartDecided(
            place=scene.state.place,
            decision=step.decision,
            part=step.part,
            name=step.answer.name,
            about=given.about,
            by="vote" if step.ballots else "answer",
            person=given.person,
            filled=read.filled.model_dump(mode="json", exclude_defaults=True),
        )
    )


def _part(walk: Walk, step: Decide, about: str, said: tuple[str | tuple[str, ...], str]) -> PartToRead:
    decision = walk.scene.procedure.decisions[step.decision]
    return PartToRead(decision, step.part, about, *said, step.answer.name, walk.scene.state.amended)
