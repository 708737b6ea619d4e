"""Pages of a browser: a run opened, what was seen in its last call against the first, a list of 10,000 runs."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from legalworld.runs.open_run import OpenRun, open_run
from legalworld.studio.run_list import StudioList
from legalworld.studio.run_pages import RunPages
from legalworld.studio.studio_run import StudioRun

RUNS, DAMAGED = 10_000, 3
TIMES = 31


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        run = _played(root, "civil")
        yield from _of_a_run(run)
        yield from _of_a_list(root, _played(root, "bargain"))


def _played(root: Path, procedure: str) -> Path:
    run = root / procedure
    words = [sys.executable, "-m", "legalworld", "run", procedure, "--out", str(run)]
    subprocess.run(words, check=True, capture_output=True)
    return run


def _of_a_run(run: Path) -> Iterator[tuple[str, str, str, bool | None]]:
    begun = perf_counter()
    opened = open_run(run)
    assert isinstance(opened, OpenRun)
    pages = RunPages(StudioRun("civil", opened, run.parent))
    assert pages.answer("head", {}) is not None and pages.answer("lines", {}) is not None
    yield "a civil run opened, head and first lines, cold", f"{1000 * (perf_counter() - begun):.0f} ms", "", None
    last = len(pages.run.calls)
    yield (
        f"what was seen, cold: all {last} views collected",
        f"{1000 * _took(lambda: pages.answer('sight/1', {}), 1):.0f} ms",
        "",
        None,
    )
    for number in (1, last):
        pages.answer(f"sight/{number}", {})
    first_took, last_took = (
        min(_took(lambda n=number: _sent(pages, n)) for _ in range(3))  # type: ignore[misc]
        for number in (_same_person(pages, last), last)
    )
    ratio = last_took / first_took
    yield "what was seen in the last call / in the first of that person", f"{ratio:.2f}x", "<= 2x", ratio <= 2
    yield "what was seen in the last call, warm", f"{1000 * last_took:.1f} ms", "< 100 ms", last_took < 0.1


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
    listing = StudioList(many)
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
