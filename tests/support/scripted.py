"""A small procedure played by a script: who says what, in order; and what came of it, one readable line per event.

A construct is a folder: `spec.yaml`, `case.yaml`, `script.yaml`, perhaps `prompts/` and `documents/` of its own, and
`expected.txt`. Templates that it does not bring are those of `constructs/common`.

    target: seller            # script.yaml; only `replies` must be there
    options: {loud: yes}
    show: prompts             # list what each was sent, too
    replies:
      seller: [A hundred., Ninety.]
      buyer:
        - {say: 价, times: 70000}
        - {calls: [{name: ask_price, arguments: "{}"}]}     # tools called natively
        - write: ['{"name": "ask_price", "arguments": {}}']   # the same in the text protocol
        - {say: The price, cut: yes}                        # broken off at the limit of tokens
    seed: 7
    skip: [market/haggle]
    native: [buyer]           # roles whose models call tools natively
    world: ['{"price": 80}']  # what errands bring back, in order
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, assert_never

from places import TESTS

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Settings
from legalworld.model import events as e
from legalworld.model.amendments import Amended
from legalworld.model.case import Case
from legalworld.model.decision_parts import PartDecided, Superseded
from legalworld.model.events import Call, Errand, Event, Reply, Request
from legalworld.model.schedule import Dated, Scheduled
from legalworld.model.source import MemorySources
from legalworld.model.votes import Voted
from legalworld.runs.loop import Finished, Game, ReplayLog, play_through
from legalworld.runs.plan import chosen_options, chosen_target
from legalworld.runs.project import Project, read_project
from legalworld.runs.read_parts import part_reader
from legalworld.wording.diagnostics import render

CONSTRUCTS = TESTS / "engine" / "constructs"
COMMON = CONSTRUCTS / "common"
SPEC = "specs/spec.yaml"
WORLD = "world"
SHOWN = 200  # characters of a text in a listing


@dataclass(frozen=True, slots=True)
class Script:
    """Person -> replies in order, and what the world answers to errands; the choices of the run."""

    replies: Mapping[str, Sequence[Reply]]
    options: Mapping[str, str]
    target: str
    prompts: bool
    native: frozenset[str]
    seed: int = 0
    skip: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Construct:
    """A folder as it was read; `game` begins it anew."""

    project: Project
    case: Case
    script: Script
    settings: Settings

    def game(self) -> Game:
        assert self.project.procedure is not None
        reader = part_reader(self.project.procedure, self.case)
        return interpret(self.project.procedure, self.case, self.settings, self.project.templates, reader=reader)


@dataclass(slots=True)
class Played:
    """What happened, in order: the events, and every request with its reply."""

    record: list[Event | tuple[Request | Errand, Reply]] = field(default_factory=list)
    left: dict[str, list[Reply]] = field(default_factory=dict)
    finished: Finished | None = None

    @property
    def events(self) -> list[Event]:
        return [one for one in self.record if not isinstance(one, tuple)]

    @property
    def calls(self) -> list[tuple[Request | Errand, Reply]]:
        return [one for one in self.record if isinstance(one, tuple)]


def read_script(folder: Path) -> Script:
    data, problems = parse_data("script.yaml", (folder / "script.yaml").read_text(encoding="utf-8"))
    assert data is not None, problems
    value = data.value
    replies = {person: [_reply(one) for one in said or ()] for person, said in (value.get("replies") or {}).items()}
    replies[WORLD] = [Reply(text=str(one)) for one in value.get("world") or ()]
    return Script(
        replies,
        value.get("options") or {},
        value.get("target") or "",
        value.get("show") == "prompts",
        frozenset(value.get("native") or ()),
        int(value.get("seed") or 0),
        tuple(value.get("skip") or ()),
    )


def _reply(written: Any) -> Reply:
    if not isinstance(written, dict):
        return Reply(text=str(written or ""))
    calls = [
        Call(id=f"call-{number}", name=one["name"], arguments=str(one["arguments"]))
        for number, one in enumerate(written.get("calls") or (), 1)
    ]
    lines = [f"<tool_call>{one}</tool_call>" for one in written.get("write") or ()]
    said = str(written.get("say") or "") + "\n".join(lines)
    text = said * int(written.get("times") or 1) + str(written.get("then") or "")
    return Reply(text=text, calls=tuple(calls), cut=bool(written.get("cut")))


# A construct has but one procedure, with words of it in a neutral place, templates that say as little as can be, and no
# language of its own.
PLAIN = ("LW237", "LW293", "LW726")


def read_sources(folder: Path) -> MemorySources:
    """The folder as a project: its spec, its templates, and behind them the common ones."""
    spec = (folder / "spec.yaml").read_text(encoding="utf-8")
    return MemorySources({SPEC: spec, **_common(), **_of_project(folder)})


@cache
def _common() -> dict[str, str]:
    return _of_project(COMMON)


def _of_project(root: Path) -> dict[str, str]:
    files = {file.relative_to(root).as_posix(): file for file in sorted(root.rglob("*.*"))}
    kinds = ("specs/", "prompts/", "documents/", "personas/", "skills/")
    return {name: file.read_text(encoding="utf-8") for name, file in files.items() if name.startswith(kinds)}


def read_construct(folder: Path) -> Construct:
    """All of a construct; whatever is wrong with it fails here."""
    sources = read_sources(folder)
    project = read_project(sources, SPEC)
    told = [problem for problem in project.problems if problem.code not in PLAIN]
    assert not told, render(told, sources.read, "en")
    assert project.procedure is not None
    data, problems = parse_data("case.yaml", (folder / "case.yaml").read_text(encoding="utf-8"))
    assert data is not None, problems
    case, problems = bind(project.procedure, data, record=None, binding=None, settings={})
    assert case is not None and all(one.severity == "warning" for one in problems), problems
    script = read_script(folder)
    options, wrong = chosen_options(project.procedure, script.options)
    target, also_wrong = chosen_target(project.procedure, script.target)
    assert not wrong and not also_wrong, (wrong, also_wrong)
    settings = Settings(target, script.seed, options, native=script.native, skip=script.skip)
    return Construct(project, case, script, settings)


def play(
    construct: Construct, tape: ReplayLog | None = None, script: Mapping[str, Sequence[Reply]] | None = None
) -> Played:
    """The construct played to its end. Somebody who is asked and has nothing more to say is an error of the script."""
    played = Played()
    played.left = {
        person: list(said) for person, said in (construct.script.replies if script is None else script).items()
    }

    async def answer(request: Request | Errand) -> Reply:
        said = played.left.get(WORLD if isinstance(request, Errand) else request.person)
        assert said, f"{request.person} is asked once more: {request.id}\n" + "\n".join(listing(played.events))
        reply = said.pop(0)
        played.record.append((request, reply))
        return reply

    def watch(event: Event | Request | Errand) -> None:
        if not isinstance(event, Request | Errand):
            played.record.append(event)

    played.finished = asyncio.run(play_through(construct.game(), tape or ReplayLog(), answer, watch, answer))
    return played


# ---- events as lines -------------------------------------------------------------------------------------------------


def listing(events: Sequence[Event], prompts: bool = False) -> list[str]:
    """One line per event; with `prompts` also the messages that each was sent."""
    everyone = {person for event in events if isinstance(event, e.Spoke) for person in event.heard_by}
    everyone |= {event.person for event in events if isinstance(event, e.Asked)}
    lines = []
    for event in events:
        lines += _lines(event, everyone)
        if prompts and isinstance(event, e.Asked):
            lines += _messages(event)
    return lines


def _lines(event: Event, everyone: set[str]) -> Iterator[str]:
    match event:
        case e.Entered(level="step"):
            yield f"    step {event.place}" + (f": {event.title}" if event.title else "")
        case e.Entered(level="stage"):
            yield f"stage {event.place}: {event.title}"
        case e.Entered():
            yield f"  phase {event.place}: {event.title}"
        case e.Left():
            yield ("  " if event.level == "phase" else "") + f"end of {event.level} {event.place} ({event.reason})"
        case _:
            yield "      " + _line(event, everyone)


def _line(event: Event, everyone: set[str]) -> str:
    match event:
        case e.Started():
            chosen = "".join(f", {name} = {value}" for name, value in event.options.items())
            skip = f", without {', '.join(event.skip)}" if event.skip else ""
            return f"started {event.procedure} with case {event.case}, target {event.target or '-'}{chosen}{skip}"
        case Scheduled():
            days = (f"{name} {day or '(missing)'}" for name, day in event.dates.items())
            return f"calendar: {', '.join(days)}"
        case Dated():
            return f"day {event.name}: {event.day or '-'}" + (f" ({event.reason})" if event.reason else "")
        case Amended():
            return f"amended {event.amends}: {event.title}"
        case e.Skipped():
            return f"skipped {event.place} ({event.reason})"
        case e.Assigned():
            return f"assigned {event.role}: {', '.join(event.persons) or 'nobody'}"
        case e.Asked():
            scenario = event.thread.partition("@")[2]
            apart = f" (thread {scenario})" if "/" in scenario else ""
            return f"asked {event.person}, {event.speaker}, to {event.act}{apart}"
        case e.Spoke():
            to = f" to {'、'.join(event.to)}" if event.to else ""
            alone = " alone" if event.confined else ""
            heard = "" if set(event.heard_by) == everyone else f" [heard by {', '.join(event.heard_by)}{alone}]"
            return f"{event.speaker}{to}: {_short(event.text)}{heard}"
        case e.Cleaned():
            return f"kept of it: {_short(event.text)}"
        case e.Captured():
            value = event.value if isinstance(event.value, str) else " | ".join(event.value)
            about = f" about {event.about}" if event.about else ""
            if event.source == "sample":
                drawn = f" [{', '.join(event.drawn)}]"
                return f"drawn{about}: {event.name} = {value or '(nothing)'}{drawn}"
            if event.source == "record" and not event.person:
                return f"recorded{about}: {event.name} = {value}"
            return f"answer of {event.person}{about}: {event.name} = {value or '(nothing)'} ({event.source})"
        case e.Questioned(name=name, absent=absent, afresh=afresh):
            about = f" about {event.about}" if event.about else ""
            return f"question{about}: {name}{' afresh' if afresh else ''}" + "".join(
                f", {one} is absent" for one in absent
            )
        case Voted():
            about = f" about {event.about}" if event.about else ""
            counts = ", ".join(f"{value} {count}" for value, count in event.counts.items())
            heard = f", heard by {', '.join(event.heard_by)}" if event.heard_by else ""
            outcome = f"{event.name} = {event.result or '(nothing)'} by {event.by}"
            return f"vote{about}: {outcome} [{counts}; {event.reveals}{heard}]"
        case PartDecided():
            about = f" about {event.about}" if event.about else ""
            filled = json.dumps(event.filled, ensure_ascii=False, sort_keys=True)
            return f"decided{about} by {event.by}: {event.part} of {event.decision} ({event.name}) {filled}"
        case Superseded():
            return f"superseded {event.decision} by {event.document}: {', '.join(event.answers)}"
        case e.Drafted():
            side = f" of side {event.side}" if event.side else ""
            missing = f"; missing {'、'.join(event.missing)}" if event.missing else ""
            missing += "; broken off" if event.cut else ""
            missing += f"; {event.day}" if event.day else ""
            missing += f"; unlisted {'、'.join(event.unlisted)}" if event.unlisted else ""
            return f"document {event.document}{side} by {event.speaker} ({event.source}{missing}): {_short(event.text)}"
        case e.Called():
            how = f"refused ({event.refused})" if event.refused else "gives"
            return f"{event.person} calls {event.tool or '?'} {_short(event.arguments)}: {how} {_short(event.result)}"
        case e.Remembered():
            records = () if isinstance(event.value, str) else event.value
            value = " | ".join("/".join(record.values()) for record in records) or str(event.value)
            knows = f" [knows {', '.join(event.knows)}]" if event.knows else ""
            return f"memory of {event.person}: {event.field} ({event.how}) = {_short(value)}{knows}"
        case e.Violated():
            return f"fault of {event.person}: {event.rule}" + (f" ({_short(event.detail)})" if event.detail else "")
        case e.Reviewed():
            scores = "".join(f", {name} {value:g}" for name, value in event.scores.items())
            says = f": {_short(event.criticism)}" if event.criticism else ""
            heard = "heard" if event.heard else "not heard"
            draft = f"draft {event.number} of {event.speaker} to {event.act}, {heard}: {_short(event.text)}"
            return f"{draft} [{event.verdict} by {event.by}{scores}{says}]"
        case e.Objected():
            ruling = "sustained" if event.sustained else "overruled"
            heard = "" if event.heard == event.text else f", cut at: {_short(event.heard)}"
            return f"objection of {event.by} to {event.speaker} {ruling} by {event.ruler}{heard}"
        case e.Raised():
            return f"topic {event.n} raised by {event.speaker}: {event.value}"
        case e.Performed():
            return f"done by {event.speaker}: {event.checklist} {', '.join(map(str, event.items))}"
        case e.Reopened():
            return f"reopened {event.place}: {event.title} ({event.number})"
        case e.Interrupted():
            by = f"raised by {event.speaker}" if event.speaker else "by its condition"
            return f"event {event.place}: {event.title}, {by} ({event.number})"
        case e.Resumed():
            return f"on with {event.place} after {event.event}"
        case e.Closed():
            by = f" by {event.by}" if event.by else ""
            return f"closed {event.place} ({event.reason}{by}, {event.turns} turns)"
        case e.Attended():
            seen = "" if set(event.heard_by) == everyone else f" [seen by {', '.join(event.heard_by) or 'nobody'}]"
            return f"{event.how}: {'、'.join(event.speakers)}{seen}"
        case e.ReadOut():
            lines = " ⏎ ".join(f"{who}: {words}" for who, words in event.lines)
            more = f", {event.omitted} before left out" if event.omitted else ""
            return f"{event.speaker} reads {event.phase} to {'、'.join(event.to)}{more}: {_short(lines)}"
        case e.Withheld():
            return f"withheld {event.phase} from {', '.join(event.persons)}"
        case e.Ended():
            return "ended" + (f", {event.outcome}" if event.outcome else "") + _with(event.document)
        case e.Entered() | e.Left():
            raise AssertionError
        case _:
            assert_never(event)


def _with(document: str) -> str:
    return f", with {document}" if document else ""


def _short(text: str) -> str:
    """A text on one line, and not all of a very long one."""
    line = text.replace("\n", " ⏎ ")
    return line if len(line) <= SHOWN else f"{line[:20]}… ({len(text)} characters)"


def _messages(event: e.Asked) -> Iterator[str]:
    for message in event.added:
        for line in message.content.split("\n"):
            yield f"        {message.role} | {line}".rstrip()
