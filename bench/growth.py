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

ROOT = Path(__file__).resolve().parent.parent
FEW, MANY = 10, 100
MOST = 1.1
KINDS = ("exhibits", "parties", "claims")
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
    from ruamel.yaml import YAML

    from legalworld.engine.interpreter import interpret
    from legalworld.engine.settings import Settings
    from legalworld.model.events import Reply, Request
    from legalworld.models.scripted import Offline
    from legalworld.runs.case_file import OpenedCase, open_case
    from legalworld.runs.journal import Journal
    from legalworld.runs.loop import ReplayLog, ignore, play_through
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
    sent, spent = 0, 0.0

    async def answer(request: Request) -> Reply:
        nonlocal sent, spent
        sent += sum(len(message.content) for message in request.messages)
        begun = process_time()
        reply = actors.answer(request)
        spent += process_time() - begun
        return reply

    file = folder / f"{kind}{count}.jsonl"
    file.unlink(missing_ok=True)
    with Journal(file) as journal:
        settings = Settings("plaintiff_lawyer", 0, options)
        game = interpret(project.procedure, matter.case, settings, project.templates)
        begun = process_time()
        asyncio.run(play_through(game, ReplayLog((), journal), answer, ignore))
        engine = process_time() - begun - spent
    return Played(engine, spent, sent, file.stat().st_size)


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        play(KINDS[0], FEW, Path(name))  # templates are compiled, caches filled
        for kind in KINDS:
            few, many = (play(kind, count, Path(name)) for count in (FEW, MANY))
            size = log(many.journal / few.journal) / log(MANY / FEW)
            yield f"{kind} {FEW} to {MANY}: journal, exponent", f"{size:.2f}", f"<= {MOST}", size <= MOST
            time = log(many.engine / few.engine) / log(many.sent / few.sent)
            yield f"{kind}: engine time by characters sent, exponent", f"{time:.2f}", f"<= {MOST}", time <= MOST
            actors = log(many.actors / few.actors) / log(MANY / FEW)
            yield f"{kind}: time of the offline actors, exponent", f"{actors:.2f}", "", None
