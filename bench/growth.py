"""Cases that grow: journal bytes, and engine time for each character sent, from ten of a thing to a hundred.

An exponent of 1 is linear. Civil from the first consultation to its end, offline; what the actors take is apart.
"""

from __future__ import annotations

import asyncio
import copy
import tempfile
from collections.abc import Iterator
from math import log
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from .turn import TALK, WORDS

ROOT = Path(__file__).resolve().parent.parent
FEW, MANY = 10, 100
MOST = 1.1
KINDS = ("exhibits", "parties", "claims")
SPECS = {"turns": 1000, "panel": 100}
PANEL = """lw: 1
procedure: panel
title: 合议庭
kinds: {{J: judge}}
roles:
  chair: {{title: 审判长, kind: judge}}
  member: {{title: 人民陪审员, kind: judge, persons: {count}}}
visibility: |
  | 材料 | debate |
  |------|--------|
  | fate | J      |
stages:
  - stage: debate
    title: 评议
    steps:
      - chair asks member: 说明意见
      - chair, member vote: 怎样判
        answer: fate is one of uphold, change
        reveals: names
      - member responds: 说明投票的理由
"""
Row = tuple[str, str, str, bool | None]


class Played(NamedTuple):
    """Seconds of the engine and of the actors, characters sent, bytes of the journal."""

    engine: float
    actors: float
    sent: int
    journal: int


def grown(kind: str, count: int) -> dict[str, Any]:
    """The case `jiedai` with so many of one thing; what is added is like what is there, under names of its own."""
    from ruamel.yaml import YAML

    case: dict[str, Any] = YAML(typ="safe").load((ROOT / "cases" / "jiedai.yaml").read_text("utf-8"))
    lists = {
        "exhibits": case["first"]["plaintiff"]["evidence"],
        "parties": case["parties"]["defendant"],
        "claims": case["first"]["claims"],
    }
    held = lists[kind]
    for n in range(len(held) + 1, count + 1):
        one = copy.deepcopy(held[0])
        match kind:
            case "exhibits":
                one = {key: value for key, value in one.items() if key not in ("says", "figures")}
                one |= {"id": f"原证{n}", "name": f"收据（第{n}张）", "content": f"第{n}张收据，载明收到款项。"}
            case "parties":
                one |= {"id": f"D{n}", "name": f"郑若第{n}"}
            case _:
                one |= {"n": n, "text": f"判令二被告返还第{n}笔款{n}000元", "amount": n * 1000.0}
        held.append(one)
    return case | {"case": f"{kind}{count}"}


def play(kind: str, count: int, folder: Path) -> Played:
    """Play civil from the first consultation to its end, with so many of one thing."""
    from ruamel.yaml import YAML

    from legalworld.engine.settings import Settings
    from legalworld.models.scripted import Offline
    from legalworld.runs.case_file import OpenedCase, open_case
    from legalworld.runs.norm_bench import norm_bench
    from legalworld.runs.plan import chosen_options
    from legalworld.runs.project import Project, open_project

    path = folder / f"{kind}{count}.yaml"
    with path.open("w", encoding="utf-8") as out:
        YAML().dump(grown(kind, count), out)
    project = open_project("civil", ROOT)
    assert isinstance(project, Project) and project.procedure is not None
    matter = open_case(project, str(path), "", {}, ROOT)
    assert isinstance(matter, OpenedCase)
    options, _ = chosen_options(project.procedure, {})
    actors = Offline(project.templates, 0, decide=norm_bench(project.procedure, matter.case, project.templates))
    settings = Settings("plaintiff_lawyer", 0, options)
    return _played(project.procedure, matter.case, settings, project.templates, actors.answer, path)


def play_spec(kind: str, count: int, folder: Path) -> Played:
    """Play a small procedure with so many turns, or so many members of a panel."""
    from legalworld.engine.settings import Settings
    from legalworld.files.project_files import Disk
    from legalworld.language.link.linker import link
    from legalworld.model.case import Case, Sided
    from legalworld.model.events import Reply
    from legalworld.model.source import MemorySources
    from legalworld.models.scripted import Offline
    from legalworld.templates.template_set import TemplateSet

    disk = Disk(ROOT)
    text = TALK.replace("420", str(count)) if kind == "turns" else PANEL.format(count=count)
    sources = MemorySources({path: disk.read(path) or "" for path in disk.names("prompts")} | {"specs/talk.yaml": text})
    procedure = link(sources, "specs/talk.yaml").procedure
    assert procedure is not None
    templates = TemplateSet(sources, procedure="talk" if kind == "turns" else "panel")
    case = Case(kind, "", {"note": Sided({"one": "一百元", "two": "八十元"})} if kind == "turns" else {}, {})
    answer = Offline(templates, 0).answer if kind == "panel" else lambda _: Reply(text=WORDS)
    return _played(procedure, case, Settings("", 0, {}), templates, answer, folder / f"{kind}{count}")


def _played(procedure: Any, case: Any, settings: Any, templates: Any, actors: Any, path: Path) -> Played:
    from legalworld.engine.interpreter import interpret
    from legalworld.model.events import Reply, Request
    from legalworld.runs.journal import Journal
    from legalworld.runs.loop import ReplayLog, ignore, play_through

    sent, spent = 0, 0.0

    async def answer(request: Request) -> Reply:
        nonlocal sent, spent
        sent += sum(len(message.content) for message in request.messages)
        begun = process_time()
        reply: Reply = actors(request)
        spent += process_time() - begun
        return reply

    file = path.with_suffix(".jsonl")
    file.unlink(missing_ok=True)
    with Journal(file) as journal:
        game = interpret(procedure, case, settings, templates)
        begun = process_time()
        asyncio.run(play_through(game, ReplayLog((), journal), answer, ignore))
        engine = process_time() - begun - spent
    return Played(engine, spent, sent, file.stat().st_size)


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        play(KINDS[0], FEW, Path(name))  # templates are compiled, caches filled
        play_spec("panel", FEW, Path(name))
        for kind in (*KINDS, *SPECS):
            grow, most = (play, MANY) if kind in KINDS else (play_spec, SPECS[kind])
            few, many = (grow(kind, count, Path(name)) for count in (FEW, most))
            size = log(many.journal / few.journal) / log(most / FEW)
            yield f"{kind} {FEW} to {most}: journal, exponent", f"{size:.2f}", f"<= {MOST}", size <= MOST
            time = log(many.engine / few.engine) / log(many.sent / few.sent)
            yield f"{kind}: engine time by characters sent, exponent", f"{time:.2f}", f"<= {MOST}", time <= MOST
            actors = log(many.actors / few.actors) / log(most / FEW)
            yield f"{kind}: time of the offline actors, exponent", f"{actors:.2f}", "", None
