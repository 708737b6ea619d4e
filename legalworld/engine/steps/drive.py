"""A hearing that one person runs by himself, from a checklist: he calls whom he likes, the others only answer."""

from __future__ import annotations

from ...model import events, plan
from ..state import everyone, wearers
from ..turn import ChecklistItem, TurnSpec
from ..turn_runner import Floor, Play
from .speak import close, following, nobody, produce, spent


def drive(floor: Floor, step: plan.Drive) -> Play:
    """The driver speaks, whom he called answers; when he calls nobody twice, the next in order is called.

    The limit is strict; the stage's budget lets who was called answer.
    """
    drivers, others = wearers(floor.state, step.driver), everyone(floor.state, step.participants)
    if not drivers or not others:
        return nobody(floor)
    driver = drivers[0]
    document = floor.procedure.documents.get(step.produces)
    writing = TurnSpec("draft", step.info, document=document, ending=(step.close,), aloud=False)
    calls = {step.call.replace("{role}", floor.label(person)): person for person in others}
    items = tuple(
        ChecklistItem(task, step.done.replace("{n}", str(task.n)))
        for task in floor.procedure.checklists[step.checklist]
    )
    done: frozenset[str] = frozenset()
    spoken = dict.fromkeys(others, 0)
    turns, called = 0, others[-1]
    while not spent(floor, turns, step.limit):
        cue = TurnSpec(
            "drive",
            step.info,
            others,
            leading=tuple(calls),
            calls=calls,
            close=step.close,
            ending=(step.close,),
            document=document,
            turn=turns // 2 + 1,
            left=step.limit - turns,
            needs=frozenset({"leading"}),
            within=tuple(item.token for item in items),
            items=tuple(ChecklistItem(item.task, item.token, item.token in done) for item in items),
        )
        parsed = yield from floor.give(driver, cue)
        turns += 1
        done |= set(parsed.within)
        _tell_performed(floor, step, driver, tuple(i.task.n for i in items for t in parsed.within if t == i.token))
        if parsed.ending:
            close(floor, "token", driver, turns)
            if document is not None:
                yield from produce(floor, driver, writing, parsed)
            return ""
        if turns >= step.limit:
            break
        called = calls.get(parsed.leading) or following(others, called)
        spoken[called] += 1
        yield from floor.give(
            called, TurnSpec("reply", step.info, (driver,), turn=spoken[called], left=step.limit - turns)
        )
        turns += 1
    close(floor, "budget", "", turns)
    if document is not None:
        yield from produce(floor, driver, writing, None)
    return ""


def _tell_performed(floor: Floor, step: plan.Drive, driver: str, items: tuple[int, ...]) -> None:
    if items:
        floor.tell(
            events.Performed(
                place=floor.state.place,
                person=driver,
                speaker=floor.label(driver),
                checklist=step.checklist,
                items=items,
            )
        )
