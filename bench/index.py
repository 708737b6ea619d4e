"""The list of many runs: made from their folders, and asked again. Folders of 20,000 small runs, hard links to one."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

from legalworld.index.query import Query, read_query
from legalworld.index.run_index import RunIndex

RUNS = 20_000


def rows() -> Iterator[tuple[str, str, str, bool | None]]:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        run = root / "first"
        words = [sys.executable, "-m", "legalworld", "run", "bargain", "--out", str(run)]
        subprocess.run(words, check=True, capture_output=True)
        for n in range(RUNS):
            other = root / "many" / f"run-{n}"
            other.mkdir(parents=True)
            for name in ("run.yaml", "journal.jsonl"):
                os.link(run / name, other / name)
        begun = perf_counter()
        _asked(root, Query())
        made = (perf_counter() - begun) / RUNS
        yield f"a run read into the index, of {RUNS:,}", f"{1000 * made:.2f} ms", "", None
        chosen = read_query((("status", ("ended",)),), ("turns>3",), ("-turns",), (), 50)
        assert isinstance(chosen, Query)
        times = [_asked(root, chosen) for _ in range(9)]
        yield f"{RUNS:,} runs filtered and sorted, 50 listed", f"{1000 * median(times):.0f} ms", "< 100 ms", None


def _asked(root: Path, query: Query) -> float:
    begun = perf_counter()
    index = RunIndex.open(root)
    index.refresh(scores=False)
    list(index.select(query))
    index.close()
    return perf_counter() - begun
