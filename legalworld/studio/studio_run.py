"""A run that pages look at, opened once: what is derived from its record is made when first asked for, and kept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from ..engine.casting import cast
from ..model.case import Person
from ..model.events import Asked, Event, Reply
from ..model.procedure import Procedure, places
from ..model.schedule import Dated
from ..model.source import Span
from ..runs import lifecycle
from ..runs.journal import AnswerLine, answer_times
from ..runs.open_run import OpenRun
from ..runs.show.turns import call_rows
from ..runs.show.views import calls_of
from ..runs.transcript import Present, present
from .kept_sights import keep_book, kept_book
from .sight_book import SightBook, collected


class StudioRun:
    """`id`: its folder below the one that is listed, with slashes; `root`: that folder."""

    def __init__(self, identity: str, opened: OpenRun, root: Path) -> None:
        self.id, self.opened, self.root = identity, opened, root

    @property
    def procedure(self) -> Procedure:
        return self.opened.procedure

    @cached_property
    def events(self) -> tuple[Event, ...]:
        return self.opened.events

    @cached_property
    def calls(self) -> list[Asked]:
        """All calls; the first is turn 1."""
        return calls_of(self.opened)

    @cached_property
    def answers(self) -> Mapping[str, Reply]:
        """Request -> reply."""
        return self.opened.answers

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """The rows of `lw show`, one a call."""
        return call_rows(self.opened)

    @cached_property
    def turn_of(self) -> Mapping[str, int]:
        """Request -> number of its call."""
        return {call.id: number for number, call in enumerate(self.calls, 1)}

    @cached_property
    def persons(self) -> Mapping[str, Person]:
        """Everybody who could take part, by id."""
        return {person.id: person for person in cast(self.procedure, self.opened.case)}

    @cached_property
    def people(self) -> tuple[tuple[Present, ...], tuple[Present, ...]]:
        """Everybody, and those who take part, as the transcript calls them."""
        everybody = lifecycle.people(self.procedure, self.opened.case, self.opened.folder.info.options)
        first, second = present(everybody, self.events)
        return tuple(first), tuple(second)

    @cached_property
    def book(self) -> SightBook:
        """What was seen in every call: as it is kept, else by playing the run again once."""
        book = kept_book(self.opened)
        if book is None:
            book = collected(self.opened)
            if self.opened.ended:  # of one that goes on, it would soon be another
                keep_book(self.opened, book)
        return book

    @cached_property
    def seconds(self) -> Mapping[str, float]:
        """Request -> how long its answer took; nothing where nobody measured."""
        found = answer_times(self.opened.folder.times)
        lines = self.opened.loaded.lines
        return {line.request: found[line.n] for line in lines if isinstance(line, AnswerLine) and line.n in found}

    @cached_property
    def turn_after(self) -> list[int]:
        """Of each event, the number of the last call before it or at it; 0 before the first."""
        numbers, turn = [], 0
        for event in self.events:
            turn += isinstance(event, Asked)
            numbers.append(turn)
        return numbers

    @cached_property
    def asked_at(self) -> list[int]:
        """Of each call, the number of its event."""
        return [number for number, event in enumerate(self.events) if isinstance(event, Asked)]

    @cached_property
    def parts(self) -> Mapping[str, object]:
        """Place -> what of the procedure stands there."""
        return dict(places(self.procedure))

    @cached_property
    def days(self) -> list[str]:
        """Of each call, the day that the calendar had come to, YYYY-MM-DD or ""."""
        found, day = [], ""
        for event in self.events:
            if isinstance(event, Dated) and not event.reason:
                day = event.day
            elif isinstance(event, Asked):
                found.append(day)
        return found

    @cached_property
    def letters(self) -> Mapping[str, str]:
        """Kind -> its letter in the matrix."""
        return self.procedure.kinds

    def kind_of(self, person: str, role: str) -> str:
        """The kind of a person; of one who is not known, that of the role he acts in."""
        if person in self.persons:
            return self.persons[person].kind
        return self.procedure.roles[role].kind if role in self.procedure.roles else ""

    def source_line(self, span: Span) -> str:
        """The line of a spec's copy that a place names, without the blanks around it; "" where there is none."""
        return self._lines_of(span.file)[span.line - 1].strip() if self._has(span) else ""

    def _has(self, span: Span) -> bool:
        return 0 < span.line <= len(self._lines_of(span.file))

    def _lines_of(self, file: str) -> list[str]:
        if file not in self._source:
            self._source[file] = (self.opened.project.sources.read(file) or "").splitlines()
        return self._source[file]

    @cached_property
    def _source(self) -> dict[str, list[str]]:
        return {}

    def calls_by(self, person: str) -> Iterator[tuple[int, Asked]]:
        """The calls of a person, each with its number."""
        return ((number, call) for number, call in enumerate(self.calls, 1) if call.person == person)
