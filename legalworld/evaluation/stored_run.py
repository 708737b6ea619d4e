"""A stored run as evaluation sees it: who said what in which turn, what was written, and what an item is made of.

Turns have the numbers of `lw show`. The case is whole here, evaluation-only fields too; no agent is asked anything.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Final, TypeVar

from ..engine.casting import cast
from ..language import diagnose
from ..model import events as e
from ..model.case import MISSING, Case, Person, Record, Sided, Value, texts
from ..model.condition import NO_CONDITION, RunCondition
from ..model.diagnostics import Diagnostic
from ..model.immutable import immutable
from ..model.procedure import Procedure
from ..model.source import Span
from ..model.struck import struck
from ..model.undecided_claims import undecided_by_decision
from .rubric.definition import SIDE, RubricItem, Selection
from .sections import body
from .soundness.definition import CheckFile

_Kind = TypeVar("_Kind")


@immutable
class EvidencePiece:
    """Evidence: an utterance, a document, a captured answer. `turn` is 0 for what no turn brought about.

    `given`: nobody in the run wrote it: it came with the case, or was put in the place of what was written; it is not
    scored. Where a run is opened to have such documents scored (`Stored.counts_given`), none is.
    """

    turn: int
    place: str
    person: str
    speaker: str
    act: str
    text: str
    document: str = ""
    answer: str = ""
    given: bool = False
    struck: bool = False


@immutable
class Unit:
    """What an item is scored for once: a record, or so much of the run as its `turns`, what was said and written by its
    `persons`, or what happened in its `places` (None: whatever turn, whoever, wherever)."""

    key: str
    title: str
    value: Value = MISSING
    turns: frozenset[int] | None = None
    persons: frozenset[str] | None = None
    places: tuple[str, ...] = ()

    def has(self, piece: EvidencePiece) -> bool:
        """Whether a piece of evidence belongs to it."""
        return (
            (self.turns is None or piece.turn in self.turns)
            and (self.persons is None or piece.person in self.persons)
            and within_places(piece.place, self.places)
        )


WHOLE: Final = Unit("", "")
"""The unit of an item that is scored once for a run."""


@dataclass(frozen=True)
class Stored:
    """One run. `name` is what reports call it; `models`: role -> backbone; `finished`: it came to its end.

    `chain`: the digest of its journal's last line, which is a digest of all of it.
    `as_drafted`: scores are compared with documents as they were drafted, whatever an intervention put in their place.
    `counts_given`: documents that nobody in the run wrote are scored like those that somebody did.
    `checks`: reads the checks of decisions of the project; none where nobody opened one.
    `condition`: all that made it.
    """

    name: str
    procedure: Procedure
    case: Case
    target: str
    events: tuple[e.Event, ...]
    models: Mapping[str, str] = field(default_factory=dict)
    as_drafted: bool = False
    counts_given: bool = False
    chain: str = ""
    condition: RunCondition = NO_CONDITION
    checks: Callable[[], tuple[CheckFile, ...]] = tuple

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """That the run has not come to its end."""
        return () if self.finished else (diagnose.unfinished_run(Span(self.name, 0, 0)),)

    @cached_property
    def finished(self) -> bool:
        return e.Ended in self._by_kind

    @cached_property
    def outcome(self) -> str:
        return next((event.outcome for event in self._all(e.Ended)), "")

    @property
    def options(self) -> Mapping[str, str]:
        """The options of the procedure that it was played with."""
        return next((event.options for event in self._all(e.Started)), {})

    @cached_property
    def persons(self) -> Mapping[str, Person]:
        options = next((event.options for event in self._all(e.Started)), None)
        return {person.id: person for person in cast(self.procedure, self.case, options)}

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Request -> number of its turn."""
        return {event.id: number for number, event in enumerate(self._all(e.Asked), 1)}

    @cached_property
    def utterances(self) -> tuple[EvidencePiece, ...]:
        gone = struck(self.events)
        return tuple(
            EvidencePiece(
                *(self.numbers.get(said.request, 0), said.place, said.person, said.speaker, said.act, said.text),
                struck=number in gone,
            )
            for number, said in enumerate(self.events)
            if isinstance(said, e.Spoke)
        )

    @cached_property
    def documents(self) -> tuple[tuple[e.Drafted, EvidencePiece], ...]:
        """The documents, each in its last wording."""
        return self._documents("")

    @cached_property
    def yardsticks(self) -> tuple[tuple[e.Drafted, EvidencePiece], ...]:
        """The documents that scores are compared with."""
        return self._documents("replaced") if self.as_drafted else self.documents

    @cached_property
    def undecided(self) -> tuple[Mapping[str, tuple[int, int]], Mapping[str, tuple[int, int]]]:
        """Decision -> claims left undecided, and all: of the documents, and of those that scores are compared with."""
        told = undecided_by_decision(self.events)
        return told, undecided_by_decision(self.events, as_drafted=True) if self.as_drafted else told

    def _documents(self, but: str) -> tuple[tuple[e.Drafted, EvidencePiece], ...]:
        """Each document of each side in its last wording, without the wordings that came from the source `but`."""
        last: dict[tuple[str, str], tuple[e.Drafted, EvidencePiece]] = {}
        for event, turn in self.timed(e.Drafted):
            if event.source != but:
                turn = 0 if event.source == "case" else turn
                where = (turn, event.place, event.person, event.speaker)
                given = event.source != "reply" and not self.counts_given
                piece = EvidencePiece(*where, "draft", event.text, event.document, given=given)
                last[event.document, event.side] = (event, piece)
        return tuple(last.values())

    @cached_property
    def answers(self) -> tuple[tuple[e.Captured, EvidencePiece], ...]:
        """What was captured, with its words; the entries of a list on lines of their own. Silence is no answer."""
        answers = []
        for event in self._all(e.Captured):
            if event.source in ("default", "unanswered"):
                continue
            text = event.value if isinstance(event.value, str) else "\n".join(event.value)
            turn = self.numbers.get(event.request, 0)
            where = (turn, event.place, event.person, event.speaker)
            answers.append((event, EvidencePiece(*where, "answer", text, answer=event.name)))
        return tuple(answers)

    def timed(self, kind: type[_Kind]) -> Sequence[tuple[_Kind, int]]:
        """The events of a kind, each with the last turn of its person, or of anybody."""
        timed: list[tuple[_Kind, int]] = []
        for event, turn in self._by_kind.get(kind, ()):
            assert isinstance(event, kind)
            if mine := self._turns.get(getattr(event, "person", "")):
                turn = mine[bisect_right(mine, turn) - 1] if mine[0] <= turn else 0
            timed.append((event, turn))
        return timed

    @cached_property
    def _turns(self) -> Mapping[str, Sequence[int]]:
        """Person -> the turns that were his."""
        turns: dict[str, list[int]] = {}
        for turn, event in enumerate(self._all(e.Asked), 1):
            turns.setdefault(event.person, []).append(turn)
        return turns

    @cached_property
    def _by_kind(self) -> Mapping[type[object], Sequence[tuple[e.Event, int]]]:
        """The events of each kind, each with how many turns had begun."""
        events: dict[type[object], list[tuple[e.Event, int]]] = defaultdict(list)
        turn = 0
        for event in self.events:
            kind = type(event)
            turn += kind is e.Asked
            events[kind].append((event, turn))
        return events

    def _all(self, kind: type[_Kind]) -> Iterator[_Kind]:
        for event, _ in self._by_kind.get(kind, ()):
            assert isinstance(event, kind)
            yield event

    @cached_property
    def entered(self) -> frozenset[str]:
        """The places that were come to, without the numbers of their occurrences."""
        return frozenset(plain(event.place) for event in self._all(e.Entered))

    # ---- who is meant ------------------------------------------------------------------------------------------------
    def who(self, names: Sequence[str]) -> frozenset[str]:
        """Ids of the persons whom actors mean: target, its client or opponent, roles (by assignment too), kinds, sides.

        A name that is both a role's and a side's is the role's: a lawyer is of his client's side and is not the client.
        The side is asked for as `side NAME`.
        """
        ids: set[str] = set()
        for name in names:
            ids |= {person.id for person in self.persons.values() if self._is(person, name)}
            ids |= self._assigned.get(name, frozenset())
        return frozenset(ids)

    @cached_property
    def _assigned(self) -> Mapping[str, frozenset[str]]:
        """Role -> all who were assigned to it in the course of the run."""
        persons: dict[str, frozenset[str]] = {}
        for event in self._all(e.Assigned):
            persons[event.role] = persons.get(event.role, frozenset()) | frozenset(event.persons)
        return persons

    @cached_property
    def _target(self) -> tuple[Person, ...]:
        return tuple(person for person in self.persons.values() if person.role == self.target)

    def _is(self, person: Person, name: str) -> bool:
        match name:
            case "target":
                return person in self._target
            case "client":  # the target's; where a role bears that name, those who play it
                return person.role == name or any(person.id in one.represents for one in self._target)
            case "opponent":
                return any(person.kind == one.kind and person.side and person.side != one.side for one in self._target)
            case _ if name in self.procedure.roles:
                return name == person.role
            case _:
                return name == person.kind or name.removeprefix(SIDE) == person.side != ""

    def sides(self, owner: str) -> tuple[str, ...]:
        """The sides that an owner stands for; of none, those of the whole procedure and the court's."""
        if not owner:
            return (*self.procedure.sides, "")
        if owner in self.procedure.sides:
            return (owner,)
        return tuple(dict.fromkeys(self.persons[one].side for one in sorted(self.who((owner,)))))

    def _author_side(self, event: e.Drafted) -> str:
        """The side of whoever wrote a document, also of one that is not kept side by side."""
        author = self.persons.get(event.person)
        return event.side or (author.side if author is not None else "")

    # ---- what an item is made of -------------------------------------------------------------------------------------
    def evidence(self, item: RubricItem, unit: Unit) -> tuple[EvidencePiece, ...]:
        """What an item looks at for a unit, in the order of the run."""
        pieces = (piece for each in item.evidence for piece in self._selected(each, unit, self.documents))
        return tuple(dict.fromkeys(pieces))

    def background(self, item: RubricItem, unit: Unit) -> tuple[EvidencePiece, ...]:
        """What is shown beside the evidence of a unit: of where it happened, whoever said it and in whatever turn; but
        not once more what was read out as it was written."""
        if not item.background:
            return ()
        around, told = replace(unit, turns=None, persons=None), {piece.text for piece in self.evidence(item, unit)}
        pieces = (piece for each in item.background for piece in self._selected(each, around, self.documents))
        return tuple(sorted(dict.fromkeys(one for one in pieces if one.text not in told), key=lambda one: one.turn))

    def reference(self, item: RubricItem, unit: Unit) -> tuple[Value, ...]:
        """What the case or the run holds to compare with; empty where there is nothing."""
        return tuple(value for _, value in self.compared(item, unit))

    def yardstick_pieces(self, item: RubricItem, unit: Unit) -> Iterator[EvidencePiece]:
        """What of the run itself an item is compared with."""
        for one in item.reference:
            if one.kind != "field":
                yield from self._selected(one, unit, self.yardsticks)

    def compared(self, item: RubricItem, unit: Unit) -> tuple[tuple[Selection, Value], ...]:
        """The same, each with the selection that it comes from."""
        compared: list[tuple[Selection, Value]] = []
        for selection in item.reference:
            values: Iterable[Value] = (piece.text for piece in self._selected(selection, unit, self.yardsticks))
            if selection.kind == "field":
                values = self.field(selection, unit)
            compared += [(selection, value) for value in values if any(text.strip() for text in texts(value))]
        return tuple(compared)

    def field(self, one: Selection, unit: Unit) -> list[Value]:
        """The values of a field, of the sides of its owner; `item` is the record of the unit."""
        if one.name == "item":
            return list(_within(unit.value, one.keys))
        value = self.case.fields.get(one.name, self.case.sealed.get(one.name, MISSING))
        values = (
            [value.values[side] for side in self.sides(one.owner) if side in value.values]
            if isinstance(value, Sided)
            else [value]
        )
        if one.numbered:
            number = int(unit.key) if unit.key.isdecimal() else 0
            values = [each[number - 1] for each in values if isinstance(each, tuple) and 0 < number <= len(each)]
        return [below for each in values for below in _within(each, one.keys)]

    def _selected(
        self, one: Selection, unit: Unit, documents: Sequence[tuple[e.Drafted, EvidencePiece]]
    ) -> Iterator[EvidencePiece]:
        match one.kind:
            case "turns":
                who = self.who(one.who) if one.who else None
                for piece in self.utterances:
                    mine = (who is None or piece.person in who) and within_places(piece.place, one.places)
                    if mine and unit.has(piece):
                        yield piece
            case "document":
                sides = self.sides(one.owner)
                for event, piece in documents:
                    if not one.name and unit.has(piece):
                        yield piece
                    elif event.document == one.name and (not one.owner or self._author_side(event) in sides):
                        labels = self.procedure.documents[one.name].sections
                        yield replace(piece, text=body(piece.text, one.section, labels)) if one.section else piece
            case "answer":
                for captured, piece in self.answers:
                    if one.name in ("", captured.name) and unit.has(piece):
                        yield piece
            case "field":
                for value in self.field(one, unit):
                    yield EvidencePiece(0, "", "", "", "field", "\n".join(texts(value)))


@lru_cache(maxsize=4096)  # a run has a few dozen places, and asks for them thousands of times
def plain(place: str) -> str:
    """A place without the numbers of its occurrences."""
    return re.sub(r"#\d+", "", place)


def within_places(place: str, places: Sequence[str]) -> bool:
    here = plain(place)
    return not places or any(here == one or here.startswith(f"{one}/") for one in places)


def _within(value: Value, keys: Sequence[str]) -> Iterator[Value]:
    """What lies below keys of a value; every record of a list is looked into."""
    if not keys:
        if value is not MISSING:
            yield value
        return
    match value:
        case Record():
            yield from _within(value.get(keys[0], MISSING), keys[1:])
        case tuple():
            for one in value:
                yield from _within(one, keys)
        case _:
            return


def joined(name: str) -> tuple[str, ...]:
    """The stages or roles that are one unit: `CD/DD`."""
    return tuple(name.split("/"))
