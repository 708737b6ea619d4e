"""The cost of a turn above a bare loop that appends and fsyncs the same bytes; a whole life cycle; prompt prefixes."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
TALK = """lw: 1
procedure: talk
kinds: {P: person}
roles: {one: {title: 甲, kind: person, side: one}, two: {title: 乙, kind: person, side: two}}
case:
  note: {title: 便条, path: "$.note.{side}", per: side}
visibility: |
  | field    | talk |
  |----------|------|
  | note own | P    |
stages:
  - stage: talk
    steps:
      - one and two converse: 商量
        until: one says 【完】
        at most: 420 turns
"""
WORDS = "这一点我方的意见已经说过，请对方就付款日期和数额作出说明。" * 3


def turn_times() -> tuple[list[float], list[float]]:
    """Seconds of each of 420 turns with a journal, and of a bare loop that appends and fsyncs the same bytes."""
    import asyncio

    from legalworld.engine.interpreter import interpret
    from legalworld.engine.settings import Settings
    from legalworld.files.project_files import Disk
    from legalworld.language.link.linker import link
    from legalworld.model.case import Case, Sided
    from legalworld.model.events import Reply, Request
    from legalworld.model.source import MemorySources
    from legalworld.runs.journal import Journal
    from legalworld.runs.loop import ReplayLog, ignore, play_through
    from legalworld.templates.template_set import TemplateSet

    disk = Disk(ROOT)
    texts = {path: disk.read(path) or "" for path in disk.names("prompts")} | {"specs/talk.yaml": TALK}
    sources = MemorySources(texts)
    procedure = link(sources, "specs/talk.yaml").procedure
    assert procedure is not None
    case = Case("talk", "", {"note": Sided({"one": "一百元", "two": "八十元"})}, {})
    stamps: list[float] = []

    async def answer(_: Request) -> Reply:
        stamps.append(perf_counter())
        return Reply(text=WORDS)

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        with Journal(path) as journal:
            game = interpret(procedure, case, Settings("", 0, {}), TemplateSet(sources, procedure="talk"))
            asyncio.run(play_through(game, ReplayLog((), journal), answer, ignore))
        turns = path.read_bytes().split(b'"answer":')
        bare = _bare([len(part) for part in turns[1:]], Path(folder) / "bare")
    return [after - before for before, after in itertools.pairwise(stamps)], bare


def _bare(sizes: list[int], path: Path) -> list[float]:
    times = []
    with open(path, "ab", buffering=0) as file:
        for size in sizes:
            begun = perf_counter()
            file.write(b"x" * size)
            os.fsync(file.fileno())
            times.append(perf_counter() - begun)
    return times


LIFE = """
import resource, sys
from legalworld.cli.main import main
sys.argv = ["lw", "run", "civil", "--json", "--out", sys.argv[1]]
try:
    main()
except SystemExit:
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def life() -> tuple[float, float, str]:
    """Wall seconds and peak MB of a whole offline life cycle, and what `lw show --tokens` says of it."""
    times, memory, words = [], 0.0, ""
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            out = str(Path(folder) / "run")
            begun = perf_counter()
            done = subprocess.run(
                [sys.executable, "-c", LIFE, out], cwd=ROOT, capture_output=True, text=True, check=True
            )
            times.append(perf_counter() - begun)
            memory = max(memory, int(done.stderr.split()[-1]) / 1024)
            shown = [sys.executable, "-m", "legalworld", "show", out, "--tokens"]
            words = subprocess.run(shown, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return median(times), memory, words


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    ours, bare = turn_times()
    above = (median(ours) - median(bare)) * 1000
    yield "a turn above a bare append + fsync, median", f"{above:.2f} ms", "< 1 ms", above < 1
    early, late = median(ours[25:55]), median(ours[385:415])
    yield "turn 400 / turn 40 (medians of 30)", f"{late / early:.2f}x", "<= 1.2x", late / early <= 1.2
    seconds, memory, words = life()
    yield "a life cycle with the offline actors, wall", f"{seconds:.1f} s", "< 5 s", seconds < 5
    yield "the same, peak memory", f"{memory:.0f} MB", "< 150 MB", memory < 150
    share = float(words.rpartition("%")[0].split()[-1])  # the last per cent is the total's
    yield "prompt prefix stability of that life cycle", f"{share:.1f} %", ">= 80 %", share >= 80
