"""What one person may see at one place: the only object a prompt, a tool or a scripted actor is given."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from hashlib import blake2b
from typing import Any, Literal

from ..model.actors import ROW, FieldRef
from ..model.amendments import latest
from ..model.case import MISSING, Case, Person, Record, Sided, Value
from ..model.immutable import immutable, replace
from ..model.procedure import Grant, Procedure, all_steps, parts_of, steps_of
from ..model.step_facts import answers_of
from ..model.steps.vote import Vote
from . import titles
from .calendar import Calendar
from .conditions import EvalContext, LoopItem, opens, record_at, record_of, records
from .polls import counts_of, titled, votes_of
from .record import bounded
from .state import CaseState
from .subjects import as_seen, subjects

Names = Mapping[str, Any]
Whose = Literal["own", "other", "all", "minutes"]
Opened = Collection[tuple[str, Whose]]


@immutable
class Shown:
    """A granted field that has a value: how it is headed, what stands in it, and how often it has changed.

    `titles` of the keys of its records; `people`: these are persons, an entry for those of each title.
    `whole`: what changed is shown anew from the first entry on.
    """

    name: str
    whose: Whose
    title: str
    entries: tuple[Names, ...]
    version: int
    titles: Mapping[str, str] = field(default_factory=dict)
    people: bool = False
    whole: bool = False

    @property
    def key(self) -> str:
        return f"{self.whose} {self.name}"


@immutable
class Knowledge:
    """The granted part of a view: by side for templates, and in the order of the matrix for `know`.

    `minutes`: of earlier stages, what was said; `presented`: the records that were presented aloud, and those of
    samples that are granted; `votes`: how the votes came out that are granted, the last on each record.
    """

    own: Names
    other: Names
    known: Names
    minutes: Names
    shown: tuple[Shown, ...]
    opened: Opened
    presented: frozenset[str]
    votes: tuple[Names, ...] = ()

    def document_keys(self, documents: Sequence[str]) -> tuple[str, ...]:
        """Those of the documents that the reader sees: NAME, or NAME/SIDE where each side has its own."""
        keys = []
        for name in documents:
            for entry in (*self.own.get(name, ()), *self.other.get(name, ())):
                keys.append(f"{name}/{entry['side']}")
            if self.known.get(name, MISSING):
                keys.append(name)
        return tuple(dict.fromkeys(keys))

    def shows(self, about: str, side: str) -> bool:
        """Whether a reader of a side may see the record that FIELD/SIDE/INDEX names: by a grant, or as presented."""
        return about in self.presented or _opens(self.opened, about, side)


@immutable
class View:
    """`variables` are all names a template can use; `knowledge` the granted fields; nothing else of the case.

    `skills`: the cards that this turn calls for; `offered`: which events may be raised in it, a number for each set of
    them (None where there is nothing to raise); `amended`: the amending fields that are in force.
    """

    person: str
    stage: str
    phase: str
    knowledge: Knowledge
    variables: Names = field(repr=False)
    skills: tuple[Names, ...] = ()
    offered: int | None = None
    amended: tuple[str, ...] = ()


@immutable
class GrantTable:
    """A procedure's grants by stage and kind, in the order of the matrix."""

    grants: Mapping[tuple[str, str], tuple[Grant, ...]]

    @classmethod
    def of(cls, procedure: Procedure) -> GrantTable:
        by_stage_and_kind: dict[tuple[str, str], list[Grant]] = {}
        for grant in procedure.grants:
            by_stage_and_kind.setdefault((grant.stage, grant.kind), []).append(grant)
        return cls({key: tuple(grants) for key, grants in by_stage_and_kind.items()})


def reach(procedure: Procedure, grant: Grant) -> tuple[Whose, ...]:
    """Return which of own, other and all a grant gives; what has no sides is all's; a record is none of these."""
    if grant.whose == "minutes":
        return ("minutes",)
    field_ = procedure.fields.get(grant.what)
    paper = procedure.documents.get(grant.what)
    if not ((field_ and field_.sided) or (paper and paper.sided)):
        return ("all",)
    if grant.whose == "all":
        return ("own", "other")
    return (grant.whose,)


class ViewBuilder:
    """Builds knowledge from granted fields alone, and keeps it while nothing it rests on has changed."""

    def __init__(self, procedure: Procedure, case: Case, calendar: Calendar) -> None:
        self.procedure = procedure
        self.case = case
        self.calendar = calendar
        self.table = GrantTable.of(procedure)
        self._asked = {
            stage.id: {name for step in steps_of(stage) for name in answers_of(step)} for stage in procedure.stages
        }
        self._voted = {step.answer.name for step in all_steps(procedure) if isinstance(step, Vote)}
        self._records_of_people = {role.each for role in procedure.roles.values()} - {""}
        self._titles = {place: part.title for place, part in parts_of(procedure).items()}
        self._kept: dict[str, tuple[tuple[object, ...], Knowledge]] = {}
        self._side_titles: dict[str, str] = {}
        self._values: dict[tuple[str, str, str], tuple[Names, ...]] = {}
        self._titled: tuple[object, object, object] = (None, None, None)
        changing = {*self._voted, *procedure.answers, *procedure.dates, *procedure.documents}
        self._fields = procedure.fields.keys() - changing

    def knowledge(self, now: EvalContext, person: Person) -> Knowledge:
        state = now.state
        if now.case is not self.case:
            self.case, self._values = now.case, {}
        rests_on = (
            now.case,
            state.stage,
            state.left,
            state.documents,
            state.answers,
            state.votes,
            state.role_holders,
            state.absent,
            now.options,
            now.presented,
        )
        kept = self._kept.get(person.id)
        if kept is not None and all(a is b for a, b in zip(kept[0], rests_on, strict=True)):
            return kept[1]
        knowledge = self._build(now, person)
        self._kept[person.id] = (rests_on, knowledge)
        return knowledge

    def _build(self, now: EvalContext, person: Person) -> Knowledge:
        cells, procedure, state = self._cells(now, person), self.procedure, now.state
        lists = {name: field.items for name, field in self.procedure.fields.items() if field.items}
        everybodys: tuple[tuple[str, Whose], ...] = tuple((name, "all") for name in lists)
        opened = tuple(dict.fromkeys((*(key for key, records in cells.items() if records is None), *everybodys)))
        drawn = (given.drawn for what, _ in opened for given in now.state.answers.get(what, ()))
        presented = now.presented.union(*drawn, *filter(None, cells.values()))

        def sees(about: str) -> bool:
            return about in presented or _opens(opened, about, person.side)

        own: dict[str, Any] = {}
        other: dict[str, Any] = {}
        known: dict[str, Any] = {}
        minutes: dict[str, Any] = {}
        shown: list[Shown] = []
        votes: list[Names] = []
        for key, only in cells.items():
            what, whose = key
            if whose == "minutes":
                minutes[what] = said = self._said(now, person, what)
                shown += [Shown(what, whose, self._titles[what], said, 1)] if said else []
                continue
            entries = self._lasting(now.state, person, key) if only is None else None
            entries = self._entries(now.state, person, key, only) if entries is None else entries
            if what in self.procedure.answers:
                entries = tuple(as_seen(entry, sees, procedure, state) for entry in entries)
            votes += entries if what in self._voted else ()
            if whose == "all":
                known[what] = self._known(now.state, what, entries)
            else:
                (own if whose == "own" else other)[what] = entries
            if entries:
                shown.append(self._shown(now.state, key, entries, only))
        return Knowledge(own, other, {**known, **lists}, minutes, tuple(shown), opened, presented, tuple(votes))

    def _cells(self, now: EvalContext, person: Person) -> Mapping[tuple[str, Whose], frozenset[str] | None]:
        """What is open to a person, as whose: the records that are, or None where all of it is."""
        cells: dict[tuple[str, Whose], frozenset[str] | None] = {}
        for grant in self._held(now, person):
            for whose in reach(self.procedure, grant):
                before = cells.get((grant.what, whose), frozenset())
                open_ = self._records(grant, now, person, whose) if grant.each else None
                cells[(grant.what, whose)] = None if before is None or open_ is None else before | open_
        return cells

    def _held(self, now: EvalContext, person: Person) -> Iterator[Grant]:
        """The grants to a person that hold now; of those that open record by record, all."""
        for grant in self.table.grants.get((now.state.stage, person.kind), ()):
            waits = grant.after and person.side and grant.after not in now.state.left
            if not waits and (grant.each or opens(grant.condition, now)):
                yield grant

    def _records(self, grant: Grant, now: EvalContext, person: Person, whose: Whose) -> frozenset[str]:
        """The records of a field that a cell opens one by one."""
        where = FieldRef(grant.what, (), None, grant.span)
        return frozenset(
            about
            for about, record in records(where, replace(now, loop_items=()))
            if _within(about.split("/")[1], person.side, whose)
            and opens(grant.condition, replace(now, loop_items=(LoopItem(ROW, about, record),)))
        )

    def _shown(
        self, state: CaseState, key: tuple[str, Whose], entries: tuple[Names, ...], only: frozenset[str] | None
    ) -> Shown:
        what, whose = key
        titles_ = self.procedure.fields[what].titles if what in self.procedure.fields else {}
        version = self._version(state, what, entries) if only is None else _version_of(only)
        people, heading = self._of_people(what), self._heading(state, what)
        return Shown(what, whose, heading, entries, version, titles_, people, only is not None)

    def _of_people(self, what: str) -> bool:
        return what in self._records_of_people

    def _version(self, state: CaseState, what: str, entries: tuple[Names, ...]) -> int:
        """How often what the entries show has changed."""
        if what not in self.procedure.documents:
            return state.versions.get(what, 0)
        names = {f"{what}/{entry['side']}" if entry["side"] else what for entry in entries}
        return sum(state.versions.get(name, 0) for name in names)

    def _heading(self, state: CaseState, what: str) -> str:
        procedure = self.procedure
        declared: Any = latest(state.amended, procedure, what) or procedure.fields.get(what)
        declared = declared or procedure.documents.get(what) or procedure.dates.get(what)
        answer = procedure.answers.get(what)
        return declared.title if declared else answer.called if answer else what

    def _entries(
        self, state: CaseState, person: Person, key: tuple[str, Whose], only: frozenset[str] | None
    ) -> tuple[Names, ...]:
        """The values of one field, document or answer as entries; empty where nothing is there.

        `only`: the records of it that are seen, where not all are.
        """
        what, whose = key
        if what in self._voted:
            return self._votes(state, person, what)
        if what in self.procedure.answers:
            return self._answers(state, what)
        if what in self.procedure.dates:
            day = self.calendar.written(what)
            return ({"side": "", "title": "", "value": day},) if day else ()
        if what in self.procedure.documents:
            return tuple(
                {
                    "side": paper.side,
                    "title": self._side_title(state, paper.side),
                    "value": paper.text,
                    "author_side": state.persons[paper.person].side,
                    "unlisted": paper.unlisted,
                }
                for paper in state.documents
                if paper.document == what and _within(paper.side, person.side, whose)
            )
        if self._of_people(what):
            return self._people(state, person, key, only)
        value = self.case.fields.get(what, MISSING)
        if isinstance(value, Sided):
            return tuple(
                {"side": side, "title": self._side_title(state, side), "value": seen}
                for side, side_value in value.values.items()
                if _within(side, person.side, whose) and (seen := _seen(side_value, f"{what}/{side}", only))
            )
        seen = _seen(value, f"{what}/", only)
        return ({"side": "", "title": "", "value": seen},) if seen else ()

    def _lasting(self, state: CaseState, person: Person, key: tuple[str, Whose]) -> tuple[Names, ...] | None:
        """The values of a field of the case, all of which are seen: others only when somebody holds another role."""
        if key[0] not in self._fields:
            return None
        self._renew(state)
        place = (person.side, *key)
        if place not in self._values:
            self._values[place] = self._entries(state, person, key, None)
        return self._values[place]

    def _renew(self, state: CaseState) -> None:
        """Forget how sides and persons are called where somebody came, or holds another role."""
        rests_on = (state.persons, state.role_holders, state.absent)
        if not all(a is b for a, b in zip(self._titled, rests_on, strict=True)):
            self._titled, self._side_titles, self._values = rests_on, {}, {}

    def _side_title(self, state: CaseState, side: str) -> str:
        """What a side is called."""
        self._renew(state)
        if side not in self._side_titles:
            self._side_titles[side] = titles.side_title(self.procedure, state, side)
        return self._side_titles[side]

    def _people(
        self, state: CaseState, reader: Person, key: tuple[str, Whose], only: frozenset[str] | None
    ) -> tuple[Names, ...]:
        """The records of persons, one entry for those of a side who bear one title; `absent`: who of them did not
        come to this stage, by name."""
        what, whose = key
        records_by_title: dict[tuple[str, str], list[Record]] = {}
        absent: dict[tuple[str, str], list[str]] = {}
        for person in state.persons.values():
            if self.procedure.roles[person.role].each == what and _within(person.side, reader.side, whose):
                if only is not None and record_of(self.procedure, state, person.id) not in only:
                    continue
                word = titles.full_title(self.procedure, state, person.id)
                records_by_title.setdefault((person.side, word), []).append(as_known(person.record))
                absent.setdefault((person.side, word), []).extend([person.name] if person.id in state.absent else [])
        return tuple(
            {"side": side, "title": word, "value": tuple(found), "absent": tuple(absent[side, word])}
            for (side, word), found in records_by_title.items()
        )

    def _said(self, now: EvalContext, person: Person, stage: str) -> tuple[Names, ...]:
        """What was said in an earlier stage, as far as its record is open to a person, the last that there is room for.

        `omitted`: of the first, how many there were before it.
        """
        full = any(grant.full and grant.what == stage for grant in self._held(now, person))
        entries, omitted = bounded(now.state.record.of(stage, person.id, full=full))
        return tuple(
            {
                "by": entry.speaker,
                "value": entry.text,
                "phase": self._titles.get(entry.phase, ""),
                "act": entry.act,
                "to": entry.to,
                "struck": entry.struck,
                "omitted": 0 if number else omitted,
            }
            for number, entry in enumerate(entries)
        )

    def _known(self, state: CaseState, what: str, entries: tuple[Names, ...]) -> object:
        """How `known.WHAT` reads: all answers, how the last vote came out, or the one value of a field or document."""
        if what in self._voted:
            return entries[-1] if entries else MISSING
        if what in self.procedure.answers:
            return tuple(entry for entry in entries if entry["value"] or not entry["silent"])
        return entries[-1]["value"] if entries else MISSING

    def _votes(self, state: CaseState, reader: Person, name: str) -> tuple[Names, ...]:
        """How the votes for an answer came out, as far as they were revealed; everybody knows how he voted himself."""
        afresh, answer = name in self._asked.get(state.stage, ()), self.procedure.answers[name]
        return tuple(
            {
                "name": name,
                "title": voted.title,
                "by": "",
                "value": titled(voted.result, answer),
                "result": titled(voted.result, answer),
                "counts": counts_of(voted, answer),
                "votes": votes_of(voted, answer),
                "mine": titled(next((vote.value for vote in voted.votes if vote.person == reader.id), ""), answer),
                "took_part": any(vote.person == reader.id for vote in voted.votes),
                **subjects(self.case, self.procedure, state, voted),
                "items": (),
            }
            for voted in state.votes.get(name, ())
            if not afresh or voted.place.partition("/")[0] == state.stage
        )

    def _answers(self, state: CaseState, name: str) -> tuple[Names, ...]:
        """All answers of a name; a stage that asks for it itself begins without those of earlier stages."""
        afresh, answer = name in self._asked.get(state.stage, ()), self.procedure.answers[name]
        return tuple(
            {
                "by": given.speaker,
                "name": state.persons[given.person].name if given.person else "",
                "value": titled(given.value, answer) or MISSING,
                "silent": given.silent,
                **subjects(self.case, self.procedure, state, given),
                "items": tuple(record_at(self.case, about) for about in given.drawn),
            }
            for given in state.answers.get(name, ())
            if not afresh or given.place.partition("/")[0] == state.stage
        )


def _seen(value: Value, name: str, only: frozenset[str] | None) -> Value:
    """A value as far as it is open: all of it, or those of its records that are."""
    if only is None:
        return value
    listed = value if isinstance(value, tuple) else ()
    return tuple(record for index, record in enumerate(listed) if f"{name}/{index}" in only)


def _version_of(records: frozenset[str]) -> int:
    """A number that is another for other records."""
    return int.from_bytes(blake2b("\n".join(sorted(records)).encode(), digest_size=6).digest())


def as_known(record: Record) -> Record:
    """A party as others know him; what he is like (`me.persona`) is told to himself alone."""
    return Record({key: value for key, value in record.items() if key != "persona"}, tuple(record))


def _opens(opened: Opened, about: str, reader: str) -> bool:
    """Whether the field that FIELD[.KEY]/SIDE/… names is among those opened to a reader of a side."""
    field_, _, rest = about.partition("/")
    side = rest.partition("/")[0]
    whose: Whose = "all" if not side else "own" if not reader or side == reader else "other"
    return (field_.partition(".")[0], whose) in opened


def _within(side: str, reader: str, whose: str) -> bool:
    """Whether a side's value is own (other) to a reader of a side; a reader without side has all as own."""
    if whose == "all":
        return True
    if not reader:
        return whose == "own"
    return (side == reader) == (whose == "own")
