"""Some items of a list are drawn by the seed of the run."""

from __future__ import annotations

from ...model import events
from ...model.steps.sample import Sample
from ..conditions import current_item, records, within_of
from ..sampling import draw, worded
from ..walk import Play, Walk


def play(walk: Walk, step: Sample) -> Play:
    """The items are kept under a name; what they are called is the value, and the records go with it."""
    yield from ()
    scene = walk.scene
    items = list(records(step.where, scene.now))
    drawn = [items[n] for n in draw(step.count, len(items), scene.settings.seed, scene.state.place)]
    item = current_item("", scene.loop_items)
    about = item.about if item is not None else ""
    scene.recorder.tell(
        events.Captured(
            request="",
            place=scene.state.place,
            person="",
            speaker="",
            name=step.name,
            value=tuple(worded(record) for _, record in drawn),
            about=about,
            within=within_of(about, "", scene.loop_items),
            source="sample",
            rounds=scene.rounds,
            drawn=tuple(about for about, _ in drawn),
        )
    )
    return ""
