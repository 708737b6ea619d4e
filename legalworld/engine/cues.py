"""What a step is about, for one reader: its cue with the holes filled, and the items that the loops have come to.

An item is called by what it is where the reader may see it, and by its number in the list where he may not: he is told
which one has been reached, and nothing of it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..language.amounts import beside_currency, in_full
from ..model.case import Person, Typed, called, texts
from ..model.holes import around, filled, holes
from .conditions import LoopItem, below, current_item
from .scene import Scene
from .titles import numbered, said_once
from .view import Knowledge


def cue_of(cue: str, reader: Person, knowledge: Knowledge, scene: Scene) -> str:
    """The cue of a step as one reader is told it."""
    if "{" not in cue:
        return cue

    def word(name: str, path: tuple[str, ...]) -> str | None:
        item = current_item(name, scene.loop_items)
        if item is None:
            return None
        said = _said(item, path, reader, knowledge, scene)
        once = said_once(scene.procedure, item.about, said, around(cue, name, path)[0])
        if once != said:
            return once
        return said if _unit_beside(cue, name, path, said) else in_full(said, scene.procedure.locale)

    return filled(cue, word)


def _unit_beside(cue: str, name: str, path: tuple[str, ...], said: str) -> bool:
    """Whether the cue itself writes the unit of what stands in a hole."""
    unit = said.unit if isinstance(said, Typed) else ""
    before, behind = around(cue, name, path)
    return bool(unit) and (behind.lstrip().startswith(unit) or beside_currency(before, behind, unit))


def concerning(cue: str, to: tuple[str, ...], reader: Person, knowledge: Knowledge, scene: Scene) -> tuple[str, ...]:
    """What the items are called that the loops around have come to, the outer one first.

    Without those that the cue names itself, and without persons who are spoken to or are the reader: they are told
    apart already.
    """
    named = {name for name, _ in holes(cue)}
    known = {*to, reader.id}
    return tuple(
        _said(item, (), reader, knowledge, scene)
        for item in scene.loop_items
        if item.variable not in named and item.person not in known
    )


def _said(item: LoopItem, path: tuple[str, ...], reader: Person, knowledge: Knowledge, scene: Scene) -> str:
    """An item, or what stands at a path below it; its number where the reader may not see it, or there is nothing."""
    if item.person and not path:
        return scene.label(item.person)
    if knowledge.shows(item.about, reader.side):
        words = _one(texts(below(item.record, path))) if path else called(item.record)
        if words:
            return words
    return scene.label(item.person) if item.person else numbered(scene.procedure, item.about)


def _one(found: Iterable[str]) -> str:
    """One text as it is, with its unit; several as one."""
    said = tuple(found)
    return said[0] if len(said) == 1 else "".join(said)
