"""The minutes of the hearings: who came, and all that happened on the record, as their keeper may have it.

What was taken back from the keeper, or was said to others alone, is noted in a line as having taken place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..engine import titles
from ..engine.calendar import calendar_of
from ..engine.casting import cast, first_holders
from ..engine.prompt import Prompter
from ..engine.recorder import Recorder
from ..engine.request_builder import RequestBuilder
from ..engine.scene import Scene
from ..engine.state import CaseState, apply, everyone
from ..engine.turn import TurnSpec
from ..engine.view import ViewBuilder
from ..model.amendments import Amended, in_force
from ..model.attendance import Attended, ReadOut
from ..model.events import Drafted, Entered, Event, Left, Reopened, Spoke, Withheld
from ..model.immutable import immutable
from ..model.interruptions import Interrupted, Resumed
from ..model.plan import StepInfo
from ..model.procedure import Stage, parts_of
from ..model.schedule import Dated
from ..model.source import Span
from ..model.votes import Voted
from ..runs.open_run import OpenRun
from ..runs.transcript import outcome_of, without_empty_absences
from ..templates.lookups import minutes
from ..templates.template_set import TemplateError
from ..wording import sentences
from ..wording.struck import marked
from .layout import Paragraph


@immutable
class Minutes:
    """The minutes of a stage: their form, with a line that stands for what happened, and that."""

    stage: str
    text: str
    course: tuple[Paragraph, ...]


def of_run(opened: OpenRun) -> Iterator[Minutes]:
    """The minutes of each stage that has a keeper and in which something was said."""
    kept = {stage.id: stage for stage in opened.procedure.stages if stage.minutes}
    for name, state, began, events in _played(opened, kept):
        stage = kept[name]
        keepers = everyone(state, stage.minutes)
        home = opened.project.templates.find(minutes(name))
        if home is None or not keepers or not any(isinstance(event, Spoke) for event in events):
            continue
        seen = _seen(opened, stage, state, keepers[0])
        told = {
            "attendance": _attendance(opened, state, events),
            "scene": {**seen["scene"], "today": _days(opened, began, events)},
        }
        variables = {**seen, **told}
        try:
            text = opened.project.templates.render(home, variables).strip()
        except TemplateError:
            continue
        yield Minutes(name, text, tuple(_Course(opened, frozenset(keepers)).paragraphs(events)))


def _played(opened: OpenRun, kept: Iterable[str]) -> Iterator[tuple[str, CaseState, str, list[Event]]]:
    """Each of some stages that was played, with the state of the case when it was over, the day (YYYY-MM-DD or "") that
    it was when it began, and what happened in it."""
    procedure = opened.procedure
    persons = cast(procedure, opened.case)
    state = CaseState(
        {person.id: person for person in persons}, first_holders(procedure, persons), opened.settings.target
    )
    inside: list[Event] = []
    began = ""
    for event in opened.events:
        if isinstance(event, Entered) and event.level == "stage":
            inside, began = [], state.today
        if isinstance(event, Left) and event.level == "stage" and event.place in kept:
            yield event.place, state, began, inside
            inside = []
        state = apply(state, event)
        inside.append(event)
    if inside and state.stage in kept:  # the run stopped here
        yield state.stage, state, began, inside


def _seen(opened: OpenRun, stage: Stage, state: CaseState, keeper: str) -> Mapping[str, Any]:
    """What the keeper sees when the stage is over."""
    calendar, case = calendar_of(opened.procedure, opened.case), in_force(opened.procedure, opened.case, state.amended)
    scene = Scene(opened.procedure, case, opened.settings, Recorder(state), stage, calendar=calendar)
    views = ViewBuilder(opened.procedure, case, calendar)
    requests = RequestBuilder(scene, Prompter(opened.project.templates, opened.procedure), views)
    nothing = StepInfo("", "", "", (), None, Span("", 0, 0))
    return requests.view(state.persons[keeper], TurnSpec("", nothing)).variables


def _days(opened: OpenRun, began: str, events: Sequence[Event]) -> str:
    """The days on which something was said in a stage, as people read them; "" where none of them is known."""
    calendar, today = calendar_of(opened.procedure, opened.case), began
    days: dict[str, None] = {}
    for event in events:
        if isinstance(event, Dated) and not event.reason:
            today = event.day
        elif isinstance(event, Spoke) and today:
            days[calendar.as_read(today)] = None
    return opened.procedure.marks.listed.join(days)


# ---- who came --------------------------------------------------------------------------------------------------------
def _attendance(opened: OpenRun, state: CaseState, events: Sequence[Event]) -> tuple[Mapping[str, Any], ...]:
    """Everybody who was to take part in a stage, side by side, and whether he came, came late or left early."""
    came: dict[str, None] = {}
    moved: dict[str, list[str]] = {}
    for event in events:
        match event:
            case Spoke():
                came |= dict.fromkeys((*event.heard_by, event.person))
            case Attended(
                how="absent" | "waits" | "leaves" | "enters" | "comes_for" as how, persons=persons, unnamed=False
            ):
                for person in persons:
                    moved.setdefault(person, []).append(how)
            case _:
                continue
    sides = list(dict.fromkeys(person.side for person in state.persons.values() if person.side))
    by_side = sorted(state.persons.values(), key=lambda p: sides.index(p.side) if p.side else len(sides))
    return tuple(
        {
            "title": titles.full_title(opened.procedure, state, person.id),
            "name": person.name,
            "kind": person.kind,
            "side": person.side,
            "partly": moved.get(person.id, [""])[0] == "comes_for",
            "absent": moved.get(person.id, [""])[-1] in ("absent", "waits") and person.id not in came,
            "late": "enters" in moved.get(person.id, ()) and moved[person.id][0] == "absent",
            "left": moved.get(person.id, [""])[-1] == "leaves" and moved[person.id][0] != "waits",
        }
        for person in by_side
        if person.id in came or person.id in moved
    )


# ---- what happened ---------------------------------------------------------------------------------------------------
@immutable
class _MinutesLine:
    """A line of the minutes, below which heading; `phase`: the place of its phase, `noted`: it only says what it is."""

    phase: str
    heading: str
    text: str
    noted: bool = False


class _Course:
    """What happened in a stage, line by line, as the keepers of its minutes may have it."""

    def __init__(self, opened: OpenRun, keepers: frozenset[str]) -> None:
        self.keepers = keepers
        self.told = sentences("transcript", opened.procedure.locale)
        self.words = sentences("minutes", opened.procedure.locale)
        self.titles = {place: part.title for place, part in parts_of(opened.procedure).items()}
        self.procedure, self.case, self.marks = opened.procedure, opened.case, opened.procedure.marks
        self.headings: dict[str, str] = {}
        self.lines: list[_MinutesLine] = []
        self.began: dict[str, int] = {}

    def paragraphs(self, events: Iterable[Event]) -> Iterator[Paragraph]:
        """Headings, what was said below them, and who came and went; what is only noted is so once."""
        for event in without_empty_absences(marked(events, self.procedure.locale)):
            self._take(event)
        before: _MinutesLine | None = None
        for line in self.lines:
            if line.heading and (before is None or line.heading != before.heading):
                yield "heading", line.heading
            elif before is not None and line.noted and line == before:
                continue
            before = line
            yield "speech", line.text

    def _take(self, event: Event) -> None:
        match event:
            case Entered(level="phase", place=place, title=title):
                self._begin(place, title)
            case Reopened(place=place, title=title):
                self._begin(place, self.told("reopened", title=title))
            case Interrupted(place=place, title=title):
                self.headings[place.rpartition("/")[0]] = title
            case Resumed(place=place):
                phase = place.rpartition("/")[0]
                self.headings[phase] = self.titles.get(phase, "")
            case Spoke(place=place, confined=True) if self.keepers.isdisjoint(event.heard_by):
                self._add(place, self.words("confined"), noted=True)
            case Spoke(place=place, closed_to=closed_to) if self.keepers <= set(closed_to):
                self._add(place, self.words("closed"), noted=True)
            case Spoke(speaker=speaker, text=text, place=place):
                self._add(place, f"{speaker}{self.marks.colon}{' '.join(text.split())}")
            case Attended(how=how, speakers=speakers, place=place, unnamed=False):
                self._note(place, how, names=self.marks.listed.join(speakers))
            case Amended(place=place, title=title):
                self._note(place, "amended", title=title)
            case ReadOut(speaker=speaker, to=to, title=title, place=place):
                self._note(place, "read_out", speaker=speaker, names=self.marks.listed.join(to), title=title)
            case Drafted(speaker=speaker, side="", source="reply" | "replaced", document=document, place=place):
                title = self.procedure.documents[document].title
                self._add(place, self.words("drafted", speaker=speaker, title=title))
            case Voted(place=place) if not self.keepers.isdisjoint(event.heard_by):
                self._add(place, self.words("note", text=outcome_of(event, self.procedure, self.told, self.case)[1:-1]))
            case Withheld(phase=phase, persons=persons) if self.keepers <= set(persons):
                self._take_back(phase)
            case _:
                return

    def _begin(self, phase: str, heading: str) -> None:
        self.headings[phase], self.began[phase] = heading, len(self.lines)

    def _note(self, place: str, what: str, **values: str) -> None:
        """As the transcript words it, in the brackets of minutes."""
        self._add(place, self.words("note", text=self.told(what, **values)[1:-1]))

    def _add(self, place: str, text: str, noted: bool = False) -> None:
        phase = place.rpartition("/")[0]
        self.lines.append(_MinutesLine(phase, self.headings.get(phase, ""), text, noted))

    def _take_back(self, phase: str) -> None:
        """Of the last time of a phase nothing stays but that it took place."""
        note = self.words("off_record", title=self.titles.get(phase, ""))
        since = self.began.get(phase, 0)
        self.lines = [
            replace(line, text=note, noted=True) if number >= since and line.phase == phase else line
            for number, line in enumerate(self.lines)
        ]
