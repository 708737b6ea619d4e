"""The material of a case made from what its court may see: values of a case as its author wrote them, read by type.

What cannot be read by the type of its fact, or names somebody whose name two parties bear, is unclear: it is neither
shown nor disproved, and what turns on it is not decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import date
from typing import Any, Final

from ..language.sentences.norm_words import EVENT_KEYS
from ..language.surface_reader import SurfaceReader
from ..language.yaml.nodes import ListNode, MapEntry, MapNode, Node, Scalar
from ..model.case import MISSING
from ..model.decision import Admission, Party
from ..model.immutable import immutable
from ..model.source import Span
from .claims import SumOf, asked
from .definition import Event, Fact, NormSet, Saying, Value, Words
from .material import AdmittedFacts, AskedClaim, Pleaded, Tendered
from .prose import named_in
from .values import read_said, read_value

_NOWHERE: Final = Span("", 0, 0)
MADE: Final = "made"
"""The fact that tells on which day an exhibit came about."""


@immutable
class SeenClaim:
    """A claim as the case has it: its id, its words, who makes it and against whom, its record or text.

    `head`: what it asks for, where its author says so; `about`: where it stands in the case.
    """

    id: str
    words: str
    sides: tuple[str, ...]
    values: Mapping[str, Any] = field(default_factory=dict)
    known: Mapping[str, Value] = field(default_factory=dict)
    head: str = ""
    about: str = ""


@immutable
class SeenExhibit:
    """An exhibit as the case has it: who tenders it, what was ruled about it, its record; `says`: what it states;
    `words`: those of what it states; `claims`: those for which it is tendered; `name`: what it is called; `opinion`:
    what the other side holds of it, `accepted`, `contested` or `in_part`, "" where it said nothing."""

    id: str
    side: str
    ruling: Admission
    record: Mapping[str, Any]
    says: Any = MISSING
    words: str = ""
    claims: tuple[str, ...] = ()
    name: str = ""
    opinion: str = ""


class Assembly:
    """Reads the values of one case by the facts of a set of norms.

    `ids`: what the case calls a party by -> the id of the person; `sum_of`: reads the sum that the words of a part of
    a claim state.
    """

    def __init__(
        self, norms: NormSet, parties: Sequence[Party], ids: Mapping[str, str], *, sum_of: SumOf = lambda _: None
    ) -> None:
        self.sum_of = sum_of
        self.words: Words = norms.words
        self._norms, self._parties = norms, parties
        self._read: dict[str, dict[str, Saying]] = {}
        self._by_name: dict[str, list[str]] = {}
        for party in parties:
            self._by_name.setdefault(party.name, []).append(party.id)
        self._ids = {**{party.id: party.id for party in parties}, **ids}
        self._called = _called(norms.words.facts)
        self._of_claim = _called(norms.words.of_claim)

    # ---- claims ------------------------------------------------------------------------------------------------------
    def claims(self, seen: Iterable[SeenClaim]) -> Iterator[AskedClaim]:
        """Each claim in the parts that it is made of."""
        for one in seen:
            typed = {
                self._of_claim[key].id: value
                for key, plain in one.values.items()
                if key in self._of_claim and (value := _plain(plain, self._of_claim[key])) is not None
            }
            known = {**typed, **one.known}
            if one.head in self.words.heads:
                yield AskedClaim(one.id, one.head, one.sides[0], known)
            else:
                yield from asked(self.words, one.id, one.words, one.sides, known, sum_of=self.sum_of)

    # ---- exhibits ----------------------------------------------------------------------------------------------------
    def exhibits(self, seen: Iterable[SeenExhibit]) -> Iterator[Tendered]:
        """Each exhibit that states a fact, and what it states."""
        for one in seen:
            says = dict(self.said(one.says))
            for key, value in one.record.items():
                if key in self._called and value is not one.says:
                    says |= dict(self._stated(self._called[key], value))
            unread = not says and not isinstance(one.says, Mapping)
            read = self._in_words(one) if not isinstance(one.says, Mapping) else {}
            prose = tuple(name for name in read if name not in says)
            said = {**read, **says}
            made = said.pop(MADE, None)
            day = made.value if made is not None and isinstance(made.value, date) else None
            yield Tendered(one.id, one.side, said, one.ruling, made=day, unread=unread, prose=prose, claims=one.claims)

    def _in_words(self, one: SeenExhibit) -> dict[str, Saying]:
        """What the words of an exhibit tell by listed phrases; unclear where they tell two things of one fact."""
        if one.words not in self._read:
            self._read[one.words] = self._told(one.words)
        return self._read[one.words]

    def _told(self, words: str) -> dict[str, Saying]:
        told = named_in(self._norms, words, self._parties)
        return {fact: said[0] if len(said) == 1 else Saying("", unclear=True) for fact, said in told.items()}

    def said(self, says: Any) -> Iterator[tuple[str, Saying]]:
        """What `says` or `admits` states: fact -> value. What is no fact of these norms is passed over."""
        for key, plain in says.items() if isinstance(says, Mapping) else ():
            fact = self._called.get(key)
            if fact is not None and plain is not MISSING:
                yield from self._stated(fact, plain)

    def _stated(self, fact: Fact, plain: Any) -> Iterator[tuple[str, Saying]]:
        """A fact as it is stated. Rows of events that are none state what their own keys are called."""
        rows = plain if isinstance(plain, tuple) else (plain,)
        if fact.kind == "events" and all(isinstance(row, Mapping) for row in rows):
            apart = [row for row in rows if not any(_is_event_key(key) for key in _given(row))]
            for row in apart:
                yield from self.said({key: value for key, value in row.items() if value is not MISSING})
            plain = tuple(row for row in rows if row not in apart)
            if not plain:
                return
        reader = SurfaceReader()
        found = read_said(_node(plain), fact, reader)
        if found is None or reader.problems:
            yield fact.id, Saying("", unclear=True)
        else:
            yield fact.id, self._with_ids(found)

    def _with_ids(self, said: Saying) -> Saying:
        """A saying whose persons are named by their ids; unclear where a name could be that of several."""
        value, clear = self._resolved(said.value)
        keys = {key: self._resolved(one) for key, one in said.keys.items()}
        about, whose = self._resolved(said.about)
        unclear = not (clear and whose and all(known for _, known in keys.values()))
        named = tuple(one for one in about if isinstance(one, str)) if isinstance(about, tuple) else ()
        return replace(
            said, value=value, keys={key: one for key, (one, _) in keys.items()}, about=named, unclear=unclear
        )

    def _resolved(self, value: Value) -> tuple[Value, bool]:
        if not isinstance(value, tuple):
            return value, True
        clear = True
        found: list[Any] = []
        for one in value:
            if isinstance(one, Event):
                payer, first = self._person(one.payer)
                payee, second = self._person(one.payee)
                found.append(replace(one, payer=payer, payee=payee))
                clear = clear and first and second
            else:
                name, known = self._person(one)
                found.append(name)
                clear = clear and known
        return tuple(found), clear

    def _person(self, name: str) -> tuple[str, bool]:
        """The id of a party who is named, and whether that is certain; who is no party keeps his name."""
        if name in self._ids:
            return self._ids[name], True
        ids = self._by_name.get(name, ())
        return (ids[0], True) if len(ids) == 1 else (name, not ids)

    # ---- sides -------------------------------------------------------------------------------------------------------
    def admissions(self, admits: Mapping[str, Any], parties: Sequence[Party]) -> Iterator[AdmittedFacts]:
        """What each side admits. `admits`: side -> facts."""
        for side, plain in admits.items():
            person = next((party.id for party in parties if party.side == side), side)
            says = {fact: said for fact, said in self.said(plain) if not said.unclear}
            if says:
                yield AdmittedFacts(person, side, says)

    def days(self, given: Mapping[str, Any]) -> dict[str, date]:
        """The days of the case, by the names that norms have for them."""
        facts = _called(self.words.of_case)
        read = {facts[name].id: _plain(plain, facts[name]) for name, plain in given.items() if name in facts}
        return {name: day for name, day in read.items() if isinstance(day, date)}


def pleas(pleads: Mapping[str, Any]) -> Iterator[Pleaded]:
    """The defences that each side raises. `pleads`: side -> their names."""
    for side, plain in pleads.items():
        for name in plain if isinstance(plain, tuple) else (plain,):
            if isinstance(name, str) and name:
                yield Pleaded(name, side)


def _called(facts: Mapping[str, Fact]) -> dict[str, Fact]:
    """Each fact by its name and by its other names."""
    other = {name: fact for fact in facts.values() for name in fact.called}
    return {**other, **facts}


def _plain(plain: Any, fact: Fact) -> Value | None:
    return read_value(_node(plain), fact.kind, fact.id, SurfaceReader()) if plain is not MISSING else None


def _given(row: Mapping[str, Any]) -> Iterator[str]:
    return (key for key, value in row.items() if value is not MISSING)


def _is_event_key(key: str) -> bool:
    return key in EVENT_KEYS


def _node(plain: Any) -> Node:
    """A value of a case as a node, so that facts of cases and of examples are read by one reader."""
    if isinstance(plain, Mapping):
        entries = (
            MapEntry(Scalar(key, _NOWHERE), _node(value)) for key, value in plain.items() if value is not MISSING
        )
        return MapNode(tuple(entries), _NOWHERE)
    if isinstance(plain, tuple):
        return ListNode(tuple(map(_node, plain)), _NOWHERE)
    return Scalar("" if plain is MISSING else str(plain), _NOWHERE)
