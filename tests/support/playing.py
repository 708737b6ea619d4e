"""A shipped procedure played in memory, by the offline actors or by a script: no folder, no journal, no clock.

    game = play("jiedai", target="defendant_lawyer", fields={"appellants": "原告"})
    assert game.of(Ended)[-1].outcome == "final_judgment"

A script may change any reply of the offline actors: it is given the request and what they would have said.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from places import ROOT
from ruamel.yaml import YAML

from legalworld.engine.interpreter import interpret
from legalworld.engine.settings import Settings
from legalworld.model.events import Event, Reply, Request
from legalworld.models.scripted import Manner, Offline
from legalworld.runs.case_file import OpenedCase, open_case
from legalworld.runs.loop import ReplayLog, play_through
from legalworld.runs.norm_bench import norm_bench
from legalworld.runs.plan import chosen_options
from legalworld.runs.project import Project, open_project
from legalworld.runs.read_parts import part_reader

EXTENDING = frozenset({"quexi-huokuan", "xiaoe-zujin"})  # cases of procedures that extend it
NATIVE = tuple(  # of the civil procedure, as its parties and its first instance tell
    file.stem
    for file in sorted((ROOT / "cases").glob("*.yaml"))
    if file.stem not in EXTENDING and {"parties:", "first:"} <= set(file.read_text(encoding="utf-8").splitlines())
)
RECORDS = tuple(f"legalworld-sample.json#{n}" for n in range(1, 6))

Fields = tuple[tuple[str, str], ...]  # name, value
Script = Callable[[Request, str], str]
Kind = TypeVar("Kind")


def as_offline(_: Request, text: str) -> str:
    return text


def answering(**values: str) -> Script:
    """The offline actors, but for these answers."""

    def script(request: Request, text: str) -> str:
        answer = request.form.answer
        if answer is None or answer.name not in values:
            return text
        return f"{text.rpartition('【')[0]}【{answer.name}：{values[answer.name]}】"

    return script


@dataclass(slots=True)
class Game:
    """What happened, in order; `requests` and `replies` side by side."""

    events: list[Event] = field(default_factory=list)
    requests: list[Request] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    status: str = ""

    def of(self, kind: type[Kind], place: str = "") -> list[Kind]:
        """The events of a kind, on demand only those at a place or below it."""
        return [event for event in self.events if isinstance(event, kind) and within(event, place)]

    def said(self, place: str = "") -> list[Request]:
        """The requests made at a place or below it."""
        return [request for request in self.requests if within(request, place)]


def within(what: object, place: str) -> bool:
    """Whether it happened at a place or below it, whichever time it was."""
    where = what.id if isinstance(what, Request) else getattr(what, "place", "")
    return f"{_SIEVE.sub('', where)}/".startswith(f"{place}/") if place else True


_SIEVE = re.compile(r"#\d+|(?<=/)(?:\d+\.)+")  # `6.1.present#2`: the second `present` in the first of the sixth step


@cache
def project(spec: str = "civil") -> Project:
    opened = open_project(spec, ROOT)
    assert isinstance(opened, Project), opened
    assert opened.procedure is not None, opened.problems
    return opened


def changed_case(folder: Path, case: str, change: Callable[[Any], object], name: str = "changed") -> str:
    """The path of a shipped case with something about it changed, written to a folder."""
    data = YAML(typ="safe").load((ROOT / "cases" / f"{case}.yaml").read_text(encoding="utf-8"))
    change(data)
    file = folder / f"{name}.json"
    file.write_text(json.dumps(data, ensure_ascii=False, default=str), encoding="utf-8")
    return str(file)


def undecided_case(folder: Path, name: str = "thin") -> str:
    """The shipped labour case without what its exhibits say and its parties admit: a file of which the court decides
    nothing."""
    text = (ROOT / "cases" / "laodong.yaml").read_text("utf-8").replace("case: laodong", f"case: {name}")
    file = folder / f"{name}.yaml"
    file.write_text(re.sub(r"(?m)^ +(?:says|admits): \{.*\}\n", "", text), "utf-8")
    return str(file)


def matter(case: str, fields: Mapping[str, str] | None = None, spec: str = "civil") -> OpenedCase:
    of_case = _kept_matter if _lasts(case) else _matter
    return of_case(case, tuple((fields or {}).items()), spec)


def _lasts(case: str) -> bool:
    """Whether it is a case of the project, and none that a test has written and may write anew."""
    return not Path(case).is_absolute() or Path(case).is_relative_to(ROOT / "tests")


def _matter(case: str, fields: Fields, spec: str) -> OpenedCase:
    opened = open_case(project(spec), case, "", dict(fields), ROOT)
    assert isinstance(opened, OpenedCase), opened
    return opened


_kept_matter = lru_cache(maxsize=16)(_matter)


@dataclass(frozen=True, slots=True)
class Way:
    """How a case is played: all that a game of the offline actors depends on."""

    case: str
    target: str
    fields: Fields
    options: Fields
    manner: Manner
    spec: str
    skip: tuple[str, ...]
    native: frozenset[str] = frozenset()
    until: str = ""


def play(
    case: str,
    target: str = "plaintiff_lawyer",
    *,
    fields: Mapping[str, str] | None = None,
    options: Mapping[str, str] | None = None,
    manner: Manner = "plain",
    script: Script = as_offline,
    spec: str = "civil",
    skip: tuple[str, ...] = (),
    native: Collection[str] = (),
    until: str = "",
) -> Game:
    """One case from the first stage to its end. Who is set as appellant appeals, whatever the judgment.

    `native`: roles that are told of their tools as models are that call them natively; no tool searches anything then.

    What the offline actors make of a case of the project is kept a while, for tests that follow and look at it too.
    """
    if "appellants" in (fields or {}):
        options = {"appeal_by": "case", **(options or {})}
    chosen = tuple((options or {}).items())
    way = Way(case, target, tuple((fields or {}).items()), chosen, manner, spec, skip, frozenset(native), until)
    return _kept(way) if script is as_offline and _lasts(case) else play_anew(way, script)


@lru_cache(maxsize=32)  # a game holds 3 MB; of 12, most were gone before another test of the room looked at them
def _kept(way: Way) -> Game:
    return play_anew(way)


def play_anew(way: Way, script: Script = as_offline) -> Game:
    """The same, not looking whether it was played before."""
    opened = project(way.spec)
    procedure = opened.procedure
    assert procedure is not None
    chosen, problems = chosen_options(procedure, dict(way.options))
    assert not problems
    case = matter(way.case, dict(way.fields), way.spec).case
    decide = norm_bench(procedure, case, opened.templates)
    game, actors = Game(), Offline(opened.templates, 0, way.manner, decide=decide)

    async def answer(request: Request) -> Reply:
        reply = actors.answer(request)
        text = script(request, reply.text)
        game.requests.append(request)
        game.replies.append(text)
        return reply.model_copy(update={"text": text})

    def watch(event: Event | Request) -> None:
        if not isinstance(event, Request):
            game.events.append(event)

    vain = tuple(sorted({tool.operation for tool in procedure.tools.values() if tool.what.searches}))
    settings = Settings(
        way.target, 0, chosen, way.until, native=way.native, skip=way.skip, without=vain if way.native else ()
    )
    playing = interpret(procedure, case, settings, opened.templates, reader=part_reader(procedure, case))
    game.status = asyncio.run(play_through(playing, ReplayLog(), answer, watch, halting=False)).status
    return game
