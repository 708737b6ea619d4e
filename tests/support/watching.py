"""What everybody saw in a run, held against an oracle that was written by hand and knows nothing of the spec.

Every value of the canary case carries a marker, every reply is given one on its way, and the watch knows at each moment
which of them a person may have met: what the oracle opens to him, papers that it opens to him, words said in his
hearing, the record in hand once it was presented. A marker anywhere else in his view or his prompt is a finding.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from typing import Any

from canary_marks import CASE, FOLDER, marks
from places import ROOT
from ruamel.yaml import YAML

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.engine.calendar import calendar_of
from legalworld.engine.casting import cast, first_holders
from legalworld.engine.conditions import EvalContext
from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Settings
from legalworld.engine.state import CaseState, apply
from legalworld.engine.view import Knowledge, Shown, View, ViewBuilder
from legalworld.language.link.linker import link
from legalworld.model import events as e
from legalworld.model.case import Case, Person
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.procedure import Procedure
from legalworld.model.source import MemorySources
from legalworld.models.scripted import Manner, Offline
from legalworld.runs.loop import ReplayLog, play_through
from legalworld.runs.norm_bench import norm_bench
from legalworld.runs.read_parts import part_reader
from legalworld.templates.template_set import TemplateSet

ROWS: dict[str, Mapping[str, Any]] = YAML(typ="safe").load(FOLDER / "oracle.yaml")
HEARS = ROWS.pop("hears")
OPENABLE = [  # what is open to somebody at some time: whose, name
    (whose, name)
    for name, row in ROWS.items()
    for whose in ("own", "other", "all")
    if whose in row or (whose == "other" and "exchanged" in row)
]
SIDES = ("plaintiff", "defendant")
SPEC = "specs/civil.yaml"
TARGETS = ("plaintiff_lawyer", "defendant_lawyer")
EXCHANGE = ("after_investigation", "before_hearing")
KINDS = {"C": "client", "L": "lawyer", "J": "judge"}
LETTERS = {kind: letter for letter, kind in KINDS.items()}
NOBODY = "LW764"  # a marker in place of a name refers to nobody

Key = tuple[str, str]  # whose, name of a field, document or answer
Test = Callable[[str], bool]


def beginning(about: str) -> str:
    """How the markers of a record begin; one that has no side stands at `claims//0`."""
    return about.replace("//", "/").replace("/", ".") + "."


def texts(value: object) -> Iterator[str]:
    """Every text in a value, the keys of records left out."""
    left = [value]
    while left:
        match left.pop():
            case str() as text:
                yield text
            case (tuple() | list() | frozenset()) as several:
                left.extend(several)
            case Mapping() as record:
                left.extend(record[key] for key in record)


@dataclass(frozen=True)
class Finding:
    """Something that somebody met and should not have; `key` where a field was opened (or, `missing`, was not)."""

    stage: str
    letter: str
    key: Key
    what: str
    missing: bool = False

    def __str__(self) -> str:
        return f"{self.stage} {self.letter} {' '.join(self.key)}: {self.what}"


@dataclass(frozen=True)
class Given:
    person: str
    name: str
    stage: str
    about: str
    value: object

    @cached_property
    def marks(self) -> frozenset[str]:
        return frozenset().union(*map(marks, texts(self.value)))


@dataclass
class Watch:
    """Follows a run, event by event. `only`: looks at fields alone, in these stages; `until`: the field and the letter
    with whose opening all is said."""

    procedure: Procedure
    case: Case
    target: str  # side of the lawyer under test
    options: Mapping[str, str]
    only: tuple[str, ...] = ()
    until: tuple[Key, str] | None = None
    findings: list[Finding] = field(default_factory=list)
    seen: set[tuple[str, str]] = field(default_factory=set)  # (person, marker) of all prompts
    stage: str = ""
    phase: str = ""
    over: set[str] = field(default_factory=set)
    papers: dict[tuple[str, str], str] = field(default_factory=dict)
    given: list[Given] = field(default_factory=list)
    heard: dict[str, dict[str, set[str]]] = field(default_factory=dict)  # person -> phase -> markers
    presented: set[str] = field(default_factory=set)
    requests: dict[str, e.Request] = field(default_factory=dict)
    asked: dict[str, e.Asked] = field(default_factory=dict)
    sent: dict[str, list[e.Message]] = field(default_factory=dict)
    checked: dict[str, Knowledge] = field(default_factory=dict)
    kept: dict[str, set[str]] = field(default_factory=dict)
    passed: dict[tuple[str, Key], object] = field(default_factory=dict)  # what of the case was in order when last seen

    def __post_init__(self) -> None:
        persons = cast(self.procedure, self.case)
        self.persons = {person.id: person for person in persons}
        self.state = CaseState(self.persons, first_holders(self.procedure, persons), "")
        self.calendar = calendar_of(self.procedure, self.case)
        self.looking = ViewBuilder(self.procedure, self.case, self.calendar)
        self.own = {person.id: tuple(self._own(person)) for person in persons}

    def _own(self, person: Person) -> Iterator[str]:
        """Beginnings of the markers of what a person is told about himself."""
        fellows = [other.id for other in self.persons.values() if other.role == person.role]
        number = fellows.index(person.id)
        if person.kind == "client":
            yield from (f"parties.{person.side}.{number}.", f"persona.{person.side}.{number}")
        elif person.kind == "judge":
            yield {"judge": "bench.", "appeal_judge": "appeal_bench."}[person.role]
        elif person.represents:
            yield f"counsel.{person.side}."
            yield from (f"parties.{person.side}.{n}.name" for n in range(len(person.represents)))

    # ---- the oracle --------------------------------------------------------------------------------------------------
    def opens(self, person: Person, key: Key) -> bool:
        """Whether the oracle lets a person see something now."""
        whose, name = key
        row, letter = ROWS.get(name, {}), LETTERS[person.kind]
        if self.stage in row.get(whose, {}).get(letter, ()):
            return True
        phase = row.get("exchanged", {}).get(self.stage)
        early = self.options["evidence_exchange"] == "before_hearing"
        return whose == "other" and letter != "J" and phase is not None and (early or phase in self.over)

    def whose(self, person: Person, side: str) -> str:
        if side not in SIDES:
            return "all"
        return "own" if person.side in ("", side) else "other"

    def may_see(self, person: Person, mark: str) -> bool:
        """Whether a marker of the case is in something that is open to a person."""
        return self.opens(person, self.place(person, mark))

    # ---- what may stand where ----------------------------------------------------------------------------------------
    def is_own(self, person: Person, mark: str) -> bool:
        return mark.startswith(self.own[person.id])

    def has_heard(self, person: Person, mark: str) -> bool:
        return any(mark in found for found in self.heard.get(person.id, {}).values())

    def current_item(self, person: Person, request: e.Request | None, mark: str) -> bool:
        """In the record that the step is about: everybody present knows it once it was presented."""
        about = request.view.variables["step"]["about"] if request is not None else ""
        side = about.split("/")[1] if about else ""
        known = bool(about) and (not person.side or person.side == side or about in self.presented)
        return known and mark.startswith(beginning(about))

    def content(self, person: Person, key: Key) -> Test:
        """Tells what is in a field, document or answer as it stands, as far as it is that side's and that stage's."""
        whose, name = key
        if name in self.procedure.documents:
            papers = ((side, text) for (paper, side), text in self.papers.items() if paper == name)
            written = [marks(text) for side, text in papers if self.whose(person, side) == whose]
            return lambda mark: any(mark in found for found in written)
        if name in self.procedure.answers:
            return self.in_answers(person, self.answers(name))
        return lambda mark: self.place(person, mark) == key

    def place(self, person: Person, mark: str) -> Key:
        """The field of the case that a marker stands in, as a person sees it."""
        name, _, rest = mark.partition(".")
        return self.whose(person, rest.partition(".")[0]), name

    def in_answers(self, person: Person, here: list[Given]) -> Test:
        """In their values, the names of who gave them, or the records that they are about."""
        said = frozenset().union(*(one.marks | marks(self.persons[one.person].name) for one in here))
        items = [(beginning(one.about), one.about in self.presented) for one in here if one.about]
        return lambda mark: (
            mark in said
            or any(mark.startswith(item) and (known or self.may_see(person, mark)) for item, known in items)
        )

    def answers(self, name: str) -> list[Given]:
        """The answers of a name that may be shown now: each person's last one on each record."""
        here = [one for one in self.given if one.name == name]
        if ROWS[name].get("from_stage") == "same":
            here = [one for one in here if one.stage == self.stage]
        return list({(one.person, one.about): one for one in here}.values())

    def knows(self, person: Person, request: e.Request | None, mark: str) -> bool:
        """Whether a person may have come by a marker in any of these ways."""
        held = (*self.procedure.documents, *self.procedure.answers)
        keys = [(whose, name) for name in held for whose in ("own", "other", "all")]
        return (
            self.may_see(person, mark)
            or self.is_own(person, mark)
            or self.has_heard(person, mark)
            or self.current_item(person, request, mark)
            or any(self.opens(person, key) and self.content(person, key)(mark) for key in keys)
        )

    # ---- findings ----------------------------------------------------------------------------------------------------
    def find(self, person: Person, what: str, key: Key = ("", ""), missing: bool = False) -> None:
        letter = LETTERS[person.kind]
        self.findings.append(Finding(self.stage, letter, key, f"{self.phase} {person.id}: {what}", missing))
        if self.until == (key, letter) and not missing:
            raise Opened

    def hold(self, person: Person, where: str, words: Iterator[str] | str, allowed: Test) -> None:
        """Every marker in the words must be allowed there."""
        if self.only:
            return
        found = marks(words) if isinstance(words, str) else frozenset().union(*map(marks, words))
        for mark in sorted(found):
            if not allowed(mark):
                self.find(person, f"{where}: {mark}")

    # ---- views and prompts -------------------------------------------------------------------------------------------
    def look_at_all(self) -> None:
        """The views of everybody, also of those who have no word here."""
        now = EvalContext(self.state, self.case, self.options, calendar=self.calendar)
        for person in self.persons.values():
            self.knowledge(person, self.looking.knowledge(now, person))

    def knowledge(self, person: Person, knowledge: Knowledge) -> None:
        if self.only and self.stage not in self.only:
            return
        spaces = (("own", knowledge.own), ("other", knowledge.other), ("all", knowledge.known))
        opened = {(whose, name) for whose, names in spaces for name in names}
        expected = {key for key in OPENABLE if self.opens(person, key)}
        for key in sorted(opened - expected):
            self.find(person, "opened without leave", key)
        for key in sorted(expected - opened):
            self.find(person, "not opened", key, missing=True)
        for shown in knowledge.shown if not self.only else ():
            self.shown(person, shown)

    def shown(self, person: Person, shown: Shown) -> None:
        key = (shown.whose, shown.name)
        of_case = shown.name not in self.procedure.documents and shown.name not in self.procedure.answers
        if of_case and self.passed.get((person.id, key)) == shown.entries:
            return  # where it stands is all that its markers say, and that was right
        found = len(self.findings)
        self.hold(person, f"view of {key}", texts(shown.entries), self.content(person, key))
        if of_case and len(self.findings) == found:
            self.passed[person.id, key] = shown.entries
        if shown.name in self.procedure.answers:
            there = sorted((str(entry["about"]), str(entry["value"] or "")) for entry in shown.entries)
            if there != sorted((one.about, str(one.value or "")) for one in self.answers(shown.name)):
                self.find(person, f"answers of another stage: {shown.name}")

    def view(self, person: Person, view: View, request: e.Request) -> None:
        """All else that a template or an actor is given."""
        given = view.variables
        practice = {"memory", "notes", "tools", "results"}
        heard = {"heard", "new", "last", "minutes"}
        assert set(given) == {"me", "scene", "step", "own", "other", "known", *heard, *practice}
        self.hold(person, "minutes", texts(given["minutes"]), lambda mark: self.has_heard(person, mark))
        for name in ("memory", "notes"):
            self.hold(person, name, texts(given[name]), lambda mark: mark in self.kept.get(person.id, ()))
        self.hold(person, "tools", texts(given["tools"]), lambda _: False)
        self.hold(
            person, "me", texts(given["me"]), lambda mark: self.is_own(person, mark) or self.is_clients(person, mark)
        )
        self.hold(person, "scene", texts(given["scene"]), lambda _: False)
        self.hold(person, "step", texts(given["step"]), lambda mark: self.in_act(person, request, mark))
        for name in ("heard", "new", "last"):
            self.hold(person, name, texts(given[name]), lambda mark: self.has_heard(person, mark))

    def is_clients(self, person: Person, mark: str) -> bool:
        """In the record of somebody whom a lawyer speaks for."""
        return bool(person.represents) and mark.startswith(f"parties.{person.side}.")

    def in_act(self, person: Person, request: e.Request, mark: str) -> bool:
        """In the record in hand, or the name of somebody he is to speak to."""
        named = mark.startswith("parties.") and mark.endswith(".name") and self.may_see(person, mark)
        return named or self.current_item(person, request, mark)

    def prompt(self, person: Person, request: e.Request) -> None:
        """Every part of every message that this call adds, by the folder that it comes from."""
        for message in request.added:
            assert message.content == "\n\n".join(text for _, text in message.parts)
            for home, text in message.parts:
                self.seen |= {(person.id, mark) for mark in marks(text)}
                self.hold(person, home, text, self.allowed(person, request, home))

    def allowed(self, person: Person, request: e.Request, home: str) -> Test:
        names = [name for name in home.removeprefix("prompts/zh/").split("/") if name not in self.procedure.folders]
        folder = names[0].partition(".")[0]
        match folder:
            case "who":
                return lambda mark: self.is_own(person, mark)
            case "know":
                whose, _, name = home.partition("#")[2].partition(" ")
                key = (whose, name)
                return self.content(person, key) if self.opens(person, key) else lambda _: False
            case "heard":
                return lambda mark: self.has_heard(person, mark)
            case "memory":
                return lambda mark: mark in self.kept.get(person.id, ())
            case "act" | "again":
                return lambda mark: self.in_act(person, request, mark)
            case _:
                return lambda _: False

    # ---- what happens ------------------------------------------------------------------------------------------------
    def __call__(self, event: e.Event | e.Request) -> None:
        if isinstance(event, e.Request):
            self.request(event)
            return
        self.state = apply(self.state, event)
        match event:
            case e.Entered():
                self.enter(event)
            case e.Left(level="phase", place=place):
                self.over.add(place.rpartition("/")[2])
                self.look_at_all()
            case e.Asked():
                self.asked[event.id] = event
            case e.Spoke():
                self.spoke(event)
            case e.Remembered():  # what he may write is checked as a reply
                self.kept.setdefault(event.person, set()).update(marks(str(event.value)))
            case e.Captured():
                self.given.append(Given(event.person, event.name, self.stage, event.about, event.value))
            case e.Drafted():
                self.draft(event)
                self.papers[event.document, event.side] = event.text
            case e.Withheld(phase=phase, persons=persons):
                for person in persons:
                    self.heard.get(person, {}).pop(phase, None)
            case _:
                return

    def enter(self, event: e.Entered) -> None:
        if event.level == "stage":
            self.stage, self.phase = event.place, ""
            self.over.clear()
            self.heard.clear()
        elif event.level == "phase":
            self.phase = event.place
        if event.level != "step":
            self.look_at_all()

    def spoke(self, event: e.Spoke) -> None:
        assert event.act not in ("note", "draft")  # these are nobody else's
        words = {word.replace("target", self.target) for word in HEARS[self.stage]}
        assert set(event.heard_by) == {p.id for p in self.persons.values() if words & {p.side, p.role}}
        found = marks(event.text) | marks(event.speaker).union(*map(marks, event.to))
        for person in event.heard_by:
            self.heard.setdefault(person, {}).setdefault(self.phase, set()).update(found)
        if event.act == "present":
            self.presented.add(self.requests[event.request].view.variables["step"]["about"])

    def draft(self, event: e.Drafted) -> None:
        """A paper that the case supplies holds only what its author's side may see; others are checked as replies."""
        author = self.persons[event.person]
        if event.source == "case":
            self.hold(author, event.document, event.text, lambda mark: self.knows(author, None, mark))

    def reply(self, request: e.Request, text: str) -> None:
        """Nobody says or writes more than he may have come by; what is new carries the number of his turn."""
        speaker = self.persons[request.person]
        new = {f"said.{request.id}", f"listed.{request.id}"}
        self.hold(speaker, "reply", text, lambda mark: mark in new or self.knows(speaker, request, mark))

    def request(self, request: e.Request) -> None:
        person = self.persons[request.person]
        assert request.thread in (f"{person.id}@{self.stage}", f"{person.id}@{self.phase}")
        assert self.asked[request.id].added == request.added  # what is journaled is what was sent
        self.requests[request.id] = request
        self.sent.setdefault(request.thread, []).extend(request.added)
        assert [m for m in request.messages if m.role != "assistant"] == self.sent[request.thread]
        if self.checked.get(person.id) is not request.view.knowledge:
            self.checked[person.id] = request.view.knowledge
            self.knowledge(person, request.view.knowledge)
        if not self.only:
            self.view(person, request.view, request)
            self.prompt(person, request)


class Opened(Exception):
    """What one waited for was opened without leave."""


# ---- playing ---------------------------------------------------------------------------------------------------------
@cache
def shipped() -> Mapping[str, str]:
    """The specs of this project and all that they use."""
    files = (
        path
        for name in ("specs", "prompts", "documents", "norms", "personas", "skills")
        for path in (ROOT / name).rglob("*.*")
    )
    return {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in files}


def linked(text: str | None = None) -> Procedure | tuple[Diagnostic, ...]:
    """The civil procedure, with another main file on demand; the problems when it cannot be linked."""
    found = link(MemorySources({**shipped(), SPEC: text or shipped()[SPEC]}), SPEC)
    return found.procedure if found.usable and found.procedure is not None else found.problems


@cache
def civil() -> Procedure:
    found = linked()
    assert isinstance(found, Procedure), found
    return found


def templates(changes: Mapping[str, str] | None = None) -> TemplateSet:
    return TemplateSet.of(MemorySources({**shipped(), **(changes or {})}), civil())


SHARED = templates()


@cache
def canary(settle: bool = False) -> Case:
    """The canary case; on demand one whose parties are willing to settle."""
    text = CASE.read_text("utf-8")
    data, problems = parse_data("case.yaml", text.replace("settle: 否", "settle: 是") if settle else text)
    assert data is not None, problems
    case, problems = bind(civil(), data, record=None, binding=None, settings={})
    assert case is not None
    assert {problem.code for problem in problems} == {NOBODY}
    return case


def appealed(case: Case, by: tuple[str, ...]) -> Case:
    return replace(case, fields={**case.fields, "appellants": by})


Script = Callable[[e.Request, str], str]


def marked(request: e.Request, text: str) -> str:
    """The reply with a marker of its own where others would hear it, and one in every list that it gives."""
    mark = f"CANARY[said.{request.id}]"
    token, bracket, rest = text.partition("】")
    if text.startswith("【") and request.form.leading:
        return f"{token}{bracket}{mark}{rest}"
    if request.form.answer is not None and request.form.answer.form == "list":
        return f"{mark}\n{token}；CANARY[listed.{request.id}]{bracket}{rest}"
    return f"{mark}\n{text}" if text.startswith("【") else mark + text


def as_marked(_: e.Request, text: str) -> str:
    return text


def no_deal(request: e.Request, text: str) -> str:
    """Everybody is willing to mediate, and nobody takes what is offered."""
    answer = request.form.answer
    return text.replace("：是】", "：否】") if answer is not None and answer.name == "agreed" else text


def play(
    procedure: Procedure,
    case: Case,
    target: str = TARGETS[0],
    *,
    prompts: TemplateSet = SHARED,
    manner: Manner = "plain",
    script: Script = as_marked,
    until: str = "",
    only: tuple[str, ...] = (),
    opened: tuple[Key, str] | None = None,
    **options: str,
) -> tuple[Watch, list[e.Event]]:
    """One run in memory, watched."""
    chosen = {"mediation_shielded": "yes", "evidence_exchange": "after_investigation", "appeal_by": "case", **options}
    watch, events = Watch(procedure, case, target.partition("_")[0], chosen, only, opened), []
    actors = Offline(prompts, 0, manner, decide=norm_bench(procedure, case, prompts))

    async def answer(request: e.Request) -> e.Reply:
        reply = actors.answer(request)
        text = script(request, marked(request, reply.text) if reply.text else "")
        watch.reply(request, text)
        return reply.model_copy(update={"text": text})

    def see(event: e.Event | e.Request) -> None:
        if not isinstance(event, e.Request):
            events.append(event)
        watch(event)

    reader = part_reader(procedure, case)
    game = interpret(procedure, case, Settings(target, 0, chosen, until), prompts, reader=reader)
    asyncio.run(play_through(game, ReplayLog(), answer, see))
    return watch, events


def outcome(events: list[e.Event]) -> str:
    return next((event.outcome for event in events if isinstance(event, e.Ended)), "")
