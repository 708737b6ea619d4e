"""Many conversations at once, and many cases: what the driver costs beside the transport, memory, and going on.

`scale` takes a minute; `scale-long` plays a thousand cases and more, `flat-long` ten thousand. The server is
a process of its own on 127.0.0.1.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from .turn import TALK, WORDS, turn_times

ROOT = Path(__file__).resolve().parent.parent
PAUSE = 0.2  # seconds before a reply
LIVE, ASKED = 6, 60  # civil cases held at once, requests that each has come to
ALL = 180  # requests near the end of the case
CASES = 1000
FIRST, LAST = 100, 10_000  # cases between which the memory of a batch is compared
Row = tuple[str, str, str, bool | None]
BATCH = """
import resource, sys
from legalworld.cli.main import main
sys.argv = ["lw", "batch", "bargain", *sys.argv[1:]]
try:
    main()
except SystemExit:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


@contextmanager
def server(pause: float) -> Iterator[None]:
    """A model that answers after so many seconds; litellm finds it."""
    command = [sys.executable, str(ROOT / "tests" / "support" / "loopback.py"), str(pause)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdin and process.stdout
    address = process.stdout.readline().strip()
    os.environ |= {"OPENAI_API_BASE": address, "OPENAI_API_KEY": "none", "NO_PROXY": "127.0.0.1"}
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    try:
        yield
    finally:
        process.stdin.close()
        process.wait(10)


# ---- conversations at once -------------------------------------------------------------------------------------------


async def _at_once(conversations: int, turns: int, folder: Path) -> float:
    """Wall time of conversations with journals, relative to the same requests on the same transport without them."""
    from legalworld.engine.interpreter import interpret
    from legalworld.engine.settings import Settings
    from legalworld.files.project_files import Disk
    from legalworld.language.link.linker import link
    from legalworld.model.case import Case, Sided
    from legalworld.model.events import Reply, Request
    from legalworld.model.source import MemorySources
    from legalworld.models.endpoint import Endpoint
    from legalworld.models.litellm_client import Models
    from legalworld.runs.journal import Journal
    from legalworld.runs.loop import ReplayLog, ignore, play_through
    from legalworld.templates.template_set import TemplateSet

    disk = Disk(ROOT)
    texts = {path: disk.read(path) or "" for path in disk.names("prompts")}
    sources = MemorySources(texts | {"specs/talk.yaml": TALK.replace("420", str(turns))})
    procedure = link(sources, "specs/talk.yaml").procedure
    assert procedure is not None
    templates = TemplateSet(sources, procedure="talk")
    case = Case("talk", "", {"note": Sided({"one": "一百元", "two": "八十元"})}, {})
    endpoint = Endpoint("openai/clerk")
    sent: list[list[Request]] = [[] for _ in range(conversations)]

    async with Models() as models:

        async def ours(number: int, path: Path) -> None:
            sent[number] = []

            async def answer(request: Request) -> Reply:
                sent[number].append(request)
                return await models.complete(endpoint, request.messages, request.model, seed=0)

            with Journal(path / f"{number}.jsonl") as journal:
                game = interpret(procedure, case, Settings("", 0, {}), templates)
                await play_through(game, ReplayLog((), journal, aside=True), answer, ignore)

        async def bare(number: int) -> None:
            for request in sent[number]:
                await models.complete(endpoint, request.messages, request.model, seed=0)

        async def wall(play: Callable[[int], Awaitable[None]]) -> float:
            begun = perf_counter()
            await asyncio.gather(*map(play, range(conversations)))
            return perf_counter() - begun

        ratios = []
        for attempt in range(3):  # the first opens the connections
            path = folder / f"{conversations}-{attempt}"
            path.mkdir()
            with_journals = await wall(lambda number, path=path: ours(number, path))  # type: ignore[misc]
            ratios.append(with_journals / await wall(bare))
        return median(ratios[1:])


async def _long_threads() -> float:
    """Processor time of a call with 240 messages, relative to one with 10."""
    from legalworld.model.events import Message
    from legalworld.model.procedure import ModelDefaults
    from legalworld.models.endpoint import Endpoint
    from legalworld.models.litellm_client import Models

    async with Models() as models:

        async def spent(count: int) -> float:
            messages = [Message(role="user", content=WORDS) for _ in range(count)]
            times = []
            for _ in range(30):
                begun = process_time()
                await models.complete(Endpoint("openai/clerk"), messages, ModelDefaults(), seed=0)
                times.append(process_time() - begun)
            return median(times[5:])

        return await spent(240) / await spent(10)


# ---- memory ----------------------------------------------------------------------------------------------------------


def _resident(process: int | str = "self") -> float:
    """MB of this process, or of another."""
    gc.collect()
    return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def _live_case() -> float:
    """MB of a civil case in the middle of its hearings, of several that wait for their models at once."""
    from legalworld.engine.interpreter import interpret
    from legalworld.engine.settings import Settings
    from legalworld.model.events import Reply, Request
    from legalworld.models.scripted import Offline
    from legalworld.runs.case_file import OpenedCase, open_case
    from legalworld.runs.plan import chosen_options
    from legalworld.runs.project import Project, open_project

    project = open_project("civil", ROOT)
    assert isinstance(project, Project) and project.procedure is not None
    matter = open_case(project, "jiedai", "", {}, ROOT)
    assert isinstance(matter, OpenedCase)
    options, _ = chosen_options(project.procedure, {})
    actors = Offline(project.templates, 0)

    def waiting() -> object:
        assert project.procedure is not None
        game = interpret(project.procedure, matter.case, Settings("plaintiff_lawyer", 0, options), project.templates)
        turn = next(game)
        for _ in range(ASKED):
            (asked,) = turn.requests
            turn = game.send((actors.answer(asked) if isinstance(asked, Request) else Reply(text='{"found": []}'),))
        return game, turn

    held = [waiting()]  # templates are compiled, caches filled
    before = _resident()
    held += [waiting() for _ in range(LIVE)]
    return (_resident() - before) / LIVE


def _whole_case(stop: int) -> float:
    """MB of a live civil case with its record and its journal, of several that wait for the same call at once."""
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

    project = open_project("civil", ROOT)
    assert isinstance(project, Project) and project.procedure is not None
    procedure = project.procedure
    matter = open_case(project, "jiedai", "", {}, ROOT)
    assert isinstance(matter, OpenedCase)
    settings = Settings("plaintiff_lawyer", 0, chosen_options(procedure, {})[0])
    actors = Offline(project.templates, 0, decide=norm_bench(procedure, matter.case, project.templates))

    async def played(file: Path, there: asyncio.Event) -> None:
        calls = 0

        async def answer(request: Request) -> Reply:
            nonlocal calls
            calls += 1
            if calls == stop:
                there.set()
                await asyncio.Event().wait()
            return actors.answer(request)

        with Journal(file) as journal:
            game = interpret(procedure, matter.case, settings, project.templates)
            await play_through(game, ReplayLog((), journal, aside=True), answer, ignore)

    async def begun(file: Path) -> asyncio.Task[None]:
        there = asyncio.Event()
        task = asyncio.create_task(played(file, there))
        await there.wait()
        return task

    async def grown(folder: Path) -> float:
        tasks = [await begun(folder / "first.jsonl")]  # templates are compiled, caches filled
        before = _resident()
        tasks += [await begun(folder / f"{number}.jsonl") for number in range(LIVE)]
        size = (_resident() - before) / LIVE
        for task in tasks:
            task.cancel()
        return size

    with tempfile.TemporaryDirectory() as name:
        return asyncio.run(grown(Path(name)))


# ---- batches ---------------------------------------------------------------------------------------------------------


def _cases(path: Path, count: int) -> Path:
    deals = (
        {"lw": "1", "case": f"d{n}", "goods": f"椅{n}", "limit": {"sell": "80", "buy": "120"}} for n in range(count)
    )
    path.write_text("".join(json.dumps(deal, ensure_ascii=False) + "\n" for deal in deals), "utf-8")
    return path


def _batch(cases: Path, out: Path, *words: str) -> tuple[float, float, float]:
    """MB at most; seconds to the first run that is begun, and from there to the end."""
    command = [sys.executable, "-c", BATCH, "--cases", str(cases), "--out", str(out), "--json", *words]
    begun, first = perf_counter(), 0.0
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout and process.stderr
    for line in process.stdout:
        if not first and json.loads(line)["event"] == "begun":
            first = perf_counter()
    peak = int(process.stderr.read().split()[-1]) / 1024
    process.wait()
    return peak, first - begun, perf_counter() - first


def rows() -> Iterator[Row]:
    ours, _ = turn_times()
    rate = len(ours) / sum(ours)
    yield "turns a second, one conversation, journal on disk", f"{rate:,.0f}", ">= 1,000", rate >= 1000
    size = float(_child("live"))
    yield "memory of a live civil case, the engine alone, 60 requests", f"{size:.2f} MB", "< 0.7 MB", size < 0.7
    whole = float(_child("whole", str(ALL)))
    yield f"the same, with its record and journal, {ALL} requests", f"{whole:.2f} MB", "< 1 MB", whole < 1
    with server(0.0):
        ratio = float(_child("threads"))
        yield "processor time of a call, 240 messages / 10", f"{ratio:.2f}x", "<= 1.5x", ratio <= 1.5
    with server(PAUSE):
        for count, turns, most in ((20, 15, 1.05), (100, 8, 1.15)):
            ratio = float(_child("at-once", str(count), str(turns)))
            what = f"{count} conversations at once, 200 ms a reply / bare loop"
            yield what, f"{ratio:.3f}x", f"<= {most}x", ratio <= most


def long_rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        few, _, _ = _batch(_cases(folder / "few.jsonl", 100), folder / "few")
        peak, _, seconds = _batch(_cases(folder / "many.jsonl", CASES), folder / "many")
        yield f"memory of a batch of {CASES:,} cases, at most", f"{peak:.0f} MB", "< 300 MB", peak < 300
        growth = (peak - few) / (CASES - 100) * 10_000
        yield f"of it, from case 100 to {CASES:,}, by 10,000 cases", f"{growth:.0f} MB", "< 50 MB", growth < 50
        yield f"{CASES:,} offline cases of bargain, a second", f"{CASES / seconds:.0f}", "", None
        _, first, _ = _batch(_cases(folder / "more.jsonl", CASES + 1), folder / "many")
        yield f"{CASES:,} finished cases, to the first new run", f"{first:.1f} s", "< 3 s", first < 3
        with server(0.0):
            cases, took = _cases(folder / "called.jsonl", 200), []
            for workers in ("1", "2"):
                words = ("--model", "openai/clerk", "--workers", workers, "--concurrency", "40")
                took.append(_batch(cases, folder / f"workers-{workers}", *words)[2])
        ratio = took[0] / took[1]
        yield "calls a second with --workers 2 / 1, instant replies", f"{ratio:.2f}x", ">= 1.7x", ratio >= 1.7


def flat_rows() -> Iterator[Row]:
    """Memory of one batch while it is played: what a finished case leaves behind."""
    held: list[float] = []
    with tempfile.TemporaryDirectory() as name:
        cases, done = _cases(Path(name) / "cases.jsonl", LAST + 10), 0  # some are still played when it is looked at
        command = [sys.executable, "-c", BATCH, "--cases", str(cases), "--out", str(Path(name) / "out"), "--json"]
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            assert process.stdout
            for line in process.stdout:
                if json.loads(line)["event"] == "result":
                    done += 1
                    held += [_resident(process.pid)] if done in (FIRST, LAST) else []
    few, many = held
    growth = many / few
    yield f"memory of a batch, case {LAST:,} / {FIRST}", f"{growth:.2f}x ({few:.0f} MB)", "<= 1.10x", growth <= 1.10


def _child(*words: str) -> str:
    command = [sys.executable, "-m", "bench.scale", *words]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout.split()[-1]


def main(words: Sequence[str]) -> None:
    """One measurement in a process of its own."""
    match words:
        case ["whole", stop]:
            print(_whole_case(int(stop)))
        case ["live"]:
            print(_live_case())
        case ["threads"]:
            print(asyncio.run(_long_threads()))
        case ["at-once", count, turns]:
            with tempfile.TemporaryDirectory() as folder:
                print(asyncio.run(_at_once(int(count), int(turns), Path(folder))))


if __name__ == "__main__":
    main(sys.argv[1:])
