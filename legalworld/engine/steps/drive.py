"""One person goes through a checklist and calls whom he likes; the others only answer."""

from __future__ import annotations

from ...model import events
from ...model.immutable import replace
from ...model.steps.drive import Drive
from ..speech import Turns, calls, close, following, give, nobody, presiding, produce
from ..turn import ChecklistItem, TurnSpec
from ..walk import Play, Walk


def play(walk: Walk, step: Drive) -> Play:
    """The driver speaks, whom he called answers; when he calls nobody twice, the next in order is called."""
    scene = walk.scene
    driver, others = presiding(scene, step.driver, step.participants)
    if not driver or not others:
        return nobody(walk, step.driver, *step.participants)
    document = scene.procedure.documents.get(step.produces)
    writing = TurnSpec("draft", step.info, document=document, ending=(step.close,), aloud=False)
    called_by = calls(scene, step.call, others)
    tasks = scene.procedure.checklists[step.checklist]
    items = tuple(ChecklistItem(task, step.done.replace("{n}", str(task.n))) for task in tasks)
    done: frozenset[str] = frozenset()
    spoken = dict.fromkeys(others, 0)
    turns, called = Turns(scene, step.limit), others[-1]
    while not turns.spent():
        if driver not in scene.there(step.driver):
            return close(walk, "left", "", turns.taken)
        spec = TurnSpec(
            "drive",
            step.info,
            others,
            leading=tuple(called_by),
            calls=called_by,
            close=step.close,
            ending=(step.close,),
            document=document,
            turn=turns.taken // 2 + 1,
            left=turns.left,
            must_lead=True,
            within=tuple(item.token for item in items),
            items=tuple(ChecklistItem(item.task, item.token, item.token in done) for item in items),
            earlier=writing.earlier,
        )
        parsed = yield from give(walk, driver, spec)
        turns.take()
        writing = replace(writing, earlier=parsed.draft or writing.earlier)
        done |= set(parsed.within)
        _record_done(walk, step, driver, tuple(i.task.n for i in items for t in parsed.within if t == i.token))
        if parsed.ending:
            close(walk, "token", driver, turns.taken)
            yield from produce(walk, driver, writing, parsed)
            return ""
        if turns.spent():
            break
        if parsed.struck:  # nobody need respond
            continue
        called = called_by.get(parsed.leading) or following(others, called)
        spoken[called] += 1
        reply = TurnSpec("reply", step.info, (driver,), turn=spoken[called], left=turns.left)
        yield from give(walk, called, reply)
        turns.take()
    close(walk, "budget", "", turns.taken)
    yield from produce(walk, driver, writing, None)
    return ""


def _record_done(walk: Walk, step: Drive, driver: str, numbers: tuple[int, ...]) -> None:
    """The items of the checklist that the driver said were done in one turn."""
    if numbers:
        scene = walk.scene
        scene.recorder.tell(
            events.Performed(
                place=scene.state.place,
                person=driver,
                speaker=scene.label(driver),
                checklist=step.checklist,
                items=numbers,
            )
        )
