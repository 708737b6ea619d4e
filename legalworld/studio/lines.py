"""The transcript of a run as rows: headings, every call with its words or what it kept to itself, all else that came.

What is told of an event is the court record's own words (`runs.transcript`), without its Markdown.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, Final

from ..law.text.citations import citations
from ..model.attendance import Attended
from ..model.events import Asked, Drafted, Entered, Event, Reopened, Spoke, Withheld
from ..model.procedure import parts_of
from ..model.remarks import breaches
from ..model.struck import struck
from ..runs.show.checks import citations_of
from ..runs.transcript import DocumentNames, told_events
from .responses_run import CiteMark, LinePage, LineRow, PartRow, WordsPage
from .studio_run import StudioRun

LONGEST: Final = 20_000
"""Characters of a text that a row of the transcript holds; the whole is asked for by itself."""

STRETCH: Final = 200_000
"""Characters of a long text that are sent at a time."""

_MARKUP: Final = re.compile(r"\*\*|^#{1,6} |^> ?|^\\", re.MULTILINE)
_EMPTY: Final = LineRow(
    n=0,
    kind="event",
    event="",
    place="",
    turn=0,
    level="",
    person="",
    role="",
    speaker="",
    act="",
    asked="",
    calls=(),
    said=False,
    text="",
    length=0,
    struck=False,
    withheld=(),
    to=(),
    heard_by=(),
    confined=False,
    day="",
    seconds=None,
    tokens=None,
    model="",
    doc="",
    cites=(),
    conduct=0,
    scored=0,
)


def units(text: str) -> int:
    """How long a text is as browsers count: in UTF-16 code units."""
    return len(text) + sum(char > "\uffff" for char in text)


class Transcript:
    """The rows of a run. `scored`: turn -> how many scores rest on it."""

    def __init__(self, run: StudioRun, scored: Mapping[int, int] | None = None) -> None:
        self.run, self._scored = run, scored or {}

    def lines(self, first: int, count: int) -> LinePage:
        """A stretch of the rows."""
        return LinePage(
            first=first, total=len(self.rows), lines=tuple(self.rows[max(first, 0) : max(first, 0) + count])
        )

    def words(self, turn: int, first: int) -> WordsPage:
        """A stretch of the words of a call, from a character on, counted as browsers do."""
        text = self._text(turn)
        coded = text.encode("utf-16-le", "surrogatepass")
        part = coded[2 * first : 2 * (first + STRETCH)].decode("utf-16-le", "replace")
        return WordsPage(turn=turn, first=first, length=len(coded) // 2, text=part)

    def line_of(self, turn: int) -> int:
        """The row of a call."""
        return self._places[turn]

    @cached_property
    def _places(self) -> dict[int, int]:
        return {line.turn: line.n for line in self.rows if line.kind == "call"}

    def _text(self, turn: int) -> str:
        row = self.run.rows[turn - 1]
        return str(row.get("heard") or row.get("reply", ""))

    # ---- rows --------------------------------------------------------------------------------------------------------

    @cached_property
    def rows(self) -> tuple[LineRow, ...]:
        """All rows, in order."""
        run = self.run
        found: list[LineRow] = []
        turn, documents = 0, DocumentNames(run.procedure)
        for event, entry, aside in told_events(run.procedure, run.opened.case, run.people, run.events):
            day = run.days[turn - 1] if turn else ""
            base = {"turn": turn, "day": day}
            if aside:
                found.append(self._other(aside, {**base, "event": "confined"}))
            if isinstance(event, Asked):
                turn += 1
                found.append(self._call(turn, event))
            elif isinstance(event, Drafted):
                doc = document_name(documents, event)
                found.append(self._other(entry, {**base, **_about(event), "doc": doc}))
            elif entry and event is not None and not isinstance(event, Spoke):
                found.append(self._other(entry, {**base, **_about(event)}))
        return tuple(line.model_copy(update={"n": n}) for n, line in enumerate(found))

    def _other(self, entry: Iterable[str], told: Mapping[str, Any]) -> LineRow:
        """A heading, or what the record has of an event."""
        text = "\n".join(filter(None, (_MARKUP.sub("", line).strip() for line in entry)))
        return _EMPTY.model_copy(update={**told, "text": text[:LONGEST], "length": units(text)})

    def _call(self, turn: int, call: Asked) -> LineRow:
        run, row = self.run, self.run.rows[turn - 1]
        text, spoken = self._text(turn), self._spoken.get(call.id, [])
        cut = text[:LONGEST]
        reply = run.answers.get(call.id)
        tokens = [] if reply is None else [reply.prompt_tokens, reply.completion_tokens]
        counted = [number for number in tokens if number is not None]
        first = spoken[0] if spoken else None
        return _EMPTY.model_copy(
            update={
                "kind": "call",
                "event": "asked",
                "place": call.place,
                "turn": turn,
                "person": call.person,
                "role": call.role,
                "speaker": call.speaker,
                "act": call.act,
                "asked": row.get("asked", ""),
                "calls": tuple(row.get("only_calls", ())),
                "said": "heard" in row,
                "text": cut,
                "length": units(text),
                "struck": call.id in self._struck,
                "withheld": self._withheld.get(call.id, ()),
                "to": first.to if first is not None else (),
                "heard_by": first.heard_by if first is not None else (),
                "confined": first.confined if first is not None else False,
                "day": run.days[turn - 1],
                "seconds": run.seconds.get(call.id),
                "tokens": sum(counted) if counted else None,
                "model": self._models.get(call.id, ""),
                "cites": self._cites(turn, cut),
                "conduct": self._conduct[call.id],
                "scored": self._scored.get(turn, 0),
            }
        )

    @cached_property
    def _models(self) -> Mapping[str, str]:
        return self.run.opened.model_by_call

    @cached_property
    def _spoken(self) -> Mapping[str, list[Spoke]]:
        found: dict[str, list[Spoke]] = {}
        for event in self.run.events:
            if isinstance(event, Spoke):
                found.setdefault(event.request, []).append(event)
        return found

    @cached_property
    def _struck(self) -> frozenset[str]:
        """The requests whose words were struck, some of them at least."""
        events = self.run.events
        gone = (events[number] for number in struck(events))
        return frozenset(event.request for event in gone if isinstance(event, Spoke))

    @cached_property
    def _withheld(self) -> Mapping[str, tuple[str, ...]]:
        """Request -> the persons from whom its words were taken back."""
        said: dict[str, list[Spoke]] = {}
        found: dict[str, tuple[str, ...]] = {}
        for event in self.run.events:
            if isinstance(event, Entered | Reopened):
                said[event.place] = []
            elif isinstance(event, Spoke):
                said.setdefault(event.place.rpartition("/")[0], []).append(event)
            elif isinstance(event, Withheld):
                for one in said.get(event.phase, ()):
                    persons = tuple(person for person in event.persons if person in one.heard_by)
                    found[one.request] = tuple(dict.fromkeys((*found.get(one.request, ()), *persons)))
        return found

    @cached_property
    def _conduct(self) -> Counter[str]:
        return Counter(event.request for event in breaches(self.run.events))

    # ---- citations ---------------------------------------------------------------------------------------------------

    @cached_property
    def cited(self) -> Mapping[str, Any]:
        """The citations of the run, as `lw show --citations` has them."""
        return citations_of(self.run.opened)

    @cached_property
    def _cited_in(self) -> Mapping[str, list[tuple[int, str]]]:
        """Request -> the citations in what was said there, each with its number, in the order of the words."""
        found: dict[str, list[tuple[int, str]]] = {}
        for number, row in enumerate(self.cited["citations"]):
            if not row["document"]:
                found.setdefault(row["request"], []).append((number, row["written"]))
        return found

    def _cites(self, turn: int, text: str) -> tuple[CiteMark, ...]:
        """Where a call cites what the list of citations has: found anew in the words, in the same order."""
        waiting = list(self._cited_in.get(self.run.calls[turn - 1].id, ()))
        if not waiting:
            return ()
        marks = []
        for cited in citations(text):
            written = " ".join(text[cited.start : cited.end].split())
            place = next((at for at, (_, words) in enumerate(waiting) if written.startswith(words)), None)
            if place is None:
                continue
            number, _ = waiting.pop(place)
            start = units(text[: cited.start])
            length = units(text[cited.start : cited.end])
            marks.append(CiteMark(start=start, end=start + length, citation=number))
        return tuple(marks)

    # ---- parts -------------------------------------------------------------------------------------------------------

    @cached_property
    def parts(self) -> tuple[PartRow, ...]:
        """The stages and phases that were entered, in order."""
        parts = parts_of(self.run.procedure)
        begun: Counter[str] = Counter()
        found = []
        for line in self.rows:
            if line.kind in ("stage", "phase"):
                call = next((one.turn for one in self.rows[line.n :] if one.kind == "call"), 0)
                part = parts.get(line.place)
                found.append(
                    PartRow(
                        level="stage" if line.kind == "stage" else "phase",
                        place=line.place,
                        title=line.text.partition("\n")[0],
                        basis=part.basis if part is not None else (),
                        line=line.n,
                        turn=call,
                        again=begun[line.place],
                    )
                )
                begun[line.place] += 1
        return tuple(found)


def document_name(names: DocumentNames, event: Drafted) -> str:
    """By what a document of a run is asked for: `complaint-plaintiff`, then `complaint-plaintiff-2`."""
    return names.name(event).removeprefix("documents/").removesuffix(".md")


def _about(event: Event) -> dict[str, Any]:
    """What a row has of any event: its kind, place, and whose it is."""
    place = getattr(event, "place", "")
    told: dict[str, Any] = {"event": event.kind, "place": place}
    if isinstance(event, Entered):
        return {**told, "kind": event.level if event.level != "step" else "event", "level": event.level}
    if isinstance(event, Reopened):
        return {**told, "kind": "phase", "level": "phase"}
    if isinstance(event, Attended):
        return {**told, "event": event.how}
    return {**told, "person": getattr(event, "person", ""), "speaker": getattr(event, "speaker", "")}
