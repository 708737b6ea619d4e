"""Steps in which somebody is given the word: one after the other, called by a chair, or to write a document."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace

from ...model import events, plan
from ..conditions import in_hand
from ..replies import Parsed
from ..state import everyone, wearers
from ..turn import TurnSpec
from ..turn_runner import Floor, Play, Signal


def nobody(floor: Floor) -> Signal:
    """A step that nobody is there to perform."""
    floor.tell(events.Skipped(place=floor.state.place, reason="nobody"))
    return ""


def spent(floor: Floor, turns: int, limit: int) -> bool:
    """Whether a loop must close: its own limit, or the turns of its stage, ran out."""
    budget = floor.stage.budget if floor.stage is not None else 0
    return turns >= limit or bool(budget and floor.state.turns >= budget)


def close(floor: Floor, reason: events.Reason, by: str, turns: int) -> Signal:
    """The loop of the step that is being played is over."""
    floor.tell(events.Closed(place=floor.state.place, reason=reason, by=by, turns=turns))
    return ""


def following(persons: tuple[str, ...], person: str) -> str:
    """Who comes after a person, the first after the last."""
    return persons[(persons.index(person) + 1) % len(persons)]


def speak(floor: Floor, step: plan.Speak) -> Play:
    """Each of the actors speaks once; those spoken to answer, unless all passed."""
    speakers = everyone(floor.state, step.actors)
    to = tuple(person for person in everyone(floor.state, step.to) if person not in speakers)
    if not speakers or (step.to and not to):
        return nobody(floor)
    hand = in_hand(step.item, floor.hands)
    cue = TurnSpec(plan.ACTS[step.verb], step.info, to, hand=hand, aloud=step.verb != "notes")
    if step.pass_token:
        cue = replace(cue, leading=(step.pass_token,), passing=step.pass_token)
    if not step.to:
        cue = replace(cue, answer=step.answer)
    spoke = False
    for person in speakers:
        parsed = yield from floor.give(person, cue)
        if step.pass_token and parsed.leading == step.pass_token:
            floor.tell(events.Skipped(place=floor.state.place, reason="passed"))
        else:
            spoke = True
    if step.verb == "presents" and hand is not None:
        floor.presented |= {hand.about}
    reply = TurnSpec("answer", step.info, speakers, answer=step.answer, hand=hand)
    for person in to if spoke else ():
        yield from floor.give(person, reply)
    return ""


def moderate(floor: Floor, step: plan.Moderate) -> Play:
    """The chair calls one speaker at a time; when it names nobody twice, the next in order is called.

    The limit is strict; the stage's budget lets who was called answer.
    """
    chairs, speakers = wearers(floor.state, step.chair), everyone(floor.state, step.speakers)
    if not chairs or not speakers:
        return nobody(floor)
    calls = {step.call.replace("{role}", floor.label(person)): person for person in speakers}
    spoken = dict.fromkeys(speakers, 0)
    turns, called = 0, speakers[-1]
    while not spent(floor, turns, step.limit):
        cue = TurnSpec(
            "moderate",
            step.info,
            speakers,
            leading=(*calls, step.close),
            calls=calls,
            close=step.close,
            turn=turns // 2 + 1,
            left=step.limit - turns,
            needs=frozenset({"leading"}),
        )
        parsed = yield from floor.give(chairs[0], cue)
        turns += 1
        if parsed.leading == step.close:
            return close(floor, "token", chairs[0], turns)
        if turns >= step.limit:
            break
        called = calls.get(parsed.leading) or following(speakers, called)
        spoken[called] += 1
        reply = TurnSpec("reply", step.info, chairs[:1], turn=spoken[called], left=step.limit - turns)
        yield from floor.give(called, reply)
        turns += 1
    return close(floor, "budget", "", turns)


# ---- documents -------------------------------------------------------------------------------------------------------


def draft(floor: Floor, step: plan.Draft) -> Play:
    document = floor.procedure.documents[step.document]
    writers = wearers(floor.state, step.actor)
    if not writers:
        return nobody(floor)
    parsed = yield from floor.give(writers[0], TurnSpec("draft", step.info, document=document, aloud=False))
    floor.draft(writers[0], document, parsed.text, "reply")
    return ""


def produce(
    floor: Floor, writer: str, cue: TurnSpec, said: Parsed | None
) -> Generator[events.Turn, tuple[events.Reply, ...], None]:
    """The document that a loop was for: the words that closed it, or else asked for outright."""
    assert cue.document is not None
    if said is None or not said.text:
        said = yield from floor.give(writer, cue)
    floor.draft(writer, cue.document, said.text, "reply")


def take(floor: Floor, step: plan.Take) -> Signal:
    """A document that the case supplies: the form in `documents/`, filled from what its author's side may see."""
    document = floor.procedure.documents[step.document]
    writers = wearers(floor.state, step.actor)
    home = floor.prompter.templates.find((f"documents/{document.name}",))
    if not writers or home is None:
        return nobody(floor)
    person = floor.state.persons[writers[0]]
    view = floor.look(person, TurnSpec("draft", step.info, document=document))
    floor.draft(person.id, document, floor.prompter.templates.render(home, view.variables).strip(), "case")
    return ""
