"""An answer that nobody gives is put down."""

from __future__ import annotations

from ...model import events
from ...model.captured import kept
from ...model.steps.record import RecordAnswer
from ..candidates import chosen
from ..conditions import about_of, current_item, within_of
from ..speech import nobody
from ..state import holders
from ..walk import Play, Walk


def play(walk: Walk, step: RecordAnswer) -> Play:
    """It is kept as if those had given it whom the step names; else as nobody's, about the record in hand."""
    yield from ()
    scene, of = walk.scene, step.where.of or step.whose
    item = current_item(step.where.about, scene.loop_items)
    persons = holders(scene.state, of) if of is not None else ("",)
    if not persons:
        return nobody(walk)
    for person in persons:
        about = about_of(item, person, scene.loop_items)
        scene.captured(
            events.Captured(
                request="",
                place=scene.state.place,
                person=person,
                speaker=scene.label(person) if person else "",
                name=step.answer.name,
                **kept(step.value),
                about=about,
                within=within_of(about, person, scene.loop_items),
                source="record",
                rounds=scene.rounds,
                chosen=chosen(scene, step.answer, step.value, about),
            )
        )
    return ""
