"""Events of the procedure: which can be raised where a walk stands, by whom, and who means to raise one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from ..model.case import MISSING, Case, Person, Record, Sided, Value
from ..model.immutable import immutable
from ..model.procedure import Interruption, Procedure, places
from .conditions import holds
from .scene import Scene
from .state import holders
from .view import Knowledge, ViewBuilder


@immutable
class Raisable:
    """An event that somebody may raise in his turn, with which token; `intended`: in which words he means to."""

    event: Interruption
    token: str
    intended: str


class Interruptions:
    """The events of one walk: how often each came, by whom it was raised, and which are under way.

    A condition raises its event when it comes to hold: not again before it has failed.
    """

    def __init__(self, scene: Scene, views: ViewBuilder) -> None:
        self.scene = scene
        self.views = views
        self.entered: set[str] = set()
        self.under_way: tuple[str, ...] = ()
        self._times: Counter[str] = Counter()
        self._raised: Counter[tuple[str, str]] = Counter()
        self._held: set[str] = set()

    def begin(self, event: Interruption, person: str) -> int:
        """The event comes; for the how many-th time."""
        self.under_way += (event.id,)
        self._times[event.id] += 1
        self._raised[event.id, person] += 1
        return self._times[event.id]

    def over(self) -> None:
        self.under_way = self.under_way[:-1]

    def raisable(self, person_id: str) -> tuple[Raisable, ...] | None:
        """What a person may raise in his turn; None in a procedure in which there is nothing to raise."""
        if not self.scene.procedure.interruptions:
            return None
        person = self.scene.state.persons[person_id]
        return tuple(
            Raisable(event, said.token, self._intended(event, person))
            for event in self._open()
            for said in event.raised
            if person_id in holders(self.scene.state, said.actor)
        )

    def due(self) -> Interruption | None:
        """The first event whose condition has come to hold."""
        due = None
        for event in self.scene.procedure.interruptions:
            if event.whenever is None:
                continue
            if not holds(event.whenever, self.scene.now):
                self._held.discard(event.id)
            elif event.id not in self._held and due is None and self._is_open(event):
                self._held.add(event.id)
                due = event
        return due

    def _open(self) -> Iterator[Interruption]:
        return (event for event in self.scene.procedure.interruptions if self._is_open(event))

    def _is_open(self, event: Interruption) -> bool:
        """Whether an event may come where the walk stands."""
        stage, phase = self.scene.stage, self.scene.phase
        return (
            stage is not None
            and event.id not in self.under_way
            and self._times[event.id] < event.limit
            and event.comes_in(stage.id, phase.id if phase is not None else "")
            and holds(event.when, self.scene.now)
        )

    # ---- who means to raise what -------------------------------------------------------------------------------------
    def _intended(self, event: Interruption, person: Person) -> str:
        """The words in which a person means to raise an event now; "" where his material holds none."""
        knowledge = self.views.knowledge(self.scene.now, person)
        words = list(wanted(knowledge, event.intended)) if event.intended else []
        for text, place in words[self._raised[event.id, person.id] :][:1]:
            if not place or place in self.entered:
                return text
        return ""


def unknown_places(procedure: Procedure, case: Case) -> tuple[str, ...]:
    """What a case names as places from which on somebody means to raise an event, and is none."""
    known = {place for place, _ in places(procedure)}
    values = [case.fields.get(event.intended, MISSING) for event in procedure.interruptions if event.intended]
    held = [one for value in values for one in (value.values.values() if isinstance(value, Sided) else (value,))]
    named = (str(record.get("at", "")) for record in _each(held) if isinstance(record, Record))
    return tuple(dict.fromkeys(word for word in named if word and word not in known))


def _each(values: Iterable[Value]) -> Iterator[Value]:
    """Each value, of a list its items."""
    for value in values:
        yield from value if isinstance(value, tuple) else (value,)


def wanted(knowledge: Knowledge, field: str) -> Iterator[tuple[str, str]]:
    """What somebody means to raise, one after the other: in which words, and when (`at`; "" = at any time).

    Of an event that is the place from which on, of an objection it is words of what he objects to.
    """
    values: list[Value] = [entry["value"] for entry in knowledge.own.get(field, ())]
    values += [knowledge.known[field]] if field in knowledge.known else []
    for one in _each(values):
        if isinstance(one, Record):
            yield str(one.get("text", "")), str(one.get("at", ""))
        elif one:
            yield str(one), ""
