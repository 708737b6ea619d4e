"""What an item of a rubric is scored once for: records of a field, windows of turns, stages, roles, topics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from ..model import events as e
from ..model.case import MISSING, Record, Value, texts
from .metrics.values import MissingScore, Reason
from .rubric.definition import Each, RubricItem, Selection
from .stored_run import WHOLE, Stored, Unit, joined, within_places


def units(stored: Stored, item: RubricItem) -> tuple[Unit, ...] | MissingScore:
    """What an item is scored for: one unit without a key, or those of its `each`."""
    if item.stages and not stored.entered.intersection(item.stages):
        return MissingScore(Reason.NOT_APPLICABLE, ", ".join(item.stages))
    if item.each is None:
        return (WHOLE,)
    made = tuple(unit for unit in _EACH[item.each.kind](stored, item.each) if _is_one_of(unit, item))
    return made or MissingScore(Reason.EMPTY, " ".join(item.each.names or item.each.places))


def _is_one_of(unit: Unit, item: RubricItem) -> bool:
    record = unit.value
    return all(isinstance(record, Record) and str(record.get(key, "")) in values for key, values in item.only.items())


def _records(stored: Stored, each: Each) -> Iterator[Unit]:
    where = Selection("field", each.span, name=each.names[0], keys=each.keys, owner=each.owner)
    for number, value in enumerate(_members(stored, where), 1):
        yield Unit(str(number), next(texts(value), "")[:60], value)


def _members(stored: Stored, where: Selection) -> list[Value]:
    """The values of a field, those of a list one by one."""
    values = stored.field(where, WHOLE)
    return [member for value in values for member in (value if isinstance(value, tuple) else [value])]


def _windows(stored: Stored, each: Each) -> Iterator[Unit]:
    """So many exchanges (of two who speak one after the other), each window one exchange after the last, so that what
    was left vague in one is judged with what follows (MASER, app. B.1). A talk shorter than a window is one window."""
    said = [piece for piece in stored.utterances if within_places(piece.place, each.places)]
    numbers = list(dict.fromkeys(piece.turn for piece in said))
    starts = range(0, max(2, len(numbers) - 2 * (each.size - 1)), 2)
    for number, start in enumerate(starts if numbers else (), 1):
        window = numbers[start : start + 2 * each.size]
        yield Unit(str(number), f"{window[0]}-{window[-1]}", turns=frozenset(window))


def _placed(stored: Stored, places: Mapping[str, tuple[str, ...]]) -> Iterator[Unit]:
    titles = {stage.id: stage.title for stage in stored.procedure.stages}
    titles |= {f"{stage.id}/{phase.id}": phase.title for stage in stored.procedure.stages for phase in stage.phases}
    for key, among in places.items():
        there = [place for place in among if place in stored.entered]
        if there:
            yield Unit(key, " / ".join(titles.get(place) or place for place in there), places=tuple(there))


def _roles(stored: Stored, each: Each) -> Iterator[Unit]:
    for name in each.names:
        who = stored.who(joined(name))
        said = [piece for piece in stored.utterances if piece.person in who]
        if said:
            first = {piece.person: piece.speaker for piece in reversed(said)}
            called = dict.fromkeys(first[person] for person in dict.fromkeys(piece.person for piece in said))
            yield Unit(name, " / ".join(called) or name, persons=who)


def _topics(stored: Stored, each: Each) -> Iterator[Unit]:
    """The talk about each topic: from where it was raised to where the next one is."""
    raised = [(event, turn) for event, turn in stored.timed(e.Raised) if within_places(event.place, each.places)]
    turns = [piece.turn for piece in stored.utterances if within_places(piece.place, each.places)]
    values = _members(stored, Selection("field", each.span, name=each.names[0]))
    for index, (event, start) in enumerate(raised):
        end = raised[index + 1][1] if index + 1 < len(raised) else float("inf")
        within = frozenset(turn for turn in turns if start <= turn < end)
        value = values[event.n - 1] if event.n <= len(values) else MISSING
        yield Unit(str(event.n), event.value[:60], value, within)


def _items(stored: Stored, each: Each) -> Iterator[Unit]:
    """The items of a checklist; the keys begin with the stage that they belong to."""
    for task in stored.procedure.checklists.get(each.names[0], ()):
        yield Unit(f"{task.stage}/{task.n}", task.text, Record({"stage": task.stage, "item": task.text}))


_EACH: Mapping[str, Callable[[Stored, Each], Iterator[Unit]]] = {
    "records": _records,
    "windows": _windows,
    "phases": lambda stored, each: _placed(stored, {name: (f"{each.places[0]}/{name}",) for name in each.names}),
    "stages": lambda stored, each: _placed(stored, {name: joined(name) for name in each.names}),
    "roles": _roles,
    "topics": _topics,
    "items": _items,
}
