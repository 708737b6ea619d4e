"""The record of a phase is read to those who missed it."""

from __future__ import annotations

from ...model.attendance import ReadOut
from ...model.procedure import parts_of
from ...model.steps.read_out import ReadMinutes
from .. import presence
from ..record import bounded
from ..scene import Scene
from ..speech import nobody
from ..walk import Play, Walk

Lines = tuple[tuple[str, str, bool], ...]
"""Speaker, words, and whether they are struck."""


def play(walk: Walk, step: ReadMinutes) -> Play:
    """Each listener is read what the record holds for him; those who are read the same words hear them together."""
    yield from ()
    scene = walk.scene
    readers = scene.there(step.reader)
    listeners = tuple(person for person in scene.there(*step.to) if person not in readers)
    if not readers or not listeners:
        return nobody(walk, step.reader, *step.to)
    presence.tell_kept_out(scene)
    by_words: dict[tuple[Lines, int], list[str]] = {}
    for person in listeners:
        by_words.setdefault(_words(scene, step.phase, person), []).append(person)
    place = f"{scene.state.stage}/{step.phase}"
    title = parts_of(scene.procedure)[place].title
    for (lines, omitted), persons in by_words.items():
        if lines:
            scene.recorder.tell(
                ReadOut(
                    place=scene.state.place,
                    person=readers[0],
                    speaker=scene.label(readers[0]),
                    phase=place,
                    title=title,
                    to=tuple(scene.label(person) for person in persons),
                    heard_by=tuple(persons),
                    lines=tuple((speaker, words) for speaker, words, _ in lines),
                    omitted=omitted,
                    struck=tuple(number for number, (_, _, struck) in enumerate(lines) if struck),
                )
            )
    return "" if any(lines for lines, _ in by_words) else nobody(walk)


def _words(scene: Scene, phase: str, person: str) -> tuple[Lines, int]:
    """What was said in a phase and is open to a person, and how many more there were."""
    entries, omitted = bounded(scene.state.record.of(f"{scene.state.stage}/{phase}", person, full=True))
    return tuple((entry.speaker, entry.text, entry.struck) for entry in entries), omitted
