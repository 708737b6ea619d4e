"""Small specs of one kind, made by a generator and played in memory with the shipped neutral prompts.

    game = played(spec, case, lambda request: "yes")
    game.said("later")          # the requests made at the step `later`
    codes(spec)                 # what the check finds

Nothing here knows a verb, a name or a locale: who makes the neighbours says what is to hold of all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from places import ROOT

from legalworld.binding.bind import bind
from legalworld.binding.casefile import parse_data
from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Intervention, Settings
from legalworld.model.diagnostics import Diagnostic
from legalworld.model.events import Event, Reply, Request
from legalworld.model.source import MemorySources
from legalworld.runs.plan import chosen_options, chosen_target
from legalworld.runs.project import Project, read_project
from legalworld.runs.read_parts import part_reader
from legalworld.wording.diagnostics import render

SPEC = "specs/spec.yaml"
NEUTRAL = ("act", "know", "offline", "where", "who")
Say = Callable[[Request], str]
Kind = TypeVar("Kind")


@dataclass(slots=True)
class Game:
    """What happened: every request, every reply, every event, in order."""

    events: list[Event] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)

    def of(self, kind: type[Kind]) -> list[Kind]:
        return [event for event in self.events if isinstance(event, kind)]

    def said(self, step: str, act: str = "") -> list[Request]:
        """The requests made at a step with an id, whichever time, for one act on demand."""
        return [one for one in self.requests if step in places(one.id) and act in ("", one.act)]

    def task(self, request: Request) -> str:
        """What a request tells that its thread was not told before."""
        return "\n".join(message.content for message in request.added)


def places(place: str) -> set[str]:
    """The ids that a place is made of."""
    return {*re.split(r"[/.#]", place)}


@cache
def neutral() -> Mapping[str, str]:
    """The templates of the package that every procedure can find, in all locales."""
    files = [
        file
        for locale in (ROOT / "prompts").iterdir()
        if locale.is_dir()
        for file in (*locale.glob("*.j2"), *(one for room in NEUTRAL for one in (locale / room).glob("*.j2")))
    ]
    return {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}


def opened(spec: str, more: Mapping[str, str] | None = None) -> Project:
    """A spec as a project of its own; `more`: its templates, by path."""
    return read_project(MemorySources({**neutral(), **(more or {}), SPEC: spec}), SPEC)


def codes(spec: str, more: Mapping[str, str] | None = None) -> list[str]:
    return [problem.code for problem in found(spec, more)]


def found(spec: str, more: Mapping[str, str] | None = None) -> tuple[Diagnostic, ...]:
    return opened(spec, more).problems


def played(
    spec: str,
    case: str = "lw: 1\ncase: c\ntitle: t\n",
    say: Say = lambda request: "word",
    *,
    more: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    until: str = "",
    interventions: tuple[Intervention, ...] = (),
) -> Game:
    """A spec played to its end, or to where it is to stop; whatever is an error in it fails here."""
    project = opened(spec, more)
    procedure = project.procedure
    assert procedure is not None, render(project.problems, project.sources.read, "en") + "\n" + spec
    data, wrong = parse_data("case.yaml", case)
    assert data is not None, wrong
    bound, wrong = bind(procedure, data, record=None, binding=None, settings={})
    assert bound is not None, wrong
    chosen, _ = chosen_options(procedure, options or {})
    target, _ = chosen_target(procedure, "")
    settings = Settings(target, 7, chosen, until, interventions)
    reader = part_reader(procedure, bound)
    walk, game = interpret(procedure, bound, settings, project.templates, reader=reader), Game()
    try:
        turn = next(walk)
        while True:
            game.events += turn.events
            replies = []
            for request in turn.requests:
                assert isinstance(request, Request)
                game.requests.append(request)
                game.replies.append(say(request))
                replies.append(Reply(text=game.replies[-1]))
            turn = walk.send(tuple(replies))
    except StopIteration as done:
        game.events += done.value.events
    return game
