"""What somebody saw at a call and why, what is new in it, what was taken back, and what he did not see."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Literal

from ..model.events import Asked, Entered, Event, Left, Spoke, Withheld
from ..model.immutable import immutable
from ..model.procedure import parts_of
from .cells import Cells, Key
from .responses_run import FieldState, SeenField, SightPage, TakenBack, UnseenField
from .sight_book import SeenInCall
from .studio_run import StudioRun
from .told import told

Freshness = Literal["new", "changed", ""]


@immutable
class Since:
    """From which call of a person a field reads as it does, and from which he sees it."""

    state: FieldState
    since: int
    opened: int


class Sights:
    """The sights of a run; those of one person are compared call by call."""

    def __init__(self, run: StudioRun) -> None:
        self.run = run
        self._ages: dict[str, dict[int, Mapping[Key, Since]]] = {}
        self._own: dict[str, list[int]] = {}

    @cached_property
    def cells(self) -> Cells:
        return Cells(self.run.procedure, self.run.source_line)

    def at(self, turn: int) -> SightPage | None:
        """What was seen at a call; None where the record cannot be played up to it."""
        call = self.run.calls[turn - 1]
        seen = self.run.book.get(call.id)
        if seen is None:
            return None
        kind = self.run.kind_of(call.person, call.role)
        ages = self._ages_of(call.person)
        own = self._own[call.person]
        place = bisect_left(own, turn)
        before = own[place - 1] if place else 0
        return SightPage(
            turn=turn,
            person=call.person,
            speaker=call.speaker,
            kind=kind,
            letter=self.cells.letter(kind),
            stage=seen.stage,
            today=seen.today,
            before=before,
            next=own[place + 1] if place + 1 < len(own) else 0,
            fields=self._seen(seen, kind, ages[turn], turn, before),
            unseen=self._unseen(seen, kind, call, turn),
            back=(*self._fields_back(seen, kind, before), *self._talk_back(call.person, before, turn)),
        )

    def _ages_of(self, person: str) -> dict[int, Mapping[Key, Since]]:
        """Call of a person -> how old each field is that he sees there."""
        if person not in self._ages:
            found: dict[int, Mapping[Key, Since]] = {}
            last: Mapping[Key, Since] = {}
            for turn, call in self.run.calls_by(person):
                seen = self.run.book.get(call.id)
                if seen is None:
                    continue
                last = {key: _aged(state, turn, last.get(key)) for key, state in seen.by_key.items()}
                found[turn] = last
            self._ages[person], self._own[person] = found, list(found)
        return self._ages[person]

    def _seen(
        self, seen: SeenInCall, kind: str, ages: Mapping[Key, Since], turn: int, before: int
    ) -> tuple[SeenField, ...]:
        """What is seen, each with its cells and its age; in the first call of a person nothing is fresh."""
        found = []
        for state in seen.states:
            key = state.name, state.whose
            cells, age = self.cells.of(key, kind, seen.stage), ages[key]
            fresh: Freshness = "" if age.since != turn or not before else "new" if age.opened == turn else "changed"
            found.append(
                SeenField(
                    state=state,
                    cells=tuple(cell.shown for cell in cells),
                    reason=self.cells.why_seen(cells, kind, seen.stage),
                    fresh=fresh,
                    since=age.since,
                    opened=age.opened,
                )
            )
        return tuple(found)

    # ---- what is not seen --------------------------------------------------------------------------------------------

    def _unseen(self, seen: SeenInCall, kind: str, call: Asked, turn: int) -> tuple[UnseenField, ...]:
        """All that is declared and not seen, with the reason."""
        shown = seen.by_key.keys()
        keys = dict.fromkeys(self.cells.by_key)
        named = {what for what, _ in keys}
        rest = [name for name in self.run.procedure.case_fields if name not in named]
        keys |= dict.fromkeys((name, "all") for name in rest)
        waits = self._waits(seen.stage, call.person, turn)
        return tuple(
            self._not_seen(key, seen, kind, waits)
            for key in keys
            if key not in shown and self._concerns(key, call.person, kind)
        )

    def _concerns(self, key: Key, person: str, kind: str) -> bool:
        """Whether a person could be shown something at all: the record of a stage only where some cell opens it to
        him; what is another side's only where he has a side, as all is his own where he has none."""
        if key[1] == "minutes":
            return bool(self.cells.of(key, kind))
        known = self.run.persons.get(person)
        return key[1] != "other" or known is None or bool(known.side)

    def _not_seen(self, key: Key, seen: SeenInCall, kind: str, waits: Mapping[str, str]) -> UnseenField:
        why = self.cells.why_unseen(key, kind, seen.stage, key in seen.opened, waits)
        return UnseenField(
            name=key[0],
            whose=key[1],
            title=self.cells.title(key),
            code=why.code,
            reason=why.reason,
            cells=tuple(cell.shown for cell in why.cells),
        )

    def _waits(self, stage: str, person: str, turn: int) -> Mapping[str, str]:
        """The phases of a stage that are not over at a call, with their titles; nothing for who belongs to no side."""
        if person in self.run.persons and not self.run.persons[person].side:
            return {}
        over: set[str] = set()
        for number, event in self._ended:
            if number > self.run.asked_at[turn - 1]:
                break
            if isinstance(event, Entered) and event.place == stage:  # it has begun again
                over.clear()
            elif isinstance(event, Left) and event.place.startswith(f"{stage}/"):
                over.add(event.place.partition("/")[2])
        found = next((one for one in self.run.procedure.stages if one.id == stage), None)
        phases = found.phases if found is not None else ()
        return {phase.id: phase.title or phase.id for phase in phases if phase.id and phase.id not in over}

    def _until(self, turn: int, first: int = 0) -> Sequence[Event]:
        """The events before a call, from another one on."""
        asked = self.run.asked_at
        return self.run.events[asked[first - 1] if first else 0 : asked[turn - 1]]

    @cached_property
    def _ended(self) -> list[tuple[int, Event]]:
        """The stages that were entered and the phases that were left, each with the number of its event."""
        return [
            (number, event)
            for number, event in enumerate(self.run.events)
            if (isinstance(event, Entered) and event.level == "stage")
            or (isinstance(event, Left) and event.level == "phase")
        ]

    # ---- what was taken back -----------------------------------------------------------------------------------------

    def _fields_back(self, seen: SeenInCall, kind: str, before: int) -> list[TakenBack]:
        if not before or (last := self.run.book.get(self.run.calls[before - 1].id)) is None:
            return []
        now, waits = seen.by_key, dict[str, str]()
        gone = [state for key, state in last.by_key.items() if key not in now]
        found = []
        for state in gone:
            key = state.name, state.whose
            why = self.cells.why_unseen(key, kind, seen.stage, key in seen.opened, waits)
            reason = told("studio.back_empty") if why.code == "empty" else why.reason
            title = state.title or self.cells.title(key)
            found.append(
                TakenBack(
                    kind="field",
                    name=key[0],
                    whose=key[1],
                    title=title,
                    turn=before,
                    reason=reason,
                    turns=(),
                )
            )
        return found

    def _talk_back(self, person: str, before: int, turn: int) -> list[TakenBack]:
        """Talk that was taken out of what a person heard, between his call before and this one."""
        titles = parts_of(self.run.procedure)
        found = []
        for event in self._until(turn, before):
            if isinstance(event, Withheld) and person in event.persons:
                title = titles[event.phase].title if event.phase in titles else event.phase
                found.append(
                    TakenBack(
                        kind="words",
                        name=event.phase,
                        whose="",
                        title=title,
                        turn=before,
                        reason=told("studio.back_withheld", phase=title),
                        turns=self._heard_in(event.phase, person, turn),
                    )
                )
        return found

    def _heard_in(self, phase: str, person: str, turn: int) -> tuple[int, ...]:
        """The calls of a phase, before one, whose words a person heard."""
        spoken = (event for event in self._until(turn) if isinstance(event, Spoke) and person in event.heard_by)
        turns = (self.run.turn_of[one.request] for one in spoken if one.place.rpartition("/")[0] == phase)
        return tuple(dict.fromkeys(turns))


def _aged(state: FieldState, turn: int, last: Since | None) -> Since:
    if last is None:
        return Since(state, turn, turn)
    return Since(state, last.since if last.state is state else turn, last.opened)
