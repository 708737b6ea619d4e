"""The transcript of a run, read as a court record; made from events alone, so it can be made again at any time."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from ..engine.conditions import record_at
from ..engine.titles import numbered
from ..language.dates import written
from ..model import events as e
from ..model.amendments import Amended, in_force
from ..model.attendance import Attended, ReadOut
from ..model.case import Case, Record
from ..model.decision_parts import Superseded
from ..model.immutable import immutable
from ..model.plan import Step
from ..model.procedure import Procedure, parts_of, places
from ..model.punctuation import joined
from ..model.schedule import Dated
from ..model.votes import Voted
from ..wording import sentences
from ..wording.struck import marked

_FEW_WORDS = 40  # characters of an item that stand in a line about it; of a longer one its number does
_LIVE = re.compile(r"<(?=[a-zA-Z!/?])|!(?=\[)|\](?=\()")


@immutable
class Present:
    """Somebody who takes part: his id, how he is called, his name ("" where the case gives none)."""

    id: str
    title: str
    name: str


@dataclass(slots=True)
class DocumentNames:
    """File names for the documents of a run: a document drafted twice by one side keeps both."""

    procedure: Procedure
    count: dict[str, int] = field(default_factory=dict)

    def name(self, event: e.Drafted) -> str:
        """`documents/complaint-plaintiff.md`, then `documents/complaint-plaintiff-2.md`."""
        base = f"{event.document}-{event.side}" if event.side else event.document
        self.count[base] = number = self.count.get(base, 0) + 1
        return f"documents/{base}.md" if number == 1 else f"documents/{base}-{number}.md"


def documents(procedure: Procedure, events: Iterable[e.Event]) -> dict[str, str]:
    """File name -> text of every document of the run."""
    papers = DocumentNames(procedure)
    return {papers.name(event): event.text.strip() + "\n" for event in events if isinstance(event, e.Drafted)}


def transcript(
    procedure: Procedure,
    case: Case,
    people: Sequence[Present],
    models: Mapping[str, str],
    events: Sequence[e.Event],
) -> str:
    """The record in Markdown: who was there, then stage by stage and phase by phase what was said and issued."""
    words = sentences("transcript", procedure.locale)
    lines = [f"# {words('heading', title=case.title)}", "", words("procedure", title=procedure.title), ""]
    marks = procedure.marks
    players = marks.comma.join(f"{role} {name}" for role, name in models.items())
    offline = set(models.values()) <= {"offline"}
    lines += [words("offline") if offline else words("models", models=players), "", f"## {words('people')}", ""]
    everybody, people = present(people, events)
    lines += [f"- {words('person', title=person.title, name=person.name).rstrip()}" for person in people]
    headings: dict[str, list[str]] = {}
    for event, entry, aside in told_events(procedure, case, (everybody, people), events):
        lines += aside
        if isinstance(event, e.Entered):  # a heading is written when something follows it
            if event.level == "stage":
                headings = {}
            if entry:
                headings[event.level] = entry
        elif entry:
            lines += [*(line for heading in headings.values() for line in heading), *entry]
            headings = {}
    return "\n".join(lines).rstrip() + "\n"


def told_events(
    procedure: Procedure,
    case: Case,
    people: tuple[Sequence[Present], Sequence[Present]],
    events: Sequence[e.Event],
) -> Iterator[tuple[e.Event | None, list[str], list[str]]]:
    """Yield each event with the lines that the record has of it, and those that go before it: who heard the turns until
    then. At the end there may be such lines without an event. `people`: everybody, and those who take part.
    """
    words, papers = sentences("transcript", procedure.locale), DocumentNames(procedure)
    names = _called(*people)
    told = _Telling(procedure, case, words, papers, names)
    checks, aside = _Checks(procedure, words), _Aside(procedure, words, names)
    for event in without_empty_absences(marked(events, procedure.locale)):
        if isinstance(event, Amended):
            told = replace(told, case=in_force(procedure, told.case, (event.field,)))
        entry = _lines(event, told) + checks.lines(event)
        yield event, entry, aside.ended(event) if entry else []
    if last := aside.ended(None):
        yield None, [], last


def present(people: Sequence[Present], events: Sequence[e.Event]) -> tuple[Sequence[Present], Sequence[Present]]:
    """Return everybody, and those who take part in a run; those of one role whom no name tells apart with numbers."""
    return _numbered(people), _numbered(_taking_part(people, events))


def _called(everybody: Sequence[Present], people: Sequence[Present]) -> Mapping[str, str]:
    """How each person is called: by his name where no other bears it."""
    alike = [person.name for person in people]
    return {
        person.id: person.name
        if person.name and alike.count(person.name) == 1
        else joined(person.title, person.name).strip()
        for person in (*everybody, *people)
    }


def without_empty_absences(events: Iterable[e.Event]) -> list[e.Event]:
    """Events but for those by which somebody is sent out and let in again while nothing was said, put to a vote or
    written, and no other part of the stage began: he missed nothing."""
    kept: list[e.Event] = []
    sent_out: Attended | None = None
    for event in events:
        if isinstance(event, Attended) and event.how == "let_in" and sent_out and sent_out.persons == event.persons:
            kept.remove(sent_out)
            sent_out = None
            continue
        kept.append(event)
        if isinstance(event, Attended):
            sent_out = event if event.how == "shut_out" else None
        elif isinstance(event, e.Spoke | Voted | e.Drafted) or (isinstance(event, e.Entered) and event.level != "step"):
            sent_out = None
    return kept


def _taking_part(people: Sequence[Present], events: Sequence[e.Event]) -> Sequence[Present]:
    """Without those whom the case does not name and who, at the end, neither said nor heard a word nor were given an
    office: a bench that it did not come to."""
    if not any(isinstance(event, e.Ended) for event in events):
        return people
    there = {getattr(event, "person", "") for event in events}
    there.update(*(event.persons for event in events if isinstance(event, e.Assigned)))
    there.update(*(getattr(event, "heard_by", None) or () for event in events))
    return [person for person in people if person.name or person.id in there]


def _numbered(people: Sequence[Present]) -> Sequence[Present]:
    """Those of one role whom no name tells apart bear numbers, as they do where they speak: Associate judge 2."""
    called = [(person.id.rstrip("0123456789"), person.title, person.name) for person in people]
    return [
        replace(person, title=joined(person.title, str(called[: place + 1].count(called[place]))))
        if called.count(called[place]) > 1
        else person
        for place, person in enumerate(people)
    ]


@dataclass(slots=True)
class _Aside:
    """Turns that some of those present alone heard: who they were is told once, behind the last of them."""

    procedure: Procedure
    words: Callable[..., str]
    names: Mapping[str, str]
    hearers: tuple[str, ...] = ()
    turns: int = 0

    def ended(self, event: e.Event | None) -> list[str]:
        """What is told before an event that is no more of the turns before it."""
        hearers = event.heard_by if isinstance(event, e.Spoke) and event.confined else ()
        told = [self._told(), ""] if self.turns and hearers != self.hearers else []
        self.turns = (self.turns if hearers == self.hearers else 0) + 1 if hearers else 0
        self.hearers = hearers
        return told

    def _told(self) -> str:
        names = self.procedure.marks.listed.join(self.names.get(person, person) for person in self.hearers)
        return self.words("confined" if self.turns == 1 else "confined_turns", names=names, count=self.turns)


@dataclass(slots=True)
class _Checks:
    """The checklists of a run: several items done in one turn are told at once, what was left undone at the end."""

    procedure: Procedure
    words: Callable[..., str]
    done: dict[str, set[int]] = field(default_factory=dict)

    def lines(self, event: e.Event) -> list[str]:
        match event:
            case e.Performed(place=place, items=items):
                self.done.setdefault(place, set()).update(items)
                return [self.words("done_together", items=self._listed(items)), ""] if len(items) > 1 else []
            case e.Closed(place=place):
                left = tuple(n for n in self._items(place) if n not in self.done.get(place, ()))
                return [self.words("left_undone", items=self._listed(left)), ""] if left else []
            case _:
                return []

    def _listed(self, items: Iterable[int]) -> str:
        return self.procedure.marks.listed.join(map(str, items))

    def _items(self, place: str) -> Iterable[int]:
        """The numbers of the checklist that a step goes through; none where it has no checklist."""
        for at, step in places(self.procedure):
            if isinstance(step, Step) and step.checklist_name and at == place.partition("#")[0]:
                return (task.n for task in self.procedure.checklists[step.checklist_name])
        return ()


@immutable
class _Telling:
    """What the lines of a transcript are made with: the case, its files, how people are called, the sentences."""

    procedure: Procedure
    case: Case
    words: Callable[..., str]
    papers: DocumentNames
    names: Mapping[str, str]

    def listed(self, persons: Iterable[str]) -> str:
        """The names of persons, one after the other."""
        return self.procedure.marks.listed.join(self.names.get(person, person) for person in persons)


def _lines(event: e.Event, told: _Telling) -> list[str]:
    procedure, words, listed = told.procedure, told.words, told.procedure.marks.listed
    match event:
        case e.Entered(level="stage" | "phase" as level, place=place, title=title):
            basis = parts_of(procedure)[place].basis
            heading = f"{'##' if level == 'stage' else '###'} {title}"
            return ["", heading, *(["", words("basis", basis=listed.join(basis))] if basis else []), ""]
        case e.Spoke():
            return [_said(event, words), ""]
        case Attended(unnamed=True) | Attended(how="titled"):  # the office that was given is told
            return []
        case Attended() | ReadOut():
            return [_attended(event, words, listed), ""]
        case e.Reopened(title=title):
            return ["", f"### {words('reopened', title=title)}", ""]
        case e.Captured() | Voted():
            return _kept(event, told)
        case e.Interrupted() | e.Objected() | e.Resumed():
            return _between(event, procedure, words)
        case Dated() | Amended():
            return [_dated(event, procedure, words), ""]
        case e.Skipped(place=place, reason="asked"):
            return [words("left_out", title=parts_of(procedure)[place].title), ""]
        case e.Drafted():
            key = {"reply": "drafted", "case": "taken", "replaced": "replaced"}[event.source]
            title = procedure.documents[event.document].title
            drafted = words(key, speaker=event.speaker, title=title, file=told.papers.name(event))
            strange = [words("unlisted", named=listed.join(event.unlisted)), ""] if event.unlisted else []
            return [drafted, "", *strange]
        case Superseded(decision=name, answers=answers):
            gone = listed.join(f"“{procedure.answers[answer].called}”" for answer in answers)
            return [words("superseded", title=procedure.decisions[name].title, answers=gone), ""]
        case e.Assigned(role=role, persons=persons) if persons and procedure.roles[role].title:
            held = procedure.roles[role].title
            return [words("assigned", names=told.listed(persons), title=held), ""]
        case e.Withheld(persons=persons):
            return [words("withheld", names=told.listed(persons)), ""]
        case e.Closed(reason="budget" | "left" as reason):
            return [words(f"closed_{reason}"), ""]
        case e.Ended(outcome=outcome, title=title, lacking=lacking):
            missed = [words("ended_lacking", title=procedure.documents[lacking].title), ""] if lacking else []
            return [*missed, words("ended", outcome=title or outcome) if outcome else words("ended_plain"), ""]
        case _:
            return []


def _dated(event: Dated | Amended, procedure: Procedure, words: Callable[..., str]) -> str:
    """A new day, or why it did not come; or what holds from here on."""
    if isinstance(event, Amended):
        return words("amended", title=event.title)
    key = f"day_{event.reason}" if event.reason else "dated"
    day = written(date.fromisoformat(event.day), procedure.locale) if event.day else ""
    return words(key, title=procedure.dates[event.name].title, day=day)


def _said(event: e.Spoke, words: Callable[..., str]) -> str:
    speaker, text = f"**{event.speaker}**", _quoted(event.text)
    if event.act == "moderate" and len(event.to) == 1:
        return words("said_to", speaker=speaker, called=event.to[0], text=text)
    return words("said_objecting" if event.act == "object" else "said", speaker=speaker, text=text)


def _attended(event: Attended | ReadOut, words: Callable[..., str], listed: str) -> str:
    """Who came or went, or to whom which record was read."""
    if isinstance(event, Attended):
        return words(event.how, names=listed.join(event.speakers))
    return words("read_out", speaker=event.speaker, names=listed.join(event.to), title=event.title)


def _kept(event: e.Captured | Voted, told: _Telling) -> list[str]:
    """What was drawn or put down, or how a vote came out; answers that somebody gave stand in what he said."""
    procedure, words, case = told.procedure, told.words, told.case
    if isinstance(event, Voted) and event.by == "given":
        return []
    if isinstance(event, Voted):
        return [outcome_of(event, procedure, words, case), ""]
    if event.source == "reply" or (event.source in ("sample", "record") and not event.value):
        return []
    said = _worded(procedure, event.name, event.written or event.value, words) if event.value else ""
    if event.source in ("default", "unanswered"):
        name = procedure.answers[event.name].called + _subject(event, procedure, words, case)
        return [words("silent" if said else "unanswered", name=name, speaker=event.speaker, value=said), ""]
    if event.source == "sample":
        return [words("sampled", drawn=said), ""]
    key = "read" if event.source == "read" else "recorded_of" if event.speaker else "recorded"
    about = _subject(event, procedure, words, case)
    himself = bool(item := _item_name(event.about, case)) and event.speaker.endswith(item)
    if himself or (event.speaker and about == words("about_named", name=event.speaker)):
        about = ""
    name = procedure.answers[event.name].called + about
    return [words(key, name=name, speaker=event.speaker, value=said), ""]


def _subject(event: e.Captured | Voted, procedure: Procedure, words: Callable[..., str], case: Case) -> str:
    """What an answer or a vote was about, the items of the outer loops first."""
    return "".join(_about(about, procedure, words, case) for about in (*event.within, event.about))


def _about(about: str, procedure: Procedure, words: Callable[..., str], case: Case) -> str:
    """Which item something was about: its name, or the title of its field and its number there; "" where it is none."""
    name, _, rest = about.partition("/")
    number = rest.rpartition("/")[2]
    if not number.isdigit():
        return ""
    if name in procedure.roles:
        return words("about_item", title=procedure.roles[name].title, n=int(number) + 1)
    if name not in procedure.fields:
        return ""
    item = _item_name(about, case)
    if item:
        return words("about_named", name=item)
    return words("about_item", title=procedure.fields[name].title, n=int(number) + 1)


def _item_name(about: str, case: Case) -> str:
    """The name of an item, else its id, else the item itself where it is a text of a few words; "" for others."""
    if not about.rpartition("/")[2].isdigit() or about.partition("/")[0].partition(".")[0] not in case.fields:
        return ""
    item = record_at(case, about)
    name = item.get("name") or item.get("id") if isinstance(item, Record) else item
    return name if isinstance(name, str) and len(name) <= _FEW_WORDS else ""


def outcome_of(event: Voted, procedure: Procedure, words: Callable[..., str], case: Case) -> str:
    """How a vote came out, as far as it was revealed: the result, with the count where that is made known, and with
    everybody's vote where names are."""

    def said(value: str) -> str:
        return _worded(procedure, event.name, value, words) if value else words("no_vote")

    comma = procedure.marks.comma
    counts = [words("votes_for", value=said(value), count=count) for value, count in event.counts.items()]
    votes = [words("vote_of", speaker=vote.speaker, value=said(vote.value)) for vote in event.votes]
    told = [
        comma.join(counts if event.reveals != "nothing" else ()),
        words(f"decided_by_{event.by}", value=said(event.result)),
        comma.join(votes if event.reveals == "names" else ()),
    ]
    outcome = procedure.marks.semicolon.join(filter(None, told))
    title = event.title or procedure.answers[event.name].called
    about = "".join(
        words_of_item
        for item in (*event.within, event.about)
        if (words_of_item := _about(item, procedure, words, case)) and not _names(title, item, procedure, case)
    )
    return words("voted", title=title + about, outcome=outcome)


def _names(title: str, about: str, procedure: Procedure, case: Case) -> bool:
    """Whether the title of a vote says itself which item it was about."""
    called = (_item_name(about, case), numbered(procedure, about))
    alone = (rf"(?<![0-9a-z]){re.escape(name.casefold())}(?![0-9a-z])" for name in called if name)
    return any(re.search(pattern, title.casefold()) for pattern in alone)


def _worded(procedure: Procedure, name: str, value: str | Sequence[str], words: Callable[..., str]) -> str:
    """The value of an answer as people say it."""
    if not isinstance(value, str):
        return procedure.marks.semicolon.join(value)
    answer = procedure.answers[name]
    said = answer.said(value)
    return words(value) if said == value and answer.form == "yes or no" and value in ("yes", "no") else said


def _between(
    event: e.Interrupted | e.Objected | e.Resumed, procedure: Procedure, words: Callable[..., str]
) -> list[str]:
    """What came in between: an event with its basis, its end, what became of an objection."""
    if isinstance(event, e.Objected):
        return [words("sustained" if event.sustained else "overruled", speaker=event.speaker), ""]
    declared = next(one for one in procedure.interruptions if one.id == event.event)
    if isinstance(event, e.Resumed):
        return [words("resumed", title=declared.title), ""]
    heading = words("interrupted" if event.speaker else "came_about", title=event.title, speaker=event.speaker)
    cited = ["", words("basis", basis=procedure.marks.listed.join(declared.basis))] if declared.basis else []
    return ["", f"#### {heading}", *cited, ""]


def _quoted(text: str) -> str:
    """Words as they were said: no line of them is markup that gives the transcript a structure of its own, and nothing
    in them is fetched, run or followed by a program that shows Markdown."""
    text = _LIVE.sub(lambda found: "\\" + found[0], text)
    return "\n".join("\\" + line if line.startswith(("#", "---", "===", "```")) else line for line in text.split("\n"))
