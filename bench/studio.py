"""Pages of a browser: a run of 400 turns as it first shows, what was seen in its calls, a list of 10,000 runs.

The run is civil from the first consultation to its end, with 140 exhibits, played offline; it is looked at in Chromium,
where there is one, through a server in a process of its own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from ruamel.yaml import YAML

from legalworld.runs.open_run import OpenRun, open_run
from legalworld.studio.run_list import StudioList
from legalworld.studio.run_pages import RunPages
from legalworld.studio.shelf import RunShelf
from legalworld.studio.studio_run import StudioRun

from .growth import grown

RUNS, DAMAGED = 10_000, 3
TIMES = 31
PAGES = 7
_WATCH = """(() => { const look = () => { if (document.querySelector("WHAT")) window.drawnAt = performance.now();
  else requestAnimationFrame(look); }; requestAnimationFrame(look); })()"""
_WAITED = """(() => { const all = performance.getEntriesByType("resource");
  const asked = all.filter(one => one.name.includes("/sight/"));
  return [window.drawnAt, asked.reduce((all, one) => all + one.responseEnd - one.startTime, 0)]; })()"""
EXHIBITS, TURNS = 140, 400


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        case = root / "exhibits.yaml"
        with case.open("w", encoding="utf-8") as out:
            YAML().dump(grown("exhibits", EXHIBITS), out)
        (root / "runs").mkdir()
        run = _played(root / "runs", "civil", "--case", str(case))
        yield from _of_a_run(run)
        yield from _in_a_browser(run)
        yield from _of_a_list(root, _played(root, "bargain"))


def _played(root: Path, procedure: str, *more: str) -> Path:
    run = root / procedure
    words = [sys.executable, "-m", "legalworld", "run", procedure, "--out", str(run), *more]
    subprocess.run(words, check=True, capture_output=True)
    return run


def _of_a_run(run: Path) -> Iterator[tuple[str, str, str, bool | None]]:
    begun = perf_counter()
    opened = open_run(run)
    assert isinstance(opened, OpenRun)
    pages = RunPages(StudioRun("civil", opened, run.parent))
    assert pages.answer("head", {}) is not None and pages.answer("lines", {}) is not None
    turns, last = pages.head.turns, len(pages.run.calls)
    assert turns >= TURNS
    took = 1000 * (perf_counter() - begun)
    yield f"a civil run of {turns} turns opened, head and first lines, cold", f"{took:.0f} ms", "", None
    yield (
        f"what was seen, cold: all {last} views collected",
        f"{1000 * _took(lambda: pages.answer('sight/1', {}), 1):.0f} ms",
        "",
        None,
    )
    pages = RunPages(StudioRun("civil", opened, run.parent))
    took = _took(lambda: pages.answer("sight/1", {}), 1)
    yield "what was seen, cold, from the user's cache", f"{1000 * took:.0f} ms", "", None
    for number in (1, last):
        pages.answer(f"sight/{number}", {})
    first_took, last_took = (
        min(_took(lambda n=number: _sent(pages, n)) for _ in range(3))  # type: ignore[misc]
        for number in (_same_person(pages, last), last)
    )
    ratio = last_took / first_took
    yield "what was seen in the last call / in the first of that person", f"{ratio:.2f}x", "<= 2x", ratio <= 2
    yield "what was seen in the last call, warm", f"{1000 * last_took:.1f} ms", "< 100 ms", last_took < 0.1


def _in_a_browser(run: Path) -> Iterator[tuple[str, str, str, bool | None]]:
    """The page of a run in Chromium: until its first lines are drawn, and until what was seen in a call is."""
    told = "first lines of 400 turns in a browser"
    if shutil.which("chromium") is None or find_spec("playwright") is None:
        yield f"{told}: skipped, no chromium or no playwright here", "-", "< 300 ms", None
        return
    words = [sys.executable, "-m", "legalworld", "studio", str(run.parent), "--port", "0", "--no-browser"]
    server = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1].removesuffix("runs") + f"run/{run.name}"
        yield from _looked_at(told, address, server.pid)
    finally:
        server.terminate()
        server.wait()


def _looked_at(told: str, address: str, server: int) -> Iterator[tuple[str, str, str, bool | None]]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        first = _drawn(browser, address, ".said")
        yield f"{told}, the very first, on the clock", f"{first.clock:.0f} ms", "", None
        begun = _processor(server)
        took = [_drawn(browser, address, ".said") for _ in range(PAGES)]
        served = (_processor(server) - begun) / PAGES
        yield f"{told}, on the clock", f"{median(one.clock for one in took):.0f} ms", "", None
        busy = served + median(one.script for one in took)
        yield f"{told}, server and script", f"{busy:.0f} ms", "< 300 ms", busy < 300
        seen = f"{address}?t={TURNS}&show=seen"
        _drawn(browser, seen, ".fields")
        asked = median(_drawn(browser, seen, ".fields").asked for _ in range(PAGES))
        yield "what was seen, warm, as the browser waited for it", f"{asked:.0f} ms", "< 100 ms", asked < 100
        browser.close()


def _processor(process: int) -> float:
    """Milliseconds of processor time that a process has taken."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return 1000 * (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Drawn(NamedTuple):
    """Milliseconds: by the clock until something was drawn; of the page's own work, by its processor; by the clock
    until the answer about what was seen was there."""

    clock: float
    script: float
    asked: float


def _drawn(browser: Any, address: str, what: str) -> Drawn:
    page = browser.new_page()
    try:
        counted = page.context.new_cdp_session(page)
        counted.send("Performance.enable", {"timeDomain": "threadTicks"})
        page.add_init_script(_WATCH.replace("WHAT", what))
        page.goto(address)
        while page.evaluate("window.drawnAt === undefined"):  # what polls within is refused by the page's policy
            page.wait_for_timeout(20)
        metrics = {one["name"]: one["value"] for one in counted.send("Performance.getMetrics")["metrics"]}
        clock, asked = page.evaluate(_WAITED)
        return Drawn(clock, 1000 * metrics["TaskDuration"], asked)
    finally:
        page.close()


def _same_person(pages: RunPages, last: int) -> int:
    """The first call of who was called last, in the same stage: the matrix shows as much in both."""
    call = pages.run.calls[last - 1]
    stage = call.place.partition("/")[0]
    return next(n for n, one in pages.run.calls_by(call.person) if one.place.partition("/")[0] == stage)


def _sent(pages: RunPages, turn: int) -> None:
    page = pages.answer(f"sight/{turn}", {})
    assert page is not None
    page.model_dump_json()


def _took(work: Callable[[], object], times: int = TIMES) -> float:
    took = []
    for _ in range(times):
        begun = perf_counter()
        work()
        took.append(perf_counter() - begun)
    return median(took)


def _of_a_list(root: Path, run: Path) -> Iterator[tuple[str, str, str, bool | None]]:
    many = root / "many"
    for n in range(RUNS):
        other = many / f"run-{n:05}"
        other.mkdir(parents=True)
        for name in ("run.yaml", "journal.jsonl", "case.json", "sealed.json"):
            if (run / name).exists():
                os.link(run / name, other / name)
    for n in range(DAMAGED):
        journal = many / f"run-{n:05}" / "journal.jsonl"
        journal.unlink()
        journal.write_bytes(b'{"n":1}\n{"n":2}\n')
    listing = StudioList(many, RunShelf(many))
    try:
        looking = listing.look()
        assert looking is not None
        looking.result()
        query = {"status": ["ended"], "sort": ["-turns"], "count": ["200"]}
        took = []
        for _ in range(9):
            begun = perf_counter()
            found = listing.answer(query)
            found.model_dump_json()
            took.append(perf_counter() - begun)
        assert (found.damaged, found.total) == (DAMAGED, RUNS - DAMAGED)
        told = f"{RUNS:,} runs of which {DAMAGED} are damaged, filtered and sorted, 200 sent"
        yield told, f"{1000 * median(took):.0f} ms", "< 200 ms", median(took) < 0.2
    finally:
        listing.close()
